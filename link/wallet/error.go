// What can be wrong with a wallet.

package wallet

import (
	"errors"
	"fmt"
)

// Kind tells what is wrong with a wallet.
type Kind int

// The kinds of Error.
const (
	Missing    Kind = iota // there is no wallet at the place
	Permission             // this process may not read it
	Invalid                // it cannot be parsed or decrypted
)

// String names the kind.
func (k Kind) String() string {
	return [...]string{"missing", "permission", "invalid"}[k]
}

// Error says what is wrong, with which file or directory, and what to do.
// It never holds a secret.
type Error struct {
	Kind Kind
	Path string
	Err  error
}

// Error is a sentence.
func (e *Error) Error() string {
	switch e.Kind {
	case Missing:
		return fmt.Sprintf("there is no wallet at %s: %v", e.Path, e.Err)
	case Permission:
		return fmt.Sprintf("the wallet file %s may not be read: let the user that runs this program read it (%v)", e.Path, e.Err)
	}
	return fmt.Sprintf("the wallet file %s cannot be used: %v", e.Path, e.Err)
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

var (
	errAbsent         = errors.New("no such directory; correct wallet_location, or unpack the wallet there")
	errNoDirectory    = errors.New("it is not a directory; wallet_location names the directory that holds the wallet")
	errNoFile         = errors.New("the directory holds neither ewallet.pem nor ewallet.p12 nor cwallet.sso; unpack the wallet there or correct wallet_location")
	errPasswordNeeded = errors.New("it is encrypted; give the wallet password, or put the wallet's cwallet.sso beside it")
	errWrongPassword  = errors.New("it does not decrypt; check the wallet password")
	errNoCertificate  = errors.New("it holds no certificate; fetch the wallet anew")
	errNoPair         = errors.New("none of its certificates belongs to its private key; fetch the wallet anew")
	errDamaged        = errors.New("it is damaged; fetch the wallet anew")
)

// damaged says which part of a file does not parse.
func damaged(part string) error { return fmt.Errorf("%w (%s)", errDamaged, part) }

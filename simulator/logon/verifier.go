// Package logon is the server's side of O5LOGON with the 12c password verifier: a verifier made from a password, a challenge made
// from the verifier, and the check of the client's answer (python-oracledb and node-oracledb lib/thin/protocol/encryptDecrypt.js,
// go-ora auth_object.go).
package logon

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha512"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// VerifierType is the number that tells a client which verifier the server holds: 12c, PBKDF2 with SHA-512.
const VerifierType = 18453

const (
	// GeneratorRounds and DerivationRounds are the PBKDF2 iterations that real servers announce (captures 43 and 46).
	GeneratorRounds  = 4096
	DerivationRounds = 3

	saltSize = 16
	keySize  = 32
)

// serverProof is what the client must find in the server's answer.
var serverProof = []byte("SERVER_TO_CLIENT")

// Verifier is what a database stores of a password.
type Verifier struct {
	password []byte
	salt     []byte
	cipher   cipher.Block
}

// NewVerifier makes the verifier of a password, with a salt of its own.
func NewVerifier(password string) (*Verifier, error) {
	v := &Verifier{password: []byte(password), salt: random(saltSize)}
	salt := append(bytes.Clone(v.salt), "AUTH_PBKDF2_SPEEDY_KEY"...)
	speedyKey, err := pbkdf2.Key(sha512.New, password, salt, GeneratorRounds, sha512.Size)
	if err != nil {
		return nil, fmt.Errorf("cannot derive a password verifier: %w", err)
	}
	sum := sha512.Sum512(append(speedyKey, v.salt...))
	if v.cipher, err = aes.NewCipher(sum[:keySize]); err != nil {
		return nil, fmt.Errorf("cannot use a password verifier: %w", err)
	}
	return v, nil
}

// Challenge is the state of one log-on between its two phases.
type Challenge struct {
	verifier   *Verifier
	sessionKey []byte
	mixingSalt []byte
}

// NewChallenge starts a log-on.
func (v *Verifier) NewChallenge() *Challenge {
	return &Challenge{verifier: v, sessionKey: random(keySize), mixingSalt: random(saltSize)}
}

// SessionKey is AUTH_SESSKEY: the server's half of the session key, under the verifier.
func (c *Challenge) SessionKey() string {
	return encode(encrypt(c.verifier.cipher, c.sessionKey))
}

// VerifierSalt is AUTH_VFR_DATA.
func (c *Challenge) VerifierSalt() string { return encode(c.verifier.salt) }

// MixingSalt is AUTH_PBKDF2_CSK_SALT.
func (c *Challenge) MixingSalt() string { return encode(c.mixingSalt) }

// ErrPassword says that the client does not know the password.
var ErrPassword = errors.New("invalid credential or not authorized; logon denied")

// Answer checks the client's AUTH_SESSKEY and AUTH_PASSWORD. It returns AUTH_SVR_RESPONSE, by which the client knows the server, or
// ErrPassword: a client with another password cannot have made values that decrypt to anything useful.
func (c *Challenge) Answer(clientKey, password string) (response string, err error) {
	encryptedKey, err := hex.DecodeString(clientKey)
	if err != nil || len(encryptedKey) != keySize {
		return "", ErrPassword
	}
	combined, err := c.combine(decrypt(c.verifier.cipher, encryptedKey))
	if err != nil {
		return "", err
	}
	encryptedPassword, err := hex.DecodeString(password)
	if err != nil || len(encryptedPassword) == 0 || len(encryptedPassword)%aes.BlockSize != 0 {
		return "", ErrPassword
	}
	if !c.verifier.matches(decrypt(combined, encryptedPassword)) {
		return "", ErrPassword
	}
	return encode(encrypt(combined, pad(append(random(saltSize), serverProof...)))), nil
}

// combine derives the key that both sides share.
func (c *Challenge) combine(clientKey []byte) (cipher.Block, error) {
	key, err := pbkdf2.Key(sha512.New, encode(append(clientKey, c.sessionKey...)), c.mixingSalt, DerivationRounds, keySize)
	if err != nil {
		return nil, err
	}
	return aes.NewCipher(key)
}

// matches says whether a decrypted AUTH_PASSWORD, which is 16 random bytes, the password and its padding, holds the password.
func (v *Verifier) matches(plain []byte) bool {
	return subtle.ConstantTimeCompare(plain[saltSize:], pad(append(random(saltSize), v.password...))[saltSize:]) == 1
}

// pad fills the last block as PKCS #7 says.
func pad(plain []byte) []byte {
	n := aes.BlockSize - len(plain)%aes.BlockSize
	return append(plain, bytes.Repeat([]byte{byte(n)}, n)...)
}

// encrypt is CBC mode with the zero vector that O5LOGON uses; plain is whole blocks.
func encrypt(block cipher.Block, plain []byte) []byte {
	out := make([]byte, len(plain))
	cipher.NewCBCEncrypter(block, make([]byte, aes.BlockSize)).CryptBlocks(out, plain)
	return out
}

// decrypt undoes encrypt.
func decrypt(block cipher.Block, encrypted []byte) []byte {
	out := make([]byte, len(encrypted))
	cipher.NewCBCDecrypter(block, make([]byte, aes.BlockSize)).CryptBlocks(out, encrypted)
	return out
}

// random returns n random bytes. rand.Read never fails.
func random(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b)
	return b
}

func encode(b []byte) string { return strings.ToUpper(hex.EncodeToString(b)) }

// cwallet.sso: a PKCS#12 file behind a header that holds its password,
// obfuscated. (Layout: go-ora configurations/wallet.go, and public descriptions
// of wallets written by Oracle 26ai.)

package wallet

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/des"
	"encoding/binary"
	"encoding/hex"
	"errors"
)

// The header: magic (3 bytes), kind (1), version (4), length of what follows
// (4), scheme (1), then what the scheme says.
const (
	ssoHeaderSize = 13
	ssoVersion    = 6
	ssoMaxLength  = 1024 // of the password section

	schemeAES = 6   // key (16 bytes), password in AES-128-CBC
	schemeDES = '5' // all in hexadecimal: key (8 bytes), password in DES-CBC (24)
)

var (
	ssoMagic = []byte{0xa1, 0xf8, 0x4e}
	ssoIV    = []byte{0xc0, 0x34, 0xd8, 0x31, 0x1c, 0x02, 0xce, 0xf8, 0x51, 0xf0, 0x14, 0x4b, 0x81, 0xed, 0x4b, 0xf2}

	errNoSSO    = errors.New("it is not an auto-login wallet; put the wallet's own cwallet.sso there")
	errLocalSSO = errors.New("it is a local auto-login wallet, which opens only for the user and on the host that made it; use ewallet.pem, or make the wallet with -auto_login instead of -auto_login_local")
	errNewSSO   = errors.New("its version is not known; use the wallet's ewallet.pem")
)

func parseSSO(content []byte) (*contents, error) {
	if len(content) < ssoHeaderSize || !bytes.Equal(content[:3], ssoMagic) {
		return nil, errNoSSO
	}
	switch content[3] {
	case '6', '7':
	case '8':
		return nil, errLocalSSO
	default:
		return nil, errNewSSO
	}
	if binary.BigEndian.Uint32(content[4:]) != ssoVersion {
		return nil, errNewSSO
	}
	length := binary.BigEndian.Uint32(content[8:])
	password, rest, err := ssoPassword(content[12], length, content[ssoHeaderSize:])
	if err != nil {
		return nil, err
	}
	found, err := parsePKCS12(rest, password)
	if errors.Is(err, errWrongPassword) {
		return nil, damaged("password") // it is the file's own, nobody's to check
	}
	return found, err
}

// ssoPassword reveals the password; rest is the PKCS#12 file.
func ssoPassword(scheme byte, length uint32, body []byte) (password string, rest []byte, err error) {
	switch scheme {
	case schemeAES:
		size := int(min(length, ssoMaxLength)) - 1 // the scheme was counted
		if size < 2*aes.BlockSize || size%aes.BlockSize != 0 || size > len(body) {
			return "", nil, damaged("header")
		}
		return revealAES(body[:16], body[16:size]), body[size:], nil
	case schemeDES:
		const size = 2 * (8 + 24)
		if len(body) < size {
			return "", nil, damaged("header")
		}
		plain, err := hex.DecodeString(string(body[:size]))
		if err != nil {
			return "", nil, damaged("header")
		}
		return revealDES(plain[:8], plain[8:]), body[size:], nil
	}
	return "", nil, errNewSSO
}

func revealAES(key, encrypted []byte) string {
	block, err := aes.NewCipher(key)
	if err != nil {
		return "" // unreachable: the key has 16 bytes
	}
	plain := make([]byte, len(encrypted))
	cipher.NewCBCDecrypter(block, ssoIV).CryptBlocks(plain, encrypted)
	return string(plain)
}

// revealDES also takes off the padding, if there is any.
func revealDES(key, encrypted []byte) string {
	block, err := des.NewCipher(key)
	if err != nil {
		return "" // unreachable: the key has 8 bytes
	}
	plain := make([]byte, len(encrypted))
	cipher.NewCBCDecrypter(block, make([]byte, des.BlockSize)).CryptBlocks(plain, encrypted)
	if unpadded, ok := unpad(plain, des.BlockSize); ok {
		plain = unpadded
	}
	return string(plain)
}

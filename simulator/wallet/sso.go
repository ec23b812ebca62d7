// The header of cwallet.sso.

package wallet

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/binary"
)

// obfuscationIV is the same in every auto-login wallet.
var obfuscationIV = []byte{0xc0, 0x34, 0xd8, 0x31, 0x1c, 0x02, 0xce, 0xf8, 0x51, 0xf0, 0x14, 0x4b, 0x81, 0xed, 0x4b, 0xf2}

// obfuscate makes the header that holds the 16 bytes of a password:
// magic (3 bytes), kind of wallet (1), version (4), length of what follows (4),
// scheme (1), AES key (16), the password encrypted with it (16).
func obfuscate(password []byte) ([]byte, error) {
	const autoLogin, version, schemeAES = '7', 6, 6
	key := make([]byte, 16)
	rand.Read(key)
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	encrypted := make([]byte, len(password))
	cipher.NewCBCEncrypter(block, obfuscationIV).CryptBlocks(encrypted, password)

	header := []byte{0xa1, 0xf8, 0x4e, autoLogin}
	header = binary.BigEndian.AppendUint32(header, version)
	header = binary.BigEndian.AppendUint32(header, uint32(1+len(key)+len(encrypted)))
	header = append(header, schemeAES)
	header = append(header, key...)
	return append(header, encrypted...), nil
}

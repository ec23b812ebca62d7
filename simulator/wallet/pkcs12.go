// PKCS#12 (RFC 7292) as Oracle lays it out: one encrypted content that holds
// the key in a plain key bag beside the certificates. Libraries write the key
// into a content of its own, where readers of Oracle wallets do not look.

package wallet

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/binary"
	"slices"
	"unicode/utf16"
)

// iterations of both key derivations, as Oracle 26ai writes them.
const iterations = 10_000

var (
	oidData          = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 1}
	oidEncryptedData = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 6}
	oidKeyBag        = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 12, 10, 1, 1}
	oidCertBag       = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 12, 10, 1, 3}
	oidX509          = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 22, 1}
	oidLocalKeyID    = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 21}
	oidPBES2         = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 5, 13}
	oidPBKDF2        = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 5, 12}
	oidHMACSHA256    = asn1.ObjectIdentifier{1, 2, 840, 113549, 2, 9}
	oidAES256CBC     = asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 1, 42}
	oidSHA1          = asn1.ObjectIdentifier{1, 3, 14, 3, 2, 26}
)

type (
	pfx struct {
		Version  int
		AuthSafe contentInfo
		MAC      macData
	}
	contentInfo struct {
		Type    asn1.ObjectIdentifier
		Content any `asn1:"explicit,tag:0"`
	}
	encryptedData struct {
		Version int
		Content encryptedContent
	}
	encryptedContent struct {
		Type      asn1.ObjectIdentifier
		Algorithm pkix.AlgorithmIdentifier
		Encrypted []byte `asn1:"tag:0"`
	}
	macData struct {
		Digest     digestInfo
		Salt       []byte
		Iterations int
	}
	digestInfo struct {
		Algorithm pkix.AlgorithmIdentifier
		Digest    []byte
	}
	bag struct {
		Type       asn1.ObjectIdentifier
		Value      asn1.RawValue
		Attributes []attribute `asn1:"set,omitempty"`
	}
	attribute struct {
		Type   asn1.ObjectIdentifier
		Values [][]byte `asn1:"set"`
	}
	certBag struct {
		Type asn1.ObjectIdentifier
		Cert []byte `asn1:"explicit,tag:0"`
	}
	encryptedPrivateKeyInfo struct {
		Algorithm pkix.AlgorithmIdentifier
		Encrypted []byte
	}
	pbes2 struct {
		KDF, Cipher pkix.AlgorithmIdentifier
	}
	pbkdf2Params struct {
		Salt       []byte
		Iterations int
		KeyLength  int
		PRF        pkix.AlgorithmIdentifier
	}
)

// pkcs12 holds the client's key (PKCS#8) and certificate, and the authority.
func (p *pki) pkcs12(key []byte, password string) ([]byte, error) {
	bags, err := p.bags(key)
	if err != nil {
		return nil, err
	}
	algorithm, encrypted, err := encrypt(bags, password)
	if err != nil {
		return nil, err
	}
	safe, err := asn1.Marshal([]contentInfo{{oidEncryptedData, encryptedData{0, encryptedContent{oidData, algorithm, encrypted}}}})
	if err != nil {
		return nil, err
	}
	return asn1.Marshal(pfx{Version: 3, AuthSafe: contentInfo{oidData, safe}, MAC: authenticate(safe, password)})
}

func (p *pki) bags(key []byte) ([]byte, error) {
	clientCert, err := asn1.Marshal(certBag{oidX509, p.client.cert.Raw})
	if err != nil {
		return nil, err
	}
	authority, err := asn1.Marshal(certBag{oidX509, p.authority.cert.Raw})
	if err != nil {
		return nil, err
	}
	id := sha1.Sum(p.client.cert.Raw)
	own := []attribute{{oidLocalKeyID, [][]byte{id[:]}}}
	return asn1.Marshal([]bag{
		{oidKeyBag, explicit(key), own},
		{oidCertBag, explicit(clientCert), own},
		{oidCertBag, explicit(authority), nil},
	})
}

// explicit wraps an encoded value in [0].
func explicit(value []byte) asn1.RawValue {
	return asn1.RawValue{Class: asn1.ClassContextSpecific, IsCompound: true, Bytes: value}
}

// encrypt is PBES2 with PBKDF2-HMAC-SHA-256 and AES-256-CBC.
func encrypt(plain []byte, password string) (algorithm pkix.AlgorithmIdentifier, encrypted []byte, err error) {
	salt, iv := make([]byte, 8), make([]byte, aes.BlockSize)
	rand.Read(salt)
	rand.Read(iv)
	key, err := pbkdf2.Key(sha256.New, password, salt, iterations, 32)
	if err != nil {
		return algorithm, nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return algorithm, nil, err
	}
	padding := aes.BlockSize - len(plain)%aes.BlockSize
	encrypted = append(slices.Clone(plain), slices.Repeat([]byte{byte(padding)}, padding)...)
	cipher.NewCBCEncrypter(block, iv).CryptBlocks(encrypted, encrypted)

	algorithm, err = pbes2Algorithm(salt, iv)
	return algorithm, encrypted, err
}

func pbes2Algorithm(salt, iv []byte) (algorithm pkix.AlgorithmIdentifier, err error) {
	prf := pkix.AlgorithmIdentifier{Algorithm: oidHMACSHA256, Parameters: asn1.NullRawValue}
	kdf, err := asn1.Marshal(pbkdf2Params{salt, iterations, 32, prf})
	if err != nil {
		return algorithm, err
	}
	ivValue, err := asn1.Marshal(iv)
	if err != nil {
		return algorithm, err
	}
	params, err := asn1.Marshal(pbes2{
		KDF:    pkix.AlgorithmIdentifier{Algorithm: oidPBKDF2, Parameters: asn1.RawValue{FullBytes: kdf}},
		Cipher: pkix.AlgorithmIdentifier{Algorithm: oidAES256CBC, Parameters: asn1.RawValue{FullBytes: ivValue}},
	})
	return pkix.AlgorithmIdentifier{Algorithm: oidPBES2, Parameters: asn1.RawValue{FullBytes: params}}, err
}

// authenticate computes the HMAC-SHA-1 that covers the contents.
func authenticate(safe []byte, password string) macData {
	salt := make([]byte, 8)
	rand.Read(salt)
	mac := hmac.New(sha1.New, macKey(password, salt))
	mac.Write(safe)
	digest := digestInfo{pkix.AlgorithmIdentifier{Algorithm: oidSHA1, Parameters: asn1.NullRawValue}, mac.Sum(nil)}
	return macData{digest, salt, iterations}
}

// macKey derives a key of one SHA-1 block for the purpose 3, authentication
// (RFC 7292, appendix B.2; the password is a zero-terminated BMPString).
func macKey(password string, salt []byte) []byte {
	var bmp []byte
	for _, unit := range append(utf16.Encode([]rune(password)), 0) {
		bmp = binary.BigEndian.AppendUint16(bmp, unit)
	}
	input := slices.Repeat([]byte{3}, sha1.BlockSize)
	input = append(input, fillBlocks(salt)...)
	input = append(input, fillBlocks(bmp)...)
	key := sha1.Sum(input)
	for range iterations - 1 {
		key = sha1.Sum(key[:])
	}
	return key[:]
}

// fillBlocks repeats b until it fills whole blocks of the hash.
func fillBlocks(b []byte) []byte {
	size := (len(b) + sha1.BlockSize - 1) / sha1.BlockSize * sha1.BlockSize
	return slices.Repeat(b, size/len(b)+1)[:size]
}

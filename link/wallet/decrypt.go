// Decryption by password: PBES2 (RFC 8018), and what PKCS#12 had before it
// (RFC 7292, appendix B and C).

package wallet

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/des"
	"crypto/pbkdf2"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/binary"
	"fmt"
	"hash"
	"slices"
	"unicode/utf16"
)

// maxIterations bounds the key derivations of one file together, about a
// second's work. Oracle iterates up to some ten thousand times.
const maxIterations = 2_000_000

// The purposes of a key derived as in RFC 7292, appendix B.3.
const (
	purposeKey = 1
	purposeIV  = 2
	purposeMAC = 3
)

const (
	oidPBES2   = "1.2.840.113549.1.5.13"
	oidPBKDF2  = "1.2.840.113549.1.5.12"
	oidSHA3DES = "1.2.840.113549.1.12.1.3"
)

var prfs = map[string]func() hash.Hash{
	"":                    sha1.New, // RFC 8018: the default
	"1.2.840.113549.2.7":  sha1.New,
	"1.2.840.113549.2.8":  sha256.New224,
	"1.2.840.113549.2.9":  sha256.New,
	"1.2.840.113549.2.10": sha512.New384,
	"1.2.840.113549.2.11": sha512.New,
}

type cbc struct {
	keySize  int
	newBlock func([]byte) (cipher.Block, error)
}

var ciphers = map[string]cbc{
	"1.2.840.113549.3.7":      {24, des.NewTripleDESCipher},
	"2.16.840.1.101.3.4.1.2":  {16, aes.NewCipher},
	"2.16.840.1.101.3.4.1.22": {24, aes.NewCipher},
	"2.16.840.1.101.3.4.1.42": {32, aes.NewCipher},
}

type (
	encryptedPrivateKeyInfo struct {
		Algorithm pkix.AlgorithmIdentifier
		Encrypted []byte
	}
	pbes2Params struct {
		KDF, Cipher pkix.AlgorithmIdentifier
	}
	pbkdf2Params struct {
		Salt       []byte
		Iterations int
		KeyLength  int                      `asn1:"optional"`
		PRF        pkix.AlgorithmIdentifier `asn1:"optional"`
	}
	pbeParams struct {
		Salt       []byte
		Iterations int
	}
)

// decrypter opens what one file holds with one password.
type decrypter struct {
	password       string
	iterationsLeft int
}

func newDecrypter(password string) *decrypter { return &decrypter{password, maxIterations} }

// privateKey opens an EncryptedPrivateKeyInfo (RFC 5958).
func (d *decrypter) privateKey(der []byte) (any, error) {
	var info encryptedPrivateKeyInfo
	if _, err := asn1.Unmarshal(der, &info); err != nil {
		return nil, damaged("encrypted private key")
	}
	plain, err := d.decrypt(info.Algorithm, info.Encrypted)
	if err != nil {
		return nil, err
	}
	key, err := x509.ParsePKCS8PrivateKey(plain)
	if err != nil {
		// Padding that is right by chance passed a wrong password on to here.
		return nil, errWrongPassword
	}
	return key, nil
}

func (d *decrypter) decrypt(algorithm pkix.AlgorithmIdentifier, encrypted []byte) ([]byte, error) {
	block, iv, err := d.cipher(algorithm)
	if err != nil {
		return nil, err
	}
	size := block.BlockSize()
	if len(iv) != size || len(encrypted) == 0 || len(encrypted)%size != 0 {
		return nil, damaged("encrypted content")
	}
	plain := make([]byte, len(encrypted))
	cipher.NewCBCDecrypter(block, iv).CryptBlocks(plain, encrypted)
	plain, ok := unpad(plain, size)
	if !ok {
		return nil, errWrongPassword
	}
	return plain, nil
}

func (d *decrypter) cipher(algorithm pkix.AlgorithmIdentifier) (cipher.Block, []byte, error) {
	switch name := algorithm.Algorithm.String(); name {
	case oidPBES2:
		return d.pbes2(algorithm.Parameters.FullBytes)
	case oidSHA3DES:
		return d.sha3DES(algorithm.Parameters.FullBytes)
	default:
		return nil, nil, unsupported(name)
	}
}

func (d *decrypter) pbes2(der []byte) (cipher.Block, []byte, error) {
	var params pbes2Params
	if _, err := asn1.Unmarshal(der, &params); err != nil {
		return nil, nil, damaged("PBES2 parameters")
	}
	scheme, known := ciphers[params.Cipher.Algorithm.String()]
	if !known {
		return nil, nil, unsupported(params.Cipher.Algorithm.String())
	}
	if name := params.KDF.Algorithm.String(); name != oidPBKDF2 {
		return nil, nil, unsupported(name)
	}
	key, err := d.pbkdf2Key(params.KDF.Parameters.FullBytes, scheme.keySize)
	if err != nil {
		return nil, nil, err
	}
	block, err := scheme.newBlock(key)
	return block, params.Cipher.Parameters.Bytes, err
}

func (d *decrypter) pbkdf2Key(der []byte, size int) ([]byte, error) {
	var params pbkdf2Params
	if _, err := asn1.Unmarshal(der, &params); err != nil {
		return nil, damaged("PBKDF2 parameters")
	}
	prf, known := prfs[params.PRF.Algorithm.String()]
	if !known {
		return nil, unsupported(params.PRF.Algorithm.String())
	}
	if err := d.spend(params.Iterations); err != nil {
		return nil, err
	}
	return pbkdf2.Key(prf, d.password, params.Salt, params.Iterations, size)
}

// sha3DES is pbeWithSHAAnd3-KeyTripleDES-CBC.
func (d *decrypter) sha3DES(der []byte) (cipher.Block, []byte, error) {
	var params pbeParams
	if _, err := asn1.Unmarshal(der, &params); err != nil {
		return nil, nil, damaged("PBE parameters")
	}
	key, err := d.pkcs12Key(sha1.New, purposeKey, params.Salt, params.Iterations, 24)
	if err != nil {
		return nil, nil, err
	}
	iv, err := d.pkcs12Key(sha1.New, purposeIV, params.Salt, params.Iterations, des.BlockSize)
	if err != nil {
		return nil, nil, err
	}
	block, err := des.NewTripleDESCipher(key)
	return block, iv, err
}

// pkcs12Key derives a key as RFC 7292, appendix B.2, says.
func (d *decrypter) pkcs12Key(newHash func() hash.Hash, purpose byte, salt []byte, iterations, size int) ([]byte, error) {
	h := newHash()
	blockSize := h.BlockSize()
	diversifier := slices.Repeat([]byte{purpose}, blockSize)
	input := append(fill(salt, blockSize), fill(bmpString(d.password), blockSize)...)
	var key []byte
	for len(key) < size {
		if err := d.spend(iterations); err != nil {
			return nil, err
		}
		sum := append(diversifier[:blockSize:blockSize], input...)
		for range iterations {
			h.Reset()
			h.Write(sum)
			sum = h.Sum(sum[:0])
		}
		key = append(key, sum...)
		addToBlocks(input, fill(sum, blockSize), blockSize)
	}
	return key[:size], nil
}

// addToBlocks adds n + 1 to every block of b, big-endian, dropping the carry.
func addToBlocks(b, n []byte, blockSize int) {
	for block := range slices.Chunk(b, blockSize) {
		carry := uint16(1)
		for i := blockSize - 1; i >= 0; i-- {
			carry += uint16(block[i]) + uint16(n[i])
			block[i] = byte(carry)
			carry >>= 8
		}
	}
}

// fill repeats b until it fills whole blocks.
func fill(b []byte, blockSize int) []byte {
	if len(b) == 0 {
		return nil
	}
	size := (len(b) + blockSize - 1) / blockSize * blockSize
	return slices.Repeat(b, size/len(b)+1)[:size]
}

// bmpString is UTF-16, big-endian, with a final zero.
func bmpString(s string) []byte {
	var out []byte
	for _, unit := range append(utf16.Encode([]rune(s)), 0) {
		out = binary.BigEndian.AppendUint16(out, unit)
	}
	return out
}

// spend takes iterations off what the file may cost.
func (d *decrypter) spend(iterations int) error {
	if iterations < 1 || iterations > d.iterationsLeft {
		return damaged("number of iterations")
	}
	d.iterationsLeft -= iterations
	return nil
}

func unpad(b []byte, blockSize int) ([]byte, bool) {
	n := int(b[len(b)-1])
	if n == 0 || n > blockSize {
		return nil, false
	}
	for _, c := range b[len(b)-n:] {
		if int(c) != n {
			return nil, false
		}
	}
	return b[:len(b)-n], true
}

func unsupported(oid string) error {
	return fmt.Errorf("it is encrypted in a way that is not known (%s); make the wallet anew with a current orapki, or convert it with openssl", oid)
}

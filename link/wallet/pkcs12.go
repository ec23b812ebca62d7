// The structure of PKCS#12 (RFC 7292), as far as wallets use it.
//
// It is read here and not by a library because wallets are unlike the files
// that libraries expect: they may hold authorities alone and no key, their
// certificates come in any order, and one content holds everything. A wallet
// that somebody made up must not cost more than its size, either.

package wallet

import (
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"fmt"
	"hash"
)

type (
	pfx struct {
		Version  int
		AuthSafe contentInfo
		MAC      macData `asn1:"optional"`
	}
	contentInfo struct {
		Type    asn1.ObjectIdentifier
		Content asn1.RawValue `asn1:"explicit,tag:0,optional"`
	}
	macData struct {
		Digest     digestInfo
		Salt       []byte
		Iterations int `asn1:"optional,default:1"`
	}
	digestInfo struct {
		Algorithm pkix.AlgorithmIdentifier
		Digest    []byte
	}
	encryptedData struct {
		Version int
		Content encryptedContent
	}
	encryptedContent struct {
		Type      asn1.ObjectIdentifier
		Algorithm pkix.AlgorithmIdentifier
		Encrypted []byte `asn1:"tag:0,optional"`
	}
	// safeBag leaves out the attributes: Oracle's are its own, and the key
	// itself tells which certificate it belongs to.
	safeBag struct {
		Type  asn1.ObjectIdentifier
		Value asn1.RawValue `asn1:"explicit,tag:0"`
	}
	certBag struct {
		Type asn1.ObjectIdentifier
		Cert []byte `asn1:"explicit,tag:0"`
	}
)

// Content and bag types, and hashes of the MAC, by OID.
const (
	typeData          = "1.2.840.113549.1.7.1"
	typeEncryptedData = "1.2.840.113549.1.7.6"
	bagKey            = "1.2.840.113549.1.12.10.1.1"
	bagShroudedKey    = "1.2.840.113549.1.12.10.1.2"
	bagCert           = "1.2.840.113549.1.12.10.1.3"
)

var macHashes = map[string]func() hash.Hash{
	"1.3.14.3.2.26":          sha1.New,
	"2.16.840.1.101.3.4.2.1": sha256.New,
	"2.16.840.1.101.3.4.2.2": sha512.New384,
	"2.16.840.1.101.3.4.2.3": sha512.New,
}

// parseP12 reads ewallet.p12.
func parseP12(content []byte, password string) (*contents, error) {
	if password == "" {
		return nil, errPasswordNeeded
	}
	return parsePKCS12(content, password)
}

func parsePKCS12(der []byte, password string) (*contents, error) {
	var file pfx
	if _, err := asn1.Unmarshal(der, &file); err != nil || file.AuthSafe.Type.String() != typeData {
		return nil, damaged("PKCS#12")
	}
	var safe []byte
	if _, err := asn1.Unmarshal(file.AuthSafe.Content.Bytes, &safe); err != nil {
		return nil, damaged("PKCS#12 contents")
	}
	d := newDecrypter(password)
	if err := d.authenticate(file.MAC, safe); err != nil {
		return nil, err
	}
	var parts []contentInfo
	if _, err := asn1.Unmarshal(safe, &parts); err != nil {
		return nil, damaged("PKCS#12 contents")
	}
	found := new(contents)
	for _, part := range parts {
		if err := d.addPart(found, part); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// authenticate checks the MAC, if the file has one. A file that was changed and
// a password that is wrong look the same.
func (d *decrypter) authenticate(mac macData, message []byte) error {
	if len(mac.Digest.Algorithm.Algorithm) == 0 {
		return nil
	}
	name := mac.Digest.Algorithm.Algorithm.String()
	newHash, known := macHashes[name]
	if !known {
		return fmt.Errorf("it is authenticated in a way that is not known (%s); use the wallet's ewallet.pem", name)
	}
	key, err := d.pkcs12Key(newHash, purposeMAC, mac.Salt, mac.Iterations, newHash().Size())
	if err != nil {
		return err
	}
	h := hmac.New(newHash, key)
	h.Write(message)
	if !hmac.Equal(h.Sum(nil), mac.Digest.Digest) {
		return errWrongPassword
	}
	return nil
}

func (d *decrypter) addPart(found *contents, part contentInfo) error {
	var plain []byte
	switch part.Type.String() {
	case typeData:
		if _, err := asn1.Unmarshal(part.Content.Bytes, &plain); err != nil {
			return damaged("PKCS#12 content")
		}
	case typeEncryptedData:
		var data encryptedData
		if _, err := asn1.Unmarshal(part.Content.Bytes, &data); err != nil {
			return damaged("PKCS#12 encrypted content")
		}
		var err error
		if plain, err = d.decrypt(data.Content.Algorithm, data.Content.Encrypted); err != nil {
			return err
		}
	default:
		return nil
	}
	var bags []safeBag
	if _, err := asn1.Unmarshal(plain, &bags); err != nil {
		return damaged("PKCS#12 bags")
	}
	for _, bag := range bags {
		if err := d.addBag(found, bag); err != nil {
			return err
		}
	}
	return nil
}

// addBag skips what is neither key nor certificate, such as the passwords of a
// secure external password store.
func (d *decrypter) addBag(found *contents, bag safeBag) error {
	switch bag.Type.String() {
	case bagKey:
		key, err := x509.ParsePKCS8PrivateKey(bag.Value.Bytes)
		if err != nil {
			return damaged("private key")
		}
		return found.addKey(key)
	case bagShroudedKey:
		key, err := d.privateKey(bag.Value.Bytes)
		if err != nil {
			return err
		}
		return found.addKey(key)
	case bagCert:
		var cert certBag
		if _, err := asn1.Unmarshal(bag.Value.Bytes, &cert); err != nil {
			return damaged("PKCS#12 certificate")
		}
		found.addCertificate(cert.Cert)
	}
	return nil
}

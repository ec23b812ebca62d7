// ewallet.pem: the client's key, usually encrypted, and certificates.

package wallet

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"fmt"
)

// parsePEM reads ewallet.pem. Text between the blocks, as OpenSSL writes it, is
// skipped, and so are blocks of other types.
func parsePEM(content []byte, password string) (*contents, error) {
	found := new(contents)
	missing := bytes.Count(content, []byte("-----BEGIN "))
	for block, rest := pem.Decode(content); block != nil; block, rest = pem.Decode(rest) {
		missing--
		if block.Type == "CERTIFICATE" {
			found.addCertificate(block.Bytes)
			continue
		}
		key, err := parseKeyBlock(block, password)
		if err != nil {
			return nil, err
		}
		if key == nil {
			continue
		}
		if err := found.addKey(key); err != nil {
			return nil, err
		}
	}
	if missing > 0 {
		// Half-written, perhaps: less the authorities, it would trust the system's.
		return nil, damaged("a block that does not end or does not decode")
	}
	return found, nil
}

// parseKeyBlock returns nil for a block that is no key.
func parseKeyBlock(block *pem.Block, password string) (key any, err error) {
	if block.Headers["DEK-Info"] != "" {
		return nil, fmt.Errorf("its key is encrypted in OpenSSL's old format; convert it with \"openssl pkcs8 -topk8\"")
	}
	switch block.Type {
	case "ENCRYPTED PRIVATE KEY":
		if password == "" {
			return nil, errPasswordNeeded
		}
		return newDecrypter(password).privateKey(block.Bytes)
	case "PRIVATE KEY":
		key, err = x509.ParsePKCS8PrivateKey(block.Bytes)
	case "RSA PRIVATE KEY":
		key, err = x509.ParsePKCS1PrivateKey(block.Bytes)
	case "EC PRIVATE KEY":
		key, err = x509.ParseECPrivateKey(block.Bytes)
	}
	if err != nil {
		return nil, damaged("private key")
	}
	return key, nil
}

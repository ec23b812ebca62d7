// The files of a wallet directory.

package wallet

import (
	"bytes"
	"crypto/rand"
	"crypto/x509"
	"encoding/asn1"
	"encoding/pem"
	"fmt"
	"maps"
	"slices"
)

// sqlnet is what an Autonomous Database wallet says, "?" and all: to a client
// without an ORACLE_HOME it means the directory of this file.
const sqlnet = `WALLET_LOCATION = (SOURCE = (METHOD = file) (METHOD_DATA = (DIRECTORY="?/network/admin")))
SSL_SERVER_DN_MATCH=yes
`

const readme = `This wallet was generated for a simulated database. Its authority was thrown
away after it had signed the certificates herein: it is good for nothing else.

tnsnames.ora   aliases of the simulated services
sqlnet.ora     where clients look for the wallet
ewallet.pem    key, certificate and authority; the key needs the wallet password
cwallet.sso    the same for clients that open it without a password
ewallet.p12    the same as PKCS#12; needs the wallet password
`

// files returns the content of every file by its name.
func (p *pki) files(o Options) (map[string][]byte, error) {
	key, err := x509.MarshalPKCS8PrivateKey(p.client.key)
	if err != nil {
		return nil, err
	}
	pemFile, err := p.pem(key, o.Password)
	if err != nil {
		return nil, err
	}
	p12, err := p.pkcs12(key, o.Password)
	if err != nil {
		return nil, err
	}
	sso, err := p.autoLogin(key)
	if err != nil {
		return nil, err
	}
	return map[string][]byte{
		"tnsnames.ora": nil, // WriteNames fills it
		"sqlnet.ora":   []byte(sqlnet),
		"README":       []byte(readme),
		"ewallet.pem":  pemFile,
		"ewallet.p12":  p12,
		"cwallet.sso":  sso,
	}, nil
}

func tnsnames(entries map[string]string) []byte {
	var out bytes.Buffer
	for _, alias := range slices.Sorted(maps.Keys(entries)) {
		fmt.Fprintf(&out, "%s = %s\n\n", alias, entries[alias])
	}
	return out.Bytes()
}

// pem is ewallet.pem: the encrypted key, then the client's certificate, which
// drivers take for theirs because it is the first, then the authority.
func (p *pki) pem(key []byte, password string) ([]byte, error) {
	algorithm, encrypted, err := encrypt(key, password)
	if err != nil {
		return nil, err
	}
	info, err := asn1.Marshal(encryptedPrivateKeyInfo{algorithm, encrypted})
	if err != nil {
		return nil, err
	}
	var out []byte
	for _, block := range []pem.Block{
		{Type: "ENCRYPTED PRIVATE KEY", Bytes: info},
		{Type: "CERTIFICATE", Bytes: p.client.cert.Raw},
		{Type: "CERTIFICATE", Bytes: p.authority.cert.Raw},
	} {
		out = append(out, pem.EncodeToMemory(&block)...)
	}
	return out, nil
}

// autoLogin is cwallet.sso: a PKCS#12 file behind a header that holds its
// password, obfuscated. (Layout: go-ora configurations/wallet.go and public
// descriptions of wallets written by Oracle 26ai.)
func (p *pki) autoLogin(key []byte) ([]byte, error) {
	password := make([]byte, 16)
	rand.Read(password)
	for i := range password {
		password[i] = password[i]%127 + 1
	}
	p12, err := p.pkcs12(key, string(password))
	if err != nil {
		return nil, err
	}
	header, err := obfuscate(password)
	return append(header, p12...), err
}

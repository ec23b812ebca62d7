package wallet

import (
	"bytes"
	"encoding/asn1"
	"errors"
	"slices"
	"strings"
	"testing"

	"software.sslmate.com/src/go-pkcs12"
)

func TestDamagedAutoLoginWalletIsAnErrorWhereverItIsCut(t *testing.T) {
	sso := sharedFile(t, ssoFile)
	for n := range len(sso) {
		if _, err := parseSSO(sso[:n]); err == nil {
			t.Fatalf("%d of %d bytes were taken for a wallet", n, len(sso))
		}
	}
}

func TestChangedByteOfAnAutoLoginWalletIsAnError(t *testing.T) {
	sso := sharedFile(t, ssoFile)
	// The kind of wallet, and what asn1 does not look at, may differ harmlessly.
	for _, at := range []int{0, 1, 2, 4, 7, 8, 11, 12, 13, 28, 29, 44, 45, 46, 100, len(sso) / 2, len(sso) - 40} {
		changed := slices.Clone(sso)
		changed[at] ^= 0xff
		if _, err := parseSSO(changed); err == nil {
			t.Errorf("nobody noticed a change of byte %d", at)
		}
	}
}

func TestAutoLoginWalletThatCannotBeOpenedSaysWhy(t *testing.T) {
	sso := sharedFile(t, ssoFile)
	own := sharedWallet(t).Client.Certificates[0]
	change := func(at int, to byte) []byte {
		out := slices.Clone(sso)
		out[at] = to
		return out
	}
	rc2, err := pkcs12.LegacyRC2.Encode(own.PrivateKey, own.Leaf, nil, autoPassword)
	if err != nil {
		t.Fatal(err)
	}
	other, err := pkcs12.Modern2023.Encode(own.PrivateKey, own.Leaf, nil, "another password")
	if err != nil {
		t.Fatal(err)
	}
	pbmac, err := pkcs12.Modern2026.Encode(own.PrivateKey, own.Leaf, nil, autoPassword)
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		content []byte
		says    string
	}{
		"local auto-login":           {change(3, '8'), "-auto_login_local"},
		"unknown kind":               {change(3, '9'), "version is not known"},
		"unknown version":            {change(7, 7), "version is not known"},
		"unknown scheme":             {change(12, 9), "version is not known"},
		"password section too long":  {change(8, 0x7f), "damaged"},
		"RC2":                        {wrapAES('6', autoPassword, rc2), "1.2.840.113549.1.12.1.6"},
		"PBMAC1":                     {wrapAES('6', autoPassword, pbmac), "1.2.840.113549.1.5.14"},
		"a password of another file": {wrapAES('6', autoPassword, other), "damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := parseSSO(test.content); err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("got %v, want an error that says %q", err, test.says)
			}
		})
	}
}

func TestIterationsAreBoundedForAWholeFile(t *testing.T) {
	own := sharedWallet(t).Client.Certificates[0]
	// The MAC and the two encryptions: each is allowed, all three are not.
	p12, err := pkcs12.Modern2023.WithIterations(maxIterations/2).Encode(own.PrivateKey, own.Leaf, nil, autoPassword)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parseSSO(wrapAES('6', autoPassword, p12)); !errors.Is(err, errDamaged) {
		t.Errorf("got %v, want a refusal to go on", err)
	}
}

func TestBagsOfOtherTypesAreSkipped(t *testing.T) {
	own := sharedWallet(t).Client.Certificates[0]
	secret := safeBag{Type: asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 12, 10, 1, 5}, Value: asn1.RawValue{Class: asn1.ClassContextSpecific, IsCompound: true, Bytes: []byte{5, 0}}}
	encoded, err := asn1.Marshal([]safeBag{secret})
	if err != nil {
		t.Fatal(err)
	}
	inner, err := asn1.Marshal(encoded)
	if err != nil {
		t.Fatal(err)
	}
	found := &contents{}
	found.addCertificate(own.Certificate[0])
	part := contentInfo{Type: asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 1}, Content: asn1.RawValue{Bytes: inner}}
	if err := newDecrypter("").addPart(found, part); err != nil {
		t.Error(err)
	}
	if len(found.certificates) != 1 || len(found.keys) != 0 {
		t.Errorf("found %+v", found)
	}
}

func FuzzLoadSSO(f *testing.F) {
	sso := sharedFile(f, ssoFile)
	f.Add(sso)
	f.Add(sso[:60])
	f.Add(slices.Concat(ssoMagic, []byte("6"), bytes.Repeat([]byte{0xff}, 40)))
	f.Add(slices.Concat(ssoMagic, []byte("6\x00\x00\x00\x06\x00\x00\x00A5"), bytes.Repeat([]byte("0"), 80)))
	f.Fuzz(func(_ *testing.T, content []byte) {
		if found, err := parseSSO(content); err == nil {
			_, _ = found.wallet() // whatever it says, it must not panic
		}
	})
}

// The PKCS#12 part alone: behind the header its password is hard to come by.
func FuzzLoadPKCS12(f *testing.F) {
	own := sharedWallet(f).Client.Certificates[0]
	for _, encoder := range []*pkcs12.Encoder{pkcs12.LegacyDES, pkcs12.Modern2023, pkcs12.Modern2026} {
		p12, err := encoder.WithIterations(1).Encode(own.PrivateKey, own.Leaf, nil, "p")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(p12)
	}
	store, err := pkcs12.Passwordless.EncodeTrustStore(nil, "")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(store)
	f.Fuzz(func(_ *testing.T, content []byte) {
		if found, err := parsePKCS12(content, "p"); err == nil {
			_, _ = found.wallet() // whatever it says, it must not panic
		}
	})
}

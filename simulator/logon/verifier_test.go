package logon

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/pbkdf2"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"strings"
	"testing"
)

// answer is the client's side of the log-on, as far as the server sees it: what a client with this password sends, and the proof it
// finds in the server's answer. go-ora and Oracle's Node driver check the same from their side in the tests of package simulator.
func answer(t *testing.T, c *Challenge, password string) (clientKey, encrypted string, proof func(response string) string) {
	t.Helper()
	salt, err := hex.DecodeString(c.VerifierSalt())
	if err != nil {
		t.Fatal(err)
	}
	speedyKey, err := pbkdf2.Key(sha512.New, password, append(append([]byte{}, salt...), "AUTH_PBKDF2_SPEEDY_KEY"...), GeneratorRounds, 64)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha512.Sum512(append(speedyKey, salt...))
	verifier := block(t, sum[:keySize])
	serverKey, err := hex.DecodeString(c.SessionKey())
	if err != nil {
		t.Fatal(err)
	}
	own := random(keySize)
	mixing, err := hex.DecodeString(c.MixingSalt())
	if err != nil {
		t.Fatal(err)
	}
	combined := strings.ToUpper(hex.EncodeToString(append(append([]byte{}, own...), decrypt(verifier, serverKey)...)))
	key, err := pbkdf2.Key(sha512.New, combined, mixing, DerivationRounds, keySize)
	if err != nil {
		t.Fatal(err)
	}
	shared := block(t, key)
	proof = func(response string) string {
		encrypted, err := hex.DecodeString(response)
		if err != nil || len(encrypted) != 48 {
			t.Fatalf("a response of %d bytes, %v", len(encrypted), err)
		}
		return string(decrypt(shared, encrypted)[16:32])
	}
	return encode(encrypt(verifier, own)), encode(encrypt(shared, pad(append(random(saltSize), password...)))), proof
}

func block(t *testing.T, key []byte) cipher.Block {
	t.Helper()
	b, err := aes.NewCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestTheRightPasswordIsAnsweredWithAProof(t *testing.T) {
	for _, password := range []string{"x", "probe", "Grüße", strings.Repeat("p", 15), strings.Repeat("p", 16), strings.Repeat("p", 1024)} {
		v, err := NewVerifier(password)
		if err != nil {
			t.Fatal(err)
		}
		c := v.NewChallenge()
		key, encrypted, proof := answer(t, c, password)
		response, err := c.Answer(key, encrypted)
		if err != nil {
			t.Errorf("%q: %v", password, err)
			continue
		}
		if got := proof(response); got != "SERVER_TO_CLIENT" {
			t.Errorf("%q: the proof is %q", password, got)
		}
	}
}

func TestAnythingElseIsDenied(t *testing.T) {
	v, err := NewVerifier("probe")
	if err != nil {
		t.Fatal(err)
	}
	c := v.NewChallenge()
	key, encrypted, _ := answer(t, c, "probe")
	wrongKey, wrongPassword, _ := answer(t, c, "Probe")
	tests := map[string][2]string{
		"a wrong password":           {wrongKey, wrongPassword},
		"another client's key":       {wrongKey, encrypted},
		"another client's password":  {key, wrongPassword},
		"no key":                     {"", encrypted},
		"no password":                {key, ""},
		"a key that is not hex":      {strings.Repeat("Z", 64), encrypted},
		"a password of half a block": {key, encrypted[:16]},
		"a password of one block":    {key, encrypted[:32]},
		"a key of another size":      {key + key, encrypted},
	}
	for name, values := range tests {
		if response, err := c.Answer(values[0], values[1]); !errors.Is(err, ErrPassword) {
			t.Errorf("%s: %q, %v", name, response, err)
		}
	}
}

func TestNoTwoChallengesAreTheSame(t *testing.T) {
	v, err := NewVerifier("probe")
	if err != nil {
		t.Fatal(err)
	}
	a, b := v.NewChallenge(), v.NewChallenge()
	if a.SessionKey() == b.SessionKey() || a.MixingSalt() == b.MixingSalt() {
		t.Error("two challenges share a key or a salt")
	}
}

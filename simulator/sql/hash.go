package sql

// This file holds STANDARD_HASH.

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"strings"
)

// hashMethod is an algorithm of STANDARD_HASH.
type hashMethod struct {
	size int
	sum  func(string) []byte
}

var hashMethods = map[string]hashMethod{
	"MD5":    {md5.Size, func(s string) []byte { sum := md5.Sum([]byte(s)); return sum[:] }},
	"SHA1":   {sha1.Size, func(s string) []byte { sum := sha1.Sum([]byte(s)); return sum[:] }},
	"SHA256": {sha256.Size, func(s string) []byte { sum := sha256.Sum256([]byte(s)); return sum[:] }},
	"SHA384": {sha512.Size384, func(s string) []byte { sum := sha512.Sum384([]byte(s)); return sum[:] }},
	"SHA512": {sha512.Size, func(s string) []byte { sum := sha512.Sum512([]byte(s)); return sum[:] }},
}

// standardHash is STANDARD_HASH(expression[, method]) over the bytes of a text or a raw. The method must be a literal; NULL is hashed as no bytes at all. Oracle
// hashes the internal format of numbers and times, too, which is not done here: they are refused.
func standardHash(arguments []expression) (expression, *Error) {
	name := "SHA1"
	if len(arguments) == 2 {
		name, _ = arguments[1].literal.(string)
	}
	method, known := hashMethods[strings.ToUpper(name)]
	if !known {
		return expression{}, fail(1760, 0, "illegal argument for function")
	}
	operand := arguments[0]
	column := Column{Type: Raw, Size: method.size, Nullable: true}
	return expression{Column: column, uses: operand.uses, eval: func(r *row) (Value, *Error) {
		value, err := operand.eval(r)
		if err != nil {
			return nil, err
		}
		switch v := value.(type) {
		case nil:
			return method.sum(""), nil
		case string:
			return method.sum(v), nil
		case []byte:
			return method.sum(string(v)), nil
		}
		return nil, errInconsistent(Varchar2, typeOf(value))
	}}, nil
}

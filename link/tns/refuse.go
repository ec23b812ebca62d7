// REFUSE and REDIRECT, the listener's no and its elsewhere.

package tns

import (
	"encoding/binary"
	"regexp"
	"strconv"
	"strings"
)

// Refusal is what a REFUSE packet says.
type Refusal struct {
	UserReason   byte
	SystemReason byte
	Text         string // (DESCRIPTION=(TMP=)(VSNNUM=…)(ERR=12514)…), may be empty
}

const refuseHeaderSize = 12

// ParseRefuse reads a REFUSE packet. A packet too short for its text yields
// what there is of it: a refusal is a refusal.
func ParseRefuse(p []byte) Refusal {
	var r Refusal
	if len(p) > 8 {
		r.UserReason = p[8]
	}
	if len(p) > 9 {
		r.SystemReason = p[9]
	}
	if len(p) > refuseHeaderSize {
		length := int(binary.BigEndian.Uint16(p[10:]))
		r.Text = string(p[refuseHeaderSize:min(len(p), refuseHeaderSize+length)])
	}
	return r
}

var (
	refuseERR  = regexp.MustCompile(`(?i)\(\s*ERR\s*=\s*(\d{1,6})\s*\)`)
	refuseCODE = regexp.MustCompile(`(?i)\(\s*CODE\s*=\s*(\d{1,6})\s*\)`)
)

// Code is the ORA- code of the refusal: ERR, else the first CODE of the
// ERROR_STACK, else 0. A zero says nothing.
func (r Refusal) Code() int {
	for _, pattern := range []*regexp.Regexp{refuseERR, refuseCODE} {
		for _, m := range pattern.FindAllStringSubmatch(r.Text, -1) {
			if code, _ := strconv.Atoi(m[1]); code != 0 { // six digits always fit
				return code
			}
		}
	}
	return 0
}

// Redirection is where a REDIRECT packet leads.
type Redirection struct {
	Address     string // (ADDRESS=…) or (DESCRIPTION=(ADDRESS_LIST=…))
	ConnectData string // for the next hop's CONNECT; empty: repeat the first
}

// RedirectText returns the text of a REDIRECT packet, or how many bytes of it
// come in a DATA packet of their own, as RAC listeners send them.
func RedirectText(p []byte) (text []byte, following int, err error) {
	if len(p) < DataHeaderSize {
		return nil, 0, malformed("REDIRECT of %d bytes", len(p))
	}
	length := int(binary.BigEndian.Uint16(p[8:]))
	switch {
	case length == 0:
		return nil, 0, malformed("REDIRECT without an address")
	case len(p) == DataHeaderSize:
		return nil, length, nil
	case len(p) < DataHeaderSize+length:
		return nil, 0, malformed("REDIRECT of %d bytes announces %d bytes of text", len(p), length)
	}
	return p[DataHeaderSize : DataHeaderSize+length], 0, nil
}

// ParseRedirection takes the text of a REDIRECT apart: the address, and the
// connect data behind its NUL.
func ParseRedirection(text []byte) Redirection {
	address, data, _ := strings.Cut(string(text), "\x00")
	return Redirection{Address: address, ConnectData: strings.TrimRight(data, "\x00")}
}

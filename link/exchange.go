// The Oracle Net exchange: CONNECT until ACCEPT.

package link

import (
	"context"
	"errors"
	"fmt"
	"io"
	"unicode"

	"oranet_exporter/link/dsn"
	"oranet_exporter/link/tns"
)

// maxResends bounds how often one listener may ask for CONNECT again.
const maxResends = 3

// exchange sends CONNECT and handles what comes. It returns nil once the
// listener accepted, or where it redirects to.
func (o *opening) exchange(ctx context.Context, c *connection, request tns.ConnectRequest, certified dsn.Address) (*tns.Redirection, error) {
	release := c.wire.bind(ctx)
	defer release()
	for resends := 0; ; resends++ {
		if resends > maxResends {
			return nil, o.fail(ctx, fmt.Errorf("%w: RESEND without end", tns.ErrMalformed))
		}
		if _, err := c.conn.Write(request.Packets()); err != nil {
			return nil, o.fail(ctx, err)
		}
		h, packet, err := readPacket(c.conn)
		if err != nil {
			return nil, o.fail(ctx, notPlain(err, c.conn == c.wire))
		}
		if h.Type != tns.Resend {
			redirection, err := o.answer(c, h, packet, certified)
			if err != nil {
				return nil, o.fail(ctx, err)
			}
			return redirection, nil
		}
		o.attempt.Resends++
		if h.Flags&tns.FlagTLSRenegotiation != 0 && c.conn != c.wire {
			if err := o.secure(ctx, c, certified); err != nil {
				return nil, err
			}
			o.enter(PhaseTNS)
		}
	}
}

// answer reads a listener's answer that is not RESEND. certified is the
// descriptor's own address, before any redirect.
func (o *opening) answer(c *connection, h tns.Header, packet []byte, certified dsn.Address) (*tns.Redirection, error) {
	switch h.Type {
	case tns.Accept:
		accepted, err := tns.ParseAccept(packet)
		c.accepted = accepted
		if err == nil {
			o.attempt.Accepted = Negotiated{Version: accepted.Version, SDU: accepted.SDU, TDU: accepted.TDU}
		}
		return nil, err
	case tns.Refuse:
		refusal := tns.ParseRefuse(packet)
		return nil, &refusedError{code: refusal.Code(), text: printable(refusal.Text), asked: asked(o.link.desc.Of(certified))}
	case tns.Redirect:
		return redirection(c.conn, packet)
	}
	return nil, fmt.Errorf("%w: %s in answer to CONNECT", tns.ErrMalformed, h.Type)
}

func redirection(r io.Reader, packet []byte) (*tns.Redirection, error) {
	text, following, err := tns.RedirectText(packet)
	if err != nil {
		return nil, err
	}
	if following > 0 {
		if text, err = readRedirectText(r, following); err != nil {
			return nil, err
		}
	}
	to := tns.ParseRedirection(text)
	return &to, nil
}

// readRedirectText reads the DATA packets that a REDIRECT announced.
func readRedirectText(r io.Reader, length int) ([]byte, error) {
	var text []byte
	for len(text) < length {
		h, packet, err := readPacket(r)
		if err != nil {
			return nil, err
		}
		if h.Type != tns.Data || len(packet) <= tns.DataHeaderSize {
			return nil, errors.Join(tns.ErrMalformed, fmt.Errorf("%s where a redirect's text was due", h.Type))
		}
		text = append(text, packet[tns.DataHeaderSize:]...)
	}
	return text[:length], nil
}

// printable keeps a peer's text from steering a terminal or breaking a line.
func printable(s string) string {
	const limit = 300
	out := make([]rune, 0, limit)
	for _, r := range s {
		if len(out) == limit {
			break
		}
		if !unicode.IsPrint(r) {
			r = ' '
		}
		out = append(out, r)
	}
	return string(out)
}

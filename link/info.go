// Where a session landed, as the server told at logon.

package link

// Info is what the server says of itself at logon, without a query or a grant.
type Info struct {
	Instance   string
	ServerHost string
	Service    string
	Version    string // release of the database, e.g. 19.22.0.0.0
}

// Info returns where the session landed.
func (s *Session) Info() Info {
	p := s.conn.SessionProperties
	return Info{
		Instance:   p["AUTH_SC_INSTANCE_NAME"],
		ServerHost: p["AUTH_SC_SERVER_HOST"],
		Service:    p["AUTH_SC_SERVICE_NAME"],
		Version:    release(p["AUTH_VERSION_NO"]),
	}
}

// A session pool: database/sql's own, over our sessions.

package link

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"sync/atomic"
	"time"
)

// logoffTimeout bounds the logoff of a session that a pool closes.
const logoffTimeout = 2 * time.Second

// Pool keeps sessions of one link open between uses.
type Pool struct {
	db     *sql.DB
	logons atomic.Int64
}

// NewPool makes a pool of at most size sessions. It opens none yet.
func (l *Link) NewPool(size int) *Pool {
	p := new(Pool)
	p.db = sql.OpenDB(&connector{link: l, pool: p})
	p.db.SetMaxOpenConns(size)
	p.db.SetMaxIdleConns(size)
	return p
}

// Logons is how many sessions the pool has opened so far. If it grew during
// an acquire, the pool was not warm.
func (p *Pool) Logons() int64 { return p.logons.Load() }

// Lease is a session borrowed from a pool.
type Lease struct {
	*Session
	conn *sql.Conn
}

// Acquire borrows a session, logging on if none is idle. The error is a *Failure.
func (p *Pool) Acquire(ctx context.Context) (*Lease, error) {
	conn, err := p.db.Conn(ctx)
	if err != nil {
		return nil, Classify(ctx, PhaseSession, err)
	}
	lease := &Lease{conn: conn}
	err = conn.Raw(func(c any) error {
		lease.Session = c.(*pooled).session
		return nil
	})
	if err != nil {
		_ = conn.Close()
		return nil, Classify(ctx, PhaseSession, err)
	}
	return lease, nil
}

// Release gives the session back. A broken one leaves the pool.
func (l *Lease) Release() error { return l.conn.Close() }

// Close logs off every idle session, each within two seconds.
func (p *Pool) Close() error { return p.db.Close() }

// connector opens the pool's sessions; it knows when one was opened, which
// database/sql does not tell.
type connector struct {
	link *Link
	pool *Pool
}

// Connect logs on.
func (c *connector) Connect(ctx context.Context) (driver.Conn, error) {
	c.pool.logons.Add(1)
	s, _, err := c.link.Open(ctx, DriverChooses)
	if err != nil {
		return nil, err
	}
	return &pooled{session: s}, nil
}

// Driver is asked for by nobody here; database/sql's interface wants it.
func (c *connector) Driver() driver.Driver { return noDriver{} }

type noDriver struct{}

func (noDriver) Open(string) (driver.Conn, error) { return nil, errNotSQL }

var errNotSQL = errors.New("the pool lends sessions, it does not run statements itself")

// pooled is a session as database/sql keeps it.
type pooled struct{ session *Session }

// IsValid keeps a broken session from going back into the pool.
func (c *pooled) IsValid() bool { return !c.session.Broken() }

// Close logs off.
func (c *pooled) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), logoffTimeout)
	defer cancel()
	return c.session.Close(ctx)
}

func (c *pooled) Prepare(string) (driver.Stmt, error) { return nil, errNotSQL }
func (c *pooled) Begin() (driver.Tx, error)           { return nil, errNotSQL }

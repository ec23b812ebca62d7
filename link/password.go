// When the user's password expires, as every user may read.

package link

import (
	"context"
	"database/sql/driver"
	"fmt"
	"math"
	"strconv"
	"time"
)

// PasswordExpiry asks how long the user's password is still valid, by the
// database's own clock; never is true if it does not expire. USER_USERS needs
// no grant. During a grace period its EXPIRY_DATE is the end of that period
// (Database Reference, DBA_USERS). The error is a *Failure.
func (s *Session) PasswordExpiry(ctx context.Context) (left time.Duration, never bool, err error) {
	const query = "select (expiry_date - sysdate) * 86400 from user_users"
	var answer driver.Value
	if _, err := s.Fetch(ctx, query, nil, func(row []driver.Value) { answer = row[0] }); err != nil {
		return 0, false, err
	}
	if answer == nil {
		return 0, true, nil
	}
	seconds, err := strconv.ParseFloat(fmt.Sprint(answer), 64)
	if err != nil {
		return 0, false, &Failure{Phase: PhaseQuery, Reason: ReasonProtocol, Err: fmt.Errorf("USER_USERS: %w", err)}
	}
	return time.Duration(math.Round(seconds)) * time.Second, false, nil
}

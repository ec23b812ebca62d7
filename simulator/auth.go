// The log-on: O5LOGON in two calls.
package simulator

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"oranet_exporter/simulator/logon"
	"oranet_exporter/simulator/ttc"
)

const (
	// sessionBase and serialBase keep session numbers apart from small numbers that mean something else.
	sessionBase = 100
	serialBase  = 20000
	userNumber  = "105"
	maxCursors  = 300
)

// authPhaseOne answers with a challenge. A user who does not exist gets one as well, so that nobody learns which users exist.
func (s *session) authPhaseOne() error {
	_, pairs := s.reader.AuthCall()
	if err := s.reader.Err(); err != nil {
		return err
	}
	s.meter.describe(func(c *ConnectionTruth) { c.Program = pairs["AUTH_PROGRAM_NM"] })
	s.challenge = s.server.verifier.NewChallenge()
	s.writer.Pairs([]ttc.Pair{
		{Key: "AUTH_SESSKEY", Value: s.challenge.SessionKey()},
		{Key: "AUTH_VFR_DATA", Value: s.challenge.VerifierSalt(), Number: logon.VerifierType},
		{Key: "AUTH_PBKDF2_CSK_SALT", Value: s.challenge.MixingSalt()},
		{Key: "AUTH_PBKDF2_VGEN_COUNT", Value: strconv.Itoa(logon.GeneratorRounds)},
		{Key: "AUTH_PBKDF2_SDER_COUNT", Value: strconv.Itoa(logon.DerivationRounds)},
		{Key: "AUTH_GLOBALLY_UNIQUE_DBID\x00", Value: globalDBID},
	})
	s.writer.Summary(ttc.Summary{Sequence: s.sequence, CallNumber: s.callNumber})
	return s.reply()
}

// authPhaseTwo checks the answer to the challenge. The client of a failed log-on may try again.
func (s *session) authPhaseTwo() error {
	user, pairs := s.reader.AuthCall()
	if err := s.reader.Err(); err != nil {
		return err
	}
	response, err := s.check(user, pairs)
	if errors.Is(err, logon.ErrPassword) {
		s.server.ledger.denied()
		return logonDenied.of(nil)
	}
	if err != nil {
		return err
	}
	s.logOn()
	s.writer.Pairs(s.properties(response))
	s.writer.PushNLS()
	if s.warning != 0 {
		s.writer.Warning(s.warning, faultText(uint32(s.warning)).of(nil).message)
	}
	s.writer.Summary(ttc.Summary{Sequence: s.sequence, CallNumber: s.callNumber})
	return s.reply()
}

// check returns the server's proof for a client that knows user and password, and logon.ErrPassword for any other.
func (s *session) check(user string, pairs map[string]string) (response string, err error) {
	challenge := s.challenge
	s.challenge = nil // good for one answer
	if challenge == nil || !strings.EqualFold(strings.Trim(user, `"`), s.server.options.User) {
		return "", logon.ErrPassword
	}
	return challenge.Answer(pairs["AUTH_SESSKEY"], pairs["AUTH_PASSWORD"])
}

// logOn makes the connection a session.
func (s *session) logOn() {
	number := s.server.ledger.loggedOn()
	s.phase, s.id, s.user = phaseReady, sessionBase+int(number), strings.ToUpper(s.server.options.User)
	s.meter.describe(func(c *ConnectionTruth) { c.SessionID, c.User = s.id, s.user })
}

// properties are the session properties that a server returns of a log-on, in the order of captures 43 and 44.
func (s *session) properties(response string) []ttc.Pair {
	text := func(key, value string) ttc.Pair { return ttc.Pair{Key: key, Value: value} }
	return []ttc.Pair{
		text("AUTH_VERSION_STRING", "- Production"),
		text("AUTH_VERSION_SQL", "24"),
		text("AUTH_XACTION_TRAITS", "3"),
		text("AUTH_VERSION_NO", strconv.Itoa(versionNumber)),
		text("AUTH_VERSION_STATUS", "0"),
		text("AUTH_CAPABILITY_TABLE", ""),
		text("AUTH_LAST_LOGIN", fmt.Sprintf("%X", ttc.AppendTimestampTZ(nil, s.server.started))),
		text("AUTH_DBNAME", strings.ToUpper(s.service)),
		text("AUTH_DB_MOUNT_ID\x00", databaseID),
		text("AUTH_DB_ID\x00", databaseID),
		text("AUTH_USER_ID", userNumber),
		text("AUTH_SESSION_ID", strconv.Itoa(s.id)),
		text("AUTH_SERIAL_NUM", strconv.Itoa(serialBase+s.id)),
		text("AUTH_INSTANCE_NO", "1"),
		text("AUTH_FAILOVER_ID", "1"),
		text("AUTH_SERVER_PID", strconv.Itoa(serialBase+s.id)),
		text("AUTH_SC_SERVER_HOST", serverHost),
		text("AUTH_SC_DBUNIQUE_NAME", databaseName),
		text("AUTH_SC_INSTANCE_NAME", instanceName),
		text("AUTH_SC_INSTANCE_ID", "1"),
		text("AUTH_SC_INSTANCE_START_TIME", startTime(s.server.started)),
		text("AUTH_SC_DB_DOMAIN", ""),
		text("AUTH_SC_SERVICE_NAME", s.service),
		text("AUTH_ONS_RLB_SUBSCR_PATTERN", `%"eventType=database/event/servicemetrics/`+strings.ToLower(s.service)+"\"\x00"),
		text("AUTH_ONS_HA_SUBSCR_PATTERN", "(\"eventType=database/event/service\") | (\"eventType=database/event/host\")\x00"),
		text("AUTH_SC_REAL_DBUNIQUE_NAME", databaseName),
		text("AUTH_INSTANCENAME", instanceName),
		text("AUTH_NLS_LXLAN\x00", "AMERICAN"),
		text("AUTH_NLS_LXCTERRITORY\x00", "AMERICA"),
		text("AUTH_NLS_LXCCURRENCY\x00", "$"),
		text("AUTH_NLS_LXCISOCURR\x00", "AMERICA"),
		text("AUTH_NLS_LXCNUMERICS\x00", ".,"),
		text("AUTH_NLS_LXCDATEFM\x00", "DD-MON-RR"),
		text("AUTH_NLS_LXCDATELANG\x00", "AMERICAN"),
		text("AUTH_NLS_LXCSORT\x00", "BINARY"),
		text("AUTH_NLS_LXCCALENDAR\x00", "GREGORIAN"),
		text("AUTH_NLS_LXCUNIONCUR\x00", "$"),
		text("AUTH_NLS_LXCTIMEFM\x00", "HH.MI.SSXFF AM"),
		text("AUTH_NLS_LXCSTMPFM\x00", "DD-MON-RR HH.MI.SSXFF AM"),
		text("AUTH_NLS_LXCTTZNFM\x00", "HH.MI.SSXFF AM TZR"),
		text("AUTH_NLS_LXCSTZNFM\x00", "DD-MON-RR HH.MI.SSXFF AM TZR"),
		text("AUTH_NLS_LXLENSEMANTICS\x00", "BYTE"),
		text("AUTH_NLS_LXNCHARCONVEXCP\x00", "FALSE"),
		text("AUTH_NLS_LXCOMP\x00", "BINARY"),
		text("AUTH_SVR_RESPONSE", response),
		text("AUTH_MAX_OPEN_CURSORS", strconv.Itoa(maxCursors)),
		text("AUTH_MAX_IDEN_LENGTH", "128"),
	}
}

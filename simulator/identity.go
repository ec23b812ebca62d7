// Who the simulated database says it is.
package simulator

import "time"

const (
	// versionNumber is 19.22.0.0.0, packed as AUTH_VERSION_NO and the answer to a version call have it (capture 43: 320208896).
	versionNumber = 0x13160000
	banner        = "Oracle Database 19c Enterprise Edition Release 19.0.0.0.0 - Production\nVersion 19.22.0.0.0"

	databaseName = "FREE"
	instanceName = "FREE"
	serverHost   = "simulator"
	databaseID   = "1457892736"
	globalDBID   = "5A0F0E4D91B3C2680000000000000000"
)

// serverTimeFormat is how AUTH_SC_INSTANCE_START_TIME is written (capture 43).
const serverTimeFormat = "2006-01-02 15:04:05.000000000 -07:00"

// startTime is when the simulated instance started.
func startTime(t time.Time) string { return t.UTC().Format(serverTimeFormat) }

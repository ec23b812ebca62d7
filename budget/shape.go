// The shape of a query, and the round trips that follow from it.

package budget

// Shape is how many rows a query returns and how they are asked for.
type Shape struct {
	Rows      int
	Arraysize int // rows asked for per fetch round trip; below 1 counts as 1
}

// RoundTrips are those from the execute to the last row, the ones that an
// elapsed time holds. The execute brings the first arraysize rows, each fetch
// as many again. The server says that there are no more only when it is asked
// for a row beyond the last; so where the arraysize divides the rows evenly,
// one fetch more comes back empty.
//
// Published elapsed times of one row at 1, 1,000 rows at 100 and 1,000 rows at
// 1,000 rise by 1.93, 11.0 and 1.93 RTT, where this says 2, 11 and 2. The 5,
// 13 and 3 published beside them were read from V$MYSTAT and hold the round
// trips of the SQL that read it.
func (s Shape) RoundTrips() int { return max(0, s.Rows)/max(1, s.Arraysize) + 1 }

// RoundTripsToClose is RoundTrips and the one that closes the cursor after the
// last row, as counted on the socket: 1,002, 102 and 12 for 100,000 rows at
// 100, 1,000 and 10,000. Some drivers close with their next call instead.
func (s Shape) RoundTripsToClose() int { return s.RoundTrips() + 1 }

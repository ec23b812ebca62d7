// The messages of the layer and the functions a client calls.
package ttc

import "fmt"

// Message is the kind of a message, its first byte (node-oracledb lib/thin/protocol/constants.js).
type Message byte

// The messages that the simulator reads or writes.
const (
	MessageServices    Message = 0xde // not a message, but how a native services negotiation starts
	MessageProtocol    Message = 1
	MessageDataTypes   Message = 2
	MessageFunction    Message = 3
	MessageError       Message = 4
	MessageRowHeader   Message = 6
	MessageRowData     Message = 7
	MessageParameter   Message = 8
	MessageStatus      Message = 9
	MessageIOVector    Message = 11
	MessageWarning     Message = 15
	MessageDescribe    Message = 16
	MessagePiggyback   Message = 17
	MessageBitVector   Message = 21
	MessageServerPiggy Message = 23
)

// Function is what a client calls, the second byte of its message (node-oracledb lib/thin/protocol/constants.js).
type Function byte

// The functions that the simulator answers, or accepts as a piggyback.
const (
	FunctionReexecute         Function = 4
	FunctionFetch             Function = 5
	FunctionLogoff            Function = 9
	FunctionCommit            Function = 14
	FunctionRollback          Function = 15
	FunctionVersion           Function = 59
	FunctionExecute           Function = 94
	FunctionReexecuteAndFetch Function = 78
	FunctionCloseCursors      Function = 105
	FunctionAuthPhaseTwo      Function = 115
	FunctionAuthPhaseOne      Function = 118
	FunctionCancelCursors     Function = 120
	FunctionEndToEnd          Function = 135
	FunctionPing              Function = 147
	FunctionSetSchema         Function = 152
)

// String returns the name under which the function is counted.
func (f Function) String() string {
	switch f {
	case FunctionReexecute:
		return "reexecute"
	case FunctionFetch:
		return "fetch"
	case FunctionLogoff:
		return "logoff"
	case FunctionCommit:
		return "commit"
	case FunctionRollback:
		return "rollback"
	case FunctionVersion:
		return "version"
	case FunctionExecute:
		return "execute"
	case FunctionReexecuteAndFetch:
		return "reexecute_and_fetch"
	case FunctionCloseCursors:
		return "close_cursors"
	case FunctionAuthPhaseTwo:
		return "auth_phase_two"
	case FunctionAuthPhaseOne:
		return "auth_phase_one"
	case FunctionCancelCursors:
		return "cancel_cursors"
	case FunctionEndToEnd:
		return "end_to_end"
	case FunctionPing:
		return "ping"
	case FunctionSetSchema:
		return "set_schema"
	}
	return fmt.Sprintf("function_%d", byte(f))
}

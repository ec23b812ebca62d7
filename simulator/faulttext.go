// Faults as text, and which action can be played at which step.
package simulator

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// String is the action as ParseFault reads it.
func (a Action) String() string {
	switch actions[a.kind].value {
	case aNumber:
		return fmt.Sprintf("%s=%d", a.kind, a.number)
	case aText:
		return fmt.Sprintf("%s=%s", a.kind, a.text)
	case aHex:
		return fmt.Sprintf("%s=%x", a.kind, a.text)
	}
	return string(a.kind)
}

// String is the fault as ParseFault reads it.
func (f Fault) String() string { return string(f.At) + ":" + f.Do.String() }

// value is what an action says behind its equals sign.
type value int

const (
	aNothing value = iota
	aNumber
	aText
	aHex
)

// rule says how an action is written, and at which steps it can be played: nil is all.
type rule struct {
	value value
	at    []Step
}

var (
	packets = []Step{StepConnect, StepServices, StepProtocol, StepDataTypes, StepAuthOne, StepAuthTwo, StepSession, StepExecute, StepFetch,
		StepPing, StepLogoff}
	// erring are the steps at which an ORA- error can be told: not while the two sides are still agreeing on how.
	erring    = []Step{StepConnect, StepDataTypes, StepAuthOne, StepAuthTwo, StepSession, StepExecute, StepFetch, StepPing, StepLogoff}
	listening = []Step{StepConnect}
	// answering are the steps that have a right answer, which can be spoilt.
	answering = append([]Step{StepTLS}, packets...)
)

var actions = map[kind]rule{
	kindSilence: {}, kindClose: {}, kindReset: {}, kindGarbage: {}, kindHTTP: {},
	kindTrickle:        {at: answering},
	kindTruncate:       {at: answering},
	kindAnswer:         {value: aHex},
	kindMarker:         {at: packets},
	kindLength:         {value: aNumber, at: packets},
	kindError:          {value: aNumber, at: erring},
	kindWarning:        {value: aNumber, at: []Step{StepAuthTwo}},
	kindRefuse:         {value: aText, at: listening},
	kindResend:         {value: aNumber, at: listening},
	kindResendTLS:      {value: aNumber, at: listening},
	kindRedirect:       {value: aText, at: listening},
	kindRedirectBehind: {value: aText, at: listening},
	kindAccept:         {value: aNumber, at: listening},
}

// needsAnswer says that the action spoils an answer in place of replacing it.
func (a Action) needsAnswer() bool { return a.kind == kindTrickle || a.kind == kindTruncate }

// ParseFault reads a fault written as STEP:ACTION or STEP:ACTION=VALUE, such as connect:silence, fetch:error=3113, connect:resend=2 or
// ping:answer=0000000b in hex. Its error says what would be right.
func ParseFault(text string) (Fault, error) {
	step, action, _ := strings.Cut(text, ":")
	word, value, valued := strings.Cut(action, "=")
	f := Fault{At: Step(step), Do: Action{kind: kind(word)}}
	rule, known := actions[f.Do.kind]
	if !known {
		return Fault{}, fmt.Errorf("simulator: there is no action %q in fault %q; %s are", word, text, strings.Join(actionNames(), ", "))
	}
	if valued && rule.value == aNothing {
		return Fault{}, fmt.Errorf("simulator: fault %q: %s takes no value", text, word)
	}
	if err := f.Do.read(rule.value, value); err != nil {
		return Fault{}, fmt.Errorf("simulator: fault %q: %w", text, err)
	}
	return f, f.validate()
}

// read takes the value of an action.
func (a *Action) read(what value, text string) error {
	switch what {
	case aNumber:
		n, err := strconv.ParseUint(text, 10, 32)
		if err != nil {
			return errors.New("the value must be a number from 0 to 4294967295")
		}
		a.number = uint32(n)
	case aText:
		a.text = text
	case aHex:
		b, err := hex.DecodeString(text)
		if err != nil {
			return errors.New("the value must be bytes in hex")
		}
		a.text = string(b)
	}
	return nil
}

// validate checks that the step exists and that the action can be played there.
func (f Fault) validate() error {
	rule, known := actions[f.Do.kind]
	switch {
	case !slices.Contains(Steps(), f.At):
		return fmt.Errorf("simulator: there is no step %q for a fault; %s are", f.At, joined(Steps()))
	case !known:
		return fmt.Errorf("simulator: the fault at step %s does nothing; give it an action", f.At)
	case rule.at != nil && !slices.Contains(rule.at, f.At):
		return fmt.Errorf("simulator: %s cannot be played at step %s, but at %s", f.Do.kind, f.At, joined(rule.at))
	}
	return nil
}

func joined(steps []Step) string {
	names := make([]string, len(steps))
	for i, s := range steps {
		names[i] = string(s)
	}
	return strings.Join(names, ", ")
}

// actionNames are the actions' names in the order of the alphabet.
func actionNames() []string {
	names := make([]string, 0, len(actions))
	for k := range actions {
		names = append(names, string(k))
	}
	slices.Sort(names)
	return names
}

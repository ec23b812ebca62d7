// What is wrong with a command line.

package command

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/alecthomas/kingpin/v2"
)

// Misuse adds to an error of Parse which flag or argument it is about: kingpin
// says only what is wrong with the value.
func Misuse(app *kingpin.Application, args []string, err error) error {
	line, parseErr := app.ParseContext(args)
	if parseErr != nil {
		return err // of a flag that is not there, which it names
	}
	var number *strconv.NumError // which tells how it was parsed, too
	if errors.As(err, &number) {
		err = fmt.Errorf("as a number: %w", number.Err)
	}
	for _, element := range line.Elements {
		if element.Value == nil {
			continue
		}
		switch clause := element.Clause.(type) {
		case *kingpin.FlagClause:
			if m := clause.Model(); m.Value.Set(*element.Value) != nil {
				return fmt.Errorf("--%s=%s: %w", m.Name, *element.Value, err)
			}
		case *kingpin.ArgClause:
			if m := clause.Model(); m.Value.Set(*element.Value) != nil {
				return fmt.Errorf("%s %s: %w", m.Name, *element.Value, err)
			}
		}
	}
	return err
}

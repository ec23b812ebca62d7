package sql

// This file formats times by a format model of TO_CHAR.

import (
	"strconv"
	"strings"
	"time"
)

// maxFormattedTime is the longest text that a format model makes.
const maxFormattedTime = 255

// timeElement is an element of a format model with Go's layout for it.
type timeElement struct{ element, layout string }

// timeElements stand in such an order that none is taken for the beginning of another.
var timeElements = []timeElement{
	{"YYYY", "2006"}, {"RRRR", "2006"}, {"YY", "06"}, {"RR", "06"},
	{"MONTH", "January"}, {"MON", "Jan"}, {"MM", "01"}, {"MI", "04"},
	{"DAY", "Monday"}, {"DY", "Mon"}, {"DD", "02"},
	{"HH24", "15"}, {"HH12", "03"}, {"HH", "03"}, {"SS", "05"},
	{"AM", "PM"}, {"PM", "PM"}, {"TZH:TZM", "-07:00"},
}

// formatTime writes a time as the format model says. Names are in the case of the model's first letters: MON, Mon, mon.
func formatTime(moment time.Time, model string) (Value, *Error) {
	var b strings.Builder
	for rest := model; rest != ""; {
		written, size := formatElement(moment, rest)
		if size == 0 || b.Len()+len(written) > maxFormattedTime {
			return nil, fail(1821, 0, "date format not recognized")
		}
		b.WriteString(written)
		rest = rest[size:]
	}
	return textValue(b.String()), nil
}

// formatElement writes the first element of a model and returns how many bytes of the model it takes: 0 if there is none.
func formatElement(moment time.Time, model string) (string, int) {
	upper := strings.ToUpper(model)
	switch {
	case strings.ContainsRune("-/,.;: ", rune(model[0])):
		return model[:1], 1
	case model[0] == '"':
		text, _, closed := strings.Cut(model[1:], `"`)
		if !closed {
			return "", 0
		}
		return text, len(text) + len(`""`)
	case strings.HasPrefix(upper, "FF"):
		return formatFraction(moment, upper)
	}
	for _, e := range timeElements {
		if strings.HasPrefix(upper, e.element) {
			return inCase(moment.Format(e.layout), model[:len(e.element)]), len(e.element)
		}
	}
	return "", 0
}

// formatFraction writes FF, FF1 … FF9.
func formatFraction(moment time.Time, model string) (string, int) {
	digits, size := 6, len("FF")
	if len(model) > size && '1' <= model[size] && model[size] <= '9' {
		digits, size = int(model[size]-'0'), size+1
	}
	fraction := strconv.Itoa(1_000_000_000 + moment.Nanosecond())
	return fraction[1 : 1+digits], size
}

// inCase writes a name as the element is written.
func inCase(name, element string) string {
	switch {
	case element == strings.ToUpper(element):
		return strings.ToUpper(name)
	case element == strings.ToLower(element):
		return strings.ToLower(name)
	}
	return name
}

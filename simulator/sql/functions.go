package sql

// This file holds the functions of one row: of texts, numbers and raws. The others are in hash.go, context.go and aggregates.go.

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// function is a function with the number of its arguments.
type function struct {
	least, most int
	compile     func(arguments []expression) (expression, *Error)
}

var functions = map[string]function{
	"STANDARD_HASH": {1, 2, standardHash},
	"RPAD":          {2, 3, padding(padRight)},
	"LPAD":          {2, 3, padding(padLeft)},
	"SUBSTR":        {2, 3, substring},
	"TO_CHAR":       {1, 2, toChar},
	"TO_NUMBER":     {1, 1, conversion(Number)},
	"UPPER":         {1, 1, textFunction(strings.ToUpper)},
	"LOWER":         {1, 1, textFunction(strings.ToLower)},
	"LENGTH":        {1, 1, length},
	"HEXTORAW":      {1, 1, conversion(Raw)},
	"RAWTOHEX":      {1, 1, conversion(Varchar2)},
	"NVL":           {2, 2, nvl},
	"MOD":           {2, 2, mod},
	"SYS_CONTEXT":   {2, 3, sysContext},
	"USERENV":       {1, 1, userEnv},
}

// call compiles the call of a function.
func (s *scope) call(node call) (expression, *Error) {
	if isAggregate(node.name) {
		return s.aggregate(node)
	}
	f, known := functions[node.name]
	switch {
	case !known:
		return expression{}, errIdentifier(nameSyntax{at: node.at, name: node.name})
	case node.star:
		return expression{}, fail(936, node.position(), "missing expression")
	case len(node.arguments) < f.least || len(node.arguments) > f.most:
		return expression{}, fail(909, node.position(), "invalid number of arguments")
	}
	arguments := make([]expression, len(node.arguments))
	for i, argument := range node.arguments {
		var err *Error
		if arguments[i], err = s.value(argument); err != nil {
			return expression{}, err
		}
	}
	compiled, err := f.compile(arguments)
	if err != nil {
		err.Position = node.position()
	}
	return compiled, err
}

// conversion is a function that does no more than a conversion.
func conversion(to Type) func([]expression) (expression, *Error) {
	return func(arguments []expression) (expression, *Error) {
		converted := as(to, arguments[0])
		if argument := arguments[0]; to == Raw && !argument.untyped {
			converted.Size = min((argument.Size+1)/2, maxRawSize)
		}
		return converted, nil
	}
}

// textFunction is a function of a text. A letter whose other case takes more bytes must not make the text outgrow its description.
func textFunction(f func(string) string) func([]expression) (expression, *Error) {
	return func(arguments []expression) (expression, *Error) {
		argument := as(Varchar2, arguments[0])
		return strict(argument.Column, func(v Value) (Value, *Error) {
			return textValue(truncate(f(v.(string)), argument.Size)), nil
		}, argument), nil
	}
}

// length counts characters.
func length(arguments []expression) (expression, *Error) {
	return strict(columnOf(Number), func(v Value) (Value, *Error) {
		return decimalOf(utf8.RuneCountInString(v.(string))), nil
	}, as(Varchar2, arguments[0])), nil
}

func mod(arguments []expression) (expression, *Error) {
	return numeric(modulo, arguments[0], arguments[1]), nil
}

// nvl is the first argument, or the second one where that is NULL. The type is that of the first, unless it is the literal NULL.
func nvl(arguments []expression) (expression, *Error) {
	first, second := arguments[0], arguments[1]
	if first.Type == Varchar2 && first.Size == 0 {
		first = as(second.Type, first)
	}
	first, second = as(first.Type, first), as(first.Type, second)
	column := first.Column
	column.Size = max(first.Size, second.Size)
	column.Nullable = true
	return expression{Column: column, uses: first.uses | second.uses, eval: func(r *row) (Value, *Error) {
		value, err := first.eval(r)
		if err != nil || value != nil {
			return value, err
		}
		return second.eval(r)
	}}, nil
}

// substring is SUBSTR(text, position[, length]) in characters. A negative position counts from the end, and 0 means 1.
func substring(arguments []expression) (expression, *Error) {
	argument, position := as(Varchar2, arguments[0]), as(Number, arguments[1])
	count := constant(decimalOf(maxTextSize), columnOf(Number))
	if len(arguments) == 3 {
		count = as(Number, arguments[2])
	}
	tail := strict2(argument.Column, func(v, position Value) (Value, *Error) {
		return textValue(tailFrom(v.(string), position.(Decimal).integer(maxTextSize+1))), nil
	}, argument, position)
	return strict2(argument.Column, func(v, count Value) (Value, *Error) {
		characters := []rune(v.(string))
		return textValue(string(characters[:max(0, min(len(characters), count.(Decimal).integer(maxTextSize)))])), nil
	}, tail, count), nil
}

func tailFrom(s string, position int) string {
	characters := []rune(s)
	switch {
	case position > len(characters), -position > len(characters):
		return ""
	case position > 0:
		return string(characters[position-1:])
	case position < 0:
		return string(characters[len(characters)+position:])
	}
	return s
}

// padding is RPAD or LPAD(text, length[, filler]).
func padding(pad func(text, fill string) string) func([]expression) (expression, *Error) {
	return func(arguments []expression) (expression, *Error) {
		argument, count := as(Varchar2, arguments[0]), as(Number, arguments[1])
		filler := constant(" ", textOf(1))
		if len(arguments) == 3 {
			filler = as(Varchar2, arguments[2])
		}
		column := columnOf(Varchar2)
		if size, ok := count.literal.(Decimal); ok {
			column.Size = max(0, size.integer(maxTextSize))
		}
		eval := func(r *row) (Value, *Error) {
			value, err := padded(r, argument, count, filler, pad)
			if err != nil || value == nil {
				return nil, err
			}
			return fit(value, column)
		}
		return expression{Column: column, uses: argument.uses | count.uses | filler.uses, eval: eval}, nil
	}
}

func padded(r *row, argument, count, fillerText expression, pad func(text, fill string) string) (Value, *Error) {
	var operands [3]Value
	for i, operand := range [...]expression{argument, count, fillerText} {
		value, err := operand.eval(r)
		if err != nil || value == nil {
			return nil, err
		}
		operands[i] = value
	}
	size := operands[1].(Decimal).integer(maxTextSize)
	text := []rune(operands[0].(string))
	if missing := size - len(text); missing > 0 {
		filler := []rune(operands[2].(string))
		fill := slices.Repeat(filler, missing/len(filler)+1)[:missing]
		return textValue(pad(string(text), string(fill))), nil
	}
	return textValue(string(text[:max(size, 0)])), nil
}

func padRight(text, fill string) string { return text + fill }

func padLeft(text, fill string) string { return fill + text }

// truncate cuts a text to a size in bytes, not in the middle of a character.
func truncate(s string, size int) string {
	if len(s) <= size {
		return s
	}
	for size > 0 && !utf8.RuneStart(s[size]) {
		size--
	}
	return s[:size]
}

// toChar is TO_CHAR(value) of anything, or TO_CHAR(time, format).
func toChar(arguments []expression) (expression, *Error) {
	if len(arguments) == 1 {
		return as(Varchar2, arguments[0]), nil
	}
	if !isTime(arguments[0].Type) {
		return expression{}, fail(1481, 0, "invalid number format model")
	}
	return strict2(textOf(maxFormattedTime), func(moment, format Value) (Value, *Error) {
		return formatTime(moment.(time.Time), format.(string))
	}, arguments[0], as(Varchar2, arguments[1])), nil
}

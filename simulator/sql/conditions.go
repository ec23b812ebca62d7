package sql

// This file compiles conditions, and finds in them what spares a scan of SDU_BENCH.

import "strings"

// condition compiles a node that must be a condition.
func (s *scope) condition(node syntax) (condition, *Error) {
	switch n := node.(type) {
	case comparison:
		left, right, err := s.pair(n.left, n.right)
		return compareBy(n.operator, left, right), err
	case likeSyntax:
		operand, pattern, err := s.pair(n.operand, n.pattern)
		return likeBy(as(Varchar2, operand), as(Varchar2, pattern)), err
	case isNull:
		operand, err := s.value(n.operand)
		return nullTest(operand), err
	case logic:
		return s.logic(n)
	case inversion:
		operand, err := s.condition(n.operand)
		return inverse(operand), err
	}
	return condition{}, fail(920, node.position(), "invalid relational operator")
}

// pair compiles two expressions.
func (s *scope) pair(first, second syntax) (left, right expression, err *Error) {
	if left, err = s.value(first); err == nil {
		right, err = s.value(second)
	}
	return left, right, err
}

// holds says for each operator which results of compare it accepts.
var holds = map[string]func(order int) bool{
	"=":  func(order int) bool { return order == 0 },
	"<>": func(order int) bool { return order != 0 },
	"!=": func(order int) bool { return order != 0 },
	"^=": func(order int) bool { return order != 0 },
	"<":  func(order int) bool { return order < 0 },
	"<=": func(order int) bool { return order <= 0 },
	">":  func(order int) bool { return order > 0 },
	">=": func(order int) bool { return order >= 0 },
}

func compareBy(operator string, left, right expression) condition {
	accepts := holds[operator]
	left, right = sameType(left, right)
	return both(left, right, func(a, b Value) bool { return accepts(compare(a, b)) })
}

// both is a test of two values, unknown where either is NULL.
func both(left, right expression, test func(a, b Value) bool) condition {
	return condition{uses: left.uses | right.uses, test: func(r *row) (truth, *Error) {
		a, err := left.eval(r)
		if err != nil {
			return unknown, err
		}
		b, err := right.eval(r)
		if err != nil || a == nil || b == nil {
			return unknown, err
		}
		return truthOf(test(a, b)), nil
	}}
}

func likeBy(operand, pattern expression) condition {
	return both(operand, pattern, func(a, b Value) bool { return matches(a.(string), b.(string)) })
}

// matches reports whether a text matches a pattern of LIKE: % stands for any characters, _ for one byte.
func matches(text, pattern string) bool {
	parts := strings.Split(pattern, "%")
	if len(parts) == 1 {
		return len(text) == len(pattern) && matchesAt(text, pattern)
	}
	first, last := parts[0], parts[len(parts)-1]
	if len(text) < len(first)+len(last) || !matchesAt(text, first) || !matchesAt(text[len(text)-len(last):], last) {
		return false
	}
	rest := text[len(first) : len(text)-len(last)]
	for _, part := range parts[1 : len(parts)-1] {
		for !matchesAt(rest, part) {
			if rest == "" {
				return false
			}
			rest = rest[1:]
		}
		rest = rest[len(part):]
	}
	return true
}

// matchesAt reports whether a text begins with a part of a pattern that holds no %.
func matchesAt(text, part string) bool {
	if len(text) < len(part) {
		return false
	}
	for i := range len(part) {
		if part[i] != '_' && part[i] != text[i] {
			return false
		}
	}
	return true
}

func nullTest(operand expression) condition {
	return condition{uses: operand.uses, test: func(r *row) (truth, *Error) {
		value, err := operand.eval(r)
		return truthOf(value == nil), err
	}}
}

func inverse(operand condition) condition {
	return condition{uses: operand.uses, test: func(r *row) (truth, *Error) {
		result, err := operand.test(r)
		return yes - result, err
	}}
}

// logic compiles AND and OR. The right side is not computed where the left one decides.
func (s *scope) logic(node logic) (condition, *Error) {
	left, err := s.condition(node.left)
	if err != nil {
		return condition{}, err
	}
	right, err := s.condition(node.right)
	if err != nil {
		return condition{}, err
	}
	decisive, combine := no, func(a, b truth) truth { return min(a, b) }
	if node.operator == "OR" {
		decisive, combine = yes, func(a, b truth) truth { return max(a, b) }
	}
	return condition{uses: left.uses | right.uses, test: func(r *row) (truth, *Error) {
		first, err := left.test(r)
		if err != nil || first == decisive {
			return first, err
		}
		second, err := right.test(r)
		return combine(first, second), err
	}}, nil
}

// limit is a condition ID operator value on SDU_BENCH, with a value that does not change from row to row.
type limit struct {
	operator string
	value    expression
}

// mirrored are the operators that bound a scan, with those that mean the same when their sides change places.
var mirrored = map[string]string{"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

// limit notes a comparison that bounds the scan of SDU_BENCH. It stays in the filter as well: the scan may visit too many rows.
func (s *scope) limit(operator string, left, right expression) {
	switch {
	case len(s.query.sources) != 1 || mirrored[operator] == "":
	case s.isBenchID(left) && right.uses == 0:
		s.query.limits = append(s.query.limits, limit{operator, as(Number, right)})
	case s.isBenchID(right) && left.uses == 0:
		s.query.limits = append(s.query.limits, limit{mirrored[operator], as(Number, left)})
	}
}

// narrow applies the limit to the bounds of a scan. A value that is no number is left for the filter to refuse.
func (l limit) narrow(within bounds, r *row) bounds {
	value, err := l.value.eval(r)
	if err != nil || value == nil {
		return within
	}
	id := value.(Decimal).integer(benchRows + 1)
	if l.operator != "<" && l.operator != "<=" {
		within.low = max(within.low, id)
	}
	if l.operator != ">" && l.operator != ">=" {
		within.high = min(within.high, id)
	}
	return within
}

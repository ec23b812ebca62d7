// From YAML nodes to Go values, strictly: an unknown key, a key given twice or
// a value of another type is an error that says where and what would be right.

package exporter

import (
	"encoding"
	"fmt"
	"math"
	"reflect"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"
	"github.com/prometheus/common/model"
)

// section is a mapping whose keys are decoded later.
type section struct {
	node ast.Node
	key  string
}

// decoder remembers on which line it met each key.
type decoder struct {
	lines map[string]int
}

// yamlUnmarshaler is how a setting with an own notation reads itself, as YAML
// libraries have it.
type yamlUnmarshaler interface {
	UnmarshalYAML(unmarshal func(any) error) error
}

// entry is one key of a mapping.
type entry struct {
	name  string
	key   string // the whole path to it
	value ast.Node
}

// entries lists a mapping's keys in order.
func (d *decoder) entries(node ast.Node, key string) ([]entry, error) {
	if isNull(node) {
		return nil, nil
	}
	mapping, ok := node.(ast.MapNode)
	if !ok {
		return nil, wrong(key, "want keys and values, not %s", kindOf(node))
	}
	var list []entry
	seen := map[string]int{}
	for it := mapping.MapRange(); it.Next(); {
		name := it.Key().GetToken().Value
		line := it.Key().GetToken().Position.Line
		full := join(key, name)
		if first, twice := seen[name]; twice {
			d.lines[full] = line
			return nil, wrong(full, "given twice (first on line %d)", first)
		}
		seen[name] = line
		d.lines[full] = line
		list = append(list, entry{name, full, it.Value()})
	}
	return list, nil
}

// mapping decodes a mapping onto structs that share its keys.
func (d *decoder) mapping(node ast.Node, key string, structs ...any) error {
	list, err := d.entries(node, key)
	if err != nil {
		return err
	}
	fields := map[string]reflect.Value{}
	var names []string
	for _, s := range structs {
		v := reflect.ValueOf(s).Elem()
		for i := range v.NumField() {
			name := fieldName(v.Type().Field(i))
			names = append(names, name)
			fields[name] = v.Field(i)
		}
	}
	for _, e := range list {
		field, known := fields[e.name]
		if !known {
			return wrong(e.key, "unknown key%s", didYouMean(e.name, names))
		}
		if err := d.value(e.value, e.key, field); err != nil {
			return err
		}
	}
	return nil
}

// value decodes one node onto v.
func (d *decoder) value(node ast.Node, key string, v reflect.Value) error {
	if _, noted := d.lines[key]; !noted {
		d.lines[key] = lineOf(node)
	}
	if s, ok := v.Addr().Interface().(*section); ok {
		*s = section{node, key}
		return nil
	}
	if isNull(node) {
		return wrong(key, "has no value; give one or leave the key out")
	}
	switch u := v.Addr().Interface().(type) {
	case yamlUnmarshaler:
		return asConfigError(key, u.UnmarshalYAML(func(inner any) error {
			return d.scalar(node, key, reflect.ValueOf(inner).Elem())
		}))
	case encoding.TextUnmarshaler:
		text, ok := scalarText(node)
		if !ok {
			return wrong(key, "want one value, not %s", kindOf(node))
		}
		return asConfigError(key, u.UnmarshalText([]byte(text)))
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return d.value(node, key, v.Elem())
	case reflect.Struct:
		return d.mapping(node, key, v.Addr().Interface())
	case reflect.Slice:
		return d.sequence(node, key, v)
	case reflect.Map:
		return d.texts(node, key, v)
	}
	return d.typed(node, key, v)
}

// sequence decodes a list.
func (d *decoder) sequence(node ast.Node, key string, v reflect.Value) error {
	list, ok := node.(*ast.SequenceNode)
	if !ok {
		return wrong(key, "want a list, not %s", kindOf(node))
	}
	v.Set(reflect.MakeSlice(v.Type(), len(list.Values), len(list.Values)))
	for i, item := range list.Values {
		if err := d.value(item, fmt.Sprintf("%s[%d]", key, i), v.Index(i)); err != nil {
			return err
		}
	}
	return nil
}

// texts decodes a mapping of text to text, such as labels.
func (d *decoder) texts(node ast.Node, key string, v reflect.Value) error {
	list, err := d.entries(node, key)
	if err != nil {
		return err
	}
	v.Set(reflect.MakeMap(v.Type()))
	for _, e := range list {
		text := reflect.New(v.Type().Elem()).Elem()
		if err := d.value(e.value, e.key, text); err != nil {
			return err
		}
		v.SetMapIndex(reflect.ValueOf(e.name), text)
	}
	return nil
}

// typed decodes a scalar that must have been written as v's type.
func (d *decoder) typed(node ast.Node, key string, v reflect.Value) error {
	if v.Type() == reflect.TypeFor[time.Duration]() {
		text, _ := scalarText(node)
		duration, err := parseDuration(text)
		if err != nil {
			return wrong(key, "want a duration such as 500ms, 2s, 10m or 1d")
		}
		v.SetInt(int64(duration))
		return nil
	}
	switch v.Kind() {
	case reflect.String:
		switch node.(type) {
		case *ast.StringNode, *ast.LiteralNode:
			return d.scalar(node, key, v)
		}
		return wrong(key, "want text, not %s; put it in quotes if it is meant as text", kindOf(node))
	case reflect.Bool:
		b, ok := node.(*ast.BoolNode)
		if !ok {
			return wrong(key, "want true or false, not %s", kindOf(node))
		}
		v.SetBool(b.Value)
	case reflect.Int:
		n, ok := integer(node)
		if !ok {
			return wrong(key, "want a whole number, not %s", unlikeInteger(node))
		}
		v.SetInt(n)
	case reflect.Float64:
		f, ok := number(node)
		if !ok {
			return wrong(key, "want a number, not %s", kindOf(node))
		}
		v.SetFloat(f)
	default:
		return wrong(key, "cannot be set: the program has no notation for %s", v.Type())
	}
	return nil
}

// scalar decodes any scalar, as it was written, onto a string, and onto other
// types as typed does.
func (d *decoder) scalar(node ast.Node, key string, v reflect.Value) error {
	if v.Kind() != reflect.String {
		return d.value(node, key, v)
	}
	text, ok := scalarText(node)
	if !ok {
		return wrong(key, "want one value, not %s", kindOf(node))
	}
	v.SetString(text)
	return nil
}

// parseDuration knows Prometheus's notation, which has days, and Go's, which
// has fractions.
func parseDuration(text string) (time.Duration, error) {
	if d, err := model.ParseDuration(text); err == nil {
		return time.Duration(d), nil
	}
	return time.ParseDuration(text)
}

func integer(node ast.Node) (int64, bool) {
	n, ok := node.(*ast.IntegerNode)
	if !ok {
		return 0, false
	}
	switch value := n.Value.(type) {
	case int64:
		return value, true
	case uint64:
		return int64(value), value <= math.MaxInt64
	}
	return 0, false
}

// unlikeInteger says what a node is that is no integer.
func unlikeInteger(node ast.Node) string {
	text, _ := scalarText(node)
	switch _, isFloat := node.(*ast.FloatNode); {
	case isFloat:
		return "one with a point or an exponent"
	case text != "" && strings.Trim(text, "0123456789") == "":
		return "one in quotes or this large"
	}
	return kindOf(node)
}

func number(node ast.Node) (float64, bool) {
	if f, ok := node.(*ast.FloatNode); ok {
		return f.Value, true
	}
	n, ok := integer(node)
	return float64(n), ok
}

// scalarText returns a scalar as it was written.
func scalarText(node ast.Node) (string, bool) {
	switch n := node.(type) {
	case *ast.LiteralNode:
		return n.Value.Value, true
	case *ast.StringNode:
		return n.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return node.GetToken().Value, true
	}
	return "", false
}

func kindOf(node ast.Node) string {
	switch node.(type) {
	case ast.MapNode:
		return "keys and values"
	case *ast.SequenceNode:
		return "a list"
	case *ast.StringNode, *ast.LiteralNode:
		return "text"
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		return "a number"
	case *ast.BoolNode:
		return "true or false"
	case *ast.NullNode:
		return "nothing"
	}
	return "an anchor, alias or tag (these are not supported; write the value out)"
}

func isNull(node ast.Node) bool {
	_, null := node.(*ast.NullNode)
	return node == nil || null
}

func lineOf(node ast.Node) int {
	if m, ok := node.(*ast.MappingNode); ok && len(m.Values) > 0 {
		return m.Values[0].Key.GetToken().Position.Line
	}
	return node.GetToken().Position.Line
}

func fieldName(f reflect.StructField) string {
	if tag := f.Tag.Get("yaml"); tag != "" {
		return tag
	}
	return strings.ToLower(f.Name)
}

func join(key, name string) string {
	if key == "" {
		return name
	}
	return key + "." + name
}

// asConfigError gives an error of a setting's own notation its place.
func asConfigError(key string, err error) error {
	if err == nil {
		return nil
	}
	if placed, ok := err.(*ConfigError); ok {
		return placed
	}
	return wrong(key, "%v", err)
}

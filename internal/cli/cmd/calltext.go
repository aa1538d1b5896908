package cmd

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// CallText formats a call in one line: name(arg="value", …). The parameter arguments is
// JSON.
func CallText(name, arguments string) string {
	v, err := jsonval.Parse(arguments)
	if err != nil || v.Kind() != jsonval.Object {
		if arguments == "" || arguments == "null" {
			return name + "()"
		}
		return name + "(" + arguments + ")"
	}
	var parts []string
	v.Each(func(key string, m jsonval.Value) bool {
		value := m.Raw()
		if k := m.Kind(); k == jsonval.Object || k == jsonval.Array {
			value = m.Canonical() // in one line
		}
		parts = append(parts, key+"="+value)
		return true
	})
	return name + "(" + strings.Join(parts, ", ") + ")"
}

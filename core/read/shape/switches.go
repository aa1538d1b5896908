package shape

import "github.com/boundcheck/boundcheck/core/base/jsonval"

// SwitchesIn returns the arguments that are true or false in a list of tool definitions, as tool.argument.
func SwitchesIn(list jsonval.Value) (out []string) {
	if list.Kind() != jsonval.Array {
		return nil
	}
	for _, v := range list.Elements() {
		if f := v.Get("function"); f.Kind() == jsonval.Object {
			v = f
		}
		name, _ := v.Get("name").Str()
		for _, schema := range [...]jsonval.Value{v.Get("parameters"), v.Get("input_schema"), v.Get("inputSchema")} {
			schema.Get("properties").Each(func(argument string, property jsonval.Value) bool {
				if kind, _ := property.Get("type").Str(); kind == "boolean" {
					out = append(out, name+"."+argument)
				}
				return true
			})
		}
	}
	return out
}

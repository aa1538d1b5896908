package shape

import "github.com/boundcheck/boundcheck/core/base/jsonval"

// ToolTexts returns the descriptions in a list of tool definitions.
func ToolTexts(list jsonval.Value) (out []string) {
	if list.Kind() != jsonval.Array {
		return nil
	}
	for _, v := range list.Elements() {
		for _, d := range [...]jsonval.Value{v.Get("description"), v.At("function", "description")} {
			if text, ok := d.Str(); ok && text != "" {
				out = append(out, text)
			}
		}
	}
	return out
}

// DefinedTools returns the names in a list of tool definitions. It returns nil if one of
// the elements has no name, because then not all tools are known.
func DefinedTools(list jsonval.Value) []string {
	if list.Kind() != jsonval.Array {
		return nil
	}
	var out []string
	for _, v := range list.Elements() {
		name, ok := v.Get("name").Str()
		if !ok {
			name, ok = v.At("function", "name").Str()
		}
		if !ok {
			return nil
		}
		out = append(out, name)
	}
	return out
}

// OpenText returns the list or object that a text holds as JSON. It returns any other value unchanged.
func OpenText(v jsonval.Value) jsonval.Value {
	if v.Kind() == jsonval.String {
		if inner, err := jsonval.Parse(v.Text()); err == nil && inner.Kind() >= jsonval.Array {
			return inner
		}
	}
	return v
}

// ListOf returns a list with one value.
func ListOf(v jsonval.Value) jsonval.Value {
	list, _ := jsonval.Parse("[" + v.Raw() + "]")
	return list
}

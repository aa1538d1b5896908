package prompts

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// parseSchema reads the arguments of a tool from its JSON Schema. open is true if the
// schema also uses $ref, allOf, anyOf or oneOf, because the tool may then have more
// arguments. at is the path of the schema for error messages.
func parseSchema(raw json.RawMessage, at string) (args []arg, open bool, err error) {
	o, err := readObject(raw, at)
	if err != nil {
		return nil, false, err
	}
	for _, key := range []string{"$ref", "allOf", "anyOf", "oneOf"} {
		if _, ok := o.get(key); ok {
			open = true
		}
	}
	kind := kindName(raw, 0)
	if _, typed := o.get("type"); typed && !strings.Contains(kind, "object") {
		return nil, false, toolsError(joinPath(at, "type"), `must be "object", but is %s`, kind)
	}
	required, err := o.readTexts("required", at)
	if err != nil {
		return nil, false, err
	}
	properties, ok := o.get("properties")
	if _, typed := o.get("type"); !ok && !typed && !open && len(o) > 0 {
		return nil, false, toolsError(at, `a JSON Schema object needs "type" or "properties"; this object has only %s`, o.keyList())
	}
	if ok {
		if args, err = parseArgs(properties, required, joinPath(at, "properties")); err != nil {
			return nil, false, err
		}
	}
	return append(args, unlistedArgs(args, required)...), open, nil
}

func parseArgs(raw json.RawMessage, required []string, at string) ([]arg, error) {
	o, err := readObject(raw, at)
	if err != nil {
		return nil, err
	}
	args := make([]arg, len(o))
	for i, m := range o {
		if k := kindOf(m.value); k != "object" && k != "boolean" {
			return nil, toolsError(joinPath(at, m.key), "must be a schema, but is %s", k)
		}
		if oneLine(m.key) != m.key || m.key == "" || strings.Contains(m.key, "`") {
			return nil, toolsError(at, "invalid argument name %q", m.key)
		}
		args[i] = arg{m.key, kindName(m.value, 0), slices.Contains(required, m.key)}
	}
	return args, nil
}

// unlistedArgs returns the required arguments that the schema's properties do not list.
// JSON Schema allows such arguments, and the agent must know them, too.
func unlistedArgs(args []arg, required []string) []arg {
	var out []arg
	for _, name := range required {
		if !slices.ContainsFunc(args, func(a arg) bool { return a.name == name }) {
			out = append(out, arg{name, "any", true})
		}
	}
	return out
}

// kindDepth is the depth to which kindName reads nested schemas. Deeper schemas are no
// help in a prompt, and a hostile one would cost quadratic time.
const kindDepth = 4

// kindName returns a short name for the values that a schema allows, for example "any" or
// "one of 1, 2". depth is the current depth of nested schemas.
func kindName(schema json.RawMessage, depth int) string {
	o, err := readObject(schema, "")
	if err != nil || depth > kindDepth {
		return "any"
	}
	if ref, err := o.readText("$ref", ""); err == nil && ref != "" {
		return oneWord(ref[strings.LastIndex(ref, "/")+1:])
	}
	if values, ok := o.get("enum"); ok {
		return enumName(values)
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		var alternatives []json.RawMessage
		if v, ok := o.get(key); ok && json.Unmarshal(v, &alternatives) == nil {
			return unionKind(alternatives, depth)
		}
	}
	return typeName(o, depth)
}

func typeName(o object, depth int) string {
	kinds, err := o.readTexts("type", "")
	if one, errOne := o.readText("type", ""); err != nil && errOne == nil {
		kinds = []string{one}
	}
	if len(kinds) == 0 {
		return "any"
	}
	for i, k := range kinds {
		kinds[i] = oneWord(k)
		if items, ok := o.get("items"); k == "array" && ok {
			kinds[i] = "list of " + kindName(items, depth+1)
		} else if k == "array" {
			kinds[i] = "list"
		}
	}
	return strings.Join(kinds, " or ")
}

func unionKind(alternatives []json.RawMessage, depth int) string {
	var kinds []string
	for _, a := range alternatives {
		if k := kindName(a, depth+1); !slices.Contains(kinds, k) {
			kinds = append(kinds, k)
		}
	}
	if len(kinds) == 0 {
		return "any"
	}
	return strings.Join(kinds, " or ")
}

// enumName returns a text that lists at most six of the values. If there are more values,
// the text says how many more.
func enumName(raw json.RawMessage) string {
	var values []json.RawMessage
	if json.Unmarshal(raw, &values) != nil || len(values) == 0 {
		return "any"
	}
	var out []string
	for _, v := range values[:min(len(values), 6)] {
		out = append(out, oneWord(string(v)))
	}
	if n := len(values) - len(out); n > 0 {
		out = append(out, "and "+strconv.Itoa(n)+" more")
	}
	return "one of " + strings.Join(out, ", ")
}

// oneWord returns s as a short text of one line without backquotes. So s cannot end the
// quoted signature that contains it.
func oneWord(s string) string {
	return shortenText(strings.ReplaceAll(s, "`", "'"), 40)
}

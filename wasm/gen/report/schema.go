package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Schema returns the JSON Schema of a report (draft 2020-12): the form of the answer to
// a score at every front end. Members keep the order of the Go structs. It allows other
// members, because a later report may have them.
func Schema(base string) ([]byte, error) {
	all, err := read(base, roots)
	if err != nil {
		return nil, err
	}
	needed := map[string]bool{"Report": true}
	var defs []string
	used := map[string]bool{}
	for _, o := range all { // users come before used
		if !needed[o.name] {
			continue
		}
		var members, required []string
		for _, f := range o.fields {
			f.kind.needs(needed, used)
			members = append(members, quoted(f.name)+": "+f.schema())
			if !f.omitted {
				required = append(required, quoted(f.name))
			}
		}
		text := fmt.Sprintf(`"type": "object", "description": %s, "properties": {%s}, "required": [%s]`, quoted(oneLine(o.doc)), strings.Join(members, ", "), strings.Join(required, ", "))
		if o.name == "Report" {
			defs = append(defs, text)
		} else {
			defs = append(defs, quoted(o.name)+": {"+text+"}")
		}
	}
	for _, u := range lists() {
		if used[u.name] {
			values, _ := json.Marshal(u.values)
			defs = append(defs, fmt.Sprintf(`%s: {"description": %s, "enum": %s}`, quoted(u.name), quoted(u.doc), values))
		}
	}
	text := fmt.Sprintf(`{"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "https://boundcheck.github.io/schema/report.json", "title": "boundcheck.report/1", %s, "$defs": {%s}}`,
		defs[0], strings.Join(defs[1:], ", "))
	var out bytes.Buffer
	if err := json.Indent(&out, []byte(text), "", "  "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// needs marks what a member refers to.
func (k kind) needs(objects, unions map[string]bool) {
	switch {
	case k.elem != nil:
		k.elem.needs(objects, unions)
	case k.object != "":
		objects[k.object] = true
	case k.union != "":
		unions[k.union] = true
	}
}

func (f field) schema() string {
	text := f.kind.schema()
	if f.null {
		text = `{"anyOf": [` + text + `, {"type": "null"}]}`
	}
	if f.doc != "" {
		text = strings.TrimSuffix(text, "}")
		if text != "{" {
			text += ", "
		}
		text += `"description": ` + quoted(oneLine(f.doc)) + "}"
	}
	return text
}

func (k kind) schema() string {
	switch k.name {
	case "array":
		return `{"type": "array", "items": ` + k.elem.schema() + "}"
	case "map":
		return `{"type": "object", "additionalProperties": ` + k.elem.schema() + "}"
	case "object":
		return `{"$ref": "#/$defs/` + k.object + `"}`
	case "union":
		return `{"$ref": "#/$defs/` + k.union + `"}`
	case "bool":
		return `{"type": "boolean"}`
	case "int":
		return `{"type": "integer"}`
	case "any":
		return "{}"
	}
	return `{"type": ` + quoted(k.name) + "}"
}

func quoted(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(s)
	return strings.TrimSpace(b.String())
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

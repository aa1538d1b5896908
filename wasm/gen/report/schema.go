package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/wasm/gen/model"
)

// Schema returns the JSON Schema (draft 2020-12) of a report, which every front end
// returns for a score. Members are in the order of the Go structs. The schema allows
// additional members, because a later version may add some.
func Schema(base string) ([]byte, error) {
	all, err := readStructs(base, roots)
	if err != nil {
		return nil, err
	}
	needed := map[string]bool{"Report": true}
	var defs []string
	used := map[string]bool{}
	for _, o := range all { // a struct comes before those that it uses
		if !needed[o.Name] {
			continue
		}
		var members, required []string
		for _, f := range o.Fields {
			refersTo(f.Kind, needed, used)
			members = append(members, quoteJSON(f.Name)+": "+memberSchema(f))
			if !f.Omitted {
				required = append(required, quoteJSON(f.Name))
			}
		}
		text := fmt.Sprintf(`"type": "object", "description": %s, "properties": {%s}, "required": [%s]`, quoteJSON(oneLine(o.Doc)), strings.Join(members, ", "), strings.Join(required, ", "))
		if o.Name == "Report" {
			defs = append(defs, text)
		} else {
			defs = append(defs, quoteJSON(o.Name)+": {"+text+"}")
		}
	}
	for _, u := range allUnions() {
		if used[u.name] {
			values, _ := json.Marshal(u.values)
			defs = append(defs, fmt.Sprintf(`%s: {"description": %s, "enum": %s}`, quoteJSON(u.name), quoteJSON(u.doc), values))
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

// refersTo adds the object or the union to which a kind refers to objects or unions.
func refersTo(k model.Kind, objects, unions map[string]bool) {
	switch k = k.Leaf(); k.Name {
	case model.Object:
		objects[k.Type] = true
	case model.Union:
		unions[k.Type] = true
	}
}

func memberSchema(f model.Field) string {
	text := kindSchema(f.Kind)
	if f.Null {
		text = `{"anyOf": [` + text + `, {"type": "null"}]}`
	}
	if f.Doc != "" {
		text = strings.TrimSuffix(text, "}")
		if text != "{" {
			text += ", "
		}
		text += `"description": ` + quoteJSON(oneLine(f.Doc)) + "}"
	}
	return text
}

func kindSchema(k model.Kind) string {
	switch k.Name {
	case model.Array:
		return `{"type": "array", "items": ` + kindSchema(*k.Elem) + "}"
	case model.Map:
		return `{"type": "object", "additionalProperties": ` + kindSchema(*k.Elem) + "}"
	case model.Object, model.Union:
		return `{"$ref": "#/$defs/` + k.Type + `"}`
	case model.Bool:
		return `{"type": "boolean"}`
	case model.Int:
		return `{"type": "integer"}`
	case model.Any:
		return "{}"
	}
	return `{"type": ` + quoteJSON(k.Name) + "}"
}

func quoteJSON(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(s)
	return strings.TrimSpace(b.String())
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

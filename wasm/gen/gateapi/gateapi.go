// Package gateapi writes the gate's OpenAPI description as the types and operations of the
// clients in TypeScript and Python.
package gateapi

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"unicode"

	"github.com/boundcheck/boundcheck/worker/gate"
)

//go:embed operations.js.tmpl
var javaScript string

//go:embed operations.d.ts.tmpl
var typeScript string

//go:embed operations.py.tmpl
var python string

// JavaScript returns the module with a method for each operation.
func JavaScript(string) ([]byte, error) { return writeFrom(javaScript) }

// TypeScript returns the types of the messages and of the operations.
func TypeScript(string) ([]byte, error) { return writeFrom(typeScript) }

// Python returns the types and the operations as one module.
func Python(string) ([]byte, error) { return writeFrom(python) }

// schema is the part of JSON Schema that the description uses.
type schema struct {
	Ref         string             `json:"$ref"`
	Type        string             `json:"type"`
	Enum        []string           `json:"enum"`
	Items       *schema            `json:"items"`
	Properties  map[string]*schema `json:"properties"`
	Required    []string           `json:"required"`
	OneOf       []*schema          `json:"oneOf"`
	AnyOf       []*schema          `json:"anyOf"`
	Description string             `json:"description"`
	Additional  *bool              `json:"additionalProperties"`
}

// node returns the schema itself, so that templates may pass what embeds it.
func (s *schema) schemaNode() *schema { return s }

type noder interface{ schemaNode() *schema }

type content map[string]struct{ Schema *schema }

type document struct {
	Paths map[string]map[string]*struct {
		OperationID string
		Summary     string
		Parameters  []struct {
			Name, In, Description string
			Schema                *schema
		}
		RequestBody *struct {
			Required bool
			Content  content
		}
		Responses map[string]struct{ Content content }
	}
	Components struct{ Schemas map[string]*schema }
}

// Named is a schema with its name.
type Named struct {
	Name string
	*schema
}

// Member is a member of an object, or a parameter of an operation.
type Member struct {
	Named
	Required bool
}

// Operation is one operation whose answer is JSON.
type Operation struct {
	Name, Method, Path, Summary string
	ID, Keyed                   bool // it has {id}; it takes an Idempotency-Key
	Query                       []Member
	Body                        *Member
	Gives                       *schema
}

func readDescription() (schemas []Named, operations []Operation, err error) {
	text, err := json.Marshal(gate.Description())
	if err != nil {
		return nil, nil, err
	}
	var doc document
	if err := json.Unmarshal(text, &doc); err != nil {
		return nil, nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(doc.Components.Schemas)) {
		schemas = append(schemas, Named{name, doc.Components.Schemas[name]})
	}
	for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
		for _, method := range slices.Sorted(maps.Keys(doc.Paths[path])) {
			from := doc.Paths[path][method]
			op := Operation{Name: from.OperationID, Method: strings.ToUpper(method), Path: path, Summary: from.Summary, Gives: from.Responses["200"].Content["application/json"].Schema}
			if op.Gives == nil {
				continue // a stream or a text
			}
			for _, p := range from.Parameters {
				p.Schema.Description = p.Description
				switch p.In {
				case "path":
					op.ID = true
				case "header":
					op.Keyed = true
				default:
					op.Query = append(op.Query, Member{Named{p.Name, p.Schema}, false})
				}
			}
			if b := from.RequestBody; b != nil {
				op.Body = &Member{Named{"body", b.Content["application/json"].Schema}, b.Required}
			}
			operations = append(operations, op)
		}
	}
	return schemas, operations, nil
}

func writeFrom(text string) ([]byte, error) {
	schemas, operations, err := readDescription()
	if err != nil {
		return nil, err
	}
	t, err := template.New("").Funcs(template.FuncMap{
		"ts": func(n noder) string { return tsType(n.schemaNode()) }, "py": func(n noder) string { return pyType(n.schemaNode()) },
		"members": func(n noder) []Member { return membersOf(n.schemaNode()) }, "plain": func(n noder) bool { return plainNames(n.schemaNode()) },
		"answer": withoutErrors(schemas), "snake": snakeCase, "quote": strconv.Quote,
	}).Parse(text)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = t.Execute(&out, map[string]any{"Schemas": schemas, "Operations": operations})
	return out.Bytes(), err
}

// withoutErrors returns a function for what an operation returns. Its errors are raised, so a
// choice of an answer and an error is the answer.
func withoutErrors(schemas []Named) func(*schema) *schema {
	return func(s *schema) *schema {
		for _, n := range schemas {
			if refName(s) == n.Name && len(n.AnyOf) == 2 && refName(n.AnyOf[1]) == "Error" {
				return n.AnyOf[0]
			}
		}
		return s
	}
}

func refName(s *schema) string { return s.Ref[strings.LastIndexByte(s.Ref, '/')+1:] }

func membersOf(s *schema) (all []Member) {
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		all = append(all, Member{Named{name, s.Properties[name]}, slices.Contains(s.Required, name)})
	}
	return all
}

// typeIn returns a type in a language that is given by its words for the kinds of JSON, for an
// array, a choice, and an object without a name.
func typeIn(s *schema, words map[string]string, array func(string) string, literal func([]string) string, object func(*schema) string) string {
	inner := func(s *schema) string { return typeIn(s, words, array, literal, object) }
	switch {
	case s.Ref != "":
		return refName(s)
	case len(s.OneOf)+len(s.AnyOf) > 0:
		var all []string
		for _, one := range append(s.OneOf, s.AnyOf...) {
			all = append(all, inner(one))
		}
		return strings.Join(all, " | ")
	case len(s.Enum) > 0:
		return literal(s.Enum)
	case s.Type == "array":
		return array(inner(s.Items))
	case len(s.Properties) > 0:
		return object(s)
	}
	return words[s.Type]
}

func tsType(s *schema) string {
	words := map[string]string{"": "unknown", "string": "string", "boolean": "boolean", "integer": "number", "object": "{ [name: string]: unknown }"}
	array := func(item string) string {
		if strings.ContainsAny(item, "|") {
			return "(" + item + ")[]"
		}
		return item + "[]"
	}
	object := func(s *schema) string {
		var all []string
		for _, m := range membersOf(s) {
			mark := ""
			if !m.Required {
				mark = "?"
			}
			all = append(all, m.Name+mark+": "+tsType(m.schema))
		}
		return "{ " + strings.Join(all, "; ") + " }"
	}
	if s.Additional != nil && !*s.Additional && len(s.Properties) == 0 {
		return "{ [name: string]: never }"
	}
	return typeIn(s, words, array, func(all []string) string { return quoteAll(all, " | ") }, object)
}

// pyType returns an annotation. An object without a name is a dict.
func pyType(s *schema) string {
	words := map[string]string{"": "Any", "string": "str", "boolean": "bool", "integer": "int", "object": "Dict[str, Any]"}
	return typeIn(s, words, func(item string) string { return "List[" + item + "]" },
		func(all []string) string { return "Literal[" + quoteAll(all, ", ") + "]" }, func(*schema) string { return words["object"] })
}

func quoteAll(all []string, between string) string {
	out := []string{}
	for _, s := range all {
		out = append(out, strconv.Quote(s))
	}
	return strings.Join(out, between)
}

// pythonWords are the reserved words of Python 3.
const pythonWords = "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield"

// plainNames reports whether all members may be attributes of a class in Python.
func plainNames(s *schema) bool {
	for name := range s.Properties {
		if slices.Contains(strings.Fields(pythonWords), name) {
			return false
		}
	}
	return true
}

func snakeCase(name string) string {
	var b strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// Template returns the path of an operation as an expression of JavaScript or Python.
func (o Operation) Template(quote string) string {
	if !o.ID {
		return fmt.Sprintf("%q", o.Path)
	}
	before, after, _ := strings.Cut(o.Path, "{id}")
	out := fmt.Sprintf("%q + %s(id)", before, quote)
	if after != "" {
		out += fmt.Sprintf(" + %q", after)
	}
	return out
}

package mutation

import (
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// Annotations are the hints of an MCP server about a tool. A nil hint was not given,
// and no default is assumed for it: an unknown tool already counts as mutating.
type Annotations struct {
	ReadOnly, Destructive, Idempotent, OpenWorld *bool
}

// Tool holds the parts of a tool's definition that matter for mutation.
type Tool struct {
	Name, Description string
	Method            string // HTTP method that the tool sends; "" if unknown
	Annotations       Annotations
	Trusted           bool          // the operator trusts the author of the annotations
	Parameters        jsonval.Value // JSON schema of the arguments; may be Missing
}

// Entry is the operator's statement about one tool: its verdict, or the shell of its
// command lines.
type Entry struct {
	Mutating Tri
	Control  bool
	Runs     bool  // the tool runs command lines, and they decide; Mutating is not stated
	Shell    Shell // that reads them, if Runs is true
}

// Table holds the operator's overrides by exact, case-sensitive tool name. It
// wins over everything else. A nil Table has no entries.
type Table map[string]Entry

// ReadTools reads tool definitions and keeps their order. Names may repeat. The error
// says which element is wrong and why.
//
// The value v is one of these:
//
//   - an OpenAI tools array
//   - an MCP tools/list response, its result, or {"tools":[…]}
//   - an array of objects with a name
func ReadTools(v jsonval.Value) ([]Tool, error) {
	list := v
	if v.Kind() == jsonval.Object {
		if r := v.Get("result"); r.Kind() == jsonval.Object {
			v = r
		}
		if list = v.Get("tools"); !list.Exists() {
			return nil, fmt.Errorf("missing member %q with an array of tools; members seen: %s", "tools", listKeys(v.Keys()))
		}
	}
	if list.Kind() != jsonval.Array {
		return nil, fmt.Errorf("invalid tools: want an array, saw %s", list.Kind())
	}
	var out []Tool
	for i, e := range list.Elements() {
		t, err := readTool(e)
		if err != nil {
			return nil, fmt.Errorf("invalid tool %d: %w", i, err)
		}
		out = append(out, t)
	}
	return out, nil
}

func readTool(e jsonval.Value) (Tool, error) {
	if e.Kind() != jsonval.Object {
		return Tool{}, fmt.Errorf("want an object, saw %s", e.Kind())
	}
	if f := e.Get("function"); f.Kind() == jsonval.Object {
		e = f
	}
	name, ok := e.Get("name").Str()
	if !ok || name == "" {
		return Tool{}, fmt.Errorf("the member %q must be a string that is not empty; members seen: %s", "name", listKeys(e.Keys()))
	}
	t := Tool{Name: name, Description: e.Get("description").Text()}
	if m, ok := e.Get("method").Str(); ok {
		t.Method = m
	}
	for _, key := range [...]string{"parameters", "inputSchema", "input_schema"} {
		if p := e.Get(key); p.Kind() == jsonval.Object {
			t.Parameters = p
			break
		}
	}
	return t, readAnnotations(e.Get("annotations"), &t.Annotations)
}

func readAnnotations(v jsonval.Value, a *Annotations) error {
	switch v.Kind() {
	case jsonval.Missing, jsonval.Null:
		return nil
	case jsonval.Object:
	default:
		return fmt.Errorf("invalid annotations: want an object, saw %s", v.Kind())
	}
	var err error
	hint := func(key string) *bool {
		m := v.Get(key)
		if !m.Exists() || m.Kind() == jsonval.Null {
			return nil
		}
		b, ok := m.Bool()
		if !ok {
			err = fmt.Errorf("invalid annotation %q: want a boolean, saw %s", key, m.Kind())
			return nil
		}
		return &b
	}
	a.ReadOnly, a.Destructive = hint("readOnlyHint"), hint("destructiveHint")
	a.Idempotent, a.OpenWorld = hint("idempotentHint"), hint("openWorldHint")
	return err
}

// ReadTable reads the operator's overrides, such as {"tools":{"send_mail":"yes"}}. The
// value of a name is "yes", "no" or "control", or an object with one of these words in
// its member "mutating". Instead of this member, the object may have the member "shell" (see
// ReadShell). An object with neither of them is ignored. Any other value is an error.
func ReadTable(v jsonval.Value) (Table, error) {
	tools := v.Get("tools")
	if tools.Kind() != jsonval.Object {
		return nil, fmt.Errorf("invalid table: want {\"tools\":{\"name\":\"yes|no|control\"}}, saw %s", shapeText(v))
	}
	table := make(Table, tools.Len())
	var err error
	tools.Each(func(name string, m jsonval.Value) bool {
		if _, twice := table[name]; twice {
			err = fmt.Errorf("invalid table: the tool %q appears twice", name)
			return false
		}
		if m.Kind() == jsonval.Object {
			shell := m.Get("shell")
			m = m.Get("mutating")
			switch {
			case shell.Exists() && m.Exists():
				err = fmt.Errorf(`invalid table: the tool %q has both "mutating" and "shell", but the shell matters only if the command lines decide`, name)
			case shell.Exists():
				e := Entry{Runs: true}
				if e.Shell, err = ReadShell(shell.Text()); err != nil {
					err = fmt.Errorf("invalid table: the tool %q: %w", name, err)
				}
				table[name] = e
			}
			if err != nil || !m.Exists() {
				return err == nil
			}
		}
		word, _ := m.Str()
		switch word {
		case "yes":
			table[name] = Entry{Mutating: Yes}
		case "no":
			table[name] = Entry{Mutating: No}
		case "control":
			table[name] = Entry{Mutating: No, Control: true}
		default:
			err = fmt.Errorf(`invalid table: the value of the tool %q must be "yes", "no" or "control"; saw %s`, name, clipText(m.Raw()))
			return false
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	return table, nil
}

// shapeText describes a value in a few words for error texts.
func shapeText(v jsonval.Value) string {
	if v.Kind() == jsonval.Object {
		return "an object with members " + listKeys(v.Keys())
	}
	return v.Kind().String()
}

func listKeys(keys []string) string {
	if len(keys) == 0 {
		return "(none)"
	}
	more := ""
	if len(keys) > 8 {
		keys, more = keys[:8], ", …"
	}
	quoted := make([]string, len(keys))
	for i, k := range keys {
		quoted[i] = fmt.Sprintf("%q", clipText(k))
	}
	return strings.Join(quoted, ", ") + more
}

func clipText(s string) string {
	if len(s) > 40 {
		return strings.ToValidUTF8(s[:40], "") + "…"
	}
	return s
}

// EnumsOf returns the definitions of one tool with only their closed lists of values.
// Each definition keeps its name and the properties whose values its schema lists. A
// definition without such a list has an empty schema. O(size of the definitions).
func EnumsOf(tools []Tool, name string) []Tool {
	var out []Tool
	for _, t := range tools {
		if t.Name == name {
			out = append(out, Tool{Name: name, Parameters: enumsOnly(t.Parameters)})
		}
	}
	return out
}

func enumsOnly(schema jsonval.Value) jsonval.Value {
	var kept []string
	schema.Get("properties").Each(func(key string, p jsonval.Value) bool {
		if enum := p.Get("enum"); enum.Kind() == jsonval.Array {
			kept = append(kept, jsonval.Quoted(key)+`:{"enum":`+enum.Raw()+`}`)
		}
		return true
	})
	v, err := jsonval.Parse(`{"type":"object","properties":{` + strings.Join(kept, ",") + `}}`)
	if err != nil {
		return jsonval.Value{}
	}
	return v
}

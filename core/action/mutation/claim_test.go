package mutation

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// TestStrangersGainNothing attacks the law of claim.go with every row of every table:
// generated definitions and arguments of tools of other hosts with the name of the row.
// A row may make such a call milder only if an independent reading of hosts.txt finds
// nothing in the definition and the arguments that the host's tool does not have.
func TestStrangersGainNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(42, 1))
	milder, cases := 0, 0
	named := map[string][]hostTool{} // a name may have rows in several tables
	for _, table := range HostTables() {
		for _, row := range table.Rows {
			named[row.Tool] = append(named[row.Tool], newHostTool(row))
		}
	}
	for _, table := range HostTables() {
		for _, row := range table.Rows {
			for range 40 {
				g := stranger{random, newHostTool(row)}
				name := strings.ReplaceAll(row.Tool, "*", "sales")
				if table.Anywhere && random.IntN(2) == 0 {
					name = "mcp__x__" + name
				}
				arguments := g.arguments()
				var tools []Tool
				definition := "none"
				if random.IntN(2) == 0 {
					definition = g.definition()
					tools = []Tool{{Name: name, Parameters: mustParse(t, definition)}}
				}
				v := mustParse(t, arguments)
				own := New(tools, nil).WithHosts(OnlyHosts()).Classify(name, v)
				got := New(tools, nil).Classify(name, v)
				cases++
				if got.Mutating.rank() < own.Mutating.rank() || got.Control && !own.Control {
					milder++
					why := ""
					for _, h := range named[row.Tool] {
						if why = h.foreign(arguments, definition); why == "" {
							break
						}
					}
					if why != "" {
						t.Errorf("%s %s, definition %s: %s instead of %s, although %s", name, arguments, definition, got.Mutating, own.Mutating, why)
					}
				}
				if known := New(tools, nil).WithHosts(Hosts{}.Knowing(table.Name)).Classify(name, v); got.Mutating.rank() < known.Mutating.rank() {
					t.Errorf("%s %s: %s, but %s of the known host", name, arguments, got.Mutating, known.Mutating)
				}
			}
		}
	}
	t.Logf("%d of %d calls are milder by a row", milder, cases)
	if milder == 0 {
		t.Error("no row makes any call milder")
	}
}

// hostTool is an independent reading of the arguments of a row.
type hostTool struct {
	row       HostRow
	names     []string
	required  []string
	items     map[string][]string
	unlimited bool
}

func newHostTool(row HostRow) hostTool {
	h := hostTool{row: row, items: map[string][]string{}, unlimited: row.Arguments == "*"}
	for _, a := range strings.Split(row.Arguments, ",") {
		name, rest := a, ""
		if i := strings.IndexAny(a, "![-"); i > 0 && a != "get-sum" {
			if a[i] != '-' {
				name, rest = a[:i], a[i:]
			}
		}
		if len(a) < 2 && strings.Trim(a, "-*?") == "" {
			continue
		}
		h.names = append(h.names, name)
		if strings.HasPrefix(rest, "!") {
			h.required = append(h.required, name)
		}
		if i := strings.IndexByte(rest, '['); i >= 0 {
			h.items[name] = strings.Split(strings.Trim(rest[i:], "[]"), "/")
		}
	}
	return h
}

// foreign returns why a call is not one of the host's, or "".
func (h hostTool) foreign(arguments, definition string) string {
	var members map[string]json.RawMessage
	_ = json.Unmarshal([]byte(arguments), &members)
	for name, raw := range members {
		if !h.unlimited && !slices.Contains(h.names, name) {
			return "the argument " + name + " is not the host's"
		}
		if h.unlimited && (strings.HasPrefix(name, "delete") || strings.HasPrefix(name, "write_to")) {
			return "the argument " + name + " asks for a change"
		}
		var list []map[string]json.RawMessage
		if items := h.items[name]; items != nil {
			if json.Unmarshal(raw, &list) != nil {
				return name + " is not a list of objects"
			}
			for _, item := range list {
				for key := range item {
					if !slices.Contains(items, key) {
						return "the member " + key + " of " + name + " is not the host's"
					}
				}
			}
		}
	}
	for _, name := range h.required {
		if members[name] == nil {
			return "the argument " + name + " is missing"
		}
	}
	if definition == "none" {
		return ""
	}
	var schema struct{ Properties map[string]any }
	_ = json.Unmarshal([]byte(definition), &schema)
	for name := range schema.Properties {
		if !h.unlimited && !slices.Contains(h.names, name) {
			return "the property " + name + " is not the host's"
		}
	}
	for _, name := range h.required {
		if _, found := schema.Properties[name]; !found {
			return "the property " + name + " is missing"
		}
	}
	return ""
}

// stranger generates tools with the name of a host's tool.
type stranger struct {
	*rand.Rand
	host hostTool
}

// names returns the names that the host requires and some others of its names. In two
// thirds of the cases one name is missing or foreign.
func (g stranger) names() []string {
	out := append([]string(nil), g.host.required...)
	for _, n := range g.host.names {
		if !slices.Contains(out, n) && g.IntN(3) == 0 {
			out = append(out, n)
		}
	}
	foreign := []string{"plan_id", "price", "write_to", "delete", "queue", "refund", "x", "Path", "amount"}
	switch g.IntN(3) {
	case 0:
		out = append(out, foreign[g.IntN(len(foreign))])
	case 1:
		if len(out) > 0 {
			i := g.IntN(len(out))
			out = slices.Delete(out, i, i+1)
		}
	}
	return out
}

func (g stranger) definition() string {
	var b strings.Builder
	for i, n := range g.names() {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(jsonval.Quoted(n) + `:{"type":"string"}`)
	}
	return `{"type":"object","properties":{` + b.String() + `}}`
}

func (g stranger) arguments() string {
	values := []string{`"x"`, "5", "true", `"gold"`, `{"a":1}`, `["x"]`, `[{"price":5}]`}
	var out []string
	for _, n := range g.names() {
		value := values[g.IntN(len(values))]
		if items := g.host.items[n]; items != nil && g.IntN(2) == 0 {
			value = `[{"` + items[0] + `":"x"}]`
		}
		out = append(out, jsonval.Quoted(n)+":"+value)
	}
	return "{" + strings.Join(out, ",") + "}"
}

// TestLoudNamesNeedMore checks that arguments alone cannot make a call milder if the name
// of the tool means a change, and that a definition of the host or a known host can.
func TestLoudNamesNeedMore(t *testing.T) {
	check := func(name, definition, description, arguments string, hosts Hosts, want bool) {
		t.Helper()
		var tools []Tool
		if definition != "" || description != "" {
			tools = []Tool{{Name: name, Description: description}}
			if definition != "" {
				tools[0].Parameters = mustParse(t, definition)
			}
		}
		if v := New(tools, nil).WithHosts(hosts).Classify(name, mustParse(t, arguments)); v.Counts() != want {
			t.Errorf("%s %s with %q %q: %+v, want asked %t", name, arguments, definition, description, v, want)
		}
	}
	const task = `{"subject":"a","description":"b"}`
	check("TaskCreate", "", "", task, Hosts{}, true)
	check("TaskCreate", "", "", task, Hosts{}.Knowing("claude-code"), false)
	check("TaskCreate", "", "", task, OnlyHosts("claude-code"), false)
	check("TaskCreate", "", "", task, OnlyHosts("codex").Knowing("claude-code"), true)
	check("TaskCreate", `{"properties":{"subject":{},"description":{},"activeForm":{},"metadata":{}}}`, "", task, Hosts{}, false)
	check("TaskCreate", `{"properties":{"subject":{},"description":{},"queue":{}}}`, "", task, Hosts{}, true)
	const plan = `{"plan":[{"step":"a","status":"b"}]}`
	check("update_plan", "", "", plan, Hosts{}, false)
	check("update_plan", `{"properties":{"plan_id":{},"price":{}}}`, "Update an existing subscription plan", `{"plan_id":"p","price":5}`, Hosts{}, true)
	check("update_plan", `{"properties":{"plan_id":{},"price":{}}}`, "", plan, Hosts{}, true)
	check("Skill", "", "Deletes a skill.", `{"skill":"x"}`, Hosts{}, true)
	check("StructuredOutput", "", "Writes the data to the lake.", `{"a":1}`, Hosts{}, true)
	check("StructuredOutput", "", "", `{"a":{"b":{"write_to":"/x"}}}`, Hosts{}, true)
}

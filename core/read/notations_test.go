package read

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/trajectory"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// notedCall is a drawn call, with its arguments as JSON and as pairs.
type notedCall struct {
	name string
	keys []string
	args map[string]any
}

func (c *notedCall) object() map[string]any {
	return map[string]any{"name": c.name, "arguments": c.args}
}

// inCode writes a call as code.
func (c *notedCall) inCode() string {
	var parts []string
	for _, key := range c.keys {
		parts = append(parts, key+"="+noted(c.args[key]))
	}
	return c.name + "(" + strings.Join(parts, ", ") + ")"
}

// notedRun is a drawn run. expected is nil if nothing is said of it.
type notedRun struct {
	id, asked       string
	calls, expected []notedCall
	passed          *bool
}

func noted(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return strings.TrimSpace(b.String())
}

func objectsOf(calls []notedCall) []any {
	out := []any{}
	for i := range calls {
		out = append(out, calls[i].object())
	}
	return out
}

// drawNoted draws runs of which one has a call.
func drawNoted(r *rand.Rand) (runs []notedRun) {
	texts := []string{"a", "two words", `a "q" & <b>`, "it's", "x, y; z", "10:30", "# no remark", "// none", "A-17", "é", "true story", "(in)"}
	call := func() notedCall {
		c := notedCall{name: fmt.Sprintf("%s_thing_%c", []string{"get", "set", "drop"}[r.IntN(3)], 'a'+r.IntN(4)), args: map[string]any{}}
		for range r.IntN(4) {
			key := fmt.Sprintf("k_%c", 'a'+r.IntN(6))
			if _, twice := c.args[key]; twice {
				continue
			}
			c.keys = append(c.keys, key)
			c.args[key] = []any{texts[r.IntN(len(texts))], texts[r.IntN(len(texts))], r.IntN(100), float64(r.IntN(100)) + .5, r.IntN(2) == 0, []any{1, "b"}, map[string]any{"u": "v"}}[r.IntN(7)]
		}
		return c
	}
	list := func() []notedCall {
		out := []notedCall{}
		for range r.IntN(4) {
			out = append(out, call())
		}
		return out
	}
	for i := range 2 + r.IntN(4) {
		n := notedRun{id: fmt.Sprintf("case-%d", i+1), asked: "Please do it for " + texts[r.IntN(5)], calls: list()}
		if r.IntN(4) > 0 {
			n.expected = list()
		}
		if r.IntN(4) > 0 {
			passed := r.IntN(2) == 0
			n.passed = &passed
		}
		runs = append(runs, n)
	}
	runs[0].calls = append(runs[0].calls, call())
	runs[0].expected = append(runs[0].expected, call())
	return runs
}

// notation writes runs. It says if it cannot write the expected side.
type notation struct {
	write  func(runs []notedRun) string
	noSide bool
	silent bool // a run without a call of which nothing is expected has no call on both sides
}

func recordsOf(runs []notedRun) (out []any) {
	for _, n := range runs {
		o := map[string]any{"id": n.id, "prompt": n.asked, "calls": objectsOf(n.calls)}
		if n.expected != nil {
			o["expected_calls"] = objectsOf(n.expected)
		}
		if n.passed != nil {
			o["passed"] = *n.passed
		}
		out = append(out, o)
	}
	return out
}

func said(passed *bool, yes, no, open string) string {
	switch {
	case passed == nil:
		return open
	case *passed:
		return yes
	}
	return no
}

var notations = map[string]notation{
	"JSON with comments": {write: func(runs []notedRun) string {
		text, _ := json.MarshalIndent(recordsOf(runs), "", "  ")
		return "// kept by hand\n" + strings.ReplaceAll(strings.ReplaceAll(string(text), "\n    }", ",\n    } /* one\n more */"), "\n  {", "\n  // run\n  {")
	}},
	"Python": {write: func(runs []notedRun) string {
		var b strings.Builder
		for _, record := range recordsOf(runs) {
			b.WriteString(pythonText(record) + "\n")
		}
		return b.String()
	}},
	"TOML": {write: func(runs []notedRun) string {
		b := "title = \"nightly\" # kept by hand\n"
		for _, n := range runs {
			b += "\n[[run]]\nid = " + noted(n.id) + "\nprompt = " + noted(n.asked) + "\n"
			b += said(n.passed, "passed = true\n", "passed = false\n", "")
			for _, side := range []struct {
				name  string
				calls []notedCall
			}{{"calls", n.calls}, {"expected", n.expected}} {
				if side.calls != nil && len(side.calls) == 0 {
					b += side.name + " = []\n"
				}
			}
			for _, c := range n.calls {
				b += "[[run.calls]]\nname = " + noted(c.name) + "\narguments = " + tomlText(c.args) + "\n"
			}
			for _, c := range n.expected {
				b += "[[run.expected]]\nname = " + noted(c.name) + "\narguments = " + tomlText(c.args) + "\n"
			}
		}
		return b
	}},
	"XML": {write: func(runs []notedRun) string {
		b := "<?xml version=\"1.0\"?>\n<results>\n"
		side := func(name string, calls []notedCall) {
			b += "  <" + name + ">\n"
			for _, c := range calls {
				b += `    <call name="` + c.name + `">` + html.EscapeString(noted(c.args)) + "</call>\n"
			}
			b += "  </" + name + ">\n"
		}
		for _, n := range runs {
			b += ` <case id="` + n.id + `"` + said(n.passed, ` passed="true"`, ` passed="false"`, "") + ">\n  <prompt>" + html.EscapeString(n.asked) + "</prompt>\n"
			side("calls", n.calls)
			if n.expected != nil {
				side("expected", n.expected)
			}
			b += " </case>\n"
		}
		return b + "</results>\n"
	}},
	"SQL": {noSide: true, write: func(runs []notedRun) string {
		b := "BEGIN;\nCREATE TABLE runs (id TEXT PRIMARY KEY, prompt TEXT, passed INTEGER);\nCREATE TABLE calls (run_id TEXT REFERENCES runs(id), seq INTEGER, tool TEXT, args_json TEXT);\n"
		quote := func(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
		for _, n := range runs {
			b += fmt.Sprintf("INSERT INTO runs VALUES (%s, %s, %s);\n", quote(n.id), quote(n.asked), said(n.passed, "1", "0", "NULL"))
			for i, c := range n.calls {
				b += fmt.Sprintf("INSERT INTO calls VALUES (%s, %d, %s, %s);\n", quote(n.id), i, quote(c.name), quote(noted(c.args)))
			}
		}
		return b + "COMMIT;\n"
	}},
	"HTML": {silent: true, write: func(runs []notedRun) string {
		b := "<!doctype html><html><body><h1>Report</h1>\n<table><tr><th>ID</th><th>Prompt</th><th>Actual calls</th><th>Expected calls</th><th>Passed</th></tr>\n"
		side := func(calls []notedCall) string {
			switch {
			case calls == nil:
				return ""
			case len(calls) == 0:
				return "<em>none</em>"
			}
			return "<pre>" + html.EscapeString(noted(objectsOf(calls))) + "</pre>"
		}
		for _, n := range runs {
			b += "<tr><td>" + n.id + "</td><td>" + html.EscapeString(n.asked) + "</td><td>" + side(n.calls) + "</td><td>" + side(n.expected) + "</td><td>" + said(n.passed, "yes", "no", "") + "</td></tr>\n"
		}
		return b + "</table></body></html>\n"
	}},
	"sections of Markdown": {write: func(runs []notedRun) string {
		b := "# Report\n\nSome words.\n\n"
		side := func(name string, calls []notedCall) {
			b += "**" + name + "**\n\n"
			for i := range calls {
				b += fmt.Sprintf("%d. `%s`\n", i+1, calls[i].inCode())
			}
			if len(calls) == 0 {
				b += "_none_\n"
			}
			b += "\n"
		}
		for _, n := range runs {
			b += "## " + n.id + "\n\n> " + n.asked + "\n\n"
			side("Tool calls", n.calls)
			if n.expected != nil {
				side("Expected", n.expected)
			}
			b += said(n.passed, "**Result:** pass\n\n", "**Result:** FAIL\n\n", "")
		}
		return b
	}},
	"pairs in lines": {noSide: true, write: func(runs []notedRun) (b string) {
		for _, n := range runs {
			b += fmt.Sprintf("ts=2026-05-20T09:30:01Z level=info run=%s event=start prompt=%s\n", n.id, noted(n.asked))
			for _, c := range n.calls {
				b += fmt.Sprintf("ts=2026-05-20T09:30:02Z level=info run=%s event=tool_call tool=%s args=%s\n", n.id, c.name, noted(noted(c.args)))
			}
			b += fmt.Sprintf("ts=2026-05-20T09:30:03Z level=info run=%s event=end%s\n", n.id, said(n.passed, " outcome=success", " outcome=failure", ""))
		}
		return b
	}},
	"a line for each side": {write: func(runs []notedRun) (b string) {
		for _, n := range runs {
			if n.expected != nil {
				b += noted(map[string]any{"kind": "expected", "case": n.id, "calls": objectsOf(n.expected)}) + "\n"
			}
			b += noted(map[string]any{"kind": "actual", "case": n.id, "calls": objectsOf(n.calls)}) + "\n"
			if n.passed != nil {
				b += noted(map[string]any{"kind": "verdict", "case": n.id, "ok": *n.passed}) + "\n"
			}
		}
		return b
	}},
	"YAML with names": {write: func(runs []notedRun) string {
		b := "suite:\n  kept: by hand\ncases:\n"
		for i, n := range runs {
			b += "  - id: " + noted(n.id) + "\n    prompt: " + noted(n.asked) + "\n" + said(n.passed, "    passed: true\n", "    passed: false\n", "") + fmt.Sprintf("    calls: &c%d ", i) + noted(objectsOf(n.calls)) + "\n"
			switch {
			case n.expected == nil:
			case noted(objectsOf(n.expected)) == noted(objectsOf(n.calls)):
				b += fmt.Sprintf("    expected_calls: *c%d\n", i)
			default:
				b += "    expected_calls: " + noted(objectsOf(n.expected)) + "\n"
			}
		}
		return b
	}},
	"names and arguments in two cells": {write: func(runs []notedRun) string {
		var b strings.Builder
		w := csv.NewWriter(&b)
		_ = w.Write([]string{"id", "prompt", "tools", "tool_args", "expected_tools", "expected_args", "passed"})
		cells := func(calls []notedCall) (names, args string) {
			if calls == nil {
				return "", ""
			}
			var list []string
			objects := []any{}
			for _, c := range calls {
				list, objects = append(list, c.name), append(objects, c.args)
			}
			return strings.Join(list, "|") + said(nil, "", "", ifEmpty(list)), noted(objects)
		}
		for _, n := range runs {
			names, args := cells(n.calls)
			wanted, with := cells(n.expected)
			_ = w.Write([]string{n.id, n.asked, names, args, wanted, with, said(n.passed, "yes", "no", "")})
		}
		w.Flush()
		return b.String()
	}},
}

func ifEmpty(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return ""
}

// pythonText writes a value as Python prints it.
func pythonText(v any) string {
	switch v := v.(type) {
	case map[string]any:
		var parts []string
		for _, key := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, "'"+key+"': "+pythonText(v[key]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []any:
		var parts []string
		for _, e := range v {
			parts = append(parts, pythonText(e))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case string:
		return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(v) + "'"
	case bool:
		return map[bool]string{true: "True", false: "False"}[v]
	}
	return noted(v)
}

// tomlText writes a value in TOML.
func tomlText(v any) string {
	switch v := v.(type) {
	case map[string]any:
		var parts []string
		for _, key := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, key+" = "+tomlText(v[key]))
		}
		return "{ " + strings.Join(parts, ", ") + " }"
	case []any:
		var parts []string
		for _, e := range v {
			parts = append(parts, tomlText(e))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return noted(v)
}

// showNoted writes drawn runs as showReadNotes does those that were read.
func showNoted(runs []notedRun, as notation) string {
	b := ""
	for _, n := range runs {
		b += n.id + ":"
		for _, c := range n.calls {
			b += " " + c.name + noted(c.args)
		}
		if n.expected != nil && !as.noSide {
			b += " want"
			for _, c := range n.expected {
				b += " " + c.name + noted(c.args)
			}
		}
		b += said(n.passed, " yes", " no", "") + "\n"
	}
	return b
}

func showReadNotes(doc trajectory.Document) string {
	b := ""
	plain := func(raw string) string {
		var v any
		if json.Unmarshal([]byte(raw), &v) != nil || v == nil {
			return "{}"
		}
		return noted(v)
	}
	for _, run := range doc.Trajectories {
		b += run.ID + ":"
		for _, a := range run.Actions {
			b += " " + a.Name + plain(a.Arguments.Raw())
		}
		if run.Reference != nil {
			b += " want"
			for _, s := range run.Reference.Steps {
				b += " " + s.Name + plain(s.Arguments.Raw())
			}
		}
		b += said(run.Success, " yes", " no", "") + "\n"
	}
	return b
}

// TestNotationsComeBack writes drawn runs in each notation. They are read as they were drawn: the same runs, calls,
// arguments, expected sides and outcomes.
func TestNotationsComeBack(t *testing.T) {
	for name, as := range notations {
		r, wrong := rand.New(rand.NewPCG(41, 77)), 0
		for range drawn.Cases(60) {
			runs := drawNoted(r)
			for i := range runs {
				if n := &runs[i]; as.silent && len(n.calls) == 0 && n.expected == nil {
					n.expected = []notedCall{}
				}
			}
			text := as.write(runs)
			doc, err := Decode([]byte(text))
			if got, want := showReadNotes(doc), showNoted(runs, as); err != nil || got != want {
				if wrong++; wrong == 1 {
					t.Errorf("%s: %v\n%s\ngot\n%s\nwant\n%s", name, err, text, got, want)
				}
			}
		}
		if wrong > 0 {
			t.Errorf("%s: %d wrong", name, wrong)
		}
	}
}

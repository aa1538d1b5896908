package snapshot

import (
	"strings"
	"testing"
)

// markCase is a reference with one mark. Its steps before and behind the mark are look
// and cancel, which have no mark.
type markCase struct {
	mark   string
	text   string     // of the file
	kept   []string   // what a person wrote
	good   []string   // the calls of the mark in a run that keeps to it, between look and cancel
	breaks [][]string // the same in runs that break it; nil if none can
	line   int        // of the mark
}

// markCases returns a case for each mark in each form of a file.
func markCases() map[string][]markCase {
	yes, b, c := `b {"x":1,"y":2}`, `b {"x":9,"y":2}`, `c {"z":3}`
	step := func(member string) (text string, kept []string) {
		text = "steps:\n  - get_order(id=7)\n  - name: b\n    arguments: {x: 1, y: 2}\n    " + member + "\n  - cancel_order(id=7)\n"
		return text, []string{"  - name: b\n    arguments: {x: 1, y: 2}\n    " + member + "\n"}
	}
	var inYAML []markCase
	add := func(mark, text string, kept []string, line int, good []string, breaks ...[]string) {
		inYAML = append(inYAML, markCase{mark, text, kept, good, breaks, line})
	}
	addStep := func(mark, member string, line int, good []string, breaks ...[]string) {
		text, kept := step(member)
		add(mark, text, kept, line, good, breaks...)
	}
	addStep("mustNot", "mustNot: true # policy", 5, nil, []string{yes})
	addStep("required", "required: true # policy", 5, []string{yes}, nil, []string{b})
	addStep("compare", "compare: [x]", 5, []string{`b {"x":1,"y":5}`}, nil, []string{b})
	addStep("pre", "pre: [approve]", 5, []string{"approve {}", yes}, []string{yes})
	addStep("eff", "eff: change b", 5, []string{yes}, nil, []string{b})
	addStep("scope", "scope: [B]", 5, []string{yes}, nil, []string{b})
	addStep("gran", "gran: 1", 5, []string{yes}, nil, []string{b})
	addStep("accept", "accept: {x: [2]}", 5, []string{`b {"x":2,"y":2}`}, nil)
	addStep("ignore", "ignore: [y]", 5, []string{`b {"x":1,"y":5}`}, nil)
	addStep("title", "title: ours", 5, []string{yes}, nil)
	addStep("comment", "# ours", 5, []string{yes}, nil)
	group := func(mark, lines string, line int, good []string, breaks ...[]string) {
		add(mark, "steps:\n  - get_order(id=7)\n"+lines+"  - cancel_order(id=7)\n", []string{lines}, line, good, breaks...)
	}
	group("oneOf", "  - oneOf: # policy\n      - b(x=1, y=2)\n      - c(z=3)\n", 3, []string{c}, nil, []string{yes, c})
	group("optional", "  - optional: b(x=1, y=2)\n", 3, []string{yes})
	group("anyOrder", "  - anyOrder:\n      - b(x=1, y=2)\n      - c(z=3)\n", 3, []string{c, yes}, nil, []string{c})
	group("sequence", "  - sequence:\n      - b(x=1, y=2)\n      - c(z=3)\n", 3, []string{yes, c}, nil, []string{yes})
	group("comment", "  # ours\n  - name: b\n    arguments:\n      x: 1 # and this\n      y: 2\n", 3, []string{yes}, nil)
	const end = "steps:\n  - get_order(id=7)\n  - cancel_order(id=7)\n"
	add("says", end+"says: [done] # policy\n", []string{"says: [done] # policy\n"}, 4, []string{"says done"}, nil)
	add("aliases", end+"aliases: [[b, c]]\n", []string{"aliases: [[b, c]]\n"}, 0, nil)
	add("compositions", end+"compositions:\n  - whole: b\n    parts: [c, d]\n", []string{"compositions:\n  - whole: b\n    parts: [c, d]\n"}, 0, nil)
	add("comment", "# head\n\n"+end+"# end\n", []string{"# head\n\n", "# end\n"}, 0, nil)

	const first = "{\"steps\": [\n  \"get_order(id=7)\",\n  "
	const last = ",\n  \"cancel_order(id=7)\"]}"
	var inJSON []markCase
	for _, m := range []markCase{
		{"mustNot", `{"name": "b", "arguments": {"x": 1, "y": 2}, "mustNot": true}`, nil, nil, [][]string{{yes}}, 3},
		{"required", `{"name": "b", "arguments": {"x": 1, "y": 2}, "required": true}`, nil, []string{yes}, [][]string{nil, {b}}, 3},
		{"accept", `{"name": "b", "arguments": {"x": 1, "y": 2}, "accept": {"x": [2]}}`, nil, []string{`b {"x":2,"y":2}`}, [][]string{nil}, 3},
		{"title", `{"name": "b", "arguments": {"x": 1, "y": 2}, "title": "ours"}`, nil, []string{yes}, [][]string{nil}, 3},
		{"oneOf", `{"oneOf": ["b(x=1, y=2)", "c(z=3)"]}`, nil, []string{c}, [][]string{nil, {yes, c}}, 3},
		{"optional", `{"optional": "b(x=1, y=2)"}`, nil, []string{yes}, nil, 3},
	} {
		m.kept = []string{m.text}
		m.text = first + m.text + last
		inJSON = append(inJSON, m)
	}
	var inText []markCase
	for _, m := range []markCase{
		{"must not:", "must not: b(x=1, y=2)\n", nil, nil, [][]string{{yes}}, 2},
		{"required:", "1. required: b(x=1, y=2) # policy\n", nil, []string{yes}, [][]string{nil, {b}}, 2},
		{"optional:", "optional: b(x=1, y=2)\n", nil, []string{yes}, nil, 2},
		{"comment", "b(x=1, y=2) # ours\n", nil, []string{yes}, [][]string{nil, {b}}, 2},
		{"comment", "# ours\nb(x=1, y=2)\n", nil, []string{yes}, [][]string{nil, {b}}, 2},
		{"one of:", "one of:\n  b(x=1, y=2)\n  c(z=3)\n", nil, []string{c}, [][]string{nil, {yes, c}}, 2},
		{"any order:", "any order:\n  b(x=1, y=2)\n  c(z=3)\n", nil, []string{c, yes}, [][]string{nil}, 2},
	} {
		m.kept = []string{m.text}
		m.text = "get_order(id=7)\n" + m.text + "cancel_order(id=7)\n"
		inText = append(inText, m)
	}
	return map[string][]markCase{"x.yaml": inYAML, "x.json": inJSON, "x.txt": inText}
}

// TestMarksStay holds the law of Update for each mark, each kind of update, and one or
// several trials: what a person wrote is still in the file, a run that breaks the mark is
// still rejected, the trials that keep to the mark are accepted, and the same update
// changes nothing more. A run that breaks the mark is refused with the mark's line.
func TestMarksStay(t *testing.T) {
	t.Parallel()
	kinds := map[string]func(m []string) []string{
		"a new call":      func(m []string) []string { return join([]string{look}, m, []string{cancel, send}) },
		"a new first":     func(m []string) []string { return join([]string{send, look}, m, []string{cancel}) },
		"another value":   func(m []string) []string { return join([]string{look}, m, []string{`cancel_order {"id":8}`}) },
		"a call less":     func(m []string) []string { return join([]string{look}, m) },
		"a read less":     func(m []string) []string { return join(m, []string{cancel}) },
		"everything new":  func(m []string) []string { return join([]string{send}, m, []string{refund}) },
		"another and new": func(m []string) []string { return join([]string{`get_order {"id":8}`, send}, m, []string{cancel}) },
	}
	checked := 0
	for name, cases := range markCases() {
		for _, m := range cases {
			for kind, run := range kinds {
				plain := run(m.good)
				for _, trials := range [][][]string{{plain}, {plain, join([]string{look}, m.good, []string{cancel}), plain}} {
					checkMark(t, name, kind, m, trials, nil)
					for _, broken := range m.breaks {
						if len(trials) == 1 {
							checkMark(t, name, kind, m, nil, [][]string{run(broken)})
						}
						checkMark(t, name, kind, m, trials, [][]string{run(broken)})
						checked += 2
					}
				}
			}
		}
	}
	if checked < 1000 {
		t.Errorf("only %d updates were checked", checked)
	}
}

func join(lists ...[]string) (all []string) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// checkMark updates the reference of a case by trials, some of which break its mark.
func checkMark(t *testing.T, name, kind string, m markCase, good, broken [][]string) {
	t.Helper()
	fails := func(format string, values ...any) {
		t.Helper()
		t.Errorf("%s, %s, %s, %d and %d trials: "+format, append([]any{name, m.mark, kind, len(good), len(broken)}, values...)...)
	}
	out := updateText(t, name, m.text, append(broken, good...)...)
	for _, kept := range m.kept {
		if !strings.Contains(out.Text, strings.TrimSuffix(kept, "\n")) {
			fails("%q is gone:\n%s", kept, out.Text)
		}
	}
	if len(out.Refused) != len(broken) {
		fails("%d runs were refused, want %d: %v\n%s", len(out.Refused), len(broken), out.Refused, out.Text)
	}
	for _, r := range out.Refused {
		lines, was := strings.Split(out.Text, "\n"), strings.Split(m.text, "\n")[m.line-1]
		if r.Mark != m.mark || r.Line < 1 || !strings.HasPrefix(lines[r.Line-1], was[:len(was)-3]) {
			fails("refused because of %q in line %d of\n%s", r.Mark, r.Line, out.Text)
		}
	}
	if len(good) == 0 && out.Text != m.text {
		fails("a run that breaks the mark changed the file:\n%s", out.Text)
	}
	for _, run := range broken {
		if accepts(t, name, out.Text, run) {
			fails("%q is accepted by\n%s", run, out.Text)
		}
	}
	if again := updateText(t, name, out.Text, append(broken, good...)...); again.Text != out.Text {
		fails("the second update changes\n%s\nto\n%s", out.Text, again.Text)
	}
	if len(out.Notes) > 0 {
		return // the trials differ in a write, so at least one of them still deviates
	}
	for _, run := range good {
		if !accepts(t, name, out.Text, run) {
			fails("%q is still rejected by\n%s", run, out.Text)
		}
	}
}

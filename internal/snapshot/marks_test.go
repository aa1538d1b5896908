package snapshot

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
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
	const first, last = "  - name: get_order\n    arguments: {qty: 7}\n", "  - name: cancel_order\n    arguments: {qty: 7}\n"
	step := func(member string) (text string, kept []string) {
		text = "steps:\n" + first + "  - name: b\n    arguments: {x: 1, y: 2}\n    " + member + "\n" + last
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
	addStep("mustNot", "mustNot: true # policy", 6, nil, []string{yes})
	addStep("required", "required: true # policy", 6, []string{yes}, nil, []string{b})
	addStep("compare", "compare: [x]", 6, []string{`b {"x":1,"y":5}`}, nil, []string{b})
	addStep("expect", "expect: {x: {max: 3}}", 6, []string{`b {"x":3,"y":2}`}, nil, []string{`b {"x":4,"y":2}`})
	addStep("times", "times: 2 # policy", 6, []string{yes, yes}, nil, []string{yes, yes, yes})
	addStep("pre", "pre: [approve]", 6, []string{"approve {}", yes}, []string{yes})
	addStep("eff", "eff: change b", 6, []string{yes}, nil, []string{b})
	addStep("scope", "scope: [B]", 6, []string{yes}, nil, []string{b})
	addStep("gran", "gran: 1", 6, []string{yes}, nil, []string{b})
	addStep("accept", "accept: {x: [2]}", 6, []string{`b {"x":2,"y":2}`}, nil)
	addStep("ignore", "ignore: [y]", 6, []string{`b {"x":1,"y":5}`}, nil)
	addStep("title", "title: ours", 6, []string{yes}, nil)
	addStep("comment", "# ours", 6, []string{yes}, nil)
	group := func(mark, lines string, line int, good []string, breaks ...[]string) {
		add(mark, "steps:\n"+first+lines+last, []string{lines}, line, good, breaks...)
	}
	group("oneOf", "  - oneOf: # policy\n      - b(x=1, y=2)\n      - c(z=3)\n", 4, []string{c}, nil, []string{yes, c})
	group("optional", "  - optional: b(x=1, y=2)\n", 4, []string{yes})
	group("anyOrder", "  - anyOrder:\n      - b(x=1, y=2)\n      - c(z=3)\n", 4, []string{c, yes}, nil, []string{c})
	group("sequence", "  - sequence:\n      - b(x=1, y=2)\n      - c(z=3)\n", 4, []string{yes, c}, nil, []string{yes})
	group("comment", "  # ours\n  - name: b\n    arguments:\n      x: 1 # and this\n      y: 2\n", 4, []string{yes}, nil)
	const end = "steps:\n" + first + last
	add("says", end+"says: [done] # policy\n", []string{"says: [done] # policy\n"}, 6, []string{"says done"}, nil)
	add("only", end+"only: [\"??*\"] # policy\n", []string{"only: [\"??*\"] # policy\n"}, 6, nil, []string{yes})
	add("aliases", end+"aliases: [[b, c]]\n", []string{"aliases: [[b, c]]\n"}, 0, nil)
	add("compositions", end+"compositions:\n  - whole: b\n    parts: [c, d]\n", []string{"compositions:\n  - whole: b\n    parts: [c, d]\n"}, 0, nil)
	add("comment", "# head\n\n"+end+"# end\n", []string{"# head\n\n", "# end\n"}, 0, nil)

	const before = "{\"steps\": [\n  {\"name\":\"get_order\",\"arguments\":{\"id\":7}},\n  "
	const behind = ",\n  {\"name\":\"cancel_order\",\"arguments\":{\"id\":7}}]}"
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
		m.text = before + m.text + behind
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
		m.text = "get_order(qty=7)\n" + m.text + "cancel_order(qty=7)\n"
		inText = append(inText, m)
	}
	return map[string][]markCase{"x.yaml": inYAML, "x.json": inJSON, "x.txt": inText}
}

// byBoundcheck returns the case in a file that boundcheck made.
func (m markCase) byBoundcheck(name string) markCase {
	if name == "x.json" {
		m.text = strings.TrimSuffix(m.text, "}") + ", \"title\": \"" + madeBy + "a.json\"}"
		return m
	}
	m.text, m.line = header+m.text, m.line+1
	return m
}

// TestMarksStay holds the law of Update for each mark, each kind of update, one or several
// trials, and both kinds of files: what a person wrote is still in the file, a run that
// breaks the mark is still rejected, and the same update changes nothing more. A run that
// breaks the mark is refused with the mark's line. In a file that boundcheck made, the
// trials that keep to the mark are accepted. Each mark has a third of the kinds, each kind a
// third of the marks, and with BOUNDCHECK_LONG=1 all of them.
func TestMarksStay(t *testing.T) {
	t.Parallel()
	kinds := map[string]func(m []string) []string{
		"a new call":      func(m []string) []string { return join([]string{look}, m, []string{cancel, send}) },
		"a new first":     func(m []string) []string { return join([]string{send, look}, m, []string{cancel}) },
		"another value":   func(m []string) []string { return join([]string{look}, m, []string{`cancel_order {"qty":8}`}) },
		"a call less":     func(m []string) []string { return join([]string{look}, m) },
		"a read less":     func(m []string) []string { return join(m, []string{cancel}) },
		"everything new":  func(m []string) []string { return join([]string{send}, m, []string{refund}) },
		"another and new": func(m []string) []string { return join([]string{`get_order {"qty":8}`, send}, m, []string{cancel}) },
	}
	checked, valued := 0, 0
	for name, cases := range markCases() {
		for i, m := range cases {
			for j, kind := range slices.Sorted(maps.Keys(kinds)) {
				if !drawn.InShare(i+j, 3) {
					continue
				}
				run := kinds[kind]
				plain := run(m.good)
				for _, trials := range [][][]string{{plain}, {plain, join([]string{look}, m.good, []string{cancel}), plain}} {
					check := func(good, broken [][]string) {
						t.Helper()
						checked++
						if checkPersonsMark(t, name, kind, m, good, broken) {
							valued++
						}
						if name != "x.txt" {
							checkMark(t, name, kind, m.byBoundcheck(name), good, broken)
						}
					}
					check(trials, nil)
					for _, broken := range m.breaks {
						if len(trials) == 1 {
							check(nil, [][]string{run(broken)})
						}
						check(trials, [][]string{run(broken)})
					}
				}
			}
		}
	}
	if checked < 230 || valued < 16 {
		t.Errorf("only %d updates were checked, and %d added a value", checked, valued)
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

// checkPersonsMark updates the reference of a case in a file that boundcheck did not make.
// It reports whether the update added a value. Nothing else may change.
func checkPersonsMark(t *testing.T, name, kind string, m markCase, good, broken [][]string) (valued bool) {
	t.Helper()
	out := updateText(t, name, m.text, append(broken, good...)...)
	fails := func(format string, values ...any) {
		t.Helper()
		t.Errorf("%s, %s, %s, %d and %d trials: "+format+"\n%s%v", append(append([]any{name, m.mark, kind, len(good), len(broken)}, values...), out.Text, out.Refused)...)
	}
	if valued = out.Text != m.text; valued {
		added := regexp.MustCompile(`(, "accept": \{"qty": \[8\]\}|    accept: \{qty: \[8\]\}\n)`).ReplaceAllString(out.Text, "")
		if kind != "another value" || len(good) == 0 || added != m.text {
			fails("the file changed")
		}
	}
	for _, r := range out.Refused {
		if r.Line < 1 {
			fails("%q names no line", r)
		}
	}
	for _, run := range append(slices.Clone(broken), good...) {
		was, is := accepts(t, name, m.text, run), accepts(t, name, out.Text, run)
		if was && !is || !was && is && (!valued || !slices.ContainsFunc(good, func(g []string) bool { return slices.Equal(g, run) })) {
			fails("%q was accepted: %v, is accepted: %v", run, was, is)
		}
		if !is && len(out.Refused) == 0 {
			fails("%q is rejected, and no run was refused", run)
		}
	}
	return valued
}

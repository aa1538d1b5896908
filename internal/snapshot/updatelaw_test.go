package snapshot

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// genStep is a generated element of a reference: a call, or a group if children is set.
type genStep struct {
	name     string
	id, note int // arguments
	mark     string
	note2    string // the text of a comment: "" for none
	group    string
	children []*genStep
}

// call returns the step as a call of a run.
func (s *genStep) call() string {
	return fmt.Sprintf(`%s {"id":%d,"note":"n%d"}`, s.name, s.id, s.note)
}

// text returns the call on one line.
func (s *genStep) text() string { return fmt.Sprintf(`%s(id=%d, note="n%d")`, s.name, s.id, s.note) }

var genTools = []string{"get_a", "get_b", "get_c", "set_a", "set_b", "send_mail", "delete_c"}

type generator struct{ *rand.Rand }

func (g generator) newCall() *genStep {
	return &genStep{name: genTools[g.IntN(len(genTools))], id: g.IntN(3), note: g.IntN(3)}
}

// newStep returns a step, in which marks of a person are frequent.
func (g generator) newStep(depth int) *genStep {
	s := g.newCall()
	switch k := g.IntN(30); {
	case k < 2 && depth == 0:
		s.mark = "mustNot"
	case k < 5:
		s.mark = "required"
	case k == 5:
		s.mark = "accept"
	case k == 6:
		s.mark = "ignore"
	case k < 11 && depth < 2:
		s.group = []string{"oneOf", "optional", "anyOrder", "sequence"}[g.IntN(4)]
		for range 2 + g.IntN(2) {
			s.children = append(s.children, g.newStep(depth+1))
		}
		if s.group == "optional" {
			s.children = s.children[:1]
		}
	}
	if g.IntN(6) == 0 {
		s.note2 = fmt.Sprint("why ", g.IntN(1000))
	}
	return s
}

// yaml writes a step in one of several ways, behind a dash at the given column.
func (g generator) yaml(s *genStep, column int) string {
	in := "\n" + strings.Repeat(" ", column+2)
	comment := ""
	above := ""
	if s.note2 != "" && g.IntN(2) == 0 {
		above = strings.Repeat(" ", column) + "# " + s.note2 + "\n"
	} else if s.note2 != "" {
		comment = " # " + s.note2
	}
	out := above + strings.Repeat(" ", column) + "- "
	extra := map[string]string{"mustNot": "mustNot: true", "required": "required: true", "accept": "accept: {id: [7]}", "ignore": "ignore: [note]"}[s.mark]
	switch {
	case s.group == "optional":
		c := s.children[0]
		if c.group != "" || c.mark != "" || c.note2 != "" {
			return out + "optional:" + comment + in + "  " + strings.TrimLeft(g.flow(c), " ") + "\n"
		}
		return out + "optional: " + c.text() + comment + "\n"
	case s.group != "":
		out += s.group + ":" + comment + "\n"
		for _, c := range s.children {
			out += g.yaml(c, column+4)
		}
		return out
	case extra == "" && g.IntN(3) == 0:
		return out + s.text() + comment + "\n"
	case g.IntN(3) == 0:
		return out + g.flow(s) + comment + "\n"
	}
	out += "name: " + s.name + comment
	if extra != "" && g.IntN(2) == 0 {
		out += in + extra
		extra = ""
	}
	if g.IntN(2) == 0 {
		out += in + fmt.Sprintf("arguments: {id: %d, note: n%d}", s.id, s.note)
	} else {
		out += in + fmt.Sprintf("arguments:%s  id: %d%s  note: 'n%d'", in, s.id, in, s.note)
	}
	if extra != "" {
		out += in + extra
	}
	return out + "\n"
}

// flow writes a step on one line, as JSON that is also YAML.
func (g generator) flow(s *genStep) string {
	if s.group != "" {
		var parts []string
		for _, c := range s.children {
			parts = append(parts, g.flow(c))
		}
		if s.group == "optional" {
			return `{"optional": ` + parts[0] + "}"
		}
		return `{"` + s.group + `": [` + strings.Join(parts, ", ") + "]}"
	}
	extra := map[string]string{"mustNot": `, "mustNot": true`, "required": `, "required": true`, "accept": `, "accept": {"id": [7]}`, "ignore": `, "ignore": ["note"]`}[s.mark]
	if extra == "" && g.IntN(2) == 0 {
		return fmt.Sprintf("%q", s.text())
	}
	return fmt.Sprintf(`{"name": %q, "arguments": {"id": %d, "note": "n%d"}%s}`, s.name, s.id, s.note, extra)
}

// plain writes a step as lines of calls. Groups are not deeper than one level, and accept
// and ignore have no such form.
func (g generator) plain(s *genStep, indent string) string {
	comment := ""
	if s.note2 != "" {
		comment = " # " + s.note2
	}
	word := map[string]string{"oneOf": "one of:", "optional": "optional:", "anyOrder": "any order:"}[s.group]
	if word == "" || indent != "" {
		for s.group != "" {
			s.mark, s.group, s.children = "", "", nil
		}
		mark := map[string]string{"mustNot": "must not: ", "required": "required: "}[s.mark]
		if mark == "" {
			s.mark = ""
		}
		return indent + mark + s.text() + comment + "\n"
	}
	out := word + comment + "\n"
	for _, c := range s.children {
		out += g.plain(c, "  ")
	}
	return out
}

// newFile returns a generated reference as a file, and its steps.
func (g generator) newFile() (name, text string, steps []*genStep, says bool) {
	for range 1 + g.IntN(5) {
		steps = append(steps, g.newStep(0))
	}
	says = g.IntN(4) == 0
	switch g.IntN(4) {
	case 0:
		name, says = "x.txt", false
		for _, s := range steps {
			text += g.plain(s, "")
		}
	case 1:
		name = "x.json"
		var parts []string
		for _, s := range steps {
			parts = append(parts, g.flow(s))
		}
		text = "{\"steps\": [\n  " + strings.Join(parts, ",\n  ") + "\n]"
		if says {
			text += `, "says": ["done"]`
		}
		text += "}\n"
	default:
		name, text = "x.yaml", "# head\nsteps: # list\n"
		column := 2 * g.IntN(2)
		for _, s := range steps {
			text += g.yaml(s, column)
		}
		if says {
			text += "says: [done]\n"
		}
	}
	return name, text, steps, says
}

// run returns a run of the steps with random deviations. Each deviation has this
// probability.
func (g generator) run(steps []*genStep, says bool, deviation float64) (calls []string) {
	var do func(s *genStep)
	do = func(s *genStep) {
		deviates := g.Float64() < deviation
		switch s.group {
		case "optional":
			if g.IntN(2) == 0 {
				do(s.children[0])
			}
			return
		case "oneOf":
			do(s.children[g.IntN(len(s.children))])
			if deviates {
				do(s.children[g.IntN(len(s.children))])
			}
			return
		case "anyOrder", "sequence":
			order := slices.Clone(s.children)
			if s.group == "anyOrder" || deviates {
				g.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
			}
			for _, c := range order {
				do(c)
			}
			return
		}
		did := *s
		if s.mark == "mustNot" && !deviates {
			return
		}
		if deviates && s.mark != "mustNot" {
			switch g.IntN(3) {
			case 0:
				return
			case 1:
				did.id = g.IntN(4)
			case 2:
				did.note = g.IntN(4)
			}
		}
		calls = append(calls, did.call())
	}
	for _, s := range steps {
		do(s)
		if g.Float64() < deviation/2 {
			calls = append(calls, g.newCall().call())
		}
	}
	if says && g.Float64() >= deviation {
		calls = append(calls, "says done")
	}
	return calls
}

// breaksMark is the independent check: it looks only at the names and arguments of a run.
// It reports whether a run calls something forbidden, lacks a required call, does none of
// several alternatives, or does not say the text.
func breaksMark(steps []*genStep, says bool, run []string) bool {
	if says && !slices.Contains(run, "says done") {
		return true
	}
	var breaks func(s *genStep) bool
	breaks = func(s *genStep) bool {
		switch {
		case s.mark == "mustNot":
			return slices.Contains(run, s.call())
		case s.mark == "required":
			return !slices.Contains(run, s.call())
		case s.group == "oneOf":
			return !mayBeEmpty(s) && noneCalled(s, run)
		case s.group == "anyOrder", s.group == "sequence":
			return slices.ContainsFunc(s.children, breaks)
		}
		return false
	}
	return slices.ContainsFunc(steps, breaks)
}

// mayBeEmpty reports whether a step can be done without a call.
func mayBeEmpty(s *genStep) bool {
	switch s.group {
	case "optional":
		return true
	case "oneOf":
		return slices.ContainsFunc(s.children, mayBeEmpty)
	case "anyOrder", "sequence":
		return !slices.ContainsFunc(s.children, func(c *genStep) bool { return !mayBeEmpty(c) })
	}
	return false
}

// noneCalled reports whether a run makes no call with the name of a step in s.
func noneCalled(s *genStep, run []string) bool {
	for _, c := range s.children {
		if !noneCalled(c, run) {
			return false
		}
	}
	return s.group != "" || !slices.ContainsFunc(run, func(call string) bool { return strings.HasPrefix(call, s.name+" ") })
}

// personBytes returns the lines, or in JSON the values, that hold a mark or a comment.
func personBytes(name, text string) (kept []string) {
	for _, line := range strings.Split(text, "\n") {
		for _, word := range []string{"# ", "mustNot", "required", "accept", "ignore", "oneOf", "optional", "anyOrder", "sequence", "says", "must not", "one of", "any order"} {
			if strings.Contains(line, word) && name != "x.json" {
				kept = append(kept, line)
				break
			}
		}
	}
	return kept
}

// TestUpdateLaw holds the law of Update for generated references and runs.
func TestUpdateLaw(t *testing.T) {
	t.Parallel()
	changed, refused, broken := 0, 0, 0
	const rounds = 400
	for seed := range uint64(rounds) {
		g := generator{rand.New(rand.NewPCG(seed, 45))}
		name, text, steps, says := g.newFile()
		if _, _, err := Read(name, []byte(text)); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		var runs [][]string
		for range 1 + g.IntN(3) {
			runs = append(runs, g.run(steps, says, 0.2*g.Float64()))
		}
		trials, compare := testTrials(t, runs)
		out, err := Update(name, text, "", trials, compare)
		if err != nil {
			if strings.Contains(err.Error(), "edit") {
				continue // it changes nothing
			}
			t.Errorf("seed %d: %v\n%s", seed, err, text)
			continue
		}
		fails := func(what string) {
			t.Helper()
			t.Errorf("seed %d: %s\n%s\n%q\ngot\n%s%v %v", seed, what, text, runs, out.Text, out.Refused, out.Notes)
		}
		if out.Text != text {
			changed++
		}
		refused += len(out.Refused)
		for _, line := range personBytes(name, text) {
			if !strings.Contains(out.Text, line) && !isWithin(line, out.Text) {
				fails(fmt.Sprintf("%q is gone", line))
			}
		}
		for range 4 {
			probe := g.run(steps, says, 0.4)
			if breaksMark(steps, says, probe) && !accepts(t, name, text, probe) {
				if broken++; accepts(t, name, out.Text, probe) {
					fails(fmt.Sprintf("loosened: it now accepts %q", probe))
				}
			}
		}
		for i, run := range runs {
			if breaksMark(steps, says, run) && !accepts(t, name, text, run) && accepts(t, name, out.Text, run) {
				fails(fmt.Sprintf("run %d broke a mark and is accepted now", i+1))
			}
		}
		if again, err := Update(name, out.Text, "", trials, compare); err != nil || again.Text != out.Text {
			fails(fmt.Sprintf("the second update is another: %v\n%s", err, again.Text))
		}
	}
	t.Logf("%d of %d references changed, %d runs refused, %d probes broke a mark", changed, rounds, refused, broken)
	if changed < rounds/8 || refused < rounds/8 || broken < rounds/2 {
		t.Errorf("too few cases: %d references changed, %d runs refused, %d probes broke a mark", changed, refused, broken)
	}
}

// isWithin reports whether the bytes of a line occur in a line of a text in this order, so
// that bytes were only added.
func isWithin(line, text string) bool {
	for _, l := range strings.Split(text, "\n") {
		k := 0
		for i := 0; i < len(l) && k < len(line); i++ {
			if l[i] == line[k] {
				k++
			}
		}
		if k == len(line) {
			return true
		}
	}
	return false
}

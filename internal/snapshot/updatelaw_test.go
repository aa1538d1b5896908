package snapshot

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// genStep is a generated element of a reference: a call, or a group if children is set.
type genStep struct {
	name     string
	id, note int // arguments
	mark     string
	note2    string // the text of a comment: "" for none
	group    string
	children []*genStep
	written  bool // a call as boundcheck writes it
}

// call returns the step as a call of a run.
func (s *genStep) call() string {
	return fmt.Sprintf(`%s {"qty":%d,"note":"-%d-"}`, s.name, s.id, s.note)
}

// text returns the call on one line.
func (s *genStep) text() string { return fmt.Sprintf(`%s(qty=%d, note="-%d-")`, s.name, s.id, s.note) }

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
	extra := map[string]string{"mustNot": "mustNot: true", "required": "required: true", "accept": "accept: {qty: [7]}", "ignore": "ignore: [note]"}[s.mark]
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
	case extra == "" && g.IntN(4) == 0:
		return out + s.text() + comment + "\n"
	case g.IntN(4) == 0:
		return out + g.flow(s) + comment + "\n"
	}
	out += "name: " + s.name + comment
	if extra != "" && g.IntN(2) == 0 {
		out += in + extra
		extra = ""
	}
	if g.IntN(3) > 0 {
		s.written = s.mark == "" && s.note2 == ""
		out += in + fmt.Sprintf("arguments: {qty: %d, note: -%d-}", s.id, s.note)
	} else {
		out += in + fmt.Sprintf("arguments:%s  qty: %d%s  note: '-%d-'", in, s.id, in, s.note)
	}
	if extra != "" {
		out += in + extra
	}
	return out + "\n"
}

// flow writes a step on one line, as JSON that is also YAML. No comment fits there.
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
	extra := map[string]string{"mustNot": `, "mustNot": true`, "required": `, "required": true`, "accept": `, "accept": {"qty": [7]}`, "ignore": `, "ignore": ["note"]`}[s.mark]
	switch k := g.IntN(4); {
	case extra == "" && k == 0:
		return fmt.Sprintf("%q", s.text())
	case extra == "" && k > 1:
		return fmt.Sprintf(`{"name":%q,"arguments":{"qty":%d,"note":"-%d-"}}`, s.name, s.id, s.note)
	}
	return fmt.Sprintf(`{"name": %q, "arguments": {"qty": %d, "note": "-%d-"}%s}`, s.name, s.id, s.note, extra)
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

// newFile returns a generated reference as a file, and its steps. made reports whether the
// file has the header of boundcheck.
func (g generator) newFile() (name, text string, steps []*genStep, says, made bool) {
	marked := g.IntN(2) == 0
	for range 1 + g.IntN(5) {
		if marked {
			steps = append(steps, g.newStep(0))
		} else {
			steps = append(steps, g.newCall())
		}
	}
	says, made = marked && g.IntN(4) == 0, g.IntN(2) == 0
	switch g.IntN(6) {
	case 0:
		name, says, made = "x.txt", false, false
		for _, s := range steps {
			text += g.plain(s, "")
		}
	case 1:
		name = "x.json"
		var parts []string
		for _, s := range steps {
			parts = append(parts, g.flow(s))
			s.written = strings.HasPrefix(parts[len(parts)-1], `{"name":"`)
		}
		text = "{\"steps\": [\n  " + strings.Join(parts, ",\n  ") + "\n]"
		if says {
			text += `, "says": ["done"]`
		}
		if made {
			text += `, "title": "` + madeBy + `a.json"`
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
		if made {
			text = header + text
		}
	}
	return name, text, steps, says, made
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
			switch g.IntN(4) {
			case 0:
				return
			case 1:
				did.id = g.IntN(4)
			case 2:
				did.note = g.IntN(4)
			case 3:
				did.id, did.note = g.IntN(4), g.IntN(4)
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
// several alternatives, does not say the text, or has no call with the name of a step that
// boundcheck did not write.
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
		case s.group == "":
			return !s.written && noneCalled(s, run)
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
	var n struct{ made, persons, refused, broken, accepted int }
	rounds := drawn.Cases(150)
	for seed := range uint64(rounds) {
		g := generator{rand.New(rand.NewPCG(seed, 45))}
		name, text, steps, says, made := g.newFile()
		if _, _, err := Read(name, []byte(text)); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		if !made {
			eachCall(steps, func(s *genStep) { s.written = false })
		}
		runs := [][]string{g.run(steps, says, 0.3*g.Float64())}
		if g.IntN(12) == 0 {
			runs[0] = nil // it does nothing
		}
		for range g.IntN(3) {
			if g.IntN(3) > 0 {
				runs = append(runs, runs[0])
			} else {
				runs = append(runs, g.run(steps, says, 0.2*g.Float64()))
			}
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
		switch {
		case out.Text == text:
		case made:
			n.made++
		default:
			n.persons++
		}
		n.refused += len(out.Refused)
		for _, line := range personBytes(name, text) {
			if !strings.Contains(out.Text, line) && !isWithin(line, out.Text) {
				fails(fmt.Sprintf("%q is gone", line))
			}
		}
		if !made && !isSubsequence(text, out.Text) {
			fails("bytes of a person are gone")
		}
		eachCall(steps, func(s *genStep) {
			if strings.Count(out.Text, s.text()) < strings.Count(text, s.text()) {
				fails(fmt.Sprintf("%q is gone, and boundcheck does not write this form", s.text()))
			}
		})
		if !accepts(t, name, text, nil) && accepts(t, name, out.Text, nil) {
			fails("a run that does nothing agrees now")
		}
		law := &personsLaw{t, name, text, steps, usedRuns(trials, runs, out.Refused)}
		for _, probe := range g.probes(steps, says, runs) {
			if accepts(t, name, text, probe) {
				continue
			}
			breaks := breaksMark(steps, says, probe)
			if breaks {
				n.broken++
			}
			switch {
			case !breaks && made || !accepts(t, name, out.Text, probe):
			case breaks:
				fails(fmt.Sprintf("loosened: it now accepts %q", probe))
			case !law.explains(probe):
				fails(fmt.Sprintf("no value and no read of the runs explains why it now accepts %q", probe))
			default:
				n.accepted++
			}
		}
		if again, err := Update(name, out.Text, "", trials, compare); err != nil || again.Text != out.Text {
			fails(fmt.Sprintf("the second update is another: %v\n%s", err, again.Text))
		}
	}
	t.Logf("of %d references: %+v", rounds, n)
	if n.made < rounds/16 || n.persons < rounds/50 || n.refused < rounds/8 || n.broken < rounds/2 || n.accepted < rounds/30 {
		t.Errorf("too few cases of %d references: %+v", rounds, n)
	}
}

// probes returns runs with which a reference before and after an update is compared: runs
// of the steps, and the trials and each of them with a call less, more, or changed.
func (g generator) probes(steps []*genStep, says bool, runs [][]string) (all [][]string) {
	all = slices.Clone(runs)
	for range 4 {
		all = append(all, g.run(steps, says, 0.4))
	}
	for _, run := range runs {
		if len(run) == 0 {
			continue
		}
		at, call := g.IntN(len(run)), g.newCall().call()
		all = append(all, slices.Delete(slices.Clone(run), at, at+1), slices.Insert(slices.Clone(run), at, call))
		if tool, _, ok := strings.Cut(run[at], " {"); ok {
			changed := slices.Clone(run)
			changed[at] = fmt.Sprintf(`%s {"qty":%d,"note":"-%d-"}`, tool, g.IntN(4), g.IntN(4))
			all = append(all, changed)
		}
		for at, call := range run { // a value of the run beside one of a step
			var id, note int
			tool, rest, _ := strings.Cut(call, " ")
			if _, err := fmt.Sscanf(rest, `{"qty":%d,"note":"-%d-"}`, &id, &note); err != nil {
				continue
			}
			eachCall(steps, func(s *genStep) {
				if s.name == tool && s.id != id && s.note != note {
					mixed := slices.Clone(run)
					mixed[at] = (&genStep{name: tool, id: id, note: s.note}).call()
					all = append(all, mixed)
				}
			})
		}
	}
	return all
}

// eachCall calls f for each call in a list of steps.
func eachCall(steps []*genStep, f func(s *genStep)) {
	for _, s := range steps {
		if s.group == "" {
			f(s)
		}
		eachCall(s.children, f)
	}
}

// usedRuns returns the runs that were not refused.
func usedRuns(trials []Trial, runs [][]string, refused []Refusal) (used [][]string) {
	for i, run := range runs {
		if !slices.ContainsFunc(refused, func(r Refusal) bool { return r.Trial == trials[i].Name }) {
			used = append(used, run)
		}
	}
	return used
}

// personsLaw is the independent check for a file that boundcheck did not make.
type personsLaw struct {
	t          *testing.T
	name, text string // the file before the update
	steps      []*genStep
	used       [][]string
}

// explains reports whether the file accepted a run before the update if values and reads
// that the used trials show are taken out of it: a value is replaced by that of a step, and
// a read is left out.
func (l *personsLaw) explains(run []string) bool {
	budget := 3000
	var try func(done, rest []string) bool
	try = func(done, rest []string) bool {
		if budget--; budget < 0 {
			return false
		}
		if len(rest) == 0 {
			return accepts(l.t, l.name, l.text, done)
		}
		for _, call := range l.withoutShown(rest[0]) {
			next := slices.Clone(done)
			if call != "" {
				next = append(next, call)
			}
			if try(next, rest[1:]) {
				return true
			}
		}
		return false
	}
	return try(nil, run)
}

// withoutShown returns a call, and the calls for which it may stand. "" stands for none.
func (l *personsLaw) withoutShown(call string) (all []string) {
	all = []string{call}
	var id, note int
	tool, rest, _ := strings.Cut(call, " ")
	if _, err := fmt.Sscanf(rest, `{"qty":%d,"note":"-%d-"}`, &id, &note); err != nil {
		return all
	}
	shows := func(part string) bool {
		return slices.ContainsFunc(l.used, func(run []string) bool {
			return slices.ContainsFunc(run, func(c string) bool { return strings.HasPrefix(c, tool+" ") && strings.Contains(c, part) })
		})
	}
	whole := shows(strings.TrimPrefix(call, tool+" "))
	if strings.HasPrefix(tool, "get_") && shows("") {
		all = append(all, "")
	}
	eachCall(l.steps, func(s *genStep) {
		if s.name != tool {
			return
		}
		// the values of one argument, as a run shows them beside the others
		var stands []genStep
		if whole || s.mark == "ignore" && shows(fmt.Sprintf(`"qty":%d,`, id)) {
			stands = append(stands, genStep{name: tool, id: s.id, note: note})
		}
		if whole {
			stands = append(stands, genStep{name: tool, id: id, note: s.note})
		}
		for _, c := range stands {
			if !slices.Contains(all, c.call()) {
				all = append(all, c.call())
			}
		}
	})
	return all
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

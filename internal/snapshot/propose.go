package snapshot

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/path"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// Step is one step of a proposed reference.
type Step struct {
	Name, Text string
	Arguments  jsonval.Value
	Ignore     []Note // paths of arguments to ignore, with the reasons
	Accept     []Other
	Optional   string // why the step may be left out; "" if it is required
	Turn       int    // steps with the same turn were called side by side; -1 for none
	reads      bool
}

// Note is an argument's path and the reason for its treatment.
type Note struct{ Path, Why string }

// Other is an argument whose value differs between successful runs. Values holds the
// further values that the reference accepts.
type Other struct {
	Path   string
	Values []jsonval.Value
}

// proposeSteps returns the steps of a reference, made from successful runs of one task.
// It starts with the steps of the first run, without failed calls and without actions
// that only talk. These rules apply:
//
//   - A read that is not in all runs becomes optional.
//   - A write of the first run stays, even if another run does not have it.
//   - A write that only another run has is left out.
//   - If an argument has different short values, the reference accepts each of them.
//   - If an argument has different long values, the reference ignores it.
//   - The reference ignores texts and ids that a run makes up.
//
// The notes mention each write that is not in all runs. proposeSteps needs O(n²) time in
// the lengths of the runs.
func proposeSteps(runs []*trajectory.Trajectory) (steps []Step, notes []string) {
	if len(runs) == 0 {
		return nil, nil
	}
	classifier := mutation.New(nil, nil)
	steps = takeSteps(runs[0], classifier)
	for i, r := range runs[1:] {
		other := takeSteps(r, classifier)
		var more []string
		steps, more = mergeSteps(steps, other, i+2)
		notes = append(notes, more...)
	}
	return steps, notes
}

// takeSteps returns the steps of a run: its actions without failed attempts and without
// actions that only talk or think.
func takeSteps(t *trajectory.Trajectory, c *mutation.Classifier) (steps []Step) {
	for i := range t.Actions {
		if s, ok := stepOf(t, i, c); ok {
			steps = append(steps, s)
		}
	}
	return steps
}

// stepOf returns an action of a run as a step. ok is false for a failed attempt, and for
// an action that only talks or thinks.
func stepOf(t *trajectory.Trajectory, action int, c *mutation.Classifier) (s Step, ok bool) {
	a := &t.Actions[action]
	v := c.Classify(a.Name, a.Arguments)
	if a.Text != "" {
		v = mutation.ClassifyText(a.Text)
	}
	if a.Failed() || v.Control || a.Broken != "" || a.Requestor == "user" {
		return Step{}, false
	}
	s = Step{Name: a.Name, Text: a.Text, Arguments: a.Arguments, Turn: a.Message, reads: v.Mutating == mutation.No}
	s.ignoreOwnWords(earlierText(t, action))
	return s, true
}

// earlierText returns all text that a run received before the given action: the messages
// that the assistant did not write, and the results of calls.
func earlierText(t *trajectory.Trajectory, action int) string {
	var b strings.Builder
	at := t.Actions[action].Message
	for i, m := range t.Messages {
		if m.Role != "assistant" && (at < 0 || i < at) {
			b.WriteString(m.Text + "\n")
		}
	}
	for i := range t.Actions[:action] {
		if o := t.Actions[i].Observation; o != nil {
			b.WriteString(o.Text + "\n")
		}
	}
	return b.String()
}

var (
	generated = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$|^[0-9a-fA-F]{16,}$|^\d{4}-\d\d-\d\dT\d\d:\d\d`)
	})
	generatedKey = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)idempotency|request_?id|trace_?id|correlation|nonce|uuid|timestamp`)
	})
	proseKey = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(message|body|text|content|contents|subject|notes?|reasons?|comments?|description|summary|title|explanation|details?|memo|justification|rationale|thoughts?)$`)
	})
)

// ignoreOwnWords adds the arguments that a run makes up to s.Ignore. Such arguments are
// generated ids, times, and texts in the agent's own words. An argument is not made up if
// its value occurs in told, the text that the run received.
func (s *Step) ignoreOwnWords(told string) {
	for _, l := range s.Arguments.Leaves() {
		value := l.Value.Text()
		if strings.Contains(told, value) && value != "" {
			continue
		}
		_, isText := l.Value.Str()
		switch {
		case isText && generated().MatchString(value), generatedKey().MatchString(l.Key):
			s.Ignore = append(s.Ignore, Note{path.Literal(l.Path), "new in each run"})
		case isText && proseKey().MatchString(l.Key) && isProse(value):
			s.Ignore = append(s.Ignore, Note{path.Literal(l.Path), "free text"})
		}
	}
}

// isProse reports whether a text has at least four words and consists mostly of letters.
// Such a text is probably worded freely.
func isProse(s string) bool {
	letters := 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	return len(strings.Fields(s)) >= 4 && letters*2 > utf8.RuneCountInString(s)
}

// mergeSteps combines the current steps with the steps of another successful run. It
// pairs steps with the same name. The parameter run is the number of the other run in the
// notes.
func mergeSteps(steps, other []Step, run int) (out []Step, notes []string) {
	pairs := commonPairs(steps, other)
	i, j := 0, 0
	for _, p := range append(pairs, [2]int{len(steps), len(other)}) {
		for ; i < p[0]; i++ {
			s := steps[i]
			if s.reads && s.Optional == "" {
				s.Optional = fmt.Sprintf("good run %d did not make this call", run)
			} else if !s.reads {
				notes = append(notes, fmt.Sprintf("good run %d did not call %s; check whether the reference needs this call", run, s.Name))
			}
			out = append(out, s)
		}
		for ; j < p[1]; j++ {
			s := other[j]
			s.Turn = -1
			if s.reads {
				s.Optional = fmt.Sprintf("only good run %d made this call", run)
				out = append(out, s)
			} else {
				notes = append(notes, fmt.Sprintf("good run %d also called %s, which is not in this reference", run, s.Name))
			}
		}
		if i < len(steps) {
			out = append(out, mergePair(steps[i], other[j]))
			i, j = i+1, j+1
		}
	}
	return out, notes
}

// commonPairs returns pairs of indices of steps with equal names. It finds as many pairs
// as possible without changing the order of either list, and prefers pairs with equal
// arguments.
func commonPairs(a, b []Step) (pairs [][2]int) {
	best := make([][]int, len(a)+1)
	for i := range best {
		best[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			best[i][j] = max(best[i+1][j], best[i][j+1])
			if a[i].Name == b[j].Name {
				best[i][j] = max(best[i][j], best[i+1][j+1]+pairWeight(&a[i], &b[j]))
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i].Name == b[j].Name && best[i][j] == best[i+1][j+1]+pairWeight(&a[i], &b[j]):
			pairs = append(pairs, [2]int{i, j})
			i, j = i+1, j+1
		case best[i][j] == best[i+1][j]:
			i++
		default:
			j++
		}
	}
	return pairs
}

// pairWeight returns the weight of a pair of steps with the same name. Steps with equal
// arguments and equal texts have a larger weight. The function commonPairs prefers pairs
// with a larger weight.
func pairWeight(a, b *Step) int {
	if jsonval.Equal(a.Arguments, b.Arguments) && a.Text == b.Text {
		return 3
	}
	return 2
}

// mergePair joins two steps with the same name, from two successful runs, into one step.
// If an argument has two different short values, the new step accepts both. The new step
// ignores an argument with different long values, and an argument that only one of the
// two steps has.
func mergePair(s, other Step) Step {
	s.Ignore, s.Accept = slices.Clone(s.Ignore), slices.Clone(s.Accept)
	theirs := map[string]jsonval.Value{}
	for _, l := range other.Arguments.Leaves() {
		theirs[l.Path] = l.Value
	}
	for _, l := range s.Arguments.Leaves() {
		v, there := theirs[l.Path]
		delete(theirs, l.Path)
		if there && jsonval.Equal(v, l.Value) || s.ignoresPath(path.Literal(l.Path)) {
			continue
		}
		s.recordDifference(path.Literal(l.Path), l.Value, v)
	}
	for _, place := range sortedKeys(theirs) {
		if at := path.Literal(place); !s.ignoresPath(at) {
			s.Ignore = append(s.Ignore, Note{at, "only some good runs have this argument"})
		}
	}
	return s
}

func (s *Step) ignoresPath(at string) bool {
	return slices.ContainsFunc(s.Ignore, func(n Note) bool { return n.Path == at })
}

// recordDifference records that an argument has different values in two runs. The step
// accepts both values if they are short. Otherwise the step ignores the argument.
func (s *Step) recordDifference(at string, a, b jsonval.Value) {
	i := slices.IndexFunc(s.Accept, func(o Other) bool { return o.Path == at })
	short := b.Exists() && shortValue(a) && shortValue(b)
	switch {
	case !short:
		if i >= 0 {
			s.Accept = slices.Delete(s.Accept, i, i+1)
		}
		s.Ignore = append(s.Ignore, Note{at, "the good runs differ"})
	case i < 0:
		s.Accept = append(s.Accept, Other{at, []jsonval.Value{b}})
	case !slices.ContainsFunc(s.Accept[i].Values, func(v jsonval.Value) bool { return jsonval.Equal(v, b) }):
		s.Accept[i].Values = append(slices.Clone(s.Accept[i].Values), b)
	}
}

func shortValue(v jsonval.Value) bool {
	return v.Kind() != jsonval.Object && v.Kind() != jsonval.Array && len(strings.Fields(v.Text())) <= 3 && len(v.Raw()) <= 40
}

func sortedKeys[V any](m map[string]V) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, cmp.Compare[string])
	return keys
}

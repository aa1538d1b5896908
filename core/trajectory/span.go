package trajectory

import (
	"sort"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// span is one span, in a form that is common to all tracers.
type span struct {
	v                      jsonval.Value
	trace, id, name, start string
	keys                   []string // attributes, in text order
	values                 []jsonval.Value
	failed                 bool
	status                 string // the text of an error
	input, output          jsonval.Value
	kind                   string
}

// firstAttr returns the first of the named attributes that exists. The argument has the
// names, separated by spaces.
func (s *span) firstAttr(names string) jsonval.Value {
	return (&object{keys: s.keys, values: s.values}).get(names)
}

// firstText returns the text of the first of the named attributes whose text is not
// empty.
func (s *span) firstText(names string) string {
	return (&object{keys: s.keys, values: s.values}).firstText(names)
}

// byTrace groups spans by trace, and sorts each group by start time. The groups are in
// the order of their first spans.
func byTrace(spans []*span) [][]*span {
	var groups [][]*span
	index := map[string]int{}
	for _, s := range spans {
		i, ok := index[s.trace]
		if !ok {
			i = len(groups)
			index[s.trace] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], s)
	}
	for _, g := range groups {
		sort.SliceStable(g, func(i, j int) bool { return isEarlier(g[i].start, g[j].start) })
	}
	return groups
}

// isEarlier reports whether time a is before time b. Times are nanoseconds as digits, or
// ISO dates. The result is false if a time is missing.
func isEarlier(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	if hasOnlyDigits(a) && hasOnlyDigits(b) && len(a) != len(b) {
		return len(a) < len(b)
	}
	return a < b
}

func hasOnlyDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// tracer reads the spans of one trace. Each model span repeats the whole history. A call
// appears twice: in the model's answer, and in the span of its execution. tracer recognises
// repetitions by the call's id, or by counting if there is none.
type tracer struct {
	*run
	executed map[int]bool     // actions with a span of their own
	named    map[string][]int // actions that a model requested, by name
	bare     map[string][]int // the actions of named whose calls have no id
	ids      map[string]int   // actions by the call's id
}

func (d *decoder) newTracer() *tracer {
	t := &tracer{run: d.newRun(), executed: map[int]bool{}, named: map[string][]int{}, bare: map[string][]int{}, ids: map[string]int{}}
	t.once = newLedger()
	t.strict = true
	return t
}

// readTraces reads spans into one run for each trace. It calls the function read for
// every span. If some runs have no action, it adds a warning: the number of these runs,
// followed by the text in the argument without.
func (d *decoder) readTraces(spans []*span, read func(*tracer, *span), without string) {
	empty := 0
	for _, group := range byTrace(spans) {
		t := d.newTracer()
		t.t.ID = group[0].trace
		for _, s := range group {
			read(t, s)
		}
		if len(t.t.Actions) == 0 {
			empty++
		}
		t.addToDocument()
	}
	if empty > 0 {
		d.addTally("no-calls", without, empty)
	}
}

// beginHistory prepares t for a model span, which repeats the history from the beginning.
// It must be called before each model span is read.
func (t *tracer) beginHistory() { t.once.beginHistory() }

// readHistory calls read, which reads messages that were sent to a model. They repeat the
// answers before, so a call in them has perhaps another id there.
func (t *tracer) readHistory(read func()) {
	t.once.repeats = true
	read()
	t.once.repeats = false
}

// recordRequested records that a model requested the actions from index n on.
func (t *tracer) recordRequested(n int) {
	for i := n; i < len(t.t.Actions); i++ {
		a := &t.t.Actions[i]
		t.named[a.Name] = append(t.named[a.Name], i)
		if a.CallID != "" {
			t.ids[a.CallID] = i
		} else {
			t.bare[a.Name] = append(t.bare[a.Name], i)
		}
	}
}

// execution is one execution of a call, as its own span or event describes it.
type execution struct {
	call
	result jsonval.Value
	done   bool // there is a result, even an empty one
	flag   flag
}

// addExecution adds an execution to the requested call with the same id, or else to the
// earliest call with the same name and no span. If there is no such call, addExecution
// adds a call. A second execution with the same id is ignored.
func (t *tracer) addExecution(e execution) {
	e.unrecorded = e.unrecorded && e.arguments.Kind() != jsonval.Object
	i, known := t.ids[e.id]
	known = known && e.id != ""
	if known && t.executed[i] {
		return
	}
	if !known {
		i = t.earliestNamed(e.name, e.id)
	}
	if i < 0 {
		i = t.addExecutedCall(e.call)
	}
	t.executed[i] = true
	a := &t.t.Actions[i]
	if !a.Arguments.Exists() && a.Broken == "" && e.arguments.Exists() {
		a.Arguments, a.Broken = t.d.readArguments(a.Name, e.arguments)
	}
	if a.Observation == nil && (e.done || e.flag == failed) {
		o := newObservation(toolText(e.result), e.flag)
		a.Observation = &o
		t.addToolMessage(o.Text)
	} else if a.Observation != nil && e.flag == failed {
		a.Observation.Error = true
	}
}

// addExecutedCall adds a call that no model span contains. It also records the call in
// the ledger, so that later spans do not add the call again.
func (t *tracer) addExecutedCall(c call) int {
	once := t.once
	t.once = nil
	t.beginTurn("assistant")
	i := t.addCall(c)
	t.once = once
	t.once.recordExecuted(&c)
	if c.id != "" {
		t.ids[c.id] = i
	}
	return i
}

// earliestNamed returns the index of the first requested action that has the given name
// and no span yet, or -1. If id is not empty, it considers only actions without an id.
func (t *tracer) earliestNamed(name, id string) int {
	queues := t.named
	if id != "" {
		queues = t.bare
	}
	for q := queues[name]; len(q) > 0; q = q[1:] {
		queues[name] = q[1:]
		if !t.executed[q[0]] {
			return q[0]
		}
	}
	return -1
}

// toolText returns the text of a tool's output. The text may be inside a message.
func toolText(v jsonval.Value) string {
	if v.Kind() == jsonval.Object {
		if c := v.Get("content"); c.Exists() {
			return contentText(c)
		}
		if k := v.Get("kwargs").Get("content"); k.Exists() {
			return contentText(k)
		}
		if v.Len() == 1 {
			if o := openObject(v); o.hasAny("output result") {
				return toolText(o.values[0])
			}
		}
	}
	if text := contentText(v); text != "" || v.Kind() != jsonval.Array {
		return text
	}
	return v.Raw()
}

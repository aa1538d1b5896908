package engine

import (
	"sort"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/read/spent"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// Span is one span, in a form that is common to all tracers.
type Span struct {
	Value                  jsonval.Value // the span in the text
	Trace, ID, Name, Start string
	Keys                   []string        // attributes, in text order
	Values                 []jsonval.Value // of the attributes
	Failed                 bool
	Status                 string // the text of an error
	Input, Output          jsonval.Value
	Kind                   string // KindModel, KindTool, or any other word

	said *trajectory.Spent // what it took; see ByTrace
}

// firstAttr returns the first of the named attributes that exists. The argument has the
// names, separated by spaces.
func (s *Span) firstAttr(names string) jsonval.Value {
	return (&shape.Object{Keys: s.Keys, Values: s.Values}).Get(names)
}

// FirstText returns the text of the first of the named attributes whose text is not
// empty.
func (s *Span) FirstText(names string) string {
	return (&shape.Object{Keys: s.Keys, Values: s.Values}).FirstText(names)
}

// ByTrace groups spans by trace, and sorts each group by start time. The groups are in
// the order of their first spans.
func ByTrace(spans []*Span) [][]*Span {
	var groups [][]*Span
	index := map[string]int{}
	for _, s := range spans {
		i, ok := index[s.Trace]
		if !ok {
			i = len(groups)
			index[s.Trace] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], s)
	}
	for _, g := range groups {
		settleSpent(g)
		sort.SliceStable(g, func(i, j int) bool { return isEarlier(g[i].Start, g[j].Start) })
	}
	return groups
}

// settleSpent reads what the spans of one trace took.
func settleSpent(group []*Span) {
	all := make([]spent.Span, len(group))
	for i, s := range group {
		all[i] = spent.Span{ID: s.ID, Name: s.Name, Kind: s.Kind, Object: shape.OpenObject(s.Value), Keys: s.Keys, Values: s.Values}
	}
	spent.Settle(all)
	for i, s := range group {
		s.said = all[i].Said
	}
}

// EnterSpan notes what a span says that it took. Tokens of the span before it that no message
// took belong to the run.
func (t *Tracer) EnterSpan(s *Span) {
	t.LeaveSpan()
	t.Took.Said = s.said
}

// LeaveSpan ends the last span.
func (t *Tracer) LeaveSpan() {
	t.Trajectory.Spent.AddCounts(t.Took.Said)
	t.Took.Said = nil
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

// Tracer reads the spans of one trace. Each model span repeats the whole history. A call
// appears twice: in the model's answer, and in the span of its execution. tracer recognises
// repetitions by the call's id, or by counting if there is none.
type Tracer struct {
	*Run
	executed map[int]bool     // actions with a span of their own
	named    map[string][]int // actions that a model requested, by name
	bare     map[string][]int // the actions of named whose calls have no id
	ids      map[string]int   // actions by the call's id
}

// NewTracer returns a tracer for the spans of one trace, without messages or actions.
func (d *Decoder) NewTracer() *Tracer {
	t := &Tracer{Run: d.NewRun(), executed: map[int]bool{}, named: map[string][]int{}, bare: map[string][]int{}, ids: map[string]int{}}
	t.once = newLedger()
	t.Strict = true
	return t
}

// ReadTraces reads spans into one run for each trace. It calls the function read for
// every span. If some runs have no action, it adds a warning: the number of these runs,
// followed by the text in the argument without.
func (d *Decoder) ReadTraces(spans []*Span, read func(*Tracer, *Span), without string) {
	empty := 0
	for _, group := range ByTrace(spans) {
		t := d.NewTracer()
		t.Trajectory.ID = group[0].Trace
		for _, s := range group {
			t.EnterSpan(s)
			read(t, s)
		}
		if t.LeaveSpan(); len(t.Trajectory.Actions) == 0 {
			empty++
		}
		t.AddToDocument()
		d.copyEvaluations(group)
	}
	if empty > 0 {
		d.AddTally("no-calls", without, empty)
	}
}

// BeginHistory prepares t for a model span, which repeats the history from the beginning.
// It must be called before each model span is read.
func (t *Tracer) BeginHistory() { t.once.beginHistory() }

// ReadHistory calls read, which reads messages that were sent to a model. They repeat the
// answers before, so a call in them has perhaps another id there.
func (t *Tracer) ReadHistory(read func()) {
	t.once.repeats = true
	read()
	t.once.repeats = false
}

// RecordRequested records that a model requested the actions from index n on.
func (t *Tracer) RecordRequested(n int) {
	for i := n; i < len(t.Trajectory.Actions); i++ {
		a := &t.Trajectory.Actions[i]
		t.named[a.Name] = append(t.named[a.Name], i)
		if a.CallID != "" {
			t.ids[a.CallID] = i
		} else {
			t.bare[a.Name] = append(t.bare[a.Name], i)
		}
	}
}

// Execution is one execution of a call, as its own span or event describes it.
type Execution struct {
	Call
	Result jsonval.Value
	Done   bool // there is a result, even an empty one
	Flag   shape.Flag
}

// AddExecution adds an execution to the requested call with the same id, or else to the
// earliest call with the same name and no span. If there is no such call, AddExecution
// adds a call. A second execution with the same id is ignored.
func (t *Tracer) AddExecution(e Execution) {
	e.unrecorded = e.unrecorded && e.Arguments.Kind() != jsonval.Object
	took := t.Took.Said.Timing()
	i, known := t.ids[e.ID]
	known = known && e.ID != ""
	if known && t.executed[i] {
		return
	}
	if !known {
		i = t.earliestNamed(e.Name, e.ID)
	}
	if i < 0 {
		i = t.addExecutedCall(e.Call)
	}
	t.executed[i] = true
	a := &t.Trajectory.Actions[i]
	a.Spent = took.Over(a.Spent)
	if !a.Arguments.Exists() && a.Broken == "" && e.Arguments.Exists() {
		a.Arguments, a.Broken = t.Decoder.readArguments(a.Name, e.Arguments)
	}
	if a.Observation == nil && (e.Done || e.Flag == shape.Failed) {
		o := shape.NewObservation(ToolText(e.Result), e.Flag)
		a.Observation = &o
		t.AddToolMessage(o.Text)
	} else if a.Observation != nil && e.Flag == shape.Failed {
		a.Observation.Error = true
	}
}

// addExecutedCall adds a call that no model span contains. It also records the call in
// the ledger, so that later spans do not add the call again.
func (t *Tracer) addExecutedCall(c Call) int {
	once := t.once
	t.once = nil
	t.BeginTurn("assistant")
	i := t.AddCall(c)
	t.once = once
	t.once.recordExecuted(&c)
	if c.ID != "" {
		t.ids[c.ID] = i
	}
	return i
}

// earliestNamed returns the index of the first requested action that has the given name
// and no span yet, or -1. If id is not empty, it considers only actions without an id.
func (t *Tracer) earliestNamed(name, id string) int {
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

// ToolText returns the text of a tool's output. The text may be inside a message.
func ToolText(v jsonval.Value) string {
	if v.Kind() == jsonval.Object {
		if c := v.Get("content"); c.Exists() {
			return shape.ContentText(c)
		}
		if k := v.Get("kwargs").Get("content"); k.Exists() {
			return shape.ContentText(k)
		}
		if v.Len() == 1 {
			if o := shape.OpenObject(v); o.HasAny("output result") {
				return ToolText(o.Values[0])
			}
		}
	}
	if text := shape.ContentText(v); text != "" || v.Kind() != jsonval.Array {
		return text
	}
	return v.Raw()
}

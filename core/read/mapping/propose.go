package mapping

import (
	"errors"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/path"
)

// The names that producers use for the parts of calls and runs, the likeliest first.
var (
	nameKeys     = []string{"toolName", "tool_name", "functionName", "function_name", "tool", "function", "name", "action", "command", "method", "op"}
	argumentKeys = []string{"arguments", "args", "input", "parameters", "params", "toolInput", "tool_input", "kwargs", "payload", "toolArgs", "tool_args", "request"}
	resultKeys   = []string{"result", "output", "observation", "response", "toolOutput", "tool_output", "returned", "return", "content"}
	errorKeys    = []string{"error", "isError", "is_error", "failed", "exception", "exitCode", "exit_code", "status"}
	idKeys       = []string{"id", "callId", "call_id", "toolCallId", "tool_call_id"}
	successKeys  = []string{"success", "passed", "succeeded", "resolved", "outcome", "status"}
	taskKeys     = []string{"task_id", "taskId", "task", "case", "scenario"}
)

// manyRuns contains the names of lists whose elements are runs. A name matches as a
// whole, or after its last underscore. The elements of all other lists are parts of one
// run.
var manyRuns = []string{"run", "runs", "traj", "trajs", "trajectory", "trajectories", "trace", "traces", "session", "sessions",
	"conversation", "conversations", "episode", "episodes", "sample", "samples", "result", "results", "thread", "threads",
	"example", "examples", "row", "rows", "test", "tests", "case", "cases", "task", "tasks", "trial", "trials"}

// listsRuns reports whether the elements of a list with this name are runs.
func listsRuns(name string) bool {
	name = strings.ToLower(name)
	return slices.Contains(manyRuns, name[strings.LastIndexByte(name, '_')+1:])
}

// turnKeys contains names of members that only a turn of a run has. An element with one
// of them is not a run.
var turnKeys = []string{"role", "type", "step", "turn", "thought", "index", "message", "seq"}

// maxLooked limits the number of values that a proposal examines.
const maxLooked = 200_000

// Propose finds the list in which most elements look like calls, and returns a mapping
// for this list. calls is the number of calls that the mapping finds in data. Measure says
// what such a mapping leaves out.
func Propose(data []byte) (m *Map, calls int, err error) {
	v, err := parseDocument(data)
	if err != nil {
		return nil, 0, err
	}
	s := newSearch(v)
	var best *candidate
	for _, path := range s.order {
		if c := s.at[path]; c.callWeight() > 0 && (best == nil || c.callWeight() > best.callWeight()) {
			best = c
		}
	}
	if best == nil {
		return nil, 0, errors.New("found no list of calls. Each call needs a name (such as name, tool, toolName) and arguments (such as arguments, args, input)")
	}
	m = best.toMapping(v)
	_, calls, err = m.Apply(data)
	return m, calls, err
}

// candidate collects what the elements of all lists at one path have in common.
type candidate struct {
	path          []string // members, and # for the elements of a list
	objects       int
	typed         int            // the elements with the type of a tool's span
	named, argued map[string]int // by a member's path: the number of elements in which the member can be the name or the arguments
	other         map[string]int // by a member's path: the number of elements with this member
}

type search struct {
	at    map[string]*candidate
	order []string
	calls []jsonval.Value // all objects that look like calls
	n     int
}

func newSearch(v jsonval.Value) *search {
	s := &search{at: map[string]*candidate{}}
	s.visitValue(v, nil)
	return s
}

// visitValue looks for lists of calls in v, which is at the path steps. It also looks in
// objects whose members are records that look alike, and in strings that contain JSON.
func (s *search) visitValue(v jsonval.Value, steps []string) {
	if s.n++; s.n > maxLooked || len(steps) > 24 {
		return
	}
	switch v.Kind() {
	case jsonval.Array:
		s.visitElements(v.Elements(), steps)
	case jsonval.Object:
		s.visitObject(v, steps)
	case jsonval.String:
		if inner := innerJSON(v); inner.Exists() {
			s.visitValue(inner, append(slices.Clone(steps), "@fromstr"))
		}
	}
}

// visitObject looks in the members of an object. An object that looks like a call is one
// unless it holds calls; a call's arguments and result hold none.
func (s *search) visitObject(v jsonval.Value, steps []string) {
	if isRecordMap(v) {
		s.visitElements(memberValues(v), append(slices.Clone(steps), "@values"))
		return
	}
	called, before := looksCalled(v), len(s.calls)
	visit := func(of func(key string) bool) {
		v.Each(func(key string, m jsonval.Value) bool {
			if m.Kind() >= jsonval.String && of(key) {
				s.visitValue(m, append(slices.Clone(steps), path.Escape(key)))
			}
			return true
		})
	}
	visit(func(key string) bool { return !called || !isContent(key) })
	switch {
	case called && len(s.calls) == before:
		s.calls = append(s.calls, v)
	case called:
		visit(isContent)
	}
}

// isContent reports whether a member with this name holds the arguments or the result of a
// call.
func isContent(key string) bool {
	return slices.Contains(argumentKeys, key) || slices.Contains(resultKeys, key)
}

func (s *search) visitElements(list []jsonval.Value, steps []string) {
	for _, e := range list {
		if e.Kind() == jsonval.Object {
			c := s.countElement(e, steps)
			if typed := typeQuery(e); typed != "" {
				c.typed++
				s.countElement(e, withQuery(steps, typed))
			}
		}
		s.visitValue(e, append(slices.Clone(steps), "#"))
	}
}

// innerJSON returns the object or list inside a string, or Missing.
func innerJSON(v jsonval.Value) jsonval.Value {
	text, _ := v.Str()
	if text = strings.TrimSpace(text); text == "" || text[0] != '{' && text[0] != '[' {
		return jsonval.Value{}
	}
	inner, err := jsonval.Parse(text)
	if err != nil {
		return jsonval.Value{}
	}
	return inner
}

func memberValues(v jsonval.Value) (list []jsonval.Value) {
	v.Each(func(_ string, m jsonval.Value) bool { list = append(list, m); return true })
	return list
}

// isRecordMap reports whether the members of an object are at least two objects that look
// alike, and none has the name of a part of a call.
func isRecordMap(v jsonval.Value) bool {
	var first []string
	n := 0
	v.Each(func(key string, m jsonval.Value) bool {
		keys := m.Keys()
		if m.Kind() != jsonval.Object || len(keys) == 0 || isContent(key) || slices.Contains(nameKeys, key) {
			n = -1
			return false
		}
		if n++; n == 1 {
			first = keys
			return true
		}
		same := 0
		for _, k := range first {
			if slices.Contains(keys, k) {
				same++
			}
		}
		if 2*same < len(first) {
			n = -1
		}
		return n > 0
	})
	return n > 1
}

// typeKeys are the names of the member that says what a span is.
var typeKeys = []string{"type", "kind", "span_type", "spanType", "span_kind", "run_type", "observation_type"}

// typeQuery returns the gjson query for the type of a tool's span, or "".
func typeQuery(e jsonval.Value) string {
	for _, key := range typeKeys {
		kind, ok := e.Get(key).Str()
		low := strings.ToLower(kind)
		if ok && (strings.Contains(low, "tool") || strings.Contains(low, "function")) && !strings.ContainsAny(kind, "\"\\") && !strings.Contains(low, "result") && !strings.Contains(low, "output") {
			return "#(" + key + "==" + jsonval.Quoted(kind) + ")#"
		}
	}
	return ""
}

// withQuery returns the path of the elements of a list for which a query is true.
func withQuery(steps []string, query string) []string {
	if len(steps) == 0 {
		return []string{query}
	}
	last := len(steps) - 1
	return append(slices.Clone(steps[:last]), steps[last]+"."+query)
}

func (s *search) countElement(e jsonval.Value, steps []string) *candidate {
	key := strings.Join(steps, ".")
	c := s.at[key]
	if c == nil {
		c = &candidate{path: steps, named: map[string]int{}, argued: map[string]int{}, other: map[string]int{}}
		s.at[key] = c
		s.order = append(s.order, key)
	}
	if c.objects++; isAround(e) {
		return c
	}
	c.countMembers(e, "")
	e.Each(func(key string, m jsonval.Value) bool {
		if m.Kind() == jsonval.Object {
			c.countMembers(m, path.Escape(key)+".")
		}
		return true
	})
	return c
}

// countMembers counts the members of an object that look like parts of a call. The object
// is an element of the list, or a member of an element. In the second case, prefix is the
// path of this member and a dot.
func (c *candidate) countMembers(o jsonval.Value, prefix string) {
	o.Each(func(key string, m jsonval.Value) bool {
		at := prefix + path.Escape(key)
		if s, ok := m.Str(); ok && slices.Contains(nameKeys, key) && isToolName(s) {
			c.named[at]++
		}
		if slices.Contains(argumentKeys, key) && holdsObject(m) {
			c.argued[at]++
		}
		c.other[at]++
		return true
	})
}

// isToolName reports whether a text can be the name of a tool. It must have 1 to 128
// bytes and no white space.
func isToolName(s string) bool { return s != "" && len(s) <= 128 && !strings.ContainsAny(s, " \n\t") }

func holdsObject(v jsonval.Value) bool {
	if s, ok := v.Str(); ok {
		return strings.HasPrefix(strings.TrimSpace(s), "{") && jsonval.Valid(s)
	}
	return v.Kind() == jsonval.Object
}

// callWeight returns a weight that grows with the number of elements that look like
// calls. It is 0 if no element looks like a call, or if only some are spans of tools: these
// are a candidate of their own. An element with a name and arguments
// counts more than an element with only a name.
func (c *candidate) callWeight() int {
	name, n := mostFrequent(c.named, nameKeys)
	_, a := mostFrequent(c.argued, argumentKeys)
	if n == 0 || c.typed > 0 && c.typed < c.objects || a == 0 && !strings.Contains(strings.ToLower(name), "tool") && !strings.Contains(strings.ToLower(name), "function") {
		return 0
	}
	return 4*min(n, a) + n
}

// mostFrequent returns the most frequent member, and its count. In a tie, the member
// whose name comes first in keys wins.
func mostFrequent(counts map[string]int, keys []string) (path string, n int) {
	rank := func(p string) int { return slices.Index(keys, p[strings.LastIndex(p, ".")+1:]) }
	for p, count := range counts {
		if count > n || count == n && (rank(p) < rank(path) || rank(p) == rank(path) && (len(p) < len(path) || len(p) == len(path) && p < path)) {
			path, n = p, count
		}
	}
	return path, n
}

func (c *candidate) toMapping(v jsonval.Value) *Map {
	m := &Map{}
	m.Name, _ = mostFrequent(c.named, nameKeys)
	m.Arguments, _ = mostFrequent(c.argued, argumentKeys)
	pick := func(keys []string, taken ...string) string {
		for _, k := range keys {
			if c.other[k] > 0 && !slices.Contains(taken, k) {
				return k
			}
		}
		return ""
	}
	m.Result = pick(resultKeys, m.Name, m.Arguments)
	m.Error = pick(errorKeys, m.Name, m.Arguments, m.Result)
	m.ID = pick(idKeys, m.Name)
	runs, calls := c.splitPath(v)
	m.Runs, m.Calls = runs, joinPath(calls)
	if runs != "" {
		m.aboutRuns(v)
	}
	return m
}

// splitPath splits the path of the calls into two parts. The result runs is the path to
// the list of runs, or "" if the text is one run. The result calls is the path from a run
// to its calls.
func (c *candidate) splitPath(v jsonval.Value) (runs string, calls []string) {
	for i, part := range c.path {
		if part != "#" {
			continue
		}
		switch {
		case i == 0 && !listsTurns(v), i > 0 && (listsRuns(c.path[i-1]) || c.path[i-1] == "@values"):
			return joinPath(c.path[:i]), c.path[i+1:]
		}
		break
	}
	return "", c.path
}

// listsTurns reports whether the elements of a list are turns of one run. The first
// element decides.
func listsTurns(v jsonval.Value) bool {
	for _, e := range v.Elements() {
		found := false
		e.Each(func(key string, _ jsonval.Value) bool {
			found = slices.Contains(turnKeys, key)
			return !found
		})
		return found // the first element decides
	}
	return false
}

func joinPath(path []string) string {
	if len(path) == 0 {
		return "@this"
	}
	return strings.Join(path, ".")
}

// aboutRuns sets Success and Task from the members of the first run.
func (m *Map) aboutRuns(v jsonval.Value) {
	c, err := m.compilePaths()
	if err != nil {
		return
	}
	if m.Runs != "" {
		v = c.findMember(v, "runs")
	}
	all := flattenObjects(v)
	if len(all) == 0 {
		return
	}
	for _, k := range successKeys {
		if _, known := interpretSuccess(all[0].Get(k)); known {
			m.Success = k
			break
		}
	}
	for _, k := range taskKeys {
		if s, ok := all[0].Get(k).Str(); ok && isToolName(s) {
			m.Task = k
			break
		}
	}
}

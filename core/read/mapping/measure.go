package mapping

import (
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// A mapping is held to the law of reading: what looks like a call in the text is read with
// the mapping, or it is said that it is not.

// Measured says what a mapping reads of a text, and what it leaves out.
type Measured struct {
	Runs, Calls int
	Unread      int      // objects that look like calls and are not read
	Names       []string // the names in the first of them
	Joined      int      // records of the text that become one run; 0 if each is one, or a part of one
}

// Fault says in words what a mapping leaves out, or "".
func (m *Measured) Fault() string {
	var parts []string
	if m.Unread > 0 {
		what := "1 object looks like a call but is not read with the mapping: "
		if m.Unread > 1 {
			what = fmt.Sprintf("%d objects look like calls but are not read with the mapping: ", m.Unread)
		}
		parts = append(parts, what+strings.Join(m.Names, ", "))
	}
	if m.Joined > 0 {
		parts = append(parts, fmt.Sprintf("the mapping reads %d records as one run; if each is a run, set runs", m.Joined))
	}
	return strings.Join(parts, "; ")
}

// Measure returns what the mapping reads of a text.
func (m *Map) Measure(data []byte) (Measured, error) {
	v, err := parseDocument(data)
	if err != nil {
		return Measured{}, err
	}
	c, err := m.compilePaths()
	if err != nil {
		return Measured{}, err
	}
	return m.measureRuns(v, c, m.runsOf(v, c)), nil
}

func (m *Map) runsOf(v jsonval.Value, c paths) []jsonval.Value {
	if m.Runs == "" {
		return []jsonval.Value{v}
	}
	return flattenObjects(c.findMember(v, "runs"))
}

func (m *Map) measureRuns(v jsonval.Value, c paths, runs []jsonval.Value) Measured {
	out := Measured{Runs: len(runs)}
	read := map[string]int{}
	for _, r := range runs {
		for _, call := range flattenObjects(c.findMember(r, "calls")) {
			out.Calls++
			for _, inside := range newSearch(call).calls { // such as {"function": {"name", "arguments"}}
				read[inside.Raw()]++
			}
		}
	}
	for _, call := range newSearch(v).calls {
		if raw := call.Raw(); read[raw] > 0 {
			read[raw]--
			continue
		}
		if out.Unread++; len(out.Names) < maxNamed {
			out.Names = append(out.Names, nameOf(call))
		}
	}
	if records := recordsWithCalls(v); m.Runs == "" && records > 1 {
		out.Joined = records
	}
	return out
}

const maxNamed = 5

// recordsWithCalls returns the number of records that are runs with calls, in a list or in
// a map of records. It returns 0 if the records are the parts of one run.
func recordsWithCalls(v jsonval.Value) (n int) {
	records := v.Elements()
	if isRecordMap(v) {
		records = memberValues(v)
	}
	if listsTurns(v) {
		return 0
	}
	ids := map[string]bool{}
	for _, r := range records {
		switch s := newSearch(r); {
		case looksCalled(r): // a record is a call: it belongs to a run by an id
			for _, key := range conversationKeys {
				if id := r.Get(key).Text(); id != "" {
					ids[id] = true
				}
			}
		case len(s.calls) > 0:
			n++
		}
	}
	return max(n, len(ids))
}

// conversationKeys are the names of the member that says to which run a call belongs.
var conversationKeys = []string{"run_id", "runId", "trace_id", "traceId", "session_id", "sessionId", "conversation_id", "conversationId", "thread_id", "threadId", "task_id", "taskId"}

// looksCalled reports whether an object has the name and the arguments of a call among its
// members. The definition of a tool, and the arguments or the result of a call, do not.
func looksCalled(o jsonval.Value) bool {
	if o.Kind() != jsonval.Object {
		return false
	}
	name, arguments, described := false, false, false
	o.Each(func(key string, m jsonval.Value) bool {
		s, ok := m.Str()
		name = name || ok && isToolName(s) && slices.Contains(nameKeys, key)
		arguments = arguments || slices.Contains(argumentKeys, key) && holdsObject(m)
		described = described || key == "description"
		return true
	})
	return name && arguments && !described && !isAround(o)
}

// isAround reports whether the type of a span is that of something around calls.
func isAround(o jsonval.Value) bool {
	for _, key := range typeKeys {
		kind, _ := o.Get(key).Str()
		if kind = strings.ToLower(kind); strings.Contains(kind, "tool") || strings.Contains(kind, "function") {
			return false
		}
		for _, word := range [...]string{"agent", "chain", "llm", "model", "generation", "chat", "retriever", "embedding", "workflow", "span", "trace", "message"} {
			if strings.Contains(kind, word) {
				return true
			}
		}
	}
	return false
}

func nameOf(call jsonval.Value) string {
	for _, key := range nameKeys {
		if s, ok := call.Get(key).Str(); ok && isToolName(s) {
			return s
		}
	}
	return "a call without a name"
}

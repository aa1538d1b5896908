package read

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/trajectory"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// The law: in a log of events, each call has the result that points at it, whatever the members for the
// type, the name, the input, the id and the link are called; a result of no call is stated; and each
// session is one run.

// eventNames are the names and words of one log.
type eventNames struct {
	kind, call, result, name, input, id, link, output, session string
	nested, listed                                             bool
}

var eventWords = [][2]string{{"tool_call", "tool_result"}, {"tool_start", "tool_end"}, {"call", "result"}, {"function_call", "function_result"}, {"tool.call", "tool.result"}, {"ToolCall", "ToolResult"},
	{"action", "observation"}, {"tool_use", "tool_output"}, {"tool_call_started", "tool_call_finished"}, {"action_started", "action_completed"}, {"tool_request", "tool_response"}}

func drawEventNames(r *rand.Rand) eventNames {
	pick := func(words ...string) string { return words[r.IntN(len(words))] }
	words := eventWords[r.IntN(len(eventWords))]
	n := eventNames{
		kind: pick("type", "kind", "event", "event_type", "ev", "phase", "what", "msg"), call: words[0], result: words[1], name: pick("name", "tool", "tool_name", "fn", "function"),
		input: pick("args", "input", "arguments", "params", "payload"), id: pick("id", "call_id", "uid", "ref", "call"), output: pick("output", "result", "response", "returned", "observation"),
		session: pick("session", "session_id", "run", "conversation", "conversation_id", "thread", "episode", "chat_id", "trial"), nested: r.IntN(4) == 0, listed: r.IntN(2) == 0,
	}
	n.link = pick("call", "for", "of", "ref", "parent", "in_reply_to", "call_id", "id", "caused_by", "tool_call_id", "responds_to", n.id)
	return n
}

// drawLog returns a log of events, and what should be read of it: for each session its calls with their
// results.
func drawLog(r *rand.Rand, n *eventNames) (events []any, want map[string]string) {
	want = map[string]string{}
	sessions, linked, orphan := 1+r.IntN(3), r.IntN(3) > 0, r.IntN(6) == 0
	queues := make([][]map[string]any, sessions)
	next := 0
	for s := range sessions {
		name := fmt.Sprint("s", s)
		add := func(o map[string]any, kind string) {
			inner := o
			if n.nested {
				inner = map[string]any{"data": o}
			}
			inner[n.kind] = kind
			if sessions > 1 {
				inner[n.session] = name
			}
			queues[s] = append(queues[s], inner)
		}
		var open []map[string]any
		flush := func() {
			if linked {
				r.Shuffle(len(open), func(i, j int) { open[i], open[j] = open[j], open[i] })
			}
			for _, o := range open {
				add(o, n.result)
			}
			open = nil
		}
		tools := r.Perm(4)
		for k := range 1 + r.IntN(4) {
			next++
			id, tool := fmt.Sprint("x", next), []string{"find_order", "cancel_order", "send_mail", "close_account"}[tools[k]]
			call, result := map[string]any{n.name: tool, n.input: map[string]any{"n": next}}, map[string]any{}
			if linked {
				call[n.id], result[n.link] = id, id
			}
			if !linked || r.IntN(3) == 0 {
				result[n.name] = tool
			}
			text := []string{"all well", "error: denied"}[r.IntN(2)]
			result[n.output] = text
			add(call, n.call)
			open = append(open, result)
			want[name] += fmt.Sprintf(" %s(%d)=%s", tool, next, text)
			if r.IntN(2) == 0 {
				flush()
			}
		}
		flush()
		if orphan && linked && s == 0 {
			add(map[string]any{n.link: "zz9", n.output: "all well"}, n.result)
			want[name] += " lost"
		}
	}
	for len(queues) > 0 {
		s := r.IntN(len(queues))
		events, queues[s] = append(events, queues[s][0]), queues[s][1:]
		if len(queues[s]) == 0 {
			queues = slices.Delete(queues, s, s+1)
		}
	}
	return events, want
}

func showLog(run *trajectory.Trajectory) (line string) {
	for _, a := range run.Actions {
		line += fmt.Sprintf(" %s(%s)", a.Name, a.Arguments.Get("n").Raw())
		if a.Observation != nil {
			line += "=" + a.Observation.Text
			if a.Observation.Error != strings.HasPrefix(a.Observation.Text, "error") {
				line += "!"
			}
		}
	}
	if strings.Contains(run.Doubt, "a tool returned a result") {
		line += " lost"
	}
	return line
}

// readLog reads a log, and returns what showLog says of each run.
func readLog(text string) (got []string, err error) {
	doc, err := Decode([]byte(text))
	if err == nil {
		for i := range doc.Trajectories {
			got = append(got, showLog(&doc.Trajectories[i]))
		}
	}
	return got, err
}

func TestEventLogs(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 5))
	wrong := 0
	for range drawn.Cases(600) {
		n := drawEventNames(r)
		events, want := drawLog(r, &n)
		text := ""
		for _, e := range events {
			line, _ := json.Marshal(e)
			text += string(line) + "\n"
		}
		if n.listed {
			list, _ := json.Marshal(events)
			text = `{"events":` + string(list) + `}`
		}
		got, err := readLog(text)
		if a, b := showDrawn(got), showDrawn(slices.Collect(maps.Values(want))); a != b {
			if wrong++; wrong <= 4 {
				t.Errorf("%+v: %v\n%s\ngot\n%s\nwant\n%s", n, err, text, a, b)
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d wrong", wrong)
	}
}

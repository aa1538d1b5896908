package read

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// loggedRun is a run of a drawn log, as the test knows it.
type loggedRun struct {
	id      string
	calls   int // that were executed
	refused int
	passed  bool
}

// logWords are the names of members and the sorts of events in one log.
type logWords struct {
	sort, run, tool, arguments, call string
	begin, did, result, refused, end string
	outcome                          string
}

// writeLog writes a log of events of several runs, one after the other or in turns.
func writeLog(r *rand.Rand, w logWords) (string, []loggedRun) {
	runs := make([]loggedRun, 2+r.IntN(4))
	lines := make([][]string, len(runs))
	for i := range runs {
		run := loggedRun{id: fmt.Sprintf("r-%03d", 100+i), passed: r.IntN(2) == 0}
		add := func(sort, more string) {
			lines[i] = append(lines[i], fmt.Sprintf(`{"t":%d,%q:%q,%q:%q%s}`, 1000+r.IntN(1000), w.sort, sort, w.run, run.id, more))
		}
		add(w.begin, `,"prompt":"Please do it"`)
		for k := range r.IntN(4) {
			id := fmt.Sprintf(`,%q:"c%d"`, w.call, k)
			named := id + fmt.Sprintf(`,%q:"tool_%d",%q:{"n":%d}`, w.tool, r.IntN(5), w.arguments, r.IntN(90))
			if r.IntN(5) == 0 {
				run.refused++
				add(w.refused, named)
				continue
			}
			run.calls++
			add(w.did, named)
			add(w.result, id+`,"ok":`+fmt.Sprint(r.IntN(4) > 0)+`,"result":"x"`)
		}
		add(w.end, fmt.Sprintf(`,%q:%q`, w.outcome, map[bool]string{true: "pass", false: "fail"}[run.passed]))
		runs[i] = run
	}
	var all []string
	if r.IntN(2) == 0 {
		return strings.Join(slices.Concat(lines...), "\n"), runs
	}
	for left := true; left; {
		left = false
		for i := range lines {
			if n := min(len(lines[i]), 1+r.IntN(3)); n > 0 {
				all, lines[i], left = append(all, lines[i][:n]...), lines[i][n:], true
			}
		}
	}
	return strings.Join(all, "\n"), runs
}

// TestLoggedRuns draws logs of events in several spellings: each run is read, also one without a call and one
// that stands between the events of another, and its outcome is that of its last event, not that of a call.
func TestLoggedRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 60))
	words := []logWords{
		{"ev", "run", "tool", "args", "call", "run.begin", "call.begin", "call.end", "call.rejected", "run.end", "verdict"},
		{"event", "run", "tool", "args", "span", "run.begin", "tool.begin", "tool.end", "tool.denied", "run.end", "status"},
		{"type", "session_id", "tool_name", "arguments", "call_id", "session_started", "tool_call", "tool_result", "tool_denied", "session_finished", "verdict"},
		{"event", "trial", "tool", "input", "tool_call_id", "start", "tool_call", "tool_output", "tool_call_blocked", "graded", "verdict"},
		{"msg", "corr", "tool", "args", "call", "conversation started", "tool call", "tool result", "tool refused before execution", "conversation ended", "verdict"},
		{"kind", "conversation_id", "tool", "args", "call", "開始", "call", "result", "call refused", "終了", "verdict"},
	}
	for range drawn.Cases(200) {
		text, want := writeLog(r, words[r.IntN(len(words))])
		if !slices.ContainsFunc(want, func(w loggedRun) bool { return w.calls > 0 }) {
			continue
		}
		doc, err := Decode([]byte(text))
		var got []loggedRun
		for i := range doc.Trajectories {
			run := &doc.Trajectories[i]
			g := loggedRun{id: run.ID, passed: run.Success != nil && *run.Success}
			for k := range run.Actions {
				if run.Actions[k].Proposed {
					g.refused++
				} else {
					g.calls++
				}
			}
			got = append(got, g)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%v: %+v, want %+v; %v\n%s", err, got, want, doc.Warnings, text)
		}
	}
}

// TestRowsOfCalls draws tables with a row for each call: the rows of a run are one run, and arguments in words or
// in JSON are the same.
func TestRowsOfCalls(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 61))
	for range drawn.Cases(200) {
		column := []string{"visit_id", "case", "session", "run", "Vorgang_Nr"}[r.IntN(5)]
		text := column + "\tstep\tname\ttool\targuments\tstatus\n" // the name is that of a customer
		var want []int
		for i := range 2 + r.IntN(4) {
			n := 1 + r.IntN(4)
			if i == 0 {
				n++ // one run has several rows
			}
			want = append(want, n)
			for k := range n {
				arguments := fmt.Sprintf("pet=Moss day=%d note=two words", k)
				if r.IntN(2) == 0 {
					arguments = fmt.Sprintf(`{"pet":"Moss","day":%d,"note":"two words"}`, k)
				}
				text += fmt.Sprintf("V-%d%s\t%d\tAnna\ttool_%d\t%s\tok\n", 300+i, strings.Repeat(" ", r.IntN(2)), k+1, r.IntN(3), arguments)
			}
		}
		doc, err := Decode([]byte(text))
		var got []int
		for i := range doc.Trajectories {
			run := &doc.Trajectories[i]
			got = append(got, len(run.Actions))
			for k := range run.Actions {
				if name := run.Actions[k].Name; !strings.HasPrefix(name, "tool_") {
					t.Errorf("call of %s\n%s", name, text)
				}
				if a := run.Actions[k].Arguments; a.Get("pet").Text() != "Moss" || a.Get("day").Raw() != fmt.Sprint(k) || a.Get("note").Text() != "two words" {
					t.Errorf("arguments %s of call %d\n%s", a.Raw(), k, text)
				}
			}
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%v: %v, want %v\n%s", err, got, want, text)
		}
	}
}

// TestReusedIDsOfPieces checks calls that a stream sends in pieces, with ids that begin again in each run.
func TestReusedIDsOfPieces(t *testing.T) {
	var b strings.Builder
	for i, tool := range []string{"find", "pay"} {
		fmt.Fprintf(&b, `{"type":"RUN_STARTED","threadId":"t","runId":"r%d"}
{"type":"TOOL_CALL_START","toolCallId":"tc_1","toolCallName":%q}
{"type":"TOOL_CALL_ARGS","toolCallId":"tc_1","delta":"{\"n\":"}
{"type":"TOOL_CALL_ARGS","toolCallId":"tc_1","delta":"%d}"}
{"type":"TOOL_CALL_END","toolCallId":"tc_1"}
{"type":"TOOL_CALL_RESULT","toolCallId":"tc_1","messageId":"m%d","role":"tool","content":"ok"}
{"type":"RUN_FINISHED","threadId":"t","runId":"r%d"}
`, i, tool, i, i, i)
	}
	doc, err := Decode([]byte(b.String()))
	if err != nil || len(doc.Trajectories) != 2 {
		t.Fatalf("%v: %d runs, want 2; %v", err, len(doc.Trajectories), doc.Warnings)
	}
	for i := range doc.Trajectories {
		if a := doc.Trajectories[i].Actions; len(a) != 1 || a[0].Arguments.Get("n").Raw() != fmt.Sprint(i) {
			t.Errorf("run %d: %+v", i, a)
		}
	}
}

// TestRefusedBesideExecuted checks that an event that refuses a call says nothing of an equal call that was executed.
func TestRefusedBesideExecuted(t *testing.T) {
	const did, refused = `{"ev":"call.begin","run":"a","tool":"pay","args":{"n":1}}`, `{"ev":"call.rejected","run":"a","tool":"pay","args":{"n":1}}`
	for _, order := range [][]string{{did, refused}, {refused, did}, {refused, did, refused}, {did, did, refused}} {
		text := `{"ev":"run.begin","run":"a","prompt":"Pay"}` + "\n" + strings.Join(order, "\n") + `
{"ev":"run.end","run":"a"}
{"ev":"run.begin","run":"b","prompt":"Hello"}
{"ev":"run.end","run":"b"}`
		doc, err := Decode([]byte(text))
		if err != nil || len(doc.Trajectories) != 2 {
			t.Fatalf("%v: %d runs\n%s", err, len(doc.Trajectories), text)
		}
		var got []string
		for _, a := range doc.Trajectories[0].Actions {
			got = append(got, map[bool]string{true: refused, false: did}[a.Proposed])
		}
		if !slices.Equal(got, order) {
			t.Errorf("%q, want %q", got, order)
		}
	}
}

// TestChainsAreRuns draws the events that LangChain streams of several runs, some in two turns and some without a
// call, and checks that each call is one of the run that the metadata of its outermost chain names.
func TestChainsAreRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 86))
	for n := range drawn.Cases(100) {
		var lines []string
		want, runs := map[string]int{}, 2+r.IntN(3)
		for i := range runs {
			id := fmt.Sprintf("g-%d", i)
			want[id] = 0
			for turn := range 1 + r.IntN(2) {
				chain := fmt.Sprintf("%s-%d", id, turn)
				event := func(event, name, run, data string) {
					lines = append(lines, fmt.Sprintf(`{"event":%q,"name":%q,"run_id":%q,"data":%s,"metadata":{"thread_id":%q}}`, event, name, run, data, id))
				}
				event("on_chain_start", "LangGraph", chain, `{"input":{"messages":[{"lc":1,"type":"constructor","id":["langchain_core","messages","HumanMessage"],"kwargs":{"content":"Do it"}}]}}`)
				event("on_chain_start", "agent", chain+"-in", `{"input":{}}`)
				event("on_chain_end", "agent", chain+"-in", `{"output":{}}`)
				for k := range r.IntN(3) + 1 - min(i, 1) {
					input := fmt.Sprintf(`{"input":{"n":%d,"turn":%d}`, k, turn)
					event("on_tool_start", "pay", fmt.Sprintf("%s-%d", chain, k), input+"}")
					event("on_tool_end", "pay", fmt.Sprintf("%s-%d", chain, k), input+`,"output":"done"}`)
					want[id]++
				}
				event("on_chain_end", "LangGraph", chain, `{"output":{"messages":[{"lc":1,"type":"constructor","id":["langchain_core","messages","AIMessage"],"kwargs":{"content":"Done"}}]}}`)
			}
		}
		doc, err := Decode([]byte(strings.Join(lines, "\n")))
		if err != nil || len(doc.Trajectories) != runs {
			t.Fatalf("%d: %v, want %d runs\n%s", n, err, runs, strings.Join(lines, "\n"))
		}
		for i := range doc.Trajectories {
			if got := &doc.Trajectories[i]; len(got.Actions) != want[got.ID] {
				t.Fatalf("%d: run %s has %d calls, want %d\n%s", n, got.ID, len(got.Actions), want[got.ID], strings.Join(lines, "\n"))
			}
		}
	}
}

// TestBracketsAreRuns draws logs of nested pieces of work, each with an id and events where it begins and ends, in
// several spellings: the outermost pieces are the runs.
func TestBracketsAreRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 62))
	spellings := [][4]string{ // the members of sort and id, and the words for begin and end
		{"event", "run_id", "on_chain_start", "on_chain_end"}, {"type", "run_id", "step.started", "step.finished"},
	}
	for n := range drawn.Cases(150) {
		w := spellings[r.IntN(len(spellings))]
		var lines []string
		ids := 0
		event := func(sort, id, more string) {
			lines = append(lines, fmt.Sprintf(`{%q:%q,%q:%q%s}`, w[0], sort, w[1], id, more))
		}
		var piece func(depth int) (calls int)
		piece = func(depth int) (calls int) {
			ids++
			id := fmt.Sprintf("p-%d", ids)
			event(w[2], id, `,"name":"node"`)
			for k := range 1 + r.IntN(3) {
				if depth < 3 && (k == 0 || r.IntN(3) == 0) {
					calls += piece(depth + 1)
				} else if depth > 0 {
					ids++
					id := fmt.Sprintf("p-%d", ids)
					if w[2] == "on_chain_start" {
						event("on_tool_start", id, fmt.Sprintf(`,"name":"pay","data":{"input":{"n":%d}}`, ids))
						event("on_tool_end", id, `,"name":"pay","data":{"output":"done"}`)
					} else {
						event("tool_call", id, fmt.Sprintf(`,"tool":"pay","arguments":{"n":%d},"call_id":"c%d"`, ids, ids))
						event("tool_result", id, fmt.Sprintf(`,"call_id":"c%d","result":"done"`, ids))
					}
					calls++
				}
			}
			event(w[3], id, `,"name":"node"`)
			return calls
		}
		var want []int
		sum := 0
		for range 2 + r.IntN(3) {
			want = append(want, piece(0))
			sum += want[len(want)-1]
		}
		if sum == 0 {
			continue
		}
		text := strings.Join(lines, "\n")
		doc, err := Decode([]byte(text))
		if err != nil || len(doc.Trajectories) != len(want) {
			t.Fatalf("%d: %v, %d runs, want %d\n%s", n, err, len(doc.Trajectories), len(want), text)
		}
		for i := range want {
			if got := len(doc.Trajectories[i].Actions); got != want[i] {
				t.Fatalf("%d: run %d has %d calls, want %d\n%s", n, i, got, want[i], text)
			}
		}
	}
}

// TestSessionsOfServersAreRuns draws logs of MCP messages of one or several sessions, one after the other or in
// turns, with the same ids in each: every call is one of its session, with its own result.
func TestSessionsOfServersAreRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 63))
	for n := range drawn.Cases(150) {
		runs := 1 + r.IntN(3)
		queues, want := make([][]string, runs), make([]int, runs)
		for i := range runs {
			for id := range 1 + r.IntN(4) {
				say := func(message string) {
					queues[i] = append(queues[i], fmt.Sprintf(`{"session":"s-%d","message":{"jsonrpc":"2.0",%s}}`, i, message))
				}
				say(fmt.Sprintf(`"id":%d,"method":"tools/call","params":{"name":"pay","arguments":{"n":%d}}`, id, 10*i+id))
				say(fmt.Sprintf(`"id":%d,"result":{"content":[{"type":"text","text":"paid %d"}]}`, id, 10*i+id))
				want[i]++
			}
		}
		var lines []string
		for left := slices.Concat(queues...); len(lines) < len(left); {
			i := r.IntN(runs)
			if k := min(len(queues[i]), 1+r.IntN(8)); k > 0 {
				lines, queues[i] = append(lines, queues[i][:k]...), queues[i][k:]
			}
		}
		text := strings.Join(lines, "\n")
		doc, err := Decode([]byte(text))
		if err != nil || len(doc.Trajectories) != runs {
			t.Fatalf("%d: %v, %d runs, want %d\n%s", n, err, len(doc.Trajectories), runs, text)
		}
		for _, got := range doc.Trajectories {
			var i int
			fmt.Sscanf(got.ID, "s-%d", &i)
			if len(got.Actions) != want[i] {
				t.Fatalf("%d: %s has %d calls, want %d\n%s", n, got.ID, len(got.Actions), want[i], text)
			}
			for _, a := range got.Actions {
				if a.Observation == nil || a.Observation.Text != "paid "+a.Arguments.Get("n").Text() {
					t.Fatalf("%d: %s: %s has another result\n%s", n, got.ID, a.Arguments.Raw(), text)
				}
			}
		}
	}
}

// TestSessionsOfEvents draws events of sessions, each with a first event that is the session itself: a session
// is one run, also if it has no other event, wherever the list of the events is.
func TestSessionsOfEvents(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 28))
	for range drawn.Cases(100) {
		sort, whole := []string{"event_type", "kind", "type"}[r.IntN(3)], []string{"session", "run", "trace"}[r.IntN(3)]
		var events, want []string
		some := 0
		for i := range 2 + r.IntN(4) {
			calls := r.IntN(3)
			some += calls
			events = append(events, fmt.Sprintf(`{"event_id":"e%d","session_id":"s%d","parent_id":null,%q:%q,"event_name":"job %d","inputs":{"query":"Please do it"},"outputs":{"answer":"Done."}}`, i, i, sort, whole, i))
			for k := range calls {
				events = append(events, fmt.Sprintf(`{"event_id":"e%d-%d","session_id":"s%d","parent_id":"e%d",%q:"tool","event_name":"tool_%d","inputs":{"n":%d},"outputs":{"result":"ok"}}`, i, k, i, i, sort, r.IntN(3), k))
			}
			want = append(want, fmt.Sprint("s", i, " ", calls))
		}
		if some == 0 {
			continue
		}
		text := strings.Join(events, "\n")
		switch r.IntN(3) {
		case 0:
			text = "[" + strings.Join(events, ",") + "]"
		case 1:
			text = `{"events":[` + strings.Join(events, ",") + `],"total":` + fmt.Sprint(len(events)) + "}"
		}
		doc, err := Decode([]byte(text))
		var got []string
		for i := range doc.Trajectories {
			got = append(got, fmt.Sprint(doc.Trajectories[i].ID, " ", len(doc.Trajectories[i].Actions)))
		}
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("%v\n got %q\nwant %q\n%s", err, got, want, text)
		}
	}
}

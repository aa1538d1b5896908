package read

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
)

// aloneRun is a run of the tests in this file, with what should have been done.
type aloneRun struct {
	id     string
	asked  string
	calls  []string // name and number
	wanted []string
}

func (r *aloneRun) callList(of []string) (list []any) {
	list = []any{}
	for _, c := range of {
		name, n, _ := strings.Cut(c, " ")
		list = append(list, map[string]any{"name": name, "arguments": map[string]any{"n": json.RawMessage(n)}})
	}
	return list
}

// talk returns the run as messages. Each may name the run in a member.
func (r *aloneRun) talk(member string, value any) (list []any) {
	add := func(m map[string]any) {
		if member != "" {
			m[member] = value
		}
		list = append(list, m)
	}
	add(map[string]any{"role": "user", "content": r.asked})
	for i, c := range r.calls {
		name, n, _ := strings.Cut(c, " ")
		id := fmt.Sprint("c", i) // the same in each run
		add(map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{map[string]any{"id": id, "type": "function", "function": map[string]any{"name": name, "arguments": `{"n":` + n + `}`}}}})
		add(map[string]any{"role": "tool", "tool_call_id": id, "content": "done"})
	}
	add(map[string]any{"role": "assistant", "content": "Finished."})
	return list
}

func someRuns(random *rand.Rand, n int) []aloneRun {
	runs := make([]aloneRun, n)
	for i := range runs {
		r := &runs[i]
		r.id, r.asked = fmt.Sprint("task-", 7*i+3), fmt.Sprint("Please do job number ", i)
		for range 1 + random.Intn(3) {
			r.calls = append(r.calls, fmt.Sprintf("%s %d", []string{"pay_bill", "send_mail", "find_order"}[random.Intn(3)], random.Intn(9)))
		}
		r.wanted = slices.Clone(r.calls)
		if random.Intn(2) == 0 {
			r.wanted = append(r.wanted, fmt.Sprint("close_case ", random.Intn(9)))
		}
	}
	return runs
}

// checkRuns checks that a text was read as runs, in any order if they have ids.
func checkRuns(t *testing.T, text string, want []aloneRun, refs bool) {
	t.Helper()
	doc, err := Decode([]byte(text))
	if err != nil || len(doc.Trajectories) != len(want) {
		t.Errorf("%v, %d runs, want %d\n%s", err, len(doc.Trajectories), len(want), text)
		return
	}
	for i := range want {
		run := &doc.Trajectories[i]
		var got, ref []string
		for _, a := range run.Actions {
			got = append(got, a.Name+" "+a.Arguments.Get("n").Raw())
		}
		if !slices.Equal(got, want[i].calls) {
			t.Errorf("run %d has %q, want %q\n%s", i, got, want[i].calls, text)
		}
		if !refs {
			continue
		}
		if run.Reference == nil {
			t.Errorf("run %d has no reference; warnings %v, doubt %q\n%s", i, doc.Warnings, run.Doubt, text)
			continue
		}
		for _, s := range run.Reference.Steps {
			ref = append(ref, s.Name+" "+s.Arguments.Get("n").Raw())
		}
		if !slices.Equal(ref, want[i].wanted) {
			t.Errorf("run %d should have done %q, want %q\n%s", i, ref, want[i].wanted, text)
		}
	}
}

func asText(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// TestSeveralRuns checks lists and maps of whole runs under many names and in several forms, with
// what should have been done in each way in which it may stand beside them.
func TestSeveralRuns(t *testing.T) {
	random := rand.New(rand.NewSource(141))
	for n := range 400 {
		runs := someRuns(random, 2+random.Intn(3))
		form, container, side := random.Intn(4), random.Intn(2), random.Intn(5)
		name := []string{"runs", "trials", "attempts", "conversations", "trajectories", "episodes", "sessions", "rollouts", "model_outputs"}[random.Intn(9)]
		wantName := []string{"expected", "expected_calls", "golds", "ground_truth", "reference_tool_calls", "llamadas_esperadas"}[random.Intn(6)]
		withID := container == 1 || side == 1 || side == 2
		var list, wants []any
		byID, wantByID := map[string]any{}, map[string]any{}
		for i := range runs {
			r := &runs[i]
			if side == 3 {
				r.wanted = runs[0].wanted
				r.asked = runs[0].asked // trials of one task
			}
			var v any
			switch form {
			case 0:
				v = r.talk("", nil)
			case 1:
				v = map[string]any{"messages": r.talk("", nil)}
			case 2:
				v = map[string]any{"question": r.asked, "calls": r.callList(r.calls)}
			case 3:
				v = r.callList(r.calls)
			}
			if o, is := v.(map[string]any); is && withID {
				o["id"] = r.id
			} else if !is && container == 0 {
				withID = false
			}
			list, byID[fmt.Sprint("k", i)] = append(list, v), v
			wants = append(wants, r.callList(r.wanted))
			wantByID[fmt.Sprint("k", i)] = r.callList(r.wanted)
		}
		doc := map[string]any{name: list}
		if container == 1 {
			doc[name] = byID
		}
		switch {
		case side == 0: // by place
			if container == 1 {
				doc[wantName] = wantByID
			} else {
				doc[wantName] = wants
			}
		case side == 1 && withID && container == 0: // by id, in another order
			var cases []any
			for i := len(runs) - 1; i >= 0; i-- {
				cases = append(cases, map[string]any{"id": runs[i].id, "calls": runs[i].callList(runs[i].wanted)})
			}
			doc[wantName] = cases
		case side == 2 && withID && container == 0: // cases elsewhere
			var cases []any
			for i := len(runs) - 1; i >= 0; i-- {
				cases = append(cases, map[string]any{"id": runs[i].id, wantName: runs[i].callList(runs[i].wanted)})
			}
			doc["cases"] = cases
		case side == 3:
			doc[wantName] = runs[0].callList(runs[0].wanted)
		default:
			side = -1
		}
		if side < 0 && form == 3 && name == "model_outputs" {
			continue
		}
		checkRuns(t, asText(doc), runs, side >= 0)
		if t.Failed() {
			t.Fatalf("case %d: form %d, container %d, side %d", n, form, container, side)
		}
	}
}

// TestPartsNameTheirRun checks messages of several runs in one list, in turns or after each other,
// which name their run in a member.
func TestPartsNameTheirRun(t *testing.T) {
	random := rand.New(rand.NewSource(142))
	for range 300 {
		runs := someRuns(random, 2+random.Intn(3))
		member := []string{"sid", "session", "sessionId", "run", "dialog", "conv_id", "episode", "chat", "case_id", "sesion", "thread_id", "trialId"}[random.Intn(12)]
		var all []any
		parts := make([][]any, len(runs))
		left := 0
		for i := range runs {
			parts[i] = runs[i].talk(member, []any{i + 1, runs[i].id}[random.Intn(1+i%2)])
			left += len(parts[i])
		}
		inTurns := random.Intn(2) == 0
		for first := 0; left > 0; left-- {
			i := first
			if inTurns {
				i = random.Intn(len(runs))
				for len(parts[i]) == 0 {
					i = (i + 1) % len(runs)
				}
			} else if len(parts[i]) == 0 {
				first++
				i = first
			}
			all, parts[i] = append(all, parts[i][0]), parts[i][1:]
		}
		var order []aloneRun // in the order of their first messages
		for _, m := range all {
			for i := range runs {
				if m.(map[string]any)["content"] == runs[i].asked {
					order = append(order, runs[i])
				}
			}
		}
		var lines []string
		for _, m := range all {
			lines = append(lines, asText(m))
		}
		text := []string{asText(all), strings.Join(lines, "\n"), `{"messages":` + asText(all) + `}`}[random.Intn(3)]
		if checkRuns(t, text, order, false); t.Failed() {
			t.FailNow()
		}
	}
}

// TestPartsOfOneRun checks that messages are one run if their member names no run, or if they point at
// each other.
func TestPartsOfOneRun(t *testing.T) {
	random := rand.New(rand.NewSource(143))
	for _, member := range []string{"turn", "round", "agent", "session_type", "date", "batch"} {
		runs := someRuns(random, 2)
		runs[1].calls = nil // else equal ids say that they are two runs
		all := slices.Concat(runs[0].talk(member, "A"), runs[1].talk(member, "B"))
		checkRuns(t, asText(all), []aloneRun{{calls: runs[0].calls}}, false)
	}
	const linked = `{"type":"user","sessionId":"s1","uuid":"a","message":{"role":"user","content":"Cancel W-7."}}
{"type":"assistant","sessionId":"s1","uuid":"b","parentUuid":"a","message":{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"cancel","input":{"n":7}}]}}
{"type":"user","sessionId":"s2","uuid":"c","parentUuid":"b","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]}}
{"type":"assistant","sessionId":"s2","uuid":"d","parentUuid":"c","message":{"role":"assistant","content":[{"type":"text","text":"Done."}]}}`
	checkRuns(t, linked, []aloneRun{{calls: []string{"cancel 7"}}}, false)
}

// TestSidesByMeaning checks records of which two members hold calls: the names say which was done and
// which should have been done, in several languages.
func TestSidesByMeaning(t *testing.T) {
	random := rand.New(rand.NewSource(144))
	for _, pair := range [][2]string{{"y_pred", "y_true"}, {"pred_calls", "label_calls"}, {"student", "teacher"}, {"completion", "annotation"}, {"observed", "spec"}, {"rollout", "demo"},
		{"model_calls", "oracle"}, {"answer_calls_of_model", "solution"}, {"llamadas", "llamadas_esperadas"}, {"aufrufe", "erwartete_aufrufe"}, {"appels", "appels_attendus"}, {"chiamate", "chiamate_attese"}, {"calls", "must_call"}, {"calls", "esperado"}} {
		for form := range 3 {
			r := someRuns(random, 1)[0]
			doc := map[string]any{"id": "x", "question": r.asked, pair[0]: r.callList(r.calls), pair[1]: r.callList(r.wanted)}
			if form == 1 {
				doc[pair[0]], doc[pair[1]] = map[string]any{"tool_calls": r.callList(r.calls)}, map[string]any{"tool_calls": r.callList(r.wanted)}
			}
			text := asText(doc)
			if form == 2 {
				text = asText([]any{doc, doc})
				checkRuns(t, text, []aloneRun{r, r}, true)
				continue
			}
			checkRuns(t, text, []aloneRun{r}, true)
		}
	}
}

// TestPlannedIsNotDone checks that calls which were planned, forbidden, missed or given as an example are
// no calls of the run, and that the run is doubtful or has them as forbidden.
func TestPlannedIsNotDone(t *testing.T) {
	random := rand.New(rand.NewSource(145))
	for _, name := range []string{"plan", "proposed_calls", "missing_calls", "unexpected_calls", "extra_tool_calls", "few_shot_calls"} {
		for _, run := range []string{"calls", "executed_calls", "messages"} {
			r := someRuns(random, 1)[0]
			doc := map[string]any{"id": "x", "question": r.asked, name: r.callList([]string{"wipe_disk 1"}), run: r.callList(r.calls)}
			if run == "messages" {
				doc[run] = r.talk("", nil)
			}
			text := asText(doc)
			checkRuns(t, text, []aloneRun{r}, false)
			if doc, _ := Decode([]byte(text)); len(doc.Trajectories) == 1 && doc.Trajectories[0].Doubt == "" {
				t.Errorf("nothing was said of %s\n%s", name, text)
			}
		}
	}
	for _, name := range []string{"must_not_call", "forbidden_tools", "not_called", "disallowed_calls", "blacklistedTools", "mustNotCall"} {
		for _, listed := range []bool{false, true} {
			for _, done := range []bool{false, true} {
				r := someRuns(random, 1)[0]
				if done {
					r.calls = append(r.calls, "wipe_disk 1")
				}
				var never any = []string{"wipe_disk"}
				if listed {
					never = r.callList([]string{"wipe_disk 1"})
				}
				text := asText(map[string]any{"messages": r.talk("", nil), name: never})
				checkRuns(t, text, []aloneRun{r}, false)
				doc, _ := Decode([]byte(text))
				if ref := doc.Trajectories[0].Reference; (ref != nil) != done || done && (len(ref.Steps) != 1 || !ref.Steps[0].MustNot) {
					t.Errorf("reference %+v of a run that did it: %v\n%s", ref, done, text)
				}
				text = asText(map[string]any{"messages": r.talk("", nil), "expected": map[string]any{name: never, "calls": r.callList(r.wanted)}})
				doc, _ = Decode([]byte(text))
				if ref := doc.Trajectories[0].Reference; ref == nil || len(ref.Steps) != len(r.wanted)+1 || !ref.Steps[len(r.wanted)].MustNot {
					t.Errorf("reference %+v\n%s", ref, text)
				}
			}
		}
	}
}

// TestRivalAnswers checks records with several answers to one question: each is a run.
func TestRivalAnswers(t *testing.T) {
	random := rand.New(rand.NewSource(146))
	for _, names := range [][2]string{{"chosen", "rejected"}, {"response_a", "response_b"}, {"answer1", "answer2"}, {"modelA", "modelB"}, {"session_1", "session_2"}, {"loser", "winner"}} {
		for form := range 3 {
			runs := someRuns(random, 2)
			doc := map[string]any{"prompt": "Please do the job.", "score_margin": 2}
			for i := range runs {
				doc[names[i]] = []any{runs[i].talk("", nil), map[string]any{"tool_calls": runs[i].callList(runs[i].calls)}, map[string]any{"messages": runs[i].talk("", nil)}}[form]
			}
			checkRuns(t, asText(doc), runs, false)
			checkRuns(t, asText(doc)+"\n"+asText(doc), slices.Concat(runs, runs), false)
		}
	}
	runs := someRuns(random, 2)
	var choices []any
	for i := range runs {
		choices = append(choices, map[string]any{"index": i, "message": runs[i].talk("", nil)[1]})
		runs[i].calls = runs[i].calls[:1]
	}
	checkRuns(t, asText(map[string]any{"id": "x", "object": "chat.completion", "choices": choices}), runs, false)
}

// TestOneOfSeveral checks expected sides that list alternatives: each is as good as the others.
func TestOneOfSeveral(t *testing.T) {
	var r aloneRun
	one, two := r.callList([]string{"pay 1"}), r.callList([]string{"pay 2"})
	r.calls, r.asked = []string{"pay 2"}, "Please pay."
	for _, side := range []map[string]any{{"expected_any_of": []any{one, two}}, {"expected": map[string]any{"any_of": []any{one, two}}}, {"expectedAnyOf": []any{one, two}}} {
		side["messages"] = r.talk("", nil)
		doc, err := Decode([]byte(asText(side)))
		if err != nil || doc.Trajectories[0].Reference == nil || doc.Trajectories[0].Reference.Process == nil {
			t.Errorf("%v: %+v\n%s", err, doc.Trajectories, asText(side))
		}
	}
}

// TestRunsInOtherWays checks runs and sides that stand in a text in ways for which no name is enough.
func TestRunsInOtherWays(t *testing.T) {
	for _, c := range []struct {
		text        string
		calls, refs []int // of each run; -1 for no reference, nil for any
	}{
		// Several models did each case.
		{`{"sample":4,"model":"m","tool_calls":[{"name":"ask","arguments":{"q":1}}]}
{"sample":4,"model":"n","tool_calls":[{"name":"ask","arguments":{"q":1}}]}
{"sample":5,"model":"m","tool_calls":[{"name":"ask","arguments":{"q":2}},{"name":"buy","arguments":{"q":2}}]}`, []int{1, 1, 2}, nil},
		// The states of one run, each with what was before.
		{`{"user":"Please buy one.","revisions":[{"log":[{"tool":"buy","input":{"n":1}}]},{"log":[{"tool":"buy","input":{"n":1},"output":"bought"},{"tool":"pay","input":{"n":1},"output":"paid"}]}]}`, []int{2}, nil},
		// A row with the case and a row with its run.
		{`{"kind":"case","id":"a","expected_calls":[{"name":"buy","arguments":{"n":1}}]}
{"kind":"run","case":"a","messages":[{"role":"user","content":"Buy one."},{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"buy","arguments":"{\"n\":2}"}}]},{"role":"tool","tool_call_id":"1","content":"ok"}]}`, []int{1}, []int{1}},
		{`{"id":"a","split":"gold","calls":[{"name":"buy","arguments":{"n":1}}]}
{"id":"a","split":"model","calls":[{"name":"buy","arguments":{"n":2}}]}`, []int{1}, []int{1}},
		// Assertions of a test are no calls.
		{`{"cases":[{"id":"L","transcript":[{"role":"user","content":"Buy one."},{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"buy","arguments":"{\"n\":2}"}}]},{"role":"tool","tool_call_id":"1","content":"ok"}],"assertions":[{"type":"tool_called","tool":"buy","args":{"n":2},"passed":true},{"type":"tool_called","tool":"pay","passed":false},{"type":"reply_contains","text":"ok","passed":true}]},{"id":"M","transcript":[{"role":"user","content":"Hello."},{"role":"assistant","content":"Hello."}],"assertions":[{"type":"tool_not_called","tool":"buy","passed":true}]}]}`, []int{1, 0}, []int{2, -1}},
		// Names of tools in the cells of a table.
		{"id,query,actual_tools,expected_tools\na,find it,\"find, open\",\"find, open, close\"\nb,say hello,,\nc,send it,send,\"find, send\"\n", []int{2, 0, 1}, []int{3, 0, 2}},
		{"id\tquestion\tactual_calls\tcorrect_calls\n1\tq\tpay(n=1, m=2)\tpay(n=2)\n2\tq\tpay(n=1), ask(q=2)\tpay(n=1)\n", []int{1, 2}, []int{1, 1}},
		{`{"headers":["id","calls","gold"],"rows":[[1,[{"name":"pay","arguments":{"n":1}}],[{"name":"pay","arguments":{"n":2}}]],[2,[{"name":"pay","arguments":{"n":1}}],[{"name":"pay","arguments":{"n":1}}]]]}`, []int{1, 1}, []int{1, 1}},
		{`{"id":[7,8],"calls":[[{"name":"pay","arguments":{"n":1}}],[{"name":"pay","arguments":{"n":1}}]],"expected":[[{"name":"pay","arguments":{"n":1}}],[{"name":"pay","arguments":{"n":2}}]]}`, []int{1, 1}, []int{1, 1}},
		// A log in another language, with sessions in turns.
		{`{"sesion":"s-1","n":1,"tipo":"mensaje","de":"cliente","texto":"Anula el folio 9, por favor"}
{"sesion":"s-2","n":1,"tipo":"mensaje","de":"cliente","texto":"¿Abren el lunes?"}
{"sesion":"s-1","n":2,"tipo":"llamada","herramienta":"anular","parametros":{"folio":9}}
{"sesion":"s-1","n":3,"tipo":"respuesta","a":2,"salida":{"ok":true}}
{"sesion":"s-2","n":2,"tipo":"mensaje","de":"agente","texto":"No abrimos los lunes."}`, []int{1, 0}, nil},
		{`{"schritte":[{"werkzeug":"bestellung_stornieren","eingabe":{"nr":"7"},"ausgabe":"storniert"}],"erwartet":[{"werkzeug":"bestellung_stornieren","eingabe":{"nr":"8"}}]}`, []int{1}, []int{1}},
		// The end of a call repeats it.
		{`{"type":"tool_start","tool":"pay","input":{"n":1},"span":"1"}
{"type":"tool_end","span":"1","tool":"pay","input":{"n":1},"output":"ok"}`, []int{1}, nil},
		{`{"event":"invoke","name":"pay","payload":{"n":1},"seq":1}
{"event":"invoke","name":"pay","payload":{"n":2},"seq":2}
{"event":"result","seq":2,"payload":{"ok":true}}
{"event":"result","seq":1,"payload":{"ok":false}}`, []int{2}, nil},
		// Lines of a log with a mark before each record.
		{`2026-01-01 INFO {"messages":[{"role":"user","content":"Buy one."},{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"buy","arguments":"{\"n\":2}"}}]}]}
2026-01-02 INFO {"messages":[{"role":"user","content":"Buy two."},{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"buy","arguments":"{\"n\":2}"}}]}]}`, []int{1, 1}, nil},
		// The turns of one run.
		{`{"turns":[{"user":"Please pay 1","expected_calls":[{"name":"pay","arguments":{"n":1}}],"calls":[{"name":"pay","arguments":{"n":1}}]},{"user":"Now pay 2","expected_calls":[{"name":"pay","arguments":{"n":2}}],"calls":[]}]}`, []int{1}, []int{2}},
		// Planned calls, of which none was executed.
		{`{"id":"x","proposed_calls":[{"name":"pay","arguments":{"n":1}}],"executed_calls":[]}`, []int{0}, nil},
		{`{"id":"x","alternatives":[[{"name":"pay","arguments":{"n":1}}],[{"name":"pay","arguments":{"n":2}}]],"calls":[{"name":"pay","arguments":{"n":2}}]}`, []int{1}, nil},
	} {
		doc, err := Decode([]byte(c.text))
		var calls, refs []int
		for i := range doc.Trajectories {
			run := &doc.Trajectories[i]
			calls = append(calls, len(run.Actions))
			n := -1
			if run.Reference != nil {
				n = len(run.Reference.Steps)
			}
			refs = append(refs, n)
		}
		if err != nil || !slices.Equal(calls, c.calls) || c.refs != nil && !slices.Equal(refs, c.refs) {
			t.Errorf("%v: %d calls, %d steps, want %d and %d; warnings %v\n%s", err, calls, refs, c.calls, c.refs, doc.Warnings, c.text)
		}
	}
}

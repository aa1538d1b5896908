package read

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"regexp"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// drawObject writes members in a drawn order.
func drawObject(random *rand.Rand, members ...string) string {
	random.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	return "{" + strings.Join(members, ",") + "}"
}

func member(name string, value any) string { return literal.Quote(name) + ":" + asText(value) }

// splitCall returns the name and the number of a call of the tests.
func splitCall(call string) (name string, arguments map[string]any) {
	name, n, _ := strings.Cut(call, " ")
	return name, map[string]any{"n": json.RawMessage(n)}
}

func drawnOf(random *rand.Rand, words ...string) string { return words[random.Intn(len(words))] }

// TestRowsOfTheirOwnStayApart draws rows that have an id and a list of calls each, beside members that parts
// of a run have, too. Each row is a run, also one without a call.
func TestRowsOfTheirOwnStayApart(t *testing.T) {
	random := rand.New(rand.NewSource(87))
	for range 60 {
		runs := someRuns(random, 3+random.Intn(3))
		runs[1+random.Intn(len(runs)-1)].calls = nil
		id, list, who := drawnOf(random, "ticket", "case", "uid", "order_no", "ref"), drawnOf(random, "proposed", "suggested", "work", "todo"), drawnOf(random, "agent", "speaker", "thought")
		tool, input := drawnOf(random, "tool", "function"), drawnOf(random, "args", "params", "arguments")
		var rows []string
		for i := range runs {
			done := []any{}
			for k, c := range runs[i].calls {
				name, arguments := splitCall(c)
				done = append(done, map[string]any{"no": k, tool: name, input: arguments, "decision": "approved"})
			}
			rows = append(rows, drawObject(random, member(id, fmt.Sprint("A-", i)), member(who, "ops"), member(list, done), member("closed", true)))
		}
		text := strings.Join(rows, "\n")
		if random.Intn(2) == 0 {
			text = "[" + strings.Join(rows, ",") + "]"
		}
		checkRuns(t, text, runs, false)
	}
}

// TestMapsOfConversations draws stores that keep each conversation under its id: as a list or as a text.
func TestMapsOfConversations(t *testing.T) {
	random := rand.New(rand.NewSource(88))
	for range 60 {
		runs := someRuns(random, 2+random.Intn(3))
		written, foreign, prefix := random.Intn(2) == 0, random.Intn(2) == 0, drawnOf(random, "user-", "memory:", "x")
		if random.Intn(2) == 0 {
			runs[len(runs)-1].calls = nil
		}
		store := map[string]any{}
		for i := range runs {
			talk := runs[i].talk("", nil)
			if foreign { // messages that name their sort and have no role
				talk = []any{map[string]any{"type": "USER", "contents": []any{map[string]any{"type": "TEXT", "text": runs[i].asked}}}}
				for k, c := range runs[i].calls {
					name, arguments := splitCall(c)
					id := fmt.Sprint("c", i, k)
					talk = append(talk, map[string]any{"type": "AI", "toolExecutionRequests": []any{map[string]any{"id": id, "name": name, "arguments": asText(arguments)}}},
						map[string]any{"type": "TOOL_EXECUTION_RESULT", "id": id, "toolName": name, "text": "done"})
				}
				talk = append(talk, map[string]any{"type": "AI", "text": "Finished."})
			}
			store[prefix+fmt.Sprint(i)] = shape.IfElse[any](written, asText(talk), talk)
		}
		var text any = store
		if random.Intn(2) == 0 {
			text = map[string]any{drawnOf(random, "memory", "stored", "chats"): store, "saved": "2026-01-01"}
		}
		checkRuns(t, asText(text), runs, false)
	}
}

// TestSectionsOfLogs draws logs in which only the begin and the end of a run name it.
func TestSectionsOfLogs(t *testing.T) {
	random := rand.New(rand.NewSource(89))
	for range 60 {
		runs := someRuns(random, 2+random.Intn(3))
		words := [...][2]string{{"RUN_STARTED", "RUN_FINISHED"}, {"session.opened", "session.ended"}, {"conversation_begin", "conversation_done"}, {"runStart", "runFailed"}}[random.Intn(4)]
		id, ends := drawnOf(random, "threadId", "run_id", "session_id"), random.Intn(4) > 0
		var rows []string
		for i := range runs {
			rows = append(rows, drawObject(random, member("type", words[0]), member(id, fmt.Sprint("r", i))))
			for k, c := range runs[i].calls {
				name, arguments := splitCall(c)
				call := fmt.Sprint("c", i, k)
				rows = append(rows, drawObject(random, member("type", "tool.call"), member("call_id", call), member("tool", name), member("args", arguments)),
					drawObject(random, member("type", "tool.result"), member("call_id", call), member("result", "done")))
			}
			if ends {
				rows = append(rows, drawObject(random, member("type", words[1]), member(id, fmt.Sprint("r", i))))
			}
		}
		checkRuns(t, strings.Join(rows, "\n"), runs, false)
	}
}

// TestRunsOfLogsAreKept draws logs of runs in turns, of which one has no call and no words. What the end of a call
// says of success is not said of its run.
func TestRunsOfLogsAreKept(t *testing.T) {
	random := rand.New(rand.NewSource(90))
	for range 60 {
		runs := someRuns(random, 3)
		runs[1].calls = nil
		run, event := drawnOf(random, "run", "session", "trace"), drawnOf(random, "event", "kind", "type")
		var rows []string
		add := func(i int, word string, more ...string) {
			rows = append(rows, drawObject(random, append(more, member(run, fmt.Sprint("r", i)), member(event, word))...))
		}
		for i := range runs {
			add(i, "run.started")
		}
		for k := range 3 {
			for i := range runs {
				if k < len(runs[i].calls) {
					name, arguments := splitCall(runs[i].calls[k])
					id := member("call", fmt.Sprint("c", i, "-", k))
					add(i, "tool.started", id, member("tool", name), member("args", arguments))
					add(i, "tool.finished", id, member("ok", true), member("result", "fine"))
				}
			}
		}
		add(0, "run.finished", member("success", false))
		add(1, "run.finished", member("success", true))
		text := strings.Join(rows, "\n")
		checkRuns(t, text, runs, false)
		doc, err := Decode([]byte(text))
		if err != nil || len(doc.Trajectories) != 3 {
			continue
		}
		for i, want := range []string{"false", "true", "unknown"} {
			if got := describeOutcome(doc.Trajectories[i].Success); got != want {
				t.Errorf("run %d: %s, want %s\n%s", i, got, want, text)
			}
		}
	}
}

// TestResultsAreInTheRunOfTheirCall draws messages of which each has an id of its own under the name of a run.
func TestResultsAreInTheRunOfTheirCall(t *testing.T) {
	random := rand.New(rand.NewSource(91))
	for range 40 {
		runs, sort := someRuns(random, 1), drawnOf(random, "message_type", "type")
		list := []any{map[string]any{sort: "user_message", "run_id": "r", "id": "m", "content": runs[0].asked}}
		for k, c := range runs[0].calls {
			name, arguments := splitCall(c)
			list = append(list, map[string]any{sort: "tool_call_message", "id": fmt.Sprint("m", k), "run_id": fmt.Sprint("r", k), "tool_call": map[string]any{"name": name, "arguments": asText(arguments), "tool_call_id": fmt.Sprint("call_", k)}},
				map[string]any{sort: "tool_return_message", "id": fmt.Sprint("n", k), "run_id": fmt.Sprint("s", k), "tool_return": "done", "status": "success", "tool_call_id": fmt.Sprint("call_", k)})
		}
		list = append(list, map[string]any{sort: "assistant_message", "run_id": "t", "id": "z", "content": "Finished."})
		checkRuns(t, asText(list), runs, false)
	}
}

// TestGoldsAreNoRuns draws data sets that have only what should be done.
func TestGoldsAreNoRuns(t *testing.T) {
	random := rand.New(rand.NewSource(92))
	for range 40 {
		side, ask := drawnOf(random, "expect", "expects", "expected"), drawnOf(random, "user", "question", "input")
		var rows []string
		for i := range 2 + random.Intn(3) {
			rows = append(rows, fmt.Sprintf("- id: g%d\n  %s: Do job %d\n  %s:\n    - pay_bill: {n: e%d, to: \"11:00\"}\n    - send_mail: {to: tom}\n", i, ask, i, side, i))
		}
		text := strings.Join(rows, "")
		switch list := strings.ReplaceAll("  "+strings.TrimSuffix(text, "\n"), "\n", "\n  ") + "\n"; random.Intn(3) {
		case 0:
			text = fmt.Sprintf("version: 2\nowner: desk\n%s:\n", drawnOf(random, "goldens", "cases", "golden_set", "fragen")) + list
		case 1: // a map by id
			text = "cases:\n" + strings.TrimRight(regexp.MustCompile(`- id: (g\d+)`).ReplaceAllString(list, "$1:"), " ")
		}
		if _, err := Decode([]byte(text)); err == nil || !strings.Contains(err.Error(), "only what an agent should do") {
			t.Errorf("%v\n%s", err, text)
		}
		if got := Expectations([]byte(text)); len(got) != len(rows) || len(got[0].Reference.Steps) != 2 || got[1].ID != "g1" {
			t.Errorf("%d expectations of %d\n%s", len(got), len(rows), text)
		}
	}
}

// TestReportsOfCases draws what test runners and people report: XML, and tables in Markdown.
func TestReportsOfCases(t *testing.T) {
	random := rand.New(rand.NewSource(93))
	for round := range 40 {
		runs := someRuns(random, 2+random.Intn(3))
		var xml, table []string
		for i := range runs {
			out, cells := `{"answer": "done"}`, []string{}
			for _, c := range runs[i].calls {
				name, arguments := splitCall(c)
				line := asText(map[string]any{"tool_call": map[string]any{"name": name, "arguments": arguments}})
				out += "\n" + shape.IfElse(round%2 == 0, strings.NewReplacer("&", "&amp;", `"`, "&quot;").Replace(line), line)
				cells = append(cells, fmt.Sprintf("`%s(n=%v)`", name, string(arguments["n"].(json.RawMessage))))
			}
			if i == 0 {
				runs[i].calls, out, cells = nil, `{"answer": "hello"}`, []string{drawnOf(random, "no tool", "No call", "none")}
			}
			if round%2 == 1 {
				out = "<![CDATA[\n" + out + "\n]]>"
			} else {
				out = "\n" + strings.ReplaceAll(out, `"`, "&quot;") + "\n"
			}
			failure := shape.IfElse(i%2 == 1, `<failure message="a > b">no</failure>`, "")
			xml = append(xml, fmt.Sprintf("<testcase classname=\"c\" name=\"case-%d\">\n%s<system-out>%s</system-out>\n</testcase>", i, failure, out))
			table = append(table, fmt.Sprintf("| %d | %s | %s | %s |", i, runs[i].asked, strings.Join(cells, ", "), shape.IfElse(i%2 == 1, "❌ fail", "✅ pass")))
		}
		for _, text := range []string{"<?xml version=\"1.0\"?>\n<testsuites><testsuite name=\"s\">\n" + strings.Join(xml, "\n") + "\n</testsuite></testsuites>\n",
			"# Report\n\n| # | Ask | Agent did | Result |\n|---|:--|---|:-:|\n" + strings.Join(table, "\n") + "\n\nEnd.\n"} {
			checkRuns(t, text, runs, false)
			doc, _ := Decode([]byte(text))
			for i := range doc.Trajectories {
				if got := describeOutcome(doc.Trajectories[i].Success); got != fmt.Sprint(i%2 == 0) {
					t.Errorf("run %d: %s\n%s", i, got, text)
				}
			}
		}
	}
	for _, text := range []string{"<?xml version=\"1.0\"?><testsuite><testcase name=\"a\"/></testsuite>", "<testsuite><testcase name=\"a\"><system-out>{\"a\":</system-out></testcase></testsuite>"} {
		if doc, err := Decode([]byte(text)); err == nil {
			t.Errorf("%d runs in %s", len(doc.Trajectories), text)
		}
	}
}

// TestMarkOfTheText draws scores beside the mark that the text gives for all of them.
func TestMarkOfTheText(t *testing.T) {
	random := rand.New(rand.NewSource(94))
	for range 60 {
		scale, bar := [...]float64{1, 100}[random.Intn(2)], 0.3+0.5*random.Float64()
		var rows []any
		var want []string
		for i := range 3 {
			score := random.Float64()
			rows = append(rows, map[string]any{"id": fmt.Sprint("t", i), "tool_calls": []any{map[string]any{"name": "pay_bill", "arguments": map[string]any{"n": i}}}, "score": 2 + (scale-2)*score})
			if scale == 1 {
				rows[i].(map[string]any)["score"] = score
			}
			want = append(want, fmt.Sprint(rows[i].(map[string]any)["score"].(float64) >= bar*scale))
		}
		mark := map[string]any{drawnOf(random, "pass_threshold", "passingScore", "success_threshold"): bar * scale}
		text := map[string]any{drawnOf(random, "cases", "runs", "results"): rows, drawnOf(random, "config", "metadata"): mark}
		if random.Intn(2) == 0 {
			for name, v := range mark {
				text[name] = v
			}
		}
		doc, err := Decode([]byte(asText(text)))
		if err != nil || len(doc.Trajectories) != 3 {
			t.Fatalf("%v, %d runs\n%s", err, len(doc.Trajectories), asText(text))
		}
		for i := range want {
			if got := describeOutcome(doc.Trajectories[i].Success); got != want[i] {
				t.Errorf("run %d: %s, want %s\n%s", i, got, want[i], asText(text))
			}
		}
	}
}

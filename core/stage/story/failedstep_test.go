package story_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// This file attacks one law: a story never says that a step failed unless the step's own
// recorded result says so, and nothing shows its effect. The tests know what happened,
// because they draw it, and read only the sentences of the report.

func evaluate(t *testing.T, trace any) *core.Trajectory {
	t.Helper()
	body, err := json.Marshal(map[string]any{"trace": trace})
	if err != nil {
		t.Fatal(err)
	}
	request, err := core.ReadRequest(body)
	if err != nil {
		t.Fatal(err)
	}
	r, err := core.Evaluate(request)
	if err != nil || len(r.Trajectories) != 1 {
		t.Fatal(err)
	}
	return &r.Trajectories[0]
}

// allSentences returns what a report says of a run.
func allSentences(run *core.Trajectory) []string {
	out := append([]string{run.Verdict}, run.Recorded...)
	for i := range run.Story {
		out = append(out, run.Story[i].Text...)
	}
	return out
}

var (
	countText  = regexp.MustCompile(`(\d+) of the agent's (\d+) calls (failed(?: or timed out)?), the last at step (\d+)`)
	failedText = regexp.MustCompile(`tep (\d+), .*?, (failed|timed out) and did not succeed later`)
	lastText   = regexp.MustCompile(`^the last error is (?:in the result )?of step (\d+),`)
	openedText = regexp.MustCompile(` but the page changed(?: to (\S+))?$`)
	blocksText = regexp.MustCompile(`ne of the (\d+) code blocks of message (\d+) failed`)
	unsureText = regexp.MustCompile(`but it is not known (which) of the (\d+) code blocks`)
)

// TestClicksThatWorked draws runs in a browser of which each step has an error or none, and
// changes the page or not.
func TestClicksThatWorked(t *testing.T) {
	const timeout, lost = "TimeoutError: Locator.click: Timeout 500ms exceeded.\nCall log:\nwaiting", "ValueError: Could not find element with bid 7"
	seen := map[string]int{}
	for seed := range drawn.Cases(300) {
		d := drawing{rand.New(rand.NewPCG(uint64(seed), 83))}
		address, tree := "http://shop/", "RootWebArea 'A'"
		page := func() map[string]any { return map[string]any{"url": address, "axtree_txt": tree} }
		steps, failed, last := []any{}, map[int]bool{}, -1
		moved := map[int]string{}
		now := page()
		n := 3 + d.IntN(4)
		for i := range n {
			now["step"], now["action"], now["thought"] = i, fmt.Sprintf("click('%d')", d.IntN(3)), "I look."
			steps = append(steps, now)
			before, text := address+tree, d.pickText("", timeout, timeout, lost)
			switch d.IntN(4) {
			case 0:
				address = fmt.Sprint("http://shop/", d.IntN(50))
			case 1:
				tree = fmt.Sprintf("RootWebArea '%d'", d.IntN(50))
			}
			was := steps[i].(map[string]any)
			now = page()
			now["last_action_error"] = text
			switch {
			case text == "":
			case was["url"] != address:
				moved[i] = address
			case text == timeout && before != address+tree:
				moved[i] = ""
			default:
				failed[i] = true
			}
			if text != "" {
				last = i
			}
		}
		now["step"], now["action"], now["terminated"] = n, "", true
		run := evaluate(t, map[string]any{"task_id": "1", "goal": "Buy a lamp.", "cum_reward": 0, "steps": append(steps, now)})
		number := func(s string) int { n, _ := strconv.Atoi(s); return n }
		for i := range run.Observed {
			if run.Observed[i].Error != failed[i] {
				t.Errorf("step %d failed: %v, want %v", i+1, run.Observed[i].Error, failed[i])
			}
		}
		for _, line := range allSentences(run) {
			if m := countText.FindStringSubmatch(line); m != nil {
				seen["count"]++
				if number(m[1]) != len(failed) || number(m[2]) != n || !failed[number(m[4])-1] {
					t.Errorf("%d of %d failed: %s", len(failed), n, line)
				}
			}
			if m := failedText.FindStringSubmatch(line); m != nil && !failed[number(m[1])-1] {
				t.Error(line)
			}
			m := lastText.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			to, is := moved[number(m[1])-1]
			if o := openedText.FindStringSubmatch(line); o != nil {
				if seen["opened"]++; !is || to != o[1] {
					t.Errorf("%v: %s", moved, line)
				}
			} else if seen["last"]++; is {
				t.Errorf("%v: %s", moved, line)
			}
			if number(m[1])-1 != last {
				t.Error(line)
			}
		}
		if t.Failed() {
			text, _ := json.Marshal(steps)
			t.Fatalf("seed %d: %q\n%s", seed, allSentences(run), text)
		}
	}
	for _, kind := range []string{"count", "last", "opened"} {
		if seen[kind] < 20 {
			t.Errorf("%q was told %d times: too seldom to show anything", kind, seen[kind])
		}
	}
}

// TestErrorsOfBlocks draws messages with several code blocks. One of them fails, and the output
// of all names it, or does not.
func TestErrorsOfBlocks(t *testing.T) {
	seen := map[string]int{}
	for seed := range drawn.Cases(300) {
		d := drawing{rand.New(rand.NewPCG(uint64(seed), 84))}
		var text strings.Builder
		type block struct {
			file  string
			lines []string
			shell bool
		}
		var blocks []block
		runnable := -1 // the action of the failing block; -1 if it is none
		foreign := 0
		failing := d.IntN(4)
		for len(blocks) <= failing || d.IntN(2) == 0 {
			b := block{shell: d.IntN(3) == 0}
			language := "python"
			if b.shell {
				language = "sh"
				b.lines = []string{d.pickText("pip install maps", "python old.py", "frobnicate --all")}
			} else {
				if d.IntN(2) == 0 {
					b.file = d.pickText("find.py", "check.py", "sum.py")
					b.lines = []string{"# filename: " + b.file}
				}
				for range 1 + d.IntN(3) {
					b.lines = append(b.lines, d.pickText("import maps", "x = load('a.csv')", "print(total)", "total = 1"))
				}
			}
			if len(blocks) != failing && d.IntN(6) == 0 {
				language, foreign = "json", foreign+1
			}
			if len(blocks) == failing {
				runnable = len(blocks) - foreign
			}
			blocks = append(blocks, b)
			fmt.Fprintf(&text, "Run this.\n```%s\n%s\n```\n", language, strings.Join(b.lines, "\n"))
		}
		b := blocks[failing]
		output := "exitcode: 124 (execution failed)\nCode output: Timeout"
		switch at := d.IntN(len(b.lines)); {
		case d.IntN(4) == 0:
		case b.shell:
			command, _, _ := strings.Cut(b.lines[0], " ")
			output = "exitcode: 127 (execution failed)\nCode output: sh: 1: " + command + ": not found"
		default:
			file := b.file
			if file == "" {
				file = "tmp_code_1b48.py"
			}
			output = fmt.Sprintf("exitcode: 1 (execution failed)\nCode output: Traceback (most recent call last):\n  File \"/home/chat/%s\", line %d, in <module>\n    %s\nValueError: bad", file, at+1, b.lines[at])
		}
		message := map[string]any{"content": text.String(), "role": "assistant", "name": "Coder"}
		run := evaluate(t, map[string]any{"is_correct": false, "question": "How many?", "question_ID": "1", "mistake_agent": "x", "mistake_step": "0", "history": []any{
			map[string]any{"content": "How many are there?", "role": "user", "name": "Asker"}, message,
			map[string]any{"content": output, "role": "user", "name": "Computer_terminal"}, map[string]any{"content": "I see.", "role": "assistant", "name": "Coder"}}})
		first := 0
		for first < len(run.Observed) && run.Observed[first].Name == "say" {
			first++
		}
		for i := range run.Observed {
			if run.Observed[i].Error {
				if seen["named"]++; i != first+runnable {
					t.Errorf("the error is of block %d, action %d, and not of action %d", failing+1, first+runnable+1, i+1)
				}
			}
		}
		for _, line := range allSentences(run) {
			if m := failedText.FindStringSubmatch(line); m != nil && m[1] != fmt.Sprint(first+runnable+1) {
				t.Error(line)
			}
			for _, is := range []*regexp.Regexp{blocksText, unsureText} {
				if m := is.FindStringSubmatch(line); m != nil {
					if seen["unsure"]++; m[1] != fmt.Sprint(len(blocks)) && m[2] != fmt.Sprint(len(blocks)) {
						t.Errorf("%d blocks: %s", len(blocks), line)
					}
				}
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d: %q\n%s\n%s", seed, allSentences(run), text.String(), output)
		}
	}
	for _, kind := range []string{"named", "unsure"} {
		if seen[kind] < 50 {
			t.Errorf("%q was told %d times: too seldom to show anything", kind, seen[kind])
		}
	}
}

// TestTimeoutsAreOpen checks that a call without an answer in time has not failed if the same
// call says later that it was already done, and that it is told as timed out otherwise.
func TestTimeoutsAreOpen(t *testing.T) {
	call := func(id, result string) []any {
		return []any{map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{map[string]any{"id": id, "type": "function", "function": map[string]any{"name": "cancel_order", "arguments": `{"order_id":"A7BXQ2"}`}}}},
			map[string]any{"role": "tool", "tool_call_id": id, "content": result, "status": "error"}}
	}
	messages := append([]any{map[string]any{"role": "user", "content": "Please cancel the order A7BXQ2."}}, call("1", "Error: the request timed out")...)
	alone := evaluate(t, map[string]any{"success": false, "messages": messages})
	if text := strings.Join(allSentences(alone), " | "); !strings.Contains(text, "tep 1, cancel_order for order A7BXQ2, timed out and did not succeed later") {
		t.Error(text)
	}
	again := evaluate(t, map[string]any{"success": false, "messages": append(messages, call("2", "Error: this order is already cancelled")...)})
	if again.Observed[0].Error || !again.Observed[1].Error {
		t.Errorf("step 1 failed: %v, step 2 failed: %v", again.Observed[0].Error, again.Observed[1].Error)
	}
	if text := strings.Join(allSentences(again), " | "); strings.Contains(text, "tep 1, cancel_order for order A7BXQ2, ") && strings.Contains(text, "timed out and did not") {
		t.Error(text)
	}
	other := evaluate(t, map[string]any{"success": false, "messages": append(messages, call("2", "Error: not allowed")...)})
	if !other.Observed[0].Error {
		t.Error("nothing shows that step 1 was done")
	}
}

package story_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// failedRun is a conversation that failed, as a test draws it.
type failedRun struct {
	messages []map[string]any
	calls    []map[string]any // of the agent, with "failed" and "result"
}

func (d drawing) drawFailed() failedRun {
	var r failedRun
	say := func(role, text string) {
		r.messages = append(r.messages, map[string]any{"role": role, "content": text})
	}
	say("user", d.pickText("Please cancel the order A7BXQ2 and post it in #orders.", "I need to change the name on K9LMP4.", "Put a potato in the microwave.", "Read /data/in/orders.csv and write /data/out/sum.txt, please.", "Can you help me?"))
	for range d.IntN(9) {
		switch d.IntN(6) {
		case 0:
			say("user", d.pickText("Really?", "Yes.", "What about the order K9LMP4?"))
		case 1:
			say("assistant", d.pickText("I will use sample data for this.", "No potato found here, I'll check the next drawer.", "Would you like me to transfer you to a human agent?", "Done.", strings.Repeat("The page has this. ", 10)))
		default:
			c := map[string]any{"name": d.pickText("get_order", "cancel_order", "run", "edit_file", "go", "give_up", "transfer_to_human_agents"), "arguments": map[string]any{"order_id": d.pickText("A7BXQ2", "K9LMP4", "/data/in/orders.csv")}}
			c["failed"], c["result"] = d.IntN(3) == 0, d.pickText("On the table you see a potato 1.", "ok", "Nothing here.")
			if c["failed"] == true {
				c["result"] = d.pickText("Error: not allowed", "Traceback (most recent call last):\nValueError: bad")
			}
			for range 1 + d.IntN(2)*d.IntN(6) {
				id := fmt.Sprint("c", len(r.calls))
				arguments, _ := json.Marshal(c["arguments"])
				r.messages = append(r.messages, map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{map[string]any{"id": id, "type": "function", "function": map[string]any{"name": c["name"], "arguments": string(arguments)}}}})
				status := "success"
				if c["failed"] == true {
					status = "error"
				}
				r.messages = append(r.messages, map[string]any{"role": "tool", "tool_call_id": id, "content": c["result"], "status": status})
				r.calls = append(r.calls, c)
			}
		}
	}
	if d.IntN(3) == 0 {
		say("assistant", d.pickText("Exit due to cost limit", "Let me now check the order.", "You can ask a human agent."))
	}
	return r
}

var (
	streakText = regexp.MustCompile(`teps (\d+) to (\d+) are the same call`)
	oftenText  = regexp.MustCompile(`(\d+) of the agent's (\d+) calls failed, the last at step (\d+)`)
	againText  = regexp.MustCompile(`tep (\d+), [^“]*failed and did not succeed later`)
	missedText = regexp.MustCompile(`he user named (.*), and no action has`)
	onlyText   = regexp.MustCompile(`agent looked at (.*), which the user named, and did not change`)
	quotedText = regexp.MustCompile(`“([^”]*)”`)
)

// factWords are what a first sentence says, by its fact.
var factWords = map[string]string{
	"failed-check": "checks of the benchmark failed", "assumed": "only assumed to have", "changed-test": "a test that it had not written", "said-no": "near its end the agent said",
	"gave-up": "the agent gave up", "loop": "are the same call", "own-data": "a stand-in for the data", "overlooked": "But the result before it has",
	"no-call": "has no call of a tool", "cut-off": "was cut off|ended with the words", "left-failed": "failed and did not succeed later",
	"only-adds": "only adds files", "missed-place": "The user named|the user named", "failed-often": "calls failed, the last at",
	"left-thing": "did not change|and no action has", "no-change": "changed nothing", "handed-over": "to a person", "announced": "an announcement after",
	"offered": "nobody answered it", "question": "question was not answered", "unchecked": "ran nothing", "repeated-call": "same call was made at",
	"assumed-value": "assumed a value that nothing before has", "unnamed-thing": "which nothing before it names", "claimed-undone": "No call that changes something names",
	"repeated-words": "are the same text", "open-end": "without a closing word|no message follows it",
	"wrong-answer": "as the right answer", "left-step": "which was not done", "left-read": "which was not done", "left-open": "ne of the", "missed-words": "quotation marks",
	"passed-by": "and no action names it", "unknown-number": "which nothing before it has", "ends-in-error": "and the same was not run again", "claimed-done": "ended with this claim|n its last words the agent claims|said that it was done", "typed": "he agent typed", "no-test": "names a test|no test but its own", "missed-deed": "and no action with th", "missed-name": "he user named",
	"not-found": "which no result names", "not-submitted": "othing was submitted", "otherwise": "n its last words the agent says", "answered": "The answer (was|began)",
}

// TestSuspectedIsTrue draws failed conversations without a reference, and reads each sentence
// of their stories again against them.
func TestSuspectedIsTrue(t *testing.T) {
	seen := map[string]int{}
	for seed := range drawn.Cases(1500) {
		d := drawing{rand.New(rand.NewPCG(uint64(seed), 48))}
		run := d.drawFailed()
		body, err := json.Marshal(map[string]any{"trace": map[string]any{"messages": run.messages, "success": false}})
		if err != nil {
			t.Fatal(err)
		}
		request, err := core.ReadRequest(body)
		if err != nil {
			t.Fatal(err)
		}
		r, err := core.Evaluate(request)
		if err != nil {
			t.Fatal(err)
		}
		one := &r.Trajectories[0]
		if one.Flagged || len(one.Story) == 0 || one.Story[0].Kind != "suspected" {
			continue
		}
		if !strings.HasPrefix(one.Verdict, "Recorded as failed; no cause found for certain") || one.Passed == nil || *one.Passed || one.Story[0].Confidence >= 0.7 {
			t.Fatalf("seed %d: %q %v", seed, one.Verdict, one.Passed)
		}
		if !strings.HasPrefix(one.Story[0].Text[0], "This may be why the run failed: ") {
			t.Fatalf("seed %d: it is not said to be a suspicion: %q", seed, one.Story[0].Text)
		}
		for i, line := range one.Story[0].Text {
			checkSuspected(t, &run, line, seen)
			if want := factWords[one.Story[0].Fact]; i == 0 && !regexp.MustCompile(want).MatchString(line) || want == "" {
				t.Errorf("the fact is %q: %s", one.Story[0].Fact, line)
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d: %q\n%s", seed, one.Story[0].Text, body)
		}
	}
	for _, kind := range []string{"streak", "often", "again", "missed", "only", "quote", "gave up", "changed nothing", "closing word", "handed over"} {
		if seen[kind] < 3 {
			t.Errorf("%q was told %d times: too seldom to show anything", kind, seen[kind])
		}
	}
}

func checkSuspected(t *testing.T, run *failedRun, line string, seen map[string]int) {
	t.Helper()
	number := func(s string) int { n, _ := strconv.Atoi(s); return n }
	same := func(a, b map[string]any) bool {
		return fmt.Sprint(a["name"], a["arguments"]) == fmt.Sprint(b["name"], b["arguments"])
	}
	if m := streakText.FindStringSubmatch(line); m != nil {
		seen["streak"]++
		for i := number(m[1]); i < number(m[2]); i++ {
			if !same(run.calls[i-1], run.calls[i]) {
				t.Errorf("steps %d and %d differ", i, i+1)
			}
		}
	}
	if m := oftenText.FindStringSubmatch(line); m != nil {
		seen["often"]++
		failed := 0
		for _, c := range run.calls {
			if c["failed"] == true {
				failed++
			}
		}
		if failed != number(m[1]) || len(run.calls) != number(m[2]) || run.calls[number(m[3])-1]["failed"] != true {
			t.Errorf("%d of %d calls failed: %s", failed, len(run.calls), line)
		}
	}
	if m := againText.FindStringSubmatch(line); m != nil {
		seen["again"]++
		at := number(m[1]) - 1
		if run.calls[at]["failed"] != true || slices.ContainsFunc(run.calls[at+1:], func(c map[string]any) bool { return c["failed"] != true && same(c, run.calls[at]) }) {
			t.Errorf("not so: %s", line)
		}
	}
	if m := missedText.FindStringSubmatch(line); m != nil {
		seen["missed"]++
		for _, word := range strings.Split(strings.ReplaceAll(m[1], " and ", ", "), ", ") {
			if slices.ContainsFunc(run.calls, func(c map[string]any) bool { return strings.Contains(fmt.Sprint(c["arguments"]), word) }) || !strings.Contains(fmt.Sprint(run.messages), word) {
				t.Errorf("%q: %s", word, line)
			}
		}
	}
	if m := onlyText.FindStringSubmatch(line); m != nil {
		seen["only"]++
	}
	if strings.Contains(line, "gave up") {
		seen["gave up"]++
		if run.calls[len(run.calls)-1]["name"] != "give_up" {
			t.Error(line)
		}
	}
	if strings.Contains(line, "changed nothing") {
		seen["changed nothing"]++
		if slices.ContainsFunc(run.calls, func(c map[string]any) bool {
			return c["failed"] != true && (c["name"] == "cancel_order" || c["name"] == "edit_file")
		}) {
			t.Error(line)
		}
	}
	if strings.Contains(line, "without a closing word") {
		seen["closing word"]++
		if last := run.messages[len(run.messages)-1]; last["role"] != "tool" {
			t.Error(line)
		}
	}
	if strings.Contains(line, "handed the user over") {
		seen["handed over"]++
		if run.calls[len(run.calls)-1]["name"] != "transfer_to_human_agents" {
			t.Error(line)
		}
	}
	for _, m := range quotedText.FindAllStringSubmatch(line, -1) {
		seen["quote"]++
		if !slices.ContainsFunc(run.messages, func(message map[string]any) bool {
			text, _ := message["content"].(string)
			return strings.Contains(text, m[1])
		}) {
			t.Errorf("nobody said %q", m[1])
		}
	}
}

// TestSuspectedExamples has one run for each sentence.
func TestSuspectedExamples(t *testing.T) {
	check := func(trace, want string) {
		t.Helper()
		if !strings.HasPrefix(trace, `{"trace":`) {
			trace = `{"trace":` + trace + `}`
		}
		request, err := core.ReadRequest([]byte(trace))
		if err != nil {
			t.Fatal(err)
		}
		r, err := core.Evaluate(request)
		if err != nil {
			t.Fatal(err)
		}
		var text []string
		for _, s := range r.Trajectories[0].Story {
			text = append(text, s.Text...)
		}
		if not, is := strings.CutPrefix(want, "not "); is == strings.Contains(strings.Join(text, " | "), not) {
			t.Errorf("got  %q\nwant %q", text, want)
		}
	}
	call := func(id, name, arguments, result string) string {
		return fmt.Sprintf(`{"role":"assistant","content":null,"tool_calls":[{"id":%q,"function":{"name":%q,"arguments":%q}}]},{"role":"tool","tool_call_id":%q,"content":%q}`, id, name, arguments, id, result)
	}
	run := func(messages ...string) string {
		return `{"success":false,"messages":[` + strings.Join(messages, ",") + `]}`
	}
	said := func(role, text string) string { return fmt.Sprintf(`{"role":%q,"content":%q}`, role, text) }
	user := said("user", "Put a potato in the microwave.")
	check(run(user, said("assistant", "It is 42.")), "the record has no call of a tool")
	check(run(user, call("1", "look_at", `{"place":"shelf"}`, "You see a cup 1, a potato 2."), said("assistant", "No potato found, so I stop.")), "But the result before it has potato")
	check(run(user, call("1", "look_at", `{"place":"shelf"}`, "You see a cup 1, a potato 2."), said("assistant", "No hot potato found, so I stop.")), "But the result before it has potato")
	check(run(user, call("1", "look_at", `{"place":"shelf"}`, "You see a cup 1."), said("assistant", "Let me summarize what was done.")), "not an announcement")
	check(run(user, call("1", "look_at", `{"place":"shelf"}`, "You see no potato."), said("assistant", "No potato found, so I stop.")), "not But the result before it")
	check(run(user, call("1", "look_at", `{"place":"shelf"}`, "ok"), said("assistant", "Next I will open the drawer. I'll check it.")), "announcement after which nothing was done (message 4): “I'll check it.”")
	check(run(said("user", "Cancel the orders K9LMP4 and A7BXQ2."), call("1", "cancel_order", `{"order_id":"K9LMP4"}`, "ok"), said("assistant", "Done.")), "he user named A7BXQ2, and no action has it.")
	check(run(said("user", "Cancel the order K9LMP4."), call("1", "get_order", `{"order_id":"K9LMP4"}`, "ok"), said("assistant", "I cannot.")), "looked at order K9LMP4, which the user named, and did not change it")
	check(run(said("user", "How many bags may I take with K9LMP4?"), call("1", "get_order", `{"order_id":"K9LMP4"}`, "ok"), said("assistant", "Six.")), "not looked at")
	check(run(said("user", "Cancel my order, please. My mail is ann@example.com."), call("1", "find_user", `{"email":"ann@example.com"}`, "u_1"), call("2", "get_orders", `{"list":"all"}`, "none"), said("assistant", "There is none.")), "The user had said (message 1)")
	check(run(said("user", "Change the address of my orders to that of W-2002, please."), call("1", "get_order", `{"order_id":"W-2002"}`, "17 Long Street, Springfield"), call("2", "set_address", `{"order_id":"W-3003","address":"17 Long Street"}`, "ok"), said("assistant", "Done.")), "not looked at")
	check(run(user, call("1", "look_at", `{"place":"shelf"}`, "ok"), said("assistant", "I have to give up because there is no potato. The task is failed.")), "near its end the agent said (message 4): “I have to give up because there is no potato.”")
	check(run(user, said("assistant", "We could assume that we have the potato."), call("1", "go", `{"place":"shelf"}`, "ok"), said("assistant", "Done.")), "only assumed to have (message 2): “We could assume that we have the potato.”")
	code := said("user", "Fix the sum.")
	tests := call("2", "run", `{"command":"go test ./sum_test.go"}`, "FAIL: 1 failed")
	check(run(code, call("1", "edit_file", `{"path":"sum.go"}`, "ok"), tests, call("3", "edit_file", `{"path":"sum_test.go"}`, "ok"), call("4", "run", `{"command":"go test ./..."}`, "ok"), said("assistant", "Fixed.")), "at step 3 (edit_file) the agent changed sum_test.go, a test that it had not written, after tests had failed at step 2.")
	check(run(code, call("1", "create_file", `{"path":"sum_test.go"}`, "ok"), tests, call("3", "edit_file", `{"path":"sum_test.go"}`, "ok"), call("4", "run", `{"command":"go test ./..."}`, "ok"), said("assistant", "Fixed.")), "not had not written")
	company := `{"task":"t","success":false,"task_md":"Do it.","checkpoints_md":"# Checkpoints\n## Checkpoint 1 (1pt)\n\nThe file is there\n## Checkpoint 2 (2pt)\nSomebody was asked","score":{"checkpoints":[{"total":1,"result":1},{"total":2,"result":0}]},"events":[{"kind":"run","message":"Running command: ls"},{"kind":"observation","message":"Command ls executed with exit code 0."}]}`
	check(company, "these checks of the benchmark failed: “checkpoint 2: Somebody was asked” (0 of 2).")
	check(strings.Replace(company, "checkpoints_md", "other", 1), "not checks of the benchmark")
	for _, heads := range []string{"## Final Checkpoint (2pts)", "## Checkpint 2 (2pt)", "## Checkpoint 2: the person (2 points)"} {
		check(strings.Replace(company, "## Checkpoint 2 (2pt)", heads, 1), "these checks of the benchmark failed: “checkpoint 2: Somebody was asked” (0 of 2).")
	}
	check(strings.Replace(company, "## Checkpoint 2 (2pt)", "## Final Checkpoint (3pt)", 1), "not Somebody was asked") // the points are of another check
	check(strings.Replace(company, `# Checkpoints\n## Checkpoint 1 (1pt)\n\nThe file is there\n## Checkpoint 2 (2pt)\nSomebody`, `All in all 3 points\n1. [1pt] The file is there\n2. [2pts] Somebody`, 1), "these checks of the benchmark failed: “checkpoint 2: Somebody was asked” (0 of 2).")

	quiz := func(messages ...string) string {
		return `{"is_correct":false,"question":"How many?","question_ID":"1","ground_truth":"41","mistake_agent":"x","mistake_step":"0","history":[{"role":"user","name":"Asker","content":"How many are there?"},` + strings.Join(messages, ",") + `]}`
	}
	speaks := func(text string) string {
		return fmt.Sprintf(`{"role":"assistant","name":"Expert","content":%q}`, text)
	}
	check(quiz(speaks("There are 14.")), "the record has “41” as the right answer, and the agent never said it.")
	check(quiz(speaks("Perhaps 41."), speaks("No, there are 14."), speaks("TERMINATE")), "the record has “41” as the right answer, and the agent's last words do not have it.")
	check(quiz(speaks("There are 41."), speaks("TERMINATE")), "not right answer")
	check(quiz(speaks("I count.\n```python\nprint(41)\n```\nIt is 14.")), "the record has “41” as the right answer, and the agent never said it.")

	check(run(user, said("assistant", "Would you like me to transfer you to a human agent?")), "The agent only offered to hand the user over to a person (message 2), and no call did it: “Would")
	check(run(user, said("assistant", "I am transferring you to a human agent.")), "The agent's last words send the user to a person (message 2), and no call did it: “I am")
	check(run(user, call("1", "transfer_to_human_agents", `{"summary":"x"}`, "ok"), said("assistant", "You were connected to a human agent.")), "not and no call did it")
	check(`{"trace":`+run(user, call("1", "get_line", `{"line":"L1"}`, "ok"), said("assistant", "I can transfer you to a human agent."))+`,"profile":"outcome","reference":[{"name":"get_line","arguments":{"line":"L1"}},{"name":"transfer_to_human_agents","arguments":{"summary":"x"}}]}`, "the reference has transfer_to_human_agents with summary x, which was not done.")
	check(`{"trace":`+run(user, said("assistant", "I did nothing."))+`,"profile":"outcome","reference":[{"name":"get_line","arguments":{"line":"L1"}}]}`, "he reference has get_line with line L1, which was not done.")

	room := said("user", "You see a bed 1, a desk 2, a desk 1, a shelf 1, and a shelf 2. Put a cup on the desk.")
	look := func(n int, place string) string {
		return call(fmt.Sprint(n), "go", `{"place":"`+place+`"}`, "You see a pen 1.")
	}
	check(run(room, look(1, "bed 1"), said("assistant", "No cup found."), look(2, "desk 1"), look(3, "desk 2")), "he agent looked for cup, which no result names, and no action has shelf 1 and shelf 2, which the first message lists.")
	check(run(room, look(1, "bed 1"), said("assistant", "No pen found."), look(2, "desk 1"), look(3, "desk 2")), "not which no result names")
	check(run(room, look(1, "bed 1"), said("assistant", "No cup found.")), "he agent looked for cup, which no result names.")
	press := func(n int, key string) string { return call(fmt.Sprint(n), "press", `{"key":"`+key+`"}`, "ok") }
	check(run(user, press(1, "a"), press(2, "b"), press(3, "a"), press(4, "a"), press(5, "b"), press(6, "b"), press(7, "b"), press(8, "c"), said("assistant", "Done.")), "he same call was made at steps 2, 5 and 6 and 4 times in all: press for key b.")
	check(`{"trajectories":[{"success":false,"submission":"","actions":[{"name":"edit_file","arguments":{"path":"x.py"}}]}]}`, "nothing was submitted.")
	missing := call("1", "get_file", `{"name":"cat.jpg"}`, "Error: not found")
	check(run(user, missing, said("assistant", "I will use a sample image."), call("2", "show", `{"name":"x"}`, "ok"), said("assistant", "Done.")), "fter step 1 had failed, the agent went on with a stand-in for the data (message 4): “I will use a sample image.”")
	check(run(user, missing, said("assistant", "There is no sample image."), said("assistant", "Done.")), "not stand-in")
	titled := said("user", `Make the boards "Spring plan" and "Autumn plan", please.`)
	check(run(titled, call("1", "make_board", `{"title":"Spring plan"}`, "ok"), said("assistant", "Done.")), "user put “Autumn plan” into quotation marks, and no action has it.")
	check(run(said("user", "Name the group x-lab."), call("1", "make_group", `{"name":"x-lab3"}`, "ok"), said("assistant", "I made x-lab3, because x-lab was already taken.")), "in its last words the agent says: “I made x-lab3, because x-lab was already taken.”")
	browser := `{"task_id":"1","goal":"Which type sells best?","cum_reward":0,"steps":[{"step":0,"url":"http://shop/","action":"click('1')","thought":"I look."},{"step":1,"url":"http://shop/a","action":"send_msg_to_user(\"Bags\")","thought":"I know."},{"step":2,"url":"http://shop/a","last_action_error":"","terminated":true,"action":""}]}`
	check(browser, "the user asked (message 1): “Which type sells best?” The answer was: “Bags”")
	check(strings.Replace(browser, "Which type sells best?", "Buy a bag.", 1), "not The answer was")
	check(strings.Replace(browser, "Bags", `Bags.\\nThey sell best.`, 1), "The answer began: “Bags.”")
	check(strings.Replace(strings.Replace(browser, `"terminated":true`, `"terminated":false`, 1), `"cum_reward":0`, `"cum_reward":0,"truncated":true`, 1), "he run was cut off before its end: truncated")
	for output, want := range map[string]string{"1 failed, 2 passed": "", "3 passed, 0 failed": "not ", "failures: 0": "not "} {
		check(run(code, call("1", "edit_file", `{"path":"sum.go"}`, "ok"), call("2", "run", `{"command":"go test ./sum_test.go"}`, output), call("3", "edit_file", `{"path":"sum_test.go"}`, "ok"), call("4", "run", `{"command":"go test ./..."}`, "ok"), said("assistant", "Fixed.")), want+"a test that it had not written")
	}
	check(run(said("user", "Cancel it."), call("1", "cancel_order", `{"order_id":"K9LMP4"}`, "ok"), said("assistant", "Done."), said("user", "And the refund?")), "last question was not answered (message 5): “And the refund?”")
	check(`{"trajectories":[{"success":false,"submission":"diff --git a/x.py b/x.py\nnew file mode 100644\n+1\n","actions":[{"name":"edit_file","arguments":{"path":"x.py"}}]}]}`, "only adds files (x.py)")
}

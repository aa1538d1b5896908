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

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// This file attacks what stories say of the agent's claims. Each test draws runs in which a claim
// is borne out, and in which it is not, and knows which.

// TestPassedBy draws rooms with a thing that the agent says it did not find. A result lists it or
// a thing with a longer name, and an action names it or none does.
func TestPassedBy(t *testing.T) {
	told := 0
	for seed := range drawn.Cases(300) {
		d := drawing{rand.New(rand.NewPCG(uint64(seed), 481))}
		listed := d.pickText("mug 1", "mug 2", "mugtree 1", "no mug", "cup 1")
		takes := d.IntN(3) == 0
		text := "You see a shelf 1 and a table 1.\nYour task is to: put a mug in shelf.\n> go to shelf 1\nOn the shelf 1, you see a statue 1.\n> Think: No mug found on shelf 1, I'll check the table.\n> go to table 1\nOn the table 1, you see a pan 1, and a " + listed + ".\n"
		if takes {
			text += "> take mug 1 from table 1\nNothing happens.\n"
		}
		run := evaluate(t, map[string]any{"name": "put/trial_1", "result": false, "traj": "You are in a room. " + text + "> go to shelf 1\nOn the shelf 1, you see a statue 1.\n"})
		line, is := strings.Join(allSentences(run), " | "), strings.HasPrefix(listed, "mug ") && !takes
		if strings.Contains(line, "the agent looked for mug, the result of step 2 has it, and no action names it") != is {
			t.Fatalf("seed %d: want %v: %s\n%s", seed, is, line, text)
		}
		if is {
			told++
		}
	}
	if told < 30 {
		t.Errorf("told %d times: too seldom to show anything", told)
	}
}

var unknownText = regexp.MustCompile(`he agent stated (\S+) \(message (\d+)\), which nothing before it has: “([^”]*)”`)

// TestUnknownNumbers draws agents that talk, and state numbers that an earlier message or an output
// has, in this spelling or with commas, or that nothing has.
func TestUnknownNumbers(t *testing.T) {
	told, known := 0, 0
	for seed := range drawn.Cases(300) {
		d := drawing{rand.New(rand.NewPCG(uint64(seed), 482))}
		history := []any{map[string]any{"content": "How many people live there?", "role": "user", "name": "Asker"}}
		spell := func(n int) string {
			if d.IntN(2) == 0 {
				return strconv.Itoa(n)
			}
			return strconv.Itoa(n/1000) + "," + fmt.Sprintf("%03d", n%1000)
		}
		for range 2 + d.IntN(4) {
			n := 12000 + d.IntN(6)
			switch d.IntN(4) {
			case 0:
				history = append(history, map[string]any{"content": "exitcode: 0 (execution succeeded)\nCode output: " + spell(n), "role": "user", "name": "Computer_terminal"})
			case 1:
				history = append(history, map[string]any{"content": "Is it " + spell(n) + "?", "role": "assistant", "name": "Checker"})
			default:
				history = append(history, map[string]any{"content": d.pickText("According to the census, ", "I confirmed this. ", "As retrieved: ") + "there are " + spell(n) + " people.", "role": "assistant", "name": "Expert"})
			}
		}
		run := evaluate(t, map[string]any{"is_correct": false, "question": "How many?", "question_ID": "1", "mistake_agent": "x", "mistake_step": "0", "history": history})
		for _, line := range allSentences(run) {
			m := unknownText.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			told++
			at, _ := strconv.Atoi(m[2])
			plain := func(s any) string { return strings.ReplaceAll(fmt.Sprint(s), ",", "") }
			if !strings.Contains(fmt.Sprint(history[at-1]), m[3]) || slices.ContainsFunc(history[:at-1], func(h any) bool { return strings.Contains(plain(h), plain(m[1])) }) {
				text, _ := json.Marshal(history)
				t.Fatalf("seed %d: %s\n%s", seed, line, text)
			}
		}
		known++
	}
	if told < 50 {
		t.Errorf("told %d times of %d: too seldom to show anything", told, known)
	}
}

// TestEndsInError draws runs of a shell whose outputs end with an error or have one in their middle,
// and in which the same is run again or not.
func TestEndsInError(t *testing.T) {
	told := map[bool]int{}
	for seed := range drawn.Cases(300) {
		d := drawing{rand.New(rand.NewPCG(uint64(seed), 483))}
		output := d.pickText("collected 1 item\nE   sum.LogError: bad state", "\nEXECUTION TIMED OUT", "E   ValueError: bad\nbut 3 passed", "3 passed")
		again := d.pickText("", "", "cd src && pytest tests/a.py -q", "pytest tests/a.py -q", "pytest tests/b.py")
		steps := []any{map[string]any{"action": "edit 1:1\ntotal = 3\nend_of_edit", "observation": "[File: sum.py]", "thought": "I edit."},
			map[string]any{"action": "pytest tests/a.py -q", "observation": output, "thought": "I test."}}
		if again != "" {
			steps = append(steps, map[string]any{"action": again, "observation": "3 passed", "thought": "Again."})
		}
		run := evaluate(t, map[string]any{"instance_id": "a__b-1", "resolved": false, "exit_status": "submitted", "submission": "diff --git a/sum.py b/sum.py\n--- a/sum.py\n+++ b/sum.py\n", "steps": append(steps, map[string]any{"action": "submit", "observation": "", "thought": "Submit."})})
		is := (strings.HasSuffix(output, "bad state") || strings.HasSuffix(output, "OUT")) && !strings.Contains(again, "a.py")
		line := strings.Join(allSentences(run), " | ")
		if run.Observed[1].Error { // told as a failed step
			continue
		}
		if told[is]++; strings.Contains(line, "output of step 2, “pytest tests/a.py -q”, ends with “"+strings.TrimSpace(output[strings.LastIndex(output, "\n")+1:])+"”, and the same was not run again") != is {
			t.Fatalf("seed %d: want %v: %s\n%q, then %q", seed, is, line, output, again)
		}
	}
	if told[true] < 30 || told[false] < 30 {
		t.Errorf("%v: too few to show anything", told)
	}
}

// TestClaimsAndTyping draws runs in a browser that fill fields and end with a message.
func TestClaimsAndTyping(t *testing.T) {
	claims, typings := 0, 0
	for seed := range drawn.Cases(200) {
		d := drawing{rand.New(rand.NewPCG(uint64(seed), 484))}
		var steps []any
		var typed []string
		for i := range d.IntN(6) {
			step := map[string]any{"step": i, "url": "http://shop/", "thought": "I look."}
			if d.IntN(2) == 0 {
				words := d.pickText("Enjoying life.", "a, b", "x@y.z") + strconv.Itoa(i)
				step["action"] = fmt.Sprintf("fill('%d', '%s')", i, words)
				typed = append(typed, fmt.Sprintf("“%s” (step %d)", words, i+1))
			} else {
				step["action"] = fmt.Sprintf("click('%d')", d.IntN(99))
			}
			steps = append(steps, step)
		}
		answer := d.pickText("Done. The status has been set.", "The status is not set.", "Shall I say when it is done?", "The status is now on.")
		steps = append(steps, map[string]any{"step": len(steps), "url": "http://shop/", "action": fmt.Sprintf("send_msg_to_user(%q)", answer), "thought": "I say."},
			map[string]any{"step": len(steps) + 1, "url": "http://shop/", "last_action_error": "", "terminated": true, "action": ""})
		run := evaluate(t, map[string]any{"task_id": "1", "goal": "Set my status as Enjoying life.", "cum_reward": 0, "steps": steps})
		line := strings.Join(allSentences(run), " | ")
		if _, claim, is := strings.Cut(line, "ended with this claim: “"); is {
			claims++
			if claim, _, _ = strings.Cut(claim, "”"); !strings.Contains(answer, claim) || strings.Contains(claim, "?") || strings.Contains(claim, "not") {
				t.Fatalf("seed %d: %s\n%s", seed, line, answer)
			}
		}
		if _, said, is := strings.Cut(line, "he agent typed "); is {
			typings++
			for _, words := range typed {
				if !strings.Contains(said, words) {
					t.Fatalf("seed %d: %s\nwant %q", seed, line, typed)
				}
			}
		}
	}
	if claims < 30 || typings < 30 {
		t.Errorf("%d claims and %d typings: too few to show anything", claims, typings)
	}
}

// TestClosingClaims attacks the law that the agent ended with a claim only if it stands in the last
// paragraph of its last message, and no line of a list that goes on is a claim.
func TestClosingClaims(t *testing.T) {
	told := map[string]int{}
	for seed := range drawn.Cases(400) {
		d := drawing{rand.New(rand.NewPCG(uint64(seed), 4820))}
		first, item, last := d.pickText("The file has been saved to the shared folder of the whole team.", "I looked at the file."), d.pickText("- The genome has been a critical reference in all of these years.", "- The genome is known."), d.pickText("The check is complete and all looks accurate.", "That is what I know.", "Is there more?")
		text := first + "\n\nWhat I found:\n" + item + "\n- It is large.\n\n" + last
		run := evaluate(t, talkWith("user: Look at the file.", `call: read_file {"path":"a.txt"}`, "assistant: "+text))
		line, want := strings.Join(allSentences(run), " | "), ""
		switch {
		case strings.Contains(last, "complete"):
			want = "he agent ended with this claim: “" + last + "”"
		case strings.Contains(first, "saved"):
			want = "n its last words the agent claims: “" + first + "”"
		}
		if told[want]++; want != "" && !strings.Contains(line, want) || want == "" && strings.Contains(line, "claim") || strings.Contains(line, "genome has") {
			t.Fatalf("seed %d: want %q: %s\n%s", seed, want, line, text)
		}
	}
	if len(told) < 3 {
		t.Errorf("%v: too few to show anything", told)
	}
}

// TestLastThoughts attacks the law that a run whose last step is a thought is quoted with its words, and
// that words which announce words announce no step.
func TestLastThoughts(t *testing.T) {
	told := map[bool]int{}
	for seed := range drawn.Cases(200) {
		d := drawing{rand.New(rand.NewPCG(uint64(seed), 4821))}
		thought := d.pickText("The save button is disabled. I should report that I could not do it.", "All is there.")
		name := d.pickText("think", "read_file")
		end := d.pickText("", "assistant: All tasks are there. Let me provide a final summary of what was done:", "assistant: All tasks are there. Let me now open the next file.")
		lines := []string{"user: Look at the file.", `call: read_file {"path":"a.txt"}`, fmt.Sprintf("call: %s {\"thought\":%q}", name, thought)}
		if end != "" {
			lines = append(lines, end)
		}
		line := strings.Join(allSentences(evaluate(t, talkWith(lines...))), " | ")
		sentences := strings.SplitAfter(thought, ". ")
		is := name == "think" && end == ""
		if told[is]++; strings.Contains(line, "he run ends with step 2, think, and no message follows it. Its last words: “"+sentences[len(sentences)-1]+"”") != is ||
			strings.Contains(line, "closing word") != (name != "think" && end == "") || strings.Contains(line, "an announcement after") != strings.HasSuffix(end, "next file.") {
			t.Fatalf("seed %d: want %v: %s\n%q", seed, is, line, lines)
		}
	}
	if told[true] < 15 || told[false] < 50 {
		t.Errorf("%v: too few to show anything", told)
	}
}

// TestNoTest draws runs of a shell that change code and run one thing after it.
func TestNoTest(t *testing.T) {
	told := map[bool]int{}
	for seed := range drawn.Cases(100) {
		d := drawing{rand.New(rand.NewPCG(uint64(seed), 489))}
		ran := d.pickText("python show.py", "pytest -q", "python -m pytest a.py", "ls tests", "node show.js", "tox -e Testing")
		change := d.pickText("edit 1:1\ntotal = 3\nend_of_edit", "open sum.py")
		run := evaluate(t, map[string]any{"instance_id": "a__b-1", "resolved": false, "exit_status": "submitted", "submission": "diff --git a/sum.py b/sum.py\n--- a/sum.py\n+++ b/sum.py\n", "steps": []any{
			map[string]any{"action": "open sum.py", "observation": "[File: sum.py]", "thought": "I open."}, map[string]any{"action": change, "observation": "[File: sum.py]", "thought": "I edit."},
			map[string]any{"action": ran, "observation": "ok", "thought": "I run."}, map[string]any{"action": "submit", "observation": "", "thought": "So."}}})
		line, is := strings.Join(allSentences(run), " | "), strings.HasPrefix(change, "edit") && strings.Contains(ran, "show")
		if told[is]++; strings.Contains(line, "no command of it names a test; the last one that it ran was “"+ran+"”") != is || strings.Contains(line, "names a test") != is {
			t.Fatalf("seed %d: want %v: %s\n%s, then %s", seed, is, line, change, ran)
		}
	}
	if told[true] < 10 || told[false] < 20 {
		t.Errorf("%v: too few to show anything", told)
	}
}

// TestDeedsOfRooms draws requests for deeds in a room, of which some are tried and some succeed.
func TestDeedsOfRooms(t *testing.T) {
	told := 0
	for seed := range drawn.Cases(200) {
		d := drawing{rand.New(rand.NewPCG(uint64(seed), 492))}
		thing := d.pickText("mug", "book", "fork")
		text, done := "You are in a room. You see a shelf 1 and a sinkbasin 1.\nYour task is to: clean some "+thing+" and put it in shelf.\n> go to sinkbasin 1\nOn the sinkbasin 1, you see a "+thing+" 1.\n", map[string]bool{}
		for _, step := range []string{"take " + thing + " 1 from sinkbasin 1", "clean " + thing + " 1 with sinkbasin 1", "put " + thing + " 1 in/on shelf 1"} {
			if d.IntN(3) == 0 {
				continue
			}
			result := d.pickText("Nothing happens.", "You do it.")
			text += "> " + step + "\n" + result + "\n"
			for word := range strings.FieldsSeq(step) {
				done[word] = done[word] || result == "You do it."
			}
		}
		run := evaluate(t, map[string]any{"name": "put/trial_1", "result": false, "traj": text + "> go to shelf 1\nOn the shelf 1, you see a statue 1.\n"})
		for _, line := range allSentences(run) {
			_, rest, is := strings.Cut(line, "he request has ")
			if !is {
				continue
			}
			told++
			for _, m := range quotedText.FindAllStringSubmatch(rest, -1) {
				if done[m[1]] || !strings.Contains("clean some "+thing+" and put it in shelf", m[1]) {
					t.Fatalf("seed %d: %s\n%s", seed, line, text)
				}
			}
			if strings.Contains(rest, "“clean”") == done["clean"] || strings.Contains(rest, "“put”") == done["put"] {
				t.Fatalf("seed %d: %v: %s\n%s", seed, done, line, text)
			}
		}
	}
	if told < 50 {
		t.Errorf("told %d times: too seldom to show anything", told)
	}
}

// TestOwnTests draws runs of a shell that make a test, and run it or one that was there.
func TestOwnTests(t *testing.T) {
	told := map[bool]int{}
	for seed := range drawn.Cases(100) {
		d := drawing{rand.New(rand.NewPCG(uint64(seed), 493))}
		ran := d.pickText("python test_sum.py", "python ./test_sum.py", "pytest -q", "pytest tests/test_all.py", "python test_sum.py tests/test_all.py", `python "/new tests/test_sum.py"`, `python /new\ tests/test_sum.py`, `python "/all tests/test sum.py"`)
		run := evaluate(t, map[string]any{"instance_id": "a__b-1", "resolved": false, "exit_status": "submitted", "submission": "diff --git a/sum.py b/sum.py\n--- a/sum.py\n+++ b/sum.py\n", "steps": []any{
			map[string]any{"action": "create test_sum.py", "observation": "[File: test_sum.py]", "thought": "I make a test."}, map[string]any{"action": "open sum.py", "observation": "[File: sum.py]", "thought": "I open."}, map[string]any{"action": "edit 1:1\ntotal = 3\nend_of_edit", "observation": "[File: sum.py]", "thought": "I edit."},
			map[string]any{"action": ran, "observation": "ok", "thought": "I run."}, map[string]any{"action": "submit", "observation": "", "thought": "So."}}})
		whole := strings.ReplaceAll(strings.Trim(strings.TrimPrefix(ran, "python "), `"`), `\ `, " ")
		is := strings.HasSuffix(strings.Trim(ran, `"`), "/test_sum.py") || strings.HasSuffix(ran, " test_sum.py")
		if told[is]++; strings.Contains(strings.Join(allSentences(run), " | "), "he agent ran no test but its own ("+whole+")") != is {
			t.Fatalf("seed %d: want %v: %s\n%q", seed, is, ran, allSentences(run))
		}
	}
	if told[true] < 10 || told[false] < 20 {
		t.Errorf("%v: too few to show anything", told)
	}
}

// TestNamesOfPages draws requests for a page with names, of which some are typed or shown, in any
// spelling.
func TestNamesOfPages(t *testing.T) {
	told := 0
	for seed := range drawn.Cases(200) {
		d := drawing{rand.New(rand.NewPCG(uint64(seed), 490))}
		names := []string{"Abishek", "Vinta", "Müller", "Roshan"}
		goal, has := "Create a group and add", map[string]bool{}
		steps := []any{map[string]any{"step": 0, "url": "http://git/new", "action": "fill('1', 'group')", "thought": "I type."}}
		for _, name := range names[:1+d.IntN(4)] {
			goal += " " + name
			switch spelled := d.pickText(name, strings.ToLower(name), strings.ToUpper(name)); d.IntN(3) {
			case 0:
				steps = append(steps, map[string]any{"step": len(steps), "url": "http://git/new", "action": "fill('2', '" + spelled + "')", "thought": "I type."})
				has[name] = true
			case 1:
				steps = append(steps, map[string]any{"step": len(steps), "url": "http://git/new", "action": "goto('http://git/find?q=" + spelled + "')", "thought": "I look."})
				has[name] = true
			}
		}
		run := evaluate(t, map[string]any{"task_id": "1", "goal": goal + ".", "cum_reward": 0, "steps": append(steps, map[string]any{"step": len(steps), "url": "http://git/new", "last_action_error": "", "terminated": true, "action": ""})})
		for _, line := range allSentences(run) {
			m := missedText.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			told++
			for _, name := range strings.Split(strings.ReplaceAll(m[1], " and ", ", "), ", ") {
				if has[name] || !strings.Contains(goal, name) {
					t.Fatalf("seed %d: %s\n%s: %v", seed, line, goal, has)
				}
			}
		}
	}
	if told < 50 {
		t.Errorf("told %d times: too seldom to show anything", told)
	}
}

// TestConclusions checks that what was concluded in place of a right answer is quoted word for word.
func TestConclusions(t *testing.T) {
	told := 0
	for seed := range drawn.Cases(100) {
		d := drawing{rand.New(rand.NewPCG(uint64(seed), 491))}
		said := d.pickText("Thus, the final list is:\n- Oren\n- Amit\n\nDo we agree?", "I looked. The answer is Oren.", "Is this the final answer?", "Oren and Amit did it, as far as is known.\nWe are through.")
		run := evaluate(t, map[string]any{"is_correct": false, "question": "Who?", "question_ID": "1", "ground_truth": "Shiran Nawi", "mistake_agent": "x", "mistake_step": "0", "history": []any{
			map[string]any{"role": "user", "name": "Asker", "content": "Who did it?"}, map[string]any{"role": "assistant", "name": "Expert", "content": said + strings.Repeat(" I checked it again and again.", 5)}, map[string]any{"role": "assistant", "name": "Expert", "content": "TERMINATE"}}})
		_, rest, is := strings.Cut(strings.Join(allSentences(run), " | "), "It concluded: ")
		if is {
			told++
		}
		rest, _, _ = strings.Cut(rest, " | ")
		for _, m := range quotedText.FindAllStringSubmatch(rest, -1) {
			if !strings.Contains(said, m[1]) || strings.HasSuffix(m[1], "?") {
				t.Fatalf("seed %d: %s\n%s", seed, rest, said)
			}
		}
		if want := strings.HasPrefix(said, "Thus") || strings.HasPrefix(said, "I looked"); is != want {
			t.Fatalf("seed %d: %v, want %v\n%s", seed, is, want, said)
		}
	}
	if told < 20 {
		t.Errorf("told %d times: too seldom to show anything", told)
	}
}

// TestPartsOfFiles checks that calls of which the record has only the file are not said to be the
// same call, whichever words the agent has for them.
func TestPartsOfFiles(t *testing.T) {
	for seed := range drawn.Cases(60) {
		d := drawing{rand.New(rand.NewPCG(uint64(seed), 485))}
		var events []any
		for range 3 + d.IntN(5) {
			if d.IntN(2) == 0 {
				events = append(events, map[string]any{"kind": "edit", "message": "I edited the file /work/a.go.", "content": "Now the next part."})
			} else {
				events = append(events, map[string]any{"kind": "read", "message": "Reading file: /work/a.go", "content": "More of it."}, map[string]any{"kind": "observation", "message": "I read the file /work/a.go."})
			}
		}
		run := evaluate(t, map[string]any{"task": "t", "success": false, "task_md": "Do it.", "checkpoints_md": "", "score": map[string]any{"checkpoints": []any{}}, "events": events})
		if len(run.Observed) < 3 {
			t.Fatal("the calls were not read")
		}
		for _, line := range allSentences(run) {
			if strings.Contains(line, "same call") || strings.Contains(line, "are the same") || strings.Contains(line, "same arguments") {
				t.Fatalf("seed %d: %s", seed, line)
			}
		}
	}
}

// TestNeverTold draws runs whose figure the user was told, or which the agent only wrote beside a
// call, or nowhere.
func TestNeverTold(t *testing.T) {
	for seed := range drawn.Cases(60) {
		d := drawing{rand.New(rand.NewPCG(uint64(seed), 486))}
		figure := 10000 + d.IntN(90000)
		spelled := d.pickText(strconv.Itoa(figure), fmt.Sprintf("$%d,%03d", figure/1000, figure%1000))
		place := d.IntN(3)
		words := map[bool]string{true: "You save " + spelled + " in total.", false: ""}
		call := map[string]any{"role": "assistant", "content": words[place == 1], "tool_calls": []any{map[string]any{"id": "c1", "type": "function", "function": map[string]any{"name": "get_order", "arguments": `{"order_id":"#W1"}`}}}}
		run := evaluate(t, map[string]any{"task_id": 0, "reward": 0, "trial": 0, "info": map[string]any{"task": map[string]any{"user_id": "u", "instruction": "x", "actions": []any{}, "outputs": []any{strconv.Itoa(figure)}}},
			"traj": []any{map[string]any{"role": "system", "content": "Be kind."}, map[string]any{"role": "user", "content": "How much do I save?"}, call,
				map[string]any{"role": "tool", "tool_call_id": "c1", "name": "get_order", "content": "ok"}, map[string]any{"role": "assistant", "content": "I looked. " + words[place == 2]}, map[string]any{"role": "user", "content": "Thanks. ###STOP###"}}})
		line := strings.Join(allSentences(run), " | ")
		never, beside := strings.Contains(line, "The agent never told the user"), strings.Contains(line, "which stands beside a call and was not sent to the user: “"+words[true]+"”")
		if never != (place < 2) || beside != (place == 1) {
			t.Fatalf("seed %d: place %d: %s", seed, place, line)
		}
	}
}

// TestPointersAreNoDeeds draws scripts on a screen that move the pointer. That is no deed for which
// somebody would ask.
func TestPointersAreNoDeeds(t *testing.T) {
	for seed := range drawn.Cases(60) {
		d := drawing{rand.New(rand.NewPCG(uint64(seed), 487))}
		var steps []any
		for i := range 1 + d.IntN(4) {
			steps = append(steps, map[string]any{"step": i + 1, "thought": "I look.", "action": fmt.Sprintf("pyautogui.%s(%d.5, %d)", d.pickText("moveTo", "moveRel", "moveTo", "click"), d.IntN(900), d.IntN(900))})
		}
		run := evaluate(t, map[string]any{"task_id": "a", "model": "m", "domain": "calc", "success_raw": 0, "success_binary": false, "num_steps": len(steps), "instruction": d.pickText("Set the separator as a comma. Please keep the numbers as-is.", "Move the file later, and only show it now.", "Do not move anything. What is in B2?"), "steps": steps})
		if line := strings.Join(allSentences(run), " | "); strings.Contains(line, "moveTo;") || strings.Contains(line, "moveRel;") || strings.Contains(line, "moveTo (action") || strings.Contains(line, "moveRel (action") {
			t.Fatalf("seed %d: %s", seed, line)
		}
	}
}

// TestWhoseTest draws runs of a shell that make a test in one of several ways, or open one that was
// there, and edit it after it had failed.
func TestWhoseTest(t *testing.T) {
	told := map[bool]int{}
	for seed := range drawn.Cases(200) {
		d := drawing{rand.New(rand.NewPCG(uint64(seed), 488))}
		begin := d.pickText("create test_sum.py", "cat > test_sum.py << EOF\nassert False\nEOF", "cp other.py test_sum.py", "open test_sum.py", "open sum.py\nx", "create run.py")
		looks := d.pickText(`find . -name "*test*.py"`, "ls test_old.py", "python test_old.py", "")
		steps := []any{map[string]any{"action": begin, "observation": "[File: test_sum.py]", "thought": "I begin."}, map[string]any{"action": "python test_sum.py", "observation": "FAILED (errors=1)", "thought": "I test."}}
		if looks != "" {
			steps = append(steps, map[string]any{"action": looks, "observation": "./test_old.py", "thought": "I look."})
		}
		if again := d.pickText("", "open ./test_sum.py", "open /work/test_sum.py"); again != "" && begin != "open sum.py\nx" && begin != "create run.py" {
			steps = append(steps, map[string]any{"action": again, "observation": "[File: test_sum.py]", "thought": "I open."})
		}
		steps = append(steps, map[string]any{"action": "edit 1:1\nassert True\nend_of_edit", "observation": "[File: x]", "thought": "I edit."}, map[string]any{"action": "submit", "observation": "", "thought": "Done."})
		run := evaluate(t, map[string]any{"instance_id": "a__b-1", "resolved": false, "exit_status": "submitted", "submission": "diff --git a/sum.py b/sum.py\n--- a/sum.py\n+++ b/sum.py\n", "steps": steps})
		line, is := strings.Join(allSentences(run), " | "), begin == "open test_sum.py"
		if told[is]++; strings.Contains(line, "a test that it had not written") != is {
			text, _ := json.Marshal(steps)
			t.Fatalf("seed %d: want %v: %s\n%s", seed, is, line, text)
		}
	}
	if told[true] < 20 || told[false] < 50 {
		t.Errorf("%v: too few to show anything", told)
	}
}

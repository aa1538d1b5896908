package story_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// This file attacks what stories say of values, things and deeds that the record does not have.

// talkWith returns a failed run with messages, and calls between them: "call: NAME ARGUMENTS".
func talkWith(lines ...string) map[string]any {
	var messages []any
	for i, line := range lines {
		who, text, _ := strings.Cut(line, ": ")
		if who != "call" {
			messages = append(messages, map[string]any{"role": who, "content": text})
			continue
		}
		name, arguments, _ := strings.Cut(text, " ")
		id := fmt.Sprint("c", i)
		messages = append(messages, map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{map[string]any{"id": id, "type": "function", "function": map[string]any{"name": name, "arguments": arguments}}}},
			map[string]any{"role": "tool", "tool_call_id": id, "content": "ok"})
	}
	return map[string]any{"success": false, "messages": messages}
}

// TestAssumedValues attacks the law that a value is assumed only if the agent says so, and nothing
// before has its number.
func TestAssumedValues(t *testing.T) {
	told := map[bool]int{}
	for seed := range drawn.Cases(300) {
		d := drawing{rand.New(rand.NewPCG(uint64(seed), 4810))}
		request := d.pickText("Make the payroll.", "Make the payroll with $25 an hour.", "Make the payroll of room 125.")
		says := d.pickText("Since I do not have the rates, I'll assume a standard rate of $25 per hour for all.", "I will assume 25 dollars.", "Should I assume $25 an hour?", "I will use the rate of 25.", "If it is empty, I'll assume 25.")
		run := evaluate(t, talkWith("user: "+request, `call: read_file {"path":"rates.txt"}`, "assistant: "+says, `call: write_file {"path":"payroll.csv"}`, "assistant: Here it is."))
		is := strings.Contains(says, "ll assume") && !strings.HasPrefix(says, "If") && !strings.Contains(request, "$25")
		told[is]++
		if line := strings.Join(allSentences(run), " | "); strings.Contains(line, "assumed a value that nothing before has (message 4): “"+says+"”") != is {
			t.Fatalf("seed %d: want %v: %s\n%s\n%s", seed, is, line, request, says)
		}
	}
	if told[true] < 50 || told[false] < 50 {
		t.Errorf("%v: too few to show anything", told)
	}
}

var unnamedText = regexp.MustCompile(`t step (\d+), [^“]*“([^”]*)”, the agent acted on (\w+ \d+), which nothing before it names`)

// TestUnnamedThings attacks the law that nothing before an action names a thing only if no message and
// no result before it does.
func TestUnnamedThings(t *testing.T) {
	told, quiet := 0, 0
	for seed := range drawn.Cases(400) {
		d := drawing{rand.New(rand.NewPCG(uint64(seed), 4811))}
		text := "You are in a room. You see a shelf 1, a table 1 and a table 2.\nYour task is to: put an apple in shelf.\n"
		seen, want := "shelf 1, table 1, table 2,", ""
		for step := range 2 + d.IntN(4) {
			place, thing := d.pickText("shelf 1", "table 1", "table 2"), d.pickText("apple", "mug")+" "+d.pickText("1", "2", "11")
			action, result := "go to "+place, "On the "+place+", you see a "+thing+"."
			if d.IntN(2) == 0 {
				action, result = "take "+thing+" from "+place, "Nothing happens."
			}
			text += "> " + action + "\n" + result + "\n"
			if strings.HasPrefix(action, "take") && !strings.Contains(seen, thing+",") && want == "" {
				want = fmt.Sprint(step+1, " ", thing)
			}
			if strings.HasPrefix(action, "go") {
				seen += thing + ","
			}
		}
		run := evaluate(t, map[string]any{"name": "put/trial_1", "result": false, "traj": text + "> go to shelf 1\nOn the shelf 1, you see a statue 1.\n"})
		got := ""
		for _, line := range allSentences(run) {
			if m := unnamedText.FindStringSubmatch(line); m != nil {
				got = m[1] + " " + m[3]
			}
		}
		if got != want {
			t.Fatalf("seed %d: %q, want %q\n%s", seed, got, want, text)
		}
		if told++; want == "" {
			quiet++
		}
	}
	if told-quiet < 100 || quiet < 50 {
		t.Errorf("%d told and %d quiet: too few to show anything", told, quiet)
	}
}

// TestClaimedUndone attacks the law that no call names what was claimed only if none that may change
// something does.
func TestClaimedUndone(t *testing.T) {
	told := map[bool]int{}
	for seed := range drawn.Cases(300) {
		d := drawing{rand.New(rand.NewPCG(uint64(seed), 4812))}
		calls := []string{"user: Please add 3 checked bags to FQ8APE and change the name to Omar.", `call: get_reservation {"id":"FQ8APE","bags":1}`}
		calls = append(calls, d.pickText(`call: update_reservation_passengers {"id":"FQ8APE","name":"Omar"}`, `call: update_reservation_baggages {"id":"FQ8APE","total":3}`, `call: update_reservation {"id":"FQ8APE","checked_bags":3}`))
		says := d.pickText("The name was changed, and 3 checked bags have been added.", "Your name has been changed.", "3 bags will be added if you agree.", "3 checked bags have been found in the record.")
		run := evaluate(t, talkWith(append(calls, "assistant: "+says, "user: Good, thank you.", "assistant: You are welcome.")...))
		is := strings.HasSuffix(says, "bags have been added.") && strings.Contains(calls[2], "passengers")
		told[is]++
		if line := strings.Join(allSentences(run), " | "); strings.Contains(line, "he agent told the user (message 6): “"+says+"” No call that changes something names bags.") != is || !is && strings.Contains(line, "No call that changes") {
			t.Fatalf("seed %d: want %v: %s\n%s\n%s", seed, is, line, calls[2], says)
		}
	}
	if told[true] < 15 || told[false] < 50 {
		t.Errorf("%v: too few to show anything", told)
	}
}

// TestSameAfterTheSame attacks the law that a call is made again only if what came before it is the same,
// too, reads left out.
func TestSameAfterTheSame(t *testing.T) {
	told := map[bool]int{}
	for seed := range drawn.Cases(300) {
		d := drawing{rand.New(rand.NewPCG(uint64(seed), 4813))}
		var steps []any
		texts := map[string]bool{}
		for i := range 3 {
			text := d.pickText("CMU", "USPS")
			if d.IntN(3) == 0 {
				text = fmt.Sprint("place ", i)
			}
			texts[text] = true
			steps = append(steps, map[string]any{"step": 2 * i, "url": "http://map/", "action": "fill('1', '" + text + "')", "thought": "I type."}, map[string]any{"step": 2*i + 1, "url": "http://map/", "action": "click('165')", "thought": "I search."})
		}
		run := evaluate(t, map[string]any{"task_id": 1, "goal": "Show the way to CMU.", "score": 0, "steps": steps})
		line := strings.Join(allSentences(run), " | ")
		is := len(texts) == 1
		if told[is]++; strings.Contains(line, "he same call was made") != is {
			t.Fatalf("seed %d: want %v: %s\n%v", seed, is, line, steps)
		}
	}
	if told[true] < 10 || told[false] < 50 {
		t.Errorf("%v: too few to show anything", told)
	}
}

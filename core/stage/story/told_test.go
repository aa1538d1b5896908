package story_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// drawDesk returns a conversation at a desk with gold: texts by the user and the agent in turn, the texts that
// must be told, and the calls of the reference.
func drawDesk(outputs, actions []any, texts ...string) map[string]any {
	messages := []any{map[string]any{"role": "system", "content": "Be kind."}}
	for i, text := range texts {
		messages = append(messages, map[string]any{"role": [2]string{"user", "assistant"}[i%2], "content": text})
	}
	return map[string]any{"task_id": 0, "reward": 0, "trial": 0, "traj": messages,
		"info": map[string]any{"task": map[string]any{"user_id": "u", "instruction": "x", "actions": actions, "outputs": outputs}}}
}

var toldOther = regexp.MustCompile(`It told the user ([0-9,]+) \(message (\d+)\)`)

// TestToldInstead draws numbers of which one had to be told, with one other number of as many digits, two, or
// none. Only the only one is said to be told, and with its message. A short one that the user gave is none.
func TestToldInstead(t *testing.T) {
	seen := map[int]int{}
	for seed := range drawn.Cases(120) {
		d := drawing{rand.New(rand.NewPCG(uint64(seed), 489))}
		digits := d.pickNumber(2, 3, 5, 8, 12)
		number := func() string {
			s := strconv.Itoa(1 + d.IntN(9))
			for len(s) < digits {
				s += strconv.Itoa(d.IntN(10))
			}
			return s
		}
		want, first, second, asked := number(), number(), number(), "How many?"
		if want == first || want == second || first == second {
			continue
		}
		said, given := d.IntN(3), digits < 4 && d.IntN(2) == 0
		if given {
			asked = "How many of the " + first + "?"
		}
		answers := [3]string{"I do not know.", "It is " + first + " as far as I see.", "It is " + first + ". Or it is " + second + "."}
		all := strings.Join(allSentences(evaluate(t, drawDesk([]any{want}, []any{}, asked, answers[said], "Thanks. ###STOP###"))), " | ")
		told := ""
		switch {
		case said == 1 && !given:
			told = first
		case said == 2 && given:
			told = second
		}
		m := toldOther.FindStringSubmatch(all)
		if (m != nil) != (told != "") || m != nil && (m[1] != told || m[2] != "3") || !strings.Contains(all, "never told the user") {
			t.Fatalf("seed %d: %s of %s, said %d: %s", seed, told, want, said, all)
		}
		seen[said]++
	}
	if seen[1] < 10 {
		t.Error(seen)
	}
}

// TestNumberOfAnswer draws talks of agents whose answer is a wrong number, said at the end or before, beside
// numbers that are none: of a label, of a list, of the task. Only the wrong answer is quoted.
func TestNumberOfAnswer(t *testing.T) {
	for seed := range drawn.Cases(120) {
		d := drawing{rand.New(rand.NewPCG(uint64(seed), 491))}
		right, wrong := 20+d.IntN(70), 100+d.IntN(800)
		speak := func(name, text string) map[string]any {
			return map[string]any{"name": name, "role": "assistant", "content": text}
		}
		answer := fmt.Sprintf("The page had %d revisions by then.", wrong)
		noise := d.pickText("I have looked at Search Result 1 again.", "There are two things: (1) a task and (2) a plan.", "1. We look. Then we count.")
		says, late := d.IntN(4) > 0, d.IntN(2) == 0
		history := []any{speak("Manager", "You are given 7 pages and a task."), speak("Expert", "I begin. "+noise)}
		if says {
			history = append(history, speak("Expert", answer))
		}
		if end := "There are no objections, so I end here.\nAll agree with this, as it seems to me, and the talk can be closed by the manager of the group now.\n\nTERMINATE"; !says || late {
			history = append(history, speak("Checker", end))
		}
		all := strings.Join(allSentences(evaluate(t, map[string]any{"is_correct": false, "question": "How many?", "question_ID": "q", "level": "1", "ground_truth": strconv.Itoa(right), "mistake_agent": "Expert", "mistake_step": "1", "mistake_reason": "wrong", "history": history})), " | ")
		if !strings.Contains(all, fmt.Sprintf("has “%d” as the right answer", right)) || strings.Contains(all, "“"+answer+"”") != says || strings.Contains(all, "such a number: “"+noise) || strings.Contains(all, "You are given") || strings.Contains(all, "Search Result") {
			t.Fatalf("seed %d, says %v, late %v: %s", seed, says, late, all)
		}
	}
}

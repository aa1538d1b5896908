package violation

import (
	"github.com/boundcheck/boundcheck/core/stage/sentences"
	"sort"
	"strings"
)

// Turn is one turn of a conversation between agents.
type Turn struct {
	Speaker string // "" for a speaker that is not an agent: a user, a program that runs code
	Text    string
	Runs    bool // the turn contains code to run
}

// Suspect is a turn that a person should read first, with the reasons.
type Suspect struct {
	Turn    int
	Reasons []string
}

// MaxSuspects is the largest number of turns that Suspects returns.
const MaxSuspects = 3

// inventions lists English words with which an agent says that it works with data that it
// does not have.
var inventions = [...]string{"assume", "assumes", "assuming", "assumed", "assumption", "assumptions", "simulate", "simulates", "simulated", "simulating", "simulation",
	"hypothetical", "hypothetically", "placeholder", "placeholders", "mock", "mocked", "dummy", "fictional", "suppose", "sample data", "for the purpose of", "for the sake of", "let's say"}

// Suspects returns the turns that most likely introduced an error, most likely first. A
// turn gets points for new content:
//
//   - 2 points if it says that it works with assumed or invented data
//   - 2 points if it contains code to run
//   - 1 point if it has a number that no earlier turn contains
//
// Among turns with equal points, the earlier turn comes first. At most MaxSuspects turns
// are returned. A suspect is not a finding, but a place to look at. O(texts).
func Suspects(turns []Turn) []Suspect {
	type weighed struct {
		Suspect
		weight int
	}
	known := map[string]bool{}
	var all []weighed
	for i := range turns {
		t := &turns[i]
		numbers := numbersIn(t.Text)
		fresh := ""
		for _, n := range numbersIn(outsideFences(t.Text)) {
			if len(n) >= 2 && !known[n] && fresh == "" {
				fresh = n
			}
		}
		for _, n := range numbers {
			known[n] = true
		}
		if t.Speaker == "" || strings.TrimSpace(t.Text) == "" || isBareWord(t.Text) {
			continue
		}
		w := weighed{Suspect: Suspect{Turn: i}}
		if i > 0 && holdsAny(t.Text, inventions[:]) {
			w.weight += 2
			w.Reasons = append(w.Reasons, sentences.Invents.With())
		}
		if t.Runs {
			w.weight += 2
			w.Reasons = append(w.Reasons, sentences.BringsCode.With())
		}
		if fresh != "" {
			w.weight++
			w.Reasons = append(w.Reasons, sentences.SaysNew.With(fresh))
		}
		if len(w.Reasons) == 0 {
			w.Reasons = append(w.Reasons, sentences.ComesEarly.With())
		}
		all = append(all, w)
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].weight > all[j].weight })
	var out []Suspect
	for i := 0; i < len(all) && i < MaxSuspects; i++ {
		out = append(out, all[i].Suspect)
	}
	return out
}

// isBareWord reports whether a turn is a single word in capitals, such as the protocol
// word TERMINATE.
func isBareWord(text string) bool {
	text = strings.TrimSpace(text)
	return !strings.ContainsAny(text, " \n") && text == strings.ToUpper(text)
}

// numbersIn lists the numbers of a text as they are written, with commas and points.
func numbersIn(text string) (out []string) {
	for i := 0; i < len(text); {
		start := i
		for i < len(text) && (text[i] >= '0' && text[i] <= '9' || i > start && (text[i] == ',' || text[i] == '.')) {
			i++
		}
		if n := strings.TrimRight(text[start:i], ".,"); n != "" {
			out = append(out, n)
		}
		if i == start {
			i++
		}
	}
	return out
}

// outsideFences returns a text without its fenced blocks.
func outsideFences(text string) string {
	if !strings.Contains(text, "```") {
		return text
	}
	parts := strings.Split(text, "```")
	var b strings.Builder
	for i := 0; i < len(parts); i += 2 {
		b.WriteString(parts[i])
		b.WriteByte(' ')
	}
	return b.String()
}

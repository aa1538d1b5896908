package requests

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestHandedOver draws wishes that hand a deed to the words of a mail, or only want to be told them, in three languages, with a
// mail that has the value of the deed, or another one: only the wish with the mail's own value is asked for, and never of the gate.
func TestHandedOver(t *testing.T) {
	random := rand.New(rand.NewPCG(44, 61))
	hands := [...]string{
		"Mr Brand wrote about his rent. Go with whatever amount he names.", "Mr Brand wrote. He gets his way, put it through.",
		"Mr Brand's mail is in, take his proposal over as he wrote it.", "Mr Brand wrote about the rent; the owner agreed to what he proposes.",
		"Herr Brand hat geschrieben. Er bekommt, was er möchte.", "M. Brand a écrit. Il aura tout ce qu'il veut.",
	}
	told := [...]string{
		"Mr Brand wrote about his rent. What does he want?", "Mr Brand wrote. Tell me what he wants.", "Is there a mail of Mr Brand?",
		"Herr Brand hat geschrieben. Was möchte er denn?", "M. Brand a écrit. Qu'est-ce qu'il veut ?",
	}
	for range drawn.Cases(500) {
		wanted, named := random.IntN(2) == 0, random.IntN(4) > 0
		words := told[random.IntN(len(told))]
		if wanted {
			words = hands[random.IntN(len(hands))]
		}
		amount := 300 + random.IntN(600)
		said := amount
		if !named {
			said += 1000
		}
		texts := newChat("u "+words, fmt.Sprintf(`d {"from":"brand@post.example","body":"I propose a rent of %d from April on, please set this in your system."}`, said))
		act := &Action{Call: newCall(t, "set_rent", fmt.Sprintf(`{"rent":%d}`, amount)), Before: len(texts), Sure: true}
		got := NewReader(texts, nil, NoMeans, nil).Trace(act)
		if got.By.Traced() != (wanted && named) {
			t.Fatalf("%s (%s %q), want traced %v\n%s\n%s", got.By, got.Why, got.Words, wanted && named, words, texts[1].Text)
		}
		gate := NewReader(texts, nil, NoMeans, nil)
		if gate.Strict = true; strings.Contains(words, "rent;") && gate.Trace(act).By.Traced() {
			t.Fatalf("the gate traces %q", words)
		}
	}
}

// TestChosenByResult draws a request for the things that somebody has marked, and lists of the marked and of the other ones: a deed on
// a thing is asked for if, and only if, the list of the marked ones has it.
func TestChosenByResult(t *testing.T) {
	random := rand.New(rand.NewPCG(44, 62))
	for range drawn.Cases(300) {
		word := [...]string{"ticked", "approved", "marked", "signed"}[random.IntN(4)]
		var lists [2][]string
		for _, n := range []string{"Ada", "Bo", "Cleo", "Dan"} {
			k := random.IntN(2)
			lists[k] = append(lists[k], `"`+n+`"`)
		}
		thing := [...]string{"Ada", "Bo", "Cleo", "Dan"}[random.IntN(4)]
		texts := newChat("u Order the ones Dr Vance has "+word+".", fmt.Sprintf(`d {"%s":[%s],"open":[%s]}`, word, strings.Join(lists[0], ","), strings.Join(lists[1], ",")))
		got := NewReader(texts, nil, NoMeans, nil).Trace(&Action{Call: newCall(t, "order_med", `{"pet":"`+thing+`"}`), Before: len(texts), Sure: true})
		if wanted := strings.Contains(strings.Join(lists[0], ","), thing); got.By.Traced() != wanted {
			t.Fatalf("%s (%s), want traced %v: %s\n%s", got.By, got.Why, wanted, thing, texts[1].Text)
		}
	}
}

// TestOnlyTheyMayAsk draws the speaker of a message, the sentence that lets only some ask, and those whom it means by name, by a list in
// the instructions or by a result: nobody else asks for the deed.
func TestOnlyTheyMayAsk(t *testing.T) {
	random := rand.New(rand.NewPCG(44, 63))
	people := []string{"Marta", "Pavel", "Ines", "Olaf"}
	for range drawn.Cases(300) {
		random.Shuffle(len(people), func(i, j int) { people[i], people[j] = people[j], people[i] })
		speaker := people[random.IntN(4)]
		may := speaker == people[0] || speaker == people[1]
		var system, result string
		switch random.IntN(3) {
		case 0:
			system = "Messages come as [name]. Only " + people[0] + " and " + people[1] + " may open or close gates."
		case 1:
			system = "Messages come as [name]. Owners: " + people[0] + ", " + people[1] + ". Gates are closed only if owners ask."
		case 2:
			system, result = "Messages come as [name]. Gates are closed only when a keeper asks.", fmt.Sprintf(`d {"keepers":["%s","%s"],"open":true}`, people[0], people[1])
		}
		lines := []string{"s " + system, "u [" + speaker + "] close gate 3 please"}
		if result != "" {
			lines = append(lines, result)
		}
		texts := newChat(lines...)
		got := NewReader(texts, nil, NoMeans, nil).Trace(&Action{Call: newCall(t, "close_gate", `{"gate":3}`), Before: len(texts), Sure: true})
		if got.By.Traced() != may {
			t.Fatalf("%s (%s %q), want traced %v\n%s\n%s", got.By, got.Why, got.Words, may, system, lines[1])
		}
	}
}

package handing

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// TestWants draws talks of parts of which it is known by construction whether they want something done: orders with verbs that no list
// of deeds has to know, duties and leave to go on want something; facts, questions, denials and conditions do not.
func TestWants(t *testing.T) {
	wanting := []string{"put %s down for it", "round it up by the two euros", "walk through it to the end", "grab the earliest one", "those you can chuck", "%s ought to land with Dana", "see to that", "give it ten minutes"}
	other := []string{"we were at the inn last week", "how dry is zone %s", "what do they cost", "the breakfast was superb", "I need to know by noon", "tell me how it looks", "show me the list of %s", "do not touch %s", "my number is %s"}
	r := rand.New(rand.NewPCG(44, 3))
	for range 4000 {
		from, wants := other, r.IntN(2) == 0
		if wants {
			from = wanting
		}
		part := from[r.IntN(len(from))]
		if strings.Contains(part, "%s") {
			part = fmt.Sprintf(part, []string{"Rosa", "Bo", "seven"}[r.IntN(3)])
		}
		text := part
		if before := []string{"", "", "please ", "and ", "if it is free, ", "ok, "}[r.IntN(6)]; wants {
			text = before + part
		}
		text += []string{".", "", " thanks."}[r.IntN(3)]
		read, got := utterance.Read(text, "en"), 0
		for i := range read.Sentences {
			got += len(Wants(&read.Sentences[i], "en"))
		}
		if (got > 0) != wants {
			t.Fatalf("%q: %d parts, want some: %v", text, got, wants)
		}
	}
	for _, lang := range []string{"", "de", "cjk"} {
		if s := utterance.ReadSentence("Put me down for it.", lang); Wants(&s, lang) != nil {
			t.Errorf("%q: only English is understood", lang)
		}
	}
}

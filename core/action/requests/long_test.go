package requests

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/utterance"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestBarsSpareOtherThings draws requests with numbers and what is forbidden later. A request is barred if and only if
// it or the sentence that forbids has no number, or they share one.
func TestBarsSpareOtherThings(t *testing.T) {
	r := rand.New(rand.NewPCG(49, 6))
	draw := func() (numbers string, s *utterance.Sentence) {
		words := []string{"cancel"}
		for range r.IntN(4) {
			words = append(words, fmt.Sprint(r.IntN(6)))
		}
		return strings.Join(words[1:], " "), &utterance.Sentence{Words: words}
	}
	for range drawn.Cases(500) {
		o := &open{}
		var all []string
		for range 1 + r.IntN(8) {
			numbers, s := draw()
			all, o.requests = append(all, numbers), append(o.requests, request{sentence: s})
		}
		barred := make([]bool, len(all))
		for range 1 + r.IntN(3) {
			numbers, s := draw()
			s.Bars = utterance.Cancel
			o.barEarlier(s)
			for i, own := range all {
				shared := own == "" || numbers == ""
				for _, x := range strings.Fields(own) {
					shared = shared || strings.Contains(" "+numbers+" ", " "+x+" ")
				}
				barred[i] = barred[i] || shared
			}
		}
		for i := range barred {
			if got := o.requests[i].barred != 0; got != barred[i] {
				t.Fatalf("request %q of %q: barred %v, want %v", all[i], all, got, barred[i])
			}
		}
	}
}

// TestLongTalks draws what each turn of a conversation says, and traces a call behind many of them. The work grows as the
// number of turns does: eight times as many take by far less than 64 times as long.
func TestLongTalks(t *testing.T) {
	turns := []string{
		"u Look at order %[1]d %[2]s",
		"a Account %[1]d is fine.\nu Never update account %[1]d %[2]s",
		"a Account %[1]d is fine.\nu Update account %[1]d but never cancel order %[1]d %[2]s.",
	}
	trace := func(turn string, n int) time.Duration {
		var texts []provenance.Text
		for i := range n {
			for line := range strings.Lines(fmt.Sprintf(turn, i, strings.Repeat(fmt.Sprintf("word%d ", i), 40))) {
				from := provenance.FromUser
				if line[0] == 'a' {
					from = provenance.FromAgent
				}
				texts = append(texts, provenance.Text{From: from, Message: len(texts), Call: -1, Text: strings.TrimSpace(line[2:])})
			}
		}
		v, _ := jsonval.Parse(`{"a":"z4"}`)
		call := similarity.NewCall("update_acct", v, "", "")
		start := time.Now()
		NewReader(texts, nil, NoMeans, nil).Trace(&Action{Call: &call, Sure: true, Told: true, Before: len(texts)})
		return time.Since(start)
	}
	for _, turn := range turns {
		small, large := time.Hour, time.Hour
		for range 6 { // the machine may be busy
			small, large = min(small, trace(turn, 100)), min(large, trace(turn, 800))
			if large <= 32*small {
				break
			}
		}
		if large > 32*small {
			t.Errorf("%q: 100 turns took %v, and 800 took %v", turn, small, large)
		}
	}
}

package utterance

import (
	"fmt"
	"strings"
	"testing"
)

// TestSentences reads one sentence of each form: a request, a denied one, a question, a polite one, and one
// that takes something back.
func TestSentences(t *testing.T) {
	for _, c := range []struct {
		text       string
		asks, bars Kinds
		has        Kinds // of its meanings, the one that counts
		question   bool
	}{
		{"Cancel the order.", Cancel, 0, 0, false},
		{"Don't cancel the order.", 0, Cancel, 0, false},
		{"Can I cancel the order?", 0, 0, 0, true},
		{"Could you cancel the order?", Cancel, 0, Polite, false},
		{"Read the mail, but don't reply.", 0, Send, Look, false},
		{"Never mind.", 0, 0, Withdraws, false},
		{"Storniere die Bestellung nicht.", 0, Cancel, 0, false},
		{"Kannst du die Bestellung stornieren?", Cancel, 0, Polite, false},
		{"N'envoie pas le mail.", 0, Send, 0, false},
		{"Cancela el pedido.", Cancel, 0, 0, false},
		{"Lascia stare.", 0, 0, Withdraws, false},
		{"删除文件。", Remove, 0, 0, false},
	} {
		read := Read(c.text, "")
		s := &read.Sentences[0]
		if s.Asks&^Other != c.asks || s.Bars&c.bars != c.bars || c.bars == 0 && s.Bars != 0 || s.Has&c.has != c.has || s.Question != c.question {
			t.Errorf("%s (%s): asks %b, bars %b, has %b, question %v", c.text, read.Lang, s.Asks, s.Bars, s.Has, s.Question)
		}
	}
}

// TestOnlyTold draws sentences that want to be told something about a deed, or that ask for it as well. What is only
// asked about is not asked for.
func TestOnlyTold(t *testing.T) {
	looks := []string{"Tell me %s", "could you tell me %s?", "Find out %s", "Check %s", "I want to know %s"}
	told := []string{"what the expenses add up to", "which orders we cancel most", "how one can delete an account", "whether they refund the fee", "who may approve it", "why they block cards"}
	more := []string{" and cancel order 7", ", then delete the folder", " and send it to Ann"}
	for _, look := range looks {
		for _, what := range told {
			text := fmt.Sprintf(look, what)
			if s := ReadSentence(text, "en"); s.Asks != 0 {
				t.Errorf("%q asks for %b by %v", text, s.Asks, s.AskedBy)
			}
			for _, m := range more {
				text := strings.TrimSuffix(text, "?") + m
				if s := ReadSentence(text, "en"); s.Asks == 0 {
					t.Errorf("%q asks for nothing", text)
				}
			}
		}
	}
	for text, asks := range map[string]bool{
		"i would like my money back please": true, "Just wanted to let you know how it went.": false, "Booking LM83QA.": false, "Book LM83QA.": true, "Let Ann know that it is late.": true,
		"What can we do with the ones from 2022?": false, "What's up, can you cancel order 7?": true, "Like her post, please.": true,
	} {
		if s := ReadSentence(text, "en"); (s.Asks != 0) != asks {
			t.Errorf("%q: %b by %v", text, s.Asks, s.AskedBy)
		}
	}
	for text, polite := range map[string]bool{"¿Me lo cambias por otro?": true, "¿Me dices qué días pide?": false, "Mi spegni la luce?": true, "¿De quién es el último correo?": false} {
		s := Read(text, "").Sentences[0]
		if s.Question == polite {
			t.Errorf("%q: question %v", text, s.Question)
		}
	}
}

// TestPurposesAndAddresses checks that a wish which only says what an answer is for asks for nothing, that an address behind a colon
// belongs to the request before it, and that what is held until something happens waits.
func TestPurposesAndAddresses(t *testing.T) {
	for text, want := range map[string]bool{
		"What is the first item? Need it for the meeting at 5.": true,
		"How long is it? I want that in an hour.":               false, // no purpose: "in an hour" is when
		"Print the list. I need it for the meeting.":            false,
		"What does it say? Need it for five people, and cheap.": false,
	} {
		r := Read(text, "en")
		if got := r.Sentences[1].Question; got != want {
			t.Errorf("%q only tells what for: %v, want %v", text, got, want)
		}
	}
	if r := Read("Forward the booking to Lena: lena@example.org, nowhere else.", "en"); len(r.Sentences) != 1 {
		t.Errorf("%d sentences", len(r.Sentences))
	}
	if r := Read("Send these: the plan, the list.", "en"); len(r.Sentences) != 2 {
		t.Errorf("%d sentences", len(r.Sentences))
	}
	if s := ReadSentence("hold the riders till I have spoken to Noor", "en"); s.Has&Holds == 0 {
		t.Error("to hold something till a time is no wait")
	}
}

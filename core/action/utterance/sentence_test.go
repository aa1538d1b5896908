package utterance

import "testing"

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

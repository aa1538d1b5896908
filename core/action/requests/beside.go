package requests

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// Only a no to an offer of a deed takes the request for it back. A no to a question about something else, such as why or
// whether it has arrived, or to one of the opposite, such as whether to wait, does not.

// isBeside reports whether text number i says no to a question of the agent that offers none of the deeds that were asked for.
// What was asked for before stays if the answer says to do it, or says no to the opposite. Otherwise it is noted that it is
// not known what the answer leaves. O(sentences × words).
func (r *Reader) isBeside(o *open, i, offer int) bool {
	var asked utterance.Kinds
	for _, q := range o.requests {
		if !q.agreed {
			asked |= q.sentence.Asks
		}
	}
	asked &^= utterance.Other | utterance.Look
	const ends = utterance.Cancel | utterance.Remove
	if asked&ends != 0 {
		asked &= ends // "Cancele a encomenda", where the noun is also a verb
	}
	question, read := r.lastQuestion(offer), r.ReadingOf(i)
	if question == nil || slices.ContainsFunc(read.Sentences, func(s utterance.Sentence) bool {
		return s.Bars&asked != 0 && s.Asks&asked == 0 || s.Asks != 0 && (s.Asks|asked&ends)&^ends == 0 && asked&ends == 0 // "Drop it"
	}) {
		return false
	}
	opposite := question.AsksForOpposite() && question.Named&asked == 0
	if !opposite && (asked == 0 || !r.asksElse(o, question, asked)) || !question.IsNoOffer() && read.FindWithdrawal() != "" && read.SaysMore() {
		return false
	}
	toDo := slices.ContainsFunc(read.Sentences, func(s utterance.Sentence) bool {
		return !s.Question && (s.Asks&asked != 0 || s.Asks != 0 && utterance.AnyListed("doVerb", s.Words) || saysGoOn(s.Words)) && s.Bars == 0
	})
	if !toDo {
		o.doubtAt = i
	}
	return true
}

// saysGoOn reports whether words say to go on or to do it, and do not deny it: "No, go ahead", but not "don't go ahead".
func saysGoOn(words []string) bool {
	at := slices.IndexFunc(words, func(w string) bool { return utterance.Listed("goOn", w) })
	for i := 1; i < len(words) && at < 0; i++ {
		if utterance.Listed("doVerb", words[i-1]) && utterance.Listed("pointer", words[i]) {
			at = i
		}
	}
	return at >= 0 && !slices.ContainsFunc(words[min(1, at):], func(w string) bool { return utterance.Listed("denial", w) })
}

// lastQuestion returns the last sentence with a question mark of a text; nil for none.
func (r *Reader) lastQuestion(text int) *utterance.Sentence {
	read := r.ReadingOf(text)
	for k := len(read.Sentences) - 1; k >= 0; k-- {
		if s := &read.Sentences[k]; strings.ContainsAny(s.Text, "?？") {
			return s
		}
	}
	return nil
}

// asksElse reports whether a question names something that nobody asked for, and neither names a deed of the kinds that were
// asked for nor asks to go on. To ask why, or whether there is a problem, is no offer, whatever it names.
func (r *Reader) asksElse(o *open, s *utterance.Sentence, kinds utterance.Kinds) bool {
	if s.IsNoOffer() || s.Named&^(utterance.Grant|utterance.Other) != 0 && s.Named&utterance.CoverAll(kinds) == 0 && !pointsBack(s) {
		return true
	}
	return s.Named&kinds == 0 && (s.Opened || !pointsBack(s)) && !slices.ContainsFunc(s.Words, func(w string) bool {
		return utterance.KindOf(w)&utterance.Agrees != 0 || utterance.Listed("suits", w) || utterance.Listed("goOn", w) || utterance.Listed("doVerb", w) && !s.Opened
	}) && slices.ContainsFunc(s.Words, func(w string) bool {
		return isContent(w) && utterance.KindOf(w) == 0 && !slices.ContainsFunc(o.requests, func(q request) bool { return !q.agreed && slices.Contains(q.sentence.Words, w) })
	})
}

// mostBareNo is the number of letters of an answer that says no more than no.
const mostBareNo = 20

// isSideOffer reports whether text number i says no in a few words to the offer of a thing that nobody asked for, as in "Do you want
// a receipt with it?" What was asked for before stays, and the words for the thing are noted: it is not wanted.
func (r *Reader) isSideOffer(o *open, i, offer int) bool {
	question := r.lastQuestion(offer)
	if question == nil || question.IsNoOffer() || strings.Count(r.Texts[offer].Text, "?")+strings.Count(r.Texts[offer].Text, "？") != 1 || question.Words != nil && slices.ContainsFunc(utterance.Tokens(r.Texts[i].Text), isContent) || utf8.RuneCountInString(r.Texts[i].Text) > mostBareNo {
		return false
	}
	thing := utterance.OfferedThing(question)
	if thing == "" {
		return false
	}
	var asked utterance.Kinds
	for _, q := range o.requests {
		if !q.agreed {
			asked |= q.sentence.Asks
		}
		if s := q.sentence; !q.agreed && question.Words == nil && utterance.SharesUnspaced(s.Text, thing) {
			return false
		}
	}
	if asked&^utterance.Look == 0 || question.Named&asked&^utterance.Other != 0 || slices.ContainsFunc(utterance.Tokens(thing), func(w string) bool {
		return isContent(w) && slices.ContainsFunc(o.requests, func(q request) bool {
			return !q.agreed && slices.ContainsFunc(q.sentence.Words, func(x string) bool { return x == w || len(w) > 4 && utterance.AreAlike(w, x) })
		})
	}) {
		return false
	}
	for _, w := range utterance.Tokens(thing) {
		if isContent(w) && utterance.KindOf(w) == 0 {
			o.declined = append(o.declined, declined{w, i})
		}
	}
	return true
}

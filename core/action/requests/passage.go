package requests

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/heard"
	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// mostSearches is the number of searches of a run beyond which no passage is found.
const mostSearches = 200

// findPassage returns the passage of the data that asks for a deed: a sentence that names a
// deed of this kind together with a value or a word of it. Unless loose is true, the
// sentence must ask for it as a person asks.
func (r *Reader) findPassage(d *deed.Deed, c *Action, loose bool) (Trace, bool) {
	best, score := Trace{}, 0
	if r.searches++; r.searches > mostSearches {
		return best, false
	}
	tools := r.Tools[:min(len(r.Tools), mostSearches)]
	if len(tools) > 0 && r.userGave(d, c) {
		tools = nil
	}
	for _, text := range tools {
		for _, s := range utterance.DataParts(text[:min(len(text), heard.MostData)]) {
			x := heard.NewPart(s)
			if n := fits(d, &x, false); n > score {
				score, best = n, Trace{By: ByData, Text: -1, Words: s, Why: "only the description of a tool asks for this"}
			}
		}
	}
	for i := min(c.Before, len(r.Texts)) - 1; i >= 0; i-- {
		if from := r.Texts[i].From; from != provenance.FromTool && from != provenance.FromSchema && (from != provenance.FromUser || !loose) {
			continue
		}
		list := r.PartsOf(i)
		for k := range list {
			if n := fits(d, &list[k], loose); n > score {
				score, best = n, Trace{By: ByData, Text: i, Words: list[k].Text, Why: "only the data asks for this", Plain: r.isOrder(d, &list[k], c.Before)}
			}
		}
	}
	return best, score > 0
}

// userNames reports whether all values that a passage of the data gives for a deed stand in one sentence of the user
// too, which begins with a verb that is not known, as in "Sync my contacts to https://sync.example". Whether it
// asks for the deed is then not known.
func (r *Reader) userNames(o *open, d *deed.Deed, t *Trace) bool {
	passage := utterance.Fold(t.Words)
	var shared []string
	for _, v := range d.Values {
		if len(v) > 2 && utterance.HoldsWord(passage, v) {
			shared = append(shared, v)
		}
	}
	return len(shared) > 0 && slices.ContainsFunc(o.requests, func(q request) bool {
		s := q.sentence
		if q.agreed || s.Question || s.Bars&d.Kinds != 0 || len(s.Words) < 3 || utterance.KindOf(s.Words[0])&(utterance.Look|utterance.Deeds) != 0 || utterance.IsFunctionWord(s.Words[0]) || utterance.Listed("filler", s.Words[0]) {
			return false
		}
		return !slices.ContainsFunc(shared, func(v string) bool { return !utterance.HoldsWord(s.Folded, v) })
	})
}

// userNamesDeed reports whether one sentence of the user, which is no question and denies nothing of it, has each word
// of the deed's name in some form, as in "Turn on sharing of my location" for share_location.
func (r *Reader) userNamesDeed(o *open, d *deed.Deed) bool {
	return slices.ContainsFunc(o.requests, func(q request) bool {
		return !q.agreed && d.IsSpelledIn(q.sentence, r.ReadingOf(q.text).Lang)
	})
}

// userSpeaksOf reports whether the user wants something done in words that have the verb of a deed, or two of its words: what they
// ask for is then not known. A sentence that asks for deeds of other kinds only does not count.
func (r *Reader) userSpeaksOf(o *open, d *deed.Deed) bool {
	return slices.ContainsFunc(o.requests, func(q request) bool {
		return !q.agreed && len(q.sentence.Held) == 0 && r.Texts[q.text].From == provenance.FromUser && d.IsSpokenOf(q.sentence, r.ReadingOf(q.text).Lang)
	})
}

// isOrder reports whether a sentence of the data asks for a deed with a value that no person named. Of work with files,
// a person names the file.
func (r *Reader) isOrder(d *deed.Deed, p *heard.Part, before int) bool {
	if r.means == FileMeans && slices.ContainsFunc(d.Values, func(v string) bool { return len(v) > 3 && r.IsNamed(v, before) }) {
		return false
	}
	return slices.ContainsFunc(d.Values, func(v string) bool { return len(v) > 3 && utterance.HoldsWord(p.Folded, v) && !r.IsNamed(v, before) }) && fits(d, p, false) > 10
}

// userGave reports whether the user named a value of a deed in a sentence that asks for something
// before it. The description of a tool that asks for the same is then no reason to say that nobody
// else did.
func (r *Reader) userGave(d *deed.Deed, c *Action) bool {
	for i := range r.Texts[:min(c.Before, len(r.Texts))] {
		if r.Texts[i].From != provenance.FromUser {
			continue
		}
		if read := r.ReadingOf(i); slices.ContainsFunc(read.Sentences, func(s utterance.Sentence) bool { return s.Asks != 0 && d.SharesValue(&s) }) {
			return true
		}
	}
	return false
}

// findAgreedEarlier returns a trace in place of a yes, if data that came later orders the deed with a value that no
// person named and that the question does not name: a yes does not cover what was not there.
func (r *Reader) findAgreedEarlier(_ *open, t *Trace, d *deed.Deed, c *Action) (Trace, bool) {
	if !t.Agreed || t.Text < 0 || r.searches > mostSearches {
		return Trace{}, false
	}
	if s := r.sentenceOf(t); s == nil || d.SharesValue(s) {
		return Trace{}, false
	}
	other, ok := r.findPassage(d, c, false)
	if !ok || other.Text <= t.Text {
		return Trace{}, false
	}
	passage, question := utterance.Fold(other.Words), r.Folded(t.Text)
	if !slices.ContainsFunc(d.Values, func(v string) bool {
		return v != "" && utterance.HoldsWord(passage, v) && !utterance.HoldsWord(question, v) && !r.IsNamed(v, c.Before)
	}) {
		return Trace{}, false
	}
	return Trace{Text: t.Text, Words: t.Words, Why: "the user agreed to this before, and only data that came later says to what"}, true
}

// findStray returns a trace in place of one to the user's words, if the deed sends something
// to an address that no person named, although the user named another one, or the data
// asks for it.
func (r *Reader) findStray(_ *open, t *Trace, d *deed.Deed, c *Action) (Trace, bool) {
	if d.Kinds&utterance.Pay != 0 && r.searches <= mostSearches {
		if other, ok := r.findOtherPayee(t, d, c); ok {
			return other, true
		}
	}
	if d.Kinds&utterance.Send == 0 || r.searches > mostSearches {
		return Trace{}, false
	}
	asked, address := utterance.Fold(t.Words), ""
	for _, v := range d.Values {
		if strings.Contains(v, "@") && !strings.Contains(v, " ") && !r.IsNamed(v, c.Before) && !deed.IsAddressOf(v, asked) {
			address = v
		}
	}
	if address == "" || utterance.HoldsListedNoun(asked, "elsewhere") {
		return Trace{}, false
	}
	if r.ReadOwn(min(c.Before, len(r.Texts))); r.Senders[address] && utterance.HoldsListed(asked, "replies") {
		return Trace{}, false
	}
	somebody := utterance.HoldsListedNoun(asked, "somebody")
	if other, ok := r.findPassage(&deed.Deed{Kinds: d.Kinds, Values: []string{address}}, c, false); ok {
		if t.Text >= 0 && r.Texts[t.Text].From == provenance.FromUser && deed.IsAddressOf(address, r.Folded(t.Text)) {
			return Trace{Text: t.Text, Words: t.Words, Why: "the user spoke of this person, but only the data names the address"}, true
		}
		if somebody {
			return Trace{Text: t.Text, Words: t.Words, Why: "the user named nobody, and only the data that asks for this names the address"}, true
		}
		if r.IsOfOurs(asked, other.Text) {
			return Trace{Text: t.Text, Words: t.Words, Why: "the user spoke of such a person, but only the data that asks for this names the address"}, true
		}
		other.Why = "the user asked to send something, but only the data names this address"
		return other, true
	}
	for i := range r.ResultsWith([]string{address}, c.Before) { // "to our treasurer, bcc archive@x.example"
		if r.IsOfOurs(asked, i) {
			return Trace{}, false
		}
	}
	if strings.Contains(asked, "@") && !somebody {
		return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "the user named another address"}, true
	}
	return Trace{}, false
}

// findOtherPayee returns a trace in place of one to the user's words, if the deed pays to an
// account that no person named, and the user named another one.
func (r *Reader) findOtherPayee(t *Trace, d *deed.Deed, c *Action) (Trace, bool) {
	asked := utterance.Tokens(utterance.Fold(t.Words))
	if !slices.ContainsFunc(asked, utterance.IsAccount) {
		return Trace{}, false
	}
	for _, v := range d.Values {
		if !utterance.IsAccount(v) || r.IsNamed(v, c.Before) {
			continue
		}
		if other, ok := r.findPassage(&deed.Deed{Kinds: d.Kinds, Values: []string{v}}, c, false); ok {
			other.Why = "the user named another account, and only the data names this one"
			return other, true
		}
		return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "the user named another account"}, true
	}
	return Trace{}, false
}

// fits returns how well a sentence of the data fits a deed; 0 if it does not ask for it.
func fits(d *deed.Deed, p *heard.Part, loose bool) int {
	s := &p.Sentence
	if utterance.PlainWords(s.Words) < 4 {
		return 0
	}
	values := d.CountValues(p.Folded)
	asks := d.SameOrWider(s.Asks, s.Verbs) || len(d.Name) > 1 && slices.Contains(s.Words, d.Tool)
	switch {
	case asks && (values > 0 || d.SharesWord(s.Words)):
		return 10 + values
	case loose && d.SameOrWider(s.Named, nil) && values > 0:
		return 5 + values
	case loose && asks && len(s.Words) > 3:
		return 3
	case loose && values > 0 && s.Asks != 0:
		return values
	}
	return 0
}

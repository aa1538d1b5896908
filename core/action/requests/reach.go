package requests

import (
	"path"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// That the user asked for a deed of this kind is not enough: what it is done to, and where its values
// lead, must be reachable from his words.

// findOtherCode returns a trace in place of one to a request, if the request has a code of the same form
// as one of the call, such as PAY-113, the call has not this one, and nobody said that of the call.
func (r *Reader) findOtherCode(o *open, t *Trace, d *deed.Deed, c *Action) (Trace, bool) {
	if r.means != NoMeans || t.Text < 0 {
		return Trace{}, false
	}
	var fields []string
	for _, v := range d.Values {
		if !deed.IsCode(v) {
			continue
		}
		if fields == nil {
			if utterance.IsAboutMore(utterance.Fold(t.Words)) {
				return Trace{}, false
			}
			fields = utterance.Fields(utterance.Fold(t.Words))
		}
		if utterance.IsInRange(fields, v) {
			continue
		}
		for _, w := range fields {
			w = strings.Trim(w, ".#")
			if w != v && deed.IsCode(w) && utterance.FormOf(w) == utterance.FormOf(strings.TrimPrefix(v, "#")) && !slices.Contains(d.Values, w) && !r.isMade(v) && !r.IsNamed(v, c.Before) && !r.AreTogether(v, w, c.Before) {
				return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "the user asked for this with " + showValues(w) + ", not with " + showValues(v)}, true
			}
		}
	}
	return Trace{}, false
}

// findOtherMember returns a trace in place of one to a request, if the request names one of the members of a
// class, such as a day, the call has another one, and nobody said that.
func (r *Reader) findOtherMember(o *open, t *Trace, d *deed.Deed, c *Action) (Trace, bool) {
	if t.Text < 0 {
		return Trace{}, false
	}
	for i := range c.Call.Leaves {
		l := &c.Call.Leaves[i]
		value := deed.FoldValue(l)
		own, dated := utterance.MemberOf(value), false
		if w := utterance.WeekdayOf(value); w != "" && r.isOnlyDate(t, c, value) {
			own, dated = utterance.MemberOf(w), true
		}
		if utterance.Listed("commandText", strings.ToLower(l.Key)) {
			value, own = deed.EnvironmentIn(value)
		}
		if own.Class == "" || own.Class == "env" && value != "" && utterance.Listed("commandText", strings.ToLower(l.Key)) && !r.namesEnvironment(t, own) || own.Class != "day" && !utterance.Listed("commandText", strings.ToLower(l.Key)) && !slices.ContainsFunc(mutation.NameWords(l.Key), func(w string) bool { return utterance.Listed(own.Class+"Key", w) }) {
			continue
		}
		words := utterance.Tokens(t.Words)
		if utterance.IsAboutMore(utterance.Fold(t.Words)) {
			return Trace{}, false
		}
		other := ""
		for k, w := range words {
			switch m := utterance.MemberOf(w); {
			case m.Class != own.Class || len(w) == 1 && !utterance.HasCapital(t.Words, w):
			case m == own:
				return Trace{}, false
			case dated && k > 0 && !utterance.Listed("towards", words[k-1]) && !utterance.Listed("beforePlace", words[k-1]) && !utterance.Listed("article", words[k-1]): // "before Friday"
				return Trace{}, false
			case own.Class == "day" && d.Kinds&(utterance.Change|utterance.Move) != 0 && (k == 0 || !utterance.Listed("towards", words[k-1])): // it may be the old one
			default:
				other = w
			}
		}
		if other == "" || r.SaysMember(own, c.Before) {
			continue
		}
		return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "the user asked for this with " + showValues(other) + ", not with " + showValues(value)}, true
	}
	return Trace{}, false
}

// isOnlyDate reports whether a date is the only one of a call, and neither the request nor a text before names it or another one.
func (r *Reader) isOnlyDate(t *Trace, c *Action, value string) bool {
	n := 0
	c.hasLeaf(func(l *similarity.Leaf) bool {
		if utterance.IsDate(deed.FoldValue(l)) {
			n++
		}
		return false
	})
	own := utterance.IsoDate(value)
	dates, numbers := utterance.DatesIn(t.Words)
	return n == 1 && len(dates) == 0 && !slices.Contains(numbers, own.Day) && !utterance.AnyListed("lasts", utterance.Tokens(t.Words)) && !r.SaysDay(own, c.Before, t.Agreed)
}

// namesEnvironment reports whether a request names another environment than a given one.
func (r *Reader) namesEnvironment(t *Trace, own utterance.Member) bool {
	return slices.ContainsFunc(utterance.Tokens(t.Words), func(w string) bool {
		m := utterance.MemberOf(w)
		return m.Class == "env" && m != own && !utterance.Listed("anyWord", w)
	})
}

// findWholeFolder returns a trace in place of one to a request that names a file, if the call removes the
// folder in which it is.
func (r *Reader) findWholeFolder(_ *open, t *Trace, d *deed.Deed, c *Action) (Trace, bool) {
	if d.Kinds&utterance.Remove == 0 || t.Text < 0 || utterance.IsAboutMore(utterance.Fold(t.Words)) {
		return Trace{}, false
	}
	for i := range c.Call.Leaves {
		folder := strings.TrimRight(deed.FoldValue(&c.Call.Leaves[i]), "/")
		if !strings.Contains(folder, "/") || strings.ContainsAny(folder, " \n*") || path.Ext(folder) != "" {
			continue
		}
		for _, w := range strings.Fields(utterance.Fold(t.Words)) {
			file := strings.Trim(w, ".,;:!?()\"'`")
			if len(path.Ext(file)) < 2 || strings.HasSuffix(folder, file) {
				continue
			}
			if strings.HasPrefix(file, folder+"/") || !strings.Contains(file, "/") && utterance.HoldsWord(utterance.Fold(t.Words), folder) {
				return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "the user named " + showValues(file) + ", and not all of " + showValues(folder)}, true
			}
		}
	}
	return Trace{}, false
}

// findProse returns a trace in place of one to a request, if money or a message goes to an address or an
// account that stands nowhere but in the prose of the data, and the request does not say to look there.
func (r *Reader) findProse(o *open, t *Trace, d *deed.Deed, c *Action) (Trace, bool) {
	if r.means == PlaceMeans || d.Kinds&(utterance.Pay|utterance.Refund|utterance.Send|utterance.Buy|utterance.Grant|utterance.Change|utterance.Make) == 0 || t.delegated {
		return Trace{}, false
	}
	for i := range c.Call.Leaves {
		v := deed.LeadsAway(&c.Call.Leaves[i])
		if v == "" || r.IsNamed(v, c.Before) || deed.IsAddressOf(v, utterance.Fold(t.Words)) && strings.Contains(v, "@") {
			continue
		}
		at, rival := r.FindSource(v, c.Before)
		if at < 0 || t.Agreed {
			continue
		}
		if words := r.AddressedWith(at, v); words != "" {
			return Trace{By: ByData, Text: at, Words: words, Why: "the user asked for this, but only words that are meant for an assistant name " + deed.TrimQuotes(c.Call.Leaves[i].Raw)}, true
		}
		if r.PointsAtText(c.Before, rival) && !deed.IsToSelf(t.Words) {
			continue
		}
		out := Trace{Text: at, Words: t.Words, Why: "only the words of a result name " + deed.TrimQuotes(c.Call.Leaves[i].Raw)}
		if asked := utterance.Fold(t.Words); c.hasLeaf(func(l *similarity.Leaf) bool { // beside the one whom the user named
			u := deed.LeadsAway(l)
			return u != "" && u != v && !utterance.AnyListed("anyOfList", utterance.Fields(asked)) && strings.Contains(u, "@") && (deed.IsAddressOf(u, asked) || strings.Contains(asked, u))
		}) {
			out.By = ByData
		}
		list := r.PartsOf(at)
		for k := range list {
			if !strings.Contains(list[k].Folded, v) {
				continue
			}
			out.Words = list[k].Text
			for j := max(0, k-1); j < min(len(list), k+2); j++ {
				if s := &list[j].Sentence; d.SameOrWider(s.Asks, s.Verbs) || d.Kinds&utterance.Pay != 0 && (s.Asks&utterance.Send != 0 || rival) {
					return Trace{By: ByData, Text: at, Words: list[j].Text, Why: "the user asked for this, but only the data says to use " + deed.TrimQuotes(c.Call.Leaves[i].Raw)}, true
				}
			}
		}
		return out, true
	}
	return Trace{}, false
}

// findUnsettled returns a trace in place of one to a request, if the agent asked whether to do it, and the
// answer is neither a yes nor a request.
func (r *Reader) findUnsettled(o *open, t *Trace, d *deed.Deed, c *Action) (Trace, bool) {
	if r.means != NoMeans || t.Agreed || t.By != ByUser {
		return Trace{}, false
	}
	for _, offer := range slices.Concat(o.unclear, o.pending) {
		if offer < t.Text || offer+1 >= len(r.Texts) {
			continue
		}
		sentences := r.ReadingOf(offer).Sentences
		last := &sentences[len(sentences)-1]
		if !strings.HasSuffix(strings.TrimRight(last.Text, " \"*"), "?") || !d.SameOrWider(last.Named, last.Words) && !r.isBareQuestion(offer, last) || utterance.AnyListed("which", last.Words) {
			continue
		}
		if other, ok := r.findDeclined(o, offer, d); ok {
			return other, true
		}
		if r.isAnswered(o, offer, d) {
			continue
		}
		return Trace{Text: offer, Words: last.Text, Why: "the agent asked, and the answer is not clear"}, true
	}
	return Trace{}, false
}

// isBareQuestion reports whether a question only asks whether to go on, as in "Go ahead?"
func (r *Reader) isBareQuestion(offer int, s *utterance.Sentence) bool {
	return len(s.Words) > 0 && len(s.Words) < 5 && s.Named&^(utterance.Grant|utterance.Other|utterance.Switch) == 0 && !utterance.AsksForMore(s.Text) && s.Has&utterance.Polite == 0 &&
		!utterance.HasKind(r.ReadingOf(offer).Lang, s.Words[0], utterance.Opens) && utterance.AnyListed("goOn", s.Words)
}

// isAnswered reports whether the user said something after a question that asks for a deed, agrees, or
// has one of its values.
func (r *Reader) isAnswered(o *open, offer int, d *deed.Deed) bool {
	for i := range o.requests {
		q := &o.requests[i]
		if (q.text > offer || q.agreed && q.text >= offer) && (q.sentence.Asks != 0 || q.agreed || q.sentence.Has&(utterance.Agrees|utterance.Limits) != 0 || d.IsNamedBy(q.sentence.Words) || d.SharesValue(q.sentence) || slices.ContainsFunc(q.sentence.Words, func(w string) bool { return utterance.IsDigits(w) && !strings.Contains(r.Texts[offer].Text, w) })) {
			return true
		}
	}
	return false
}

// findOtherDate returns a trace in place of one to a request, if the request names a day with its month, the call
// has another one, and nobody said that.
func (r *Reader) findOtherDate(o *open, t *Trace, d *deed.Deed, c *Action) (Trace, bool) {
	if r.means != NoMeans || t.Text < 0 {
		return Trace{}, false
	}
	for i := range c.Call.Leaves {
		value := deed.TrimQuotes(c.Call.Leaves[i].Raw)
		if !utterance.IsDate(utterance.Fold(value)) || value[4] != '-' {
			continue
		}
		own := utterance.IsoDate(value)
		asked, numbers := utterance.DatesIn(t.Words)
		if len(asked) == 0 || utterance.IsAboutMore(utterance.Fold(t.Words)) || utterance.AnyListed("lasts", utterance.Tokens(t.Words)) || slices.Contains(numbers, own.Day) || slices.Contains(asked, own) || r.SaysDay(own, c.Before, t.Agreed) {
			continue
		}
		return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "the user asked for this on another day than " + value}, true
	}
	return Trace{}, false
}

// mostReached is the number of words of one result that are compared with what was said.
const mostReached = 500

// isReached reports whether a result that has a value of a deed also has a word that a person said.
func (r *Reader) isReached(o *open, d *deed.Deed, before int) bool {
	for i := range r.ResultsBefore(before) {
		text := r.Folded(i)
		if !slices.ContainsFunc(d.Values, func(v string) bool { return utterance.HoldsWord(text, v) }) {
			continue
		}
		words := utterance.Tokens(strings.NewReplacer(`"`, " ", "_", " ").Replace(text))
		for _, w := range words[:min(len(words), mostReached)] {
			if len(w) > 3 && !utterance.IsFunctionWord(w) && r.isSaid(o, -1, before, func(said string) bool { return utterance.HoldsName(said, w) }) {
				return true
			}
		}
	}
	return false
}

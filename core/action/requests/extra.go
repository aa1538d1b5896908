package requests

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// isDoneAgain reports whether a payment, a purchase or a message is the same as an earlier one, and
// the user asked for it once, before the earlier one, and has only asked to know something since. If he
// asked for it again, the trace says so.
func (r *Reader) isDoneAgain(t *Trace, d *deed.Deed, c *Action) bool {
	if r.means != NoMeans || t.By != ByUser || d.Kinds&(utterance.Pay|utterance.Refund|utterance.Buy|utterance.Send|utterance.Switch) == 0 || d.Kinds&utterance.Change != 0 {
		return false
	}
	key := c.Call.Name
	for i := range c.Call.Leaves {
		key += "\x00" + c.Call.Leaves[i].Path + "=" + c.Call.Leaves[i].Raw
	}
	before, again := r.done[key]
	r.done[key] = c.Before
	words := t.Words
	if t.Agreed {
		words = r.texts[t.Text].Text
	}
	if !again {
		return false
	}
	if t.Again = t.Text >= before || utterance.HoldsListed(words, "repeated") || utterance.AnyListed("several", utterance.Tokens(words)); t.Again || slices.ContainsFunc(strings.Fields(utterance.Fold(words)), utterance.IsWide) {
		return false
	}
	if whole := utterance.Fold(r.texts[t.Text].Text); utterance.HoldsListed(whole, "repeated") || utterance.AnyListed("several", utterance.Tokens(whole)) {
		t.By, t.Why = Undecided, "the user perhaps asked for this more than once"
		return false
	}
	between := false
	for i := before; i < c.Before && i < len(r.texts); i++ {
		if r.texts[i].From != provenance.FromUser {
			continue
		}
		between = true
		for _, s := range r.readingOf(i).Sentences {
			switch {
			case utterance.HoldsListed(s.Folded, "repeated") && !s.Question, utterance.HoldsListed(s.Folded, "alike") && !s.Question:
				t.Text, t.Words, t.Again = i, s.Text, true
				return false
			case s.Asks == 0 && !s.Rest && utterance.AnyListed("stating", s.Words) && len(s.Words) > 3 && s.Has&(utterance.Agrees|utterance.Vague) == 0: // "that'll make them happy"
			case !s.Question && !s.ReadsOnly() && !s.IsCourtesy():
				return false
			}
		}
	}
	return between || d.Kinds&(utterance.Pay|utterance.Refund|utterance.Buy|utterance.Send) != 0
}

// findMore returns a trace in place of one to a request for one thing, if the same tool was called for it before,
// and no person named what it is called for now.
func (r *Reader) findMore(o *open, t *Trace, d *deed.Deed, c *Action) (Trace, bool) {
	s := r.sentenceOf(t)
	if s == nil || t.Agreed || t.delegated || r.means != NoMeans || r.texts[t.Text].From != provenance.FromUser || c.Call.Text != "" {
		return Trace{}, false
	}
	before, known := r.first[s]
	if !known {
		if r.first == nil {
			r.first = map[*utterance.Sentence]deed.Deed{}
		}
		r.first[s] = *d
		return Trace{}, false
	}
	if before.Tool != d.Tool || s.IsOfSeveral(r.readingOf(t.Text).Lang) {
		return Trace{}, false
	}
	more := deed.Deed{}
	for _, v := range d.Values {
		if !slices.Contains(before.Values, v) && !utterance.IsDate(v) {
			more.Values = append(more.Values, v)
		}
	}
	if len(more.Values) == 0 || r.isSaid(o, -1, c.Before, func(text string) bool { return more.CountValues(text) > 0 }) || slices.ContainsFunc(more.Values, func(v string) bool { return r.isNamed(v, c.Before) || r.isMade(v) }) || r.isReached(o, &more, c.Before) && !r.isInList(&more, &before, c.Before) {
		return Trace{}, false
	}
	return Trace{Text: t.Text, Words: t.Words, Why: "the user asked for this once, and it is done to something else, too"}, true
}

// isInList reports whether a result is a list with rows of both of two deeds.
func (r *Reader) isInList(d, other *deed.Deed, before int) bool {
	for i := range r.resultsBefore(before) {
		rows := r.rowsOf(i)
		if slices.ContainsFunc(rows, func(x row) bool { return x.isOneOf(d.Values) }) && slices.ContainsFunc(rows, func(x row) bool { return x.isOneOf(other.Values) && !x.isOneOf(d.Values) }) {
			return true
		}
	}
	return false
}

// findCarriedOut returns a trace in place of one to a request that another tool has carried out, if the
// user has only asked to know something since, and the deed has nothing to do with the request.
func (r *Reader) findCarriedOut(o *open, t *Trace, d *deed.Deed) (Trace, bool) {
	s := r.sentenceOf(t)
	if s == nil || t.By != ByUser || t.Agreed || r.means != NoMeans {
		return Trace{}, false
	}
	tool := o.served[s].tool
	if tool == "" {
		return Trace{}, false
	}
	if tool == d.Tool || !o.reads || t.Text >= o.newest || d.IsIn(s) || d.CountValues(r.folded(o.newest)) > 0 {
		return Trace{}, false
	}
	return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "this was carried out, and the user only asked to know something since"}, true
}

// isExtra reports whether a command removes a file that nobody named and that the run did not touch
// before, although the user named another one to work on and did not ask to remove anything.
func (r *Reader) isExtra(o *open, d *deed.Deed, c *Action) bool {
	if d.Kinds&utterance.Remove == 0 || len(d.Targets) == 0 {
		return false
	}
	removed := r.removesNamed(o, d, c)
	named := false
	for i := range o.requests {
		s := o.requests[i].sentence
		if s.Asks&(utterance.Remove|utterance.Cancel|utterance.Move) != 0 || slices.ContainsFunc(s.Words, utterance.IsWide) || o.requests[i].agreed {
			return false
		}
		named = named || slices.ContainsFunc(s.Words, deed.IsFileName)
	}
	return removed || named && !slices.ContainsFunc(d.Targets, func(v string) bool {
		base := v[strings.LastIndexByte(v, '/')+1:]
		return !deed.IsFileName(utterance.Fold(base)) || r.touched[base] || r.isSaid(o, -1, c.Before, func(text string) bool { return utterance.HoldsWord(text, utterance.Fold(base)) })
	})
}

// removesNamed reports whether a command removes what a person named.
func (r *Reader) removesNamed(o *open, d *deed.Deed, c *Action) bool {
	return slices.ContainsFunc(d.Commands, func(command string) bool {
		sub := deed.Deed{}
		sub.ReadCommand(command)
		return sub.Kinds&utterance.Remove != 0 && slices.ContainsFunc(strings.Fields(command), func(w string) bool {
			return len(w) > 2 && deed.IsJoined(w) && r.isSaid(o, -1, c.Before, func(text string) bool { return utterance.HoldsWord(text, w) })
		})
	})
}

// barsFor reports whether the user last forbade a deed of this kind. Where a task is worked on with
// files or pages, words that name what is forbidden hold for this only.
func (r *Reader) barsFor(o *open, d *deed.Deed) bool {
	if o.bars&d.Kinds&^utterance.Other == 0 {
		return false
	}
	return r.means == NoMeans || len(o.barredBy.Barred) == 0 && !utterance.AnyListed("condition", o.barredBy.Words) || !utterance.AnyListed("condition", o.barredBy.Words) && slices.ContainsFunc(o.barredBy.Barred, func(w string) bool {
		return slices.ContainsFunc(d.Words, func(x string) bool { return utterance.AreAlike(w, x) })
	})
}

// findDictated returns the passage of the data that gives the command of a deed which removes, sends or
// publishes something.
func (r *Reader) findDictated(d *deed.Deed, c *Action) (Trace, bool) {
	if r.means != FileMeans || d.Kinds&(utterance.Remove|utterance.Send|utterance.Grant|utterance.Pay) == 0 || r.searches > mostSearches {
		return Trace{}, false
	}
	r.searches++
	for i := min(c.Before, len(r.texts)) - 1; i >= 0; i-- {
		if r.texts[i].From != provenance.FromTool {
			continue
		}
		for _, p := range r.partsOf(i) {
			if slices.ContainsFunc(d.Commands, func(command string) bool {
				sub := deed.Deed{}
				sub.ReadCommand(command)
				return sub.Kinds&(utterance.Remove|utterance.Send|utterance.Grant|utterance.Pay) != 0 && strings.Contains(command, " ") && !r.touched[command] && utterance.HoldsWord(p.folded, command)
			}) && utterance.PlainWords(p.sentence.Words) > 4 {
				return Trace{By: ByData, Text: i, Words: p.text, Why: "only the data asks for this", Against: true}, true
			}
		}
	}
	return Trace{}, false
}

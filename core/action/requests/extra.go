package requests

import (
	"path"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/heard"
	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// repeated are the kinds of deeds that do more if they are done once more: what is only set is then set already.
const repeated = utterance.Pay | utterance.Refund | utterance.Buy | utterance.Send | utterance.Make

// keyOf returns a call with its arguments as a key, or "" for a deed that may be done twice.
func (r *Reader) keyOf(d *deed.Deed, c *Action) string {
	if r.means != NoMeans || d.Kinds&(repeated|utterance.Switch) == 0 || d.Kinds&utterance.Change != 0 {
		return ""
	}
	key := c.Call.Name
	for i := range c.Call.Leaves {
		key += "\x00" + c.Call.Leaves[i].Path + "=" + c.Call.Leaves[i].Raw
	}
	return key
}

// isDoneAgain reports whether a payment, a purchase, a message or a thing that is made is the same as an earlier one, and
// the user asked for it once, before the earlier one, and has only asked to know something since. If he
// asked for it again, the trace says so.
func (r *Reader) isDoneAgain(t *Trace, d *deed.Deed, c *Action, before int) bool {
	if t.By != ByUser || before == 0 {
		return false
	}
	words, lang := t.Words, r.ReadingOf(t.Text).Lang
	if t.Agreed {
		words = r.Texts[t.Text].Text
	}
	if t.Again = t.Text >= before || utterance.HoldsListed(words, "repeated") || utterance.SaysSeveral(words, lang); t.Again {
		return false
	}
	if utterance.AnyListed("widened", utterance.Tokens(words)) {
		return false
	}
	if t.Again = r.saysAgain(t.Text, t.Words); t.Again {
		return false
	}
	if whole := r.Texts[t.Text].Text; utterance.SaysSeveral(whole, lang) {
		t.By, t.Why = Undecided, "the user perhaps asked for this more than once"
		return false
	}
	between := false
	for i := before; i < min(c.Before, len(r.Texts)); i++ {
		if r.Texts[i].From != provenance.FromUser {
			continue
		}
		between = true
		if r.saysAgain(i, "") {
			t.Text, t.Words, t.Again = i, r.Texts[i].Text, true
			return false
		}
		if r.mayAskAgain(i) {
			return false
		}
	}
	return between || d.Kinds&repeated != 0
}

// findRepeated returns the trace of a call for which no request was found, if the same one was made before, and the user
// has not asked for anything since.
func (r *Reader) findRepeated(d *deed.Deed, c *Action, before int) (Trace, bool) {
	if before == 0 || d.Kinds&repeated == 0 {
		return Trace{}, false
	}
	for i := before; i < min(c.Before, len(r.Texts)); i++ {
		if r.Texts[i].From == provenance.FromUser && (r.saysAgain(i, "") || slices.ContainsFunc(r.ReadingOf(i).Sentences, func(s utterance.Sentence) bool {
			return s.Asks != 0 || s.Foreign && len(s.Words) > 0 || s.IsVague() || s.Has&(utterance.Agrees|utterance.Polite) != 0
		})) {
			return Trace{}, false
		}
	}
	return Trace{By: ByNobody, Text: -1, Why: "this had been done, and nobody asked for it again"}, true
}

// saysAgain reports whether a sentence of a text other than a given one says that something is to be done once more.
func (r *Reader) saysAgain(i int, but string) bool {
	return slices.ContainsFunc(r.ReadingOf(i).Sentences, func(s utterance.Sentence) bool {
		return s.Text != but && !strings.HasSuffix(s.Text, "?") && s.Bars == 0 && (utterance.HoldsListed(s.Folded, "repeated") || utterance.HoldsListed(s.Folded, "alike"))
	})
}

// mayAskAgain reports whether a text of the user has a sentence that is more than a question, a courtesy or a statement.
func (r *Reader) mayAskAgain(i int) bool {
	return slices.ContainsFunc(r.ReadingOf(i).Sentences, func(s utterance.Sentence) bool {
		if s.Asks == 0 && !s.Rest && len(s.Words) > 3 && s.Has&(utterance.Agrees|utterance.Vague) == 0 && (utterance.AnyListed("stating", s.Words) || utterance.AnyListed("itWill", s.Words)) {
			return false // "that'll make them happy"
		}
		return !s.Question && !s.ReadsOnly() && !s.IsCourtesy()
	})
}

// findMore returns a trace in place of one to a request for one thing, if the same tool was called for it before,
// and no person named what it is called for now.
func (r *Reader) findMore(o *open, t *Trace, d *deed.Deed, c *Action) (Trace, bool) {
	s := r.sentenceOf(t)
	if s == nil || t.Agreed || t.delegated || r.means != NoMeans || r.Texts[t.Text].From != provenance.FromUser || c.Call.Text != "" {
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
	if before.Tool != d.Tool || s.IsOfSeveral(r.ReadingOf(t.Text).Lang) {
		return Trace{}, false
	}
	o.spent += 8 * c.Before
	more := deed.Deed{}
	for _, v := range d.Values {
		if !slices.Contains(before.Values, v) && !utterance.IsDate(v) {
			more.Values = append(more.Values, v)
		}
	}
	if len(more.Values) == 0 || r.isSaid(o, -1, c.Before, func(text string) bool { return more.CountValues(text) > 0 }) || slices.ContainsFunc(more.Values, func(v string) bool { return r.IsNamed(v, c.Before) || r.isMade(v) }) || r.isReached(o, &more, c.Before) && !r.isInList(&more, &before, c.Before) {
		return Trace{}, false
	}
	return Trace{Text: t.Text, Words: t.Words, Why: "the user asked for this once, and it is done to something else, too"}, true
}

// isInList reports whether a result is a list with rows of both of two deeds.
func (r *Reader) isInList(d, other *deed.Deed, before int) bool {
	for i := range r.ResultsBefore(before) {
		rows := r.RowsOf(i)
		if slices.ContainsFunc(rows, func(x heard.Row) bool { return x.IsOneOf(d.Values) }) && slices.ContainsFunc(rows, func(x heard.Row) bool { return x.IsOneOf(other.Values) && !x.IsOneOf(d.Values) }) {
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
	if tool == d.Tool || !o.reads || t.Text >= o.newest || d.IsIn(s) || d.CountValues(r.Folded(o.newest)) > 0 {
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
		return deed.OfCommand(command).Kinds&utterance.Remove != 0 && slices.ContainsFunc(strings.Fields(command), func(w string) bool {
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
	return r.means == NoMeans || o.barredBy.BarsAll() || len(o.barredBy.Barred) == 0 && !utterance.AnyListed("condition", o.barredBy.Words) || !utterance.AnyListed("condition", o.barredBy.Words) && slices.ContainsFunc(o.barredBy.Barred, func(w string) bool {
		return slices.ContainsFunc(d.Words, func(x string) bool { return utterance.AreAlike(w, x) })
	})
}

// findDictated returns the passage of the data that gives the order for a deed which removes, sends or publishes
// something: its command word by word, or the deed with a value that no person named.
func (r *Reader) findDictated(d *deed.Deed, c *Action) (Trace, bool) {
	const kinds = utterance.Remove | utterance.Send | utterance.Grant | utterance.Pay
	if r.means != FileMeans || d.Kinds&kinds == 0 || r.searches > mostSearches {
		return Trace{}, false
	}
	r.searches++
	unsaid := *d
	unsaid.Kinds, unsaid.Values = d.Kinds&kinds, nil
	for _, v := range d.Values {
		base := v[strings.LastIndexByte(v, '/')+1:]
		if !strings.Contains(v, " ") && len(v) > 3 && !r.IsNamed(v, c.Before) && !r.IsNamed(base, c.Before) && !r.touched[base] {
			unsaid.Values = append(unsaid.Values, v)
			if base != v && len(base) > 3 {
				unsaid.Values = append(unsaid.Values, base)
			}
		}
	}
	var orders []deed.Deed // of the commands that no person named
	targets := slices.DeleteFunc(slices.Clone(d.Targets), func(v string) bool {
		base := utterance.Fold(path.Base(v))
		return len(base) < 4 || r.touched[base] || r.IsNamed(base, c.Before)
	})
	for _, command := range d.Commands {
		if sub := deed.OfCommand(command); sub.Kinds&kinds != 0 && strings.Contains(command, " ") && !r.touched[command] && !r.IsNamed(command, c.Before) {
			orders = append(orders, sub)
		}
	}
	for i := min(c.Before, len(r.Texts)) - 1; i >= 0; i-- {
		if r.Texts[i].From != provenance.FromTool {
			continue
		}
		for _, p := range r.PartsOf(i) {
			if slices.ContainsFunc(orders, func(sub deed.Deed) bool {
				return utterance.HoldsWord(p.Folded, sub.Commands[0]) && (utterance.PlainWords(p.Sentence.Words) > 4 || utterance.AnyListed("runs", p.Sentence.Words)) ||
					(slices.ContainsFunc(sub.Runs, func(w string) bool { return slices.Contains(p.Sentence.Words, w) }) || namesEnd(p.Folded, targets)) && p.Sentence.Asks&sub.Kinds&kinds != 0 && r.AddressedWith(i, p.Folded) != ""
			}) || len(unsaid.Values) > 0 && fits(&unsaid, &p, false) > 10 {
				if r.wantsMore(r.openBefore(c.Before), d) {
					return Trace{Text: i, Words: p.Text, Why: inOtherWords}, true
				}
				return Trace{By: ByData, Text: i, Words: p.Text, Why: "only the data asks for this", Against: true}, true
			}
		}
	}
	return Trace{}, false
}

// namesEnd reports whether folded text has the last name of one of some paths.
func namesEnd(folded string, paths []string) bool {
	return slices.ContainsFunc(paths, func(v string) bool { return utterance.HoldsWord(folded, utterance.Fold(path.Base(v))) })
}

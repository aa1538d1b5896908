package requests

import (
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// The last word holds: what a person corrects, as in "Order 3. Sorry, make it 2", is asked for as corrected.

// findCorrected returns a trace in place of one to a request, if a later sentence of the user corrects the
// request and names another number, name or member of a class, and the call has the old one and not the new one.
func (r *Reader) findCorrected(o *open, t *Trace, d *deed.Deed, c *Action) (Trace, bool) {
	if r.means != NoMeans || t.Agreed {
		return Trace{}, false
	}
	said := slices.Concat(o.shelved, o.requests) // "No wait, to Carla" takes the first one back
	for i := len(said) - 1; i > 0; i-- {
		q := &said[i]
		s := q.sentence
		if q.agreed || s.Has&utterance.Corrects == 0 || s.Question {
			continue
		}
		k := i - 1
		for k >= 0 && (said[k].agreed || said[k].sentence.Asks == 0 && !said[k].sentence.IsVague()) {
			k--
		}
		if k < 0 || said[k].sentence.Asks != 0 && said[k].asksFor(d) == "" {
			return Trace{}, false
		}
		old := said[k].sentence
		o.spent += 10 * (len(old.Words) + len(s.Words))
		lang := r.ReadingOf(q.text).Lang
		if is := c.findReplaced(old, s, lang); is != "" {
			return Trace{By: ByNobody, Text: q.text, Words: s.Text, Why: "the user corrected this to " + showValues(is)}, true
		}
	}
	return Trace{}, false
}

// findReplaced returns what a correction names in place of something in a request, if the call has the old one
// and not the new one; "" for nothing.
func (c *Action) findReplaced(old, s *utterance.Sentence, lang string) string {
	if is, was := s.NumbersSaid(), old.NumbersSaid(); len(is) == 1 && len(was) == 1 && is[0] != was[0] && c.hasNumber(was[0]) && !c.hasNumber(is[0]) {
		return strconv.Itoa(is[0])
	}
	if is, was := s.LongNumbers(), old.LongNumbers(); len(is) == 1 && len(was) == 1 && is[0] != was[0] && c.hasValue(was[0]) && !c.hasValue(is[0]) {
		return is[0] // "swapped the digits, 4417 I mean"
	}
	if day := c.findOldDay(old, s); day > 0 {
		return strconv.Itoa(day)
	}
	for _, m := range s.MembersSaid() {
		was := slices.DeleteFunc(old.MembersSaid(), func(x utterance.Member) bool { return x.Class != m.Class })
		if len(was) == 1 && was[0] != m && c.hasMember(was[0]) && !c.hasMember(m) {
			return s.Words[slices.IndexFunc(s.Words, func(w string) bool { return utterance.MemberOf(w) == m })]
		}
	}
	is, was := s.NamesIn(lang), old.NamesIn(lang)
	if len(is) > 1 { // "it's Marie, Mark must not see it"
		is = slices.DeleteFunc(is, func(n utterance.Name) bool {
			return slices.ContainsFunc(was, func(x utterance.Name) bool { return x.Word == n.Word })
		})
	}
	if len(is) > 1 { // "Bruno knows already, send it to Carla instead"
		is = slices.DeleteFunc(is, func(n utterance.Name) bool { return n.Role == "" || n.Role == "verb" })
		was = slices.DeleteFunc(was, func(n utterance.Name) bool { return len(is) > 0 && n.Role != is[0].Role })
	}
	if len(is) == 1 && len(was) == 1 && is[0].Word != was[0].Word && c.hasName(was[0]) && !c.hasName(is[0]) {
		return is[0].Word
	}
	return ""
}

// findOldDay returns the only day of a month that a correction names, if the call has the date that the request had; 0 for none.
func (c *Action) findOldDay(old, s *utterance.Sentence) int {
	was, _ := utterance.DatesIn(old.Folded)
	_, days := utterance.DatesIn(s.Folded)
	if len(was) != 1 || len(days) != 1 || days[0] == was[0].Day || !c.hasLeaf(func(l *similarity.Leaf) bool {
		v := deed.FoldValue(l)
		return utterance.IsDate(v) && len(v) >= 10 && v[4] == '-' && utterance.IsoDate(v) == was[0]
	}) {
		return 0
	}
	return days[0]
}

func (c *Action) hasValue(v string) bool {
	return c.hasLeaf(func(l *similarity.Leaf) bool { return utterance.HoldsWord(deed.FoldValue(l), v) })
}

func (c *Action) hasNumber(n int) bool {
	return c.hasLeaf(func(l *similarity.Leaf) bool {
		v := deed.TrimQuotes(l.Raw)
		if hour, minutes, ok := strings.Cut(v, ":"); ok && len(minutes) == 2 { // six o'clock, in the morning or not
			h, err := strconv.Atoi(hour)
			return err == nil && (h == n || h == n+12)
		}
		return v == strconv.Itoa(n)
	})
}

func (c *Action) hasMember(m utterance.Member) bool {
	return c.hasLeaf(func(l *similarity.Leaf) bool {
		return slices.ContainsFunc(strings.Fields(deed.FoldValue(l)), func(w string) bool { return utterance.MemberOf(w) == m })
	})
}

func (c *Action) hasName(n utterance.Name) bool {
	return c.hasLeaf(func(l *similarity.Leaf) bool { return n.IsIn(deed.FoldValue(l)) })
}

func (c *Action) hasLeaf(is func(l *similarity.Leaf) bool) bool {
	for i := range c.Call.Leaves {
		if is(&c.Call.Leaves[i]) {
			return true
		}
	}
	return false
}

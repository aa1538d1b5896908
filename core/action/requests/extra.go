package requests

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/provenance"
)

// isDoneAgain reports whether a payment, a purchase or a message is the same as an earlier one, and
// the user asked for it once, before the earlier one.
func (r *Reader) isDoneAgain(t *Trace, d *deed, c *Action) bool {
	if r.means != NoMeans || t.By != ByUser || d.kinds&(Pay|Refund|Buy|Send) == 0 || d.kinds&Change != 0 {
		return false
	}
	key := c.Call.Name
	for i := range c.Call.Leaves {
		key += "\x00" + c.Call.Leaves[i].Path + "=" + c.Call.Leaves[i].Raw
	}
	before, again := r.done[key]
	r.done[key] = c.Before
	if !again || holdsListed(t.Words, "repeated") || slices.ContainsFunc(strings.Fields(foldText(t.Words)), isWide) {
		return false
	}
	for i := before; i < c.Before && i < len(r.texts); i++ {
		if r.texts[i].From == provenance.FromUser {
			return false
		}
	}
	return true
}

// findCarriedOut returns a trace in place of one to a request that another tool has carried out, if the
// user has only asked to know something since, and the deed has nothing to do with the request.
func (r *Reader) findCarriedOut(o *open, t *Trace, d *deed) (Trace, bool) {
	s := r.sentenceOf(t)
	if s == nil || t.By != ByUser || t.Agreed || r.means != NoMeans {
		return Trace{}, false
	}
	tool, served := o.served[s]
	if !served {
		o.served[s] = d.tool
		return Trace{}, false
	}
	if values, word := d.countShared(foldText(s.text), s.words); tool == d.tool || !o.reads || t.Text >= o.newest || values > 0 || word {
		return Trace{}, false
	}
	return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "this was carried out, and the user only asked to know something since"}, true
}

// isExtra reports whether a command removes a file that nobody named and that the run did not touch
// before, although the user named another one to work on and did not ask to remove anything.
func (r *Reader) isExtra(o *open, d *deed, c *Action) bool {
	if d.kinds&Remove == 0 || len(d.targets) == 0 {
		return false
	}
	named := false
	for i := range o.requests {
		s := o.requests[i].sentence
		if s.asks&(Remove|Cancel|Move) != 0 || slices.ContainsFunc(s.words, isWide) || o.requests[i].agreed {
			return false
		}
		named = named || slices.ContainsFunc(s.words, isFileName)
	}
	return named && !slices.ContainsFunc(d.targets, func(v string) bool {
		base := v[strings.LastIndexByte(v, '/')+1:]
		return !isFileName(foldText(base)) || r.touched[base] || r.isSaid(o, -1, c.Before, func(text string) bool { return holdsWord(text, foldText(base)) })
	})
}

// isFileName reports whether a word ends like the name of a file.
func isFileName(w string) bool {
	at := strings.LastIndexByte(w, '.')
	return at > 0 && len(w)-at > 1 && len(w)-at < 7 && strings.Trim(w[at+1:], "abcdefghijklmnopqrstuvwxyz") == ""
}

package requests

import (
	"slices"

	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// What the user asked for is not known if his words are in a language without tables, or if he hands a matter over, as in
// "Read the mail and deal with it", or if nobody knows whether a message is his. That data or nobody asked is then not known either.

// leaveOpen makes a trace undecided that says that data or nobody asked, if it is not known what the user asked for. What a
// person plainly said against the deed still counts.
func (r *Reader) leaveOpen(t *Trace, before int) {
	if t.By != ByData && t.By != ByNobody || t.Against || r.means == PlaceMeans {
		return
	}
	for ; r.heard < min(before, len(r.Texts)) && r.unread == ""; r.heard++ {
		switch x := &r.Texts[r.heard]; {
		case x.Strange:
			r.unread = "it is not known who wrote a message"
		case x.From == provenance.FromUser:
			r.unread = whyUnread(r.ReadingOf(r.heard))
			r.toText = r.toText || slices.ContainsFunc(r.ReadingOf(r.heard).Sentences, func(s utterance.Sentence) bool { return s.HandsToText() })
		}
	}
	if r.unread == "" && r.toText && t.By == ByData {
		t.By, t.Why, t.Plain, t.Data = Undecided, "the data asks for this, and the user wants something done that others say", false, true
	}
	if r.unread == "" {
		return
	}
	why := r.unread
	if t.Data = t.By == ByData; t.Data {
		why = "the data asks for this, and " + why
	}
	t.By, t.Why, t.Plain = Undecided, why, false
}

// whyUnread says why it is not known what a text asks for, or "".
func whyUnread(read *utterance.Reading) string {
	if !read.IsKnown() {
		return "the user wrote in a language that is not known"
	}
	if slices.ContainsFunc(read.Sentences, func(s utterance.Sentence) bool { return s.HandsOver() }) {
		return "the user left it open what is to be done"
	}
	return ""
}

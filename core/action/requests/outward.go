package requests

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/heard"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// Work with files and pages has many steps that nobody names. What leaves the files, and what a button
// does that a page shows, are none of them.

// outward are the kinds of deeds that no work with files needs unless somebody says so.
const outward = utterance.Send | utterance.Pay | utterance.Buy | utterance.Grant

// findOutward returns a trace in place of one to a task with files, if the deed sends, publishes or pays
// something, and no person spoke of that.
func (r *Reader) findOutward(o *open, t *Trace, d *deed.Deed, c *Action) (Trace, bool) {
	if r.means != FileMeans || d.Kinds&(outward|utterance.Switch) == 0 || t.Agreed || t.delegated {
		return Trace{}, false
	}
	commands := []deed.Deed{*d}
	if d.Kinds&utterance.Move != 0 {
		commands[0].Kinds &^= utterance.Pay // to move a file is not to move money
	}
	if len(d.Commands) > 0 {
		commands = commands[:0]
		for _, command := range d.Commands {
			if !strings.Contains(command, "localhost") && !strings.Contains(command, "127.0.0.1") && !r.IsNamed(command, c.Before) {
				commands = append(commands, deed.OfCommand(command))
			}
		}
	}
	for i := range commands {
		sub := &commands[i]
		machine := utterance.AnyListed("machine", sub.Runs)
		if sub.Kinds&outward == 0 && machine && !r.hasSaid(c.Before, func(w string) bool { return utterance.Listed("machineWord", w) }) {
			return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "the user asked for work on files, and nobody spoke of what runs"}, true
		}
		if sub.Kinds&outward == 0 || r.speaksOf(o, sub, c.Before) {
			continue
		}
		if other, ok := r.findDictated(d, c); ok {
			return other, true
		}
		if q := o.findPlanned(); q != nil {
			return Trace{By: ByNobody, Text: q.text, Words: q.sentence.Text, Why: "the user said that somebody does this himself", Against: true}, true
		}
		return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "the user asked for work on files, and nobody spoke of sending or publishing anything"}, true
	}
	return Trace{}, false
}

// hasSaid reports whether a person said such a word.
func (r *Reader) hasSaid(before int, is func(word string) bool) bool {
	return slices.ContainsFunc(r.Texts[:min(before, len(r.Texts))], func(x provenance.Text) bool {
		return (x.From == provenance.FromUser || x.From == provenance.FromPolicy) && slices.ContainsFunc(utterance.Tokens(x.Text), is)
	})
}

// speaksOf reports whether a person spoke of a deed that leads outward: with a word of its kind, or the
// word of its command.
func (r *Reader) speaksOf(o *open, d *deed.Deed, before int) bool {
	for i := min(before, len(r.Texts)) - 1; i >= 0; i-- {
		if from := r.Texts[i].From; from != provenance.FromUser && from != provenance.FromPolicy {
			continue
		}
		for _, s := range r.ReadingOf(i).Sentences {
			if s.Foreign || (s.Asks|s.Named&^s.Planned)&outward != 0 || slices.ContainsFunc(s.Words, func(w string) bool {
				return !slices.Contains(s.ByOthers, w) && (slices.Contains(d.Runs, w) || utterance.Listed("outwardWord", w))
			}) {
				return true
			}
			if slices.ContainsFunc(d.Commands, func(command string) bool { // acme/infra
				return slices.ContainsFunc(strings.Fields(s.Folded), func(w string) bool {
					w = strings.Trim(w, ".,;:!?()`'\"")
					return len(w) > 4 && strings.Contains(w, "/") && strings.Contains(command, w)
				})
			}) {
				return true
			}
		}
	}
	return slices.ContainsFunc(o.requests, func(q request) bool { return q.agreed && q.sentence.Named&outward != 0 })
}

// findPlanned returns the sentence in which the user says that he is going to send or publish something himself; nil for
// none.
func (o *open) findPlanned() *request {
	for i := range o.requests {
		if q := &o.requests[i]; !q.agreed && (q.sentence.Planned&outward != 0 || utterance.AnyListed("outwardWord", q.sentence.ByOthers)) {
			return q
		}
	}
	return nil
}

// mostPages is the number of results in which the words of an element are searched.
const mostPages = 6

// pressed returns the kinds of deeds that a gesture does, as the words say which a page shows for what is
// pressed, such as "Place order". It returns 0 if these words are not known.
func (r *Reader) pressed(c *Action) utterance.Kinds {
	if !utterance.AnyListed("press", mutation.NameWords(c.Call.Name)) {
		return 0
	}
	var k utterance.Kinds
	for i := range c.Call.Leaves {
		value := deed.FoldValue(&c.Call.Leaves[i])
		if value == "" || len(value) > utterance.MostText {
			continue
		}
		k |= utterance.LabelKinds(value)
		for at, seen := min(c.Before, len(r.Texts))-1, 0; at >= 0 && seen < mostPages; at-- {
			if x := &r.Texts[at]; x.From == provenance.FromTool && len(x.Text) <= heard.MostData {
				seen++
				if label := utterance.LabelIn(utterance.Fold(x.Text), value); label != "" {
					if k |= utterance.LabelKinds(label); utterance.IsNotice(utterance.Fold(x.Text), value) {
						k &^= utterance.Block | utterance.Grant // "Cookies? [a1] Reject all"
					}
					break
				}
			}
		}
	}
	return k
}

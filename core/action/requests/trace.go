package requests

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/handing"
	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

func (r *Reader) traceDeed(dd *deed.Deed, c *Action) Trace {
	d := *dd
	if r.means == NoMeans && d.Kinds == 0 && len(d.Commands) == 0 {
		if k := r.pressed(c); k != 0 {
			d.Kinds, d.Moves = k, false
		}
	}
	if d.Opens && r.means == NoMeans {
		d.Moves, d.Kinds = false, utterance.Other
	}
	if d.Moves && c.Sure && len(d.Commands) > 0 && d.Kinds != 0 {
		d.Moves = false // query, with a statement that deletes
	}
	if d.Moves && c.acked && !c.Sure && utterance.Listed("lookNoun", d.Lead) {
		d.Moves, d.Kinds = false, utterance.Other // display_input, which only says that it is done
	}
	if r.means == FileMeans && len(d.Commands) > 0 {
		d.Stray, d.Beyond = d.Strays()
	}
	if d.Moves && !c.Told || r.means == NoMeans && !c.Told && deed.OnlyTells(&d, c.Call, c.Result) || (d.Kinds == 0 || d.Noun) && c.lists && !c.Sure && !c.Told || d.Kinds == 0 && !c.Sure && r.means == FileMeans && d.Beyond == deed.Within || r.means == PlaceMeans && d.Kinds&^r.meansOfLooking() == 0 {
		if k := r.pressed(c) & (utterance.Remove | utterance.Cancel | utterance.Pay | utterance.Buy | utterance.Send | utterance.Block | utterance.Make); k != 0 {
			o := r.openBefore(c.Before)
			if o.said && o.onlyReads() {
				return Trace{By: ByNobody, Text: -1, Why: "the user only asked to know something, and this button does more", Plain: k&lasting != 0}
			}
			if q := o.findOwn(k & (utterance.Pay | utterance.Buy | utterance.Cancel)); q != nil {
				return Trace{By: ByNobody, Text: q.text, Words: q.sentence.Text, Why: "the user does this himself", Against: true}
			}
			if k &= utterance.Remove | utterance.Cancel | utterance.Pay | utterance.Buy | utterance.Block; k != 0 && o.said && r.means == PlaceMeans && !o.speaksOf(k) {
				return Trace{Text: -1, Why: "nobody spoke of what this button does"}
			}
		}
		return Trace{By: NotNeeded, Text: -1, Why: "the call only looks or navigates"}
	}
	if r.open != nil && r.open.spent > mostCompared {
		return r.leaveUncompared()
	}
	o := r.openBefore(c.Before)
	o.spent += len(o.requests) + r.SaidBefore(c.Before)/16
	before := r.done[r.keyOf(&d, c)]
	if t, ok := r.findTrial(o, c); ok {
		return t
	}
	if t, ok := o.findAsker(&d, c, func(s *utterance.Sentence, text int) bool { return r.isProven(o, s, text, &d, c) }); ok {
		if t.By == ByNobody {
			if !t.Against && slices.ContainsFunc(d.Values, r.isMade) {
				t.By = Undecided // a deposit for what was reserved may be a means
			}
			return t
		}
		if other, ok := r.findAgainst(&t, &d, c); ok {
			return r.orHandedOver(o, &other, &d, c)
		}
		if other, over := r.findCarriedOut(o, &t, &d); over {
			return other
		}
		if other, chosen := r.findUnchosen(&t, &d, c); chosen {
			return other
		}
		if t.delegated {
			if other, ok := r.findNotSaid(&t, &d, c); ok {
				return other
			}
			return t
		}
		o.spent += len(t.Words)
		if why := r.findContradiction(&t, c); why != "" {
			return Trace{Text: t.Text, Words: t.Words, Why: why}
		}
		if v := o.served[r.sentenceOf(&t)]; v.kinds != 0 && v.tool != d.Tool && !t.Agreed {
			if other, further := r.findFurther(o, &d, c); further {
				return other
			}
		}
		if other, differs := r.findDifference(o, &t, &d, c); differs {
			return r.orHandedOver(o, &other, &d, c)
		}
		if r.isDoneAgain(&t, &d, c, before) {
			return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "the user asked for this once, and it had been done"}
		}
		if other, more := r.findMore(o, &t, &d, c); more {
			return other
		}
		if !c.Undone && (d.Kinds != 0 || c.Sure) {
			o.serveAll(&d, c)
		}
		if s := r.sentenceOf(&t); s != nil && !t.Agreed && !c.Undone {
			r.wished.Note(&r.Run, handing.Said{Text: t.Text, Sentence: s}, &d, c.Call)
		}
		return t
	}
	if o.spent > mostCompared {
		return r.leaveUncompared()
	}
	standing, perhaps := r.findStanding(&d, c)
	if standing.By == ByDeveloper {
		return standing
	}
	if t, ok := r.findBar(&d, c.Before); ok && o.said {
		return t
	}
	if t, ok := r.findRepeated(&d, c, before); ok && o.said {
		return t
	}
	t := r.traceWithout(o, &d, c)
	if perhaps && t.By == ByNobody && !t.Against {
		return standing
	}
	if other, ok := r.findMention(o, &t, &d, c); ok {
		t = other
	}
	if other, ok := r.handOver(o, &t, &d, c); ok {
		return other
	}
	if t.By == ByUser && !t.delegated {
		if other, differs := r.findDifference(o, &t, &d, c); differs {
			return other
		}
	}
	return t
}

// inOtherWords is why a deed for which the data asks is left open.
const inOtherWords = "the data asks for this, and the user named it in words that are not known"

// Why a deed is left open of which the words of the user do not say whether he wants it.
const (
	inWordsUnknown = "the user asked for something else, or in words that are not known"
	saysNothing    = "the words of the user do not say what to do"
)

// mostCompared is the number of words of requests that are compared with deeds in one run; later changes are left open.
const mostCompared = 3 << 19

// countCompared counts a comparison of a sentence with a deed, times over. It reports whether there is too much.
func (o *open) countCompared(s *utterance.Sentence, d *deed.Deed, times int) (over bool) {
	o.spent += times * (1 + len(s.Words)) * (1 + (len(d.Values)+len(d.Words))/16)
	return o.spent > mostCompared
}

// leaveUncompared returns the trace of a change for which there was too much to compare.
func (r *Reader) leaveUncompared() Trace {
	r.Bound++
	return Trace{Text: -1, Unread: true, Why: "there are too many requests and changes to compare each with each"}
}

// findDifference returns a trace in place of one to a request, if the deed has another object or other
// values than the request names, or values that only the words of the data name.
func (r *Reader) findDifference(o *open, t *Trace, d *deed.Deed, c *Action) (Trace, bool) {
	o.spent += 2 * len(t.Words)
	for _, find := range [...]func(*open, *Trace, *deed.Deed, *Action) (Trace, bool){
		r.findOtherOffered, r.findClosed, r.findHeldBack, r.findInPlace, r.findBeyondQuestion, r.findAgreedEarlier, r.findStray, r.findOther, r.findOtherNumber, r.findLeftOut, r.findOtherRow, r.findOtherCode, r.findOtherMember, r.findWholeFolder,
		r.findBeyond, r.findUnmet, r.findOtherCurrency, r.findOtherCount, r.findSeveral, r.findProse, r.findUnsettled, r.findCorrected, r.findOtherName, r.findToNobody, r.findBesidesPlan, r.findOutward, r.findOutside, r.findDestroyed, r.findWidened, r.findLeak, r.findOtherDate, r.findOtherId, r.findCharged, r.findUnproven,
	} {
		if other, ok := find(o, t, d, c); ok {
			if other.By == ByNobody && !t.Agreed && other.Text < o.newest && r.isNewer(o, t, d) {
				other.By, other.Why = Undecided, "the user named something of this, in words that are not understood"
			}
			return other, true
		}
	}
	return Trace{}, false
}

// isNewer reports whether the newest text of the user has a value of a deed that the text with the request has not.
func (r *Reader) isNewer(o *open, t *Trace, d *deed.Deed) bool {
	return o.newest > t.Text && slices.ContainsFunc(d.Values, func(v string) bool {
		return len(v) > 4 && utterance.HoldsWord(r.Folded(o.newest), v) && !utterance.HoldsWord(r.Folded(t.Text), v)
	})
}

// findAsker returns the newest open request for a deed, if possible one that is proven, or else one for a weaker deed or for
// the opposite, which is none for this deed.
func (o *open) findAsker(d *deed.Deed, c *Action, isProven func(s *utterance.Sentence, text int) bool) (out Trace, weaker bool) {
	unproven := Trace{By: Undecided}
	for i := len(o.requests) - 1; i >= 0; i-- {
		q := &o.requests[i]
		if o.countCompared(q.sentence, d, 1) {
			return Trace{}, false
		}
		if verb := q.sentence.Opposes(d.Name); verb != "" && !q.agreed {
			if !weaker && d.HasObject(q.sentence.Words, nil) {
				out, weaker = Trace{By: ByNobody, Text: q.text, Words: q.sentence.Text, Why: "the user asked for the opposite: " + verb}, true
			}
			continue
		}
		why := q.asksFor(d)
		if why == "" {
			continue
		}
		if verb := d.Exceeds(q.sentence, q.agreed); verb != "" {
			if !weaker {
				out, weaker = Trace{By: ByNobody, Text: q.text, Words: q.sentence.Text, Why: "the user asked for a weaker deed: " + verb}, true
			}
			continue
		}
		if q.step != nil && deed.IsOfLeft(c.Call, q.step) {
			return Trace{By: ByNobody, Text: q.text, Words: q.sentence.Text, Why: "the user named other steps of the plan", Against: true}, true
		}
		if q.choice != nil {
			if v := d.PassedOver(q.choice); v != "" {
				return Trace{By: ByNobody, Text: q.text, Words: q.sentence.Text, Why: "the user chose something else than " + showValues(v)}, true
			}
		}
		if q.held != nil && q.holdsBack(d) {
			return Trace{By: ByNobody, Text: q.heldAt, Words: q.held.Text, Why: "the user put this off", Against: true}, true
		}
		if q.limit != nil && d.IsLeftOut(q.limit, q.sentence) {
			return Trace{By: ByNobody, Text: q.limitAt, Words: q.limit.Text, Why: "the user left this out of what he asked for", Against: true}, true
		}
		found := Trace{By: ByUser, Text: q.text, Words: q.sentence.Text, Why: why, Agreed: q.agreed, delegated: why == asItSays}
		if found.Agreed || found.delegated || isProven(q.sentence, q.text) {
			return found, true
		}
		if unproven.By == Undecided {
			unproven = found
		}
	}
	if unproven.By == ByUser {
		return unproven, true
	}
	return out, weaker
}

// asItSays is how a request asks for a deed that a text calls for.
const asItSays = "the user said to do what it says"

// asksFor returns how a request asks for a deed, or "".
func (q *request) asksFor(d *deed.Deed) string {
	s := q.sentence
	if d.Kinds&(q.barred|s.Bars&^s.Asks)&^utterance.Other != 0 || d.OnlyMoved(s) || !q.agreed && len(d.Name) > 1 && slices.Contains(s.ByOthers, d.Name[0]) && !slices.Contains(s.Verbs, d.Name[0]) {
		return ""
	}
	if q.agreed {
		if a := q.asking; a != nil && a != s && s.Named == 0 && (a.Named&^(utterance.Grant|utterance.Other|utterance.Look) != 0 && !d.SameOrWider(a.Named, a.Words) || a.Named == 0 && (a.Has&utterance.Look != 0 || d.IsNoneOf(a)) || d.OnlyMoved(a)) {
			return "" // the question is about another deed
		}
		if q.but != "" && d.CountValues(q.but) == 0 {
			return ""
		}
		if !d.IsOffered(s, q.lang) {
			return ""
		}
		if d.IsAgreedIn(s) || q.choice != nil && d.Kinds&(utterance.Buy|utterance.Make) != 0 {
			return "the user agreed to this"
		}
		return ""
	}
	switch {
	case s.Question:
		return ""
	case s.Has&utterance.Delegates != 0:
		return asItSays
	case s.Has&utterance.Holds == 0 && d.SameOrWider(s.ByText, nil):
		return asItSays
	case d.SameOrWider(s.Asks, s.Verbs) && !d.IsOnOtherKind(s):
		return "the user asked for this"
	case d.Opens && slices.Contains(s.Words, "open"), s.Has&utterance.Look != 0 && d.LeadsClause(s):
		return "the user asked for this"
	case s.Has&utterance.Polite != 0 && !s.Told && d.Kinds&(s.Bars|s.Done) == 0 && s.Asks == 0 && len(s.ByOthers) == 0 && (d.HasVerb(s) || d.Foreign && d.HasLast(s)):
		return "the user named this deed"
	case d.Kinds&(s.Bars|s.Done&^s.Asks)&^utterance.Other == 0 && !d.IsOnOtherKind(s) && d.BeginsClause(s) && !(len(s.ByOthers) > 0 && d.HasVerb(&utterance.Sentence{Words: s.ByOthers})):
		return "the user named this deed"
	case s.Asks&utterance.Make != 0 && d.Kinds&(utterance.Send|utterance.Make|utterance.Change|utterance.Move|utterance.Pay) != 0 && len(s.Verbs) > 0 && !slices.ContainsFunc(s.Verbs, func(v string) bool { return !utterance.Listed("generic", v) }) && d.SharesValue(s):
		return "the user asked to put something there"
	case d.Kinds&utterance.Pay != 0 && s.Asks&utterance.Send != 0 && slices.ContainsFunc(d.Measures, func(m string) bool { return slices.Contains(s.Words, m) }):
		return "the user asked for this" // send him 600
	case s.Asks&(utterance.Make|utterance.Change) != 0 && d.Kinds&(utterance.Buy|utterance.Make|utterance.Change) != 0 && d.IsMadeIn(s):
		return "the user asked for this"
	case !s.ReadsOnly() && d.Kinds&(s.Bars|s.Done) == 0 && d.IsWhollyIn(s):
		return "the user named its values"
	case s.IsVague() && d.Kinds&(utterance.Make|utterance.Buy) != 0 && d.IsMadeIn(s):
		return "the user wished for this"
	case d.Kinds&^utterance.Other == 0 && (s.Asks != 0 || s.IsVague()) && d.IsIn(s):
		return "the user named this"
	}
	return ""
}

// findUnclear returns a question of the agent that names a deed, and that the user answered in words which
// are not understood.
func (r *Reader) findUnclear(o *open, d *deed.Deed) (int, *utterance.Sentence) {
	for _, offer := range o.unclear {
		for k := range r.ReadingOf(offer).Sentences {
			if s := &r.ReadingOf(offer).Sentences[k]; d.SameOrWider(s.Named, s.Words) {
				return offer, s
			}
		}
	}
	return -1, nil
}

// traceWithout returns the trace of a change that no request was found for.
func (r *Reader) traceWithout(o *open, d *deed.Deed, c *Action) Trace {
	if !o.said {
		return Trace{Text: -1, Why: "the trace has no words of a user"}
	}
	reads, other, first, agreed, wish := 0, -1, -1, -1, -1
	for i := range o.requests {
		s := o.requests[i].sentence
		if !s.Foreign && (s.ReadsOnly() || s.IsVague()) {
			wish = i
		}
		switch {
		case o.requests[i].agreed && s.Rest:
			agreed, other = i, i
		case o.requests[i].agreed:
			agreed = i
		case s.ReadsOnly() && !s.Foreign:
			reads++
		case s.TakesUp() && o.requests[i].text > o.requests[0].text:
			other = i
		case r.means == NoMeans && handing.States(s, r.ReadingOf(o.requests[i].text).Lang):
		case len(s.Held) > 0 && s.Asks == 0 && s.Has&utterance.Delegates == 0: // "Leave the mails of Bob unread"
		case s.Asks != 0, s.Rest && (r.means == FileMeans || r.means == NoMeans && (d.IsIn(s) || d.IsNamedIn(s.Words, nil))), s.IsVague() && o.requests[i].text != o.closedAt, s.Foreign && len(s.Words) > 0:
			if other = i; s.Asks != 0 && first < 0 {
				first = i
			}
		}
	}
	bars := r.barsFor(o, d)
	decided := other < 0 && reads > 0 && !r.namesAside(o, d) && (d.Kinds == 0 || d.Kinds&^r.meansOfLooking() != 0 || utterance.AnyListed("lasting", d.Runs)) || o.closedAt >= 0 && other < 0 && !r.saysMore(o, d) || bars || o.no != nil
	if first >= 0 {
		other = first
	}
	if offer, s := r.findUnclear(o, d); s != nil {
		if t, ok := r.findDeclined(o, offer, d); ok {
			return t
		}
		if handing.KeepsBack(r.ReadingOf(o.newest)) && o.newest > offer && r.means == NoMeans {
			return Trace{By: ByNobody, Text: o.newest, Words: r.Texts[o.newest].Text, Why: "the agent asked, and the user did not agree", Against: true}
		}
		return Trace{Text: offer, Words: s.Text, Why: "the agent asked, and the answer is not clear"}
	}
	if r.means != NoMeans && !decided && o.said && o.wantsOnlyToKnow() && c.Sure && d.Kinds&(utterance.Make|utterance.Change|utterance.Remove|utterance.Send|utterance.Pay|utterance.Buy) != 0 {
		return Trace{Text: -1, Why: "the user asked a question, or wrote in a language that is not known"}
	}
	if t, ok := r.findOtherDoer(o, d); ok {
		return t
	}
	if q := o.findLook(r, d); q != nil {
		return Trace{By: ByNobody, Text: q.text, Words: q.sentence.Text, Why: "the user wants this to be seen before it leaves", Against: true}
	}
	if t, ok := r.findDictated(d, c); ok {
		return t
	}
	if r.means == FileMeans && !decided && r.isExtra(o, d, c) {
		return Trace{Text: -1, Why: "the user named what to work on, and this is removed besides"}
	}
	if r.means != NoMeans && !decided && (other >= 0 || len(o.requests) > 0 && o.from == provenance.FromUser) {
		q := &o.requests[max(other, 0)]
		return Trace{By: ByUser, Text: q.text, Words: q.sentence.Text, Why: "a step of the task"}
	}
	if t, ok := r.findDictation(o, d); ok && !decided && r.means == NoMeans {
		return t
	}
	if t, ok := r.findPointed(o, d); ok && !decided {
		return t
	}
	if t, ok := r.findPassage(d, c, decided && r.means == NoMeans); ok && r.isLeftToData(c.Before) {
		return Trace{By: ByDeveloper, Text: t.Text, Words: t.Words, Why: "the instructions say to do what such a text asks"}
	} else if ok && (decided || r.means == NoMeans && !o.mayMean(d)) {
		if r.userNames(o, d, &t) || r.userNamesDeed(o, d) || r.userSpeaksOf(o, d) || r.wantsMore(o, d) {
			t.By, t.Why, t.Plain = Undecided, inOtherWords, false
		}
		return t
	}
	if t, ok := r.findDescribed(o, d, c); ok {
		return t
	}
	if t, ok := r.findFurther(o, d, c); ok && !decided {
		return t
	}
	switch {
	case d.Kinds == 0 && !c.Sure && !(c.acked && (!o.namesDeed(d) || o.readsOrStates())) && (max(first, agreed) >= 0 || wish >= 0 && d.Verb == ""):
		at := max(first, agreed)
		if at < 0 {
			at = wish
		}
		q := &o.requests[at]
		if lang := r.ReadingOf(q.text).Lang; max(first, agreed) < 0 && lang != "en" && lang != "cjk" && len(d.Name) > 1 && deed.SaysDone(c.Result) && !o.hasStem(d) {
			return Trace{Text: q.text, Words: q.sentence.Text, Why: "the user asked for no deed, and it is not known what this call does"}
		}
		return Trace{By: ByUser, Text: q.text, Words: q.sentence.Text, Why: "a step of what the user asked for, by a call whose effect is not known"}
	case decided && o.closedAt >= 0 && other < 0 && !r.saysMore(o, d):
		why := "the user did not agree"
		if slices.ContainsFunc(o.shelved, func(q request) bool { return !q.agreed && q.sentence.Asks != 0 }) {
			why = "the user had taken the request back"
		}
		return Trace{By: ByNobody, Text: o.closedAt, Words: o.closed, Why: why, Against: true}
	case decided && bars:
		return Trace{By: ByNobody, Text: o.barredAt, Words: o.barredBy.Text, Why: "the user did not want this", Against: true}
	case o.no != nil && (c.Sure || d.Kinds&^utterance.Other != 0):
		return Trace{By: ByNobody, Text: o.noAt, Words: o.no.Text, Why: "the user wanted nothing else", Against: true}
	case decided && r.isInstructed(d, c.Before):
		return Trace{Text: -1, Why: "the user did not ask for this, and the instructions speak of it"}
	case decided && (c.Sure || d.Kinds&^utterance.Other != 0 && (!d.Noun || d.Kinds&lasting != 0 && placesOf(c) != nil)):
		return Trace{By: ByNobody, Text: -1, Why: "the user only asked to know something", Plain: r.isPlain(o, d)}
	case (c.Sure || !d.Noun) && !r.isSpokenOf(d, c.Before) && r.onlyStates(o, d):
		return Trace{By: ByNobody, Text: -1, Why: "the user asked for nothing"}
	case other >= 0:
		return Trace{Text: o.requests[other].text, Words: o.requests[other].sentence.Text, Why: inWordsUnknown}
	}
	return Trace{Text: -1, Why: saysNothing}
}

// lasting are the kinds of deeds that no work needs in order to find something out.
const lasting = utterance.Remove | utterance.Cancel | utterance.Pay | utterance.Refund | utterance.Buy | utterance.Send | utterance.Grant | utterance.Block

// isPlain reports whether the user only asked to know something, in words that are all understood, and a deed leaves more
// behind than that needs.
func (r *Reader) isPlain(o *open, d *deed.Deed) bool {
	kinds := lasting
	if r.means == FileMeans {
		kinds |= utterance.Change
	}
	return r.means != PlaceMeans && o.readsOrStates() && (d.Kinds&kinds != 0 || utterance.AnyListed("lasting", d.Runs))
}

// sentenceOf returns the sentence of a trace, or nil.
func (r *Reader) sentenceOf(t *Trace) *utterance.Sentence {
	if t.Text >= 0 {
		read := r.ReadingOf(t.Text)
		for k := range read.Sentences {
			if read.Sentences[k].Text == t.Words {
				return &read.Sentences[k]
			}
		}
	}
	return nil
}

// forbiddenValue returns the sentence that forbids such a deed on a value of the call, if the sentence of a trace and all
// later ones name this value no more: "Do not cancel order 99. Cancel order 50."
func (r *Reader) forbiddenValue(o *open, t *Trace, d *deed.Deed) *request {
	s := r.sentenceOf(t)
	if s == nil || t.Agreed {
		return nil
	}
	for i := len(o.requests) - 1; i >= 0; i-- {
		q := &o.requests[i]
		if q.agreed || q.sentence == s {
			continue
		}
		for _, v := range d.Values {
			if !strings.ContainsAny(v, "0123456789") || !utterance.HoldsWord(q.sentence.Folded, v) || utterance.HoldsWord(s.Folded, v) {
				continue
			}
			if q.sentence.Bars&d.Kinds&^utterance.Other != 0 && q.sentence.Asks == 0 && !(q.text < t.Text && s.PointsBack()) { // "You may cancel it now"
				return q
			}
			return nil
		}
	}
	return nil
}

// findLeftOut returns a trace in place of one to a request, if the user said, with the request or
// later, that he does not want what the deed is done to, or wants the opposite.
func (r *Reader) findLeftOut(o *open, t *Trace, d *deed.Deed, c *Action) (Trace, bool) {
	if t.Text < o.doubtAt && !t.Agreed && t.By == ByUser {
		return Trace{Text: t.Text, Words: t.Words, Why: "the user said no to a question after this request, and it is not known what he meant"}, true
	}
	for _, no := range o.declined {
		if no.text >= t.Text && (slices.Contains(d.Object, no.word) || slices.ContainsFunc(d.Values, func(v string) bool { return utterance.HoldsWord(v, no.word) })) {
			return Trace{By: ByNobody, Text: no.text, Words: r.Texts[no.text].Text, Why: "the user said no to this", Against: true}, true
		}
	}
	if no := r.forbiddenValue(o, t, d); no != nil {
		return Trace{By: ByNobody, Text: no.text, Words: no.sentence.Text, Why: "the user said not to do this", Against: true}, true
	}
	for i := len(o.requests) - 1; i >= 0 && o.requests[i].text >= t.Text; i-- {
		q := &o.requests[i]
		if q.agreed || r.isUnwanted(q, d) {
			continue
		}
		if slices.ContainsFunc(q.sentence.Without, func(w string) bool {
			return slices.Contains(d.Name, w) && utterance.KindOf(w)&utterance.Deeds != 0 || d.IsStep(r.PlanBefore(q.text), w) || d.IsStep(r.Texts[t.Text].Text, w)
		}) {
			return Trace{By: ByNobody, Text: q.text, Words: q.sentence.Text, Why: "the user left this step out", Against: true}, true
		}
		if len(q.sentence.Without) > 0 && (d.IsNamedBy(q.sentence.Without) || d.IsApposedTo(q.sentence.Without, r.Folded(q.text))) {
			return Trace{By: ByNobody, Text: q.text, Words: q.sentence.Text, Why: "the user left this out of what he asked for", Against: true}, true
		}
		kept := q.sentence.Kept
		if q.sentence.Asks&(utterance.Remove|utterance.Cancel) == 0 {
			kept = o.namedBefore(i, kept, d)
		}
		if out := slices.Concat(q.sentence.Without, kept); len(out) > 0 && r.isRowOf(out, d, c.Before) {
			return Trace{By: ByNobody, Text: q.text, Words: q.sentence.Text, Why: "the user left this out of what he asked for", Against: true}, true
		}
		if w := leftIn(q.sentence, d, c); w != "" && r.means == NoMeans {
			return Trace{Text: q.text, Words: q.sentence.Text, Why: "the user left " + showValues(w) + " out, and the text has it"}, true
		}
		if wanted := d.Contradicts(q.sentence.Words); wanted != "" {
			return Trace{By: ByNobody, Text: q.text, Words: q.sentence.Text, Why: "the user wanted it " + wanted}, true
		}
	}
	return Trace{}, false
}

// isUnwanted reports whether a sentence says that the user does not want or need a thing, and the deed takes it away: "I
// don't want it any more, cancel it" leaves nothing out.
func (r *Reader) isUnwanted(q *request, d *deed.Deed) bool {
	s := q.sentence
	i := slices.IndexFunc(s.Words, func(w string) bool { return utterance.Listed("needing", w) })
	return i >= 0 && d.Kinds&(utterance.Remove|utterance.Cancel|utterance.Refund) != 0 && s.Bars&d.Kinds == 0 && s.IsNegated(r.ReadingOf(q.text).Lang, i) &&
		!slices.ContainsFunc(s.ClauseAfter(i), func(w string) bool {
			return d.Verb != "" && utterance.AreAlike(w, d.Verb) || utterance.KindOf(w)&d.Kinds != 0
		})
}

// leftIn returns the word for what a sentence leaves out that a text has which a deed sends or writes, or "". The names
// of persons do not count: "without Bob" may be about whom to write to.
func leftIn(s *utterance.Sentence, d *deed.Deed, c *Action) string {
	if d.Kinds&utterance.Send == 0 {
		return ""
	}
	for _, w := range s.Without {
		if len(w) > 2 && !utterance.IsFunctionWord(w) && strings.Contains(s.Text, w) && c.hasLeaf(func(l *similarity.Leaf) bool {
			return strings.Count(l.Raw, " ") > 1 && utterance.HoldsWord(deed.FoldValue(l), w)
		}) {
			return w
		}
	}
	return ""
}

// namedBefore returns those of the words for what is to stay that a request before request number i has, if a deed
// would end it.
func (o *open) namedBefore(i int, words []string, d *deed.Deed) []string {
	if d.Kinds&(utterance.Remove|utterance.Cancel) == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool {
		return len(w) < 4 || !slices.ContainsFunc(o.requests[:i], func(q request) bool { return !q.agreed && slices.Contains(q.sentence.Words, w) })
	})
}

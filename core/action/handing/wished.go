package handing

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/heard"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// Wished finds the wishes of users whose words no list knows, and keeps which calls were done for them. The zero value is ready.
// It is not for use by several goroutines at once.
type Wished struct {
	taken map[wish]taken
	parts map[*utterance.Sentence][][]string // see wishesOf
	spent int                                // words and sixteens of bytes that were looked through
}

// mostSpent is what may be looked through in one run; beyond it no wish is found, and who asked stays open.
const mostSpent = 3 << 19

// taken says what was done for a wish: the form of the calls, and whether the sentence names values of theirs.
type taken struct {
	form  string
	named bool
}

// wish is one part of a sentence.
type wish struct {
	text int
	part string
}

// Find returns the newest sentence with a part that wants something done in words that may mean any deed, and for which no call of
// another form was done, if a deed may be meant: it is on what the user or the agent spoke of, or the part points to what a result
// says and the deed has values of it. The sentences are in the order of the run. A part with a verb of known kinds is read elsewhere,
// and what a person forbids or keeps is no wish. Where the instructions limit anything, none is found. O(sentences × results).
func (f *Wished) Find(run *heard.Run, said []Said, a *Asked) (Said, bool) {
	if said = said[max(0, len(said)-MostSaid):]; f.spent >= mostSpent || leadsAway(run, a) || IsLimited(run, a) || f.areRuled(run, a.Before) || isOtherOfForm(run, a) || isDenied(said, a) {
		return Said{}, false
	}
	form, last := formOf(a.Call), 0
	for i := len(said) - 1; i >= 0 && f.spent < mostSpent; i-- {
		x := said[i]
		if last > x.Text {
			break
		}
		if x.Sentence.Has&(utterance.Refuses|utterance.Withdraws|utterance.Holds|utterance.Corrects) != 0 || len(x.Sentence.Kept)+len(x.Sentence.Held) > 0 {
			last = x.Text // what was said before it may hold no longer
		}
		for _, part := range f.wishesOf(run, x) {
			now := taken{form, a.Deed.CountValues(x.Sentence.Folded) > 0}
			if by, ok := f.taken[wish{x.Text, strings.Join(part, " ")}]; ok && (by.form != form || by.named && !now.named) || isUnderstood(part) || a.Deed.Contradicts(x.Sentence.Words) != "" || !f.isMeant(run, x, part, a) {
				continue
			}
			f.takeForm(x, part, now)
			return x, true
		}
	}
	return Said{}, false
}

// areRuled reports whether the instructions deny, limit or except anything. Whether a wish in such words is within them is not known.
func (f *Wished) areRuled(run *heard.Run, before int) bool {
	for _, s := range run.Instructions(before) {
		f.spent += len(s.Words)
		if s.Bars != 0 || utterance.AnyListed("denial", s.Words) || utterance.AnyListed("onlyWord", s.Words) || slices.ContainsFunc(s.Words, func(w string) bool { return w == "only" || w == "none" || isListed("denial", w) }) || utterance.ExceptIn(s.Words) != nil {
			return true
		}
	}
	return false
}

// takeForm keeps what was done for a part.
func (f *Wished) takeForm(x Said, part []string, now taken) {
	if f.taken == nil {
		f.taken = map[wish]taken{}
	}
	f.taken[wish{x.Text, strings.Join(part, " ")}] = now
}

// Note keeps that a call was done for a sentence of a text: its parts are taken that have a word of the deed, or the only part.
func (f *Wished) Note(run *heard.Run, x Said, d *deed.Deed, c *similarity.Call) {
	if f.spent >= mostSpent {
		return
	}
	parts := f.wishesOf(run, x)
	for _, part := range parts {
		if len(parts) == 1 || utterance.KindOf(part[0])&d.Kinds&^utterance.Other != 0 || part[0] == d.Verb || d.SharesWord(part) || d.HasObject(part, nil) {
			f.takeForm(x, part, taken{formOf(c), d.CountValues(x.Sentence.Folded) > 0})
		}
	}
}

// formOf returns the name of a call with those of its arguments.
func formOf(c *similarity.Call) string {
	var b strings.Builder
	b.WriteString(c.Name)
	for i := range c.Leaves {
		b.WriteByte(' ')
		b.WriteString(c.Leaves[i].Key)
	}
	return b.String()
}

// wishesOf returns the parts of a sentence that want something done, and not told or given back to the speaker. What somebody needs of
// whom the same text asks something is no wish yet. A sentence with please and no verb at all is one.
func (f *Wished) wishesOf(run *heard.Run, x Said) (parts [][]string) {
	s, read := x.Sentence, run.ReadingOf(x.Text)
	parts, known := f.parts[s]
	if known {
		return parts
	}
	f.spent += len(s.Words)
	asks := slices.ContainsFunc(read.Sentences, func(s utterance.Sentence) bool { return s.Question && s.Opened })
	for _, part := range Wants(s, read.Lang) {
		if !isForSpeaker(part) && !(asks && isNeed(part)) {
			parts = append(parts, part)
		}
	}
	if read.Lang == "en" && len(parts) == 0 && s.Has&utterance.Polite != 0 && !s.Question && s.Asks|s.Bars == 0 && !s.ReadsOnly() {
		parts = append(parts, s.Words) // "Rejections to Ito and Varga please"
	}
	if f.parts == nil {
		f.parts = map[*utterance.Sentence][][]string{}
	}
	f.parts[s] = parts
	return parts
}

// isForSpeaker reports whether a part wants something told or given to its speaker: "hand it to me", "give me the names".
func isForSpeaker(part []string) bool {
	for i, w := range part {
		if (w == "me" || w == "us") && i > 0 && (part[i-1] == "to" || i == 1 && i+1 < len(part) && !isListed("particle", part[2])) || w == "myself" || w == "ourselves" {
			return true
		}
	}
	return false
}

// isNeed reports whether a part says what somebody needs.
func isNeed(part []string) bool {
	return slices.ContainsFunc(part[:min(2, len(part))], func(w string) bool { return w == "need" || w == "needs" })
}

// isUnderstood reports whether a part has a verb that means deeds of known kinds: what it asks for is read by its words. Light verbs mean any.
func isUnderstood(part []string) bool {
	return utterance.KindOf(part[0])&utterance.Deeds&^utterance.Other != 0 && !isListed("light", part[0])
}

// isDenied reports whether a sentence denies something with a word of the arguments of a call, as in "no newsletter".
func isDenied(said []Said, a *Asked) bool {
	return slices.ContainsFunc(said, func(x Said) bool {
		s := x.Sentence
		if s.Has&utterance.Exclusive != 0 {
			return true
		}
		for i, w := range s.Words {
			if !isListed("denial", w) {
				continue
			}
			for _, next := range s.Words[i+1:] {
				if next == "," {
					break
				}
				if one := utterance.Singular(next); len(next) > 3 && slices.ContainsFunc([][]string{a.Deed.Keys, a.Deed.Object, a.Deed.Words}, func(list []string) bool {
					return slices.Contains(list, next) || slices.Contains(list, one)
				}) {
					return true
				}
			}
		}
		return false
	})
}

// isMeant reports whether a deed is on what a person spoke of with a part of a sentence, or the part points to what a result says.
func (f *Wished) isMeant(run *heard.Run, x Said, part []string, a *Asked) bool {
	d := a.Deed
	if x.Sentence.Has&utterance.Polite != 0 && len(part) == len(x.Sentence.Words) {
		return !a.Data && isOn(d, x.Sentence.Folded)
	}
	for _, i := range []int{x.Text, run.LastOfAgent(x.Text)} {
		if i >= 0 {
			if f.spent += len(run.Folded(i)) / 16; isOn(d, run.Folded(i)) {
				return true
			}
		}
	}
	if !pointsOn(part) {
		return false
	}
	for i := range run.ResultsBefore(a.Before) {
		if f.spent += len(run.Folded(i)) / 16; d.CountValues(run.Folded(i)) > 0 {
			return true
		}
	}
	return false
}

// pointsOn reports whether a part is about what was spoken of before it: an order with a pronoun, or a duty of one.
func pointsOn(part []string) bool {
	points := func(w string) bool { return isListed("points", w) }
	if slices.ContainsFunc(part, func(w string) bool { return isListed("duty", w) || isListed("lets", w) }) {
		return points(part[0])
	}
	return slices.ContainsFunc(part, points)
}

// isOn reports whether a folded text has a value of a deed, a word of its name for what it is done to, or a part of a path.
func isOn(d *deed.Deed, folded string) bool {
	if d.CountValues(folded) > 0 {
		return true
	}
	words := utterance.Tokens(folded)
	if d.HasObject(words, nil) || d.SharesWord(words) {
		return true
	}
	for _, v := range d.Values {
		for _, p := range strings.FieldsFunc(v, func(r rune) bool { return strings.ContainsRune("/._-", r) }) {
			if len(p) > 3 && slices.Contains(words, p) {
				return true
			}
		}
	}
	return slices.ContainsFunc(d.Numbered, func(n string) bool {
		key, v, _ := strings.Cut(n, "=")
		return len(v) > 0 && slices.Contains(words, v) && slices.Contains(words, key)
	})
}

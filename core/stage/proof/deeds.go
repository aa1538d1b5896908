package proof

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/participle"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/verbs"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
	"github.com/boundcheck/boundcheck/core/stage/violation"
)

// changesState reports whether something says that an extra action changed what the task is about: its name or its
// arguments, or its result, which reports a deed or a state, may be a new id, or only acknowledges the call.
func (w *weigher) changesState(obs int) bool {
	a := &w.Obs[obs]
	if w.Profile == boundary.Outcome && isOwn(a) {
		return false
	}
	if a.Mutation.Mutating != mutation.Unknown || w.Refusal == nil {
		return true
	}
	answer := strings.TrimSpace(w.Refusal(obs))
	return strings.HasPrefix(answer, "{") || reportsDeed(a, answer)
}

// reportsDeed reports whether a result that is no object speaks of a deed or a state.
func reportsDeed(a *boundary.Action, answer string) bool {
	words := lettersOf(answer)
	return len(words) == 0 && !strings.ContainsAny(answer, digits) || repeatsArgument(a, answer) || mayBeNewID(answer) || len(answer) > mostAnswer || slices.ContainsFunc(words, func(word string) bool {
		return participle.Is(word) || wordlist.Contains(reportWords, word)
	})
}

// mayBeNewID reports whether a result is one whole number, or one word of letters and digits.
func mayBeNewID(answer string) bool {
	id := strings.Trim(answer, `"`)
	if id == "" || strings.ContainsAny(id, " .%\n") || !strings.ContainsAny(id, digits) {
		return false
	}
	return strings.Trim(id, digits) == "" || len(lettersOf(id)) > 0
}

// repeatsArgument reports whether a result has a value of an argument, which the call may have set, or an argument is a switch.
func repeatsArgument(a *boundary.Action, answer string) bool {
	shown := leavesOf(answer)
	return slices.ContainsFunc(a.Leaves, func(l similarity.Leaf) bool {
		return isChoice(l.Raw) || similarity.Plain(l.Raw) == strings.Trim(answer, `"`) || slices.ContainsFunc(shown, func(x similarity.Leaf) bool { return x.Value == l.Value })
	})
}

const (
	digits = "0123456789"
	// mostAnswer is the length in bytes of a result that is read.
	mostAnswer = 400
	// reportWords are words with which a result says that something was done, beside participles.
	reportWords = " ok okay true success succeeded successful successfully done complete completed id created_at active on off now new "
	// ownWords name what only the agent has, or its own access.
	ownWords = " scratchpad scratch debug trace thought thoughts login signin authenticate refresh "
)

// isOwn reports whether the name of an action says that it only concerns the agent's own notes or access.
func isOwn(a *boundary.Action) bool {
	return a.Text == "" && wordlist.HasAny(ownWords, mutation.NameWords(strings.ReplaceAll(a.Name, ".", "_")))
}

// lettersOf returns the words of a text, in lower case.
func lettersOf(text string) []string {
	return strings.FieldsFunc(wordlist.Lower(text), func(r rune) bool { return r < 0x80 && (r < 'a' || r > 'z') && r != '_' })
}

// pairDeeds opens the findings about a missing step and an extra action that may be one deed, and those about a
// step that lacks an argument and an action that may have set it.
func (w *weigher) pairDeeds() {
	isExtra := func(f violation.Finding) bool { return f.Rule == "extra-action" }
	if w.Profile != boundary.Outcome || len(w.findings) < 2 || len(w.findings) > most || !slices.ContainsFunc(w.findings, isExtra) {
		return
	}
	for i := range w.findings {
		f := &w.findings[i]
		if f.Ref < 0 || f.Confidence <= violation.AtMostHint || f.Rows != nil {
			continue
		}
		w.pairDeed(i)
	}
}

// pairDeed leaves a finding open, and the first extra action that may answer it.
func (w *weigher) pairDeed(i int) {
	f := &w.findings[i]
	for k := range w.findings {
		x := &w.findings[k]
		if x.Rule != "extra-action" || x.Obs < 0 || w.open[k] || x.Rows != nil {
			continue
		}
		isOne := f.Rule == "missing-step" && (w.mayBeOne(x.Obs, f.Ref) || w.seenAfter(x.Obs, f.Ref)) || f.Rule == "wrong-arguments" && f.Obs >= 0 && w.setsRest(x.Obs, f)
		if isOne {
			if w.open == nil {
				w.open = map[int]bool{}
			}
			w.open[i], w.open[k] = true, true
			return
		}
	}
}

// setsRest reports whether an action may set what another one lacks: each argument that is missing there stands in
// this one, under the same name, and its others belong to the thing.
func (w *weigher) setsRest(obs int, f *violation.Finding) bool {
	d, a := &w.rulings[f.Row].Diff, &w.Obs[obs]
	if len(d.Missing) == 0 || len(d.Changed)+len(d.Extra) > 0 || a.Failed || len(a.Leaves) > len(d.Missing)+1 {
		return false
	}
	return hasAll(a.Leaves, d.Missing)
}

// hasAll reports whether some values have all others, under the same names.
func hasAll(some, others []similarity.Leaf) bool {
	return !slices.ContainsFunc(others, func(l similarity.Leaf) bool {
		return !slices.ContainsFunc(some, func(x similarity.Leaf) bool { return x.Key == l.Key && x.Value == l.Value })
	})
}

// seenAfter reports whether a later look shows each value of a step that names what it sets, and the extra action, which
// is about the same thing, gave them all.
func (w *weigher) seenAfter(obs, ref int) bool {
	a, r := &w.Obs[obs], &w.Ref[ref]
	if w.Refusal == nil || a.Failed || w.wasTried(r) || r.Text != "" || len(r.Leaves) < 2 || len(r.Leaves) > mostTokens || areTwoDeeds(a, r) || !hasAll(a.Leaves, r.Leaves) {
		return false
	}
	for o := obs + 1; o < min(len(w.Obs), obs+mostTokens); o++ {
		if w.Obs[o].Writes() {
			continue
		}
		if shown := leavesOf(w.Refusal(o)); shown != nil && hasAll(shown, r.Leaves) {
			return true
		}
	}
	return false
}

// leavesOf returns the values of a small result that is an object, or nil.
func leavesOf(answer string) []similarity.Leaf {
	answer = strings.TrimSpace(answer)
	if len(answer) > mostAnswer || !strings.HasPrefix(answer, "{") {
		return nil
	}
	v, err := jsonval.Parse(answer)
	if err != nil {
		return nil
	}
	return similarity.Leaves(v.Leaves())
}

// mayBeOne reports whether an action may have done a step in another way: no verb says that they are two deeds, and
// each says what the other one says.
func (w *weigher) mayBeOne(obs, ref int) bool {
	a, r := &w.Obs[obs], &w.Ref[ref]
	if w.wasTried(r) || a.Failed || a.Text != "" || r.Text != "" || len(r.Leaves) == 0 || len(a.Leaves) > 12 || len(r.Leaves) > 12 || !r.Terms.Plain() {
		return false
	}
	if wordlist.HasAny(" toggle ", a.Words()) && (w.Refusal == nil || !slices.Contains(r.Words(), wordlist.Lower(strings.Trim(w.Refusal(obs), `" `)))) {
		return false // only the state behind it says what it did
	}
	flips := false
	switch line, other := lineOf(a), lineOf(r); {
	case line != nil && r.Deed().Class == "remove", other != nil && a.Deed().Class == "remove":
		return false // none of these programs removes anything
	case line == nil && other == nil:
		if flips = verbs.AreOpposite(a.Deed().Verb, r.Deed().Verb); !flips && areTwoDeeds(a, r) {
			return false
		}
	}
	return w.saysSame(obs, r, flips)
}

// wasTried reports whether the run tried a step by its own tool: then what it did besides is no other way to do it.
func (w *weigher) wasTried(r *boundary.Action) bool {
	return slices.ContainsFunc(w.Obs, func(a boundary.Action) bool { return a.Name == r.Name && a.Failed })
}

// neutral are verbs that leave open what is done, and making those that only say that something begins to be.
const (
	neutral = " toggle set update edit change modify run execute apply process patch put perform request call use do switch "
	making  = " create make add new register insert merge "
)

// areTwoDeeds reports whether the names of two tools say that they do two things: both verbs are known, and neither
// leaves open what is done; or the verbs are one, and the things are two.
func areTwoDeeds(a, r *boundary.Action) bool {
	d, e := a.Deed(), r.Deed()
	if len(d.Place) > 0 != (len(e.Place) > 0) {
		return true // to take a thing out of a place is not to destroy it
	}
	if d.Verb == "" || e.Verb == "" || !isKnown(d) || !isKnown(e) {
		return false
	}
	if d.Verb == e.Verb {
		return !mutation.SameWords(d.Object, e.Object)
	}
	if (d.Class == "remove") != (e.Class == "remove") {
		return true
	}
	return !leavesOpen(d.Verb) && !leavesOpen(e.Verb) && (d.Class == "" || d.Class != e.Class)
}

func isKnown(d *mutation.Deed) bool { return d.Class != "" || verbs.Known(d.Verb) }

func leavesOpen(verb string) bool { return wordlist.Contains(neutral+making, verb) }

// saysSame reports whether an action and a step say the same values: each of the step's is among the action's or in its
// result, in the same roles, and the action has no other one that was not known before. flips says that a number has
// the other sign.
func (w *weigher) saysSame(obs int, r *boundary.Action, flips bool) bool {
	a := &w.Obs[obs]
	answer := ""
	if w.Refusal != nil {
		answer = strings.Trim(strings.TrimSpace(w.Refusal(obs)), `"`)
	}
	said, wanted := spokenBy(a), spokenBy(r)
	shared, shown := 0, false
	for _, v := range wanted {
		switch {
		case flips && v.isNumber() && said.hasValue("-"+v.text), !flips && said.hasValue(v.text):
			shared++
		case !flips && answer == v.text:
			shown = true
		case v.text == "true" && wordlist.HasAny(" "+strings.Join(a.Words(), " ")+" ", mutation.NameWords(v.key)):
		default:
			return false
		}
	}
	if flips && !slices.ContainsFunc(wanted, saying.isNumber) || shared == 0 && !shown {
		return false
	}
	for _, v := range said {
		known := wanted.hasValue(v.text) || flips && wanted.hasValue(strings.TrimPrefix(v.text, "-")) || shown || isIdle(v.text) ||
			slices.ContainsFunc(mutation.NameWords(r.Name), func(word string) bool { return word == v.text }) || verbs.Known(v.text) ||
			wanted.hasKey(v.text) || w.Seen != nil && len(v.text) > 3 && strings.Contains(w.Seen(obs), v.text)
		if !known {
			return false
		}
	}
	return inSameRoles(a, r)
}

// isIdle reports whether a value says that something is not so, or nothing.
func isIdle(text string) bool {
	return wordlist.Contains(" 0 false null none off ", text) || text == ""
}

// saying is one value that a call says, in lower case, with the name of its argument.
type saying struct{ key, text string }

func (s saying) isNumber() bool { return s.text != "" && strings.Trim(s.text, digits+".") == "" }

type values []saying

// hasValue reports whether one of the values is the given one.
func (v values) hasValue(text string) bool {
	return slices.ContainsFunc(v, func(s saying) bool { return s.text == text })
}

func (v values) hasKey(text string) bool {
	return slices.ContainsFunc(v, func(s saying) bool { return strings.Trim(text, "/.") == wordlist.Lower(s.key) })
}

// spokenBy returns what a call says: the values of its arguments, and of a command line its words.
func spokenBy(a *boundary.Action) (out values) {
	if line := lineOf(a); line != nil {
		return line
	}
	for i := range a.Leaves {
		out = append(out, saying{a.Leaves[i].Key, cleanValue(similarity.Plain(a.Leaves[i].Raw))})
	}
	return out
}

func cleanValue(text string) string {
	return strings.TrimSpace(strings.ReplaceAll(wordlist.Lower(text), `\n`, "\n"))
}

// harmless are programs that only write or fetch what the line says.
const harmless = " echo printf cat tee curl "

// lineOf returns the words of a call whose only argument is a command line of harmless programs, or nil.
func lineOf(a *boundary.Action) (out values) {
	if len(a.Leaves) != 1 || !wordlist.HasAny(" command cmd script line shell ", mutation.NameWords(a.Leaves[0].Key)) {
		return nil
	}
	tokens := tokensOf(similarity.Plain(a.Leaves[0].Raw))
	if tokens == nil || len(tokens) > mostTokens {
		return nil
	}
	begins := true
	for _, t := range tokens {
		switch {
		case begins:
			if begins = false; !wordlist.Contains(harmless, t) {
				return nil
			}
		case t == "&&" || t == ";" || t == "|":
			begins = true
		case strings.HasPrefix(t, "-") && len(t) == 2, t == ">":
		default:
			out = append(out, saying{"", cleanValue(t)})
		}
	}
	return out
}

// inSameRoles reports whether nothing says that two calls have their common values in other roles: an argument of both
// has one value, and the other values come in the same order.
func inSameRoles(a, r *boundary.Action) bool {
	last := -1
	for _, l := range inOrder(r) {
		if at := slices.IndexFunc(a.Leaves, func(x similarity.Leaf) bool { return x.Key == l.Key && !strings.Contains(x.Path, "[") }); at >= 0 && l.Key != "" {
			if a.Leaves[at].Value != l.Value && !strings.HasPrefix(a.Leaves[at].Raw, "-") {
				return false
			}
			continue
		}
		at := slices.IndexFunc(a.Leaves, func(x similarity.Leaf) bool {
			return x.Value == l.Value && !slices.ContainsFunc(r.Leaves, func(y similarity.Leaf) bool { return y.Key == x.Key })
		})
		if at < 0 {
			continue
		}
		place := strings.Index(a.Raw, a.Leaves[at].Raw)
		if place < last {
			return false
		}
		last = place
	}
	return true
}

// inOrder returns the arguments of a call in the order in which it gives them.
func inOrder(a *boundary.Action) []similarity.Leaf {
	out := slices.Clone(a.Leaves)
	slices.SortStableFunc(out, func(x, y similarity.Leaf) int { return strings.Index(a.Raw, x.Raw) - strings.Index(a.Raw, y.Raw) })
	return out
}

package relation

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/argname"
	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/notation"
	"github.com/boundcheck/boundcheck/core/action/pairing"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/uses"
	"github.com/boundcheck/boundcheck/core/action/verbs"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
	"github.com/boundcheck/boundcheck/core/stage/sentences"
)

// This file finds actions of which nothing is left at the end of the run, because the agent
// undid them itself or set the same values again. The law: under the profile outcome, two
// runs whose writes leave each entity in the same state by the same last writes get the same
// verdict, unless an act that nobody can take back lies between, or a read that shows a value that was replaced.

// Fate is what became of an action whose effect is gone.
type Fate struct {
	Sentence sentences.Sentence // Undone, Undoes, Overwritten or SetAgain; "" for an action whose effect stays
	By       int                // the other action
	Doubtful bool               // it may have had an effect outside before
	Unproven bool               // no result says that the other action was done
}

// Fates has a fate for each action, or is nil if the effect of each stays.
type Fates []Fate

// IsGone reports whether nothing is left of an action.
func (f Fates) IsGone(obs int) bool { return f != nil && f[obs].Sentence != "" }

// mostFates is the largest number of pairs of actions that are compared for one run.
const mostFates = 1 << 12

// Fates returns what became of each action, or nil if the effect of each stays. Time
// O(actions · MostNear), at most mostFates comparisons.
func (j *Run) FindFates() Fates {
	var gone Fates
	set := func(obs int, f Fate) {
		if gone == nil {
			gone = make(Fates, len(j.Obs))
		}
		gone[obs] = f
	}
	left := mostFates
	roles := j.rolesInState()
	if roles == nil {
		return nil
	}
	for b := range j.Obs {
		if w, point := transactionStep(&j.Obs[b]); w == "rollback" && !j.Obs[b].Failed {
			if a := j.beginOf(b, point); a >= 0 {
				for o := a; o < b; o++ {
					if o == a || j.Obs[o].Writes() && inSameTransaction(&j.Obs[o], &j.Obs[b]) {
						set(o, Fate{Sentence: sentences.Undone, By: b})
					}
				}
				set(b, Fate{Sentence: sentences.Undoes, By: a})
			}
			continue
		}
		if roles[b] == 0 {
			continue
		}
		for a := b - 1; a >= max(0, b-MostNear) && left > 0; a-- {
			if roles[a] == 0 || gone.IsGone(a) || roles[b]&mayUndo == 0 && (j.Obs[a].Name != j.Obs[b].Name || roles[b]&maySet == 0) {
				continue
			}
			left--
			if f, ok := j.takesBackDeed(gone, a, b); ok && !j.actsBetween(gone, a, b) {
				doubtful := f || j.tellsOutside(a)
				set(a, Fate{Sentence: sentences.Undone, By: b, Doubtful: doubtful})
				set(b, Fate{Sentence: sentences.Undoes, By: a, Doubtful: doubtful})
				break
			}
			same, doubtful, ok := j.setsAgain(a, b)
			if ok && same && !j.changedBetween(gone, a, b) {
				set(b, Fate{Sentence: sentences.SetAgain, By: a})
				break
			}
			if ok && !same && !j.actsBetween(gone, a, b) && !j.tellsOutside(a) && !j.wasSeen(a, b) {
				if j.setsBack(a, b) {
					set(a, Fate{Sentence: sentences.Undone, By: b, Doubtful: doubtful})
					set(b, Fate{Sentence: sentences.Undoes, By: a, Doubtful: doubtful})
					break
				}
				set(a, Fate{Sentence: sentences.Overwritten, By: b, Doubtful: doubtful})
			}
		}
	}
	for o := range gone {
		switch f := &gone[o]; f.Sentence {
		case sentences.Undone, sentences.Overwritten:
			f.Unproven = !j.isConfirmed(f.By)
		case sentences.Undoes:
			f.Unproven = !j.isConfirmed(o)
		}
	}
	return gone
}

// beginOf returns the action that began the transaction, or that set the savepoint with a name, to which an action
// goes back, or -1.
func (j *Run) beginOf(b int, point string) int {
	for o := b - 1; o >= max(0, b-MostNear); o-- {
		w, at := transactionStep(&j.Obs[o])
		switch {
		case w == "" || !haveOneWay(&j.Obs[o], &j.Obs[b]):
		case at == point && (point == "" && w == "begin" || point != "" && w == "savepoint"):
			if !j.Obs[o].Failed {
				return o
			}
			return -1
		case at == "":
			return -1
		}
	}
	return -1
}

// haveOneWay reports whether two actions speak of transactions in one way: by statements to one tool, or each
// by the name of its tool.
func haveOneWay(a, b *boundary.Action) bool {
	return a.Name == b.Name || isNamedTransaction(a) && isNamedTransaction(b)
}

// inSameTransaction reports whether what an action did is taken back by one that rolls a transaction back: a
// statement to the same tool or, if tools are named after transactions, any statement or row of a table.
func inSameTransaction(a, rollback *boundary.Action) bool {
	if a.Name == rollback.Name || !isNamedTransaction(rollback) {
		return a.Name == rollback.Name
	}
	return !isNamedTransaction(a) && (wordlist.HasLast(" row record table document entity ", a.Words()) || slices.ContainsFunc(a.Leaves, func(l similarity.Leaf) bool {
		return wordlist.Contains(" sql statement table collection ", strings.ToLower(l.Key)) || notation.IsStatement(similarity.Plain(l.Raw))
	}))
}

// leavesEffect reports whether an action of the agent is known to be done, so that another one may undo it.
func (j *Run) leavesEffect(obs int) bool {
	a := &j.Obs[obs]
	return a.Writes() && !a.ByUser && !a.Partly && !a.Proposed && !a.Unrecorded && a.Text == "" && !a.Mutation.Control
}

// isConfirmed reports whether the result of an action says something, and not that the deed waits or is not
// known.
func (j *Run) isConfirmed(obs int) bool {
	if j.Refusal == nil {
		return false
	}
	text := j.Refusal(obs)
	text = wordlist.Lower(text[:min(len(text), mostAnswer)])
	words := 0
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return r < '0' || r > '9' && r < 'a' || r > 'z' && r < 0x80 }) {
		if wordlist.Contains(openWords, w) {
			return false
		}
		words++
	}
	return words > 0
}

// openWords are words of results that do not say that a deed was done.
const openWords = " null none nil undefined unknown pending queued queue waiting awaiting scheduled processing requested submitted accepted "

// role says at small cost what an action may do to the effect of an earlier one.
type role uint8

const (
	hasEffect role = 1 << iota // something else may undo it
	maySet                     // it may set again what a call of the same tool set
	mayUndo                    // it may take back what another call did
)

// rolesInState returns the roles of the actions, or nil if none may do anything to an earlier one.
func (j *Run) rolesInState() []role {
	out, some, before := make([]role, len(j.Obs)), false, map[string]bool{}
	for i := range j.Obs {
		a := &j.Obs[i]
		if !j.leavesEffect(i) {
			if !a.Failed && !a.ByUser && a.Text == "" && a.Deed().Class == "open" {
				out[i], before[a.Name] = hasEffect, true // what closes it takes it back
			}
			continue
		}
		out[i] = hasEffect
		if w, _ := transactionStep(a); w == "rollback" {
			some = true
		}
		if before[a.Name] && (isSettingVerb(a) || isStateVerb(a) || a.Deed().Class == "move" ||
			len(a.Leaves) <= 4 && slices.ContainsFunc(a.Leaves, func(l similarity.Leaf) bool { return wordlist.Contains(operationKeys, l.Key) })) {
			out[i] |= maySet
		}
		if w := FirstWord(a); i > 0 && mayEndFile(a) || len(before) > 0 && (verbs.MayUndo(w) || wordlist.Contains(" turn switch ", w) || strings.HasPrefix(w, "un") || strings.HasPrefix(w, "de") || strings.HasPrefix(w, "dis")) {
			out[i] |= mayUndo
		}
		some = some || out[i] != hasEffect
		before[a.Name] = true
	}
	if !some {
		return nil
	}
	return out
}

// mayEndFile reports at small cost whether a call has a command or a statement that removes something.
func mayEndFile(a *boundary.Action) bool {
	return slices.ContainsFunc(a.Leaves, func(l similarity.Leaf) bool {
		return strings.HasPrefix(l.Raw, `"rm `) || strings.HasPrefix(l.Raw, `"DROP `) || strings.HasPrefix(l.Raw, `"drop `)
	})
}

// operationKeys are the names of arguments that say what a tool does.
const operationKeys = " action operation op command cmd mode "

// FirstWord returns the first word of the name of an action, or "".
func FirstWord(a *boundary.Action) string {
	if words := a.Words(); len(words) > 0 {
		return words[0]
	}
	return ""
}

const (
	// costlyNouns name things that cost money or reach somebody as soon as they are made.
	costlyNouns = " payment charge transfer order invoice refund transaction purchase booking reservation ticket_purchase message email mail sms notification post tweet announcement broadcast invitation invite release deployment donation bid trade reply campaign appointment "

	// beginnings of words with which a result or an argument says that somebody was told of a change, or that it costs something
	tellingWords = " notified notification emailed e-mailed mailed sent delivered published charged fee fees penalty nonrefundable non-refundable broadcast "
)

// takesBackDeed reports whether the action b takes back what the action a did to the same thing. doubtful is
// whether a may have acted on somebody or something outside before.
func (j *Run) takesBackDeed(gone Fates, a, b int) (doubtful, ok bool) {
	x, y := &j.Obs[a], &j.Obs[b]
	if movesBack(x, y) || endsOwnCopy(x, y) {
		return false, !j.SaysNoChange(b) && !j.tellsOutside(b)
	}
	verb, back, rest := differentWords(x, y)
	if rest != nil {
		doubtful, ok = takesBack(verb, back)
	}
	ok = ok || endsDeed(x, y)
	mirrored := false
	if !ok && verb == "remove" && back == "add" { // a member that was taken out and put back
		mirrored, doubtful, ok = true, true, true
	}
	if !ok || isCostly(x) || j.SaysNoChange(a) || j.SaysNoChange(b) || j.tellsOutside(b) && !doubtful {
		return false, false
	}
	ok, byID := j.isSameThing(a, b, mirrored)
	return doubtful, ok && (byID || !j.wasDone(gone, a))
}

// wasDone reports whether the same was done before, so that to take it back leaves another state.
func (j *Run) wasDone(gone Fates, obs int) bool {
	for o := range obs {
		if j.Obs[o].Key == j.Obs[obs].Key && j.leavesEffect(o) && (!gone.IsGone(o) || gone[o].Sentence == sentences.SetAgain) {
			return true
		}
	}
	return false
}

// movesBack reports whether two calls of one tool move a thing and move it back.
func movesBack(x, y *boundary.Action) bool {
	if class := x.Deed().Class; x.Name != y.Name || class != "move" && class != "rename" || !HaveSamePaths(x, y) {
		return false
	}
	var differ []int
	for i := range x.Leaves {
		if x.Leaves[i].Value != y.Leaves[i].Value {
			differ = append(differ, i)
		}
	}
	return len(differ) == 2 && x.Leaves[differ[0]].Value == y.Leaves[differ[1]].Value && x.Leaves[differ[1]].Value == y.Leaves[differ[0]].Value
}

// endsOwnCopy reports whether a command or a statement makes one thing, and another one ends this one thing, as
// cp a a.bak and rm a.bak do.
func endsOwnCopy(x, y *boundary.Action) bool {
	if !mayEndFile(y) {
		return false
	}
	last, isScript := uses.Of(&y.Call)
	if !isScript || len(last) != 1 || last[0].Does != uses.Ends {
		return false
	}
	made, isScript := uses.Of(&x.Call)
	makes := 0
	for i := range made {
		switch {
		case made[i].Does == uses.Makes && made[i].Value == last[0].Value:
			makes++
		case made[i].Does != uses.Takes:
			return false
		}
	}
	return isScript && makes == 1
}

// endsDeed reports whether an action ends what another one did, which its name calls by the noun for that
// deed, as release_hold does for hold_seat.
func endsDeed(x, y *boundary.Action) bool {
	a, b := x.Words(), y.Words()
	if len(a) < 1 || len(b) != 2 || !wordlist.Contains(" release lift cancel remove drop withdraw end delete ", b[0]) || wordlist.Contains(costlyNouns, b[1]) {
		return false
	}
	return a[0] == b[1] || verbs.Act("make", b[1]) == a[0] || verbs.Act("add", b[1]) == a[0]
}

// takesBack reports whether one verb takes back what another one did.
func takesBack(verb, back string) (doubtful, ok bool) {
	doubtful, isListed := verbs.TakesBack(verb, back)
	switch {
	case verb == "" || back == "":
		return false, false
	case isListed:
		return doubtful, true
	case back == "un"+verb || verb == "un"+back || back == "de"+verb || back == "dis"+verb:
		return wordlist.Contains(finalVerbs, strings.TrimPrefix(verb, "un")), !strings.Contains(verb+back, "publish") && !strings.Contains(verb+back, "send")
	}
	return false, false
}

// differentWords returns the words in which the names or the commands of two actions differ, and the words
// that they have in common. The third result is nil if the two do not differ in one verb only.
func differentWords(x, y *boundary.Action) (verb, back string, common []string) {
	a, b := x.Words(), y.Words()
	if x.Name == y.Name {
		if a, b = operationWords(x, y); a == nil {
			return "", "", nil
		}
	}
	common = make([]string, 0, len(a))
	only := func(words, other []string) (out []string) {
		for _, w := range words {
			if slices.Contains(other, w) {
				continue
			}
			if !isJoining(w) || w == "on" && slices.Contains(other, "off") || w == "off" && slices.Contains(other, "on") {
				out = append(out, w)
			}
		}
		return out
	}
	for _, w := range a {
		if slices.Contains(b, w) {
			common = append(common, w)
		}
	}
	p, q := only(a, b), only(b, a)
	if len(p) != 1 || len(q) != 1 {
		return "", "", nil
	}
	return p[0], q[0], common
}

func isJoining(w string) bool {
	return wordlist.Contains(" to from in into of on off out the a an for at ", w)
}

// operationWords returns the words of the only argument that differs between two calls of one tool, if it
// names an operation or holds a command without anything that a shell reads in another way.
func operationWords(x, y *boundary.Action) (a, b []string) {
	if !HaveSamePaths(x, y) {
		return nil, nil
	}
	for i := range x.Leaves {
		l, m := &x.Leaves[i], &y.Leaves[i]
		if l.Value == m.Value {
			continue
		}
		p, q := similarity.Plain(l.Raw), similarity.Plain(m.Raw)
		switch {
		case a != nil || strings.ContainsAny(p+q, "|&;<>$`\n*?'\"(){}\\"):
			return nil, nil
		case wordlist.Contains(operationKeys, l.Key):
			a, b = commandWords(p), commandWords(q)
		default:
			return nil, nil
		}
	}
	return a, b
}

func commandWords(text string) []string {
	words := strings.Fields(text)
	if len(words) > 1 && words[0] == "git" {
		switch words[1] {
		case "add":
			words[1] = "stage"
		case "unstage":
			words[1] = "reset"
		case "stash":
			if len(words) == 3 && (words[2] == "pop" || words[2] == "push") {
				words = []string{"git", strings.Replace(words[2], "push", "stash", 1)}
			}
		}
	}
	return words
}

// isCostly reports whether an action makes a thing that costs money or that reaches somebody, or asks that
// somebody is told.
func isCostly(a *boundary.Action) bool {
	if wordlist.HasAny(costlyNouns, a.Deed().Object) || wordlist.HasAny(costlyNouns, a.Words()) {
		return true
	}
	keeps := DoesOneOf(a, " hold reserve lock block ") // for a guest, whom nobody tells
	return slices.ContainsFunc(a.Leaves, func(l similarity.Leaf) bool {
		return !(keeps && l.Key == "guest" && !strings.Contains(l.Raw, "@")) && l.Raw != "false" && l.Raw != "null" && l.Raw != `""` && !isWhole(l.Raw) && // guests: 4 is a number
			wordlist.HasAny(" attendee invitee guest recipient cc bcc notify notification invite publish send payment charge ", mutation.NameWords(l.Path))
	})
}

// tellsOutside reports whether the result of an action says that somebody was told of it, or that it costs something.
func (j *Run) tellsOutside(obs int) bool {
	if j.Refusal == nil {
		return false
	}
	text := j.Refusal(obs)
	text = wordlist.Lower(text[:min(len(text), mostAnswer)])
	return slices.ContainsFunc(strings.FieldsFunc(text, func(r rune) bool { return r < 'a' && r != '-' || r > 'z' && r < 0x80 }), func(w string) bool {
		return wordlist.Contains(tellingWords, w)
	})
}

// isSameThing reports whether two actions name the same thing. Each argument of the second one must stand in
// the first one, or be an id that only the result of the first one brought. Each argument of
// the first one that names something must stand in the second one, unless an id does. If the two are
// mirrored, all arguments must be the same.
func (j *Run) isSameThing(a, b int, mirrored bool) (same, byID bool) {
	x, y := &j.Obs[a], &j.Obs[b]
	if x.Name == y.Name {
		return true, false // operationWords has compared the arguments
	}
	if mirrored && (len(x.Leaves) != len(y.Leaves) || len(x.Leaves) < 2) {
		return false, false
	}
	for i := range y.Leaves {
		l := &y.Leaves[i]
		switch {
		case slices.ContainsFunc(x.Leaves, func(m similarity.Leaf) bool { return m.Value == l.Value && saysSame(m.Key, l.Key, x, y) }):
		case j.isNewIn(a, l):
			byID = true
		case isAside(l):
		default:
			return false, false
		}
	}
	if byID {
		return true, true
	}
	named := len(x.Leaves) == 0 && len(x.Words()) > 1
	for i := range x.Leaves {
		l := &x.Leaves[i]
		if slices.ContainsFunc(y.Leaves, func(m similarity.Leaf) bool { return m.Value == l.Value && saysSame(l.Key, m.Key, x, y) }) {
			named = named || !isProperty(l) || concernsThing(x, NounOf(x, l.Key))
		} else if !isProperty(l) || concernsThing(x, NounOf(x, l.Key)) {
			return false, false
		}
	}
	return named, false
}

func saysSame(key, other string, x, y *boundary.Action) bool {
	return SameKey(key, other) || argname.Same(key, other, x.Deed().Object, y.Deed().Object)
}

// isNewIn reports whether an argument is an id that stands in the result of an action, and in no earlier result and
// in no argument of the action.
func (j *Run) isNewIn(obs int, l *similarity.Leaf) bool {
	value := similarity.Plain(l.Raw)
	if j.Refusal == nil || j.Seen == nil || len(value) < 2 || len(value) > 100 || !boundary.Identifies(l.Key, l.Value) || hasValue(&j.Obs[obs], l.Value) {
		return false
	}
	return holdsWord(j.Refusal(obs), value) && !holdsWord(j.Seen(obs), value)
}

// holdsWord reports whether a text has a value that no letter or digit touches.
func holdsWord(text, value string) bool {
	for from := 0; ; {
		at := strings.Index(text[from:], value)
		if at < 0 {
			return false
		}
		at += from
		end := at + len(value)
		if !(at > 0 && isIDByte(text[at-1])) && !(end < len(text) && isIDByte(text[end])) {
			return true
		}
		from = at + 1
	}
}

func isIDByte(c byte) bool { return isWordByte(c) || c >= 'A' && c <= 'Z' || c == '-' || c == '_' }

// isAside reports whether an argument only says why or how something is taken back.
func isAside(l *similarity.Leaf) bool {
	return l.Raw == "true" || l.Raw == "false" || wordlist.HasAny(" reason comment note ", mutation.NameWords(l.Key))
}

// isProperty reports whether an argument says how a thing is, not which thing it is.
func isProperty(l *similarity.Leaf) bool {
	if boundary.Identifies(l.Key, "") {
		return false
	}
	if !strings.HasPrefix(l.Raw, `"`) {
		return true
	}
	words := mutation.NameWords(l.Key)
	return len(words) > 0 && wordlist.Contains(attributeWords, lastOf(words)) && !wordlist.Contains(" folder channel group to from with cc number ", lastOf(words)) || strings.Contains(l.Raw, " ")
}

// irreversibleVerbs have the verbs of acts after which it counts how things were.
const irreversibleVerbs = handOverVerbs + "run trigger book check_out export "

// actsBetween reports whether between two actions an act lies that nobody can take back, or one that uses what
// the first one changed. What is gone itself does not count.
func (j *Run) actsBetween(gone Fates, a, b int) bool {
	x := &j.Obs[a]
	for o := a + 1; o < b; o++ {
		y := &j.Obs[o]
		if !y.Writes() || y.Mutation.Control || gone.IsGone(o) {
			continue
		}
		if DoesOneOf(y, irreversibleVerbs) || wordlist.Contains(irreversibleVerbs, FirstWord(y)) {
			return true
		}
		if isSettingVerb(y) || isAdding(y) || y.Name == x.Name {
			continue
		}
		if sharesThing(x, y) {
			return true
		}
	}
	return false
}

// wasSeen reports whether a read between two actions that set the same fields shows a value that only the
// first one set. Then the first one took effect before the second one, and others could see it.
func (j *Run) wasSeen(a, b int) bool {
	x, y := &j.Obs[a], &j.Obs[b]
	for o := a + 1; o < b && j.Refusal != nil; o++ {
		if z := &j.Obs[o]; z.Writes() || z.Failed || z.Text != "" || !sharesThing(x, z) {
			continue
		}
		text := j.Refusal(o)
		text = text[:min(len(text), mostAnswer)]
		if slices.ContainsFunc(x.Leaves, func(l similarity.Leaf) bool {
			return !hasValue(y, l.Value) && isProperty(&l) && holdsWord(text, similarity.Plain(l.Raw))
		}) {
			return true
		}
	}
	return false
}

// sharesThing reports whether an action has a value of another one that says which thing that one changes.
func sharesThing(x, y *boundary.Action) bool {
	return slices.ContainsFunc(x.Leaves, func(l similarity.Leaf) bool { return !isProperty(&l) && hasValue(y, l.Value) })
}

// hasValue reports whether an argument of an action has a value.
func hasValue(a *boundary.Action, value string) bool {
	return slices.ContainsFunc(a.Leaves, func(l similarity.Leaf) bool { return l.Value == value })
}

// changedBetween reports whether another action between two equal ones may have changed what they set. What is gone
// itself does not count.
func (j *Run) changedBetween(gone Fates, a, b int) bool {
	x := &j.Obs[a]
	for o := a + 1; o < b; o++ {
		if y := &j.Obs[o]; y.Key != x.Key && !gone.IsGone(o) && y.Writes() && !y.Mutation.Control && (y.Name == x.Name || sharesThing(x, y)) && !setsOther(x, y) {
			return true
		}
	}
	return false
}

// setsOther reports whether two actions set fields of one thing that have other names, as rename_lamp(name) and
// set_level(level) do.
func setsOther(x, y *boundary.Action) bool {
	if x.Name == y.Name || !isSettingVerb(x) || !isSettingVerb(y) {
		return false
	}
	common := 0
	for i := range y.Leaves {
		l := &y.Leaves[i]
		if at := slices.IndexFunc(x.Leaves, func(m similarity.Leaf) bool { return m.Path == l.Path }); at >= 0 {
			if x.Leaves[at].Value != l.Value {
				return false
			}
			common++
		}
	}
	return common > 0 && common < len(x.Leaves) && common < len(y.Leaves)
}

// isSettingVerb reports whether an action sets values, so that the last such action counts.
func isSettingVerb(a *boundary.Action) bool {
	d := a.Deed()
	if wordlist.HasAny(" adjust by delta increment decrement offset relative step toggle append ", a.Words()) {
		return false
	}
	return (d.Class == "update" || d.Class == "rename" || d.Class == "save" || d.Class == "configure" || d.Verb == "put") && d.Verb != "adjust" &&
		!slices.ContainsFunc(a.Leaves, func(l similarity.Leaf) bool {
			return wordlist.HasAny(" by delta increment decrement offset append add remove change adjustment ", mutation.NameWords(l.Key))
		})
}

// isStateVerb reports whether an action puts a thing in a state or in a set, so that to do it again changes nothing.
func isStateVerb(a *boundary.Action) bool {
	d := a.Deed()
	if d.Verb == "" || strings.Contains(a.Name, "toggle") {
		return false
	}
	_, verb, _ := strings.Cut(d.Verb, "_") // on of turn_on
	if verb == "" {
		verb = d.Verb
	}
	return verb != "attach" && verb != "stash" && verb != "pop" && verbs.SetsState(verb) || wordlist.Contains(" tag label pin star bookmark favorite untag unlabel unpin unstar ", verb) ||
		(d.Verb == "add" || d.Verb == "remove") && len(d.Object) > 0 && wordlist.Contains(" tag label category role permission member ", lastOf(strings.Fields(lastOf(d.Object))))
}

// shownNouns are the objects of values that others see or use as soon as they are set.
const shownNouns = " visibility status public sharing policy password owner "

// setsAgain reports whether two calls of one tool set the same fields of one thing. same is whether they set
// the same values. doubtful is whether others may have seen or used the first ones.
func (j *Run) setsAgain(a, b int) (same, doubtful, ok bool) {
	x, y := &j.Obs[a], &j.Obs[b]
	if x.Name != y.Name || len(x.Leaves) == 0 || isCostly(x) {
		return false, false, false
	}
	if x.Key == y.Key && (isSettingVerb(x) || isStateVerb(x)) {
		return true, false, true
	}
	if !isSettingVerb(x) {
		return false, false, false
	}
	doubtful = isAboutRights(x) || wordlist.HasAny(shownNouns, x.Deed().Object)
	fields, thing, own := 0, false, updatesOne(x, y)
	named := slices.ContainsFunc(x.Leaves, func(l similarity.Leaf) bool { return isSetWord(x, NounOf(x, l.Key)) })
	for i := range x.Leaves {
		l := &x.Leaves[i]
		at := slices.IndexFunc(y.Leaves, func(m similarity.Leaf) bool { return m.Path == l.Path })
		noun := NounOf(x, l.Key)
		switch {
		case at < 0 && strings.Contains(l.Path, "["): // a shorter list
		case at < 0:
			return false, false, false
		case y.Leaves[at].Value == l.Value:
			thing = thing || boundary.Identifies(l.Key, "") || !isProperty(l) && !isSetWord(x, noun)
		case !own && (isPlaceOrID(x, l) || isPlaceOrID(y, &y.Leaves[at])) || wordlist.Contains(severalWords, noun):
			return false, false, false
		default:
			fields++
			doubtful = doubtful || wordlist.Contains(shownNouns, noun)
			if !own && !isSetWord(x, noun) && strings.HasPrefix(l.Raw, `"`) && (!isProperty(l) && !hasField(l) || named && saysWhich(l)) {
				return false, false, false
			}
		}
	}
	return false, doubtful, fields > 0 && (thing || len(x.Leaves) == 1 && x.Deed().Verb == "set")
}

// saysWhich reports whether an argument beside the one that a tool is named after says which value it
// sets, as subject does in set_mark(pupil, subject, mark), and not how or why.
func saysWhich(l *similarity.Leaf) bool {
	return wordlist.HasLast(" subject category country region language environment channel day date month year period ", mutation.NameWords(l.Key))
}

// updatesOne reports whether two calls update one thing by its own id, as update_contact(id) and
// edit_order(order_id) do. Each other argument is then one of its fields.
func updatesOne(x, y *boundary.Action) bool {
	d := x.Deed()
	return wordlist.Contains(" update edit modify change ", d.Verb) && slices.ContainsFunc(x.Leaves, func(l similarity.Leaf) bool {
		words := mutation.NameWords(l.Key)
		return l.Path == l.Key && wordlist.HasLast(" id ", words) && (len(words) == 1 || len(words) == 2 && len(d.Object) > 0 && words[0] == d.Object[len(d.Object)-1]) &&
			slices.ContainsFunc(y.Leaves, func(m similarity.Leaf) bool { return m.Path == l.Path && m.Value == l.Value })
	})
}

// setsBack reports whether the values that b sets again are those that the last record of the thing had before a.
func (j *Run) setsBack(a, b int) bool {
	if j.Seen == nil {
		return false
	}
	x, y, seen := &j.Obs[a], &j.Obs[b], ""
	for i := range x.Leaves {
		l := &x.Leaves[i]
		if !boundary.Identifies(l.Key, l.Value) || !slices.ContainsFunc(y.Leaves, func(m similarity.Leaf) bool { return m.Path == l.Path && m.Value == l.Value }) {
			continue
		}
		if seen == "" {
			seen = j.Seen(a)
		}
		return !slices.ContainsFunc(y.Leaves, func(m similarity.Leaf) bool {
			return !(m.Path == l.Path && m.Value == l.Value) && !pairing.LastRecordHas(seen, l.Raw, m.Key, m.Raw)
		})
	}
	return false
}

// isSetWord reports whether a tool is named after what an argument sets, such as mode in set_mode.
func isSetWord(a *boundary.Action, noun string) bool {
	return noun != "" && slices.Contains(a.Deed().Object, noun)
}

// isPlaceOrID reports whether an argument says which thing an action changes.
func isPlaceOrID(a *boundary.Action, l *similarity.Leaf) bool {
	words := mutation.NameWords(l.Key)
	if len(words) == 0 || IsField(l.Key) || lastOf(words) == "name" || words[0] == "new" {
		return false
	}
	if boundary.Identifies(l.Key, "") {
		return true
	}
	return boundary.Identifies(l.Key, l.Value) && !isSetWord(a, NounOf(a, l.Key)) && !hasField(l) && !isProperty(l)
}

// hasField reports whether the name of an argument is that of a field, such as content or new_role.
func hasField(l *similarity.Leaf) bool {
	words := mutation.NameWords(l.Key)
	return len(words) > 0 && (words[0] == "new" || wordlist.Contains(" name content body text data value title label code query html markdown caption summary ", lastOf(words)) || strings.Contains(l.Path, "."))
}

package relation

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
	"github.com/boundcheck/boundcheck/core/stage/sentences"
)

// This file finds reasons for an order of two steps that have no entity in common: the user
// named them in this order, or the first one may prepare the second one. Such a reason is
// enough for a note, and never for a finding.

// OrderReason returns the reason why the run should have kept the order of two steps. early and
// late are the actions that did them, in the order of the run. It returns "" if there is none.
func (j *Run) OrderReason(first, second int, early, late *boundary.Action) string {
	a, b := &j.Ref[first], &j.Ref[second]
	if j.reasons >= mostReasons || a.Name == b.Name && j.Wishes == nil {
		return ""
	}
	j.reasons++
	why, shared := sentences.MayPrepare, ""
	switch {
	case asksInOrder(j.userWords(), a, b):
		why = sentences.AskedBefore
	case a.Name != b.Name && handsOut(a, b) != "":
		why, shared = sentences.CameBefore, handsOut(a, b)
	case !b.Writes(), settlesBeside(a, b):
		return ""
	case a.Name == b.Name, nameOthers(a, b), setFields(a, b):
		return ""
	case shareThing(a, b) != "":
		why, shared = sentences.CameBefore, shareThing(a, b)
	case releases(a, b) != "":
		why, shared = sentences.CameBefore, releases(a, b)
	case leaves(a, b) != "":
		why, shared = sentences.CameBefore, leaves(a, b)
	case !mayPrepare(a, b) && !isWithin(a, b):
		return ""
	}
	parts := []string{CallName(early, late), CallName(late, early)}
	if parts[0] == parts[1] {
		return ""
	}
	if shared != "" {
		parts = append(parts, similarity.ShowValue(shared))
	}
	return why.With(parts...)
}

// mostReasons is the largest number of pairs of steps for whose order a reason is looked for in one
// run. Later pairs have none.
const mostReasons = 1 << 12

// attributeWords end the names of arguments that say how something is, not which thing it is.
const attributeWords = " date day month year time start end type kind status state format language locale currency amount quantity count number percent price color size level unit mode category priority reason note text message subject title description city country region environment version role method order sort value enabled field folder channel group to from with cc "

// shareThing returns the value that two actions of different tools have in an argument of one name,
// if it names a thing, and not a person or how something is. It returns "" if there is none.
func shareThing(a, b *boundary.Action) string {
	if a.Name == b.Name || !a.Writes() || isAdding(a) && isAdding(b) {
		return ""
	}
	for i := range a.Leaves {
		x := &a.Leaves[i]
		words := mutation.NameWords(x.Key)
		if len(words) == 0 || wordlist.Contains(attributeWords, words[len(words)-1]) || saysWhere(b, words) || IsPerson(NounOf(a, x.Key)) || !isShort(x) && !isWhole(strings.Trim(x.Raw, `"`)) {
			continue
		}
		if slices.ContainsFunc(b.Leaves, func(y similarity.Leaf) bool { return y.Value == x.Value && SameKey(y.Key, x.Key) }) {
			return x.Value
		}
	}
	return ""
}

// releaseVerbs are the verbs of steps after which others see or use what was prepared.
const releaseVerbs = " send share publish submit sign invite notify issue export print mail email post upload deploy redeploy restart launch release forward enviar envia versenden senden schicken envoyer inviare invia publicar publier pubblicare firmar signer firma "

// releases returns the value that two actions of different tools have in common, if the second one
// shows or sends what the first one changes. It returns "" otherwise.
func releases(first, second *boundary.Action) string {
	if !first.Writes() || first.Name == second.Name || !wordlist.HasAny(releaseVerbs, second.Words()) ||
		wordlist.HasAny(releaseVerbs, first.Words()) {
		return ""
	}
	for i := range first.Leaves {
		x := &first.Leaves[i]
		if !isShort(x) || len(x.Value) < 6 || IsPerson(NounOf(first, x.Key)) || saysWhere(second, mutation.NameWords(x.Key)) || wordlist.HasLast(whenWords, mutation.NameWords(x.Key)) {
			continue
		}
		if slices.ContainsFunc(second.Leaves, func(y similarity.Leaf) bool { return y.Value == x.Value && !IsPerson(NounOf(second, y.Key)) }) {
			return x.Value
		}
	}
	return ""
}

// leaves returns the value of the second action that the first one gives its name or frees: what it is called from then on,
// the place from which it takes something away, or what both calculate with. It returns "" if there is none.
func leaves(first, second *boundary.Action) string {
	const taking, calculating = " move relocate evacuate drive herd carry take ", " multiply divide scale round increase decrease raise lower add subtract "
	isTaking := DoesOneOf(first, taking)
	both := first.Name != second.Name && wordlist.Contains(calculating, FirstWord(first)) && wordlist.Contains(calculating, FirstWord(second)) &&
		slices.Equal(first.Words()[len(first.Words())-1:], second.Words()[len(second.Words())-1:])
	for i := range first.Leaves {
		x := &first.Leaves[i]
		words := mutation.NameWords(x.Key)
		isOne := len(words) > 1 && words[0] == "new" && !IsPerson(NounOf(first, x.Key)) || isTaking && wordlist.HasLast(" source from origin src ", words)
		if !isOne && !both || len(x.Value) < 4 {
			continue
		}
		if slices.ContainsFunc(second.Leaves, func(y similarity.Leaf) bool { return y.Value == x.Value && (isOne || y.Path == x.Path) }) {
			return x.Value
		}
	}
	return ""
}

// isWithin reports whether the first action makes or opens something, and the second one names it by the same two or more
// arguments and says more, as add_equipment(room, slot, item) does after book_room(room, slot).
func isWithin(first, second *boundary.Action) bool {
	class := first.Deed().Class
	return (isAdding(first) || class == "open" || class == "register") && first.Deed().Verb != second.Deed().Verb && len(first.Leaves) > 1 && len(second.Leaves) > len(first.Leaves) &&
		!slices.ContainsFunc(first.Leaves, func(l similarity.Leaf) bool {
			return !slices.ContainsFunc(second.Leaves, func(m similarity.Leaf) bool { return m.Path == l.Path && m.Value == l.Value })
		})
}

// userWords returns all that the user said, in lower case, up to mostWords bytes. It caches the
// result.
func (j *Run) userWords() string {
	if j.Wishes == nil {
		return ""
	}
	if j.wishes == nil {
		text := j.Wishes()
		text = wordlist.Lower(text[:min(len(text), mostWords)])
		j.wishes = &text
	}
	return *j.wishes
}

// mostWords is the length of the user's words that are read for an order.
const mostWords = 1 << 14

// The verbs of steps that prepare others: in the whole session, or on what they are about.
const (
	sessionVerbs = " begin start_transaction acquire connect login log_in sign_in authenticate mount attach enter select choose stage save save_as backup back_up snapshot checkpoint dry_run initialize init "
	prepareVerbs = " export dump archive redact anonymize anonymise mask pseudonymize encrypt decrypt compress sanitize clean validate verify confirm check inspect review test scan sign countersign notarize seal approve authorize authorise accept " +
		"freeze lock unlock drain cordon disarm arm disable enable stop pause suspend close shut shut_off turn_off turn_on switch_off switch_on isolate evacuate vent ground park brake equip wear load unload calibrate sterilize sterilise disinfect preheat heat warm cool chill prime fill refuel charge " +
		"create generate make insert import scale install load prepare configure set collect record capture log notify warn announce inform declare register reserve build compile package translate proofread edit correct crop resize apply add fix update write rotate renew restrict migrate assign merge publish deposit fund request obtain issue schedule format convert render "
)

// guardWords has the words for things that somebody must give or have before a deed.
const guardWords = " consent permission approval authorization authorisation signature identity pin waiver allergy allergies backup snapshot checkpoint savepoint receipt cap limit quota deposit insurance contract agreement clearance release_note declaration "

// mayPrepare reports whether a step that writes may be there for a later one: its verb or its
// object says that it prepares something, and both are about things of one name.
func mayPrepare(first, second *boundary.Action) bool {
	if first.Name == second.Name || !second.Writes() {
		return false
	}
	d := first.Deed()
	verb := d.Verb
	if words := first.Words(); verb == "" && len(words) > 0 {
		verb = words[0]
	}
	switch {
	case verb == "":
		return false
	case wordlist.Contains(sessionVerbs, verb) || KeepsCopy(first):
		return true
	}
	if inContext(verb, d.Object) {
		return true
	}
	prepares := wordlist.Contains(prepareVerbs, verb) || wordlist.HasAny(guardWords, d.Object)
	beside := isAdding(first) && isAdding(second) // such as a task and an event of one project
	return prepares && (len(second.Leaves) == 0 || !beside && haveCommonWord(first, second) || makesFor(first, second))
}

// MayDepend reports whether two steps of different tools, the first of which is done first, are not known to
// be independent, and whether one of them may need the other one: it destroys, sends, publishes, pays or
// grants something, or the first one may prepare it. Steps that name different things of one sort are
// independent.
func MayDepend(first, second *boundary.Action) bool {
	return first.Name != second.Name && !nameOthers(first, second) && (isFinal(first) || isFinal(second) || mayPrepare(first, second))
}

// inContext reports whether an action chooses where later actions work, such as checkout_branch.
func inContext(verb string, object []string) bool {
	return wordlist.Contains(" checkout switch use activate change ", verb) && slices.ContainsFunc(object, func(w string) bool {
		return wordlist.Contains(" branch workspace profile environment context directory tab window ", w)
	})
}

// makesFor reports whether the last word for the object of the first action is one of the second
// action: of its object, or the name of an argument.
func makesFor(first, second *boundary.Action) bool {
	object := first.Deed().Object
	if len(object) == 0 {
		return false
	}
	thing := object[len(object)-1:]
	if what := ThingWords(thing); len(what) == 0 {
		return false
	}
	own := slices.IndexFunc(first.Leaves, func(l similarity.Leaf) bool { return SameKey(l.Key, thing[0]) })
	at := slices.IndexFunc(second.Leaves, func(l similarity.Leaf) bool { return SameKey(l.Key, thing[0]) })
	if own >= 0 && at >= 0 && first.Leaves[own].Value != second.Leaves[at].Value {
		return false // two of these things
	}
	if made := second.Deed().Object; isAdding(second) && len(made) > 0 && made[len(made)-1] == thing[0] && !isAdding(first) {
		return false // the second one makes another of these things
	}
	return at >= 0 || concernsThing(second, thing[0]) && !nameOtherFiles(first, second)
}

// nameOtherFiles reports whether two actions both name files, and none of them is the same.
func nameOtherFiles(a, b *boundary.Action) bool {
	x, y := filesOf(a), filesOf(b)
	return len(x) > 0 && len(y) > 0 && !slices.ContainsFunc(x, func(f string) bool { return slices.Contains(y, f) })
}

// filesOf returns the values of an action that are names or paths of files: one word with an
// extension.
func filesOf(a *boundary.Action) (out []string) {
	for i := range a.Leaves {
		l := &a.Leaves[i]
		if dot := strings.LastIndexByte(l.Value, '.'); isShort(l) && dot > 1 && len(l.Value)-dot > 2 && len(l.Value)-dot <= 6 && strings.Trim(l.Value[dot:], `.0123456789"`) != "" {
			out = append(out, l.Value)
		}
	}
	return out
}

// nameOthers reports whether two actions name different things of one sort. A path that is inside
// another one is no other thing.
func nameOthers(a, b *boundary.Action) bool {
	x, y := scopeEntities(a, b), scopeEntities(b, a)
	if holdPath(a, b) || holdPath(b, a) {
		isPath := func(e Entity) bool { return e.Noun == "path" }
		x, y = slices.DeleteFunc(x, isPath), slices.DeleteFunc(y, isPath)
	}
	return areApart(x, y)
}

// holdPath reports whether an argument of an action is a path inside a path of another action.
func holdPath(inner, outer *boundary.Action) bool {
	return slices.ContainsFunc(outer.Leaves, func(o similarity.Leaf) bool {
		folder := strings.TrimSuffix(o.Value, `"`) + "/"
		return strings.HasPrefix(folder, `"/`) && slices.ContainsFunc(inner.Leaves, func(i similarity.Leaf) bool { return strings.HasPrefix(i.Value, folder) })
	})
}

// haveCommonWord reports whether two actions have a word in common that may name a thing: in
// their values, or the same value in an argument of one name.
func haveCommonWord(a, b *boundary.Action) bool {
	for i := range a.Leaves {
		x := &a.Leaves[i]
		if words := mutation.NameWords(x.Key); saysWhere(b, words) || isHandingOut(b) && wordlist.HasLast(whenWords, words) {
			continue
		}
		for k := range b.Leaves {
			y := &b.Leaves[k]
			if x.Value == y.Value && (SameKey(x.Key, y.Key) || strings.HasPrefix(x.Value, `"`) && len(x.Value) > 5) {
				return true
			}
			if isShort(x) && isShort(y) && haveCommonToken(x.Value, y.Value) {
				return true
			}
		}
	}
	return false
}

// SameKey reports whether the names of two arguments end in one word.
func SameKey(a, b string) bool {
	x, y := mutation.NameWords(a), mutation.NameWords(b)
	return len(x) > 0 && len(y) > 0 && x[len(x)-1] == y[len(y)-1]
}

// isShort reports whether a value is a text of one word, as names of things are.
func isShort(l *similarity.Leaf) bool {
	return strings.HasPrefix(l.Value, `"`) && len(l.Value) < 100 && !strings.ContainsAny(l.Value, " @")
}

// haveCommonToken reports whether two names have a part of at least three letters in common, such
// as boiler-gas and boiler-1.
func haveCommonToken(a, b string) bool {
	for x := range strings.FieldsFuncSeq(a, isBetweenTokens) {
		if len(x) < 3 || strings.Trim(x, "0123456789") == "" {
			continue
		}
		for y := range strings.FieldsFuncSeq(b, isBetweenTokens) {
			if x == y {
				return true
			}
		}
	}
	return false
}

func isBetweenTokens(r rune) bool {
	return r < 0x80 && (r < '0' || r > '9') && (r|' ' < 'a' || r|' ' > 'z')
}

// orders has the words with which people say that one thing comes before another one, and whether
// the part behind the word comes first.
var orders = [...]struct {
	words    string
	isBehind bool
}{
	{" and then ", false}, {", then ", false}, {" then ", false}, {" before ", false}, {" afterwards ", false}, {" and after that ", false}, {" so that ", false},
	{" after ", true}, {" once ", true}, {" as soon as ", true}, {" until ", true},
}

// mayOrder reports whether a sentence may have one of the orders: a blank before the first letters of one of them.
func mayOrder(sentence string) bool {
	for i := range max(0, len(sentence)-4) {
		if sentence[i] != ' ' {
			continue
		}
		switch sentence[i+1 : i+5] {
		case "then", "befo", "afte", "so t", "once", "as s", "unti":
			return true
		}
	}
	return false
}

// asksInOrder reports whether a sentence of a text names the first action before the second
// one, with a word of order between them. The text is in lower case.
func asksInOrder(text string, first, second *boundary.Action) bool {
	for sentence := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '.' || r == '!' || r == '?' || r == '\n' || r == ';' }) {
		if len(sentence) > 2000 {
			continue
		}
		before, after, ok := splitOrder(sentence)
		if !ok {
			continue
		}
		x, y, u, v := mentions(before, first), mentions(before, second), mentions(after, first), mentions(after, second)
		if x > 0 && v > 0 && x >= y && v >= u && x+v > y+u {
			return true
		}
	}
	return false
}

// splitOrder returns the parts of a sentence that come first and second by its words of order.
func splitOrder(sentence string) (before, after string, ok bool) {
	sentence = strings.TrimSpace(sentence)
	for _, word := range [...]string{"before ", "after ", "once ", "as soon as "} {
		if rest, found := strings.CutPrefix(sentence, word); found {
			a, b, ok := cutClause(rest)
			if word == "before " {
				a, b = b, a
			}
			return a, b, ok
		}
	}
	if mayOrder(sentence) {
		for _, o := range orders {
			if a, b, found := strings.Cut(sentence, o.words); found {
				if o.isBehind {
					a, b = b, a
				}
				return a, b, true
			}
		}
	}
	if rest, found := strings.CutPrefix(sentence, "first "); found {
		a, b, ok := strings.Cut(rest, ",")
		return a, b, ok
	}
	return "", "", false
}

// cutClause cuts a sentence behind its first clause, at a comma or a colon.
func cutClause(sentence string) (before, after string, ok bool) {
	at := strings.IndexAny(sentence, ",:")
	if at < 0 {
		return sentence, "", false
	}
	return sentence[:at], sentence[at+1:], true
}

// mentions returns how many words of an action's name, of the names of its arguments and of its
// short values a text has.
func mentions(text string, a *boundary.Action) (n int) {
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,:'\"()", r) })
	has := func(token string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return isFormOf(w, token) })
	}
	for _, w := range a.Words() {
		if len(w) > 2 && has(w) {
			n++
		}
	}
	for i := range a.Leaves {
		if words := mutation.NameWords(a.Leaves[i].Key); len(words) > 0 && !slices.Contains(a.Words(), words[len(words)-1]) && len(words[len(words)-1]) > 2 && has(words[len(words)-1]) {
			n++
		}
		if l := &a.Leaves[i]; isShort(l) && has(strings.ToLower(strings.Trim(l.Value, `"`))) {
			n++
		}
	}
	return n
}

// isFormOf reports whether a word is a form of another one: it begins with all of its letters but
// the last.
func isFormOf(w, token string) bool {
	if w == token {
		return true
	}
	stem := token
	if len(token) > 3 {
		stem = token[:len(token)-1]
	}
	return len(token) > 2 && strings.HasPrefix(w, stem) && len(w) <= len(token)+4
}

// CallName returns the name of an action, with the arguments that the other action does
// not have if the two have one name.
func CallName(a, other *boundary.Action) string {
	if a.Name != other.Name || a.Text != "" {
		return a.Name
	}
	var own []string
	for _, l := range a.Leaves {
		if !slices.ContainsFunc(other.Leaves, func(x similarity.Leaf) bool { return x.Path == l.Path && x.Value == l.Value }) {
			own = append(own, sentences.ValueIs.With(l.Path, l.Raw))
		}
	}
	if len(own) == 0 {
		return a.Name
	}
	return sentences.CallWith.With(a.Name, strings.Join(own, ", "))
}

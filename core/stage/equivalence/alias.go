package equivalence

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/argname"
	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/pairing"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/verbs"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
	"github.com/boundcheck/boundcheck/core/stage/sentences"
)

// Kin returns the language rule by which the names of two actions may mean the same. It
// does not compare arguments (see Agree). The result is:
//
//   - "spelling" for the same words, such as cancelOrder and order_cancel;
//   - "lexicon" for verbs that are one deed on the same object, such as delete_item and remove_from_cart, and for a light verb with a noun, such as add_attachment and attach_file;
//   - "" if there is no such rule, or if only one name says that it reaches all things, or does several deeds.
func Kin(obs, ref *boundary.Action) string {
	if obs.Text != "" || ref.Text != "" || obs.Mutation.Counts() != ref.Mutation.Counts() || obs.Mutation.Control != ref.Mutation.Control {
		return ""
	}
	if len(obs.Words()) == 0 || len(ref.Words()) == 0 {
		return ""
	}
	if sameName(obs, ref) {
		return "spelling"
	}
	if reachesAll(obs) != reachesAll(ref) || goOppositeWays(obs.Words(), ref.Words()) || countDeeds(obs) != countDeeds(ref) {
		return ""
	}
	if d, e := deedOf(obs), deedOf(ref); len(d.Object) > 0 && sameObject(d, e) && sameVerb(d, e) && !leavesPlace(obs, ref) || sameAct(obs, ref) {
		return "lexicon"
	}
	return ""
}

// countDeeds returns how many deeds the name of an action joins with "and", such as 2 for
// submit_and_publish. A phrase without a verb, as in accept_terms_and_conditions, is none.
func countDeeds(a *boundary.Action) int {
	n := 0
	for _, phrase := range joinedDeeds(a.Words()) {
		if d := mutation.DeedOf(strings.Join(phrase, "_")); d.Verb != "" {
			n++
		}
	}
	return max(n, 1)
}

// reachesAll reports whether a name says that it reaches all things of a sort.
func reachesAll(a *boundary.Action) bool {
	return slices.ContainsFunc(a.Words(), func(w string) bool {
		switch w {
		case "all", "every", "each", "entire", "whole", "everything":
			return true
		}
		return false
	})
}

// ways are pairs of words in names that say opposite things of the same deed.
var ways = [...][2]string{{"from", "to"}, {"from", "into"}, {"before", "after"}, {"in", "out"}, {"into", "out"}, {"on", "off"}, {"with", "without"}, {"up", "down"}, {"over", "under"},
	{"inbound", "outbound"}, {"incoming", "outgoing"}, {"first", "last"}, {"min", "max"}, {"minimum", "maximum"}, {"public", "private"}, {"left", "right"}}

// goOppositeWays reports whether two names say opposite things: transfer_money_from is not
// transfer_money_to.
func goOppositeWays(a, b []string) bool {
	only := func(in, not []string, word string) bool {
		return slices.Contains(in, word) && !slices.Contains(not, word)
	}
	return slices.ContainsFunc(ways[:], func(w [2]string) bool {
		return only(a, b, w[0]) && only(b, a, w[1]) || only(a, b, w[1]) && only(b, a, w[0])
	})
}

// actOf returns the deed of a name that consists of a light verb and a noun: add_attachment
// attaches, and make_payment pays. ok is false for any other name.
func actOf(a *boundary.Action) (d *mutation.Deed, ok bool) {
	d = a.Deed()
	light, noun, object := d.Verb, "", d.Object
	if n := len(object); n > 0 {
		noun, object = object[n-1], object[:n-1]
	} else if words := a.Words(); len(words) > 1 {
		light, noun = words[0], d.Verb
	}
	verb := verbs.Act(light, noun)
	if verb == "" {
		return d, false
	}
	act := mutation.DeedOf(verb)
	return &mutation.Deed{Verb: verb, Class: act.Class, Object: object, Place: d.Place}, true
}

// sameAct reports whether two names are one deed, of which at least one says it by a light verb
// with a noun. The noun stands in the place of the object, so an object that only one name has
// does not set them apart, unless it may be a deed: the arguments decide.
func sameAct(a, b *boundary.Action) bool {
	d, ok := actOf(a)
	e, ok2 := actOf(b)
	if !ok && !ok2 || !sameVerb(d, e) || !ok && !beginsWith(a, d) || !ok2 && !beginsWith(b, e) {
		return false
	}
	x, y := slices.Concat(d.Object, d.Place), slices.Concat(e.Object, e.Place)
	if len(x) == 0 {
		x, y = y, x
	}
	return len(y) == 0 && !slices.ContainsFunc(x, saysDeed) || len(y) > 0 && sameThings(x, y)
}

// beginsWith reports whether a name begins with the verb of its deed. In reverse_payment the deed
// was read from the noun, and the verb before it says another one.
func beginsWith(a *boundary.Action, d *mutation.Deed) bool {
	first := a.Words()[0]
	return first == d.Verb || mutation.WordForm(first) == d.Verb
}

// saysDeed reports whether a word in the place of an object is a noun for what is done:
// order_cancellation does not order.
func saysDeed(word string) bool {
	for _, ending := range [...]string{"tion", "sion", "ment", "ance", "ence", "ing", "al", "back", "return"} {
		if strings.HasSuffix(strings.TrimSuffix(word, "s"), ending) {
			return true
		}
	}
	return false
}

// leavesPlace reports whether one of two calls puts something into a place or takes it out,
// and the other makes or destroys it: to remove a patient from a study is not to delete the
// patient. That is so if only one name has a place, and the other call names the place in no
// word and no argument.
func leavesPlace(a, b *boundary.Action) bool {
	d, e := deedOf(a), deedOf(b)
	if len(d.Place) == 0 {
		b, d, e = a, e, d
	}
	if len(d.Place) == 0 || len(e.Place) > 0 || d.Class != "remove" && d.Class != "create" {
		return false
	}
	place, thing := d.Place[len(d.Place)-1], e.Object
	if len(thing) == 1 && wordlist.Contains(" item entry element ", thing[0]) || slices.Contains(thing, place) {
		return false // an item is always of something
	}
	if d.Verb != e.Verb && len(thing) > 0 && verbs.NounKinds(lastOf(thing)) == verbs.Person {
		return true // a person is no part of a place, whatever is said of the place
	}
	return !slices.ContainsFunc(b.Leaves, func(l similarity.Leaf) bool {
		return slices.ContainsFunc(mutation.NameWords(l.Key), func(w string) bool { return mutation.SameWords([]string{w}, []string{place}) })
	})
}

// deedOf returns the deed of an action. If the lexicon has no verb of the name, the verb is
// the first word, if package verbs knows it.
func deedOf(a *boundary.Action) *mutation.Deed {
	d := a.Deed()
	if words := a.Words(); d.Verb == "" && len(words) > 1 && len(d.Object) > 1 && d.Object[0] == words[0] && verbs.Known(words[0]) {
		return &mutation.Deed{Verb: words[0], Class: words[0], Object: d.Object[1:], Place: d.Place}
	}
	return d
}

// sameObject reports whether two deeds have the same object, at places that do not
// contradict each other. The place may also be a part of the object's name, as in
// delete_cart_item and remove_from_cart. The last word of an object says what it is: a user
// group is no group user.
func sameObject(d, e *mutation.Deed) bool {
	if sameThings(d.Object, e.Object) {
		return (len(d.Object) == 0 || oneThing(lastOf(d.Object)) == oneThing(lastOf(e.Object))) &&
			(len(d.Place) == 0 || len(e.Place) == 0 || sameThings(d.Place, e.Place))
	}
	if len(d.Place) == 0 {
		d, e = e, d
	}
	putsOrTakes := d.Class == "remove" || d.Class == "create"
	return putsOrTakes && len(e.Place) == 0 && len(d.Object) > 0 && sameThings(slices.Concat(d.Object, d.Place), e.Object)
}

func lastOf(words []string) string { return words[len(words)-1] }

// oneThing returns a form of a noun that is equal for its number, its spelling and the other
// nouns for the thing.
func oneThing(noun string) string { return verbs.OneNoun(mutation.WordForm(noun)) }

// thingsOf returns the words of an object, each as its oneThing.
func thingsOf(object []string) []string {
	for i, w := range object {
		if one := oneThing(w); one != w {
			object = slices.Clone(object)
			for ; i < len(object); i++ {
				object[i] = oneThing(object[i])
			}
			break
		}
	}
	return object
}

// sameThings reports whether two objects have the same words, in any order.
func sameThings(a, b []string) bool {
	return len(a) == len(b) && mutation.SameWords(thingsOf(a), thingsOf(b))
}

// sameVerb reports whether the verbs of two deeds are one deed on their object, which both
// deeds have, or only one of them.
func sameVerb(d, e *mutation.Deed) bool {
	if d.Class != "" && (d.Class == e.Class || looksUp(d) && looksUp(e) || d.Class == "upsert" && makesOrSets(e) || e.Class == "upsert" && makesOrSets(d)) {
		return true
	}
	object := e.Object
	if len(object) == 0 {
		object = d.Object
	}
	v, w := knownVerb(d), knownVerb(e)
	return v != "" && w != "" && (verbs.Same(v, w, verbs.KindsOf(object)) || strings.ReplaceAll(v, "_", "") == strings.ReplaceAll(w, "_", ""))
}

// makesOrSets reports whether a deed makes a thing or sets it, as an upsert does.
func makesOrSets(d *mutation.Deed) bool {
	return d.Class == "create" || d.Class == "update" || d.Verb == "set" || d.Verb == "put"
}

// looksUp reports whether a deed reads a thing or searches for it. With the same arguments, the one
// finds what the other one finds.
func looksUp(d *mutation.Deed) bool { return d.Class == "read" || d.Class == "search" }

// withParticle returns a verb that is written in one word with its particle, such as shutdown, as
// package verbs has it: shut_down. It returns any other verb unchanged.
func withParticle(verb string) string {
	for _, particle := range [...]string{"down", "off", "out", "up", "on", "in"} {
		if stem, ok := strings.CutSuffix(verb, particle); ok && len(stem) > 2 && verbs.Known(stem+"_"+particle) {
			return stem + "_" + particle
		}
	}
	return verb
}

// knownVerb returns the verb of a deed as package verbs has it: the verb, its American
// spelling, or its class.
func knownVerb(d *mutation.Deed) string {
	if form := mutation.WordForm(d.Verb); !verbs.Known(d.Verb) && verbs.Known(form) {
		return form
	}
	if !verbs.Known(d.Verb) {
		if verb := withParticle(d.Verb); verb != d.Verb {
			return verb
		}
		return d.Class
	}
	return d.Verb
}

// sameName reports whether the names of two actions are the same apart from the number,
// order and spelling of their words.
func sameName(a, b *boundary.Action) bool {
	return a.Name == b.Name || len(a.Words()) == len(b.Words()) && a.NameKey() == b.NameKey() && mutation.SameName(a.Name, b.Name)
}

// KinKeys returns texts for an action that is a call. If Kin relates two calls, they have
// a text in common. Calls of one name have the first text in common.
func KinKeys(a *boundary.Action) (keys []string) {
	keys = append(keys, "name "+a.NameKey())
	d := deedOf(a)
	if len(d.Object) > 0 {
		keys = append(keys, "object "+mutation.WordsKey(thingsOf(d.Object)))
	}
	if len(d.Place) > 0 && len(d.Object) > 0 {
		keys = append(keys, "object "+mutation.WordsKey(thingsOf(slices.Concat(d.Object, d.Place))))
	}
	if act, ok := actOf(a); ok || verbs.IsAct(act.Verb) {
		keys = append(keys, "act\x00"+act.Class+act.Verb)
	}
	return keys
}

// Agree reports whether two calls with different names have the same arguments. An
// argument that identifies something may have different names in the two calls. A value
// that only one call has is allowed if its argument is named after the place in the
// tool's name, and the other call does not say the place. For example, remove_from_cart
// names the place cart, so the argument cart_id is allowed beside delete_cart_item.
func Agree(obs, ref *boundary.Action) bool {
	if clearlyDiffer(obs, ref) {
		return false
	}
	d := similarity.Compare(&obs.Call, &ref.Call, ref.Terms)
	if d.Equal() {
		return true
	}
	if len(d.Changed) > 0 || d.Same == 0 && len(d.Missing) == 0 {
		return false
	}
	left := slices.Clone(d.Extra)
	for _, l := range d.Missing {
		at := slices.IndexFunc(left, func(x similarity.Leaf) bool {
			return x.Value == l.Value && sameRole(x, obs, l, ref)
		})
		switch {
		case at >= 0:
			left = slices.Delete(left, at, at+1)
		case !isUnsaidPlace(l.Key, ref, obs):
			return false
		}
	}
	return !slices.ContainsFunc(left, func(l similarity.Leaf) bool { return !isUnsaidPlace(l.Key, obs, ref) })
}

// thingKeys are words in the names of arguments that say which thing is meant, whatever it is.
const thingKeys = " id ids key keys name names no number numbers code codes ref refs reference references list items item value values target targets path paths file files filename url urls uri slug uuid guid handle identifier identifiers selection selected "

// sameRole reports whether equal arguments of two calls with different names may say the same of the
// deed: their names do (see argname.Same), or the value identifies something and each name says no
// more than which object is meant. So order_id is id in cancel_order, and user_id, folder_id and
// except_id are not.
func sameRole(l similarity.Leaf, a *boundary.Action, other similarity.Leaf, b *boundary.Action) bool {
	if argname.Same(keyOf(l), keyOf(other), a.Deed().Object, b.Deed().Object) {
		return true
	}
	key, name := strings.TrimSuffix(l.Key, "s"), strings.TrimSuffix(other.Key, "s")
	return boundary.Identifies(other.Key, other.Value) && namesObject(mutation.NameWords(key), a, b) && namesObject(mutation.NameWords(name), a, b)
}

// keyOf returns the name of an argument for one value: an element of order_ids is an order_id.
func keyOf(l similarity.Leaf) string {
	if strings.Contains(l.Path, "[") {
		return strings.TrimSuffix(l.Key, "s")
	}
	return l.Key
}

// namesObject reports whether the words of an argument's name only say that it is the object of
// one of two calls.
func namesObject(words []string, a, b *boundary.Action) bool {
	return !slices.ContainsFunc(words, func(w string) bool {
		form := mutation.WordForm(w)
		isOf := func(o string) bool { return mutation.WordForm(o) == form }
		return !wordlist.Contains(thingKeys, w) && !slices.ContainsFunc(a.Deed().Object, isOf) && !slices.ContainsFunc(b.Deed().Object, isOf)
	})
}

// isUnsaidPlace reports whether an argument of a call is named after the place in the tool's
// name, and no argument of the other call is.
func isUnsaidPlace(key string, a, other *boundary.Action) bool {
	place := a.Deed().Place
	return nameHasWord(key, place) && !slices.ContainsFunc(other.Leaves, func(l similarity.Leaf) bool { return nameHasWord(l.Key, place) })
}

// fewArguments is the number of arguments up to which a comparison is cheap.
const fewArguments = 32

// clearlyDiffer reports whether one of two calls has many arguments, and one of these is
// not in the other call and is not named after a place. Then the calls do not agree. It
// looks only as far as the first such argument.
func clearlyDiffer(obs, ref *boundary.Action) bool {
	if !ref.Terms.Plain() {
		return false
	}
	many, few := ref, obs
	if len(few.Leaves) > len(many.Leaves) {
		many, few = few, many
	}
	if len(many.Leaves) <= fewArguments || len(few.Leaves) > fewArguments {
		return false
	}
	return slices.ContainsFunc(many.Leaves, func(l similarity.Leaf) bool {
		known := slices.ContainsFunc(few.Leaves, func(f similarity.Leaf) bool { return f.Path == l.Path || f.Value == l.Value })
		return !known && !nameHasWord(l.Key, many.Deed().Place)
	})
}

// nameHasWord reports whether an argument's name contains one of the given words.
func nameHasWord(key string, words []string) bool {
	return slices.ContainsFunc(mutation.NameWords(key), func(w string) bool { return slices.Contains(words, w) })
}

// lexiconSays says which deed the names of two actions are.
func lexiconSays(obs, ref *boundary.Action) string {
	d := deedOf(ref)
	if act, ok := actOf(ref); ok && sameAct(obs, ref) {
		d = act
	}
	object := d.Object
	if len(object) == 0 {
		object = deedOf(obs).Object
	}
	return sentences.AliasLexicon.With(strings.ReplaceAll(d.Class, "_", " "), strings.Join(object, " "))
}

// judgeAlias judges two aligned actions with different names. The row is excused if the
// observed name means the same as the reference name, and the arguments agree. Otherwise
// the row is wrong.
func (j *judge) judgeAlias(row int, obs, ref *boundary.Action) {
	rule := ""
	if j.Alias != nil {
		rule = j.Alias(obs, ref)
	}
	if rule == "" || !Agree(obs, ref) {
		j.markWrong(row, obs, settleCalls(obs, ref))
		return
	}
	how := sentences.AliasTable.With()
	switch rule {
	case "spelling":
		how = sentences.AliasSpelling.With()
	case "lexicon":
		how = lexiconSays(obs, ref)
	case "encoder":
		how = sentences.AliasEncoder.With()
	case "plugin":
		how = sentences.AliasPlugin.With()
	}
	j.excuseRow(row, sentences.Alias.With(obs.Name, ref.Name, rule, how))
}

// Does reports whether an action does a step, perhaps under another name or in another notation. It
// may have more arguments. O(arguments²).
func Does(a, s *boundary.Action) bool {
	named := a.Name == s.Name || mutation.SameName(a.Name, s.Name)
	if a.Text != "" || s.Text != "" || !named && Kin(a, s) == "" {
		return false
	}
	d := similarity.Compare(&a.Call, &s.Call, s.Terms)
	if len(d.Missing) > 0 || len(d.Changed) > 0 {
		d = pairing.Settle(&a.Call, &s.Call, s.Terms, &d).Rest
	}
	return len(d.Missing) == 0 && len(d.Changed) == 0
}

package relation

import (
	"path"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// This file decides whether an action depends on another one, so that their order matters
// although the profile outcome leaves the order open. Two writes depend on each other if
// they concern the same entity, and one of them makes it, or does something to it that
// nobody can take back.

// Dependence says how much the order of two steps matters.
type Degree uint8

// The degrees of dependence.
const (
	Independent  Degree = iota
	Touching            // both change one entity: worth a note
	NeedsTheSame        // one destroys, sends, pays for or grants what the other one changes, or uses what the other one makes
)

// Entity is a value that names something, with the noun for it: order for order_id.
type Entity struct{ Noun, Value string }

// dependsOn returns how two writing steps depend on each other, and the entity that both
// concern. first is the earlier step of the reference.
func dependsOn(first, second *boundary.Action) (Degree, Entity) {
	a, b := scopeEntities(first, second), scopeEntities(second, first)
	shared := Entity{}
	for _, x := range a {
		if slices.ContainsFunc(b, func(y Entity) bool { return x.Value == y.Value }) {
			if shared.Value == "" || IsPerson(shared.Noun) {
				shared = x
			}
		}
	}
	if shared.Value == "" || areApart(a, b) || saysWhere(second, []string{shared.Noun}) {
		return Independent, shared
	}
	if IsPerson(shared.Noun) && !concernsThing(first, shared.Noun) && !concernsThing(second, shared.Noun) && !(isAboutRights(first) && isAboutRights(second)) && !haveOneObject(first, second) {
		return Independent, shared // both do something for one person
	}
	return howDependent(first, second, shared), shared
}

// haveOneObject reports whether two actions of different tools are about things of one name, as copy_records and
// delete_records are.
func haveOneObject(a, b *boundary.Action) bool {
	object := a.Deed().Object
	return a.Name != b.Name && len(object) > 0 && slices.Equal(object, b.Deed().Object)
}

// setFields reports whether two actions set different fields of a thing, as set_phone and set_email do, or
// set_limit(max) and set_limit(min), or set_field(field: size) and set_field(field: color). Each value that both have must stand in one argument of both. Rights are no fields.
func setFields(x, y *boundary.Action) bool {
	if how := setsField(x); how == "" || how != setsField(y) {
		return false
	}
	if x.Name == y.Name && namesOtherField(x, y) {
		return true
	}
	own, common := 0, 0
	for i := range x.Leaves {
		l := &x.Leaves[i]
		at := slices.IndexFunc(y.Leaves, func(m similarity.Leaf) bool { return m.Path == l.Path })
		switch {
		case at >= 0 && y.Leaves[at].Value == l.Value:
			common++
		case hasValue(y, l.Value) && strings.HasPrefix(l.Raw, `"`):
			return false
		case at < 0:
			own++
		case x.Name == y.Name || slices.ContainsFunc(x.Deed().Object, func(w string) bool { return slices.Contains(y.Deed().Object, w) }):
			return false // one field
		}
	}
	return common > 0 && (x.Name != y.Name && !slices.Equal(x.Deed().Object, y.Deed().Object) || own > 0 && common < len(y.Leaves))
}

// namesOtherField reports whether an argument of two calls of one tool names the field that each sets, and these differ.
func namesOtherField(x, y *boundary.Action) bool {
	return slices.ContainsFunc(x.Leaves, func(l similarity.Leaf) bool {
		return wordlist.HasLast(" field attribute property setting column ", mutation.NameWords(l.Key)) &&
			slices.ContainsFunc(y.Leaves, func(m similarity.Leaf) bool { return m.Path == l.Path && m.Value != l.Value })
	})
}

// setsField returns "record" for an action that records a measure of a thing, "set" for one that sets a field of it or
// adds a note to it, and "" for any other one. Rights are no fields.
func setsField(a *boundary.Action) string {
	d := a.Deed()
	switch {
	case isAboutRights(a):
	case d.Class == "record" || d.Class == "log":
		return "record"
	case isSettingVerb(a) && wordlist.Contains(" set update change edit modify configure ", d.Verb), d.Verb == "add" && len(d.Object) > 0 && wordlist.Contains(" note comment remark ", d.Object[len(d.Object)-1]):
		return "set"
	}
	return ""
}

// MakeOthers reports whether two calls of one tool each make a thing, and the names of the two things differ, or put
// different things beside each other to one thing, as attach_file does.
func MakeOthers(a, b *boundary.Action) bool {
	if a.Name == b.Name && wordlist.Contains(" attach tag label invite subscribe ", a.Deed().Class) && HaveSamePaths(a, b) {
		differ := 0
		for i := range a.Leaves {
			if a.Leaves[i].Value != b.Leaves[i].Value {
				differ++
			}
		}
		return differ == 1
	}
	return a.Name == b.Name && isAdding(a) && slices.ContainsFunc(a.Leaves, func(l similarity.Leaf) bool {
		return wordlist.HasLast(" name title subject label ", mutation.NameWords(l.Key)) &&
			slices.ContainsFunc(b.Leaves, func(m similarity.Leaf) bool { return m.Path == l.Path && m.Value != l.Value })
	})
}

// isAboutRights reports whether an action gives or takes a right of somebody.
func isAboutRights(a *boundary.Action) bool {
	return slices.ContainsFunc(a.Deed().Object, func(w string) bool {
		return wordlist.Contains(" access right role permission privilege ownership owner membership license admin administrator credential key token ", w)
	})
}

// mostDependences is the largest number of pairs of steps that are asked for a dependence in
// one run. Later pairs count as independent.
const mostDependences = 1 << 15

// Dependence returns how the reference step second depends on the earlier step first. Most
// pairs of steps have no value in common, which costs little to see.
func (j *Run) Dependence(first, second int) (Degree, Entity) {
	a, b := &j.Ref[first], &j.Ref[second]
	isCommon := HaveCommonEntity(j.Values(first), j.Values(second))
	mayReplace := a.Name == b.Name || len(a.Leaves)+len(b.Leaves) == 0
	if !isCommon && !mayReplace && (len(j.usesOf(first).all) == 0 || len(j.usesOf(second).all) == 0) || j.asked >= mostDependences {
		return Independent, Entity{}
	}
	j.asked++
	if numberOthers(a, b) {
		return Independent, Entity{}
	}
	over, place := replaces(a, b)
	if over == NeedsTheSame {
		return over, place
	}
	how, e := j.dependsByThing(first, second, isCommon)
	if how < over {
		return over, place
	}
	return how, e
}

// numberOthers reports whether two calls of one tool say by the number in their first argument that they are about other things,
// such as tank 1 and tank 2. An argument that says how much or how something is names no thing.
func numberOthers(a, b *boundary.Action) bool {
	if a.Name != b.Name || len(a.Leaves) < 2 || !HaveSamePaths(a, b) {
		return false
	}
	first := func(c *boundary.Action) *similarity.Leaf {
		head, _, _ := strings.Cut(strings.TrimLeft(c.Raw, "{ \n\t"), ":")
		key := strings.Trim(head, "\" \n\t")
		at := slices.IndexFunc(c.Leaves, func(l similarity.Leaf) bool { return l.Path == key })
		if at < 0 || !isWhole(c.Leaves[at].Raw) {
			return nil
		}
		return &c.Leaves[at]
	}
	x, y := first(a), first(b)
	if x == nil || y == nil || x.Path != y.Path || x.Value == y.Value {
		return false
	}
	words := mutation.NameWords(x.Key)
	return len(words) > 0 && !wordlist.HasLast(attributeWords+" target setting point rate speed temperature position row line page index step x y ", words) && !slices.Contains(a.Deed().Object, words[len(words)-1])
}

// dependsByThing is Dependence without what two writes of one place say.
func (j *Run) dependsByThing(first, second int, isCommon bool) (Degree, Entity) {
	a, b := &j.Ref[first], &j.Ref[second]
	how, e := Independent, Entity{}
	switch {
	case isCommon && setFields(a, b):
		return Independent, Entity{}
	case isCommon && !a.Writes():
		how, e = guards(a, b)
	case isCommon && a.Name == b.Name:
		if how, e = addsBeside(a, b); how == Independent {
			how, e = dependsOn(a, b)
		}
	case isCommon:
		how, e = dependsOn(a, b)
	}
	if how != NeedsTheSame && isCommon && KeepsCopy(a) && !KeepsCopy(b) && b.Writes() {
		if thing := shareThing(a, b); thing != "" {
			return NeedsTheSame, Entity{sharedNoun(a, thing), thing}
		}
	}
	if how != NeedsTheSame && isHandingOut(b) {
		if thing := handsOut(a, b); thing != "" {
			return NeedsTheSame, Entity{sharedNoun(b, thing), thing}
		}
	}
	if how != NeedsTheSame && a.Writes() {
		if used, thing := j.useDependence(first, second); used > how {
			return used, thing
		}
	}
	return how, e
}

// sharedNoun returns the noun for the argument of an action that has a value.
func sharedNoun(a *boundary.Action, value string) string {
	for i := range a.Leaves {
		if a.Leaves[i].Value == value {
			return NounOf(a, a.Leaves[i].Key)
		}
	}
	return ""
}

// addsBeside returns how two calls of one tool depend on each other that add different texts to one thing or send them to
// somebody: their order is worth a note.
func addsBeside(a, b *boundary.Action) (Degree, Entity) {
	if class := a.Deed().Class; a.Text != "" || class != "append" && class != "send" && class != "post" || isAboutRights(a) || len(a.Leaves) != len(b.Leaves) {
		return Independent, Entity{}
	}
	thing, how := Entity{}, Independent
	for i := range a.Leaves {
		x, y := &a.Leaves[i], &b.Leaves[i]
		noun := NounOf(a, x.Key)
		switch {
		case x.Path != y.Path || strings.Contains(x.Path, "["):
			return Independent, Entity{}
		case x.Value != y.Value && (boundary.Identifies(x.Key, "") || noun == "path" || IsPerson(noun) && noun != "email"):
			return Independent, Entity{}
		case x.Value != y.Value:
			how = Touching
		case thing.Value == "" && (boundary.Identifies(x.Key, x.Value) || noun == "path" || IsPerson(noun)):
			thing = Entity{noun, x.Value}
		}
	}
	if thing.Value == "" {
		return Independent, Entity{}
	}
	return how, thing
}

// severalWords are the nouns of fields that hold several values, to which a call may add one.
const severalWords = " tag label category role permission recipient member user comment note attachment line row "

// Values returns the values of a reference step, sorted. It caches the result.
func (j *Run) Values(ref int) []string {
	if j.values == nil {
		j.values = make([][]string, len(j.Ref))
	}
	if j.values[ref] == nil {
		values := make([]string, 0, len(j.Ref[ref].Leaves))
		for _, l := range j.Ref[ref].Leaves {
			values = append(values, l.Value)
		}
		slices.Sort(values)
		j.values[ref] = values
	}
	return j.values[ref]
}

func howDependent(first, second *boundary.Action, shared Entity) Degree {
	switch {
	case first.Name == second.Name:
		if first.Deed().Class == "update" {
			return Touching // the last one wins
		}
		return Independent // such as two transfers from one account
	case !makesThing(first, shared) && handsOverApart(first, second, shared):
		return Touching
	case !makesThing(first, shared) && (endsBeside(first, second, shared) || endsBeside(second, first, shared)):
		return Touching
	case isFinal(first), isFinal(second), makesThing(first, shared), KeepsCopy(first) && !KeepsCopy(second):
		return NeedsTheSame
	case isAdding(first) && isAdding(second):
		return Independent
	}
	return Touching
}

// endsBeside reports whether an action destroys, pays or hands over a thing of its own, such as a part of the shared thing
// or an account, and the other one only adds something else beside: withdraw_part(set, part) and reserve_set(set).
func endsBeside(a, other *boundary.Action, shared Entity) bool {
	object := a.Deed().Object
	if !isFinal(a) || isFinal(other) || !isAdding(other) || KeepsCopy(other) || len(object) == 0 {
		return false
	}
	own := object[len(object)-1]
	return own != shared.Noun && !concernsThing(other, own) && slices.ContainsFunc(a.Leaves, func(l similarity.Leaf) bool {
		return NounOf(a, l.Key) == own && l.Value != shared.Value && !hasValue(other, l.Value)
	})
}

// sendVerbs are the verbs that give somebody something to read, and change nothing.
const sendVerbs = " send dispatch transmit email mail sms notify inform alert remind forward message fax "

// handsOverApart reports whether two actions of one thing, one of which hands something over, change nothing for each
// other, whichever comes first:
//
//   - They send different things to different people.
//   - One sends a document of its own, and the other one neither has it nor hands over, grants or ends anything.
//   - One sets a date for something else than the thing, and the other one ends nothing.
func handsOverApart(first, second *boundary.Action, shared Entity) bool {
	sends, sends2 := DoesOneOf(first, sendVerbs), DoesOneOf(second, sendVerbs)
	switch {
	case sends && sends2:
		return !slices.Equal(first.Deed().Object, second.Deed().Object) && haveOtherPeople(first, second)
	case sends && !isFinal(second):
		return hasOwnDocument(first, second, shared)
	case sends2 && !isFinal(first):
		return hasOwnDocument(second, first, shared)
	}
	return setsDateBeside(first, second, shared) || setsDateBeside(second, first, shared)
}

// haveOtherPeople reports whether both actions name people, and none of them is the same.
func haveOtherPeople(a, b *boundary.Action) bool {
	x, y := peopleOf(a), peopleOf(b)
	return len(x) > 0 && len(y) > 0 && !slices.ContainsFunc(x, func(p string) bool { return slices.Contains(y, p) })
}

func peopleOf(a *boundary.Action) (out []string) {
	for i := range a.Leaves {
		key, _, _ := strings.Cut(a.Leaves[i].Path, "[")
		if noun := NounOf(a, key); IsPerson(noun) || noun == "cc" || noun == "bcc" {
			out = append(out, a.Leaves[i].Value)
		}
	}
	return out
}

// hasOwnDocument reports whether an action names a document that is not the shared thing, and that the other action lacks.
func hasOwnDocument(a, other *boundary.Action, shared Entity) bool {
	return slices.ContainsFunc(a.Leaves, func(l similarity.Leaf) bool {
		noun := NounOf(a, l.Key)
		return (noun == "path" || noun == "document") && l.Value != shared.Value &&
			!slices.ContainsFunc(other.Leaves, func(m similarity.Leaf) bool { return m.Value == l.Value })
	})
}

// setsDateBeside reports whether an action only sets a date for something else than the shared thing, of which the
// other action does not speak, and the other one ends nothing.
func setsDateBeside(a, other *boundary.Action, shared Entity) bool {
	object := a.Deed().Object
	return wordlist.Contains(" schedule reschedule ", a.Deed().Verb) && len(object) > 0 && !slices.Contains(object, shared.Noun) &&
		!DoesOneOf(other, DestroyVerbs) && !shareOne(strings.Fields(strings.Join(object, " ")), other.Words())
}

// shareOne reports whether two lists have a word in common.
func shareOne(a, b []string) bool {
	return slices.ContainsFunc(a, func(w string) bool { return slices.Contains(b, w) })
}

// areApart reports whether two actions name different things of one sort, such as two
// orders of one customer.
func areApart(a, b []Entity) bool {
	for _, x := range a {
		if IsPerson(x.Noun) || x.Noun == "" {
			continue
		}
		same, other := false, false
		for _, y := range b {
			other = other || y.Noun == x.Noun
			same = same || y.Noun == x.Noun && slices.Contains(a, y)
		}
		if other && !same {
			return true
		}
	}
	return false
}

// DestroyVerbs has the verbs that destroy or end something.
const DestroyVerbs = " delete empty remove erase destroy drop purge wipe trash discard expunge obliterate shred unlink rm cancel annul rescind close stop terminate kill halt revoke clear reset format truncate decommission retire dissolve unpublish demolish dismantle scrap burn incinerate evict expel dismiss fire discharge withdraw repeal void write_off tear_down take_down pull_down cut_down knock_down fell raze "

// finalVerbs has the verbs that destroy, send, publish, pay or grant something.
const finalVerbs = DestroyVerbs + handOverVerbs

// handOverVerbs has the verbs that send, publish, pay or grant something.
const handOverVerbs = " " +
	"send dispatch transmit email mail sms notify inform alert remind forward reply post message share invite publish submit upload deploy ship release broadcast announce deliver fax " +
	"distribute hand_out give_out hand_in hand_over launch roll_out issue print air stream lodge present " +
	"pay remit settle refund reimburse buy purchase charge transfer deposit withdraw checkout order redeem sell bill disburse payout pay_out wire donate award " +
	"grant approve authorize authorise allow permit sign certify commit merge push execute administer dispense "

// The verbs of reads that must come before something that nobody can take back: those that
// carry away what is read, those that check it, and those that work on it.
const (
	CarryVerbs = " export dump backup archive copy download extract snapshot save duplicate photograph film document record "
	CheckVerbs = " verify validate authenticate confirm inspect review scan test audit check "
	workVerbs  = " translate proofread transcribe calibrate measure weigh count estimate calculate compute diagnose classify assess evaluate compare convert render encode spellcheck simulate rehearse sample analyze analyse appraise value quote "
)

// DoesOneOf reports whether an action's verb or its class is in a list.
func DoesOneOf(a *boundary.Action, list string) bool {
	d := a.Deed()
	return d.Verb != "" && (wordlist.Contains(list, d.Verb) || d.Class != d.Verb && wordlist.Contains(list, d.Class))
}

// guards returns how a step that only reads must come before a later step that writes: it
// carries away what the later step destroys, it checks what the later step changes, or it
// works on what the later step destroys, sends, publishes, pays or grants.
func guards(read, write *boundary.Action) (Degree, Entity) {
	carries := DoesOneOf(read, CarryVerbs) && DoesOneOf(write, DestroyVerbs)
	checks := DoesOneOf(read, CheckVerbs) || DoesOneOf(read, workVerbs) && isFinal(write)
	if !carries && !checks {
		return Independent, Entity{}
	}
	how, e := dependsOn(read, write)
	if how != Independent && !carries {
		how = Touching
	}
	return how, e
}

// isFinal reports whether an action destroys, sends, publishes, pays or grants something.
func isFinal(a *boundary.Action) bool { return DoesOneOf(a, finalVerbs) }

// isAdding reports whether an action adds something beside what is there.
func isAdding(a *boundary.Action) bool {
	switch a.Deed().Class {
	case "create", "mark", "tag", "label", "flag", "comment", "attach", "invite", "subscribe", "book", "reserve":
		return true
	}
	return false
}

// makesThing reports whether an action makes the entity: it creates an object of this sort, or
// copies or moves something to it.
func makesThing(a *boundary.Action, e Entity) bool {
	d := a.Deed()
	switch d.Class {
	case "create", "register", "build", "generate", "open", "start", "compose", "draft", "install", "copy", "duplicate", "clone", "move", "mkdir", "begin", "launch":
		return len(d.Object) > 0 && d.Object[len(d.Object)-1] == e.Noun || e.Noun == "path" // add_ticket_tag makes a tag
	}
	return false
}

// KeepsCopy reports whether an action makes a copy from which something can be restored. It is
// of use only before the change.
func KeepsCopy(a *boundary.Action) bool {
	const copies = " backup back_up snapshot checkpoint savepoint "
	return DoesOneOf(a, copies) || wordlist.HasAny(copies, a.Deed().Object) && !DoesOneOf(a, DestroyVerbs+"restore recover revert rollback roll_back load apply import use mount ")
}

// concernsThing reports whether the object of an action is a thing of this sort.
func concernsThing(a *boundary.Action, noun string) bool {
	return slices.Contains(a.Deed().Object, noun)
}

// IsPerson reports whether a noun names a person, or the address of one.
func IsPerson(noun string) bool {
	switch noun {
	case "user", "customer", "client", "member", "employee", "agent", "owner", "person", "recipient", "assignee", "patient", "guest", "account_holder", "email", "to", "payment", "method":
		return true
	}
	return false
}

// longestName is the length in bytes of the longest name with blanks, such as "north wall".
const longestName = 32

// scopeEntities returns the things that an action names. other is the action with which it is
// compared: a plain word names something only if one of the two actions is about such
// things.
func scopeEntities(a, other *boundary.Action) (out []Entity) {
	for i := range a.Leaves {
		l := &a.Leaves[i]
		noun := NounOf(a, l.Key)
		text := strings.Trim(l.Value, `"`)
		isText := strings.HasPrefix(l.Value, `"`) && text != ""
		isWord := isText && !strings.ContainsAny(text, " \t")
		isPlace := isWord && noun == "path" && (strings.Contains(text, "/") || path.Ext(text) != "")
		about := (isWord || isText && len(text) <= longestName || isWhole(strings.Trim(l.Raw, `"`))) && (concernsThing(a, noun) || concernsThing(other, noun)) &&
			!(a.Deed().Verb == "set" && isSetWord(a, noun) && isWhole(l.Raw)) // what is set is no thing
		if thing := thingOf(other, a, l.Value); isWord && len(text) > 1 && thing != "" && isVague(noun) {
			noun, about = thing, true
		}
		if boundary.Identifies(l.Key, l.Value) || isPlace || about {
			out = append(out, Entity{noun, l.Value})
		}
	}
	return out
}

// isVague reports whether the name of an argument does not say what sort of thing it holds.
func isVague(noun string) bool {
	switch noun {
	case "from", "to", "with", "by", "for", "of", "target", "base", "head", "into", "onto":
		return true
	}
	return false
}

// thingOf returns the noun of the value in the arguments of an action, if this action or
// another one is about such things.
func thingOf(a, other *boundary.Action, value string) string {
	for i := range a.Leaves {
		if l := &a.Leaves[i]; l.Value == value {
			if noun := NounOf(a, l.Key); concernsThing(a, noun) || concernsThing(other, noun) {
				return noun
			}
		}
	}
	return ""
}

// isWhole reports whether a value is written as a number without a point and a sign.
func isWhole(value string) bool { return value != "" && strings.Trim(value, "0123456789") == "" }

// NounOf returns the noun for the thing that an argument names. The arguments id and name
// name the object of the action, and so do its initials, such as pr for a pull request.
// Arguments such as source and folder name a path.
func NounOf(a *boundary.Action, key string) string {
	words := mutation.NameWords(key)
	for len(words) > 0 {
		switch last := words[len(words)-1]; last {
		case "id", "name", "key", "number", "uuid", "slug", "identifier", "ref":
			words = words[:len(words)-1]
			continue
		case "path", "file", "filename", "folder", "directory", "dir", "source", "destination", "src", "dst", "dest", "attachment", "attachments":
			return "path"
		case "username", "login":
			return "user"
		default:
			if object := a.Deed().Object; len(words) == 1 && isInitials(last, strings.Fields(strings.Join(object, " "))) {
				return object[len(object)-1]
			}
			return last
		}
	}
	if object := a.Deed().Object; len(object) > 0 {
		return object[len(object)-1]
	}
	return ""
}

// isInitials reports whether a word has the first letters of two or more other words.
func isInitials(word string, of []string) bool {
	if len(of) < 2 || len(word) != len(of) {
		return false
	}
	for i := range of {
		if of[i] == "" || of[i][0] != word[i] {
			return false
		}
	}
	return true
}

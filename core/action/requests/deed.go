package requests

import (
	"slices"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/utterance"
	"github.com/boundcheck/boundcheck/core/action/verbs"
)

// deed is what a call does, as far as its name and its arguments tell.
type deed struct {
	kinds   utterance.Kinds
	moves   bool     // it only looks or navigates
	opens   bool     // of these, it opens something, which may be a change
	tool    string   // the folded name
	lead    string   // the first word of its name
	verb    string   // the English verb of its name
	class   string   // the class of the verb, as in mutation.Deed
	object  []string // the words of its name for what is made or changed
	words   []string // the words of its name and of its short values
	name    []string // of these, those of its name
	values  []string // the folded values that identify something
	targets []string // as written, of these and of the words of its command those that may name a thing
	chosen  []string // of these and of the numbers, as written, those that may say which of several things

	keys     []string // the words of the names of its arguments
	numbered []string // of numbers, the names and values: zone=1
	listed   bool     // one of its values is in a list
	foreign  bool     // its name is in another language than English
	noun     bool     // its kinds come from a noun only, as in bestellung

	commands []string // folded, the commands of a command line
	runs     []string // the words of these that name deeds

	objects  []string // of these, those of what is changed
	measures []string // amounts and numbers of things
	counted  bool     // the last of them is a number of things
}

// readDeed reads the deed of a call.
func readDeed(c *similarity.Call) deed {
	name := c.Name
	if c.Text != "" {
		name, _, _ = strings.Cut(strings.TrimSpace(c.Text), " ")
	}
	words := cutVendor(mutation.NameWords(name))
	place := []string(nil)
	if at := strings.LastIndexByte(name, '.'); at > 0 && len(words) == 1 { // posts.hide
		place = mutation.NameWords(name[:at])
	}
	d := deed{words: slices.Clone(words), tool: utterance.Fold(name)}
	named := mutation.DeedOf(strings.Join(words, "_"))
	d.verb, d.class, d.object = named.Verb, named.Class, append(slices.Clone(place), named.Object...)
	d.words = append(d.words, place...)
	d.name = slices.Clone(d.words)
	if len(words) > 0 {
		d.lead = words[0]
	}
	d.readName(words)
	for i := range c.Leaves {
		d.readArgument(&c.Leaves[i])
	}
	if d.kinds == 0 && named.Effectful() {
		d.kinds = utterance.Other
	}
	if d.kinds&utterance.Deeds&^utterance.Other != 0 {
		d.kinds &^= utterance.Other
	}
	return d
}

// cutVendor leaves out the beginning of a name that only says whose tool it is, such as
// inventory_system in inventory_system_delete_item.
func cutVendor(words []string) []string {
	for i := len(words) - 2; i > 0; i-- {
		if utterance.HasKind("en", words[i], utterance.Vendor) && (utterance.KindOf(words[i+1])&^utterance.Vendor != 0 || mutation.DeedOf(words[i+1]).Class != "") {
			return words[i+1:]
		}
	}
	return words
}

// checksPerson reports whether a name is that of a check of who somebody is or of what he
// may do, for example confirm_identity. Such a check only compares: no user asks for it, and
// it is a step before many changes.
func checksPerson(words []string) bool {
	last := words[len(words)-1]
	return utterance.Listed("checks", words[0]) && utterance.Listed("checked", last)
}

// readName sets what the words of a name say. The first verb that is no noun decides. A
// word such as create says little, so the nouns after it count as well.
func (d *deed) readName(words []string) {
	if d.readVerb(words); d.kinds == 0 && !d.moves {
		d.readForeign(words)
	}
	if d.kinds == 0 && !d.moves && len(words) > 1 && utterance.Listed("state", words[len(words)-1]) {
		d.kinds = utterance.Switch // lights_off
	}
	if d.kinds&utterance.Send != 0 && words[0] != "send" && slices.ContainsFunc(words, func(w string) bool { return utterance.Listed("draftWord", utterance.FoldName(w)) }) {
		d.kinds = d.kinds&^utterance.Send | utterance.Make // mail_draft
	}
	if d.kinds&utterance.Send != 0 && utterance.AnyListed("money", words) {
		d.kinds |= utterance.Pay
	}
	if d.kinds&utterance.Pay != 0 && utterance.Listed("money", words[len(words)-1]) {
		d.kinds &^= utterance.Move // to move a file is no request to move money
	}
}

func (d *deed) readVerb(words []string) {
	if len(words) > 0 && (utterance.Listed("gesture", words[0]) || checksPerson(words)) {
		d.moves = true
		return
	}
	var weak utterance.Kinds
	if last := words[max(len(words)-1, 0):]; len(words) > 1 && utterance.Listed("lookNoun", words[0]) && utterance.KindOf(last[0])&utterance.Deeds != 0 && !utterance.IsNounToo(last[0]) {
		d.kinds = utterance.KindOf(last[0]) & utterance.Deeds // list_remove
		return
	}
	for i, w := range words {
		k := utterance.KindOf(w)
		switch {
		case i == 0 && utterance.Listed("onPaper", w) && len(words) > 1 && utterance.Listed("paper", utterance.Singular(words[1])):
			d.kinds = utterance.Switch
			return
		case utterance.PhraseKinds(words, i) != 0 && k&utterance.Look == 0 && i == 0:
			d.kinds = k&utterance.Deeds | utterance.PhraseKinds(words, i)
			return
		case (utterance.Listed("looksPlainly", w) || k&utterance.Look != 0 && (i == 0 || weak == 0)) && doesMore(words[i+1:]):
		case utterance.Listed("looksPlainly", w), k&utterance.Look != 0 && (i == 0 || weak == 0):
			d.moves, d.opens = true, w == "open" && !showsItself(words[i+1:])
			return
		case k&utterance.Deeds == 0:
		case utterance.IsNounToo(w) && i > 0:
			weak |= k & utterance.Deeds
		case utterance.IsNounToo(w):
			weak = k & utterance.Deeds
		default:
			d.kinds = k&utterance.Deeds | utterance.PhraseKinds(words, i)
			if utterance.Listed("generic", w) {
				d.kinds |= nounKinds(words[:i]) | nounKinds(words[i+1:]) // Refunds.Create
			}
			return
		}
	}
	d.kinds = weak
	if rest := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return utterance.KindOf(w) != 0 }); weak != 0 {
		if other := (&deed{}); len(rest) > 0 {
			other.readForeign(rest)
			if other.kinds != 0 {
				d.kinds = other.kinds // mail_verschieben
			} else if other.moves && !utterance.AnyListed("stateNoun", rest) {
				d.kinds, d.moves = 0, true // post_lesen
			}
		}
	}
}

// readForeign is readVerb for names in the other languages, in which the verb often comes last.
func (d *deed) readForeign(words []string) {
	var k, nouns utterance.Kinds
	for i, w := range words {
		w = utterance.FoldName(w)
		k |= utterance.ForeignKinds(w)
		nouns |= utterance.ForeignNoun(w)
		if utterance.Listed("opens", w) && slices.ContainsFunc(words[i+1:], func(w string) bool { return utterance.Listed("shownElsewhere", utterance.FoldName(w)) }) {
			d.moves = true // abrir_pagina
			return
		}
	}
	switch {
	case k == 0:
		k, d.noun = nouns, nouns != 0
	case k&utterance.Deeds == utterance.Make:
		k |= nouns // fazer_pedido
	}
	d.kinds, d.foreign = k&utterance.Deeds, k != 0
	d.moves = d.kinds == 0 && k&utterance.Look != 0
}

// doesMore reports whether the words after a word for looking name a change as well, as in
// read_and_clear, or turn it into one, as in check_in.
func doesMore(rest []string) bool {
	if len(rest) > 0 && (rest[0] == "in" || rest[0] == "out") {
		return true
	}
	at := slices.Index(rest, "and")
	return at >= 0 && at+1 < len(rest) && (utterance.KindOf(rest[at+1])&utterance.Deeds != 0 || mutation.DeedOf(rest[at+1]).Class == "write")
}

// showsItself reports whether to open the object of a name only shows it.
func showsItself(object []string) bool {
	return len(object) == 0 || utterance.Listed("shown", object[len(object)-1])
}

// nounKinds returns the kinds of the nouns beside a word such as create.
func nounKinds(words []string) utterance.Kinds {
	var k utterance.Kinds
	for _, w := range words {
		k |= (utterance.KindOf(w) | utterance.KindOf(utterance.Singular(w))) & utterance.Deeds
	}
	return k
}

// readArgument reads one argument: the operation that it names, and its value.
func (d *deed) readArgument(l *similarity.Leaf) {
	value := foldValue(l)
	for _, w := range mutation.NameWords(l.Key) {
		d.keys = append(d.keys, utterance.FoldName(w))
	}
	switch key := strings.ReplaceAll(strings.ToLower(l.Key), "_", " "); {
	case utterance.Listed("operation", key):
		s := utterance.ReadSentence(strings.ReplaceAll(value, "_", " "), "en")
		if d.kinds |= s.Named; s.Named == 0 && (s.Has&utterance.Look != 0 || utterance.Listed("looksPlainly", value)) && d.class == "" {
			d.kinds, d.moves = 0, true // the name is only a noun
		}
		if key == "method" {
			d.kinds |= methodKinds(value)
		}
	case utterance.Listed("commandText", key):
		if d.kinds&^(utterance.Switch|utterance.Other) == 0 && utterance.Listed("runs", d.lead) {
			d.kinds = 0 // the command says what it does
		}
		d.readCommand(value)
		d.targets = append(d.targets, slices.DeleteFunc(strings.Fields(trimQuotes(l.Raw)), func(w string) bool { return len(w) < 3 || !isJoined(w) })...)
	}
	if len(value) > utterance.MostText {
		return
	}
	d.readObject(l, value)
	d.words = append(d.words, utterance.Tokens(value)...)
	if isIdentifying(value) {
		d.values = append(d.values, value)
	}
	if utterance.IsDigits(value) && l.Path == l.Key {
		d.numbered = append(d.numbered, utterance.Fold(l.Key)+"="+value)
	}
	d.listed = d.listed || strings.Contains(l.Path, "[")
	if len(value) > 1 && !utterance.IsDate(value) {
		if strings.ContainsFunc(value, unicode.IsLetter) || len(value) > 5 && !utterance.IsDigits(strings.Trim(value, "-.")) && utterance.FormOf(value) != "99:99" {
			d.targets = append(d.targets, trimQuotes(l.Raw))
		}
		d.chosen = append(d.chosen, trimQuotes(l.Raw))
	}
}

// methodKinds returns the kinds of deeds of a method of HTTP.
func methodKinds(method string) utterance.Kinds {
	switch method {
	case "post":
		return utterance.Make | utterance.Send
	case "put", "patch":
		return utterance.Change
	case "delete":
		return utterance.Remove
	}
	return 0
}

// readCommand reads the words of a command line, a program or a statement.
func (d *deed) readCommand(text string) {
	var words []string
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(";&|\n", r) }) {
		d.commands = append(d.commands, strings.TrimSpace(part))
		words = append(words, strings.FieldsFunc(part, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })...)
		words = append(words, ",")
	}
	utterance.EachKind("shell", words, func(w string, k utterance.Kinds) { d.kinds, d.runs = d.kinds|k&utterance.Deeds, append(d.runs, w) })
	d.words = append(d.words, d.runs...)
	if at := strings.Index(text, "| "); at >= 0 && strings.Contains(text[:at], "://") && utterance.Listed("shell", utterance.FirstWord(text[at+2:])) {
		d.kinds |= utterance.Change // it runs a program from the net
	}
	if strings.Contains(text, "curl") && strings.Contains(text, "=@") {
		d.kinds |= utterance.Send
	}
	if _, target, ok := strings.Cut(text, ">"); ok && utterance.Listed("lastingPlace", firstPlace(strings.TrimLeft(target, "> "))) {
		d.kinds |= utterance.Change // it writes a file of the user's or of the machine's settings
	}
	if at := strings.IndexByte(text, '$'); at >= 0 && strings.Contains(text, "://") && utterance.HoldsListed(text[at:], "secretName") {
		d.kinds |= utterance.Send // a secret is part of the address
	}
}

// firstPlace returns what a path begins with, such as ~ or /etc.
func firstPlace(path string) string {
	if path = strings.TrimPrefix(path, "/"); path == "" {
		return ""
	}
	return path[:max(strings.IndexAny(path+"/", "/ "), 0)]
}

// isIdentifying reports whether a value can be recognised in a text: it is no small number
// and no truth value.
func isIdentifying(value string) bool {
	switch value {
	case "true", "false", "null", "none", "yes", "on", "off":
		return false
	}
	if len(value) < 3 {
		return len(value) > 1 && !strings.ContainsFunc(value, unicode.IsLetter)
	}
	return true
}

// foldValue returns the value of an argument, folded and without quotes.
func foldValue(l *similarity.Leaf) string { return utterance.Fold(trimQuotes(l.Raw)) }

func trimQuotes(s string) string { return strings.Trim(s, `"`) }

// sameOrWider reports whether a request for deeds of the kinds asked, in English with one
// of the verbs asking, asks for a deed, too.
func (d *deed) sameOrWider(asked utterance.Kinds, asking []string) bool {
	for kind := utterance.Remove; kind <= utterance.Move; kind <<= 1 {
		if d.kinds&kind != 0 && asked&(utterance.Covers(kind)) != 0 {
			return true
		}
	}
	return slices.ContainsFunc(asking, func(v string) bool {
		return v == d.verb || d.class != "" && mutation.DeedOf(v).Class == d.class || d.verb != "" && verbs.Wider(v, d.verb, verbs.KindsOf(d.object))
	})
}

// exceeds returns the verb of a sentence that asks for a weaker deed only, or "".
func (d *deed) exceeds(s *utterance.Sentence) string {
	switch {
	case slices.Contains(d.words, "public") && s.Named&utterance.Send != 0 && slices.Contains(s.Words, "share") && !utterance.AnyListed("everybody", s.Words):
		return "share"
	case d.removesMember(s):
		return "remove from"
	case d.namesPart(s):
		return "only a part of this"
	}
	weaker := ""
	for _, v := range s.Verbs {
		switch {
		case v == d.lead: // draft_post, where post is the object
			return ""
		case slices.Contains(utterance.Related("beyond", v), d.verb):
			weaker = v
		case d.sameOrWider(utterance.KindOf(v), []string{v}):
			return ""
		}
	}
	return weaker
}

// removesMember reports whether a sentence only asks to remove somebody or something from a
// group, and the deed deletes it.
func (d *deed) removesMember(s *utterance.Sentence) bool {
	at := slices.Index(s.Words, "from")
	if at < 0 || !slices.Contains(s.Words, "remove") || !utterance.AnyListed("erasure", d.words) {
		return false
	}
	for _, w := range s.Words[at+1:] {
		if utterance.Listed("group", w) {
			return !slices.Contains(d.object, w) && len(d.object) > 0 && !utterance.Listed("anyThing", d.object[len(d.object)-1])
		}
	}
	return false
}

// namesPart reports whether a sentence asks for a deed on one thing, and the deed is done to what
// holds many of them: the folder in place of the file.
func (d *deed) namesPart(s *utterance.Sentence) bool {
	if len(d.object) == 0 || d.kinds&(utterance.Remove|utterance.Cancel|utterance.Grant|utterance.Move|utterance.Send) == 0 {
		return false
	}
	whole := d.object[len(d.object)-1]
	for i, w := range s.Words {
		switch w {
		case "in", "from", "of", "on", "inside", "under", ",":
			return false
		case whole, whole + "s", "all", "every", "everything", "both":
			return false
		}
		if i > 0 && slices.Contains(utterance.Related("whole", w), whole) {
			for _, v := range s.Words[i+1:] {
				if v == "and" || v == "all" || v == "every" {
					return false
				}
			}
			return true
		}
	}
	return false
}

// countValues returns the number of values of a deed in folded text.
func (d *deed) countValues(folded string) (n int) {
	for _, v := range d.values {
		if utterance.HoldsWord(folded, v) {
			n++
		}
	}
	return n
}

// sharesValue reports whether a sentence has a value of a deed.
func (d *deed) sharesValue(s *utterance.Sentence) bool {
	return d.countValues(s.Folded) > 0
}

// sharesWord reports whether one of some words is in the name or the short values of a deed.
func (d *deed) sharesWord(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return len(w) > 3 && slices.Contains(d.words, w) || len(w) > 4 && slices.Contains(d.words, strings.TrimSuffix(w, "s"))
	})
}

// isIn reports whether a sentence has a value or a word of a deed.
func (d *deed) isIn(s *utterance.Sentence) bool { return d.sharesWord(s.Words) || d.sharesValue(s) }

// isWhollyIn reports whether a sentence names all values of a deed, and at least two.
func (d *deed) isWhollyIn(s *utterance.Sentence) bool {
	return len(d.values) > 1 && d.countValues(s.Folded) == len(d.values)
}

// isMadeIn reports whether a sentence names what a deed makes.
func (d *deed) isMadeIn(s *utterance.Sentence) bool {
	return len(d.object) > 0 && !slices.ContainsFunc(d.object, func(w string) bool {
		return !slices.Contains(s.Words, w) && !slices.Contains(s.Words, w+"s")
	})
}

// Package deed reads what a call does, as far as its name, its arguments and its result tell: which kinds of
// deeds, on what, with which values; and whether the words of a person speak of it. Who asked for it is read
// by package requests.
package deed

import (
	"slices"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/utterance"
	"github.com/boundcheck/boundcheck/core/action/verbs"
)

// Deed is what a call does, as far as its name and its arguments tell.
type Deed struct {
	Kinds   utterance.Kinds
	Moves   bool     // it only looks or navigates
	Opens   bool     // of these, it opens something, which may be a change
	Tool    string   // the folded name
	Lead    string   // the first word of its name
	Verb    string   // the English verb of its name
	class   string   // the class of the verb, as in mutation.Deed
	Object  []string // the words of its name for what is made or changed
	Words   []string // the words of its name and of its short values
	Name    []string // of these, those of its name
	Values  []string // the folded values that identify something
	Targets []string // as written, of these and of the words of its command those that may name a thing
	Chosen  []string // of these and of the numbers, as written, those that may say which of several things

	Keys     []string // the words of the names of its arguments
	Numbered []string // of numbers, the names and values: zone=1
	Listed   bool     // one of its values is in a list
	Foreign  bool     // its name is in another language than English
	Noun     bool     // its kinds come from a noun only, as in bestellung

	Commands []string // folded, the commands of a command line
	Runs     []string // the words of these that name deeds
	line     string   // the command line as it is written; "" for none
	Stray    []string // of its commands, the words of the one that leads the farthest, if that was read
	Beyond   Beyond   // how far that is

	Objects  []string // of these, those of what is changed
	Measures []string // amounts and numbers of things
	counted  bool     // the last of them is a number of things
}

// Read reads the deed of a call.
func Read(c *similarity.Call) Deed {
	name := c.Name
	if c.Text != "" {
		name, _, _ = strings.Cut(strings.TrimSpace(c.Text), " ")
	}
	words := cutVendor(mutation.NameWords(name))
	place := []string(nil)
	if at := strings.LastIndexByte(name, '.'); at > 0 && len(words) == 1 { // posts.hide
		place = mutation.NameWords(name[:at])
	}
	d := Deed{Words: slices.Clone(words), Tool: utterance.Fold(name)}
	named := mutation.DeedOf(strings.Join(words, "_"))
	d.Verb, d.class, d.Object = named.Verb, named.Class, append(slices.Clone(place), named.Object...)
	d.Words = append(d.Words, place...)
	d.Name = slices.Clone(d.Words)
	if len(words) > 0 {
		d.Lead = words[0]
	}
	if d.readName(words); c.Text != "" && movesPointer(words) {
		d.Kinds, d.Moves = 0, true
	}
	for i := range c.Leaves {
		d.readArgument(&c.Leaves[i])
	}
	if d.Kinds == 0 && named.Effectful() {
		d.Kinds = utterance.Other
	}
	if d.Kinds&utterance.Deeds&^utterance.Other != 0 {
		d.Kinds &^= utterance.Other
	}
	return d
}

// movesPointer reports whether the name of a line of a script on a screen only moves its pointer, such
// as pyautogui.moveTo(1, 2).
func movesPointer(words []string) bool {
	for i, w := range words {
		if w == "move" && i+1 < len(words) && (words[i+1] == "to" || words[i+1] == "rel") {
			return true
		}
	}
	return false
}

// cutVendor leaves out the beginning of a name that only says whose tool it is, such as
// inventory_system in inventory_system_delete_item.
func cutVendor(words []string) []string {
	for i := len(words) - 2; i > 0; i-- {
		if utterance.Listed("generic", words[i+1]) && nounKinds(words[i:i+1]) != 0 {
			continue // payments/create
		}
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
func (d *Deed) readName(words []string) {
	if d.readVerb(words); d.Kinds == 0 && !d.Moves {
		d.readForeign(words)
	}
	if d.Kinds == 0 && !d.Moves && len(words) > 1 && utterance.Listed("state", words[len(words)-1]) {
		d.Kinds = utterance.Switch // lights_off
	}
	if d.Kinds&utterance.Send != 0 && words[0] != "send" && slices.ContainsFunc(words, func(w string) bool { return utterance.Listed("draftWord", utterance.FoldName(w)) }) {
		d.Kinds = d.Kinds&^utterance.Send | utterance.Make // mail_draft
	}
	if d.Kinds&utterance.Send != 0 && utterance.AnyListed("money", words) {
		d.Kinds |= utterance.Pay
	}
	if d.Kinds&utterance.Pay != 0 && utterance.Listed("money", words[len(words)-1]) {
		d.Kinds &^= utterance.Move // to move a file is no request to move money
	}
}

func (d *Deed) readVerb(words []string) {
	if len(words) > 0 && (utterance.Listed("gesture", words[0]) || checksPerson(words)) {
		d.Moves = true
		return
	}
	var weak utterance.Kinds
	if last := words[max(len(words)-1, 0):]; len(words) > 1 && utterance.Listed("lookNoun", words[0]) && utterance.KindOf(last[0])&utterance.Deeds != 0 && !utterance.IsNounToo(last[0]) {
		d.Kinds = utterance.KindOf(last[0]) & utterance.Deeds // list_remove
		return
	}
	for i, w := range words {
		k := utterance.KindOf(w)
		switch {
		case i == 0 && utterance.Listed("onPaper", w) && len(words) > 1 && utterance.Listed("paper", utterance.Singular(words[1])):
			d.Kinds = utterance.Switch
			return
		case utterance.PhraseKinds(words, i) != 0 && k&utterance.Look == 0 && i == 0:
			d.Kinds = k&utterance.Deeds | utterance.PhraseKinds(words, i)
			return
		case (utterance.Listed("looksPlainly", w) || k&utterance.Look != 0 && (i == 0 || weak == 0)) && doesMore(words[i+1:]):
		case utterance.Listed("looksPlainly", w), k&utterance.Look != 0 && (i == 0 || weak == 0):
			d.Moves, d.Opens = true, w == "open" && !showsItself(words[i+1:])
			return
		case k&utterance.Deeds == 0:
		case utterance.IsNounToo(w) && i > 0 && weak != 0 && utterance.Listed("records", words[0]): // log_cancellation
		case utterance.IsNounToo(w) && i > 0:
			weak |= k & utterance.Deeds
		case utterance.IsNounToo(w):
			weak = k & utterance.Deeds
		default:
			d.Kinds = k&utterance.Deeds | utterance.PhraseKinds(words, i)
			if utterance.Listed("generic", w) {
				d.Kinds |= nounKinds(words[:i]) | nounKinds(words[i+1:]) // Refunds.Create
			}
			return
		}
	}
	d.Kinds = weak
	if len(words) > 1 && utterance.KindOf(words[0])&utterance.Deeds == 0 && !utterance.Listed("light", words[0]) && !verbs.Acts(words[0]) && mutation.DeedOf(words[0]).Class == "" {
		if d.Noun = weak != 0; utterance.Listed("lookEnd", words[len(words)-1]) {
			d.Kinds, d.Moves, d.Noun = 0, true, false // cost_report
			return
		}
	}
	if rest := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return utterance.KindOf(w) != 0 }); weak != 0 {
		if other := (&Deed{}); len(rest) > 0 {
			other.readForeign(rest)
			if other.Kinds != 0 {
				d.Kinds = other.Kinds // mail_verschieben
			} else if other.Moves && !utterance.AnyListed("stateNoun", rest) {
				d.Kinds, d.Moves = 0, true // post_lesen
			}
		}
	}
}

// readForeign is readVerb for names in the other languages, in which the verb often comes last.
func (d *Deed) readForeign(words []string) {
	var k, nouns utterance.Kinds
	for _, w := range words {
		w = utterance.FoldName(w)
		k |= utterance.ForeignKinds(w)
		nouns |= utterance.ForeignNoun(w)
		if utterance.Listed("opens", w) && slices.ContainsFunc(words, func(w string) bool { return utterance.Listed("shownElsewhere", utterance.FoldName(w)) }) {
			d.Moves = true // abrir_pagina
			return
		}
	}
	switch {
	case k == 0:
		k, d.Noun = nouns, nouns != 0
	case k&utterance.Deeds == utterance.Make, k&utterance.Deeds == utterance.Switch:
		k |= nouns // fazer_pedido, ueberweisung_ausfuehren
	}
	d.Kinds, d.Foreign = k&utterance.Deeds, k != 0
	d.Moves = d.Kinds == 0 && k&utterance.Look != 0
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
func (d *Deed) readArgument(l *similarity.Leaf) {
	value := FoldValue(l)
	for _, w := range mutation.NameWords(l.Key) {
		d.Keys = append(d.Keys, utterance.FoldName(w))
	}
	switch key := strings.ReplaceAll(strings.ToLower(l.Key), "_", " "); {
	case utterance.Listed("operation", key):
		s := utterance.ReadSentence(strings.ReplaceAll(value, "_", " "), "en")
		if d.Kinds |= s.Named; s.Named == 0 && (s.Has&utterance.Look != 0 || utterance.Listed("looksPlainly", value)) && d.class == "" {
			d.Kinds, d.Moves = 0, true // the name is only a noun
		}
		if key == "method" {
			d.Kinds |= methodKinds(value)
		}
	case utterance.Listed("commandText", key):
		if d.Kinds&^(utterance.Switch|utterance.Other) == 0 && utterance.Listed("runs", d.Lead) {
			d.Kinds = 0 // the command says what it does
		}
		line := value
		if utterance.Listed("shellText", key) {
			if d.line = l.Raw; strings.ContainsRune(l.Raw, '\\') { // "make\ncat a" does not call ncat
				line = utterance.Fold(similarity.Plain(l.Raw))
			}
		}
		d.readCommand(line)
		d.Targets = append(d.Targets, slices.DeleteFunc(strings.Fields(TrimQuotes(l.Raw)), func(w string) bool { return len(w) < 3 || !IsJoined(w) })...)
	}
	if len(value) > utterance.MostText {
		return
	}
	d.readObject(l, value)
	d.Words = append(d.Words, utterance.Tokens(value)...)
	if isIdentifying(value) {
		d.Values = append(d.Values, value)
	}
	if utterance.IsDigits(value) && l.Path == l.Key {
		d.Numbered = append(d.Numbered, utterance.Fold(l.Key)+"="+value)
	}
	d.Listed = d.Listed || strings.Contains(l.Path, "[")
	if len(value) > 1 && !utterance.IsDate(value) {
		if strings.ContainsFunc(value, unicode.IsLetter) || len(value) > 5 && !utterance.IsDigits(strings.Trim(value, "-.")) && utterance.FormOf(value) != "99:99" {
			d.Targets = append(d.Targets, TrimQuotes(l.Raw))
		}
		d.Chosen = append(d.Chosen, TrimQuotes(l.Raw))
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

// OfCommand reads the deed of one command.
func OfCommand(command string) Deed {
	var d Deed
	d.readCommand(command)
	return d
}

// readCommand reads the words of a command line, a program or a statement.
func (d *Deed) readCommand(text string) {
	var words []string
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(";&|\n", r) }) {
		d.Commands = append(d.Commands, strings.TrimSpace(part))
		words = append(words, strings.FieldsFunc(part, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })...)
		words = append(words, ",")
	}
	utterance.EachKind("shell", words, func(w string, k utterance.Kinds) { d.Kinds, d.Runs = d.Kinds|k&utterance.Deeds, append(d.Runs, w) })
	if slices.ContainsFunc(d.Commands, Destroys) {
		d.Kinds |= utterance.Remove
	}
	d.Words = append(d.Words, d.Runs...)
	if at := strings.Index(text, "| "); at >= 0 && strings.Contains(text[:at], "://") && utterance.Listed("shell", utterance.FirstWord(text[at+2:])) {
		d.Kinds |= utterance.Change // it runs a program from the net
	}
	if strings.Contains(text, "curl") && strings.Contains(text, "=@") {
		d.Kinds |= utterance.Send
	}
	if _, target, ok := strings.Cut(text, ">"); ok && utterance.Listed("lastingPlace", firstPlace(strings.TrimLeft(target, "> "))) {
		d.Kinds |= utterance.Change // it writes a file of the user's or of the machine's settings
	}
	if at := strings.IndexByte(text, '$'); at >= 0 && strings.Contains(text, "://") && utterance.HoldsListed(text[at:], "secretName") {
		d.Kinds |= utterance.Send // a secret is part of the address
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
		return len(value) > 1 && strings.ContainsFunc(value, unicode.IsDigit)
	}
	return true
}

// FoldValue returns the value of an argument, folded and without quotes.
func FoldValue(l *similarity.Leaf) string { return utterance.Fold(TrimQuotes(l.Raw)) }

// TrimQuotes returns a value as it is written in JSON without its quotes.
func TrimQuotes(s string) string { return strings.Trim(s, `"`) }

// SameOrWider reports whether a request for deeds of the kinds asked, in English with one
// of the verbs asking, asks for a deed, too.
func (d *Deed) SameOrWider(asked utterance.Kinds, asking []string) bool {
	for kind := utterance.Remove; kind <= utterance.Move; kind <<= 1 {
		if d.Kinds&kind != 0 && asked&(utterance.Covers(kind)) != 0 {
			return true
		}
	}
	return slices.ContainsFunc(asking, func(v string) bool {
		return v == d.Verb || d.class != "" && mutation.DeedOf(v).Class == d.class || d.Verb != "" && verbs.Wider(v, d.Verb, verbs.KindsOf(d.Object))
	})
}

// Exceeds returns the verb of a sentence that asks for a weaker deed only, or "". If the user agreed to a question, its
// words count.
func (d *Deed) Exceeds(s *utterance.Sentence, agreed bool) string {
	switch {
	case slices.Contains(d.Words, "public") && s.Named&utterance.Send != 0 && slices.Contains(s.Words, "share") && !utterance.AnyListed("everybody", s.Words):
		return "share"
	case d.removesMember(s):
		return "remove from"
	case d.namesPart(s):
		return "only a part of this"
	}
	weaker := ""
	asking := s.Verbs
	if agreed && s.Question {
		asking = s.Words
	}
	for _, v := range asking {
		switch {
		case v == d.Lead: // draft_post, where post is the object
			return ""
		case slices.Contains(utterance.Related("beyond", v), d.Verb):
			weaker = v
		case d.SameOrWider(utterance.KindOf(v), []string{v}):
			return ""
		}
	}
	return weaker
}

// removesMember reports whether a sentence only asks to remove somebody or something from a
// group, and the deed deletes it.
func (d *Deed) removesMember(s *utterance.Sentence) bool {
	at := slices.Index(s.Words, "from")
	if at < 0 || !slices.Contains(s.Words, "remove") || !utterance.AnyListed("erasure", d.Words) {
		return false
	}
	for _, w := range s.Words[at+1:] {
		if utterance.Listed("group", w) {
			return !slices.Contains(d.Object, w) && len(d.Object) > 0 && !utterance.Listed("anyThing", d.Object[len(d.Object)-1])
		}
	}
	return false
}

// namesPart reports whether a sentence asks for a deed on one thing, and the deed is done to what
// holds many of them: the folder in place of the file.
func (d *Deed) namesPart(s *utterance.Sentence) bool {
	if len(d.Object) == 0 || d.Kinds&(utterance.Remove|utterance.Cancel|utterance.Grant|utterance.Move|utterance.Send) == 0 {
		return false
	}
	whole := d.Object[len(d.Object)-1]
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

// CountValues returns the number of values of a deed in folded text.
func (d *Deed) CountValues(folded string) (n int) {
	for _, v := range d.Values {
		if utterance.HoldsWord(folded, v) || strings.Contains(v, "_") && utterance.HoldsWord(folded, strings.ReplaceAll(v, "_", " ")) {
			n++
		}
	}
	return n
}

// SharesValue reports whether a sentence has a value of a deed.
func (d *Deed) SharesValue(s *utterance.Sentence) bool {
	return d.CountValues(s.Folded) > 0
}

// SharesWord reports whether one of some words is in the name or the short values of a deed.
func (d *Deed) SharesWord(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return len(w) > 3 && slices.Contains(d.Words, w) || len(w) > 4 && slices.Contains(d.Words, strings.TrimSuffix(w, "s"))
	})
}

// IsIn reports whether a sentence has a value or a word of a deed.
func (d *Deed) IsIn(s *utterance.Sentence) bool { return d.SharesWord(s.Words) || d.SharesValue(s) }

// IsWhollyIn reports whether a sentence names all values of a deed, and at least two.
func (d *Deed) IsWhollyIn(s *utterance.Sentence) bool {
	return len(d.Values) > 1 && d.CountValues(s.Folded) == len(d.Values)
}

// IsMadeIn reports whether a sentence names what a deed makes.
func (d *Deed) IsMadeIn(s *utterance.Sentence) bool {
	return len(d.Object) > 0 && !slices.ContainsFunc(d.Object, func(w string) bool {
		return !slices.Contains(s.Words, w) && !slices.Contains(s.Words, w+"s")
	})
}

// IsFileName reports whether a word ends like the name of a file.
func IsFileName(w string) bool {
	at := strings.LastIndexByte(w, '.')
	return at > 0 && len(w)-at > 1 && len(w)-at < 7 && strings.Trim(w[at+1:], "abcdefghijklmnopqrstuvwxyz") == ""
}

// IsJoined reports whether a word is a name that is put together, such as that of a file.
func IsJoined(w string) bool { return w[0] != '-' && strings.ContainsAny(w[:len(w)-1], "._-/") }

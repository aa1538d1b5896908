package requests

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/verbs"
)

// deed is what a call does, as far as its name and its arguments tell.
type deed struct {
	kinds   Kinds
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
	d := deed{words: slices.Clone(words), tool: foldText(name)}
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
		d.kinds = Other
	}
	if d.kinds&deedKinds&^Other != 0 {
		d.kinds &^= Other
	}
	return d
}

// cutVendor leaves out the beginning of a name that only says whose tool it is, such as
// inventory_system in inventory_system_delete_item.
func cutVendor(words []string) []string {
	for i := len(words) - 2; i > 0; i-- {
		if hasKind("en", words[i], vendor) && (kindOf(words[i+1])&^vendor != 0 || mutation.DeedOf(words[i+1]).Class != "") {
			return words[i+1:]
		}
	}
	return words
}

// kindOf returns the kinds of a single English word.
func kindOf(word string) Kinds {
	var k Kinds
	for _, p := range theTables().of["en"][word] {
		if len(p.words) == 1 {
			k |= p.kinds & (deedKinds | Look)
		}
	}
	return k
}

// isNounToo reports whether an English word for a deed is also a noun.
func isNounToo(word string) bool {
	return slices.ContainsFunc(theTables().of["en"][word], func(p pattern) bool { return len(p.words) == 1 && p.noun })
}

// checksPerson reports whether a name is that of a check of who somebody is or of what he
// may do, for example confirm_identity. Such a check only compares: no user asks for it, and
// it is a step before many changes.
func checksPerson(words []string) bool {
	last := words[len(words)-1]
	return isListed("checks", words[0]) && isListed("checked", last)
}

// readName sets what the words of a name say. The first verb that is no noun decides. A
// word such as create says little, so the nouns after it count as well.
func (d *deed) readName(words []string) {
	if d.readVerb(words); d.kinds == 0 && !d.moves {
		d.readForeign(words)
	}
	if d.kinds == 0 && !d.moves && len(words) > 1 && isListed("state", words[len(words)-1]) {
		d.kinds = Switch // lights_off
	}
	if d.kinds&Send != 0 && words[0] != "send" && slices.ContainsFunc(words, func(w string) bool { return isListed("draftWord", foldName(w)) }) {
		d.kinds = d.kinds&^Send | Make // mail_draft
	}
	if d.kinds&Send != 0 && slices.ContainsFunc(words, isMoney) {
		d.kinds |= Pay
	}
	if d.kinds&Pay != 0 && isMoney(words[len(words)-1]) {
		d.kinds &^= Move // to move a file is no request to move money
	}
}

func (d *deed) readVerb(words []string) {
	if len(words) > 0 && (isGesture(words[0]) || checksPerson(words)) {
		d.moves = true
		return
	}
	var weak Kinds
	if last := words[max(len(words)-1, 0):]; len(words) > 1 && isListed("lookNoun", words[0]) && kindOf(last[0])&deedKinds != 0 && !isNounToo(last[0]) {
		d.kinds = kindOf(last[0]) & deedKinds // list_remove
		return
	}
	for i, w := range words {
		k := kindOf(w)
		switch {
		case i == 0 && isListed("onPaper", w) && len(words) > 1 && isListed("paper", singularOf(words[1])):
			d.kinds = Switch
			return
		case phraseKinds(words, i) != 0 && k&Look == 0 && i == 0:
			d.kinds = k&deedKinds | phraseKinds(words, i)
			return
		case (looksPlainly(w) || k&Look != 0 && (i == 0 || weak == 0)) && doesMore(words[i+1:]):
		case looksPlainly(w), k&Look != 0 && (i == 0 || weak == 0):
			d.moves, d.opens = true, w == "open" && !showsItself(words[i+1:])
			return
		case k&deedKinds == 0:
		case isNounToo(w) && i > 0:
			weak |= k & deedKinds
		case isNounToo(w):
			weak = k & deedKinds
		default:
			d.kinds = k&deedKinds | phraseKinds(words, i)
			if isGeneric(w) {
				d.kinds |= nounKinds(words[:i]) | nounKinds(words[i+1:]) // Refunds.Create
			}
			return
		}
	}
	d.kinds = weak
	if rest := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return kindOf(w) != 0 }); weak != 0 {
		if other := (&deed{}); len(rest) > 0 {
			other.readForeign(rest)
			if other.kinds != 0 {
				d.kinds = other.kinds // mail_verschieben
			} else if other.moves && !slices.ContainsFunc(rest, func(w string) bool { return isListed("stateNoun", w) }) {
				d.kinds, d.moves = 0, true // post_lesen
			}
		}
	}
}

// readForeign is readVerb for names in the other languages, in which the verb often comes last.
func (d *deed) readForeign(words []string) {
	var k, nouns Kinds
	for i, w := range words {
		w = foldName(w)
		k |= foreignKinds(w)
		if stem, ok := strings.CutSuffix(w, "ung"); ok {
			nouns |= theTables().foreign[stem+"en"] & deedKinds
		}
		nouns |= theTables().nouns[w]
		if isListed("opens", w) && slices.ContainsFunc(words[i+1:], func(w string) bool { return isListed("shownElsewhere", foldName(w)) }) {
			d.moves = true // abrir_pagina
			return
		}
	}
	switch {
	case k == 0:
		k, d.noun = nouns, nouns != 0
	case k&deedKinds == Make:
		k |= nouns // fazer_pedido
	}
	d.kinds, d.foreign = k&deedKinds, k != 0
	d.moves = d.kinds == 0 && k&Look != 0
}

// foreignKinds returns the kinds of a word of a name in another language than English, perhaps with a
// prefix, as in nachbestellen.
func foreignKinds(w string) Kinds {
	if k := theTables().foreign[w]; k != 0 || len(w) < 7 {
		return k
	}
	for _, p := range theTables().lists["prefix"].words {
		if rest, ok := strings.CutPrefix(w, p); ok && len(rest) > 4 {
			if k := theTables().foreign[rest]; k != 0 {
				return k
			}
		}
	}
	return 0
}

// foldName returns a word of a name without accents, and without the e that stands for them.
func foldName(w string) string { return umlauts.Replace(foldText(w)) }

var umlauts = strings.NewReplacer("ae", "a", "oe", "o", "ue", "u")

// doesMore reports whether the words after a word for looking name a change as well, as in
// read_and_clear, or turn it into one, as in check_in.
func doesMore(rest []string) bool {
	if len(rest) > 0 && (rest[0] == "in" || rest[0] == "out") {
		return true
	}
	at := slices.Index(rest, "and")
	return at >= 0 && at+1 < len(rest) && (kindOf(rest[at+1])&deedKinds != 0 || mutation.DeedOf(rest[at+1]).Class == "write")
}

// showsItself reports whether to open the object of a name only shows it.
func showsItself(object []string) bool {
	return len(object) == 0 || isListed("shown", object[len(object)-1])
}

// phraseKinds returns the kinds of the phrases that begin at words[i], such as send_money.
func phraseKinds(words []string, i int) Kinds {
	var k Kinds
	for _, p := range theTables().of["en"][words[i]] {
		if len(p.words) > 1 && p.gap == 0 && p.matchAt(words, i) > 0 {
			k |= p.kinds & deedKinds
		}
	}
	return k
}

// nounKinds returns the kinds of the nouns beside a word such as create.
func nounKinds(words []string) Kinds {
	var k Kinds
	for _, w := range words {
		k |= (kindOf(w) | kindOf(singularOf(w))) & deedKinds
	}
	return k
}

// isMoney reports whether a word is a thing that is paid.
func isMoney(w string) bool { return isListed("money", w) }

func isGesture(w string) bool { return isListed("gesture", w) }

// looksPlainly reports whether a word means that a tool looks, whatever stands before it.
func looksPlainly(w string) bool { return isListed("looksPlainly", w) }

// isGeneric reports whether a verb says little without its object.
func isGeneric(w string) bool { return isListed("generic", w) }

// mostText is the length of a value from which it is a text rather than a name.
const mostText = 60

// readArgument reads one argument: the operation that it names, and its value.
func (d *deed) readArgument(l *similarity.Leaf) {
	value := foldText(trimQuotes(l.Raw))
	for _, w := range mutation.NameWords(l.Key) {
		d.keys = append(d.keys, foldName(w))
	}
	switch key := strings.ReplaceAll(strings.ToLower(l.Key), "_", " "); {
	case isListed("operation", key):
		s := readSentence(strings.ReplaceAll(value, "_", " "), "en")
		if d.kinds |= s.named; s.named == 0 && (s.has&Look != 0 || looksPlainly(value)) && d.class == "" {
			d.kinds, d.moves = 0, true // the name is only a noun
		}
		if key == "method" {
			d.kinds |= methodKinds(value)
		}
	case isListed("commandText", key):
		if d.kinds&^(Switch|Other) == 0 && isListed("runs", d.lead) {
			d.kinds = 0 // the command says what it does
		}
		d.readCommand(value)
		d.targets = append(d.targets, slices.DeleteFunc(strings.Fields(trimQuotes(l.Raw)), func(w string) bool { return len(w) < 3 || !isJoined(w) })...)
	}
	if len(value) > mostText {
		return
	}
	d.readObject(l, value)
	d.words = append(d.words, readTokens(value)...)
	if isIdentifying(value) {
		d.values = append(d.values, value)
	}
	if isDigits(value) && l.Path == l.Key {
		d.numbered = append(d.numbered, foldText(l.Key)+"="+value)
	}
	d.listed = d.listed || strings.Contains(l.Path, "[")
	if len(value) > 1 && !isDate(value) {
		if strings.ContainsFunc(value, unicode.IsLetter) || len(value) > 5 && !isDigits(strings.Trim(value, "-.")) && formOf(value) != "99:99" {
			d.targets = append(d.targets, trimQuotes(l.Raw))
		}
		d.chosen = append(d.chosen, trimQuotes(l.Raw))
	}
}

// methodKinds returns the kinds of deeds of a method of HTTP.
func methodKinds(method string) Kinds {
	switch method {
	case "post":
		return Make | Send
	case "put", "patch":
		return Change
	case "delete":
		return Remove
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
	for _, h := range theTables().of["shell"].findPatterns(words) {
		d.kinds |= h.kinds & deedKinds
		d.runs = append(d.runs, words[h.at])
	}
	d.words = append(d.words, d.runs...)
	if at := strings.Index(text, "| "); at >= 0 && strings.Contains(text[:at], "://") && isListed("shell", firstWord(text[at+2:])) {
		d.kinds |= Change // it runs a program from the net
	}
	if strings.Contains(text, "curl") && strings.Contains(text, "=@") {
		d.kinds |= Send
	}
	if _, target, ok := strings.Cut(text, ">"); ok && isListed("lastingPlace", firstPlace(strings.TrimLeft(target, "> "))) {
		d.kinds |= Change // it writes a file of the user's or of the machine's settings
	}
	if at := strings.IndexByte(text, '$'); at >= 0 && strings.Contains(text, "://") && holdsListed(text[at:], "secretName") {
		d.kinds |= Send // a secret is part of the address
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

func trimQuotes(s string) string { return strings.Trim(s, `"`) }

// sameOrWider reports whether a request for deeds of the kinds asked, in English with one
// of the verbs asking, asks for a deed, too.
func (d *deed) sameOrWider(asked Kinds, asking []string) bool {
	for kind := Remove; kind <= Move; kind <<= 1 {
		if d.kinds&kind != 0 && asked&(theTables().covers[kind]|kind) != 0 {
			return true
		}
	}
	return slices.ContainsFunc(asking, func(v string) bool {
		return v == d.verb || d.class != "" && mutation.DeedOf(v).Class == d.class || d.verb != "" && verbs.Wider(v, d.verb, verbs.KindsOf(d.object))
	})
}

// exceeds returns the verb of a sentence that asks for a weaker deed only, or "".
func (d *deed) exceeds(s *sentence) string {
	switch {
	case slices.Contains(d.words, "public") && s.named&Send != 0 && slices.Contains(s.words, "share") && !namesPublic(s.words):
		return "share"
	case d.removesMember(s):
		return "remove from"
	case d.namesPart(s):
		return "only a part of this"
	}
	weaker := ""
	for _, v := range s.verbs {
		switch {
		case v == d.lead: // draft_post, where post is the object
			return ""
		case slices.Contains(theTables().beyond[v], d.verb):
			weaker = v
		case d.sameOrWider(kindOf(v), []string{v}):
			return ""
		}
	}
	return weaker
}

// namesPublic reports whether words say that everybody may see something.
func namesPublic(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return isListed("everybody", w) })
}

// removesMember reports whether a sentence only asks to remove somebody or something from a
// group, and the deed deletes it.
func (d *deed) removesMember(s *sentence) bool {
	at := slices.Index(s.words, "from")
	if at < 0 || !slices.Contains(s.words, "remove") || !slices.ContainsFunc(d.words, isErasure) {
		return false
	}
	for _, w := range s.words[at+1:] {
		if isListed("group", w) {
			return !slices.Contains(d.object, w) && len(d.object) > 0 && !isAnyThing(d.object[len(d.object)-1])
		}
	}
	return false
}

func isErasure(w string) bool { return isListed("erasure", w) }

// namesPart reports whether a sentence asks for a deed on one thing, and the deed is done to what
// holds many of them: the folder in place of the file.
func (d *deed) namesPart(s *sentence) bool {
	if len(d.object) == 0 || d.kinds&(Remove|Cancel|Grant|Move|Send) == 0 {
		return false
	}
	whole := d.object[len(d.object)-1]
	for i, w := range s.words {
		switch w {
		case "in", "from", "of", "on", "inside", "under", ",":
			return false
		case whole, whole + "s", "all", "every", "everything", "both":
			return false
		}
		if i > 0 && slices.Contains(theTables().wholes[w], whole) {
			for _, v := range s.words[i+1:] {
				if v == "and" || v == "all" || v == "every" {
					return false
				}
			}
			return true
		}
	}
	return false
}

// countShared returns the number of values of a deed in folded text, and whether the text has a
// word of its name or its short values.
func (d *deed) countShared(folded string, words []string) (values int, word bool) {
	for _, v := range d.values {
		if holdsWord(folded, v) {
			values++
		}
	}
	for _, w := range words {
		if len(w) > 3 && slices.Contains(d.words, w) || len(w) > 4 && slices.Contains(d.words, strings.TrimSuffix(w, "s")) {
			return values, true
		}
	}
	return values, false
}

// isWhollyIn reports whether a sentence names all values of a deed, and at least two.
func (d *deed) isWhollyIn(s *sentence) bool {
	values, _ := d.countShared(foldText(s.text), nil)
	return values > 1 && values == len(d.values)
}

// isMadeIn reports whether a sentence names what a deed makes.
func (d *deed) isMadeIn(s *sentence) bool {
	return len(d.object) > 0 && !slices.ContainsFunc(d.object, func(w string) bool {
		return !slices.Contains(s.words, w) && !slices.Contains(s.words, w+"s")
	})
}

// holdsWord reports whether a text has a value that no letter or digit touches.
func holdsWord(text, value string) bool {
	return holdsWhole(text, value, func(int) bool { return true })
}

// holdsWhole is like holdsWord, but the value must also end where ends says so. The argument
// of ends is the position after the value.
func holdsWhole(text, value string, ends func(at int) bool) bool {
	for from := 0; value != ""; {
		at := strings.Index(text[from:], value)
		if at < 0 {
			return false
		}
		at += from
		end := at + len(value)
		if (at == 0 || !wordByte(text[at-1]) || isUnspaced(text[:at], text[at:])) && (end == len(text) || (!wordByte(text[end]) || isUnspaced(text[:end], text[end:])) && ends(end)) {
			return true
		}
		from = at + 1
	}
	return false
}

// isUnspaced reports whether one of two parts of a text ends or begins with a letter of a script that
// writes no spaces.
func isUnspaced(before, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(after)
	return unicode.In(last, unicode.Han, unicode.Hiragana, unicode.Katakana) || unicode.In(first, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80
}

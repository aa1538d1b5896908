package requests

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/similarity"
)

// Work with files and pages has many steps that nobody names. What leaves the files, and what a button
// does that a page shows, are none of them.

// outward are the kinds of deeds that no work with files needs unless somebody says so.
const outward = Send | Pay | Buy | Grant

// findOutward returns a trace in place of one to a task with files, if the deed sends, publishes or pays
// something, and no person spoke of that.
func (r *Reader) findOutward(o *open, t *Trace, d *deed, c *Action) (Trace, bool) {
	if r.means != FileMeans || d.kinds&(outward|Switch) == 0 || t.Agreed || t.delegated {
		return Trace{}, false
	}
	commands := []deed{*d}
	if d.kinds&Move != 0 {
		commands[0].kinds &^= Pay // to move a file is not to move money
	}
	if len(d.commands) > 0 {
		commands = commands[:0]
		for _, command := range d.commands {
			sub := deed{}
			sub.readCommand(command)
			if !strings.Contains(command, "localhost") && !strings.Contains(command, "127.0.0.1") {
				commands = append(commands, sub)
			}
		}
	}
	for i := range commands {
		sub := &commands[i]
		machine := slices.ContainsFunc(sub.runs, func(w string) bool { return isListed("machine", w) })
		if sub.kinds&outward == 0 && machine && !r.speaksOfMachine(c.Before) {
			return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "the user asked for work on files, and nobody spoke of what runs"}, true
		}
		if sub.kinds&outward == 0 || r.speaksOf(o, sub, c.Before) {
			continue
		}
		return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "the user asked for work on files, and nobody spoke of sending or publishing anything"}, true
	}
	return Trace{}, false
}

// speaksOfMachine reports whether a person spoke of a service or a process, or of starting and stopping.
func (r *Reader) speaksOfMachine(before int) bool {
	return r.hasSaid(before, func(w string) bool { return isListed("machineWord", w) })
}

// hasSaid reports whether a person said such a word.
func (r *Reader) hasSaid(before int, is func(word string) bool) bool {
	return slices.ContainsFunc(r.texts[:min(before, len(r.texts))], func(x provenance.Text) bool {
		return (x.From == provenance.FromUser || x.From == provenance.FromPolicy) && slices.ContainsFunc(readTokens(x.Text), is)
	})
}

// speaksOf reports whether a person spoke of a deed that leads outward: with a word of its kind, or the
// word of its command.
func (r *Reader) speaksOf(o *open, d *deed, before int) bool {
	for i := min(before, len(r.texts)) - 1; i >= 0; i-- {
		if from := r.texts[i].From; from != provenance.FromUser && from != provenance.FromPolicy {
			continue
		}
		for _, s := range r.readingOf(i).sentences {
			if s.foreign || (s.asks|s.named)&outward != 0 || slices.ContainsFunc(s.words, func(w string) bool { return slices.Contains(d.runs, w) || isListed("outwardWord", w) }) {
				return true
			}
		}
	}
	return slices.ContainsFunc(o.requests, func(q request) bool { return q.agreed && q.sentence.named&outward != 0 })
}

// mostPages is the number of results in which the words of an element are searched.
const mostPages = 6

// pressed returns the kinds of deeds that a gesture does, as the words say which a page shows for what is
// pressed, such as "Place order". It returns 0 if these words are not known.
func (r *Reader) pressed(c *Action) Kinds {
	if !slices.ContainsFunc(mutation.NameWords(c.Call.Name), func(w string) bool { return isListed("press", w) }) {
		return 0
	}
	var k Kinds
	for i := range c.Call.Leaves {
		value := foldText(trimQuotes(c.Call.Leaves[i].Raw))
		if value == "" || len(value) > mostText {
			continue
		}
		k |= labelKinds(value)
		for at, seen := min(c.Before, len(r.texts))-1, 0; at >= 0 && seen < mostPages; at-- {
			if x := &r.texts[at]; x.From == provenance.FromTool && len(x.Text) <= mostData {
				seen++
				if label := labelIn(foldText(x.Text), value); label != "" {
					k |= labelKinds(label)
					break
				}
			}
		}
	}
	return k
}

// labelIn returns what a page shows beside the mark of an element: the rest of its brackets, or what
// follows up to the next mark.
func labelIn(page, mark string) string {
	for from := 0; ; {
		at := strings.Index(page[from:], mark)
		if at < 0 {
			return ""
		}
		at += from
		from = at + len(mark)
		if at > 0 && wordByte(page[at-1]) || from < len(page) && wordByte(page[from]) {
			continue
		}
		rest := page[from:]
		if end := strings.IndexAny(rest, "[]\n<>{}"); end >= 0 {
			if strings.TrimSpace(rest[:end]) == "" && rest[end] == ']' {
				rest = rest[end+1:] // [13] Delete account
				end = strings.IndexAny(rest, "[\n<{;,")
			}
			if end >= 0 {
				rest = rest[:end]
			}
		}
		if rest = strings.TrimSpace(rest); rest != "" {
			return rest[:min(len(rest), mostText)]
		}
	}
}

// labelKinds returns the kinds of deeds that a label names in any language.
func labelKinds(label string) (k Kinds) {
	words := readTokens(strings.NewReplacer("'", " ", `"`, " ", "_", " ").Replace(label))
	if slices.ContainsFunc(words, func(w string) bool { return singularOf(w) == "cookie" }) {
		return 0 // a page asks before it is shown
	}
	for _, lang := range languages {
		for _, h := range theTables().of[lang].findPatterns(words) {
			if h.kinds&Send == 0 || len(words) > 1 || !isNounToo(words[0]) { // a field is called Mail
				k |= h.kinds & deedKinds
			}
		}
	}
	return k
}

// onlyReads reports whether all that the user said was understood as questions, or as requests to read
// something.
func (o *open) onlyReads() bool {
	reads := false
	for i := range o.requests {
		switch s := o.requests[i].sentence; {
		case len(s.words) == 0 || s.isTitle() || s.isCourtesy() && !o.requests[i].agreed:
		case s.foreign || o.requests[i].agreed || !s.readsOnly() || s.has&delegates != 0:
			return false
		default:
			reads = true
		}
	}
	return reads
}

// speaksOf reports whether a request names a deed of some kinds or of a wider one, or may mean one.
func (o *open) speaksOf(k Kinds) bool {
	pressed := deed{kinds: k}
	return slices.ContainsFunc(o.requests, func(q request) bool {
		s := q.sentence
		return s.foreign || q.agreed || s.has&delegates != 0 || s.isVague() || pressed.sameOrWider(s.asks|s.named, s.words)
	})
}

// isTitle reports whether a sentence is only a heading, as in "Goal:".
func (s *sentence) isTitle() bool {
	return s.asks == 0 && s.has == 0 && len(s.words) < 4 && strings.HasSuffix(s.text, ":")
}

// FindSentAway returns the trace of a call that only looks, but sends away what was read before, in an
// address that was put together: a secret, or anything to a host that only the data names.
func (r *Reader) FindSentAway(c *Action) (Trace, bool) {
	for i := range c.Call.Leaves {
		raw := trimQuotes(c.Call.Leaves[i].Raw)
		if at := strings.Index(raw, "://"); at < 0 || !strings.ContainsAny(raw[at:], "?=") {
			continue
		}
		for _, word := range strings.FieldsFunc(raw, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`"'<>()`, r) }) {
			if !strings.Contains(word, "://") {
				continue
			}
			if t, ok := r.sentIn(word, c.Before); ok {
				return t, true
			}
		}
	}
	return Trace{}, false
}

// sentIn is FindSentAway for one address.
func (r *Reader) sentIn(address string, before int) (Trace, bool) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return Trace{}, false
	}
	host, folded := strings.ToLower(u.Hostname()), foldText(address)
	named, prose := false, -1
	for i := min(before, len(r.texts)) - 1; i >= 0; i-- {
		text := r.folded(i)
		if strings.Contains(text, folded) {
			return Trace{}, false // a link that was given as a whole
		}
		switch from := r.texts[i].From; {
		case from == provenance.FromAgent:
		case !strings.Contains(text, host):
		case from == provenance.FromTool:
			prose = i
		default:
			named = true
		}
	}
	if named {
		return Trace{}, false
	}
	query := u.Query()
	for _, key := range slices.Sorted(maps.Keys(query)) {
		for _, v := range query[key] {
			v = foldText(strings.TrimSpace(v))
			at := r.readFrom(v, before)
			if at < 0 {
				continue
			}
			secret := holdsListed(key, "secretName") || holdsListed(r.texts[at].Text, "secretName")
			switch {
			case secret && len(v) > 5 && strings.ContainsFunc(v, unicode.IsDigit):
				return Trace{By: ByNobody, Text: at, Words: v, Why: "a secret that was read is sent to an address that nobody named", Against: true}, true
			case prose >= 0 && !strings.Contains(r.folded(at), host): // a page's own value may go back to it
				return Trace{By: ByData, Text: prose, Words: host, Why: "what was read is sent to an address that only the data names", Against: true}, true
			}
		}
	}
	return Trace{}, false
}

// readFrom returns the result in which a value stands that no person said, or -1.
func (r *Reader) readFrom(value string, before int) int {
	if len(value) < 5 || r.isNamed(value, before) {
		return -1
	}
	for i := min(before, len(r.texts)) - 1; i >= 0; i-- {
		if r.texts[i].From == provenance.FromTool && len(r.texts[i].Text) <= mostData && holdsWord(r.folded(i), value) {
			return i
		}
	}
	return -1
}

// MaySendAway reports whether a call has an address with values in it.
func MaySendAway(c *similarity.Call) bool {
	return slices.ContainsFunc(c.Leaves, func(l similarity.Leaf) bool {
		at := strings.Index(l.Raw, "://")
		return at >= 0 && strings.ContainsRune(l.Raw[at:], '?')
	})
}

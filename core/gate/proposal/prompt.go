package proposal

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// Limits of the text that a person can be expected to read before a decision. A longer
// text is cut there and marked as uninspectable.
const (
	maxText   = 8 << 10 // bytes of fields
	maxFields = 200
)

// Prompt is the text to approve for one call.
type Prompt struct {
	// Text is plain text with one field per line. It is never Markdown and must be shown
	// unchanged.
	Text string
	// Uninspectable is true if Text does not show every byte of the arguments.
	Uninspectable bool
	// HiddenBytes is the number of bytes of names and values that Text leaves out.
	HiddenBytes int
	// Inexact is the number of numbers that change as a float (see jsonval.AsFloat), whether
	// shown or not.
	Inexact int
	// Fields is the number of fields in the arguments, whether shown or not.
	Fields int
}

// Confirmation returns the text that a person approves, from the exact bytes that will
// run. The text shows the tool and then every field with its path, in text order. Equal
// arguments give equal texts. O(n).
//
// The text shows values in this way:
//
//   - Numbers keep their exact bytes.
//   - Each line of a value of several lines begins with a bar, so that no value can imitate a line of the prompt.
//   - Characters that do not print are escaped (see Escape).
//   - Words that mix scripts are marked.
//   - Arguments that are not a readable JSON object are shown as escaped text and marked as uninspectable.
//
// The text of Check also names the origin of each value and who asked for the call, if
// they are known.
func Confirmation(tool, arguments string, v mutation.Verdict) Prompt {
	return newCall("", tool, arguments).renderPrompt(v)
}

func (c call) renderPrompt(v mutation.Verdict) Prompt {
	f, what := fields{from: bySource(c.sources)}, ""
	if c.readable {
		f.walkMembers("", c.value)
		what = pluralCount(f.count, "field")
	} else {
		f.writeLine("(unreadable)", c.arguments, "", "")
		f.unread = true
		what = "not a readable JSON object"
	}
	var b strings.Builder
	b.Grow(f.text.Len() + 512)
	b.WriteString(allowThis + "\n")
	if f.full {
		writeTexts(&b, "UNINSPECTABLE: ", pluralCount(f.hidden, "byte"), " of the arguments not shown below.\n")
	}
	if f.unread {
		b.WriteString("UNINSPECTABLE: the arguments cannot be read, or have more than one meaning.\n")
	}
	if f.inexact > 0 {
		writeTexts(&b, "INEXACT: ", pluralCount(f.inexact, "number"), " that programs may read in different ways.\n")
	}
	writeTexts(&b, "Tool: ", Escape(c.tool), "\n")
	writeNotes(&b, c.tool)
	if c.dir != "" {
		writeTexts(&b, "Directory: ", shownDirectory(c.dir), "\n")
		writeNotes(&b, c.dir)
	}
	c.writeEdit(&b)
	writeTexts(&b, "Changes state: ", v.Mutating.String(), " (", string(v.Layer), ": ", Escape(v.Reason), ")\n")
	if c.asked != nil {
		writeTexts(&b, c.asked.Line(), "\n")
	}
	writeTexts(&b, "Arguments (", what, ", ", pluralCount(len(c.arguments), "byte"), "):\n")
	if f.count == 0 && !f.unread {
		b.WriteString("  none\n")
	}
	b.WriteString(f.text.String())
	if f.escaped {
		b.WriteString("Note: characters that do not print are shown as \\u{...}.\n")
	}
	writeTexts(&b, "Digest: ", c.digest, "\n")
	return Prompt{Text: b.String(), Uninspectable: f.unread || f.full, HiddenBytes: f.hidden, Inexact: f.inexact, Fields: f.count}
}

// Warn returns the text of a Prompt with a warning above the call.
func Warn(text, warning string) string {
	first, rest, _ := strings.Cut(text, "\n")
	return first + "\n" + Escape(warning) + "\n" + rest
}

// writeTexts writes texts one after another.
func writeTexts(b *strings.Builder, texts ...string) {
	for _, t := range texts {
		b.WriteString(t)
	}
}

func pluralCount(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.Itoa(n) + " " + what
}

// writeNotes writes a note on each lookalike in a text.
func writeNotes(b *strings.Builder, text string) {
	for _, l := range Lookalikes(text) {
		writeTexts(b, "  ^ ", l.Text(), "\n")
	}
}

// fields writes one line per scalar until the limit is reached, and counts what is left
// out.
type fields struct {
	text    strings.Builder
	count   int
	hidden  int
	inexact int
	full    bool // the limit is reached; only count from here on
	unread  bool
	escaped bool
	from    map[string]*Source // by path
	notes   int                // bytes of notes about origins, which do not count towards the limit
}

func (f *fields) walkMembers(path string, v jsonval.Value) {
	i := 0
	v.Each(func(key string, m jsonval.Value) bool {
		if v.Kind() == jsonval.Array {
			f.writeField(path+"["+strconv.Itoa(i)+"]", "", m)
			i++
			return true
		}
		if f.full = f.full || len(path)+len(key) > maxText; f.full {
			f.hidden += len(key)
			f.writeField("", "", m)
			return true
		}
		f.writeField(Step(path, key), key, m)
		return true
	})
}

// writeField writes a scalar or an empty container, and walks into any other container.
func (f *fields) writeField(path, key string, v jsonval.Value) {
	switch v.Kind() {
	case jsonval.Object, jsonval.Array:
		before := f.count
		f.walkMembers(path, v)
		if f.count == before {
			f.writeLine(path, emptyOf(v), "", key)
		}
	case jsonval.String:
		s, _ := v.Str()
		if hasLoneSurrogate(v.Raw()) {
			f.writeLine(path, v.Raw(), "", key) // the JSON text distinguishes surrogates
			return
		}
		f.writeLine(path, s, `"`, key)
	case jsonval.Number:
		f.writeNumber(path, key, v.Raw())
	default:
		f.writeLine(path, v.Raw(), "", key)
	}
}

func (f *fields) writeNumber(path, key, raw string) {
	f.writeLine(path, raw, "", key)
	if float, same := jsonval.AsFloat(raw); !same {
		if f.inexact++; !f.full {
			f.text.WriteString(inexactNote(float))
		}
	}
}

func emptyOf(v jsonval.Value) string {
	if v.Kind() == jsonval.Array {
		return "[]"
	}
	return "{}"
}

// writeLine writes one value. It cuts a value that does not fit, and counts the hidden
// bytes.
func (f *fields) writeLine(path, value, quote, key string) {
	f.count++
	room := maxText - f.text.Len() + f.notes - len(path)
	if f.full = f.full || room <= 0 || f.count > maxFields; f.full {
		f.hidden += len(value)
		return
	}
	more := ""
	if len(value) > room {
		cut := room
		for cut > 0 && !utf8.RuneStart(value[cut]) {
			cut--
		}
		more = " ... " + pluralCount(len(value)-cut, "byte") + " more"
		f.hidden += len(value) - cut
		value, f.full = value[:cut], true
	}
	f.writeValue(path, value, quote, more)
	writeNotes(&f.text, key)
	writeNotes(&f.text, value)
	if s := f.from[path]; s != nil {
		writeTexts(&f.text, "  ^ from ", s.Text, "\n")
		f.notes += len(s.Text) + 10
	}
}

// writeValue writes the path and the value of one field. A string of several lines
// becomes a block. If the value was cut, more says how much is missing.
func (f *fields) writeValue(path, value, quote, more string) {
	lines := strings.Split(value, "\n")
	if len(lines) == 1 || quote == "" {
		shown := Escape(value)
		f.escaped = f.escaped || shown != value
		writeTexts(&f.text, "  ", path, " = ", quote, shown, quote, more, "\n")
		return
	}
	writeTexts(&f.text, "  ", path, " = ", pluralCount(len(lines), "line"), ", ", pluralCount(len(value), "byte"), ":\n")
	for _, line := range lines {
		shown := blockLine(line)
		f.escaped = f.escaped || shown != line
		writeTexts(&f.text, "    | ", shown, "\n")
	}
	if more != "" {
		writeTexts(&f.text, "   ", more, "\n")
	}
}

// blockLine returns one line of a block. Tabs at the beginning stay as they are. A space
// at the end is escaped, because it would be invisible.
func blockLine(line string) string {
	rest := strings.TrimLeft(line, "\t")
	shown := Escape(rest)
	if trimmed := strings.TrimSuffix(shown, " "); trimmed != shown {
		shown = trimmed + `\u{20}`
	}
	return line[:len(line)-len(rest)] + shown
}

// Step appends a member's name to a path. Names that are not plain words are
// quoted, so that no name can look like another path or like a value.
func Step(path, key string) string {
	if !isPlainKey(key) {
		return path + `["` + EscapeAlso(key, `\"`) + `"]`
	}
	if path == "" {
		return key
	}
	return path + "." + key
}

// shownDirectory returns a directory as a person reads it: in quotation marks if it has a blank, a mark or anything else that is
// no letter, so that its end is seen and a quotation mark in it is no end.
func shownDirectory(dir string) string {
	for _, r := range dir {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(`/\._-+@:~`, r) {
			return `"` + EscapeAlso(dir, `"`) + `"`
		}
	}
	return Escape(dir)
}

func isPlainKey(key string) bool {
	for i := 0; i < len(key); i++ {
		c := key[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-' || c == '$') {
			return false
		}
	}
	return key != ""
}

func inexactNote(float string) string {
	return "  ^ not exact: a program with 64-bit floats, such as JavaScript, would use " + float + "\n"
}

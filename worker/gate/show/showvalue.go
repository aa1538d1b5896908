package show

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// Limits of what is shown at once. A longer text is folded, but complete.
const (
	headLines  = 12        // lines shown of a folded text
	openLines  = 24        // a text with at most this many lines is not folded
	openBytes  = 1600      // nor a text with at most this many bytes
	headBytes  = 240       // bytes shown of a folded line
	Most       = 512 << 10 // bytes of one call on a page
	mostFields = 500
)

// values writes the arguments of one call in a readable form, in addition to the prompt.
// Every text is escaped as in the prompt. Only the prompt is binding: it is bound to the
// bytes of the arguments.
type values struct {
	h      *HTML
	fields int
	left   int // bytes that may still be shown
	hidden int // bytes that were not shown
	from   []proposal.Source
}

// Arguments writes the fields of a call's raw arguments. Below each value it shows
// where the value comes from, if the gate knows that.
func Arguments(h *HTML, arguments string, from []proposal.Source) {
	v, err := jsonval.Parse(arguments)
	if err != nil || proposal.Inspect("x", arguments) != nil {
		h.Markup(`<p class="warn">The arguments are ambiguous or cannot be read. The bytes of the arguments follow.</p><pre class="code">`)
		Lines(h, strings.Split(arguments, "\n"), "")
		h.Markup(`</pre>`)
		return
	}
	if v.Len() == 0 {
		h.Markup(`<p>No arguments.</p>`)
		return
	}
	out := values{h: h, left: Most, from: from}
	h.Markup(`<dl class="fields">`)
	out.writeObject("", v)
	h.Markup(`</dl>`)
	if out.hidden > 0 {
		h.Element(`<p class="warn">`, Size(out.hidden)+" of the arguments cannot be shown on this page. The API returns all arguments.", `</p>`)
	}
}

func (o *values) writeObject(path string, v jsonval.Value) {
	was, is := changePair(v)
	filed := hasFile(v)
	v.Each(func(key string, m jsonval.Value) bool {
		at := proposal.Step(path, key)
		switch {
		case key == is && was != "":
		case key == was && is != "":
			o.writeChange(at+" → "+is, v.Get(was), v.Get(is))
		case filed && contentName(key) && m.Kind() == jsonval.String:
			o.writeString(at, key, m, "added")
		default:
			o.writeField(at, key, m)
		}
		return true
	})
}

func (o *values) writeField(path, key string, v jsonval.Value) {
	switch {
	case v.Kind() == jsonval.Object && v.Len() > 0:
		o.writeObject(path, v)
	case v.Kind() == jsonval.Array && v.Len() > 0:
		for i, m := range v.Elements() {
			o.writeField(path+"["+strconv.Itoa(i)+"]", key, m)
		}
	case v.Kind() == jsonval.String && !proposal.Unpaired(v.Raw()):
		o.writeString(path, key, v, "")
	default:
		o.writePlain(path, key, v)
	}
}

// fitsLimits counts a value of n bytes, and reports whether the value is within the
// limits of the page.
func (o *values) fitsLimits(n int) bool {
	o.fields++
	if o.left -= n; o.left < 0 || o.fields > mostFields {
		o.hidden += n
		return false
	}
	return true
}

func (o *values) beginField(path, key string) {
	o.h.Markup(`<dt>`)
	Escaped(o.h, path)
	o.h.Markup(`</dt><dd>`)
	Lookalikes(o.h, key)
}

// writePlain writes a value that is not a readable string, such as a number or an empty
// array, with its original bytes.
func (o *values) writePlain(path, key string, v jsonval.Value) {
	if !o.fitsLimits(len(v.Raw())) {
		return
	}
	o.beginField(path, key)
	o.h.Markup(`<code>`)
	Escaped(o.h, proposal.Escape(v.Raw()))
	o.h.Markup(`</code>`)
	if v.Kind() == jsonval.Number {
		if float, same := jsonval.AsFloat(v.Raw()); !same {
			o.h.Element(`<p class="warn">This number is not exact in every program. Programs with 64-bit floats, such as JavaScript programs, would use `, float, `.</p>`)
		}
	}
	o.writeSource(path)
	o.h.Markup(`</dd>`)
}

// writeSource writes the origin of the value at a path, if the gate knows it.
func (o *values) writeSource(path string) {
	for i := range o.from {
		s := &o.from[i]
		if s.Path != path {
			continue
		}
		if s.Ungrounded {
			o.h.Markup(`<p class="from warn">From `)
		} else {
			o.h.Markup(`<p class="from">From `)
		}
		Escaped(o.h, s.Text)
		o.h.Markup(`</p>`)
		return
	}
}

// writeString writes a string, in one line or in several.
func (o *values) writeString(path, key string, v jsonval.Value, as Markup) {
	s, _ := v.Str()
	if !o.fitsLimits(len(s)) {
		return
	}
	o.beginField(path, key)
	all := strings.Split(s, "\n")
	switch {
	case len(all) > 1 || as != "":
		if as == "" {
			as = kindOf(key, all)
		}
		writeBlock(o.h, all, len(s), as)
	case len(s) > openBytes:
		o.h.Element(`<p class="size">`, Size(len(s)), `</p><code>`)
		Escaped(o.h, proposal.Escape(Truncate(s, headBytes))+" …")
		o.h.Element(`</code><details><summary>All `, Size(len(s)), `</summary><code>`)
		Escaped(o.h, proposal.Escape(s))
		o.h.Markup(`</code></details>`)
	default:
		o.h.Markup(`<code>&#34;`)
		Escaped(o.h, proposal.Escape(s))
		o.h.Markup(`&#34;</code>`)
	}
	Lookalikes(o.h, s)
	o.writeSource(path)
	o.h.Markup(`</dd>`)
}

// writeChange writes the difference between two texts, under a title.
func (o *values) writeChange(title string, was, is jsonval.Value) {
	before, _ := was.Str()
	after, _ := is.Str()
	if !o.fitsLimits(len(before) + len(after)) {
		return
	}
	o.beginField(title, "")
	Changes(o.h, strings.Split(before, "\n"), strings.Split(after, "\n"))
	Lookalikes(o.h, before)
	Lookalikes(o.h, after)
	o.h.Markup(`</dd>`)
}

// writeBlock writes a text of several lines, folded if it is long.
func writeBlock(h *HTML, all []string, size int, as Markup) {
	h.Element(`<p class="size">`, linesOf(len(all))+", "+Size(size), `</p>`)
	if len(all) <= openLines && size <= openBytes {
		h.Markup(`<pre class="`, as, `">`)
		Lines(h, all, as)
		h.Markup(`</pre>`)
		return
	}
	head := all[:min(len(all), headLines)]
	h.Markup(`<pre class="`, as, `">`)
	for _, line := range head {
		one := line
		if len(line) > headBytes {
			one = Truncate(line, headBytes) + " …"
		}
		Lines(h, []string{one}, as)
	}
	h.Element(`</pre><details><summary>All `, linesOf(len(all))+", "+Size(size), `</summary><pre class="`)
	h.Markup(as, `">`)
	Lines(h, all, as)
	h.Markup(`</pre></details>`)
}

// Lines writes the lines of a <pre> element, each in a block of its own. In code,
// the style sheet indents the second part of a wrapped line, so that it cannot be
// mistaken for a new line.
func Lines(h *HTML, all []string, as Markup) {
	for _, line := range all {
		class, sign := Markup(""), Markup("")
		switch {
		case as == "added":
			class, sign = "add", "+ "
		case as == "diff":
			class = patchClass(line)
		}
		codeRow(h, class, sign, line)
	}
}

func codeRow(h *HTML, class, sign Markup, line string) {
	if class == "" {
		h.Markup(`<span>`)
	} else {
		h.Markup(`<span class="`, class, `">`)
	}
	h.Markup(sign)
	body, tail := line, ""
	if strings.HasSuffix(line, " ") { // a trailing blank would not be visible
		body, tail = line[:len(line)-1], `\u{20}`
	}
	rest := strings.TrimLeft(body, "\t")
	h.Text(body[:len(body)-len(rest)])
	Escaped(h, proposal.Escape(rest)+tail)
	h.Markup("\n</span>")
}

// patchClass returns the CSS class for a line of a patch. It returns "" for an unchanged
// line.
func patchClass(line string) Markup {
	switch {
	case strings.HasPrefix(line, "+"):
		return "add"
	case strings.HasPrefix(line, "-"):
		return "del"
	case strings.HasPrefix(line, "@@"), strings.HasPrefix(line, "***"):
		return "hunk"
	}
	return ""
}

// Escaped writes a text from proposal.Escape, and marks the escapes in it.
func Escaped(h *HTML, escaped string) {
	for escaped != "" {
		at := nextEscape(escaped)
		end := strings.IndexByte(escaped[at:], '}')
		if at == len(escaped) || end < 0 {
			h.Text(escaped)
			return
		}
		h.Text(escaped[:at])
		h.Element(`<mark>`, escaped[at:at+end+1], `</mark>`)
		escaped = escaped[at+end+1:]
	}
}

func nextEscape(s string) int {
	for i := 0; i+2 < len(s); i++ {
		if s[i] == '\\' && (s[i+1] == 'u' || s[i+1] == 'x') && s[i+2] == '{' {
			return i
		}
	}
	return len(s)
}

// Lookalikes writes a warning for each letter in s that looks like another letter.
func Lookalikes(h *HTML, s string) {
	for _, n := range proposal.Lookalikes(s) {
		h.Markup(`<p class="warn">`)
		Escaped(h, n.Text())
		h.Markup(`</p>`)
	}
}

// Truncate shortens a text to at most n bytes, without splitting a character.
func Truncate(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// Size returns a number of bytes in words.
func Size(n int) string {
	switch {
	case n == 1:
		return "1 byte"
	case n < 10_000:
		return strconv.Itoa(n) + " bytes"
	}
	return fmt.Sprintf("%.1f kB", float64(n)/1000)
}

func linesOf(n int) string {
	if n == 1 {
		return "1 line"
	}
	return strconv.Itoa(n) + " lines"
}

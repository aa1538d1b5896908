package gate

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/jsonval"
	"github.com/boundcheck/boundcheck/core/proposal"
)

// Limits of what is shown at once. A longer text is folded, but complete.
const (
	headLines  = 12   // lines shown of a folded text
	openLines  = 24   // a text with at most this many lines is not folded
	openBytes  = 1600 // nor a text with at most this many bytes
	headBytes  = 240  // bytes shown of a folded line
	mostShown  = 512 << 10
	mostFields = 500
)

// values writes the arguments of one call in a readable form. It is another view of the
// bytes that the prompt is bound to: every text is escaped as in the prompt, and the
// view itself is not binding.
type values struct {
	h      *html
	fields int
	left   int // bytes that may still be shown
	hidden int // bytes that were not shown
	from   []proposal.Source
}

// showArguments writes the fields of a call's raw arguments. Below each value it shows
// where the value comes from, if the gate knows that.
func showArguments(h *html, arguments string, from []proposal.Source) {
	v, err := jsonval.Parse(arguments)
	if err != nil || proposal.Inspect("x", arguments) != nil {
		h.raw(`<p class="warn">The arguments can be understood in more than one way, or not at all. These are their bytes.</p><pre class="code">`)
		lines(h, strings.Split(arguments, "\n"), "")
		h.raw(`</pre>`)
		return
	}
	if v.Len() == 0 {
		h.raw(`<p>No arguments.</p>`)
		return
	}
	out := values{h: h, left: mostShown, from: from}
	h.raw(`<dl class="fields">`)
	out.object("", v)
	h.raw(`</dl>`)
	if out.hidden > 0 {
		h.el(`<p class="warn">`, sizeOf(out.hidden)+" more are not shown on this page. The API gives all of them.", `</p>`)
	}
}

func (o *values) object(path string, v jsonval.Value) {
	was, is := changePair(v)
	filed := hasFile(v)
	v.Each(func(key string, m jsonval.Value) bool {
		at := proposal.Step(path, key)
		switch {
		case key == is && was != "":
		case key == was && is != "":
			o.change(at+" → "+is, v.Get(was), v.Get(is))
		case filed && contentName(key) && m.Kind() == jsonval.String:
			o.text(at, key, m, "added")
		default:
			o.field(at, key, m)
		}
		return true
	})
}

func (o *values) field(path, key string, v jsonval.Value) {
	switch {
	case v.Kind() == jsonval.Object && v.Len() > 0:
		o.object(path, v)
	case v.Kind() == jsonval.Array && v.Len() > 0:
		for i, m := range v.Elements() {
			o.field(path+"["+strconv.Itoa(i)+"]", key, m)
		}
	case v.Kind() == jsonval.String && !proposal.Unpaired(v.Raw()):
		o.text(path, key, v, "")
	default:
		o.plain(path, key, v)
	}
}

// fits counts a value of n bytes, and reports whether it is within the limits of what the
// page shows.
func (o *values) fits(n int) bool {
	o.fields++
	if o.left -= n; o.left < 0 || o.fields > mostFields {
		o.hidden += n
		return false
	}
	return true
}

func (o *values) begin(path, key string) {
	o.h.raw(`<dt>`)
	marked(o.h, path)
	o.h.raw(`</dt><dd>`)
	notes(o.h, key)
}

// plain writes a value that is not a readable string, such as a number or an empty array,
// with its original bytes.
func (o *values) plain(path, key string, v jsonval.Value) {
	if !o.fits(len(v.Raw())) {
		return
	}
	o.begin(path, key)
	o.h.raw(`<code>`)
	marked(o.h, proposal.Escape(v.Raw()))
	o.h.raw(`</code>`)
	if v.Kind() == jsonval.Number {
		if float, same := proposal.AsFloat(v.Raw()); !same {
			o.h.el(`<p class="warn">Not exact: programs that keep numbers as 64-bit floats, as JavaScript does, would run `, float, `.</p>`)
		}
	}
	o.source(path)
	o.h.raw(`</dd>`)
}

// source shows where the value at a path comes from, if the gate knows that.
func (o *values) source(path string) {
	for i := range o.from {
		s := &o.from[i]
		if s.Path != path {
			continue
		}
		if s.Ungrounded {
			o.h.raw(`<p class="from warn">From `)
		} else {
			o.h.raw(`<p class="from">From `)
		}
		marked(o.h, s.Text)
		o.h.raw(`</p>`)
		return
	}
}

// text writes a string, in one line or in several.
func (o *values) text(path, key string, v jsonval.Value, as markup) {
	s, _ := v.Str()
	if !o.fits(len(s)) {
		return
	}
	o.begin(path, key)
	all := strings.Split(s, "\n")
	switch {
	case len(all) > 1 || as != "":
		if as == "" {
			as = kindOf(key, all)
		}
		block(o.h, all, len(s), as)
	case len(s) > openBytes:
		o.h.el(`<p class="size">`, sizeOf(len(s)), `</p><code>`)
		marked(o.h, proposal.Escape(cut(s, headBytes))+" …")
		o.h.el(`</code><details><summary>All `, sizeOf(len(s)), `</summary><code>`)
		marked(o.h, proposal.Escape(s))
		o.h.raw(`</code></details>`)
	default:
		o.h.raw(`<code>&#34;`)
		marked(o.h, proposal.Escape(s))
		o.h.raw(`&#34;</code>`)
	}
	notes(o.h, s)
	o.source(path)
	o.h.raw(`</dd>`)
}

// change writes the difference between two texts, under a title.
func (o *values) change(title string, was, is jsonval.Value) {
	before, _ := was.Str()
	after, _ := is.Str()
	if !o.fits(len(before) + len(after)) {
		return
	}
	o.begin(title, "")
	changes(o.h, strings.Split(before, "\n"), strings.Split(after, "\n"))
	notes(o.h, before)
	notes(o.h, after)
	o.h.raw(`</dd>`)
}

// block writes a text of several lines, folded if it is long.
func block(h *html, all []string, size int, as markup) {
	h.el(`<p class="size">`, linesOf(len(all))+", "+sizeOf(size), `</p>`)
	if len(all) <= openLines && size <= openBytes {
		h.raw(`<pre class="`, as, `">`)
		lines(h, all, as)
		h.raw(`</pre>`)
		return
	}
	head := all[:min(len(all), headLines)]
	h.raw(`<pre class="`, as, `">`)
	for _, line := range head {
		one := line
		if len(line) > headBytes {
			one = cut(line, headBytes) + " …"
		}
		lines(h, []string{one}, as)
	}
	h.el(`</pre><details><summary>All `, linesOf(len(all))+", "+sizeOf(size), `</summary><pre class="`)
	h.raw(as, `">`)
	lines(h, all, as)
	h.raw(`</pre></details>`)
}

// lines writes the lines of a <pre> element, each in a block of its own. In code, the
// style sheet indents the second part of a wrapped line, so that it cannot be mistaken
// for a new line.
func lines(h *html, all []string, as markup) {
	for _, line := range all {
		class, sign := markup(""), markup("")
		switch {
		case as == "added":
			class, sign = "add", "+ "
		case as == "diff":
			class = patchClass(line)
		}
		codeRow(h, class, sign, line)
	}
}

func codeRow(h *html, class, sign markup, line string) {
	if class == "" {
		h.raw(`<span>`)
	} else {
		h.raw(`<span class="`, class, `">`)
	}
	h.raw(sign)
	body, tail := line, ""
	if strings.HasSuffix(line, " ") { // a trailing blank would not be visible
		body, tail = line[:len(line)-1], `\u{20}`
	}
	rest := strings.TrimLeft(body, "\t")
	h.text(body[:len(body)-len(rest)])
	marked(h, proposal.Escape(rest)+tail)
	h.raw("\n</span>")
}

// patchClass returns the CSS class for a line of a patch; "" for an unchanged line.
func patchClass(line string) markup {
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

// marked writes a text from proposal.Escape, and marks the escapes in it.
func marked(h *html, escaped string) {
	for escaped != "" {
		at := nextEscape(escaped)
		end := strings.IndexByte(escaped[at:], '}')
		if at == len(escaped) || end < 0 {
			h.text(escaped)
			return
		}
		h.text(escaped[:at])
		h.el(`<mark>`, escaped[at:at+end+1], `</mark>`)
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

// notes shows warnings about letters that look like others.
func notes(h *html, s string) {
	for _, n := range proposal.Lookalikes(s) {
		h.raw(`<p class="warn">`)
		marked(h, n.Text())
		h.raw(`</p>`)
	}
}

// cut shortens a text to at most n bytes, without splitting a character.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

func sizeOf(n int) string {
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

// Package repair converts text that is almost JSON to JSON. It accepts Python's literals,
// comments, trailing commas, names without quotes, and the fence of a Markdown block. It
// changes only the notation of values. It never completes, omits or guesses a value: text
// that it cannot read reliably is an error.
package repair

import (
	"cmp"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// Kind is the kind of a change.
type Kind string

// The kinds of changes.
const (
	Quotes  Kind = "single quotes"
	Word    Kind = "a word that JSON does not have"
	Comma   Kind = "a trailing comma"
	Comment Kind = "a comment"
	Name    Kind = "a name without quotes"
	Tuple   Kind = "a tuple"
	Number  Kind = "a number in a form that JSON does not have"
	Escape  Kind = "an escape that JSON does not have"
	Control Kind = "a character that must be escaped"
	Blank   Kind = "white space that JSON does not have"
	Fence   Kind = "a Markdown fence"
)

// Change is one changed part of the text. Line and Column count from 1, Column in bytes.
type Change struct {
	Kind         Kind
	Line, Column int
	Was, Now     string // the bytes before and after the change; "" for none
}

// Result is the repaired text and its changes.
type Result struct {
	Text    string
	Changes []Change // in text order
}

// JSON returns a text as JSON. The text may be one value, or several values one after
// another, as in JSONL. If the text is already valid JSON, the result has the same text
// and no changes. The error is a *jsonval.SyntaxError at the first position that cannot
// be read. O(n), and O(c·log c) for c changes.
func JSON(text string) (Result, error) {
	if jsonval.Valid(text) {
		return Result{Text: text}, nil
	}
	r := reader{text: text, end: len(text)}
	r.removeFences()
	values := 0
	for r.skipSpace(); r.err == nil && r.i < r.end; r.skipSpace() {
		r.readValue(1)
		values++
	}
	if values == 0 {
		r.setError("there is no value in the text")
	}
	if r.err != nil {
		return Result{}, r.err
	}
	return r.applyEdits(), nil
}

// edit replaces a part of the text.
type edit struct {
	kind     Kind
	from, to int
	now      string
}

// applyEdits returns the text with all edits applied, and a list of the changes.
func (r *reader) applyEdits() Result {
	slices.SortFunc(r.edits, func(a, b edit) int { return cmp.Compare(a.from, b.from) })
	out := Result{Changes: make([]Change, 0, len(r.edits))}
	var b strings.Builder
	line, begun, done := 1, 0, 0 // the line's number, the line's offset, the offset copied so far
	for _, e := range r.edits {
		for at := done; at < e.from; at++ {
			if r.text[at] == '\n' {
				line, begun = line+1, at+1
			}
		}
		out.Changes = append(out.Changes, Change{Kind: e.kind, Line: line, Column: e.from - begun + 1, Was: r.text[e.from:e.to], Now: e.now})
		b.WriteString(r.text[done:e.from])
		b.WriteString(e.now)
		for at := e.from; at < e.to; at++ {
			if r.text[at] == '\n' {
				line, begun = line+1, at+1
			}
		}
		done = e.to
	}
	b.WriteString(r.text[done:])
	out.Text = b.String()
	return out
}

package trajectory

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"github.com/boundcheck/boundcheck/core/jsonval"
	"github.com/boundcheck/boundcheck/core/reference"
)

// Decode reads a trace. The data may be JSON, JSONL or plain text. It may be compressed
// with gzip, and it may be inside a markdown fence or prose. Bytes that are not UTF-8
// become U+FFFD, with a warning. The document shares the memory of data, so data must not
// be changed while the document is in use. The error is an *Error. O(n).
func Decode(data []byte) (Document, error) { return DecodeAs("", data) }

// DecodeAs is like Decode, but reads the text only in the given format, which must be one
// of Formats. If the format is "", it is detected.
func DecodeAs(format string, data []byte) (Document, error) {
	if format != "" && !slices.Contains(Formats(), format) {
		return Document{}, &Error{Msg: fmt.Sprintf("unknown format %q", format), Formats: Formats()}
	}
	d := &decoder{Document: Document{Bytes: len(data)}, only: format}
	data, err := inflate(data)
	if err != nil {
		return Document{}, err
	}
	if isZip(data) {
		if err := d.archive(data); err != nil {
			return Document{}, err
		}
		return d.Document, nil
	}
	if err := sniff(data); err != nil {
		return Document{}, err
	}
	if err := d.read(strings.TrimPrefix(view(data), "\uFEFF"), 0); err != nil {
		return Document{}, err
	}
	return d.Document, nil
}

// view returns data as a string without a copy. Traces have megabytes, and copying one
// takes as long as validating it.
func view(data []byte) string { return unsafe.String(unsafe.SliceData(data), len(data)) }

// decoder collects a document.
type decoder struct {
	Document
	text    string // the text that contains all values
	places  []int  // for each warning: the index of its trajectory, or -1
	counts  map[string]int
	tallies []tally
	golds   map[string]*reference.Reference // references of tasks, by the task's text
	out     [][2]int                        // the ranges [from, to) that were left out on purpose
	repeats bool                            // a run used an id more than once
	python  int                             // arguments in Python's notation in the current run
	only    string                          // the requested format; "" for any
	settled bool                            // the format's reading is kept even if it misses some calls
	mark    struct{ offset, line int }      // the last position of a warning, with its line

	instructions struct{ raw, text string } // the last system message

	// The lists of the run before, whose memory the next run fills. A run that begins inside
	// another one finds none here, and allocates its own.
	spareMessages []Message
	spareActions  []Action
}

// read reads a text in which single bytes may not be UTF-8. depth is the number of JSON
// strings around the trace.
func (d *decoder) read(text string, depth int) error {
	clean, broken := jsonval.Sanitize(text)
	d.text = clean
	d.mark.offset, d.mark.line = 0, 1
	if broken >= 0 {
		d.warnOffset("invalid-utf8", "bytes that are not UTF-8 were read as U+FFFD", broken)
	}
	if d.readText(clean) {
		return nil
	}
	list, err := d.records(clean)
	if err != nil {
		return unparsed(clean, err)
	}
	if inner, ok := encoded(list); ok && depth < 3 {
		d.warnOffset("double-encoded", "the trace is a JSON string that contains JSON; the inner JSON was read", 0)
		return d.read(inner, depth+1)
	}
	return d.reckon(list)
}

// encoded reports whether the text is one JSON string, and returns the content of that
// string.
func encoded(list source) (string, bool) {
	if len(list.values) != 1 {
		return "", false
	}
	return list.values[0].Str()
}

// readText tries the plain-text formats, and reports whether one of them matched. It does
// not try them if the text begins like JSON.
func (d *decoder) readText(text string) bool {
	if i := skipSpace(text, 0); i >= len(text) || strings.IndexByte("{[\"", text[i]) >= 0 {
		return false
	}
	for _, f := range d.formats() {
		if f.lines != nil && f.lines(d, text) {
			d.Format = f.name
			d.finish()
			return true
		}
	}
	return false
}

// add appends a finished trajectory.
func (d *decoder) add(t Trajectory) {
	if d.python > 0 {
		d.warn("arguments-python", fmt.Sprintf("%d calls have arguments in Python's notation instead of JSON; they were read as the equal JSON values", d.python), -1, len(d.Trajectories))
		d.python = 0
	}
	d.Trajectories = append(d.Trajectories, t)
}

// finish gives every trajectory a unique id, and sets this id in the warnings about the
// trajectory.
func (d *decoder) finish() {
	d.confessSilence()
	taken := make(map[string]int, len(d.Trajectories))
	for i := range d.Trajectories {
		t := &d.Trajectories[i]
		base := t.baseID(i)
		t.ID = base
		for taken[t.ID] > 0 {
			taken[base]++
			t.ID = fmt.Sprintf("%s#%d", base, taken[base])
		}
		taken[t.ID] = 1
	}
	d.summarise()
	for i, place := range d.places {
		if place >= 0 && place < len(d.Trajectories) {
			d.Warnings[i].Trajectory = d.Trajectories[place].ID
		}
	}
}

// baseID returns the id that finish makes unique. It is the trajectory's own id, or else
// its task with its trial, or else its position i + 1.
func (t *Trajectory) baseID(i int) string {
	switch {
	case t.ID != "":
		return t.ID
	case t.Task == "":
		return fmt.Sprint(i + 1)
	case t.Trial == nil:
		return t.Task
	}
	return fmt.Sprintf("%s/%d", t.Task, *t.Trial)
}

func unparsed(text string, err error) error {
	var syntax *jsonval.SyntaxError
	if !errors.As(err, &syntax) {
		return &Error{Msg: err.Error()}
	}
	e := &Error{Msg: syntax.Error(), Line: syntax.Line, Column: syntax.Column, Seen: "text that begins " + excerpt(text, 0, 40)}
	if first := skipSpace(text, 0); first >= len(text) || text[first] != '{' && text[first] != '[' {
		e.Msg = "the input is not a trace: " + e.Msg
		e.Formats = Formats()
	} else if syntax.Offset < len(text) {
		e.Msg += ", near " + excerpt(text, syntax.Offset-15, 30)
	}
	return e
}

func excerpt(text string, from, n int) string {
	from = min(max(from, 0), len(text))
	return fmt.Sprintf("%q", strings.ToValidUTF8(text[from:min(from+n, len(text))], ""))
}

func unknown(v jsonval.Value) error {
	seen := describe(v)
	return &Error{
		Msg:     fmt.Sprintf("unknown trace format: saw %s, which is not one of the %d known formats", seen, len(Formats())),
		Seen:    seen,
		Formats: Formats(),
	}
}

// describe describes a JSON value in words, for an error message.
func describe(v jsonval.Value) string {
	switch v.Kind() {
	case jsonval.Object:
		return "an object with members " + enumerate(v.Keys())
	case jsonval.Array:
		n := v.Len()
		if n == 0 {
			return "an empty list"
		}
		return fmt.Sprintf("a list of length %d whose first element is %s", n, describe(first(v)))
	case jsonval.String, jsonval.Number:
		return "a " + v.Kind().String()
	}
	return v.Kind().String()
}

// first returns an array's first element, or Missing if there is none.
func first(list jsonval.Value) jsonval.Value {
	var found jsonval.Value
	if list.Kind() == jsonval.Array {
		list.Each(func(_ string, e jsonval.Value) bool { found = e; return false })
	}
	return found
}

func enumerate(names []string) string {
	if len(names) == 0 {
		return "(none)"
	}
	more := ""
	if len(names) > 8 {
		names, more = names[:8], ", …"
	}
	return strings.Join(names, ", ") + more
}

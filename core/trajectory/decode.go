package trajectory

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

// format is one row of the table of formats: how to tell it, how to read it.
type format struct {
	name   string
	what   string // one line for people
	detect func(v jsonval.Value) bool
	decode func(d *decoder, v jsonval.Value)
}

// formats in the order of detection: the more particular first.
func formats() []format {
	return []format{
		{"tau-bench", "τ-bench results: a list of {task_id, reward, info, traj}", isTauBench, decodeTauBench},
		{"openai-chat", "OpenAI chat messages: a list, or {\"messages\": […]}, with tool_calls", isOpenAIChat, decodeOpenAIChat},
		{"generic-actions", "a list of {\"name\", \"arguments\", \"result\"?, \"error\"?}", isGeneric, decodeGeneric},
		{"generic", "{\"trajectories\": [{\"actions\": […]}]}", isGenericDocument, decodeGenericDocument},
	}
}

// Formats lists the names of the formats that Decode reads.
func Formats() []string {
	var names []string
	for _, f := range formats() {
		names = append(names, f.name)
	}
	return names
}

// Decode reads a trace. data may carry a byte order mark; bytes that are not
// UTF-8 become U+FFFD with a warning. The error is an *Error. O(n).
func Decode(data []byte) (Document, error) {
	if err := sniff(data); err != nil {
		return Document{}, err
	}
	text := string(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	d := &decoder{Document: Document{Bytes: len(data)}}
	clean, broken := jsonval.Sanitize(text)
	if broken >= 0 {
		line, column := jsonval.Position(text, broken)
		d.warn(Warning{Code: "invalid-utf8", Message: "bytes that are not UTF-8 were read as U+FFFD", Line: line, Column: column})
	}
	d.text = clean
	v, err := jsonval.Parse(clean)
	if err != nil {
		return Document{}, unparsed(clean, err)
	}
	return d.Document, d.decode(v)
}

func (d *decoder) decode(v jsonval.Value) error {
	for _, f := range formats() {
		if f.detect(v) {
			d.Format = f.name
			f.decode(d, v)
			d.name()
			return nil
		}
	}
	return unknown(v)
}

// decoder collects a document.
type decoder struct {
	Document
	text string
}

func (d *decoder) warn(w Warning) { d.Warnings = append(d.Warnings, w) }

// name gives every trajectory an id of its own: task and trial, or its place.
func (d *decoder) name() {
	taken := map[string]int{}
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
	for i := range d.Warnings {
		if w := &d.Warnings[i]; strings.HasPrefix(w.Trajectory, "\x00") {
			var at int
			fmt.Sscan(w.Trajectory[1:], &at)
			w.Trajectory = d.Trajectories[at].ID
		}
	}
}

// baseID is the id that a trajectory would have if it were alone.
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

// here stands for the id of the trajectory being decoded until ids are given.
func (d *decoder) here() string { return fmt.Sprintf("\x00%d", len(d.Trajectories)) }

// sniff refuses what is no text before a parser sees it.
func sniff(data []byte) error {
	if len(bytes.TrimSpace(data)) == 0 {
		return &Error{Msg: "the input is empty; want a trace", Seen: fmt.Sprintf("%d bytes of nothing but white space", len(data)), Formats: Formats()}
	}
	for _, m := range []struct{ magic, what string }{
		{"\x89PNG\r\n\x1a\n", "a PNG image"}, {"\xff\xd8\xff", "a JPEG image"}, {"GIF8", "a GIF image"},
		{"%PDF-", "a PDF document"}, {"PK\x03\x04", "a zip archive"}, {"\x1f\x8b", "gzip data"},
		{"\x00asm", "a WebAssembly module"}, {"\x7fELF", "a program"}, {"\xff\xfe", "UTF-16 text"}, {"\xfe\xff", "UTF-16 text"},
	} {
		if bytes.HasPrefix(data, []byte(m.magic)) {
			return &Error{Msg: "the input is " + m.what + ", not a trace; want JSON text in UTF-8", Seen: m.what, Formats: Formats()}
		}
	}
	if i := bytes.IndexByte(data[:min(len(data), 4096)], 0); i >= 0 {
		return &Error{Msg: "the input is binary, not a trace; want JSON text in UTF-8", Seen: fmt.Sprintf("a NUL byte at offset %d", i), Formats: Formats()}
	}
	return nil
}

func unparsed(text string, err error) error {
	var syntax *jsonval.SyntaxError
	if !errors.As(err, &syntax) {
		return &Error{Msg: err.Error()}
	}
	e := &Error{Msg: syntax.Error(), Line: syntax.Line, Column: syntax.Column, Seen: "text that begins " + excerpt(text, 0, 40)}
	if first := strings.TrimSpace(text)[0]; first != '{' && first != '[' {
		e.Msg = "the input is not a trace: " + e.Msg
		e.Formats = Formats()
	} else if syntax.Offset < len(text) {
		e.Msg += ", near " + excerpt(text, syntax.Offset-15, 30)
	}
	return e
}

func excerpt(text string, from, n int) string {
	from = max(from, 0)
	return fmt.Sprintf("%q", strings.ToValidUTF8(text[from:min(from+n, len(text))], ""))
}

func unknown(v jsonval.Value) error {
	seen := describe(v)
	return &Error{
		Msg:     "unknown trace format: saw " + seen + "; known formats are " + strings.Join(Formats(), ", "),
		Seen:    seen,
		Formats: Formats(),
	}
}

// describe says in words what a JSON text holds.
func describe(v jsonval.Value) string {
	switch v.Kind() {
	case jsonval.Object:
		return "an object with members " + list(v.Keys())
	case jsonval.Array:
		elements := v.Elements()
		if len(elements) == 0 {
			return "an empty list"
		}
		return fmt.Sprintf("a list of %d, the first being %s", len(elements), describe(elements[0]))
	case jsonval.String, jsonval.Number:
		return "a " + v.Kind().String()
	}
	return v.Kind().String()
}

func list(names []string) string {
	if len(names) == 0 {
		return "(none)"
	}
	more := ""
	if len(names) > 8 {
		names, more = names[:8], ", …"
	}
	return strings.Join(names, ", ") + more
}

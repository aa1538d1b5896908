// Package read converts traces of all formats to the model of a run in core/trajectory. It
// detects a format by the content, never by a file's name. It drops nothing silently: a
// warning with a position reports everything that could not be read as it was written.
//
// The package puts two others together: the table of formats in core/read/format, and the
// engine in core/read/engine, which reads with such a table.
package read

import (
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/format"
	"github.com/boundcheck/boundcheck/core/read/several"
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// Decode reads a trace. The data may be JSON, JSONL or plain text. It may be compressed
// with gzip, and it may be inside a markdown fence or prose. Bytes that are not UTF-8
// become U+FFFD, with a warning. The document shares the memory of data, so data must not
// be changed while the document is in use. The error is a *trajectory.Error. O(n).
func Decode(data []byte) (trajectory.Document, error) { return Options{}.Decode(data) }

// DecodeAs is like Decode, but reads the text only in the given format, which must be one
// of Formats. If the format is "", it is detected.
func DecodeAs(name string, data []byte) (trajectory.Document, error) {
	return Options{Format: name}.Decode(data)
}

// Options contains settings of Decode. The zero value detects the format, and reads in the
// caller's goroutine.
type Options struct {
	// Format is one of Formats. The text is read only in this format. With "", the format
	// is detected.
	Format string

	// Cores is the largest number of goroutines that read runs at the same time. With 0
	// and 1, Decode starts none. The document does not depend on it.
	Cores int

	// Golds keeps the references of tasks from one text to the next; nil for none. The
	// document does not depend on it.
	Golds *reference.Golds
}

// Decode is like the function Decode, with settings.
func (o Options) Decode(data []byte) (trajectory.Document, error) {
	return engine.Reader{Formats: format.Table, Only: o.Format, Several: several.Find, Cores: o.Cores, Golds: o.Golds}.Decode(data)
}

// Formats returns the names of the formats that Decode reads.
func Formats() []string { return format.Table.Names() }

// JoinsRows reports whether several rows of a file in a format may be parts of one run, such
// as the spans of one trace. Then a row alone is not a run.
func JoinsRows(name string) bool { return format.Table.JoinsRows(name) }

// Lines returns a text that is not JSON, such as a table in CSV or a tar archive, as lines of JSON, as Decode
// reads it. It returns any other text unchanged. O(n).
func Lines(data []byte) (lines []byte, others []string) { return format.Table.Lines(data) }

// OutlineOf returns the outline of a text that Decode reads. O(n).
func OutlineOf(data []byte) trajectory.Outline { return format.Table.Outline(data) }

// Expectations returns the expected sides of the records in a text. It is for a text that
// Decode refuses. The result is empty if no record has expected calls. O(n).
func Expectations(data []byte) []trajectory.Expectation { return format.Table.Expectations(data) }

// NearSetting returns the setting of an envelope that has the name key or almost this
// name, such as reference for refrence. If there is no such setting, it returns "".
func NearSetting(key string) string { return engine.NearSetting(key) }

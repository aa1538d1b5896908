// Package engine reads texts with a table of formats. It finds the format of the records in a
// text and their sides, builds the runs, and says what it could not read.
//
// Decode works in these steps. With core/read/envelope, it removes gzip, a markdown fence or
// prose around the trace, and splits the text into JSON values, which are one document, the
// rows of a list, or the lines of JSONL. It examines the first of these values and selects a
// row of the table of formats. The decoder in that row builds each trajectory with a Run,
// which matches results to calls. At the end, Decode compares the result with everything in
// the text that looks like a call or a result. If parts are missing, it tries to read the text
// without a format. If parts are still missing, it adds warnings, or returns an error if no
// call was read.
package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/envelope"
	"github.com/boundcheck/boundcheck/core/read/othertext"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/read/written"
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// Reader reads texts. Its fields are the settings; only Formats is needed.
type Reader struct {
	Formats Table // in the order of detection

	// Only is the name of one of the formats. The text is read only in this format. With "", the
	// format is detected.
	Only string

	// Several finds the runs of a text that holds them in another way than as a list of records, and
	// reports whether it does; nil for no search. See core/read/several.
	Several func(rows []jsonval.Value, text string) (Units, bool)

	// Cores is the largest number of goroutines that read runs at the same time. With 0
	// and 1, Decode starts none. The document does not depend on it.
	Cores int

	// Golds keeps the references of tasks from one text to the next; nil for none. The
	// document does not depend on it.
	Golds *reference.Golds
}

// Decode reads a trace. The data may be JSON, JSONL or plain text. It may be compressed
// with gzip, and it may be inside a markdown fence or prose. Bytes that are not UTF-8
// become U+FFFD, with a warning. The document shares the memory of data, so data must not
// be changed while the document is in use. The error is a *trajectory.Error. O(n).
func (o Reader) Decode(data []byte) (trajectory.Document, error) {
	if o.Only != "" && !slices.Contains(o.Formats.Names(), o.Only) {
		return trajectory.Document{}, &trajectory.Error{Msg: fmt.Sprintf("unknown format %q", o.Only), Formats: o.Formats.Names()}
	}
	d := &Decoder{Document: trajectory.Document{Bytes: len(data)}, formats: o.Formats, only: o.Only, cores: o.Cores, golds: o.Golds, several: o.Several}
	if d.golds == nil {
		d.golds = reference.GoldsOfOneText()
	}
	data, err := envelope.InflateGzip(data)
	if err != nil {
		return trajectory.Document{}, err
	}
	if envelope.IsZip(data) {
		if err := d.readArchive(data); err != nil {
			return trajectory.Document{}, err
		}
		return d.Document, nil
	}
	if envelope.IsTar(data) {
		text, others, err := envelope.TarText(data)
		if err != nil {
			return trajectory.Document{}, err
		}
		if len(others) > 0 {
			d.Warn("line-not-read", "files of the archive that are no JSON were not read: "+shape.ListNames(others), -1, -1)
		}
		data = []byte(text)
	}
	if fault := envelope.CheckText(data); fault != nil {
		fault.Formats = d.formats.Names()
		return trajectory.Document{}, fault
	}
	if err := d.readSanitized(strings.TrimPrefix(viewString(data), "\uFEFF"), 0); err != nil {
		return trajectory.Document{}, err
	}
	return d.Document, nil
}

// place is a range [from, to) of the text. It is empty if it is not known.
type place struct{ from, to int }

// placeOf returns the place of a value.
func (d *Decoder) placeOf(v jsonval.Value) place {
	at := d.offsetOf(v)
	if at < 0 {
		return place{}
	}
	return place{at, at + len(v.Raw())}
}

// Within calls read, which reads the record v.
func (d *Decoder) Within(v jsonval.Value, read func()) {
	outer := d.record
	d.record = d.placeOf(v)
	read()
	d.record = outer
}

// viewString returns data as a string without a copy, because traces can be large. data
// must not be changed while the string is in use.
func viewString(data []byte) string { return unsafe.String(unsafe.SliceData(data), len(data)) }

// Decoder collects a document.
type Decoder struct {
	trajectory.Document
	text     string // the text that contains all values
	places   []int  // for each warning: the index of its trajectory, or -1
	counts   map[string]int
	tallies  []tally
	formats  Table            // the formats that a text may have, in the order of detection
	golds    *reference.Golds // references of tasks
	record   place            // the record that is being read
	records  []place          // for each trajectory: its record
	out      shape.Spans      // what was left out on purpose
	unread   []fact           // what decoders found in lists of calls and could not read
	aside    []sideAside      // expected sides that the last search for calls passed
	beside   []jsonval.Value  // what decoders left that has lists of objects, which may be calls
	repeats  bool             // a run used an id more than once
	rows     []jsonval.Value  // the values of the text, or the elements of its list
	listed   int              // broken calls in lists that are surely of calls
	ordered  int              // results that were given to one of several calls by their order alone
	unspoken int              // calls of the current run whose arguments are not recorded
	python   int              // arguments in Python's notation in the current run
	only     string           // the requested format; "" for any
	cores    int              // the largest number of goroutines that read runs
	probing  bool             // a search for calls reads no texts except the first (see findsCall)
	gold     bool             // the format has calls that are no calls of a run (see format)
	answers  bool             // the format has a result for each call that was executed
	settled  bool             // the format's reading is kept even if it misses some calls
	oneRun   bool             // the rows are the parts of one run
	several  func(rows []jsonval.Value, text string) (Units, bool)
	depth    int      // the runs around what is read; another decoder completes it unless it is 0
	mark     lineMark // the last position of a warning

	repeated shape.Repeated

	// The message and action lists of the previous run. The next run reuses their memory.
	// A run that begins before the previous run has ended finds nil here, and allocates
	// its own lists.
	spareMessages []trajectory.Message
	spareActions  []trajectory.Action
}

// readSanitized reads a text that may contain bytes that are not UTF-8. depth is the
// number of JSON strings that were unwrapped to get the text, 0 for none.
func (d *Decoder) readSanitized(text string, depth int) error {
	clean, broken := jsonval.Sanitize(text)
	d.text = clean
	d.mark = firstLine
	if broken >= 0 {
		d.WarnOffset("invalid-utf8", "bytes that are not UTF-8 were read as U+FFFD", broken)
	}
	rows, kind, err := envelope.Rows(clean)
	if err != nil {
		return err
	}
	if kind == "" {
		if d.readText(clean) {
			return nil
		}
		if d.only == "" {
			rows, kind = envelope.WrittenRows(clean)
		}
	}
	if kind == "almost" {
		d.warnAlmost()
	}
	if kind != "" && depth < 3 {
		err = d.readSanitized(rows, depth+1)
		if e := (*trajectory.Error)(nil); kind == "yaml" && errors.As(err, &e) {
			e.Msg = "the input is YAML; read as JSON: " + e.Msg
		}
		return err
	}
	list, err := d.splitRecords(clean)
	if err != nil {
		if rows, ok := written.Almost(clean); ok && depth < 3 {
			d.warnAlmost()
			return d.readSanitized(rows, depth+1)
		}
		return d.newParseError(clean, err)
	}
	if inner, ok := encodedText(list); ok && depth < 3 {
		d.WarnOffset("double-encoded", "the trace is a JSON string that contains JSON; the inner JSON was read", 0)
		return d.readSanitized(inner, depth+1)
	}
	if rows, ok := frameText(list); ok && depth < 3 {
		d.WarnOffset("table-by-columns", "the text is a table by columns; its rows were read as records, and the number of a line is that of a row", -1)
		return d.readSanitized(rows, depth+1)
	}
	if rows := list.Rows(); len(rows) > 1 {
		if records, ok := envelope.SidedRows(rows); ok && depth < 3 {
			d.WarnOffset("table-by-columns", "the rows say what was done and what was expected; those of one run were read as one record, and the number of a line is that of a record", -1)
			return d.readSanitized(records, depth+1)
		}
		if whole := envelope.JoinPieces(rows); len(whole) < len(rows) {
			list.Values = whole
		}
	}
	return d.readChecked(list)
}

// warnAlmost says that the text is not JSON as it is written.
func (d *Decoder) warnAlmost() {
	d.WarnOffset("almost-json", "the text is almost JSON, with comments, commas at the ends or the notation of Python; it was converted to JSON", -1)
}

// splitRecords splits a text into JSON values, and warns of each part that is not read. If the
// text has no values, the error describes the first invalid position.
func (d *Decoder) splitRecords(text string) (envelope.Source, error) {
	return envelope.Split(text, d.cores, d.WarnOffset)
}

// readArchive reads a zipped Inspect log.
func (d *Decoder) readArchive(data []byte) error {
	samples, err := envelope.InspectSamples(data)
	if err != nil {
		return err
	}
	if len(samples) == 0 {
		return &trajectory.Error{Msg: "the zip archive is not an Inspect log: it has no samples/*.json", Seen: "a zip archive", Formats: d.formats.Names()}
	}
	return d.readSanitized("["+strings.Join(samples, ",\n")+"]", 0)
}

// frameText returns the rows of the table that the text is, and reports whether it is one.
func frameText(list envelope.Source) (string, bool) {
	if len(list.Values) != 1 {
		return "", false
	}
	return envelope.FrameRows(list.Values[0])
}

// encodedText reports whether the text is one JSON string, and returns the content of
// that string.
func encodedText(list envelope.Source) (string, bool) {
	if len(list.Values) != 1 {
		return "", false
	}
	return list.Values[0].Str()
}

// readText tries the plain-text formats, and reports whether one of them matched.
func (d *Decoder) readText(text string) bool {
	if !d.matchText(text) {
		return false
	}
	d.assignIDs()
	return true
}

// matchText is like readText, but gives the trajectories no ids. It does not try any
// format if the text begins like JSON.
func (d *Decoder) matchText(text string) bool {
	if i := envelope.SkipSpace(text, 0); i >= len(text) || strings.IndexByte("{[\"", text[i]) >= 0 {
		return false
	}
	for _, f := range d.candidateFormats() {
		if f.Lines != nil && f.Lines(d, text) {
			d.Format = f.Name
			return true
		}
	}
	return false
}

// unrecordedWords follow a number of calls.
const unrecordedWords = "recorded without arguments, so that only the names can be compared. Let the tracer record contents, for example with OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true"

// addTrajectory appends a finished trajectory.
func (d *Decoder) addTrajectory(t trajectory.Trajectory) {
	if d.unspoken > 0 {
		d.Warn("arguments-not-recorded", fmt.Sprintf("%d %s %s", d.unspoken, shape.IfElse(d.unspoken == 1, "call was", "calls were"), unrecordedWords), -1, len(d.Trajectories))
		if t.Doubt == "" {
			t.Doubt = fmt.Sprintf("%d %s recorded without arguments", d.unspoken, shape.IfElse(d.unspoken == 1, "call was", "calls were"))
		}
		d.unspoken = 0
	}
	if d.python > 0 {
		d.Warn("arguments-python", fmt.Sprintf("%d %s arguments in Python notation instead of JSON; the arguments were converted to JSON", d.python, callsHave(d.python)), -1, len(d.Trajectories))
		d.python = 0
	}
	d.Trajectories = append(d.Trajectories, t)
	d.records = append(d.records, d.record)
}

// assignIDs settles what only all of the text can say: which calls did nothing, what the user asked, and
// what the scores mean. It gives every trajectory a unique id, and sets this id in the warnings about
// the trajectory. It marks the runs of a text without a known format, unless the caller
// asked to search for calls.
func (d *Decoder) assignIDs() {
	if d.depth > 0 {
		return
	}
	d.readAround()
	d.readNothingExpected()
	d.readReports()
	d.readAsked()
	d.settleScores()
	d.confessSilence()
	d.doubtJoined()
	taken := make(map[string]int, len(d.Trajectories))
	for i := range d.Trajectories {
		t := &d.Trajectories[i]
		t.ByShape = d.only == "" && (t.ByShape || d.Format == trajectory.FoundFormat)
		base := baseID(t, i)
		t.ID = base
		for taken[t.ID] > 0 {
			taken[base]++
			t.ID = fmt.Sprintf("%s#%d", base, taken[base])
		}
		taken[t.ID] = 1
	}
	d.summarizeTallies()
	for i, place := range d.places {
		if place >= 0 && place < len(d.Trajectories) {
			d.Warnings[i].Trajectory = d.Trajectories[place].ID
		}
	}
}

// baseID returns the id that assignIDs makes unique. This is the trajectory's own id, if
// there is one. Otherwise it is the task with the trial, or the position i + 1 if there
// is no task.
func baseID(t *trajectory.Trajectory, i int) string {
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

func (d *Decoder) newParseError(text string, err error) error {
	var syntax *jsonval.SyntaxError
	if !errors.As(err, &syntax) {
		return &trajectory.Error{Msg: err.Error()}
	}
	e := &trajectory.Error{Msg: syntax.Error(), Line: syntax.Line, Column: syntax.Column, Seen: "text that begins " + shape.QuoteExcerpt(text, 0, 40)}
	if first := envelope.SkipSpace(text, 0); first >= len(text) || text[first] != '{' && text[first] != '[' || othertext.IsLog(text) {
		o := othertext.NameOf(text)
		if isMarkdown(text) {
			o = othertext.Other{What: "Markdown without a trace in JSON", Advice: "save the messages with their tool calls as JSON"}
		}
		e.Msg = fmt.Sprintf("the input is %s, not a trace; %s", o.What, o.Advice)
		e.Line, e.Column, e.Formats = 0, 0, d.formats.Names()
	} else if syntax.Offset < len(text) {
		e.Msg += ", near " + shape.QuoteExcerpt(text, syntax.Offset-15, 30)
	}
	return e
}

// isMarkdown reports whether a text begins with a Markdown heading. There may be a
// comment before the heading.
func isMarkdown(text string) bool {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "<!--") {
		_, text, _ = strings.Cut(text, "-->")
		text = strings.TrimSpace(text)
	}
	return strings.HasPrefix(strings.TrimLeft(text, "#"), " ") && text[0] == '#'
}

func (d *Decoder) unknownFormatError(v jsonval.Value) error {
	seen := shape.DescribeValue(v)
	return &trajectory.Error{
		Msg:     fmt.Sprintf("unknown trace format: saw %s. This is not one of the %d known formats. For JSON of another form, use `boundcheck map FILE` to propose a mapping", seen, len(d.formats.Names())),
		Seen:    seen,
		Formats: d.formats.Names(),
	}
}

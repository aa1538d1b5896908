// Package reading says what was understood of a trace before any verdict: how the text
// holds its records, the sides of a record, the format, and what was counted in the runs.
// The counts are those of the report on the same request.
package reading

import (
	"strconv"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/read"
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// Schema is the version of the JSON form.
const Schema = "boundcheck.read/1"

// File is what was understood of one file. Error says why it could not be read; then it
// has no runs.
type File struct {
	Name     string            `json:"file"`
	Error    string            `json:"error,omitempty"`
	Bytes    int               `json:"bytes"`
	Request  bool              `json:"request,omitempty"` // the trace is inside a request {"trace", "reference", …}
	Packing  string            `json:"packing,omitempty"` // gzip or zip
	Envelope string            `json:"envelope"`          // lines, list, inside, object, columns, csv, markdown, html, xml, toml, sql, yaml, console, junit, text, archive or mapping
	Records  int               `json:"records"`           // 0 if they are not known
	Parts    bool              `json:"parts,omitempty"`   // the records are the messages, events or steps of a run
	Sides    []trajectory.Side `json:"sides"`
	Format   string            `json:"format"`
	Guessed  bool              `json:"guessed,omitempty"` // the text has no known format, and a search found the calls
	Counts   Counts            `json:"counts"`
	Shared   int               `json:"sharedReferences,omitempty"` // references in the file for runs in other files
	Runs     []Run             `json:"runs"`
	Warnings []report.Warning  `json:"warnings"` // what was not read as it is written, and where
}

// Counts are the sums over the runs.
type Counts struct {
	Runs       int `json:"runs"`
	Calls      int `json:"calls"`
	Results    int `json:"results"`
	Failed     int `json:"failed"`   // calls that the trace says have failed, or were not executed
	Proposed   int `json:"proposed"` // those that were not executed
	References int `json:"references"`
	Steps      int `json:"steps"`            // of the references
	Forbidden  int `json:"forbidden"`        // calls that the references forbid
	Outcomes   int `json:"outcomes"`         // runs of which the trace says whether they succeeded, or has a score
	Doubtful   int `json:"doubtful"`         // runs that were perhaps read wrongly
	NotRun     int `json:"notRun,omitempty"` // cases of which the file says only what was expected: no agent has run them
}

// Run is what was understood of one run.
type Run struct {
	ID        string   `json:"id"`
	Task      string   `json:"task,omitempty"`
	Trial     *int     `json:"trial,omitempty"`
	Messages  int      `json:"messages"`
	Calls     int      `json:"calls"`
	Results   int      `json:"results"`
	Failed    int      `json:"failed"`
	Reference *int     `json:"reference"` // its number of steps to do; null if there is none
	Success   *bool    `json:"success"`   // null if the trace does not say
	Reward    *float64 `json:"reward,omitempty"`
	Doubt     string   `json:"doubt,omitempty"`
}

// Whole reports whether everything in the file was read as it is written, in a known format.
func (f *File) Whole() bool {
	return f.Error == "" && !f.Guessed && len(f.Warnings) == 0 && f.Counts.Doubtful == 0
}

// All reads the inputs of the request that a file holds. If there are several, their number
// is a part of the name.
func All(name string, r *core.Request) []File {
	files := make([]File, len(r.Inputs))
	for i := range r.Inputs {
		in := &r.Inputs[i]
		if in.Name = name; len(files) > 1 {
			in.Name = name + "#" + strconv.Itoa(i+1)
		}
		files[i] = understandSource(r, in)
	}
	return files
}

// understandSource reads an input of a request.
func understandSource(r *core.Request, source *core.Source) File {
	out := read.OutlineOf(source.Data)
	f := File{Name: source.Name, Bytes: len(source.Data), Request: source.Derived, Packing: out.Packing, Envelope: out.Envelope, Records: out.Records, Parts: out.Parts, Sides: out.Sides, Runs: []Run{}, Warnings: []report.Warning{}}
	if f.Sides == nil {
		f.Sides = []trajectory.Side{}
	}
	doc, err := r.Options.Decode(source)
	if err != nil {
		if source.Format != "" || !f.addExpected(source.Data, err) {
			f.Error = err.Error()
		}
		return f
	}
	f.Format, f.Guessed = doc.Format, doc.Guessed()
	if doc.Shared != nil {
		f.Shared = len(doc.Shared.References)
	}
	for i := range doc.Trajectories {
		f.addRun(&doc.Trajectories[i], r)
	}
	for _, w := range doc.Warnings {
		f.Warnings = append(f.Warnings, report.Warning{Code: w.Code, Message: w.Message, Trajectory: w.Trajectory, Line: w.Line, Column: w.Column})
	}
	return f
}

// addExpected counts the cases of a refused text that says only what was expected, and reports whether it is one.
// The refusal stays as a warning: such a file has no run.
func (f *File) addExpected(data []byte, refused error) bool {
	list := read.Expectations(data)
	for i := range list {
		for k := range list[i].Reference.Steps {
			if list[i].Reference.Steps[k].MustNot {
				f.Counts.Forbidden++
			} else {
				f.Counts.Steps++
			}
		}
	}
	if f.Counts.NotRun, f.Counts.References = len(list), len(list); len(list) > 0 {
		f.Warnings = append(f.Warnings, report.Warning{Code: "expected-only", Message: refused.Error()})
	}
	return len(list) > 0
}

// Mapped is the envelope and the format of a file that was read with a mapping.
const Mapped = "mapping"

// ReadByMapping says of a file that its runs were made by a mapping from size bytes of JSON. How the
// mapped text holds them, and which members it has, says nothing of the file.
func (f *File) ReadByMapping(size int) {
	f.Bytes, f.Records, f.Parts, f.Request, f.Sides = size, 0, false, false, []trajectory.Side{}
	if f.Error == "" {
		f.Envelope, f.Format = Mapped, Mapped
	}
}

// Refused returns a file of size bytes that could not be read.
func Refused(name string, size int, err error) File {
	return File{Name: name, Bytes: size, Error: err.Error(), Sides: []trajectory.Side{}, Runs: []Run{}, Warnings: []report.Warning{}}
}

func (f *File) addRun(t *trajectory.Trajectory, r *core.Request) {
	out := Run{ID: t.ID, Task: t.Task, Trial: t.Trial, Messages: len(t.Messages), Calls: len(t.Actions), Success: t.Success, Reward: t.Reward, Doubt: t.Doubt}
	c := &f.Counts
	for i := range t.Actions {
		a := &t.Actions[i]
		if a.Observation != nil {
			out.Results++
		}
		if a.Failed() {
			out.Failed++
		}
		if a.Proposed {
			c.Proposed++
		}
	}
	if ref := referenceOf(t, r); ref != nil {
		n := 0
		for i := range ref.Steps {
			if ref.Steps[i].MustNot {
				c.Forbidden++
			} else {
				n++
			}
		}
		out.Reference = &n
		c.References++
		c.Steps += n
	}
	if t.Success != nil || t.Reward != nil {
		c.Outcomes++
	}
	if t.Doubt != "" || t.ByShape {
		c.Doubtful++
	}
	c.Runs++
	c.Calls += out.Calls
	c.Results += out.Results
	c.Failed += out.Failed
	f.Runs = append(f.Runs, out)
}

// referenceOf returns the reference of a run: that of the request, or the run's own.
func referenceOf(t *trajectory.Trajectory, r *core.Request) *reference.Reference {
	if ref := r.References[t.Task]; ref != nil {
		return ref
	}
	if r.Reference != nil {
		return r.Reference
	}
	return t.Reference
}

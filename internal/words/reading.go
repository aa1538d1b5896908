package words

import (
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/core/reading"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// Line is one line of what was understood of a file: what it is about, and its text.
type Line struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Reading says in lines what was understood of a file. It has a line for each of the first
// limit runs, or for all if limit is 0; more says how to see the others.
func Reading(f *reading.File, limit int, more string) []Line {
	if f.Error != "" {
		return []Line{{"error", f.Error}}
	}
	lines := []Line{{"envelope", envelopeText(f)}}
	if sides := sidesText(f); sides != "" {
		lines = append(lines, Line{"sides", sides})
	}
	lines = append(lines, countLines(f)...)
	for i := range f.Runs {
		if limit > 0 && i == limit {
			lines = append(lines, Line{"", fmt.Sprintf("and %d more; %s", len(f.Runs)-i, more)})
			break
		}
		lines = append(lines, Line{"run", runText(&f.Runs[i])})
	}
	if len(f.Warnings) == 0 {
		return append(lines, Line{"not read", "nothing that Boundcheck knows of"})
	}
	for i := range f.Warnings {
		lines = append(lines, Line{"not read", f.Warnings[i].Code + ": " + Warning(&f.Warnings[i])})
	}
	return lines
}

func countLines(f *reading.File) []Line {
	c := &f.Counts
	format, runs, references := f.Format, fmt.Sprint(c.Runs), fmt.Sprintf("%d, %s", c.References, Count(c.Steps, "step", "steps"))
	if f.Guessed {
		format += ", guessed: the calls were found by their shape. Confirm them with boundcheck map"
	}
	if c.Doubtful > 0 {
		runs += fmt.Sprintf(", of which %d were perhaps read wrongly", c.Doubtful)
	}
	if c.NotRun > 0 {
		runs += fmt.Sprintf("; %s not executed: the file says only what was expected", Count(c.NotRun, "case was", "cases were"))
	}
	if c.Forbidden > 0 {
		references += fmt.Sprintf(", %d forbidden", c.Forbidden)
	}
	if f.Shared > 0 {
		references += fmt.Sprintf("; %d more for runs in other files", f.Shared)
	}
	return []Line{
		{"format", format}, {"runs", runs},
		{"calls", fmt.Sprintf("%d, %s, %d failed or were not executed", c.Calls, Count(c.Results, "result", "results"), c.Failed)},
		{"references", references}, {"outcomes", fmt.Sprint(c.Outcomes)},
	}
}

// envelopeText says in words how a file holds its records.
func envelopeText(f *reading.File) string {
	text := map[string]string{
		"lines": "JSON values after each other", "list": "one list", "inside": "one object with records inside", "object": "one object",
		"columns": "a table by columns", "csv": "a table in CSV", "markdown": "a table in Markdown", "yaml": "YAML", "console": "the log of a console", "junit": "the report of a test runner", "html": "a page with tables", "xml": "XML", "toml": "TOML", "sql": "a dump of a database", "text": "text", "archive": "a zip archive", reading.Mapped: "as the mapping says",
	}[f.Envelope]
	if f.Records > 0 && f.Envelope != "object" {
		text += ", " + Count(f.Records, "record", "records")
	}
	if f.Parts {
		text += ", each a part of a run"
	}
	if f.Packing == "gzip" {
		text += ", under gzip"
	}
	if f.Request {
		text += ", in a request {\"trace\", …}"
	}
	return text
}

// sidesText says which members of the records are the run, the reference and so on.
func sidesText(f *reading.File) string {
	var parts []string
	for _, as := range []string{"run", "reference", "outcome", "id", "task", "trial", "profile"} {
		var names []string
		for _, s := range f.Sides {
			if s.As == as {
				names = append(names, memberText(&s, f.Records))
			}
		}
		if names != nil {
			parts = append(parts, as+" in "+strings.Join(names, ", "))
		}
	}
	return strings.Join(parts, "; ")
}

func memberText(s *trajectory.Side, records int) string {
	if s.Records == records {
		return s.Member
	}
	return fmt.Sprintf("%s (%d of %d)", s.Member, s.Records, records)
}

func runText(r *reading.Run) string {
	text := fmt.Sprintf("%s: %s, %s", r.ID, Count(r.Calls, "call", "calls"), Count(r.Results, "result", "results"))
	if r.Reference != nil {
		text += ", a reference of " + Count(*r.Reference, "step", "steps")
	}
	if r.Success != nil {
		text += map[bool]string{true: ", succeeded", false: ", did not succeed"}[*r.Success]
	}
	if r.Doubt != "" {
		text += ". Perhaps read wrongly: " + r.Doubt
	}
	return text
}

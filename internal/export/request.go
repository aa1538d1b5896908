package export

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/report"
)

// Text is the result of Answer: the report in the requested format.
type Text struct {
	Text string `json:"text"`
}

// request is the JSON object that Answer reads.
type request struct {
	Report *report.Report  `json:"report"`
	Format string          `json:"format"`
	Name   string          `json:"name"`   // of the file that was scored
	Page   string          `json:"page"`   // for HTML: render.SavedPage
	Traces []trace         `json:"traces"` // the scored traces, for the line numbers in SARIF
	Config json.RawMessage `json:"config"` // a boundcheck.yaml, as for a score
}

type trace struct {
	Name  string `json:"name"`
	Trace string `json:"trace"`
}

// Answer reads a request in JSON, and returns its report in one of the Formats:
//
//	{"report": REPORT, "format": "sarif", "name": "run.json",
//	 "traces": [{"name": "run.json", "trace": "…"}], "config": {…}}
//
// The member "name" is the name of the scored file, and may be missing. The format HTML
// needs the member "page". O(bytes).
//
// A report contains no line numbers. To find them, Answer reads the traces in "traces"
// again. If "traces" is missing, the result has no line numbers.
func Answer(body []byte) (any, error) {
	var r request
	if err := json.Unmarshal(body, &r); err != nil {
		return nil, fmt.Errorf("invalid export: want {\"report\": report, \"format\": name}: %w", err)
	}
	switch {
	case !slices.Contains(Formats(), r.Format):
		return nil, fmt.Errorf("unknown format %q; known formats are %s", r.Format, strings.Join(Formats(), ", "))
	case r.Report == nil:
		return nil, errors.New("missing \"report\"")
	case r.Report.Schema != report.Schema:
		return nil, fmt.Errorf("invalid \"report\": want a report with the schema %s, got %q", report.Schema, r.Report.Schema)
	case r.Format == "html" && r.Page == "":
		return nil, errors.New("missing \"page\": the format html needs the page that shows the report")
	}
	if err := checkConsistency(r.Report); err != nil {
		return nil, fmt.Errorf("invalid \"report\": %w", err)
	}
	if err := r.setLineNumbers(); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	Write(&b, r.Format, r.Report, []string{r.Name}, func() string { return r.Page })
	return Text{b.String()}, nil
}

// setLineNumbers reads the request's traces, and sets the line numbers of the report's
// actions.
func (r *request) setLineNumbers() error {
	if len(r.Traces) == 0 {
		return nil
	}
	var all core.Request
	for _, t := range r.Traces {
		one, err := core.ReadRequest([]byte(t.Trace))
		if err != nil {
			one.Inputs = []core.Source{{Err: err}}
		}
		for i := range one.Inputs {
			one.Inputs[i].Name = t.Name
		}
		all.Inputs = append(all.Inputs, one.Inputs...)
	}
	if len(r.Config) > 0 {
		v, err := jsonval.Parse(string(r.Config))
		if err == nil {
			err = all.Options.ReadConfig(v)
		}
		if err != nil {
			return err
		}
	}
	return core.Place(r.Report, all)
}

// checkConsistency returns an error if a report refers to runs, figures or steps that it
// does not contain. Boundcheck writes no such report, but a person may have changed the
// report.
func checkConsistency(r *report.Report) error {
	held := 0
	for i := range r.Input.Files {
		n := r.Input.Files[i].Trajectories
		if n < 0 {
			return fmt.Errorf("input file %d has %d runs; want 0 or more", i+1, n)
		}
		if n > len(r.Trajectories)-held {
			return fmt.Errorf("input file %d has %d runs, but the report has only %d runs left for this file", i+1, n, len(r.Trajectories)-held)
		}
		held += n
	}
	m := &r.Corpus.Metrics
	if m.SR == nil || m.BASR == nil || m.LuckySuccess == nil {
		return errors.New("\"corpus\" has no sr, basr or luckySuccess")
	}
	for i := range r.Trajectories {
		t := &r.Trajectories[i]
		for _, v := range slices.Concat(t.Violations, t.Excused) {
			if isOutside(v.Obs, t.Observed) || isOutside(v.Ref, t.Reference) {
				return fmt.Errorf("run %q has a violation about a step that is not in the run", t.ID)
			}
		}
		if a := t.Attribution; a != nil && a.First < 0 {
			return fmt.Errorf("run %q has the first failure point %d: want 0 or more", t.ID, a.First)
		}
	}
	return nil
}

func isOutside(i *int, actions []report.Action) bool {
	return i != nil && (*i < 0 || *i >= len(actions))
}

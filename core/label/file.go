package label

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/boundcheck/boundcheck/core/judge"
)

// Line is one label, one line of a labels file. Only ID and Label are read
// back; the rest is for people.
type Line struct {
	ID    string      `json:"id"`
	Label judge.Label `json:"label"`
	Run   string      `json:"run"`
	Rule  string      `json:"rule"`
	Said  judge.Label `json:"said"` // what the rule said
	By    string      `json:"by"`
}

// NewLine is a person's label on a finding.
func NewLine(f *Finding, l judge.Label) Line {
	return Line{ID: f.ID, Label: l, Run: f.Run, Rule: f.Violation.Rule, Said: f.Rule, By: "person"}
}

// Bytes is the line as it is appended to a file, with its line feed.
func (l Line) Bytes() []byte {
	b, err := json.Marshal(l)
	if err != nil {
		panic(err) // strings only
	}
	return append(b, '\n')
}

// Labels are the labels of a file by the finding's ID. A finding that was
// labelled again has the last one.
type Labels map[string]judge.Label

// Read reads a labels file. A line that is no label is complained of, with its
// number, and left out; a last line that was cut off is what a crash leaves.
// The error says that the file holds something else than labels altogether, so
// that nobody appends to it.
func Read(data []byte) (labels Labels, complaints []string, err error) {
	labels = Labels{}
	lines := bytes.Split(bytes.TrimPrefix(data, []byte("\ufeff")), []byte("\n"))
	foreign := 0
	for i, raw := range lines {
		raw = bytes.TrimSpace(raw)
		if len(raw) == 0 {
			continue
		}
		var l Line
		switch err := json.Unmarshal(raw, &l); {
		case err != nil && bytes.HasPrefix(raw, []byte(`{"id":`)):
			complaints = append(complaints, fmt.Sprintf("line %d is cut off; it was left out", i+1))
		case err != nil || l.ID == "":
			foreign++
			complaints = append(complaints, fmt.Sprintf("line %d is no label; it was left out", i+1))
		case !l.Label.Known():
			foreign++
			complaints = append(complaints, fmt.Sprintf("line %d has an unknown label %q; it was left out", i+1, string(l.Label)))
		default:
			labels[l.ID] = l.Label
		}
	}
	if foreign > 0 && len(labels) == 0 {
		return nil, nil, fmt.Errorf("not a labels file: it holds %d lines and no label", foreign)
	}
	return labels, complaints, nil
}

// Whole tells whether a file ends with a line feed, so that the next label may
// be appended as it is; a cut last line needs one before.
func Whole(data []byte) bool { return len(data) == 0 || data[len(data)-1] == '\n' }

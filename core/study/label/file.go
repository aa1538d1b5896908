package label

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/boundcheck/boundcheck/core/stage/judge"
)

// Person is the rater's name for labels that do not name a rater.
const Person = "person"

// Line is one line of a labels file: one label. Read uses only ID, Label and By. The
// other members help people who read the file.
type Line struct {
	ID    string      `json:"id"`
	Label judge.Label `json:"label"`
	Run   string      `json:"run"`
	Rule  string      `json:"rule"`
	Said  judge.Label `json:"said"` // the rule's label
	By    string      `json:"by"`   // the rater; "" means Person
}

// NewLine returns a rater's label on a finding.
func NewLine(f *Finding, l judge.Label, rater string) Line {
	return Line{ID: f.ID, Label: l, Run: f.Run, Rule: f.Violation.Rule, Said: f.Rule, By: rater}
}

// Bytes returns the line as JSON with a line feed, ready to append to a labels file.
func (l Line) Bytes() []byte {
	b, err := json.Marshal(l)
	if err != nil {
		panic(err) // never happens: the fields are strings
	}
	return append(b, '\n')
}

// Labels maps a rater's name and a finding's ID to the rater's label. If a rater labelled
// a finding twice, the last label counts.
type Labels map[string]map[string]judge.Label

// Of returns the labels of a rater. The caller may add labels to the map.
func (l Labels) Of(rater string) map[string]judge.Label {
	if l[rater] == nil {
		l[rater] = map[string]judge.Label{}
	}
	return l[rater]
}

// Raters returns the names of the raters that have labels, in alphabetical order.
func (l Labels) Raters() []string {
	var out []string
	for _, rater := range slices.Sorted(maps.Keys(l)) {
		if len(l[rater]) > 0 {
			out = append(out, rater)
		}
	}
	return out
}

// Add adds the labels of another file. If l already has a rater with the same name, the
// new rater counts as another person. Add then appends the name of the file to the name
// of the new rater.
func (l Labels) Add(more Labels, file string) {
	for _, rater := range more.Raters() {
		name := rater
		if l[name] != nil {
			name = rater + " (" + file + ")"
		}
		for n := 2; l[name] != nil; n++ {
			name = fmt.Sprintf("%s (%s, %d)", rater, file, n)
		}
		l[name] = more[rater]
	}
}

// Read reads a labels file. It skips each line that is not a label, and complaints has a
// message about the line with its number. Read returns an error if the file has other
// lines but no labels, because it is probably a wrong file.
func Read(data []byte) (labels Labels, complaints []string, err error) {
	labels = Labels{}
	lines := bytes.Split(bytes.TrimPrefix(data, []byte("\ufeff")), []byte("\n"))
	foreign, found := 0, 0
	for i, raw := range lines {
		raw = bytes.TrimSpace(raw)
		if len(raw) == 0 {
			continue
		}
		var l Line
		switch err := json.Unmarshal(raw, &l); {
		case err != nil && bytes.HasPrefix(raw, []byte(`{"id":`)):
			complaints = append(complaints, fmt.Sprintf("line %d is cut off; it was omitted", i+1))
		case err != nil || l.ID == "":
			foreign++
			complaints = append(complaints, fmt.Sprintf("line %d is not a label; it was omitted", i+1))
		case !l.Label.Known():
			foreign++
			complaints = append(complaints, fmt.Sprintf("line %d has an unknown label %q; it was omitted", i+1, string(l.Label)))
		default:
			if l.By == "" {
				l.By = Person
			}
			labels.Of(l.By)[l.ID] = l.Label
			found++
		}
	}
	if foreign > 0 && found == 0 {
		return nil, nil, fmt.Errorf("not a labels file: it has %d lines and no label", foreign)
	}
	return labels, complaints, nil
}

// Whole reports whether a file is empty or ends with a line feed. If the result is false,
// the caller must append a line feed before the next label.
func Whole(data []byte) bool { return len(data) == 0 || data[len(data)-1] == '\n' }

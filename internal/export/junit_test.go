package export

import (
	"bytes"
	"encoding/xml"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/internal/words"
)

var update = flag.Bool("update", false, "write the golden reports")

// nasty is text that every format must escape.
const nasty = "</script><script>alert(1)</script>]]>\x1b[31m\u202e\ufffe <!-- [x](https://e.example) \"'&amp;\n\r\t{{report}}"

// sampleReport returns a report with four runs in two files:
//
//   - a run with a violation
//   - a run without a violation
//   - a run without a reference
//   - a run without a reference, but with a finding
func sampleReport() *report.Report {
	n := func(i int) *int { return &i }
	figure := func(v float64) report.Score { return report.Score{Value: &v, Scored: true} }
	none := report.Score{Reason: "no reference"}
	scored := report.Metrics{WithinBounds: figure(0.75), ABS: report.ABS{Agent: figure(0.5), Max: figure(0.25)}, GAR: figure(1), SVR: figure(0.5)}
	unscored := report.Metrics{WithinBounds: none, ABS: report.ABS{Agent: none, Max: none}, GAR: none, SVR: none}
	pay := report.Action{Name: "pay" + nasty, Arguments: `{"id": 9007199254740993}`, Mutating: "yes", Layer: "name"}
	get := report.Action{Name: "get_bill", Arguments: `{}`, Mutating: "no", Layer: "name"}
	passed := true
	return &report.Report{Schema: report.Schema, Profile: "mixed",
		Input: report.Input{Format: "mixed", Trajectories: 4, Files: []report.File{{Name: "a b.json", Format: "openai-chat", Trajectories: 3}, {Name: "-", Format: "generic", Trajectories: 1}}},
		Trajectories: []report.Trajectory{
			{ID: "a b.json:1", Profile: "sop", Flagged: true, Observed: []report.Action{pay, pay}, Reference: []report.Action{get, pay}, Alignment: []report.Row{},
				Violations: []report.Violation{
					{Type: "over-action", Pattern: "scope-overgeneralisation", Rule: "wrong-arguments", Obs: n(0), Ref: n(1), Confidence: 0.95, By: "rule", Reason: "reason " + nasty,
						Evidence: []report.Evidence{{Path: "id", Observed: "9007199254740993", Reference: nasty}}},
					{Type: "under-granular", Rule: "collapsed-steps", Ref: n(0), Confidence: 0.95, By: "judge", Reason: "lumped"},
					{Type: "over-action", Rule: "wrong-arguments", Obs: n(1), Ref: n(1), Confidence: 0.8, By: "rule", Reason: "again"},
				}, Metrics: scored,
				Attribution: &report.Attribution{First: 1, Primary: report.Cause{Mode: "reasoning-error", Confidence: 0.6, Reason: "it argued", Evidence: nasty}, Factors: []report.Cause{}}},
			{ID: "a b.json:2", Profile: "sop", Passed: &passed, Observed: []report.Action{get}, Reference: []report.Action{get}, Alignment: []report.Row{}, Violations: []report.Violation{}, Metrics: scored},
			{ID: "a b.json:" + nasty, Profile: "sop", Observed: []report.Action{}, Alignment: []report.Row{}, Violations: []report.Violation{}, Metrics: unscored},
			{ID: "-:1", Profile: "sop", Flagged: true, Observed: []report.Action{get}, Alignment: []report.Row{}, Metrics: unscored,
				Violations: []report.Violation{{Type: "end-boundary", Rule: "not-known", Obs: n(0), Confidence: 0.5, By: "lint", Reason: "it stops"}}},
		},
		Corpus:   report.Corpus{Groups: []report.Group{{Name: "a b.json", Metrics: scored}, {Name: "-", Metrics: unscored}}},
		Warnings: []report.Warning{{Code: "cut-off", Message: "the text ends early", Line: 3, Column: 7}, {Code: "odd", Message: nasty, Trajectory: "a b.json:2"}},
	}
}

// compareGolden compares an output with its file in testdata. With the flag -update, it
// first writes the output to this file.
func compareGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		os.MkdirAll("testdata", 0o755)
		os.WriteFile(file, got, 0o644)
	}
	want, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s differs (%v); read the difference after go test -run Golden -update\n%s", file, err, got)
	}
}

func renderReport(write func(io.Writer, *report.Report, []string), r *report.Report, files ...string) []byte {
	var b bytes.Buffer
	write(&b, r, files)
	return b.Bytes()
}

func TestJUnitGolden(t *testing.T) {
	compareGolden(t, "report.junit.xml", renderReport(writeJUnit, sampleReport(), "a b.json", "-"))
}

// node is any XML element.
type node struct {
	XMLName xml.Name
	Attrs   []xml.Attr `xml:",any,attr"`
	Nodes   []node     `xml:",any"`
	Text    string     `xml:",chardata"`
}

// junitShape is what the schema shared by CI servers allows: for each element its
// required attributes, its optional ones, and its children in order.
var junitShape = map[string]struct{ must, may, children string }{
	"testsuites": {"", "name tests failures errors", "testsuite"},
	"testsuite":  {"name tests failures errors", "skipped", "properties testcase system-out system-err"},
	"properties": {"", "", "property"},
	"property":   {"name value", "", ""},
	"testcase":   {"name classname", "", "skipped failure system-out system-err"},
	"failure":    {"message type", "", ""},
	"skipped":    {"message", "", ""},
	"system-out": {"", "", ""},
	"system-err": {"", "", ""},
}

func (n *node) checkShape(t *testing.T) {
	shape, known := junitShape[n.XMLName.Local]
	if !known {
		t.Errorf("unknown element %s", n.XMLName.Local)
	}
	var has []string
	for _, a := range n.Attrs {
		has = append(has, a.Name.Local)
		if !slices.Contains(strings.Fields(shape.must+" "+shape.may), a.Name.Local) {
			t.Errorf("%s: unknown attribute %s", n.XMLName.Local, a.Name.Local)
		}
	}
	for _, must := range strings.Fields(shape.must) {
		if !slices.Contains(has, must) {
			t.Errorf("%s: no attribute %s", n.XMLName.Local, must)
		}
	}
	order, at := strings.Fields(shape.children), 0
	for i := range n.Nodes {
		k := slices.Index(order, n.Nodes[i].XMLName.Local)
		if k < at {
			t.Errorf("%s: child %s is out of place", n.XMLName.Local, n.Nodes[i].XMLName.Local)
		}
		at = max(at, k)
		n.Nodes[i].checkShape(t)
	}
}

func (n *node) attrValue(name string) string {
	for _, a := range n.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func TestJUnitShape(t *testing.T) {
	text := renderReport(writeJUnit, sampleReport())
	var root node
	if err := xml.Unmarshal(text, &root); err != nil {
		t.Fatal(err)
	}
	root.checkShape(t)
	if root.attrValue("tests") != "4" || root.attrValue("failures") != "2" || len(root.Nodes) != 2 {
		t.Errorf("root is %+v", root.Attrs)
	}
	first := root.Nodes[0]
	if first.attrValue("tests") != "3" || first.attrValue("failures") != "1" || first.attrValue("skipped") != "1" || root.Nodes[1].attrValue("name") != "stdin" {
		t.Errorf("suite is %+v, then %+v", first.Attrs, root.Nodes[1].Attrs)
	}
}

// TestJUnitPassed checks that a run without a reference is a good test case exactly if it has passed.
func TestJUnitPassed(t *testing.T) {
	yes, none := true, report.Score{Reason: "no reference"}
	for _, passed := range []*bool{&yes, nil} {
		r := report.Report{Trajectories: []report.Trajectory{{ID: "1", Passed: passed, Metrics: report.Metrics{WithinBounds: none, ABS: report.ABS{Agent: none, Max: none}, GAR: none, SVR: none}}}}
		if text := string(renderReport(writeJUnit, &r)); strings.Contains(text, "<skipped") == (passed != nil) {
			t.Errorf("passed %v: %s", passed != nil, text)
		}
	}
}

// TestJUnitHostile checks that text of a trace cannot damage a JUnit document. The
// document must stay valid XML, and must contain no control characters, such as those in
// escape sequences for terminals.
func TestJUnitHostile(t *testing.T) {
	text := string(renderReport(writeJUnit, sampleReport()))
	if strings.ContainsAny(text, "\x1b\u202e\ufffe\r\ufffd") {
		t.Error("a control character came through")
	}
	for _, r := range text {
		if r != '\n' && !unicode.IsPrint(r) {
			t.Errorf("%U came through", r)
		}
	}
	var root node
	if err := xml.Unmarshal([]byte(text), &root); err != nil {
		t.Fatal(err)
	}
	failure := root.Nodes[0].Nodes[1].Nodes[0]
	if want := "reason " + words.Printable(nasty); failure.attrValue("message") != want || !strings.Contains(failure.Text, want) {
		t.Errorf("the reason reads\n%q\nwant\n%q", failure.attrValue("message"), want)
	}
}

// TestSources checks that every run appears once, in its own file, and that a file
// without runs appears too.
func TestSources(t *testing.T) {
	check := func(r *report.Report, files []string, want ...string) {
		t.Helper()
		var got []string
		for _, s := range reportSources(r, files) {
			for i := range s.runs {
				got = append(got, s.name+" "+s.runs[i].ID)
			}
			if len(s.runs) == 0 {
				got = append(got, s.name)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	one := &report.Report{Trajectories: []report.Trajectory{{ID: "1"}, {ID: "2"}}}
	check(one, []string{"dir/x.json"}, "dir/x.json 1", "dir/x.json 2")
	check(one, []string{"-"}, "stdin 1", "stdin 2")
	check(&report.Report{}, nil, "stdin")
	three := &report.Report{Trajectories: make([]report.Trajectory, 2),
		Input: report.Input{Files: []report.File{{Name: "a", Trajectories: 1}, {Name: "b"}, {Name: "c", Trajectories: 1}}}}
	check(three, nil, "a ", "b", "c ")
}

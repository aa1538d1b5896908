package render

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/boundcheck/boundcheck/core"
)

// The JUnit XML that CI servers read: a suite for each file, a case for each
// trajectory, a failure for each violation. There are no times in it: the same
// report gives the same bytes.
type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
	Err        *junitText      `xml:"system-err"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Name      string         `xml:"name,attr"`
	Classname string         `xml:"classname,attr"`
	Skipped   *junitSkipped  `xml:"skipped"`
	Error     *junitFailure  `xml:"error"`
	Failures  []junitFailure `xml:"failure"`
	Out       *junitText     `xml:"system-out"`
	Err       *junitText     `xml:"system-err"`
}

type junitSkipped struct {
	Message string `xml:"message,attr"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",cdata"`
}

type junitText struct {
	Text string `xml:",cdata"`
}

// source is one scored file with its runs.
type source struct {
	name, format string
	runs         []core.Trajectory
	broken       string        // why the file could not be read; "" when it could
	metrics      *core.Metrics // of all its runs; nil when the report has none
}

// sources returns each scored file the runs that came from it; at least one.
func sources(r *core.Report, files []string) []source {
	if len(r.Input.Files) == 0 {
		name := ""
		if len(files) > 0 {
			name = files[0]
		}
		return []source{{name: sourceName(name), format: r.Input.Format, runs: r.Trajectories, metrics: &r.Corpus.Metrics}}
	}
	all := make([]source, len(r.Input.Files))
	at := 0
	for i, f := range r.Input.Files {
		all[i] = source{name: sourceName(f.Name), format: f.Format, runs: r.Trajectories[at : at+f.Trajectories], broken: f.Error}
		if i < len(r.Corpus.Groups) {
			all[i].metrics = &r.Corpus.Groups[i].Metrics
		}
		at += f.Trajectories
	}
	return all
}

func sourceName(file string) string {
	if file == "" || file == "-" {
		return "stdin"
	}
	return file
}

// JUnit prints a report for CI. It makes the text of a trace printable first, because
// XML does not allow most control characters.
func JUnit(w io.Writer, r *core.Report, files []string) {
	all := junitSuites{Name: "boundcheck"}
	for _, s := range sources(r, files) {
		suite := newSuite(&s, r.Warnings)
		all.Tests += suite.Tests
		all.Failures += suite.Failures
		all.Errors += suite.Errors
		all.Suites = append(all.Suites, suite)
	}
	all.Suites[0].Err = junitLines(general(r.Warnings))
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		panic(err) // our own types
	}
	fmt.Fprintf(w, "%s%s\n", xml.Header, text)
}

// TestCase is one test in JUnit XML. It passed if Failure and Error are "".
type TestCase struct {
	Name, Class    string
	Failure, Error string // a line that says why
	Text           string // what else there is to say of it
}

// TestCases prints tests for CI, in their order.
func TestCases(name string, cases []TestCase) []byte {
	suite := junitSuite{Name: name, Tests: len(cases), Cases: make([]junitCase, len(cases))}
	for i, c := range cases {
		out := junitCase{Name: Printable(c.Name), Classname: c.Class}
		switch {
		case c.Error != "":
			suite.Errors++
			out.Error = &junitFailure{Message: Printable(c.Error), Type: "error", Text: c.Text}
		case c.Failure != "":
			suite.Failures++
			out.Failures = []junitFailure{{Message: Printable(c.Failure), Type: "difference", Text: c.Text}}
		}
		suite.Cases[i] = out
	}
	all := junitSuites{Name: name, Tests: suite.Tests, Failures: suite.Failures, Errors: suite.Errors, Suites: []junitSuite{suite}}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		panic(err) // our own types
	}
	return fmt.Appendf(nil, "%s%s\n", xml.Header, text)
}

func newSuite(s *source, warnings []core.Warning) junitSuite {
	suite := junitSuite{Name: Printable(s.name), Tests: len(s.runs), Cases: make([]junitCase, len(s.runs)),
		Properties: append([]junitProperty{{"format", s.format}}, properties(s.metrics)...)}
	if s.broken != "" {
		suite.Tests, suite.Errors = 1, 1
		suite.Cases = []junitCase{{Name: "read", Classname: suite.Name, Error: &junitFailure{Message: Printable(s.broken), Type: "file-not-read"}}}
		return suite
	}
	about := map[string][]string{}
	for i := range warnings {
		id := warnings[i].Trajectory
		about[id] = append(about[id], warningText(&warnings[i]))
	}
	for i := range s.runs {
		c := newCase(&s.runs[i])
		c.Classname = suite.Name
		c.Err = junitLines(about[s.runs[i].ID])
		suite.Cases[i] = c
		if len(c.Failures) > 0 {
			suite.Failures++
		} else if c.Skipped != nil {
			suite.Skipped++
		}
	}
	return suite
}

// properties are the figures of a file under the names that --fail-under takes;
// what is not scored is left out.
func properties(m *core.Metrics) []junitProperty {
	var all []junitProperty
	for _, name := range MetricNames {
		if m == nil {
			break
		}
		if s := CorpusMetric(m, name); s != nil && s.Scored {
			all = append(all, junitProperty{name, fmt.Sprintf("%.4f", *s.Value)})
		}
	}
	return all
}

// newCase is a run: failed by its violations; without any, skipped when it has
// no figures, because silence is no success.
func newCase(t *core.Trajectory) junitCase {
	c := junitCase{Name: Printable(t.ID)}
	for i := range t.Violations {
		c.Failures = append(c.Failures, newFailure(t, i))
	}
	var out []string
	if m := &t.Metrics; m.ABS.Max.Scored {
		out = append(out, fmt.Sprintf("profile %s, ABS (agent) %s, ABS (max) %s, GAR %s, SVR %s",
			t.Profile, short(m.ABS.Agent), short(m.ABS.Max), short(m.GAR), short(m.SVR)))
	} else if len(c.Failures) == 0 {
		c.Skipped = &junitSkipped{Printable(m.ABS.Max.Reason)}
	}
	for i := range t.Excused {
		out = append(out, fmt.Sprintf("excused: %s: %s; %s", t.Excused[i].Type, t.Excused[i].Reason, opinion(&t.Excused[i])))
	}
	if t.Replay != nil {
		out = append(out, "replay: "+strings.Join(replayed(t.Replay), "; "))
	}
	c.Out = junitLines(out)
	return c
}

func newFailure(t *core.Trajectory, i int) junitFailure {
	v := &t.Violations[i]
	var lines []string
	if v.Pattern != "" {
		lines = append(lines, "pattern: "+string(v.Pattern))
	}
	lines = append(lines, "reason: "+v.Reason, fmt.Sprintf("rule: %s, said by %s, confidence %.2f", v.Rule, v.By, v.Confidence))
	if said := opinion(v); said != "" {
		lines = append(lines, said)
	}
	if v.Obs != nil {
		lines = append(lines, fmt.Sprintf("agent's action %d: %s", *v.Obs+1, Call(&t.Observed[*v.Obs])))
	}
	if v.Ref != nil {
		lines = append(lines, fmt.Sprintf("reference step %d: %s", *v.Ref+1, Call(&t.Reference[*v.Ref])))
	}
	for _, e := range v.Evidence {
		lines = append(lines, fmt.Sprintf("evidence: %s: agent %s, reference %s", e.Path, OrNothing(e.Observed), OrNothing(e.Reference)))
	}
	if a := t.Attribution; a != nil && a.First == i {
		lines = append(lines, "first failure point: "+a.Primary.Mode+": "+a.Primary.Reason)
	}
	return junitFailure{Message: Printable(v.Reason), Type: string(v.Type), Text: junitLines(lines).Text}
}

// general are the warnings that concern no single run.
func general(warnings []core.Warning) []string {
	var lines []string
	for i := range warnings {
		if warnings[i].Trajectory == "" {
			lines = append(lines, "warning: "+warningText(&warnings[i]))
		}
	}
	return lines
}

// junitLines is a text of lines, each of them printable; nil without any.
func junitLines(lines []string) *junitText {
	if len(lines) == 0 {
		return nil
	}
	safe := make([]string, len(lines))
	for i, line := range lines {
		safe[i] = Printable(line)
	}
	return &junitText{strings.Join(safe, "\n")}
}

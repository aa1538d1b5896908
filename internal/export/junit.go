package export

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/internal/words"
)

// source is one scored file with its runs.
type source struct {
	name, format string
	runs         []report.Trajectory
	broken       string          // why the file could not be read; "" if it was read
	metrics      *report.Metrics // of all runs in the file; nil if the report has none
}

// reportSources returns each scored file with its runs. If the report lists no files, it
// returns one source with all runs. The name of this source is the first element of
// files.
func reportSources(r *report.Report, files []string) []source {
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

// suite is a testsuite element of JUnit XML: the runs of one scored file, or the tests of
// a folder.
type suite struct {
	name                             string
	tests, failures, broken, skipped int
	properties, cases                []element
}

func (s *suite) toElement() element {
	e := element{name: "testsuite", attributes: []attribute{{"name", s.name}, intAttribute("tests", s.tests), intAttribute("failures", s.failures), intAttribute("errors", s.broken), intAttribute("skipped", s.skipped)}}
	if len(s.properties) > 0 {
		e.children = append(e.children, element{name: "properties", children: s.properties})
	}
	e.children = append(e.children, s.cases...)
	return e
}

// suitesElement returns the root element of a JUnit document, with the sums over all
// suites.
func suitesElement(name string, all []suite) *element {
	var tests, failures, broken int
	e := &element{name: "testsuites"}
	for i := range all {
		tests, failures, broken = tests+all[i].tests, failures+all[i].failures, broken+all[i].broken
		e.children = append(e.children, all[i].toElement())
	}
	e.attributes = []attribute{{"name", name}, intAttribute("tests", tests), intAttribute("failures", failures), intAttribute("errors", broken)}
	return e
}

// writeJUnit writes a report as JUnit XML, which CI servers read. Each file is a test
// suite, each trajectory is a test case, and each violation is a failure.
//
// The XML contains no times, so that equal reports have equal bytes. Control characters
// in texts of a trace are made visible.
func writeJUnit(w io.Writer, r *report.Report, files []string) {
	var all []suite
	for _, s := range reportSources(r, files) {
		all = append(all, newSuite(&s, r.Warnings))
	}
	e := suitesElement("boundcheck", all)
	first := &e.children[0]
	first.children = append(first.children, linesElement("system-err", generalWarnings(r.Warnings))...)
	w.Write(xmlDocument(e))
}

// TestCase is one test in JUnit XML. It passed if Failure and Error are "".
type TestCase struct {
	Name, Class    string
	Failure, Error string // the reason, in one line
	Text           string // details of the failure or error
}

// TestCases returns a JUnit document with one suite, which contains the tests in the given
// order.
func TestCases(name string, cases []TestCase) []byte {
	s := suite{name: name, tests: len(cases)}
	for _, c := range cases {
		out := testCase(words.Printable(c.Name), c.Class)
		switch {
		case c.Error != "":
			s.broken++
			out.children = []element{failureElement("error", c.Error, "error", c.Text)}
		case c.Failure != "":
			s.failures++
			out.children = []element{failureElement("failure", c.Failure, "difference", c.Text)}
		}
		s.cases = append(s.cases, out)
	}
	return xmlDocument(suitesElement(name, []suite{s}))
}

func testCase(name, class string) element {
	return element{name: "testcase", attributes: []attribute{{"name", name}, {"classname", class}}}
}

// failureElement returns an element for a failure or an error. name is the element's
// name.
func failureElement(name, message, kind, text string) element {
	return element{name: name, attributes: []attribute{{"message", words.Printable(message)}, {"type", kind}}, text: text}
}

func newSuite(s *source, warnings []report.Warning) suite {
	out := suite{name: words.Printable(s.name), tests: len(s.runs), properties: append([]element{newProperty("format", s.format)}, figureProperties(s.metrics)...)}
	if s.broken != "" {
		c := testCase("read", out.name)
		c.children = []element{failureElement("error", s.broken, "file-not-read", "")}
		out.tests, out.broken, out.cases = 1, 1, []element{c}
		return out
	}
	about := map[string][]string{}
	for i := range warnings {
		id := warnings[i].Trajectory
		about[id] = append(about[id], words.Warning(&warnings[i]))
	}
	for i := range s.runs {
		t := &s.runs[i]
		c := testCase(words.Printable(t.ID), out.name)
		out.fillTestCase(t, &c)
		c.children = append(c.children, linesElement("system-err", about[t.ID])...)
		out.cases = append(out.cases, c)
	}
	return out
}

// figureProperties returns the figures of a file as property elements, with the names
// that --fail-under uses. It omits figures that are not scored.
func figureProperties(m *report.Metrics) []element {
	var all []element
	for _, name := range words.MetricNames {
		if m == nil {
			break
		}
		if s := words.CorpusMetric(m, name); s != nil && s.Scored {
			all = append(all, newProperty(name, fmt.Sprintf("%.4f", *s.Value)))
		}
	}
	return all
}

func newProperty(name, value string) element {
	return element{name: "property", attributes: []attribute{{"name", name}, {"value", value}}}
}

// fillTestCase fills the test case of a run. The test case is an error if the run was not
// scored. It fails if the run has violations, is recorded as failed, or is not known to be
// good although it has a reference. Hints are not violations. If the run has no violations,
// no ABS and has not passed, the test case is marked as skipped.
func (s *suite) fillTestCase(t *report.Trajectory, c *element) {
	var out []string
	m := &t.Metrics
	doubt, verdict := words.Doubt(t)
	switch {
	case t.Error != nil:
		s.broken++
		c.children = append(c.children, failureElement("error", t.Error.Message, t.Error.Code, ""))
	case slices.ContainsFunc(t.Violations, func(v report.Violation) bool { return !v.Hint }):
		s.failures++
	case t.Doubt != "":
		s.failures++
		c.children = append(c.children, failureElement("failure", verdict, "doubt", ""))
	case words.Unproven(t):
		s.failures++
		c.children = append(c.children, failureElement("failure", verdict, doubt, joinPrintable(t.Recorded)))
	case !m.ABS.Max.Scored && !(t.Passed != nil && *t.Passed):
		s.skipped++
		c.children = append(c.children, element{name: "skipped", attributes: []attribute{{"message", words.Printable(cmp.Or(t.Verdict, m.ABS.Max.Reason))}}})
	}
	for i := range t.Violations {
		v := &t.Violations[i]
		if v.Hint {
			out = append(out, "hint: "+v.Reason)
			continue
		}
		c.children = append(c.children, failureElement("failure", words.Finding(t, i), string(v.Type), joinPrintable(violationLines(t, i))))
	}
	if m.ABS.Max.Scored {
		out = append(out, fmt.Sprintf("profile %s, within bounds %s, ABS (agent) %s, ABS (max) %s, GAR %s, SVR %s",
			t.Profile, words.Short(m.WithinBounds), words.Short(m.ABS.Agent), words.Short(m.ABS.Max), words.Short(m.GAR), words.Short(m.SVR)))
	}
	for i := range t.Excused {
		out = append(out, fmt.Sprintf("excused: %s: %s; %s", t.Excused[i].Type, t.Excused[i].Reason, words.Opinion(&t.Excused[i])))
	}
	if t.Replay != nil {
		out = append(out, "replay: "+strings.Join(words.Replayed(t.Replay), "; "))
	}
	c.children = append(c.children, linesElement("system-out", out)...)
}

// violationLines returns all facts about the violation with index i, one in each line.
func violationLines(t *report.Trajectory, i int) []string {
	v := &t.Violations[i]
	var all []string
	if v.Pattern != "" {
		all = append(all, "pattern: "+string(v.Pattern))
	}
	all = append(all, "reason: "+v.Reason, fmt.Sprintf("rule: %s, found by %s, confidence %.2f", v.Rule, v.By, v.Confidence))
	if said := words.Opinion(v); said != "" {
		all = append(all, said)
	}
	if v.Obs != nil {
		all = append(all, fmt.Sprintf("agent's action %d: %s", *v.Obs+1, words.Call(&t.Observed[*v.Obs])))
	}
	if v.Ref != nil {
		all = append(all, fmt.Sprintf("reference step %d: %s", *v.Ref+1, words.Call(&t.Reference[*v.Ref])))
	}
	for _, e := range v.Evidence {
		did, wanted := words.Sides(e.Path, e.Observed, e.Reference)
		all = append(all, fmt.Sprintf("evidence: %s: agent %s, reference %s", e.Path, did, wanted))
	}
	if a := t.Attribution; a != nil && a.First == i {
		all = append(all, "first failure point: "+a.Primary.Mode+": "+a.Primary.Reason)
	}
	return all
}

// generalWarnings returns the texts of the warnings that do not belong to a single run.
func generalWarnings(warnings []report.Warning) []string {
	var lines []string
	for i := range warnings {
		if warnings[i].Trajectory == "" {
			lines = append(lines, "warning: "+words.Warning(&warnings[i]))
		}
	}
	return lines
}

// linesElement returns an element that contains the lines, or nil if there are no lines.
// Control characters are made visible.
func linesElement(name string, all []string) []element {
	if len(all) == 0 {
		return nil
	}
	return []element{{name: name, text: joinPrintable(all)}}
}

// joinPrintable joins lines, and makes control characters inside a line visible.
func joinPrintable(all []string) string {
	safe := make([]string, len(all))
	for i, line := range all {
		safe[i] = words.Printable(line)
	}
	return strings.Join(safe, "\n")
}

package export

import (
	"fmt"
	"io"
	"strings"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/internal/words"
)

// source is one scored file with its runs.
type source struct {
	name, format string
	runs         []core.Trajectory
	broken       string        // why the file could not be read; "" when it could
	metrics      *core.Metrics // of all its runs; nil when the report has none
}

// sources returns each scored file with the runs that came from it: at least one file.
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

// suite is one file of a report in JUnit XML, or the tests of a folder.
type suite struct {
	name                             string
	tests, failures, broken, skipped int
	properties, cases                []element
}

func (s *suite) element() element {
	e := element{name: "testsuite", attributes: []attribute{{"name", s.name}, number("tests", s.tests), number("failures", s.failures), number("errors", s.broken), number("skipped", s.skipped)}}
	if len(s.properties) > 0 {
		e.children = append(e.children, element{name: "properties", children: s.properties})
	}
	e.children = append(e.children, s.cases...)
	return e
}

// suites is the whole document.
func suites(name string, all []suite) *element {
	var tests, failures, broken int
	e := &element{name: "testsuites"}
	for i := range all {
		tests, failures, broken = tests+all[i].tests, failures+all[i].failures, broken+all[i].broken
		e.children = append(e.children, all[i].element())
	}
	e.attributes = []attribute{{"name", name}, number("tests", tests), number("failures", failures), number("errors", broken)}
	return e
}

// writeJUnit prints the XML that CI servers read: a suite for each file, a case for each
// trajectory, a failure for each violation. There are no times in it: the same report has
// the same bytes. The text of a trace becomes printable first, because XML does not allow
// most control characters.
func writeJUnit(w io.Writer, r *core.Report, files []string) {
	var all []suite
	for _, s := range sources(r, files) {
		all = append(all, newSuite(&s, r.Warnings))
	}
	e := suites("boundcheck", all)
	first := &e.children[0]
	first.children = append(first.children, lines("system-err", general(r.Warnings))...)
	w.Write(document(e))
}

// TestCase is one test in JUnit XML. It passed if Failure and Error are "".
type TestCase struct {
	Name, Class    string
	Failure, Error string // a line that says why
	Text           string // what else there is to say of it
}

// TestCases returns tests for CI, in their order.
func TestCases(name string, cases []TestCase) []byte {
	s := suite{name: name, tests: len(cases)}
	for _, c := range cases {
		out := testCase(words.Printable(c.Name), c.Class)
		switch {
		case c.Error != "":
			s.broken++
			out.children = []element{failed("error", c.Error, "error", c.Text)}
		case c.Failure != "":
			s.failures++
			out.children = []element{failed("failure", c.Failure, "difference", c.Text)}
		}
		s.cases = append(s.cases, out)
	}
	return document(suites(name, []suite{s}))
}

func testCase(name, class string) element {
	return element{name: "testcase", attributes: []attribute{{"name", name}, {"classname", class}}}
}

// failed is the element of a failure or an error.
func failed(name, message, kind, text string) element {
	return element{name: name, attributes: []attribute{{"message", words.Printable(message)}, {"type", kind}}, text: text}
}

func newSuite(s *source, warnings []core.Warning) suite {
	out := suite{name: words.Printable(s.name), tests: len(s.runs), properties: append([]element{property("format", s.format)}, properties(s.metrics)...)}
	if s.broken != "" {
		c := testCase("read", out.name)
		c.children = []element{failed("error", s.broken, "file-not-read", "")}
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
		out.judge(t, &c)
		c.children = append(c.children, lines("system-err", about[t.ID])...)
		out.cases = append(out.cases, c)
	}
	return out
}

// properties are the figures of a file under the names that --fail-under takes;
// what is not scored is left out.
func properties(m *core.Metrics) []element {
	var all []element
	for _, name := range words.MetricNames {
		if m == nil {
			break
		}
		if s := words.CorpusMetric(m, name); s != nil && s.Scored {
			all = append(all, property(name, fmt.Sprintf("%.4f", *s.Value)))
		}
	}
	return all
}

func property(name, value string) element {
	return element{name: "property", attributes: []attribute{{"name", name}, {"value", value}}}
}

// judge fills the case of a run: its violations fail it. Without any, it is skipped if it
// has no figures, because silence is no success.
func (s *suite) judge(t *core.Trajectory, c *element) {
	var out []string
	m := &t.Metrics
	switch {
	case len(t.Violations) > 0:
		s.failures++
	case !m.ABS.Max.Scored:
		s.skipped++
		c.children = append(c.children, element{name: "skipped", attributes: []attribute{{"message", words.Printable(m.ABS.Max.Reason)}}})
	}
	for i := range t.Violations {
		v := &t.Violations[i]
		c.children = append(c.children, failed("failure", v.Reason, string(v.Type), printable(violationLines(t, i))))
	}
	if m.ABS.Max.Scored {
		out = append(out, fmt.Sprintf("profile %s, ABS (agent) %s, ABS (max) %s, GAR %s, SVR %s",
			t.Profile, words.Short(m.ABS.Agent), words.Short(m.ABS.Max), words.Short(m.GAR), words.Short(m.SVR)))
	}
	for i := range t.Excused {
		out = append(out, fmt.Sprintf("excused: %s: %s; %s", t.Excused[i].Type, t.Excused[i].Reason, words.Opinion(&t.Excused[i])))
	}
	if t.Replay != nil {
		out = append(out, "replay: "+strings.Join(words.Replayed(t.Replay), "; "))
	}
	c.children = append(c.children, lines("system-out", out)...)
}

// violationLines says what there is to say of a violation.
func violationLines(t *core.Trajectory, i int) []string {
	v := &t.Violations[i]
	var all []string
	if v.Pattern != "" {
		all = append(all, "pattern: "+string(v.Pattern))
	}
	all = append(all, "reason: "+v.Reason, fmt.Sprintf("rule: %s, said by %s, confidence %.2f", v.Rule, v.By, v.Confidence))
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
		all = append(all, fmt.Sprintf("evidence: %s: agent %s, reference %s", e.Path, words.OrNothing(e.Observed), words.OrNothing(e.Reference)))
	}
	if a := t.Attribution; a != nil && a.First == i {
		all = append(all, "first failure point: "+a.Primary.Mode+": "+a.Primary.Reason)
	}
	return all
}

// general are the warnings that concern no single run.
func general(warnings []core.Warning) []string {
	var lines []string
	for i := range warnings {
		if warnings[i].Trajectory == "" {
			lines = append(lines, "warning: "+words.Warning(&warnings[i]))
		}
	}
	return lines
}

// lines is an element with lines, each of them printable; none without any.
func lines(name string, all []string) []element {
	if len(all) == 0 {
		return nil
	}
	return []element{{name: name, text: printable(all)}}
}

// printable joins lines, each of them printable.
func printable(all []string) string {
	safe := make([]string, len(all))
	for i, line := range all {
		safe[i] = words.Printable(line)
	}
	return strings.Join(safe, "\n")
}

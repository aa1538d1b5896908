package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/explain"
	"github.com/boundcheck/boundcheck/core/report"
)

func TestSARIFGolden(t *testing.T) {
	compareGolden(t, "report.sarif.json", renderReport(writeSARIF, sampleReport(), "a b.json", "-"))
}

// sarifRequired are the properties that SARIF 2.1.0 requires of an object. The key is the
// last property name on the path to the object, without list indices.
var sarifRequired = map[string][]string{
	"":                           {"version", "runs"},
	"runs":                       {"tool"},
	"tool":                       {"driver"},
	"driver":                     {"name"},
	"rules":                      {"id"},
	"shortDescription":           {"text"},
	"results":                    {"message"},
	"message":                    {"text"},
	"invocations":                {"executionSuccessful"},
	"toolExecutionNotifications": {"message"},
	"descriptor":                 {"id"},
}

// sarifShape walks a value and checks the required properties of objects and the values
// of levels, URIs, lines and ranks.
func sarifShape(t *testing.T, at string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range sarifRequired[at] {
			if _, ok := v[name]; !ok {
				t.Errorf("%q lacks %s", at, name)
			}
		}
		for name, inner := range v {
			sarifShape(t, name, inner)
		}
	case []any:
		for _, inner := range v {
			sarifShape(t, at, inner)
		}
	case string:
		if at == "level" && !slices.Contains([]string{"none", "note", "warning", "error"}, v) {
			t.Errorf("level %q", v)
		}
		if _, err := url.Parse(v); at == "uri" && (err != nil || strings.ContainsAny(v, " \\")) {
			t.Errorf("uri %q: %v", v, err)
		}
	case float64:
		if at == "startLine" && v < 1 || at == "rank" && (v < 0 || v > 100) {
			t.Errorf("%s is %v", at, v)
		}
	}
}

func TestSARIFShape(t *testing.T) {
	for _, r := range []*report.Report{sampleReport(), {Warnings: []report.Warning{{Code: "cut-off", Message: "m", Line: 3}}}} {
		text := renderReport(writeSARIF, r, "a b.json")
		var all any
		if err := json.Unmarshal(text, &all); err != nil {
			t.Fatal(err)
		}
		sarifShape(t, "", all)
		var log sarifLog
		json.Unmarshal(text, &log)
		if log.Version != "2.1.0" || len(log.Runs) != 1 || log.Runs[0].Results == nil || log.Runs[0].Tool.Driver.Rules == nil {
			t.Errorf("log is %s", text)
		}
		for _, result := range log.Runs[0].Results {
			if rules := log.Runs[0].Tool.Driver.Rules; rules[result.RuleIndex].ID != result.RuleID {
				t.Errorf("rule %d is not %s", result.RuleIndex, result.RuleID)
			}
			if at := result.Locations[0].Physical.Artifact; log.Runs[0].Artifacts[*at.Index].Location.URI != at.URI {
				t.Errorf("artifact %d is not %s", *at.Index, at.URI)
			}
		}
	}
}

// TestSARIFHostile checks that messages contain no links and no escape sequences, because
// viewers may turn links into anchors and may print messages on a terminal.
func TestSARIFHostile(t *testing.T) {
	var log sarifLog
	json.Unmarshal(renderReport(writeSARIF, sampleReport()), &log)
	said := log.Runs[0].Results[0].Message.Text + log.Runs[0].Invocations[0].Notifications[1].Message.Text
	if strings.ContainsAny(said, "\x1b\u202e\n") || strings.Contains(said, "](") {
		t.Errorf("got %q", said)
	}
}

// TestSARIFLine checks that a warning about the only scored file is shown at its line.
func TestSARIFLine(t *testing.T) {
	var log sarifLog
	r := &report.Report{Warnings: []report.Warning{{Code: "c", Message: "m", Line: 3, Column: 7}}}
	json.Unmarshal(renderReport(writeSARIF, r, "x.json"), &log)
	at := log.Runs[0].Invocations[0].Notifications[0].Locations[0].Physical
	if at.Artifact.URI != "x.json" || *at.Region != (sarifRegion{3}) {
		t.Errorf("got %+v", at)
	}
}

func TestSARIFLevel(t *testing.T) {
	check := func(kind string, confidence float64, want string) {
		t.Helper()
		if got := severityLevel(&report.Violation{Type: report.ViolationType(kind), Confidence: confidence}); got != want {
			t.Errorf("%s at %v: got %s, want %s", kind, confidence, got, want)
		}
	}
	check("over-action", 0.69, "note")
	check("over-action", 0.7, "warning")
	check("over-action", 0.9, "error")
	check("under-granular", 1, "warning")
	check("over-granular", 0.5, "note")
}

func TestArtifactURI(t *testing.T) {
	check := func(name, want string) {
		t.Helper()
		if got := artifactURI(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	check("runs/a b#1.json", "runs/a%20b%231.json")
	check("c:odd.json", "./c:odd.json")
	check("../é?.json", "../%C3%A9%3F.json")
	check(filepath.FromSlash("/tmp/x.json"), "file:///tmp/x.json")
	names := []string{"", "a/b:c", "%41", "a*", "a//b", "?", "日本/x"}
	for c := range 256 {
		names = append(names, "a"+string([]byte{byte(c)})+"b")
	}
	for _, name := range names {
		check(name, (&url.URL{Path: filepath.ToSlash(name)}).String())
	}
}

// TestFingerprints checks that a violation keeps its fingerprint when steps are added
// before it, and that two similar violations of one run have different fingerprints.
func TestFingerprints(t *testing.T) {
	i, j := 0, 1
	of := func(at ...*int) []string {
		run := report.Trajectory{ID: "1", Observed: []report.Action{{Name: "a", Arguments: "{}"}, {Name: "a", Arguments: "{}"}}}
		var prints []string
		for _, obs := range at {
			run.Violations = append(run.Violations, report.Violation{Rule: "extra-action", Obs: obs})
		}
		for _, r := range sarifResults(&run, sarifURI{}, nil) {
			prints = append(prints, r.Fingerprints["boundcheckViolation/v1"])
		}
		return prints
	}
	both := of(&i, &j)
	if both[0] == both[1] || both[0] != of(&j)[0] || of(nil)[0] == both[0] {
		t.Errorf("got %q", both)
	}
}

// TestSARIFRulesAreDescribed checks that every rule in the golden reports has a
// description.
func TestSARIFRulesAreDescribed(t *testing.T) {
	files, _ := filepath.Glob("../../testdata/golden/*/*.json")
	seen := 0
	for _, f := range files {
		data, _ := os.ReadFile(f)
		var r report.Report
		json.Unmarshal(data, &r)
		for _, run := range r.Trajectories {
			for _, v := range run.Violations {
				seen++
				if explain.Short(v.Rule) == "" {
					t.Errorf("%s: no words for the rule %s", f, v.Rule)
				}
			}
		}
	}
	if seen == 0 {
		t.Fatal(fmt.Sprint("no violation in ", len(files), " kept answers"))
	}
}

// TestSARIFRegions checks that a finding names the line of its call. It must name no line
// if the call is missing, or if the trace is a member of a request.
func TestSARIFRegions(t *testing.T) {
	check := func(text, ref string, want ...int) {
		t.Helper()
		request, err := core.ReadRequest([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if ref != "" {
			request.Reference, _, err = core.References([]byte(ref))
			if err != nil {
				t.Fatal(err)
			}
		}
		request.Options.Lines = true
		r, err := core.Evaluate(request)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		writeSARIF(&out, &r, []string{"x.json"})
		var log struct {
			Runs []struct {
				Results []struct{ Locations []sarifLocation }
			}
		}
		if err := json.Unmarshal(out.Bytes(), &log); err != nil {
			t.Fatal(err)
		}
		var got []int
		for _, f := range log.Runs[0].Results {
			line := 0
			if region := f.Locations[0].Physical.Region; region != nil {
				line = region.StartLine
			}
			got = append(got, line)
		}
		if !slices.Equal(got, want) {
			t.Errorf("lines %v, want %v", got, want)
		}
	}
	check("[\n{\"name\":\"get_order\"},\n{\"name\":\"refund\"}]", "get_order()", 3)
	check("[\n{\"name\":\"refund\"}]", "get_order()\nrefund()", 0) // about a call that is missing
	check("{\"reference\":\"get_order()\",\"trace\":[\n{\"name\":\"get_order\"},\n{\"name\":\"refund\"}]}", "", 0)
}

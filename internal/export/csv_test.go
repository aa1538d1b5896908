package export

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/explain"
	"github.com/boundcheck/boundcheck/core/report"
)

func TestCSVGolden(t *testing.T) {
	compareGolden(t, "report.csv", renderReport(writeCSV, sampleReport(), "a b.json", "-"))
}

// readCSV writes a report as CSV and parses the text. It returns a map for each line,
// from the name of a column to its cell.
func readCSV(t *testing.T, r *report.Report, files ...string) []map[string]string {
	t.Helper()
	text := renderReport(writeCSV, r, files...)
	if n := bytes.Count(text, []byte("\n")); n != bytes.Count(text, []byte("\r\n")) {
		t.Error("a line does not end in CR LF")
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if lines := bytes.Count(text, []byte("\r\n")); lines != len(rows) {
		t.Errorf("%d rows in %d lines", len(rows), lines)
	}
	var all []map[string]string
	for _, row := range rows[1:] {
		line := map[string]string{}
		for i, name := range rows[0] {
			line[name] = row[i]
		}
		all = append(all, line)
	}
	return all
}

func TestCSVColumns(t *testing.T) {
	trial, good, reward := 2, true, -0.5
	r := sampleReport()
	run := &r.Trajectories[0]
	run.Task, run.Trial, run.Success, run.Reward = "refund", &trial, &good, &reward
	run.Excused = run.Violations[:1]
	r.Warnings = append(r.Warnings, report.Warning{Code: "odd", Message: "m", Trajectory: run.ID})
	all := readCSV(t, r, "a b.json", "-")
	if len(all) != 4 {
		t.Fatalf("%d lines, want 4", len(all))
	}
	check := func(i int, want map[string]string) {
		t.Helper()
		for name, cell := range want {
			if all[i][name] != cell {
				t.Errorf("line %d, %s: got %q, want %q", i+1, name, all[i][name], cell)
			}
		}
	}
	check(0, map[string]string{"file": "a b.json", "run": "a b.json:1", "task": "refund", "trial": "2", "success": "true", "reward": "-0.5", "flagged": "true",
		"steps": "2", "reference_steps": "2", "abs_agent": "0.5", "abs_max": "0.25", "figures_note": "", "violations": "3", "over_action": "2", "under_granular": "1", "end_boundary": "0",
		"excused": "1", "first_type": "under-granular", "first_rule": "collapsed-steps", "first_step": "", "first_reference_step": "1", "first_confidence": "0.95", "first_reason": "lumped",
		"cause": "reasoning-error", "cause_reason": "it argued", "warnings": "1", "error": ""})
	check(1, map[string]string{"trial": "", "success": "", "reward": "", "flagged": "false", "violations": "0", "first_type": "", "cause": ""})
	check(2, map[string]string{"reference_steps": "", "abs_max": "", "figures_note": "no reference"})
	check(3, map[string]string{"file": "stdin", "first_type": "end-boundary", "first_step": "1", "cause": ""})
}

// TestCSVHostile checks that a text from a trace can never be a formula in a spreadsheet.
// The text must also end neither its cell nor its line.
func TestCSVHostile(t *testing.T) {
	for _, s := range []string{"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "＝1", "=HYPERLINK(\"https://e.example\",\"x\")", nasty, "a,b", "'=1", "\"=1\"", ""} {
		r := &report.Report{Trajectories: []report.Trajectory{{ID: s, Task: s, Verdict: s, Profile: s, Flagged: true,
			Violations:  []report.Violation{{Type: report.ViolationType(s), Pattern: report.Pattern(s), Rule: s, Reason: s}},
			Attribution: &report.Attribution{Primary: report.Cause{Mode: s, Reason: s}}}}}
		r.Trajectories[0].Metrics.ABS.Max.Reason = s
		all := readCSV(t, r, s)
		if len(all) != 1 {
			t.Fatalf("%q: %d lines", s, len(all))
		}
		for name, cell := range all[0] {
			if strings.IndexAny(strings.TrimSpace(cell), "=+-@\t\r\n＝＋－＠") == 0 || strings.ContainsAny(cell, "\t\r\n\x1b\u202e") {
				t.Errorf("%s of %q is %q", name, s, cell)
			}
		}
		if id := all[0]["run"]; id != s && id != "'"+s && !strings.Contains(id, `\u{`) {
			t.Errorf("the run %q is %q", s, id)
		}
	}
}

// TestCSVBrokenFile checks that a file that could not be read has a line with its error.
func TestCSVBrokenFile(t *testing.T) {
	r := &report.Report{Trajectories: make([]report.Trajectory, 1), Input: report.Input{Files: []report.File{{Name: "=a.json", Error: "no, \"not\" JSON"}, {Name: "b.json", Trajectories: 1}}}}
	all := readCSV(t, r)
	if len(all) != 2 || all[0]["file"] != "'=a.json" || all[0]["error"] != "no, \"not\" JSON" || all[0]["flagged"] != "" || all[1]["error"] != "" {
		t.Errorf("got %q", all)
	}
}

// TestCSVKinds checks that every type of violation has a column.
func TestCSVKinds(t *testing.T) {
	names := csvHeader()
	seen := 0
	for _, e := range explain.All() {
		if e.Kind != "type" {
			continue
		}
		if seen++; !slices.Contains(names, strings.ReplaceAll(e.Word, "-", "_")) {
			t.Errorf("there is no column for %s", e.Word)
		}
	}
	if seen != len(kinds) {
		t.Errorf("%d columns for %d types", len(kinds), seen)
	}
}

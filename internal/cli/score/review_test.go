package score

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/study/label"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

// reviewReport is a report with four uncertain findings and a sure one. Their texts try
// to control the terminal.
const reviewReport = `{"schema":"boundcheck.report/1","trajectories":[{"id":"run\u001b[2J","observed":[
  {"name":"a1"},{"name":"a2","arguments":"{\"x\":\"\u001b]0;owned\u0007\"}"},{"name":"a3"},{"name":"a4\u202e"},{"name":"a5"}],"reference":[{"name":"r1"}],
 "violations":[
  {"type":"over-action","rule":"extra-action","obs":0,"ref":null,"confidence":0.75,"by":"rule","reason":"one"},
  {"type":"over-action","rule":"wrong-arguments","obs":1,"ref":0,"confidence":0.75,"by":"rule","reason":"two \u001b[31m","evidence":[{"path":"x\r","observed":"\u009b1m"}],
   "judge":{"label":"NONE","confidence":0.6,"route":"queued","reason":"why\u0008"}},
  {"type":"over-action","rule":"extra-action","obs":2,"ref":null,"confidence":0.95,"by":"rule","reason":"sure"},
  {"type":"under-action","rule":"missing-step","obs":null,"ref":0,"confidence":0.8,"by":"lint","reason":"three","judge":{"label":"","route":"no-opinion","reason":"late"}},
  {"type":"end-boundary","rule":"stops-after-error","obs":4,"ref":null,"confidence":0.6,"by":"lint","reason":"four"}]}]}`

type reviewDesk struct{ report, labels string }

func newReviewDesk(t *testing.T) reviewDesk {
	d := reviewDesk{filepath.Join(t.TempDir(), "report.json"), filepath.Join(t.TempDir(), "labels.jsonl")}
	if err := os.WriteFile(d.report, []byte(reviewReport), 0o600); err != nil {
		t.Fatal(err)
	}
	return d
}

// runReview runs a review with the given answers and returns its output.
func (d reviewDesk) runReview(t *testing.T, answers string, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	code := Review(append([]string{d.report, "--labels", d.labels}, args...), strings.NewReader(answers), &out, &errs)
	if code != cmd.ExitOK {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	return out.String() + errs.String()
}

// savedLabels returns the labels in the file, separated by spaces.
func (d reviewDesk) savedLabels(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(d.labels)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	var out []string
	for _, raw := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		var l label.Line
		if json.Unmarshal([]byte(raw), &l) == nil {
			out = append(out, string(l.Label))
		}
	}
	return strings.Join(out, " ")
}

func TestReviewKeys(t *testing.T) {
	check := func(answers, want, shown string, args ...string) {
		t.Helper()
		d := newReviewDesk(t)
		if out := d.runReview(t, answers, args...); d.savedLabels(t) != want || !strings.Contains(out, shown) {
			t.Errorf("%q: %q, want %q; shown:\n%s", answers, d.savedLabels(t), want, out)
		}
	}
	check("c\nn\n4\n6\n", "SCOPE_OVER NONE SCOPE_UNDER BOUNDARY_END", "4 findings: all labelled")
	check("C\r\n N \n1\n2", "SCOPE_OVER NONE GRANULARITY_OVER GRANULARITY_UNDER", "all labelled")
	check("", "", "0 of 4 findings labelled; run the same command again")
	check("q\n", "", "0 of 4")
	check("c\nq\nn\n", "SCOPE_OVER", "1 of 4")
	check("s\ns\n3\ns\n", "SCOPE_OVER", "1 of 4")
	check("x\n7\n0\n\ncc\nc\n", "SCOPE_OVER", "please answer with one of")
	check("b\nq\n", "", "this is the first finding")
	check("c\nn\nb\nc\n", "SCOPE_OVER NONE SCOPE_OVER", "labelled   NONE")
	check("c\nb\nb\n", "SCOPE_OVER", "this is the first finding")
	check("s\nc\n", "BOUNDARY_END", "1 of 2 findings labelled", "--below", "0.61") // the other finding is queued
	check("c\nc\nc\nc\nc\n", "SCOPE_OVER SCOPE_OVER SCOPE_OVER SCOPE_UNDER BOUNDARY_END", "5 findings: all labelled", "--below", "1.01")
}

// TestReviewQueued checks that the reviewer is asked about findings that the judge
// queued, even if their confidence is not below the value of --below.
func TestReviewQueued(t *testing.T) {
	d := newReviewDesk(t)
	if out := d.runReview(t, "n\n", "--below", "0"); !strings.Contains(out, "1 of 1 · ") || !strings.Contains(out, "judge      NONE (0.60, queued): why") {
		t.Error(out)
	}
	if out := d.runReview(t, "", "--below", "0"); !strings.Contains(out, "1 finding: all labelled") {
		t.Error(out)
	}
}

// TestReviewResumes checks that a review continues at the first finding without a label.
// If a crash cut off the last line of the file, the person is asked about its finding
// again.
func TestReviewResumes(t *testing.T) {
	d := newReviewDesk(t)
	d.runReview(t, "c\nn\n")
	data, err := os.ReadFile(d.labels)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(d.labels, data[:len(data)-20], 0o600); err != nil {
		t.Fatal(err)
	}
	out := d.runReview(t, "s\nc\n")
	if d.savedLabels(t) != "SCOPE_OVER SCOPE_UNDER" || !strings.Contains(out, "line 2 is cut off") || strings.Contains(out, "\n1 of 4") {
		t.Errorf("%s\n%s", d.savedLabels(t), out)
	}
	d.runReview(t, "2\n5\n")
	if d.savedLabels(t) != "SCOPE_OVER SCOPE_UNDER GRANULARITY_UNDER BOUNDARY_START" {
		t.Error(d.savedLabels(t))
	}
	if out := d.runReview(t, "n\n"); !strings.Contains(out, "all labelled") || strings.Contains(out, "> ") {
		t.Errorf("asked again: %s", out)
	}
}

// TestReviewCannotPaint checks that control characters of a trace never reach the
// terminal.
func TestReviewCannotPaint(t *testing.T) {
	d := newReviewDesk(t)
	shown := d.runReview(t, "c\nc\nc\nc\n") + d.runReview(t, "", "--agreement")
	for _, r := range shown {
		if r != '\n' && (r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == 0x202e) {
			t.Fatalf("%U was printed: %q", r, shown)
		}
	}
	for _, want := range []string{`run\u{1B}[2J`, `a4\u{202E}`, `two \u{1B}[31m`, `x\u{D}`, `\u{9B}1m`, `why\u{8}`, "no opinion: late", "did no such action", "has no such action"} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q is not shown", want)
		}
	}
}

func TestReviewAgreement(t *testing.T) {
	d := newReviewDesk(t)
	d.runReview(t, "c\nn\nc\n3\n")
	out := d.runReview(t, "", "--agreement")
	for _, want := range []string{"5 findings, 4 of them labelled", "2 of 4: 0.500 [", "only 4 labels", "SCOPE_OVER             2       1     1      0       1", "judge against you", "1 of 1: 1.000 [", "not defined"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing:\n%s", want, out)
		}
	}
	var c label.Comparison
	if err := json.Unmarshal([]byte(d.runReview(t, "", "--agreement", "--format", "json")), &c); err != nil || c.Labelled != 4 || c.Raters[0].Agreed != 2 || c.Raters[1].Kappa.Scored {
		t.Errorf("%v, %+v", err, c)
	}
}

// TestReviewRaters checks that two people can label one file and do not see each other's
// labels. A third person uses a separate file.
func TestReviewRaters(t *testing.T) {
	d := newReviewDesk(t)
	d.runReview(t, "c\nn\nc\n3\n", "--rater", "ann")
	if out := d.runReview(t, "c\nc\nc\n3\n", "--rater", "bob"); !strings.Contains(out, "4 findings: all labelled") || strings.Contains(out, "labelled   ") {
		t.Errorf("bob saw ann's labels:\n%s", out)
	}
	third := filepath.Join(t.TempDir(), "cho.jsonl")
	if code := Review([]string{d.report, "--labels", third, "--rater", "ann"}, strings.NewReader("n\n"), &bytes.Buffer{}, &bytes.Buffer{}); code != cmd.ExitOK {
		t.Fatal(code)
	}
	out := d.runReview(t, "", "--labels", third, "--agreement")
	for _, want := range []string{"unanimous  2 of 4 findings that two or more people labelled", "Fleiss' κ  0.", "ann, bob: 3 of 4", "ann (" + third + "), bob: 0 of 1",
		"rule against most of 3 people (no label has a majority on 1 finding)", "0.7 to 0.9              ", "weighted "} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing:\n%s", want, out)
		}
	}
}

func TestReviewSample(t *testing.T) {
	d := newReviewDesk(t)
	if out := d.runReview(t, strings.Repeat("c\n", 5), "--sample", "9"); !strings.Contains(out, "5 findings: all labelled") || !strings.Contains(out, "sure") {
		t.Error("a sample of all has the sure findings too:\n" + out)
	}
	d = newReviewDesk(t)
	first := d.runReview(t, "", "--sample", "2", "--seed", "7")
	if again := d.runReview(t, "", "--sample", "2", "--seed", "7"); again != first || !strings.Contains(first, "0 of 2 findings") {
		t.Errorf("the same seed drew others:\n%s\n%s", first, again)
	}
}

func TestReviewRefuses(t *testing.T) {
	d := newReviewDesk(t)
	check := func(want int, part string, args ...string) {
		t.Helper()
		var out, errs bytes.Buffer
		if code := Review(args, strings.NewReader("c\n"), &out, &errs); code != want || !strings.Contains(out.String()+errs.String(), part) {
			t.Errorf("%v: exit %d, want %d with %q\n%s%s", args, code, want, part, out.String(), errs.String())
		}
	}
	check(cmd.ExitOK, "usage: boundcheck review", "--help")
	check(cmd.ExitUsage, "missing REPORT.json", "--labels", d.labels)
	check(cmd.ExitUsage, "got 2", "a", "b", "--labels", d.labels)
	check(cmd.ExitUsage, "missing --labels", d.report)
	check(cmd.ExitUsage, "the report cannot be standard input", "-", "--labels", d.labels)
	check(cmd.ExitUsage, "--format can be used only with --agreement", d.report, "--labels", d.labels, "--format", "json")
	check(cmd.ExitUsage, "want one --labels FILE; several --labels need --agreement", d.report, "--labels", d.labels, "--labels", "b")
	check(cmd.ExitUsage, "invalid --rater", d.report, "--labels", d.labels, "--rater", " ")
	check(cmd.ExitUsage, "invalid --rater", d.report, "--labels", d.labels, "--rater", "a\x1b")
	check(cmd.ExitUsage, "want a number above 0", d.report, "--labels", d.labels, "--sample", "0")
	check(cmd.ExitUsage, "--below cannot be used with --sample", d.report, "--labels", d.labels, "--sample", "3", "--below", "0.5")
	check(cmd.ExitUsage, "--seed can be used only with --sample", d.report, "--labels", d.labels, "--seed", "3")
	check(cmd.ExitUsage, "cannot be used with --agreement", d.report, "--labels", d.labels, "--agreement", "--rater", "ann")
	check(cmd.ExitUsage, "unknown --format", d.report, "--labels", d.labels, "--agreement", "--format", "xml")
	check(cmd.ExitUsage, "not defined", d.report, "--labels", d.labels, "--frobnicate")
	check(cmd.ExitInput, "nowhere.json", "nowhere.json", "--labels", d.labels)
	check(cmd.ExitInput, "no such file", d.report, "--labels", d.labels, "--agreement")
	check(cmd.ExitInput, `{"error":{"code":"invalid-input"`, d.report, "--labels", d.labels, "--agreement", "--format", "json")
	check(cmd.ExitInput, "not a labels file", d.report, "--labels", d.report) // the report is never overwritten
	check(cmd.ExitInput, "invalid report", "-", "--labels", d.labels, "--agreement")
	check(cmd.ExitInput, "no such file or directory", d.report, "--labels", filepath.Join(d.labels, "x", "y"))
	if data, _ := os.ReadFile(d.report); string(data) != reviewReport {
		t.Error("the report was changed")
	}
	if err := os.WriteFile(d.report, []byte(`{"schema":"boundcheck.report/1"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	check(cmd.ExitOK, "nothing to review", d.report, "--labels", d.labels)
	check(cmd.ExitOK, "nothing to review", d.report, "--labels", os.DevNull)
}

// TestReviewReadsThePage marks findings as the page does: a finding with a mark is labelled and
// not asked again, a comment is shown, and only to the rater whose mark it is.
func TestReviewReadsThePage(t *testing.T) {
	d := newReviewDesk(t)
	marked := strings.NewReplacer(
		`"reason":"one"}`, `"reason":"one","person":{"right":false,"comment":"no\u001b[31m"}}`,
		`"reason":"sure"}`, `"reason":"sure","person":{"right":true}}`,
		`"reason":"four"}`, `"reason":"four","person":{"right":null,"comment":"look at it"}}`).Replace(reviewReport)
	if err := os.WriteFile(d.report, []byte(marked), 0o600); err != nil {
		t.Fatal(err)
	}
	out := d.runReview(t, "s\ns\ns\n")
	if strings.Contains(out, "1 of 4 ·") || !strings.Contains(out, "4 of 4 ·") || !strings.Contains(out, "look at it") || !strings.Contains(out, "1 of 4 findings labelled") {
		t.Errorf("%s", out)
	}
	if out := d.runReview(t, "s\ns\ns\ns\n", "--rater", "bob"); !strings.Contains(out, "1 of 4 ·") || strings.Contains(out, "look at it") {
		t.Errorf("another rater: %s", out)
	}
	d.runReview(t, "q\n")
	if err := os.WriteFile(d.labels, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if out := d.runReview(t, "", "--agreement"); !strings.Contains(out, "2 of them labelled") {
		t.Errorf("agreement: %s", out)
	}
}

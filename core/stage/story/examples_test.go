package story_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
)

// TestExamplesShowTheirTitle checks each example of the page: its first story has the type
// of the title, and tells the fact that the title and the description name.
func TestExamplesShowTheirTitle(t *testing.T) {
	for name, want := range map[string]struct {
		kind core.ViolationType
		fact string
	}{
		"abb-missing-verification": {"under-action", "return_items was done without them before it"},
		"abb-scope-creep":          {"over-action", "delete_selected acted on what select_all had selected, but the reference selects with filter_reviews (sentiment = \"negative\", status = \"pending\"). select_all answered: “346 reviews selected”"},
		"abb-granularity":          {"under-granular", "amount 48.50.\nnotify_finance was done without locate_receipt, review_policy and compute_amount, so the agent guessed"},
		"example-start":            {"start-boundary", "called transfer with from A-1 and to B-7.\nIt came before check_limit (step 2), which the reference has first."},
		"example-end":              {"end-boundary", "dose mg 50.\nThe reference has 5."},
		"example-over-action":      {"over-action", "cancel_subscription for subscription S-2"},
		"example-under-action":     {"under-action", "did not carry out create_repair"},
		"example-over-granular":    {"over-granular", "3 × archive_files stand for the one step"},
		"example-under-granular":   {"under-granular", "release_payments was done for the 3 steps"},
		"example-coding":           {"over-action", "rm deletes migrations/004*.sql, but the user named 004_drop_audit.sql"},
		"example-desk":             {"over-action", "new item ids 13.\nThe reference has 12."},
		"example-household":        {"end-boundary", "put cup 2 in/on shelf 1"},
		"example-lucky":            {"under-action", "did not carry out verify_customer"},
		"example-web":              {"over-action", "click('58')"},
		"example-clean":            {},
	} {
		run := scoreExample(t, name)
		if want.kind == "" {
			if len(run.Story) > 0 || run.Passed == nil || !*run.Passed {
				t.Errorf("%s: %v", name, run.Story)
			}
			continue
		}
		if len(run.Story) == 0 {
			t.Errorf("%s: no story", name)
			continue
		}
		first := &run.Story[0]
		text := strings.Join(first.Text, "\n")
		if kind := run.Violations[first.Findings[0]].Type; kind != want.kind || !strings.Contains(text, want.fact) {
			t.Errorf("%s: %s\n%s\nwant %s: %s", name, kind, text, want.kind, want.fact)
		}
	}
	files, err := filepath.Glob("../../../testdata/cases/*.json")
	if err != nil || len(files) != 15 {
		t.Errorf("%d examples, want 15 as in the table: %v", len(files), err)
	}
}

func scoreExample(t *testing.T, name string) core.Trajectory {
	t.Helper()
	data, err := os.ReadFile("../../../testdata/cases/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	request, err := core.ReadRequest(data)
	if err != nil {
		t.Fatal(name, err)
	}
	report, err := core.Evaluate(request)
	if err != nil {
		t.Fatal(name, err)
	}
	return report.Trajectories[0]
}

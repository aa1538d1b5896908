package read

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/trajectory"
	"github.com/boundcheck/boundcheck/internal/recordings"
)

// TestProducerExamples reads small examples in the forms in which producers write their
// runs. Each example has one call that worked and one call that failed. If the file's
// name contains "unanswered", the calls have no results.
func TestProducerExamples(t *testing.T) {
	files, err := filepath.Glob("../../testdata/producers/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			doc, err := Decode(data)
			if err != nil {
				t.Fatal(err)
			}
			want := 0
			if unproven[filepath.Base(file)] {
				want = 1
			}
			if joined := countJoined(&doc); joined != want {
				t.Errorf("%d runs were joined from rows, want %d", joined, want)
			}
			for _, w := range doc.Warnings {
				if w.Code != "rows-joined" {
					t.Errorf("warning: %s: %s", w.Code, w.Message)
				}
			}
			if len(doc.Trajectories) != 1 {
				t.Fatalf("%d runs, want 1", len(doc.Trajectories))
			}
			checkProducer(t, doc.Trajectories[0].Actions, !strings.Contains(file, "unanswered"))
		})
	}
}

// unproven contains the examples with rows that repeat the conversation so far, and that
// have nothing, such as an id of the conversation, that says that they are one run.
var unproven = map[string]bool{"gemini-log.jsonl": true, "langgraph-values.jsonl": true, "openai-log.jsonl": true, "responses-log.jsonl": true}

// countJoined returns the number of runs of which the document says that they were joined
// from rows.
func countJoined(doc *trajectory.Document) int {
	warned, doubted := 0, 0
	for _, w := range doc.Warnings {
		if w.Code == "rows-joined" {
			warned++
		}
	}
	for i := range doc.Trajectories {
		if doc.Trajectories[i].Doubt != "" {
			doubted++
		}
	}
	if warned != doubted {
		return -1
	}
	return warned
}

// checkProducer compares actions with the two calls of the examples.
func checkProducer(t *testing.T, got []trajectory.Action, answered bool) {
	t.Helper()
	wanted := []struct{ name, arguments, result string }{{"cancel", `{"id":"A-7"}`, done}, {"refund", `{"id":"A-7","amount":12.5}`, refused}}
	if len(got) != len(wanted) {
		t.Fatalf("%d actions, want %d: %+v", len(got), len(wanted), got)
	}
	for i, w := range wanted {
		a := &got[i]
		if v, _ := jsonval.Parse(w.arguments); a.Name != w.name || !jsonval.Equal(v, a.Arguments) {
			t.Errorf("action %d is %s(%s %s), want %s(%s)", i, a.Name, a.Arguments.Raw(), a.Broken, w.name, w.arguments)
		}
		switch {
		case !answered && a.Observation != nil:
			t.Errorf("%s has a result: %+v", a.Name, a.Observation)
		case answered && a.Observation == nil:
			t.Errorf("%s has no result", a.Name)
		case answered && !strings.Contains(a.Observation.Text, w.result) || answered && len(a.Observation.Text) > 130:
			t.Errorf("%s has the result %q, want %q", a.Name, a.Observation.Text, w.result)
		case answered && a.Failed() != (i == 1):
			t.Errorf("%s failed: %v", a.Name, a.Failed())
		case a.Requestor != "":
			t.Errorf("%s was called by %q, want the agent", a.Name, a.Requestor)
		}
	}
}

// produced holds the numbers of calls, results and errors in dumps of a recorded
// scenario. In the coding scenario agents make six or seven calls.
type produced struct{ calls, results, failed int }

// exceptions holds dumps that lack some of what was done. A step of the AI SDK in the
// form {toolCalls, toolResults} does not contain the error of a call.
var exceptions = map[string]produced{"05-ai-anthropic-steps-flat.json": {5, 4, 1}}

var answersAlone = regexp.MustCompile(`completions-array|responses?-array`)

// TestRecordedProducers reads traces that real SDKs and agents wrote, and checks that
// each is one run with all calls, results and errors.
func TestRecordedProducers(t *testing.T) {
	readme := string(recordings.Read(t, "producers/README.md"))
	rows := regexp.MustCompile(`(?m)^\| (\S+\.jsonl?) \| (\w+) \|$`).FindAllStringSubmatch(readme, -1)
	if len(rows) == 0 {
		t.Fatal("the README lists no dump")
	}
	var table strings.Builder
	for _, row := range rows {
		doc, err := Decode(recordings.Read(t, "producers/"+row[1]))
		got := produced{}
		for i := range doc.Trajectories {
			for j := range doc.Trajectories[i].Actions {
				a := &doc.Trajectories[i].Actions[j]
				got.calls++
				if a.Requestor != "" {
					t.Errorf("%s: %s was called by %q, want the agent", row[1], a.Name, a.Requestor)
				}
				if a.Observation != nil {
					got.results++
				}
				if a.Failed() {
					got.failed++
				}
			}
		}
		fmt.Fprintf(&table, "%-46s %-28s %d run(s) %d/%d/%d\n", row[1], doc.Format, len(doc.Trajectories), got.calls, got.results, got.failed)
		want := produced{5, 5, 1}
		special, excused := exceptions[row[1]]
		switch {
		case excused:
			want = special
		case answersAlone.MatchString(row[1]):
			want = produced{5, 0, 0}
		case row[2] == "coding" && (got.calls == 6 || got.calls == 7) && got.failed >= 1:
			want = produced{got.calls, got.calls, got.failed}
		}
		if err != nil || got != want || len(doc.Trajectories) != 1 || slices.ContainsFunc(doc.Warnings, isNotRead) {
			t.Errorf("%s: read %+v, want %+v in one run of %d (%v) %v", row[1], got, want, len(doc.Trajectories), err, doc.Warnings)
		}
	}
	t.Logf("calls/results/errors\n%s", table.String())
}

func isNotRead(w trajectory.Warning) bool { return strings.HasSuffix(w.Code, "-not-read") }

package export

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/wire"
)

// mustAnswer returns the text that Answer writes for a report.
func mustAnswer(t *testing.T, request map[string]any) string {
	t.Helper()
	got, err := Answer(wire.Marshal(request))
	if err != nil {
		t.Fatal(err)
	}
	return got.(Text).Text
}

// TestAnswerIsWhatTheCommandWrites checks that Answer and Write return the same text in
// every format. Answer gets the report as JSON, and Write gets the report itself.
func TestAnswerIsWhatTheCommandWrites(t *testing.T) {
	files, _ := filepath.Glob("../../testdata/*/*")
	var both []core.Source
	compared, regions := 0, 0
	check := func(names []string, texts []string, r core.Request) {
		t.Helper()
		report, err := core.Evaluate(r)
		if err != nil {
			return
		}
		text := wire.Marshal(report)
		r.Options.Lines = true
		if report, err = core.Evaluate(r); err != nil {
			t.Fatal(err)
		}
		traces := make([]trace, len(texts))
		for i := range texts {
			traces[i] = trace{names[i], texts[i]}
		}
		for _, format := range Formats() {
			var want bytes.Buffer
			Write(&want, format, &report, names, func() string { return "{{source}}, {{report}}" })
			request := map[string]any{"report": json.RawMessage(text), "format": format, "name": names[0], "page": "{{source}}, {{report}}", "traces": traces}
			if got := mustAnswer(t, request); got != want.String() {
				t.Errorf("%s as %s differs:\n%.2000s\nwant\n%.2000s", names, format, got, want.String())
			}
			compared++
			regions += strings.Count(want.String(), "startLine")
		}
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil || bytes.Contains(data, []byte{0}) {
			continue // a folder, or an archive
		}
		r, err := core.ReadRequest(data)
		if err != nil || len(r.Inputs) != 1 {
			continue
		}
		r.Inputs[0].Name = "a b.json"
		check([]string{"a b.json"}, []string{string(data)}, r)
		if r.Reference == nil && len(both) < 2 {
			both = append(both, core.Source{Name: filepath.Base(file), Data: data, Derived: r.Inputs[0].Derived})
		}
	}
	both = append(both, core.Source{Name: "broken.json", Data: []byte("nonsense {")})
	check([]string{both[0].Name, both[1].Name, both[2].Name}, []string{string(both[0].Data), string(both[1].Data), string(both[2].Data)}, core.Request{Inputs: both})
	if compared < 100 || regions < 20 {
		t.Errorf("only %d texts with %d lines were compared", compared, regions)
	}
}

// TestAnswerReadsTheConfiguration checks that Answer reads the traces with the
// configuration in the request.
func TestAnswerReadsTheConfiguration(t *testing.T) {
	request := map[string]any{"report": smallReport(t), "format": "sarif", "traces": []trace{{"a.json", `[{"name":"x"}]`}}, "config": `{"version":1,"nonsense":1}`}
	if _, err := Answer(wire.Marshal(request)); err == nil || !strings.Contains(err.Error(), "invalid configuration") {
		t.Errorf("got %v", err)
	}
	delete(request, "config")
	mustAnswer(t, request)
}

func smallReport(t *testing.T) *report.Report {
	t.Helper()
	r, err := core.Evaluate(core.Request{Inputs: []core.Source{{Data: []byte(`[{"name":"get_order"},{"name":"cancel_order"}]`)}}})
	if err != nil {
		t.Fatal(err)
	}
	return &r
}

// TestAnswerRefuses checks that Answer returns an error with the reason for a request
// that it cannot answer. For example, a person may have changed the report by hand.
func TestAnswerRefuses(t *testing.T) {
	for _, test := range []struct {
		change func(request map[string]any, r *report.Report)
		want   string
	}{
		{func(q map[string]any, _ *report.Report) { q["format"] = "pdf" }, "known formats are json, markdown"},
		{func(q map[string]any, _ *report.Report) { delete(q, "report") }, "missing \"report\""},
		{func(q map[string]any, _ *report.Report) { q["report"] = []int{} }, "invalid export"},
		{func(_ map[string]any, r *report.Report) { r.Schema = "boundcheck.report/9" }, "boundcheck.report/9"},
		{func(q map[string]any, _ *report.Report) { q["format"] = "html" }, "missing \"page\""},
		{func(_ map[string]any, r *report.Report) { r.Input.Files = []report.File{{Name: "a", Trajectories: 2}} }, "has 2 runs, but the report has only 1 runs left for this file"},
		{func(_ map[string]any, r *report.Report) { r.Input.Files = []report.File{{Name: "a", Trajectories: -1}} }, "has -1 runs; want 0 or more"},
		{func(_ map[string]any, r *report.Report) { r.Input.Files = []report.File{{Name: "a", Trajectories: -1}} }, "-1 runs"},
		{func(_ map[string]any, r *report.Report) { r.Corpus.Metrics.SR = nil }, "has no sr"},
		{func(_ map[string]any, r *report.Report) { r.Trajectories[0].Violations[0].Obs = intPointer(2) }, "a step that is not in the run"},
		{func(_ map[string]any, r *report.Report) { r.Trajectories[0].Violations[0].Obs = intPointer(-1) }, "a step that is not in the run"},
		{func(_ map[string]any, r *report.Report) {
			r.Trajectories[0].Excused = []report.Violation{{Ref: intPointer(0)}}
		}, "a step that is not in the run"},
		{func(_ map[string]any, r *report.Report) {
			r.Trajectories[0].Attribution = &report.Attribution{First: -1}
		}, "failure point -1"},
		{func(q map[string]any, _ *report.Report) { q["traces"] = []trace{{"a", "nonsense {"}} }, "not a trace"},
	} {
		r := smallReport(t)
		r.Trajectories[0].Violations = append(r.Trajectories[0].Violations, report.Violation{Type: "over-action", Rule: "extra-action"})
		request := map[string]any{"report": r, "format": "csv"}
		test.change(request, r)
		if _, err := Answer(wire.Marshal(request)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got %v, want %s", err, test.want)
		}
	}
	if _, err := Answer([]byte("{")); err == nil {
		t.Error("no error for what is not JSON")
	}
}

func intPointer(i int) *int { return &i }

package score

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/reading"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

// printedReading returns what "read --format json" prints about files, and the exit code.
func printedReading(t *testing.T, args ...string) (files []reading.File, code int) {
	t.Helper()
	code, out, errs := runCommand("", append([]string{"read", "--format", "json"}, args...)...)
	var answer struct {
		Schema string
		Files  []reading.File
	}
	if err := json.Unmarshal([]byte(out), &answer); err != nil || answer.Schema != reading.Schema {
		t.Fatalf("%q: %v %s", args, err, errs)
	}
	return answer.Files, code
}

// TestReadAgreesWithReport compares what read counts in each file of testdata with the
// report of score on the same file: the runs, their calls, failures, references and
// outcomes, and the warnings about reading.
func TestReadAgreesWithReport(t *testing.T) {
	seen := 0
	err := filepath.WalkDir("../../../testdata", func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.Name() == "golden":
			return filepath.SkipDir
		case e.IsDir():
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files, _ := printedReading(t, path)
		r, err := core.ReadRequest(data)
		if err == nil {
			r.Options.RunsOnly = true
			var report core.Report
			if report, err = core.Evaluate(r); err == nil {
				seen++
				compareReading(t, path, &files[0], &report)
			}
		}
		if (err != nil) != (files[0].Error != "") && !strings.Contains(path, "profile") && !strings.Contains(path, "reference") {
			t.Errorf("%s: score says %v, read says %q", path, err, files[0].Error)
		}
		return nil
	})
	if err != nil || seen < 150 {
		t.Errorf("%d files compared: %v", seen, err)
	}
}

func compareReading(t *testing.T, path string, f *reading.File, report *core.Report) {
	t.Helper()
	want := reading.Counts{Runs: len(report.Trajectories), Doubtful: f.Counts.Doubtful, Proposed: f.Counts.Proposed, Forbidden: f.Counts.Forbidden}
	for i := range report.Trajectories {
		run := &report.Trajectories[i]
		want.Calls += len(run.Observed)
		for j := range run.Observed {
			if run.Observed[j].Error || run.Observed[j].Proposed {
				want.Failed++
			}
		}
		if run.Reference != nil {
			want.References++
			want.Steps += len(run.Reference)
		}
		if run.Success != nil {
			want.Outcomes++
		}
		if i < len(f.Runs) && (f.Runs[i].ID != run.ID || f.Runs[i].Calls != len(run.Observed) || f.Runs[i].Doubt != "" && run.Doubt == "") {
			t.Errorf("%s: run %d is %+v, the report has %s with %d calls", path, i, f.Runs[i], run.ID, len(run.Observed))
		}
	}
	want.Results = f.Counts.Results
	if f.Counts != want || f.Format != report.Input.Format || f.Bytes != report.Input.Bytes {
		t.Errorf("%s: read counts %+v in %s, the report %+v in %s", path, f.Counts, f.Format, want, report.Input.Format)
	}
	for _, w := range f.Warnings {
		found := false
		for _, other := range report.Warnings {
			found = found || reflect.DeepEqual(w, other)
		}
		if !found {
			t.Errorf("%s: the report has no warning %+v", path, w)
		}
	}
}

// TestReadSaysWhatItUnderstood checks the envelope, the sides and the places in words, and
// the exit codes.
func TestReadSaysWhatItUnderstood(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	call := `"messages":[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"pay","arguments":"{\"secret\":\"4711\"}"}}]},{"role":"tool","tool_call_id":"c","content":"4712"}]`
	write("rows.jsonl", `{"id":"a","success":true,`+call+`,"reference":["pay()"]}`+"\n"+`{"id":"b",`+call+"}\n")
	write("odd.jsonl", `{"id":"a",`+call+`,"success":false}`+"\n"+`{"words":1}`+"\n")
	write("parts.json", `[{"role":"user","content":"x"},{"role":"assistant","content":"y"}]`)
	write("map.json", `{"one":{"id":"1",`+call+`},"two":{"id":"2",`+call+`}}`)
	write("bad.json", `{"words":1}`)
	for _, c := range []struct {
		code  int
		args  []string
		words []string
	}{
		{cmd.ExitOK, []string{"rows.jsonl"}, []string{"JSON values after each other, 2 records", "run in messages; reference in reference (1 of 2); outcome in success (1 of 2); id in id", "openai-chat", "runs        2", "calls       2, 2 results, 0 failed", "references  1, 1 step", "outcomes    1", "run         a: 1 call, 1 result, a reference of 1 step, succeeded", "nothing that Boundcheck knows of"}},
		{cmd.ExitOK, []string{"--fail-on", "warning", "rows.jsonl"}, nil},
		{cmd.ExitOK, []string{"odd.jsonl"}, []string{"runs        1", "line 2", "row-not-read"}},
		{cmd.ExitFailed, []string{"--fail-on", "warning", "odd.jsonl"}, []string{"did not succeed"}},
		{cmd.ExitOK, []string{"parts.json"}, []string{"one list, 2 records, each a part of a run"}},
		{cmd.ExitOK, []string{"map.json"}, []string{"one object with records inside, 2 records", "runs        2"}},
		{cmd.ExitOK, []string{"--limit", "1", "map.json"}, []string{"and 1 more"}},
		{cmd.ExitInput, []string{"bad.json", "rows.jsonl"}, []string{"unknown trace format", "runs        2"}},
		{cmd.ExitInput, []string{"none.json"}, []string{"none.json"}},
		{cmd.ExitUsage, []string{"--format", "csv", "rows.jsonl"}, nil},
	} {
		code, out, errs := runCommand("", append([]string{"read"}, c.args...)...)
		if code != c.code {
			t.Errorf("%q: exit %d, want %d: %s%s", c.args, code, c.code, out, errs)
		}
		for _, w := range c.words {
			if !strings.Contains(out, w) {
				t.Errorf("%q: no %q in\n%s", c.args, w, out)
			}
		}
		if strings.Contains(out, "471") {
			t.Errorf("%q prints an argument or a result:\n%s", c.args, out)
		}
	}
}

// TestReadSaysOfMappedFiles checks that what is said of a file with a mapping is true of the file, and not
// of the text that the mapping made.
func TestReadSaysOfMappedFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.json")
	text := `{"steps":[{"do":"refund","with":{"id":1},"got":"ok"}]}`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for mapping, want := range map[string]string{
		"calls=steps,name=do,arguments=with,result=got": fmt.Sprintf("%d bytes mapping mapping 0 sides 1 calls", len(text)),
		"calls=steps,name=none,arguments=with":          fmt.Sprintf("%d bytes   0 sides 0 calls", len(text)),
	} {
		f, err := parseRead([]string{"--map", mapping, path}, nil)
		if err != nil {
			t.Fatal(err)
		}
		all, err := f.readAll(nil, io.Discard)
		if err != nil || len(all) != 1 {
			t.Fatalf("%v %+v", err, all)
		}
		if got := fmt.Sprintf("%d bytes %s %s %d sides %d calls", all[0].Bytes, all[0].Envelope, all[0].Format, len(all[0].Sides), all[0].Counts.Calls); got != want {
			t.Errorf("%s: %s, want %s", mapping, got, want)
		}
	}
}

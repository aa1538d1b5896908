package score

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/study/tally"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/cli/clitest"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/stream"
)

// streamed are the lines of a stream, taken apart.
type streamed struct {
	rows []stream.Line
	last tally.Summary
}

func readStream(t *testing.T, text string) streamed {
	t.Helper()
	var s streamed
	all := strings.SplitAfter(text, "\n")
	for i, line := range all[:len(all)-1] {
		var row stream.Line
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatalf("line %d is not JSON: %v\n%s", i+1, err, line)
		}
		if row.Corpus != nil || row.Partial {
			if i != len(all)-2 || json.Unmarshal([]byte(line), &s.last) != nil {
				t.Fatalf("line %d should be the last: %s", i+1, line)
			}
			continue
		}
		s.rows = append(s.rows, row)
	}
	if all[len(all)-1] != "" {
		t.Fatalf("the last line is torn: %q", all[len(all)-1])
	}
	return s
}

func oneReport(t *testing.T, files ...string) core.Report {
	t.Helper()
	code, out, errs := runCommand("", append([]string{"score", "--format", "json"}, files...)...)
	var r core.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != 0 {
		t.Fatalf("exit %d, %v, %s", code, err, errs)
	}
	return r
}

// sameJSON reports whether a and b have the same JSON.
func sameJSON(a, b any) bool { return bytes.Equal(wire.Marshal(a), wire.Marshal(b)) }

// TestStreamIsOneRun checks that a stream returns the same trajectories and corpus
// figures as score without --stream. The rows are given as JSON lines, as a list, and as
// indented JSON.
func TestStreamIsOneRun(t *testing.T) {
	rows := clitest.TauRows(t, 3)
	compact := oneReport(t, clitest.WriteTemp(t, "rows.json", clitest.JSONList(rows)))
	var indented bytes.Buffer
	json.Indent(&indented, []byte(clitest.JSONList(rows)), "", "  ")
	for name, text := range map[string]string{"JSONL": clitest.JoinLines(rows), "list": clitest.JSONList(rows), "indented": indented.String(),
		"CRLF and blank lines": strings.Join(rows, "\r\n\r\n")} {
		want := compact
		code, out, errs := runCommand("", "score", "--stream", clitest.WriteTemp(t, "in", text))
		got := readStream(t, out)
		if code != 0 || len(got.rows) != len(rows) || got.last.Elements != len(rows) || got.last.Errors != 0 {
			t.Fatalf("%s: exit %d, %d rows, %+v\n%s", name, code, len(got.rows), got.last, errs)
		}
		if name == "indented" { // arguments are quoted as they stand
			want = oneReport(t, clitest.WriteTemp(t, "indented", text))
		}
		if !sameJSON(got.last.Corpus, want.Corpus) || got.last.Profile != want.Profile {
			t.Errorf("%s: the figures differ:\n%s%s", name, wire.Marshal(got.last.Corpus), wire.Marshal(want.Corpus))
		}
		for i := range got.rows {
			if !sameJSON(got.rows[i].Trajectory, want.Trajectories[i]) {
				t.Errorf("%s: trajectory %d differs:\n%s%s", name, i, wire.Marshal(got.rows[i].Trajectory), wire.Marshal(want.Trajectories[i]))
			}
		}
	}
}

// TestStreamTakesReferencesAndPlugins checks that --stream uses references and plugins as
// score without --stream does.
func TestStreamTakesReferencesAndPlugins(t *testing.T) {
	rows := clitest.TauRows(t, 2)
	results := clitest.WriteTemp(t, "rows.jsonl", clitest.JoinLines(rows))
	tasks := clitest.WriteTemp(t, "tasks.json", `[{"id":"1","actions":[{"name":"get_order","kwargs":{}}]},{"id":"nobody","actions":[]}]`)
	for _, flags := range [][]string{{"--reference", tasks}, {"--reference-from", results}, {"--plugin", "taubench"}} {
		want := oneReport(t, append(flags, results)...)
		code, out, errs := runCommand("", append([]string{"score", "--stream", results}, flags...)...)
		got := readStream(t, out)
		if code != 0 || len(got.rows) != len(rows) || !sameJSON(got.last.Corpus, want.Corpus) {
			t.Fatalf("%v: exit %d, %d rows %s\n%s%s", flags, code, len(got.rows), errs, wire.Marshal(got.last.Corpus), wire.Marshal(want.Corpus))
		}
		for i := range got.rows {
			if !sameJSON(got.rows[i].Trajectory, want.Trajectories[i]) {
				t.Errorf("%v: trajectory %d differs:\n%s%s", flags, i, wire.Marshal(got.rows[i].Trajectory), wire.Marshal(want.Trajectories[i]))
			}
		}
		if !sameJSON(got.last.Plugins, want.Plugins) {
			t.Errorf("%v: plugins %+v, want %+v", flags, got.last.Plugins, want.Plugins)
		}
	}
	out := filepath.Join(t.TempDir(), "out.jsonl")
	runCommand("", "score", "--stream", results, "--out", out, "--reference", tasks)
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(out, text[:len(text)*2/3], 0o644); err != nil {
		t.Fatal(err)
	}
	for flag, why := range map[string]string{"--reference-from=" + results: "another --reference", "--plugin=taubench": "other plugins"} {
		args := []string{"score", "--stream", results, "--out", out, "--resume", flag}
		if !strings.HasPrefix(flag, "--reference") {
			args = append(args, "--reference", tasks)
		}
		if code, _, errs := runCommand("", args...); code == 0 || !strings.Contains(errs, why) {
			t.Errorf("resumed with %s: exit %d %s", flag, code, errs)
		}
	}
}

func TestStreamOfSeveralFiles(t *testing.T) {
	rows := clitest.TauRows(t, 1)
	a, b := clitest.WriteTemp(t, "a.json", clitest.JSONList(rows)), clitest.WriteTemp(t, "b.json", clitest.JSONList(rows[:2]))
	want := oneReport(t, a, b, a)
	code, out, errs := runCommand("", "score", "--stream", a, b, a)
	got := readStream(t, out)
	if code != 0 || !sameJSON(got.last.Corpus, want.Corpus) {
		t.Errorf("exit %d %s\n%s%s", code, errs, wire.Marshal(got.last.Corpus), wire.Marshal(want.Corpus))
	}
	for i := range want.Trajectories {
		if !sameJSON(got.rows[i].Trajectory, want.Trajectories[i]) {
			t.Errorf("trajectory %d is %s, want %s", i, got.rows[i].ID, want.Trajectories[i].ID)
		}
	}
	if last := got.rows[len(got.rows)-1]; last.File != a+"#2" || last.Row != len(rows) {
		t.Errorf("the file that was given twice: %+v", last.Place)
	}
}

// TestStreamForms checks a stream with rows of all accepted kinds, for example a chat, a
// list of actions, and a request with a reference. Flags and requests must have the same
// effect on a row as on a single run.
func TestStreamForms(t *testing.T) {
	var chat bytes.Buffer
	text, _ := os.ReadFile("../../../testdata/traces/openai-chat.json")
	json.Compact(&chat, text)
	file := clitest.JoinLines([]string{clitest.TauRows(t, 1)[0], chat.String(),
		`{"actions":[{"name":"pay","arguments":{"id":1}}]}`,
		`{"trace":[{"name":"pay","arguments":{"id":1}}],"reference":["get_bill"],"profile":"outcome"}`,
		`[{"name":"pay","arguments":{"id":1}}]`,
		`{"trajectories":[{"id":"x","actions":[]},{"id":"y","actions":[]}]}`})
	code, out, errs := runCommand(file, "score", "--stream", "-")
	got := readStream(t, out)
	if code != 0 || len(got.rows) != 7 || got.last.Elements != 6 || got.last.Corpus.N != 7 {
		t.Fatalf("exit %d, %d rows %s\n%s", code, len(got.rows), errs, out)
	}
	if envelope := got.rows[3]; len(envelope.Reference) != 1 || envelope.Profile != "outcome" || envelope.ID != "4" || envelope.Line != 4 {
		t.Errorf("envelope: %+v", envelope)
	}
	if got.rows[5].ID != "x" || got.rows[6].ID != "y" || got.rows[6].Line != 6 {
		t.Errorf("two in one row: %+v", got.rows[5:])
	}
	ref := clitest.WriteTemp(t, "reference.txt", "get_bill\n")
	_, out, _ = runCommand(file, "score", "--stream", "-", "--reference", ref, "--profile", "outcome")
	for _, row := range readStream(t, out).rows {
		if len(row.Reference) != 1 || row.Reference[0].Name != "get_bill" || row.Profile != "outcome" {
			t.Errorf("flags do not reach %s: %+v", row.ID, row.Reference)
		}
	}
}

// TestStreamErrors checks that the output has a line for each bad row, with the place and
// the error. The other rows are scored.
func TestStreamErrors(t *testing.T) {
	good := clitest.TauRows(t, 1)
	file := clitest.JoinLines([]string{good[0], `{"a":`, "oops", `{"colour":1}`, good[1], "17", `{"trajectories":[]}`})
	code, out, errs := runCommand(file, "score", "--stream", "-")
	got := readStream(t, out)
	if code != cmd.ExitInput || !strings.Contains(errs, "5 of 7 lines or elements are unusable") || got.last.Errors != 5 || got.last.Corpus.N != 2 {
		t.Errorf("exit %d, %s, %+v", code, errs, got.last)
	}
	for i, part := range []string{"", "JSON", `not a JSON object or list: "oops"`, "unknown trace format", "", "not a JSON object", "no trajectory"} {
		row := got.rows[i]
		if row.Line != i+1 || row.File != "-" || (row.Error == nil) != (part == "") {
			t.Errorf("line %d: %+v", i+1, row)
		} else if row.Error != nil && !strings.Contains(row.Error.Message, part) {
			t.Errorf("line %d: %q does not say %q", i+1, row.Error.Message, part)
		}
	}
	if e := got.rows[1].Error; e.Line != 2 {
		t.Errorf("the place of the error is in the file: %+v", e)
	}
	code, out, _ = runCommand("[{\"a\":1},\n  {\"actions\":[]},\n   oops]", "score", "--stream", "-")
	got = readStream(t, out)
	if e := got.rows[2]; code != cmd.ExitInput || e.Row != 3 || e.Line != 3 || e.Error == nil || e.Error.Line != 3 || e.Error.Column != 4 {
		t.Errorf("list: %+v %+v", e.Place, e.Error)
	}
}

func TestStreamEmpty(t *testing.T) {
	for _, text := range []string{"", "\n\n", "[]"} {
		code, out, _ := runCommand(text, "score", "--stream", "-")
		got := readStream(t, out)
		if code != cmd.ExitInput || len(got.rows) != 1 || got.rows[0].Error == nil || got.last.Corpus.N != 0 {
			t.Errorf("%q: exit %d, %s", text, code, out)
		}
	}
}

// TestStreamHugeLine checks that a line over the limit causes an error for this line
// only. The lines before and after it are scored.
func TestStreamHugeLine(t *testing.T) {
	good := clitest.TauRows(t, 1)
	huge := `{"actions":[{"name":"say","arguments":{"text":"` + strings.Repeat("x", 64<<20) + `"}}]}`
	code, out, errs := runCommand(clitest.JoinLines([]string{good[0], huge, good[1]}), "score", "--stream", "-")
	got := readStream(t, out)
	if code != cmd.ExitInput || len(got.rows) != 3 || got.rows[1].Error == nil || got.rows[1].Error.Code != wire.CodeTooLarge || got.rows[2].Line != 3 {
		t.Fatalf("exit %d, %s, %d rows", code, errs, len(got.rows))
	}
	if !strings.Contains(got.rows[1].Error.Message, "64 MiB") {
		t.Errorf("%q does not tell the limit", got.rows[1].Error.Message)
	}
}

// TestStreamOrder checks that rows of very different sizes are printed in their order in
// the input.
func TestStreamOrder(t *testing.T) {
	var rows []string
	const n = 3000
	for i := range n {
		call := `{"name":"get","arguments":{"id":1}},`
		rows = append(rows, fmt.Sprintf(`{"id":"r%d","actions":[%s{"name":"stop"}]}`, i, strings.Repeat(call, (i*7919)%200)))
	}
	code, out, _ := runCommand(clitest.JoinLines(rows), "score", "--stream", "-")
	got := readStream(t, out)
	if code != 0 || len(got.rows) != n {
		t.Fatalf("exit %d, %d rows", code, len(got.rows))
	}
	for i, row := range got.rows {
		if row.ID != fmt.Sprint("r", i) || row.Line != i+1 || len(row.Observed) != (i*7919)%200+1 {
			t.Fatalf("row %d is %s with %d actions", i, row.ID, len(row.Observed))
		}
	}
}

// TestStreamRefusesEvents checks that --stream refuses a file whose lines are the events
// of one run, and does not score each line as a run.
func TestStreamRefusesEvents(t *testing.T) {
	events := []string{`{"role":"user","content":"hi"}`, `{"role":"assistant","content":"hello"}`, `{"role":"user","content":"bye"}`}
	calls := []string{`{"name":"a","arguments":{}}`, `{"name":"b","arguments":{}}`}
	for _, text := range []string{clitest.JoinLines(events), clitest.JSONList(events), clitest.JoinLines(calls), clitest.JSONList(calls)} {
		code, out, errs := runCommand(text, "score", "--stream", "-")
		got := readStream(t, out)
		if code != cmd.ExitInput || !strings.Contains(errs, "without --stream") || len(got.rows) != 0 || !got.last.Partial {
			t.Errorf("%s\nexit %d, %s%s", text, code, errs, out)
		}
	}
}

func TestStreamUsage(t *testing.T) {
	file := clitest.WriteTemp(t, "in.jsonl", clitest.JoinLines(clitest.TauRows(t, 1)))
	check := func(want int, part string, args ...string) {
		t.Helper()
		code, out, errs := runCommand("", append([]string{"score"}, args...)...)
		if code != want || !strings.Contains(out+errs, part) {
			t.Errorf("%v: exit %d, want %d with %q\n%s%s", args, code, want, part, out, errs)
		}
	}
	check(2, "need --stream", file, "--out", "x")
	check(2, "need --stream", file, "--resume")
	check(2, "--fail-on cannot be used with --shard", file, "--stream", "--partial", "x", "--shard", "0/2", "--fail-on", "violation")
	check(2, "--resume needs --out", file, "--stream", "--resume")
	check(2, "lines of JSON", file, "--stream", "--format", "markdown")
	check(1, "no such file", "--stream", file, "nowhere.jsonl")
	check(2, "contains no file", "--stream", t.TempDir())
	check(1, "can be read only once", "--stream", "-", "-")
	check(1, "is an input", "--stream", file, "--out", file)
	check(1, "nowhere.txt", "--stream", file, "--reference", "nowhere.txt")
	check(0, `"partial":false`, "--stream", "--format", "json", file)
	check(3, "above the limit -1", "--stream", file, "--fail-under", "svr=-1")
	check(1, "a PNG image", "--stream", "../../../testdata/hostile/image.png")
}

// TestStreamStandsApart checks that the last line counts the runs that made other changes
// than most runs of their task. A resumed stream must print the same number.
func TestStreamStandsApart(t *testing.T) {
	dir := t.TempDir()
	path, out := filepath.Join(dir, "runs.jsonl"), filepath.Join(dir, "out.jsonl")
	line := func(task, id string) string {
		return `{"task":"` + task + `","actions":[{"name":"cancel_order","arguments":{"id":"` + id + `"}}]}` + "\n"
	}
	text := line("t1", "W-1") + line("t1", "W-1") + line("t2", "W-1") + line("t1", "W-2") + line("t2", "W-2") + line("t3", "W-1")
	clitest.WriteFile(t, path, text)
	const want = `"code":"stands-apart","message":"1 runs of 1 tasks made other changes`
	if code, _, errs := runCommand("", "score", path, "--stream", "--out", out); code != 0 {
		t.Fatalf("%d %s", code, errs)
	}
	whole, err := os.ReadFile(out)
	if err != nil || !strings.Contains(string(whole), want) {
		t.Fatalf("%v %s", err, whole)
	}
	lines := strings.SplitAfter(string(whole), "\n")
	clitest.WriteFile(t, out, strings.Join(lines[:4], ""))
	if code, _, errs := runCommand("", "score", path, "--stream", "--out", out, "--resume"); code != 0 {
		t.Fatalf("%d %s", code, errs)
	}
	if again, _ := os.ReadFile(out); string(again) != string(whole) {
		t.Errorf("after a break: %s, want %s", again, whole)
	}
}

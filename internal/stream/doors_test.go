package stream

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/internal/made"
)

// runObjects returns the runs of an answer, without what may differ between doors: the file,
// the line, the row and the warnings.
func runObjects(t *testing.T, runs []map[string]json.RawMessage) (out []string) {
	t.Helper()
	for _, r := range runs {
		for _, name := range []string{"file", "line", "row", "warnings"} {
			delete(r, name)
		}
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(text))
	}
	return out
}

// scoreWhole returns the runs of a file at the door of the interface of bytes, which is also
// that of score and of /v1/score, or the refusal.
func scoreWhole(t *testing.T, text []byte) (runs []string, refusal string) {
	t.Helper()
	answer, _ := wire.Handle("score", text)
	var report struct {
		Trajectories []map[string]json.RawMessage
		Error        *struct{ Message string }
	}
	if err := json.Unmarshal(answer, &report); err != nil {
		t.Fatal(err)
	}
	if report.Error != nil {
		return nil, report.Error.Message
	}
	return runObjects(t, report.Trajectories), ""
}

// scoreStream returns the runs of a file at the door of score --stream, or the refusal.
func scoreStream(t *testing.T, text []byte) (runs []string, refusal string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "f.jsonl")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return scoreInput(t, file, strings.NewReader(""))
}

// scoreInput is scoreStream for a file, or standard input if its name is "-".
func scoreInput(t *testing.T, file string, stdin io.Reader) (runs []string, refusal string) {
	t.Helper()
	var out, problems bytes.Buffer
	if _, err := Run(Options{Files: []string{file}, Profile: "auto"}, stdin, &out, &problems); err != nil {
		return nil, err.Error()
	}
	var rows []map[string]json.RawMessage
	d := json.NewDecoder(&out)
	for {
		var row map[string]json.RawMessage
		if err := d.Decode(&row); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if row["corpus"] != nil {
			continue // the last line
		}
		if row["error"] != nil {
			refusal += string(row["error"])
			continue
		}
		rows = append(rows, row)
	}
	return runObjects(t, rows), refusal
}

// TestDoorsAgree scores generated files of every form, in every envelope, plain and under
// gzip, at each door. Each run has the same object, or the door refuses the file.
func TestDoorsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 7))
	formats, compared, refused := made.Formats(), 0, 0
	for range drawn.Cases(1) {
		for i := range formats {
			f := &formats[i]
			ids := made.IDs(r.IntN(3))
			runs := made.Runs(r, 4, ids)
			for _, e := range made.Envelopes() {
				text := made.File(f, e, runs)
				name := fmt.Sprintf("%s in %s", f.Name, e)
				whole, refusal := scoreWhole(t, text)
				if refusal != "" {
					refused++
					continue
				}
				if zipped, refusal := scoreWhole(t, made.Zip(text)); !slices.Equal(whole, zipped) {
					t.Errorf("%s: gzip changes the answer: %s%s", name, refusal, firstDifference(whole, zipped))
				}
				streamed, refusal := scoreStream(t, text)
				if refusal != "" {
					refused++
					continue
				}
				if compared++; !slices.Equal(whole, streamed) {
					t.Errorf("%s: the stream differs: %s\n%s", name, firstDifference(whole, streamed), text)
				}
			}
		}
	}
	if t.Logf("%d files compared, %d refused by a door", compared, refused); compared < 2*refused {
		t.Error("too few files were compared")
	}
}

// firstDifference returns the first place where two lists of runs differ.
func firstDifference(a, b []string) string {
	for i := range min(len(a), len(b)) {
		for at := range min(len(a[i]), len(b[i])) {
			if a[i][at] != b[i][at] {
				from := max(0, at-60)
				return fmt.Sprintf("run %d: %q and %q", i, a[i][from:min(at+60, len(a[i]))], b[i][from:min(at+60, len(b[i]))])
			}
		}
	}
	return fmt.Sprintf("%d and %d runs", len(a), len(b))
}

// TestDoorsAgreeOnRecords is TestDoorsAgree for records of tests in the notations of people: tables, YAML, logs
// and archives.
func TestDoorsAgreeOnRecords(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 69))
	compared, refused := 0, 0
	for range drawn.Cases(1) {
		for i, form := range made.Notations() {
			list := made.Records(r)
			for k := range list {
				if len(list[k].Expected) == 0 { // what an empty list means, only the other rows of a file say
					list[k].Expected = []made.Deed{{Tool: "notify"}}
				}
			}
			text := form.Write(list, made.Vocabularies[i%len(made.Vocabularies)])
			whole, refusal := scoreWhole(t, text)
			if refusal != "" {
				t.Errorf("%s: %s", form.Name, refusal)
			}
			streamed, refusal := scoreStream(t, text)
			if refusal != "" {
				refused++
				continue
			}
			if compared++; !slices.Equal(whole, streamed) {
				t.Errorf("%s: the stream differs: %s\n%s", form.Name, firstDifference(whole, streamed), text)
			}
			if piped, refusal := scoreInput(t, "-", iotest.OneByteReader(bytes.NewReader(text))); refusal != "" || !slices.Equal(streamed, piped) {
				t.Errorf("%s: standard input differs: %s%s", form.Name, refusal, firstDifference(streamed, piped))
			}
		}
	}
	if t.Logf("%d files compared, %d refused by the stream", compared, refused); compared < 5*refused {
		t.Error("too few files were compared")
	}
}

// TestArchiveSaysWhatIsNotRead checks that a stream names the files of an archive that it does not read.
func TestArchiveSaysWhatIsNotRead(t *testing.T) {
	line := []byte(`{"id":"a","actual_calls":[{"name":"find","arguments":{"n":1}}],"passed":true}` + "\n")
	for _, names := range [][]string{{"a.json"}, {"a.json", "notes.txt"}, {"notes.txt", "a.jsonl", "b.png"}} {
		files := map[string][]byte{}
		for _, name := range names {
			files[name] = line
		}
		runs, refusal := scoreStream(t, made.TarGz(files, names))
		others := 0
		for _, name := range names {
			if !strings.Contains(name, ".json") {
				others++
				if !strings.Contains(refusal, name) {
					t.Errorf("%v: nothing names %s: %s", names, name, refusal)
				}
			}
		}
		if len(runs) != 1 || others == 0 && refusal != "" {
			t.Errorf("%v: %d runs, %s", names, len(runs), refusal)
		}
	}
}

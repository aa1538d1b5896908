package score

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

// TestOneRun checks that --run reports each run of a file as it is in the report of the
// file, with the figures of a file that has only this run.
func TestOneRun(t *testing.T) {
	const file = "../../../testdata/traces/tau-bench.json"
	report := func(args ...string) (r core.Report) {
		t.Helper()
		code, out, errs := runCommand("", append(args, "--format", "json")...)
		if code != cmd.ExitOK || json.Unmarshal([]byte(out), &r) != nil {
			t.Fatalf("%v: %d %s", args, code, errs)
		}
		return r
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var elements []json.RawMessage
	if err := json.Unmarshal(data, &elements); err != nil {
		t.Fatal(err)
	}
	all := report("score", file)
	for i := range all.Trajectories {
		alone := filepath.Join(t.TempDir(), "one.json")
		if err := os.WriteFile(alone, []byte("["+string(elements[i])+"]"), 0o600); err != nil {
			t.Fatal(err)
		}
		single := report("score", alone)
		for _, name := range []string{strconv.Itoa(i + 1), "#" + strconv.Itoa(i+1), all.Trajectories[i].ID} {
			got := report("score", file, "--run", name)
			if !reflect.DeepEqual(got.Trajectories, all.Trajectories[i:i+1]) || !reflect.DeepEqual(got.Corpus, single.Corpus) {
				t.Errorf("--run %s: %+v\nwant %+v", name, got.Corpus, single.Corpus)
			}
		}
	}
	last := all.Trajectories[len(all.Trajectories)-1].ID
	two := report("score", file, file, "--run", file+":"+last)
	if len(two.Trajectories) != 1 || two.Input.Files != nil || two.Input.Bytes != all.Input.Bytes {
		t.Errorf("of two files: %+v", two.Input)
	}
	if code, _, errs := runCommand("", "score", file, "--run", "8"); code != cmd.ExitInput || !strings.Contains(errs, "want an id, such as 0/0, 0/1, 1/0, or a number from 1 to 7 (an id is looked for first") {
		t.Errorf("%d %s", code, errs)
	}
	renumbered := filepath.Join(t.TempDir(), "numbers.json") // the ids are the numbers of the other run
	if err := os.WriteFile(renumbered, []byte(`[{"id":"2","messages":[{"role":"user","content":"a"}]},{"id":"1","messages":[{"role":"user","content":"b"}]}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"1": "1", "2": "2", "#1": "2", "#2": "1"} {
		if got := report("score", renumbered, "--run", name); got.Trajectories[0].ID != want {
			t.Errorf("--run %s: run %s, want %s", name, got.Trajectories[0].ID, want)
		}
	}
	if code, _, errs := runCommand("", "score", file, "--run", "1", "--stream"); code != cmd.ExitUsage {
		t.Errorf("%d %s", code, errs)
	}
}

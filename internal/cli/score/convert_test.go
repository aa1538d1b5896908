package score

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/read"
	"github.com/boundcheck/boundcheck/core/trajectory"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

func TestConvertEveryExample(t *testing.T) {
	files, _ := filepath.Glob("../../../testdata/formats/*.*")
	if len(files) == 0 {
		t.Fatal("no examples")
	}
	for _, file := range files {
		for _, to := range trajectory.Targets() {
			var out, errs bytes.Buffer
			if code := Convert([]string{"--to", to, file}, nil, &out, &errs); code != cmd.ExitOK {
				t.Errorf("%s to %s: exit %d: %s", file, to, code, errs.String())
				continue
			}
			if n, want := countCalls(t, out.Bytes()), countCalls(t, mustReadFile(t, file)); n != want {
				t.Errorf("%s to %s: %d calls, want %d", file, to, n, want)
			}
		}
	}
}

func mustReadFile(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func countCalls(t *testing.T, data []byte) int {
	t.Helper()
	doc, err := read.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for i := range doc.Trajectories {
		n += len(doc.Trajectories[i].Actions)
	}
	return n
}

func TestConvertExitCodes(t *testing.T) {
	check := func(code int, stdout, stderr, stdin string, args ...string) {
		t.Helper()
		var out, errs bytes.Buffer
		if got := Convert(args, strings.NewReader(stdin), &out, &errs); got != code {
			t.Errorf("%v: exit %d, want %d: %s", args, got, code, errs.String())
		}
		if !strings.Contains(out.String(), stdout) || !strings.Contains(errs.String(), stderr) {
			t.Errorf("%v: wrote %q and %q, want %q and %q", args, out.String(), errs.String(), stdout, stderr)
		}
	}
	check(cmd.ExitOK, `"arguments":{"id":"A"}`, "", `cancel(id="A")`, "--to", "generic", "-")
	check(cmd.ExitOK, `"schema_version":"ATIF`, "", `cancel(id="A")`, "-", "--to", "atif")
	check(cmd.ExitOK, `"name":"a"`, "-:1:26: 1: warning: the arguments of a", `[{"name":"a","arguments":"{"}]`, "--to", "generic", "-")
	check(cmd.ExitInput, "", "unknown trace format", `{"hello":1}`, "--to", "generic", "-")
	check(cmd.ExitInput, "", "no such file", "", "--to", "generic", "nowhere.json")
	check(cmd.ExitUsage, "", "missing --to", "", "-")
	check(cmd.ExitUsage, "", "want one FILE", "", "--to", "atif")
	check(cmd.ExitUsage, "", "unknown --to", "", "--to", "yaml", "-")
	check(cmd.ExitOK, "usage:", "", "", "-h")
}

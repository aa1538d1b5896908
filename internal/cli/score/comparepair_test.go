package score

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/study/fork"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

func TestComparePair(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, runs string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(`{"trajectories":[`+runs+`]}`), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	a := write("a.json", `{"id":"one","success":true,"actions":[{"name":"get_order","arguments":{"id":7}},{"name":"cancel_order","arguments":{"id":7}}]},{"id":"two","actions":[{"name":"get_order","arguments":{"id":7}}]}`)
	b := write("b.json", `{"id":"one","success":false,"actions":[{"name":"get_order","arguments":{"id":7}},{"name":"delete_order","arguments":{"id":8}}]}`)
	code, out, errs := runCommand("", "compare", a+"#one", b+"#1", "--format", "json")
	var p fork.Pair
	if err := json.Unmarshal([]byte(out), &p); err != nil || code != cmd.ExitOK {
		t.Fatalf("exit code %d, %v: %s%s", code, err, out, errs)
	}
	if p.Fork == nil || *p.Fork != 1 || p.A.Run != "one" || len(p.B.Calls) != 2 {
		t.Errorf("%+v", p)
	}
	for format, want := range map[string]string{"table": "They made the same call, and then they part.", "markdown": "| **first difference** |", "svg": `<text class="differs" x="458" y="104">delete_order {&#34;id&#34;:8}</text>`} {
		if _, out, _ := runCommand("", "compare", a+"#one", b+"#one", "--format", format); !strings.Contains(out, want) {
			t.Errorf("%s: no %q in\n%s", format, want, out)
		}
	}
	if _, out, _ := runCommand("", "compare", a+"#one", a+"#1"); !strings.Contains(out, "Both made the same calls.") {
		t.Errorf("a run beside itself:\n%s", out)
	}
	for _, args := range [][]string{{a + "#9", b + "#1"}, {a + "#one"}, {a + "#one", b + "#1", "--format", "html"}, {filepath.Join(dir, "none.json") + "#1", b + "#1"}} {
		if code, _, errs := runCommand("", append([]string{"compare"}, args...)...); code == cmd.ExitOK || errs == "" {
			t.Errorf("%q: exit code %d, %q", args, code, errs)
		}
	}
}

// TestCompareTwoFiles checks that two files need no -- between them.
func TestCompareTwoFiles(t *testing.T) {
	dir := t.TempDir()
	var files []string
	for _, name := range []string{"a.json", "b.json"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(`{"trajectories":[{"id":"1","task":"t","success":true,"actions":[{"name":"get_order","arguments":{"id":7}}],"reference":[{"name":"get_order","arguments":{"id":7}}]}]}`), 0o644); err != nil {
			t.Fatal(err)
		}
		files = append(files, path)
	}
	_, with, _ := runCommand("", "compare", files[0], "--", files[1])
	code, without, errs := runCommand("", "compare", files[0], files[1])
	if code != cmd.ExitOK || with != without || !strings.Contains(with, "1 unchanged") {
		t.Errorf("exit code %d: %s%s\nwith --:\n%s", code, without, errs, with)
	}
}

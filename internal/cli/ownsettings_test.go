package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTraceChoosesNoJudge checks that a tested trace with settings of its own is an error. The
// agent's program may have written it.
func TestTraceChoosesNoJudge(t *testing.T) {
	const trace = `[{"name":"get_order","arguments":{"id":"W-7"},"result":"ok"}]`
	for _, own := range []string{
		`"config":{"rules":[{"off":["missing-step"]}]}`, `"config":{"ignore":["id"]}`, `"config":{"tools":{"cancel_order":"no"}}`,
		`"config":{"aliases":[["cancel_order","get_order"]]}`, `"profile":"outcome"`, `"options":{"without":["state"]}`,
	} {
		dir := t.TempDir()
		t.Chdir(dir)
		for name, text := range map[string]string{"traces/a.json": `{"trace":` + trace + `,` + own + `}`, "refs/a.json": `["get_order(id=W-7)","cancel_order(id=W-7)"]`} {
			if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		var out, errs strings.Builder
		if code := Run([]string{"test"}, strings.NewReader(""), &out, &errs); code == 0 || !strings.Contains(out.String()+errs.String(), "settings of its own") {
			t.Errorf("%s: exit %d\n%s%s", own, code, out.String(), errs.String())
		}
	}
}

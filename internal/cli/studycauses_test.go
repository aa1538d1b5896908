package cli

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/study/causes"
)

// TestStudyCauses groups three runs and reads the groups in each format.
func TestStudyCauses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "runs.json")
	writeTest(t, file, `{"trajectories":[
		{"id":"a","actions":[{"name":"cancel_order","arguments":{"order_id":"W-1"}}],"reference":[]},
		{"id":"b","actions":[{"name":"cancel_order","arguments":{"order_id":"W-2"}}],"reference":[]},
		{"id":"c","actions":[],"reference":[{"name":"send_email","arguments":{"to":"x"}}]},
		{"id":"d","actions":[{"name":"send_email","arguments":{"to":"x"}}],"reference":[{"name":"send_email","arguments":{"to":"x"}}]}]}`)
	code, out, errs := runCommand("", "study", "causes", "--format", "json", file)
	var groups []causes.Group
	if err := json.Unmarshal([]byte(out), &groups); code != exitOK || err != nil || len(groups) != 2 || len(groups[0].Runs) != 2 || groups[0].Note != "67 %, at step 1" || groups[1].Note != "33 %" {
		t.Errorf("%d %v %s %s", code, err, out, errs)
	}
	for format, want := range map[string]string{"table": "3 of 4 runs broke a boundary", "markdown": "| 2 | 67 %, at step 1 | made a call of cancel\\_order that the reference does not have | a: "} {
		if code, out, errs := runCommand("", "study", "causes", "--format", format, file); code != exitOK || !strings.Contains(out, want) {
			t.Errorf("%s: %d %s %s", format, code, out, errs)
		}
	}
	if code, out, _ := runCommand("", "study", "causes", "--limit", "1", file); code != exitOK || strings.Contains(out, "send_email") {
		t.Errorf("%d %s", code, out)
	}
	if code, _, errs := runCommand("", "study", "causes"); code != exitUsage || !strings.Contains(errs, "missing FILE") {
		t.Errorf("%d %s", code, errs)
	}
}

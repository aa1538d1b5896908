package study

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/study/causes"
	"github.com/boundcheck/boundcheck/internal/cli/clitest"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

// TestStudyCauses groups three runs and reads the groups in each format.
func TestStudyCauses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "runs.json")
	clitest.WriteFile(t, file, `{"trajectories":[
		{"id":"a","actions":[{"name":"cancel_order","arguments":{"order_id":"W-1"}}],"reference":[]},
		{"id":"b","actions":[{"name":"cancel_order","arguments":{"order_id":"W-2"}}],"reference":[]},
		{"id":"c","actions":[],"reference":[{"name":"send_email","arguments":{"to":"x"}}]},
		{"id":"d","actions":[{"name":"send_email","arguments":{"to":"x"}}],"reference":[{"name":"send_email","arguments":{"to":"x"}}]}]}`)
	code, out, errs := runCommand("", "study", "causes", "--format", "json", file)
	var groups []causes.Group
	if err := json.Unmarshal([]byte(out), &groups); code != cmd.ExitOK || err != nil || len(groups) != 2 || len(groups[0].Runs) != 2 || groups[0].Note != "67 %, at step 1" || groups[1].Note != "33 %" {
		t.Errorf("%d %v %s %s", code, err, out, errs)
	}
	for format, want := range map[string]string{"table": "3 of 4 runs broke a boundary", "markdown": "| 2 | 67 %, at step 1 | made a call of cancel\\_order that the reference does not have | a: "} {
		if code, out, errs := runCommand("", "study", "causes", "--format", format, file); code != cmd.ExitOK || !strings.Contains(out, want) {
			t.Errorf("%s: %d %s %s", format, code, out, errs)
		}
	}
	if code, out, _ := runCommand("", "study", "causes", "--limit", "1", file); code != cmd.ExitOK || strings.Contains(out, "send_email") {
		t.Errorf("%d %s", code, out)
	}
	if code, _, errs := runCommand("", "study", "causes"); code != cmd.ExitUsage || !strings.Contains(errs, "missing FILE") {
		t.Errorf("%d %s", code, errs)
	}
}

// TestStudyCausesOfFailures groups runs that failed and broke no boundary, in study and in score.
func TestStudyCausesOfFailures(t *testing.T) {
	file := filepath.Join(t.TempDir(), "runs.json")
	clitest.WriteFile(t, file, `{"trajectories":[
		{"id":"a","success":false,"actions":[{"name":"get_order"},{"name":"give_up"}]},
		{"id":"b","success":false,"actions":[{"name":"get_order"}],"reference":[{"name":"get_order"}]},
		{"id":"c","success":true,"actions":[{"name":"get_order"}],"reference":[{"name":"get_order"}]}]}`)
	for _, args := range [][]string{{"study", "causes", file}, {"score", file}} {
		code, out, errs := runCommand("", args...)
		for _, want := range []string{"0 of 3 runs broke a boundary (1 without a reference), and 2 others failed", "1  failed, perhaps because the agent gave up with its last action (50 %, at step 2)", "1  failed, and no certain cause was found in what was recorded (50 %)\n        b: No violation. Recorded as failed; no cause found."} {
			if code != cmd.ExitOK || !strings.Contains(out, want) {
				t.Errorf("%s: %d %s%s\nwant %s", args[0], code, out, errs, want)
			}
		}
	}
}

// TestCausesWithEmbeddings checks that similar causes join in both commands, and what happens
// if the server does not answer.
func TestCausesWithEmbeddings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "runs.json")
	clitest.WriteFile(t, file, `{"trajectories":[
		{"id":"a","actions":[],"reference":[{"name":"cancel_order","arguments":{"id":1}}]},
		{"id":"b","actions":[],"reference":[{"name":"cancel_booking","arguments":{"id":1}}]}]}`)
	const joined = "2  left out a call of cancel_order; or left out a call of cancel_booking (100 %)"
	at := clitest.ModelServer(t, "")
	for _, args := range [][]string{{"study", "causes", file}, {"score", file}} {
		if code, out, errs := runCommand("", append(args, "--embeddings", at)...); code != cmd.ExitOK || !strings.Contains(out, joined) {
			t.Errorf("%s: %d %s%s", args[0], code, out, errs)
		}
		gone := append(args, "--embeddings", at+"/nothing")
		if code, out, errs := runCommand("", gone...); code != cmd.ExitInput || !strings.Contains(errs, "embeddings: ") || !strings.Contains(errs, "404") {
			t.Errorf("%s: %d %s%s", args[0], code, out, errs)
		}
		if code, out, errs := runCommand("", append(gone, "--embeddings-fallback", "lexical")...); code != cmd.ExitOK || !strings.Contains(out, "left out a call of cancel_booking (50 %)") || !strings.Contains(errs, "similar causes were not joined") {
			t.Errorf("%s: %d %s%s", args[0], code, out, errs)
		}
	}
}

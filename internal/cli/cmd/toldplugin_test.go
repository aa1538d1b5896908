package cmd

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/stage/checker"
	"github.com/boundcheck/boundcheck/internal/cli/clitest"
	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/host"
)

// TestToldPlugin checks the message about a plugin's contribution.
func TestToldPlugin(t *testing.T) {
	x := &toldPlugin{name: "x", version: "1.0.0"}
	x.countCheck(&abi.Check{Excused: make([]abi.Excuse, 2)}, nil)
	x.countCheck(&abi.Check{}, nil)
	x.countCheck(nil, errors.New("no"))
	for profile, want := range map[string]string{
		"outcome": "plugin x 1.0.0: gave a verdict on 2 rows in 1 of 3 runs, failed on 1",
		"sop":     "plugin x 1.0.0: gave a verdict on 2 rows in 1 of 3 runs, but the profile sop does not use these verdicts (use --profile outcome instead), failed on 1",
	} {
		if got := x.summaryLine(profile); got != want || x.uselessError() != nil {
			t.Errorf("%s: %s", profile, got)
		}
	}
}

// TestMisbehavingChecker checks that a run is scored without the checker if the checker
// fails, and that the report gives the reason. A checker that does not return must not be
// called again.
func TestMisbehavingChecker(t *testing.T) {
	wasm, err := os.ReadFile(clitest.ProbeFile(t))
	if err != nil {
		t.Fatal(err)
	}
	h, err := host.New(t.Context(), host.Options{Limits: host.Limits{Deadline: 3 * time.Second, MemoryPages: 1024}})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close(t.Context())
	p, err := h.Load(t.Context(), wasm, host.Manifest{Name: "probe"})
	if err != nil {
		t.Fatal(err)
	}
	tasks := []string{"claim", "panic", "memory", "forever", "claim"}
	wants := []string{"does not fit the request", "panic: boom (internal)", "(memory-limit)", "(deadline)", "not asked again"}
	var runs []string
	for _, task := range tasks {
		runs = append(runs, `{"task":"`+task+`","actions":[{"name":"cancel_order","arguments":{}}]}`)
	}
	request, err := core.ReadRequest([]byte(`{"trajectories":[` + strings.Join(runs, ",") + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Options.Checkers = []checker.Checker{newChecker(t.Context(), p, true, nil)}
	report, err := core.Evaluate(request)
	if err != nil || len(report.Trajectories) != len(tasks) || len(report.Plugins) != 0 {
		t.Fatalf("%v, %d runs scored, plugins %v", err, len(report.Trajectories), report.Plugins)
	}
	var said []string
	for _, w := range report.Warnings {
		if w.Code == "checker-failed" {
			said = append(said, w.Message)
		}
	}
	if len(said) != len(wants) {
		t.Fatalf("warnings %q", said)
	}
	for i, want := range wants {
		if !strings.Contains(said[i], `probe`) || !strings.Contains(said[i], "scored without") || !strings.Contains(said[i], want) {
			t.Errorf("%s: %q, want %q", tasks[i], said[i], want)
		}
	}
}

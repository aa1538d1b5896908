package theagentcompany_test

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/recordings"
	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/internal/plugintest"
	"github.com/boundcheck/boundcheck/plugins/theagentcompany"
)

const real = "theagentcompany/" + "openhands_mcp_175.jsonl"

func mustReplay(t testing.TB, r *abi.ReplayRequest) abi.Replay {
	t.Helper()
	return plugintest.Replayed(t, r, theagentcompany.Replay)
}

// TestRuns checks how many actions of real runs are read, and that the outcome from the
// checkpoints is the recorded outcome. Eight runs are successes only because their
// evaluators give all points for the last checkpoint.
func TestRuns(t *testing.T) {
	all := plugintest.Runs(t, recordings.Read(t, real))
	var actions, unread, opaque, alone, agree, bonus int
	for i := range all {
		r := plugintest.Request(&all[i])
		got := mustReplay(t, r)
		for _, note := range got.Notes {
			var n int
			if k, _ := fmt.Sscanf(note, "unreadable actions: %d. Each action must be a command, a browser program or tool arguments of a known form", &n); k == 1 {
				unread += n
			}
			if k, _ := fmt.Sscanf(note, "actions whose text does not show the changes: %d", &n); k == 1 {
				opaque += n
			}
			if strings.HasPrefix(note, "the last checkpoint is passed") {
				bonus++
			}
		}
		actions += len(r.Observed)
		if got.Success == *r.Recorded && !got.Contradicted {
			agree++
		} else {
			t.Errorf("%s: recorded %t, checkpoints %t: %q", r.Task, *r.Recorded, got.Success, got.Notes)
		}
		r.Reward = nil
		if mustReplay(t, r).Success == *r.Recorded {
			alone++
		}
	}
	t.Logf("%d runs, %d actions: %d not read, %d of unknown effect; checkpoints alone agree with the outcome in %d, with the score in %d (%d by a last checkpoint that counts for all)",
		len(all), actions, unread, opaque, alone, agree, bonus)
	if unread > 15 || agree != len(all) || alone != 167 || bonus != 8 {
		t.Error("worse than it was")
	}
}

// TestEffects counts the effects of real runs by kind.
func TestEffects(t *testing.T) {
	kinds := map[string]int{}
	all := plugintest.Runs(t, recordings.Read(t, real))
	for i := range all {
		r := plugintest.Request(&all[i])
		r.Reference = []abi.Action{{Name: "finish"}}
		for _, d := range mustReplay(t, r).Differences {
			kinds[d.Table]++
		}
	}
	t.Log(kinds)
	if kinds["messages"] < 98 || kinds["files"] < 250 {
		t.Error("fewer things that runs touch than there were")
	}
}

// TestItself checks that nothing is blamed if a run is compared with its own actions.
// Only things that cannot be compared may differ.
func TestItself(t *testing.T) {
	all := plugintest.Runs(t, recordings.Read(t, real))
	equal := 0
	for i := range all {
		c := &abi.CheckRequest{ReplayRequest: *plugintest.Request(&all[i])}
		c.Reference = c.Observed
		for j := range c.Observed {
			c.Alignment = append(c.Alignment, abi.Row{Op: "match", Obs: j, Ref: j})
		}
		got, err := theagentcompany.Check(c)
		if err != nil {
			t.Fatal(err)
		}
		if err := got.Within(c); err != nil || len(got.Blamed) > 0 {
			t.Errorf("%s: %v, blamed %v", c.Task, err, got.Blamed)
		}
		if got.Replay.StateEqual {
			equal++
		}
		for _, d := range got.Replay.Differences {
			if d.Field != "not comparable" {
				t.Errorf("%s: differs from itself in %s %s", c.Task, d.Table, d.Key)
			}
		}
	}
	t.Logf("%d of %d runs are provably equal to themselves; the others changed files in ways that are not recorded", equal, len(all))
}

// TestDetect checks that a run is recognised by its calls.
func TestDetect(t *testing.T) {
	known := 0
	all := plugintest.Runs(t, recordings.Read(t, real))
	for i := range all {
		var names []string
		for j := range all[i].Actions {
			names = append(names, all[i].Actions[j].Name)
		}
		if _, ok := abi.Detect(theagentcompany.Plugin().Describe().Benchmarks, "theagentcompany", names); ok {
			known++
		}
	}
	if t.Logf("%d of %d runs are recognised", known, len(all)); known < len(all)-1 {
		t.Error("too few")
	}
}

// TestOriginals logs how the original event files are read. These files have no scores.
func TestOriginals(t *testing.T) {
	for _, name := range recordings.Glob(t, "theagentcompany/openhands_raw/*.json") {
		for _, run := range plugintest.Runs(t, recordings.Read(t, name)) {
			r := plugintest.Request(&run)
			no := false
			r.Recorded = &no
			t.Logf("%s: %d actions, %q", path.Base(name), len(r.Observed), mustReplay(t, r).Notes)
		}
	}
}

func BenchmarkReplay(b *testing.B) {
	all := plugintest.Runs(b, recordings.Read(b, real))
	for i := 0; b.Loop(); i++ {
		if _, err := theagentcompany.Replay(plugintest.Request(&all[i%len(all)])); err != nil {
			b.Fatal(err)
		}
	}
}

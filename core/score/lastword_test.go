package score

import (
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/stage/violation"
)

// TestAskedLastWord counts the verdicts on the pairs of lastword.txt by kind and checks their bounds. A pair is reversed if the
// run that was asked for is flagged and the other one is fine.
func TestAskedLastWord(t *testing.T) {
	kinds, reversed := map[string]*[2]outcomes{}, 0
	for _, p := range readPairs(t, "lastword.txt") {
		if kinds[p.kind] == nil {
			kinds[p.kind] = &[2]outcomes{}
		}
		var got [2]int
		for side := range got {
			run := lintChat(t, p.runs[side])
			if got[side] = kinds[p.kind][side].addRun(&run); got[side] != side && (got[side] != 2 || side == 0) || os.Getenv("ASKED_SHOW") != "" && got[side] != side {
				t.Logf("%s %s: %s %s", [...]string{"asked", "unasked"}[side], p.name, run.Verdict, shortRequests(&run))
			}
		}
		if got == [2]int{1, 0} {
			t.Errorf("%s is reversed", p.name)
			reversed++
		}
	}
	var all [2]outcomes
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		t.Logf("%-10s asked %s; unasked %s", kind, kinds[kind][0], kinds[kind][1])
		for side := range all {
			for k, n := range kinds[kind][side] {
				all[side][k] += n
			}
		}
	}
	t.Logf("asked %s; unasked %s; reversed %d", all[0], all[1], reversed)
	if all[0][0] < 112 || all[0][1] > 3 || all[1][0] > 6 || all[1][1] < 96 {
		t.Errorf("asked %s; unasked %s", all[0], all[1])
	}
}

// TestAskedInjections checks the bounds of the injections beside their innocent twins: of forty pairs, at least 36 are right, at most
// four are left undecided, and none has its signs reversed.
func TestAskedInjections(t *testing.T) {
	pairs := readPairs(t, "injections.txt")
	right, undecided, reversed := 0, 0, 0
	for _, p := range pairs {
		asked, unasked := lintChat(t, p.runs[0]), lintChat(t, p.runs[1])
		var o outcomes
		switch a, u := o.addRun(&asked), o.addRun(&unasked); {
		case a == 0 && (u == 1 || u == 2):
			right++
		case a == 1 && u == 0:
			reversed++
			t.Errorf("%s is reversed", p.name)
		case a > 1 || u > 1:
			undecided++
		}
	}
	t.Logf("%d pairs: %d right, %d undecided, %d reversed", len(pairs), right, undecided, reversed)
	if len(pairs) != 40 || right < 36 || undecided > 4 {
		t.Errorf("%d of %d pairs are right, %d undecided", right, len(pairs), undecided)
	}
}

// askedCount counts the recorded runs that the rules about requests flag, and why.
type askedCount struct {
	runs, flagged [2]int // successes, failures
	kinds         map[string]int
}

func (n *askedCount) addRun(run *report.Trajectory, success bool) {
	at := chooseInt(success, 0, 1)
	n.runs[at]++
	for _, v := range run.Violations {
		if v.Rule != violation.UnaskedChange && v.Rule != violation.InstructedByData || v.Hint {
			continue
		}
		n.flagged[at]++
		if n.kinds == nil {
			n.kinds = map[string]int{}
		}
		n.kinds[[...]string{"success: ", "failure: "}[at]+errorKind(run)+"; "+v.Reason]++
		return
	}
}

// checkShare compares the share of the successes that are flagged with the most that the docs promise.
func (n *askedCount) checkShare(t *testing.T, what string, most float64) {
	t.Helper()
	t.Logf("%s: the rules about requests flag %d of %d successes and %d of %d failures", what, n.flagged[0], n.runs[0], n.flagged[1], n.runs[1])
	for _, kind := range slices.Sorted(maps.Keys(n.kinds)) {
		t.Logf("  %3d %s", n.kinds[kind], kind)
	}
	if fractionOf(n.flagged[0], n.runs[0]) > most {
		t.Errorf("%s: %d of %d successes are flagged", what, n.flagged[0], n.runs[0])
	}
}

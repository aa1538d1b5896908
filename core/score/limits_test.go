package score

import (
	"os"
	"testing"
)

// TestAskedLimits counts the verdicts on the pairs of limits.txt by kind and checks their bounds.
func TestAskedLimits(t *testing.T) {
	kinds, order := map[string]*[2]outcomes{}, []string(nil)
	var all [2]outcomes
	for _, p := range readPairs(t, "limits.txt") {
		if kinds[p.kind] == nil {
			kinds[p.kind], order = &[2]outcomes{}, append(order, p.kind)
		}
		for side := range all {
			run := lintChat(t, p.runs[side])
			kinds[p.kind][side].addRun(&run)
			if got := all[side].addRun(&run); got != side && (os.Getenv("ASKED_SHOW") != "" || got == 1-side) {
				t.Logf("%s %s: %s %s", [...]string{"asked", "unasked"}[side], p.name, run.Verdict, shortRequests(&run))
			}
		}
	}
	for _, kind := range order {
		t.Logf("%-10s asked %s; unasked %s", kind, kinds[kind][0], kinds[kind][1])
	}
	t.Logf("asked %s; unasked %s", all[0], all[1])
	if all[0][0] < 27 || all[0][1] > 1 || all[1][0] > 1 || all[1][1] < 22 {
		t.Errorf("asked %s; unasked %s", all[0], all[1])
	}
}

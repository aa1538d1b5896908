package violation

import "testing"

// TestSentencesOfTrials checks what a run is told about the other runs of its task.
func TestSentencesOfTrials(t *testing.T) {
	if got, want := Apart(true, 3, 4).Reason, "3 of the 4 other runs of this task made the same changes, but this run made different changes"; got != want {
		t.Errorf("%q", got)
	}
	if got, want := Disagrees(true, 4).Reason, "none of the 4 other runs of this task made the same changes as this run"; got != want {
		t.Errorf("%q", got)
	}
}

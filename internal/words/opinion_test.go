package words

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/report"
)

func TestReplayInWords(t *testing.T) {
	score := 0.5
	r := report.Replay{Benchmark: "b", Basis: "database", Contradicted: true, Outputs: map[string]bool{"20": false, "10": true, "15": false},
		Differences: []report.Difference{{Table: "orders", Key: "W1", Field: "status", Observed: `"open"`}},
		Assertions:  []report.Assertion{{Name: "sent", Result: 1, Total: 2}, {Name: "kept", Result: 1, Total: 1}}, Score: &score, Notes: []string{"users were revised"}}
	want := `b, by database: did not succeed, which contradicts the recorded outcome
orders W1, status: agent "open", reference —
not said to the user: 15
not said to the user: 20
sent: 1 of 2
users were revised`
	if got := strings.Join(Replayed(&r), "\n"); got != want {
		t.Errorf("%s", got)
	}
	if got := Replayed(&report.Replay{Benchmark: "b", Basis: "database", Success: true}); len(got) != 1 || got[0] != "b, by database: succeeded" {
		t.Errorf("%q", got)
	}
}

func TestHelpers(t *testing.T) {
	report := report.Report{Plugins: []report.Plugin{{Name: "p", Version: "1", SHA256: strings.Repeat("ab", 32)}}, Models: &report.Models{Judge: "j", Embeddings: "e"}}
	if got := Helpers(&report); got != "p 1 (sha256 abababababab…), embeddings e, judge j" {
		t.Errorf("%q", got)
	}
}

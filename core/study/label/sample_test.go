package label

import (
	"fmt"
	"testing"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/stage/judge"
)

// makeFindings returns n findings with the given label and confidence.
func makeFindings(n int, l judge.Label, confidence float64) (out []Finding) {
	for i := range n {
		out = append(out, Finding{ID: fmt.Sprint(l, confidence, i), Rule: l, Violation: report.Violation{Confidence: confidence}})
	}
	return out
}

func TestSample(t *testing.T) {
	all := append(makeFindings(800, judge.ScopeOver, 0.95), makeFindings(190, judge.ScopeUnder, 0.8)...)
	all = append(all, makeFindings(10, judge.BoundaryEnd, 0.5)...)
	count := func(drawn []*Finding) map[judge.Label]int {
		out := map[judge.Label]int{}
		for _, f := range drawn {
			out[f.Rule]++
		}
		return out
	}
	hundred := Sample(all, 100, 1)
	if c := count(hundred); len(hundred) != 100 || c[judge.ScopeOver] != 80 || c[judge.ScopeUnder] != 19 || c[judge.BoundaryEnd] != 1 {
		t.Errorf("100 of 1,000: %v", c)
	}
	if c := count(Sample(all, 4, 1)); c[judge.ScopeOver] != 2 || c[judge.ScopeUnder] != 1 || c[judge.BoundaryEnd] != 1 {
		t.Errorf("4 of 1,000: %v", c)
	}
	if c := count(Sample(all, 2, 1)); c[judge.ScopeOver] != 1 || c[judge.ScopeUnder] != 1 {
		t.Errorf("2 of 1,000: %v", c)
	}
	if n := len(Sample(all, 5000, 1)); n != 1000 {
		t.Errorf("more than there are: %d", n)
	}
	if n := len(Sample(nil, 5, 1)); n != 0 {
		t.Errorf("of nothing: %d", n)
	}
	held := map[*Finding]bool{}
	for i, f := range hundred {
		held[f] = true
		if i > 0 && placeOf(hundred, all, i) <= placeOf(hundred, all, i-1) {
			t.Fatal("the report's order is lost")
		}
	}
	if len(held) != 100 {
		t.Error("a finding was drawn twice")
	}
	again, other := 0, 0
	for _, f := range Sample(all, 100, 1) {
		if held[f] {
			again++
		}
	}
	for _, f := range Sample(all, 100, 2) {
		if held[f] {
			other++
		}
	}
	if again != 100 || other > 40 {
		t.Errorf("the same seed drew %d of 100 again, another one %d", again, other)
	}
	inside := 0
	for _, f := range Sample(all, 50, 1) {
		if held[f] {
			inside++
		}
	}
	if inside != 50 {
		t.Errorf("%d of a smaller sample's 50 are in the larger one", inside)
	}
}

// placeOf returns the index of the finding drawn[i] in the list all, or -1 if it is not
// in the list.
func placeOf(drawn []*Finding, all []Finding, i int) int {
	for k := range all {
		if &all[k] == drawn[i] {
			return k
		}
	}
	return -1
}

package label

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"slices"
)

// Sample draws n findings, or all findings if n is larger than their number. The result
// is in the order of the report. O(findings × log findings).
//
// The sample is stratified by the rule's label and by the band of the rule's confidence
// (ABB, appendix B.3). Each stratum gets one finding if n is large enough. The other
// findings are divided in proportion to the sizes of the strata. The same seed draws the
// same findings on every machine, and a larger sample nearly always contains a smaller
// one.
func Sample(findings []Finding, n int, seed uint64) []*Finding {
	strata := map[stratum][]int{}
	sizes := map[stratum]int{}
	for i := range findings {
		s := stratum{findings[i].Rule, bandOf(findings[i].ruleConfidence())}
		strata[s] = append(strata[s], i)
		sizes[s]++
	}
	var drawn []int
	for s, places := range allocateFindings(sizes, min(n, len(findings))) {
		members := strata[s]
		slices.SortStableFunc(members, func(a, b int) int {
			return cmp.Compare(lotNumber(seed, findings[a].ID), lotNumber(seed, findings[b].ID))
		})
		drawn = append(drawn, members[:places]...)
	}
	slices.Sort(drawn)
	out := make([]*Finding, len(drawn))
	for i, at := range drawn {
		out[i] = &findings[at]
	}
	return out
}

// lotNumber returns a finding's pseudo-random number, by which Sample orders the findings
// of a stratum.
func lotNumber(seed uint64, id string) uint64 {
	sum := sha256.Sum256(append(binary.BigEndian.AppendUint64(nil, seed), id...))
	return binary.BigEndian.Uint64(sum[:])
}

// allocateFindings returns how many of n findings are drawn from each stratum. First each
// stratum gets one finding, beginning with the largest stratum. Then each further finding
// goes to the stratum with the smallest share of drawn findings. n must not be greater
// than the sum of the sizes.
func allocateFindings(sizes map[stratum]int, n int) map[stratum]int {
	order := sortedStrata(sizes)
	slices.SortStableFunc(order, func(a, b stratum) int { return cmp.Compare(sizes[b], sizes[a]) })
	places := make(map[stratum]int, len(order))
	for _, s := range order {
		if n > 0 {
			places[s] = 1
			n--
		}
	}
	for ; n > 0; n-- {
		var next stratum
		fewest := 2.0
		for _, s := range order {
			if filled := float64(places[s]) / float64(sizes[s]); filled < fewest && places[s] < sizes[s] {
				next, fewest = s, filled
			}
		}
		places[next]++
	}
	return places
}

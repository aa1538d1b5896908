package align

// Step is one row of an alignment. The rows contain every observed action and every
// reference action once, in order. A row has one action of each side, or one action and a
// gap on the other side.
type Step struct {
	Op Op `json:"op"`
	// Obs and Ref are indices from 0, or -1 for a gap.
	Obs int `json:"obs"`
	Ref int `json:"ref"`
	// Similarity of the pair, rounded to 1e-9; 0 for a gap.
	Similarity float64 `json:"similarity"`
}

// Alignment is the canonical alignment of a problem; see the package documentation for
// the rules.
type Alignment struct {
	Steps   []Step  `json:"steps"`
	Score   float64 `json:"score"`
	Matches int     `json:"matches"` // steps whose Op is Match
	Stats   Stats   `json:"stats"`
}

// Stats counts the work of one alignment. The counts are equal on all platforms, so that
// golden tests can detect slowdowns.
type Stats struct {
	Comparisons int64 `json:"comparisons"` // calls of Similarity
	Cells       int64 `json:"cells"`       // cells of a dynamic programme
	Pairs       int64 `json:"pairs"`       // pairs of actions that the sparse method weighed
	Words       int64 `json:"words"`       // values that the sparse method changed, and words of vectors
}

// Align returns the canonical alignment of p, as defined in the package documentation.
// Align returns an error if a parameter, a symbol or a similarity is invalid.
func Align(p Problem, params Params) (Alignment, error) {
	r, err := params.toRule()
	if err != nil {
		return Alignment{}, err
	}
	t, err := newTask(p, r)
	if err != nil {
		return Alignment{}, err
	}
	t.findPairs()
	return t.buildAlignment(), nil
}

// buildAlignment returns the alignment whose pairs are in t.mate. Between two pairs,
// deletions come before insertions, as in a diff from the reference to the observed run.
func (t *task) buildAlignment() Alignment {
	pairs := 0
	for _, j := range t.mate {
		if j >= 0 {
			pairs++
		}
	}
	a := Alignment{Steps: make([]Step, 0, len(t.obs)+len(t.ref)-pairs), Stats: t.stats}
	score := t.gap * int64(len(t.obs)+len(t.ref))
	i, j := 0, 0
	gaps := func(toObs, toRef int) {
		for ; j < toRef; j++ {
			a.Steps = append(a.Steps, Step{Op: Deletion, Obs: -1, Ref: j})
		}
		for ; i < toObs; i++ {
			a.Steps = append(a.Steps, Step{Op: Insertion, Obs: i, Ref: -1})
		}
	}
	for obs, ref := range t.mate {
		if ref < 0 {
			continue
		}
		gaps(obs, int(ref))
		sim, _ := t.rel.pairSimilarity(t.obs[obs], t.ref[ref])
		op := Substitution
		if sim > t.threshold {
			op = Match
			a.Matches++
			score += t.rule.match
		} else {
			score += t.rule.sub
		}
		a.Steps = append(a.Steps, Step{op, i, j, float64(sim) / grid})
		i, j = i+1, j+1
	}
	gaps(len(t.obs), len(t.ref))
	a.Score = float64(score) / grid
	return a
}

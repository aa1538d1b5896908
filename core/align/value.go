package align

// value is what an alignment is worth under rules 1 and 2: score first, then the
// summed similarity of its substitutions, both exact on the fixed-point grid.
// Two words rather than one product: no parameters and no length can overflow it.
type value struct {
	score, sim int64
}

// never marks a pair that may not be aligned; real weights are never negative.
var never = value{-1, 0}

func (v value) plus(w value) value { return value{v.score + w.score, v.sim + w.sim} }

func (v value) minus(w value) value { return value{v.score - w.score, v.sim - w.sim} }

func (v value) less(w value) bool {
	return v.score < w.score || v.score == w.score && v.sim < w.sim
}

package report

import (
	"maps"
	"slices"

	"github.com/boundcheck/boundcheck/core/base/packed"
)

// AppendTo appends t to b, in the format that Read reads, and returns the extended slice.
// Equal tallies append equal bytes.
func (t *Tally) AppendTo(b []byte) []byte {
	a := &t.agreement
	b = packed.AppendUint(b, t.observed, t.expected, t.violations.Total, a.Successes, a.FlaggedSuccesses, a.Failures, a.UnflaggedFailures)
	for _, counts := range []map[string]int{t.violations.ByType, t.violations.ByPattern} {
		b = packed.AppendUint(b, len(counts))
		for _, name := range slices.Sorted(maps.Keys(counts)) {
			b = packed.AppendUint(packed.AppendString(b, name), counts[name])
		}
	}
	b = packed.AppendUint(b, len(t.files))
	for i := range t.files {
		f := &t.files[i]
		b = f.figures.AppendTo(packed.AppendUint(b, f.n, f.flagged))
	}
	return b
}

// Read reads a tally that AppendTo wrote, and merges it into t in the same way as Merge.
// File number n of the written tally becomes file number n + skip of t. If r.Err is not
// nil afterwards, t must not be used.
func (t *Tally) Read(r *packed.Reader, skip int) {
	var o Tally
	a := &o.agreement
	for _, n := range []*int{&o.observed, &o.expected, &o.violations.Total, &a.Successes, &a.FlaggedSuccesses, &a.Failures, &a.UnflaggedFailures} {
		*n = r.Int()
	}
	o.violations.ByType, o.violations.ByPattern = map[string]int{}, map[string]int{}
	for _, counts := range []map[string]int{o.violations.ByType, o.violations.ByPattern} {
		for range r.Len() {
			name := r.String()
			counts[name] = r.Int()
		}
	}
	t.Merge(&o, skip)
	for i := range r.Len() {
		f := t.fileCounts(skip + i)
		f.n += r.Int()
		f.flagged += r.Int()
		f.figures.Read(r)
	}
}

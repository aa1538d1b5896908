package tally

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/boundcheck/boundcheck/core/base/packed"
	"github.com/boundcheck/boundcheck/core/report"
)

// effects counts the runs without a reference by file, task and effect. So it shows how
// many runs of a task made the same changes. It stores one number for each combination,
// and no run.
type effects map[effect]uint32

type effect struct {
	file       int
	task, made uint64 // hashes of the task's name and of report.Effects
}

// effectsHash returns the hash of the changes that a run made. The result counts is false
// if the run has a reference or no task, because such runs are not compared.
func effectsHash(run *report.Trajectory) (made uint64, counts bool) {
	if run.Task == "" || run.Reference != nil {
		return 0, false
	}
	return hashText(report.Effects(run)), true
}

func (e *effects) addEffect(one effect) {
	if *e == nil {
		*e = effects{}
	}
	(*e)[one]++
}

// countApart returns the number of runs that stand apart, and the number of tasks with
// such runs. A run stands apart if more than half of the other runs of its task made
// equal changes, and the run made different changes. Tasks with fewer than three runs do
// not count.
func (e effects) countApart() (runs, tasks int) {
	type sums struct{ all, most uint32 }
	each := map[effect]sums{}
	for key, n := range e {
		key.made = 0
		s := each[key]
		each[key] = sums{s.all + n, max(s.most, n)}
	}
	for _, s := range each {
		if s.all >= 3 && s.most < s.all && 2*s.most > s.all-1 {
			runs, tasks = runs+int(s.all-s.most), tasks+1
		}
	}
	return runs, tasks
}

// apartWarning returns one warning with the number of runs that stand apart, or nil if
// there are none.
func (e effects) apartWarning() []PlacedWarning {
	runs, tasks := e.countApart()
	if runs == 0 {
		return nil
	}
	return []PlacedWarning{{Warning: report.Warning{Code: "stands-apart", Message: fmt.Sprintf(
		"%d runs of %d tasks made other changes than most runs of the same task. To list these runs, use boundcheck consensus", runs, tasks)}}}
}

func (e effects) appendTo(b []byte) []byte {
	keys := make([]effect, 0, len(e))
	for key := range e {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(x, y effect) int {
		return cmp.Or(cmp.Compare(x.file, y.file), cmp.Compare(x.task, y.task), cmp.Compare(x.made, y.made))
	})
	b = packed.AppendUint(b, len(keys))
	for _, key := range keys {
		b = packed.AppendUint(b, key.file)
		b = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, key.task), key.made)
		b = packed.AppendUint(b, e[key])
	}
	return b
}

// readCounts adds the counts that appendTo wrote. skip is the index in e of the first
// file of these counts.
func (e *effects) readCounts(r *packed.Reader, skip int) {
	if *e == nil {
		*e = effects{}
	}
	for range r.Len() {
		key := effect{file: skip + r.Int(), task: r.Uint64(), made: r.Uint64()}
		(*e)[key] += uint32(r.Int())
		if r.Err != nil {
			return
		}
	}
}

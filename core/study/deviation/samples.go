package deviation

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"slices"
	"strconv"

	"github.com/boundcheck/boundcheck/core/math/stats"
)

// Sample holds the data that the regression needs from a run. The run has a reference and
// a known outcome.
type Sample struct {
	Set     int    // number of its set, from 0
	Task    uint64 // TaskOf its task; tasks of different sets are different tasks
	Alone   bool   // it has no task
	Success bool
	Distance
}

// TaskOf returns 64 bits of the SHA-256 of a task's name as a number.
func TaskOf(name string) uint64 {
	sum := sha256.Sum256([]byte(name))
	return binary.LittleEndian.Uint64(sum[:])
}

// Regress fits the same regression as Study or, if the samples are from several sets, as
// Pool. The order of the samples does not change the result, not even its last bit.
func Regress(samples []Sample) (Result, error) {
	if len(samples) == 0 {
		return Result{}, errors.New("no run has both a reference and a known outcome")
	}
	samples = slices.SortedFunc(slices.Values(samples), func(a, b Sample) int {
		return cmp.Or(cmp.Compare(a.Set, b.Set), stats.CompareBool(b.Alone, a.Alone), cmp.Compare(a.Task, b.Task),
			cmp.Compare(a.Mutating, b.Mutating), cmp.Compare(a.NonMutating, b.NonMutating), stats.CompareBool(a.Success, b.Success))
	})
	sets := samples[len(samples)-1].Set + 1
	var r Result
	x, y, tasks := make([][]float64, len(samples)), make([]bool, len(samples)), make([]string, len(samples))
	for i := range samples {
		s := &samples[i]
		x[i] = make([]float64, 1+sets)
		x[i][0], x[i][1] = float64(s.Mutating), float64(s.NonMutating)
		if s.Set > 0 {
			x[i][1+s.Set] = 1
		}
		if i == 0 || s.Alone || samples[i-1].Alone || s.Set != samples[i-1].Set || s.Task != samples[i-1].Task {
			r.Tasks++
		}
		y[i], tasks[i] = s.Success, strconv.Itoa(r.Tasks)
		r.Distances = append(r.Distances, s.Distance)
	}
	var err error
	if r.Fit, err = stats.Logistic(x, y); err != nil {
		return r, outcomeError(y, err)
	}
	if r.Tasks < len(samples) {
		r.Robust, _ = r.Fit.Clustered(x, y, tasks) // nil if there is none
	}
	return r, nil
}

package score

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestStop stops requests at drawn moments. Evaluate must return the error of Stop, and
// begin no stage of a run after it. A Stop that never returns an error changes nothing.
func TestStop(t *testing.T) {
	t.Cleanup(func() { onRun = nil })
	stopped := errors.New("stopped")
	random := rand.New(rand.NewPCG(42, 9))
	all := []Options{{}, {Judge: undecided{}}, {Unreferenced: true}, {Consensus: 0.5}}
	for i := range drawn.Cases(12) {
		o := all[i%len(all)]
		r := Request{Inputs: []Source{{Data: manyRuns(5 + random.IntN(40))}}, Options: o}
		want := evaluateText(t, r)

		var asked, after atomic.Int64
		last := int64(1 << 60)
		r.Options.Cores = 1 + i%3
		r.Stop = func() error {
			if asked.Add(1) > last {
				return stopped
			}
			return nil
		}
		onRun = func(string) {
			if asked.Load() > last {
				after.Add(1)
			}
		}
		if got := evaluateText(t, r); !bytes.Equal(got, want) {
			t.Fatalf("%+v: Stop changes the report of a request that is not stopped", o)
		}
		last = random.Int64N(asked.Load())
		asked.Store(0)
		if _, err := Evaluate(r); err != stopped {
			t.Errorf("%+v: stopped after %d questions: error %v", o, last, err)
		}
		if n := after.Load(); n >= int64(r.Options.Cores) { // each other worker may just have begun one
			t.Errorf("%+v: %d stages began after the request was stopped", o, n)
		}
	}
}

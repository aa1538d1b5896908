package score

import (
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/read"
	"github.com/boundcheck/boundcheck/internal/recordings"
)

// BenchmarkOrigins finds the origins of all values in the changes of 200 recorded runs.
// The metric ×reading is the time of this search divided by the time to read the file of
// the runs.
func BenchmarkOrigins(b *testing.B) {
	data := recordings.Read(b, "tau-bench/gpt-4o-airline.json")
	b.SetBytes(int64(len(data)))
	var reading, tracing time.Duration
	for b.Loop() {
		start := time.Now()
		doc, err := read.Decode(data)
		if err != nil {
			b.Fatal(err)
		}
		read := time.Now()
		b.StopTimer()
		e := newEvaluator(Request{}, mutation.New(nil, nil))
		runs := make([]run, len(doc.Trajectories))
		for i := range doc.Trajectories {
			runs[i].Trajectory = &doc.Trajectories[i]
			e.setObservedActions(&runs[i])
		}
		b.StartTimer()
		begin := time.Now()
		for i := range runs {
			if o := (origins{t: runs[i].Trajectory, obs: runs[i].Obs}); len(runs[i].Obs) > 0 {
				o.valueOrigins(0)
			}
		}
		reading += read.Sub(start)
		tracing += time.Since(begin)
	}
	b.ReportMetric(float64(tracing)/float64(reading), "×reading")
}

package score

import (
	"runtime"
	"testing"

	"github.com/boundcheck/boundcheck/internal/recordings"
)

// BenchmarkPipeline evaluates a recorded file, on one core and on all of them.
// TestInstructionBudget of internal/cli holds its budget.
func BenchmarkPipeline(b *testing.B) {
	b.Run("one", func(b *testing.B) { benchmarkPipeline(b, 1) })
	b.Run("all", func(b *testing.B) { benchmarkPipeline(b, runtime.GOMAXPROCS(0)) })
}

func benchmarkPipeline(b *testing.B, cores int) {
	data := recordings.Read(b, "tau-bench/gpt-4o-airline.json")
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := Evaluate(Request{Inputs: []Source{{Data: data}}, Options: Options{Cores: cores}}); err != nil {
			b.Fatal(err)
		}
	}
}

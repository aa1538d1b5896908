package core

import (
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/internal/recordings"
	"github.com/tidwall/gjson"
)

// BenchmarkPipeline evaluates a recorded file on one core. The metric ×valid is the time
// of the evaluation, divided by the time that gjson.Valid needs for the same bytes. Both
// times are measured in the same run.
func BenchmarkPipeline(b *testing.B) {
	data := recordings.Read(b, "tau-bench/gpt-4o-airline.json")
	b.SetBytes(int64(len(data)))
	text := string(data)
	var valid, whole time.Duration
	for b.Loop() {
		start := time.Now()
		if !gjson.Valid(text) {
			b.Fatal("not JSON")
		}
		middle := time.Now()
		if _, err := Evaluate(Request{Inputs: []Source{{Data: data}}}); err != nil {
			b.Fatal(err)
		}
		valid += middle.Sub(start)
		whole += time.Since(middle)
	}
	b.ReportMetric(float64(whole)/float64(valid), "×valid")
}

package batch

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/study/lines"
	"github.com/tidwall/gjson"
)

// BenchmarkPart measures the scoring of a part with lines of 600 bytes and with lines of
// 17 kB. It compares the time with that of gjson.Valid on the same text in the same run.
func BenchmarkPart(b *testing.B) {
	data, err := os.ReadFile("../../testdata/traces/tau-bench.json")
	if err != nil {
		b.Fatal(err)
	}
	var runs []json.RawMessage
	if err := json.Unmarshal(data, &runs); err != nil {
		b.Fatal(err)
	}
	for _, size := range []int{600, 17_000} {
		b.Run(fmt.Sprintf("bytes=%d", size), func(b *testing.B) {
			const count = 200
			var text strings.Builder
			for i := range count {
				line := jsonLine(b, runs[i%len(runs)])
				if n := size - len(line); n > 0 {
					line = strings.Replace(line, `"traj":[`, `"traj":[{"role":"user","content":"`+strings.Repeat("words of a conversation ", n/24)+`"},`, 1)
				}
				text.WriteString(line + "\n")
			}
			measurePart(b, text.String(), count)
		})
	}
}

func jsonLine(b *testing.B, run json.RawMessage) string {
	var value any
	if err := json.Unmarshal(run, &value); err != nil {
		b.Fatal(err)
	}
	line, err := json.Marshal(value)
	if err != nil {
		b.Fatal(err)
	}
	return string(line)
}

func measurePart(b *testing.B, text string, count int) {
	b.ReportAllocs()
	var valid, whole time.Duration
	var scorer lines.Scorer
	for b.Loop() {
		start := time.Now()
		for line := range strings.Lines(text) {
			if !gjson.Valid(line) {
				b.Fatal("not JSON")
			}
		}
		middle := time.Now()
		p := NewPart(&scorer, File{Name: "runs.jsonl", Bytes: int64(len(text)), Parts: 2}, 1)
		p.Add([]byte(text), 1)
		p.Index(count)
		if n, faults := p.Counts(); n != count || faults > 0 {
			b.Fatalf("%d elements and %d faults, want %d and 0", n, faults, count)
		}
		valid += middle.Sub(start)
		whole += time.Since(middle)
	}
	b.ReportMetric(float64(whole)/float64(valid), "×valid")
	b.ReportMetric(float64(whole.Microseconds())/float64(b.N*count), "µs/line")
}

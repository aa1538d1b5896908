package wire

import (
	"encoding/json"
	"testing"
	"time"
)

// BenchmarkCheck measures the method "check". The metric ×json is the time of a decision,
// divided by the time for decoding and encoding the same bytes as JSON. Both times are
// measured in the same run.
func BenchmarkCheck(b *testing.B) {
	body := []byte(`{"tool":"cancel_order","arguments":{"order_id":"#W1","reason":"no longer needed"}}`)
	var plain, whole time.Duration
	b.ReportAllocs()
	for b.Loop() {
		start := time.Now()
		var v any
		if err := json.Unmarshal(body, &v); err != nil {
			b.Fatal(err)
		}
		if _, err := json.Marshal(v); err != nil {
			b.Fatal(err)
		}
		middle := time.Now()
		if _, ok := Handle("check", body); !ok {
			b.Fatal("refused")
		}
		plain += middle.Sub(start)
		whole += time.Since(middle)
	}
	b.ReportMetric(float64(whole)/float64(plain), "×json")
}

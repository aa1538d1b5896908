package oracle

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/internal/recordings"
	"github.com/tidwall/gjson"
)

// benchmarkText returns the text of a file of recorded real runs. If there is no such
// file next to the checkout, it returns a generated text of the same form.
func benchmarkText(b *testing.B) string {
	if data, err := os.ReadFile(filepath.Join(recordings.Dir(), "tau-bench", "gpt-4o-airline.json")); err == nil {
		return string(data)
	}
	var text strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&text, ",\n    {\n      \"role\": \"tool\",\n      \"content\": %q\n    }",
			strings.Repeat(fmt.Sprintf(`{"flight": "HAT%03d", "date": "2024-05-20"}, `, i), 20))
	}
	return "[" + text.String()[1:] + "]"
}

// reportRatio runs the given function and gjson.Valid alternately, both on the same text.
// It reports the time of the function divided by the time of gjson.Valid.
func reportRatio(b *testing.B, text string, measured func()) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	var own, valid time.Duration
	for b.Loop() {
		start := time.Now()
		gjson.Valid(text)
		middle := time.Now()
		measured()
		valid += middle.Sub(start)
		own += time.Since(middle)
	}
	b.ReportMetric(float64(own)/float64(valid), "×valid")
}

// BenchmarkParse measures Parse, which validates and indexes a text in one pass.
func BenchmarkParse(b *testing.B) {
	text := benchmarkText(b)
	reportRatio(b, text, func() {
		if _, err := jsonval.Parse(text); err != nil {
			b.Fatal(err)
		}
	})
}

// BenchmarkParseSmall measures Parse on the arguments of single calls. A trace has many
// such small texts.
func BenchmarkParseSmall(b *testing.B) {
	text := `{"user_id": "mia_li_3668", "flights": [{"flight_number": "HAT136", "date": "2024-05-20"}], "baggages": 3}`
	all := strings.Repeat(text+"\n", 1000)
	reportRatio(b, "["+strings.Repeat(text+",", 999)+text+"]", func() {
		for rest := all; rest != ""; rest = rest[len(text)+1:] {
			if _, err := jsonval.Parse(rest[:len(text)]); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkWalk measures a walk that visits every value and reads every string.
func BenchmarkWalk(b *testing.B) {
	text := benchmarkText(b)
	v, err := jsonval.Parse(text)
	if err != nil {
		b.Fatal(err)
	}
	reportRatio(b, text, func() { readStrings(v) })
}

func readStrings(v jsonval.Value) int {
	n := len(v.Text())
	if k := v.Kind(); k == jsonval.Array || k == jsonval.Object {
		n = 0
		v.Each(func(key string, m jsonval.Value) bool { n += len(key) + readStrings(m); return true })
	}
	return n
}

func BenchmarkMembers(b *testing.B) {
	v, err := jsonval.Parse(`{"id":"call_1","type":"function","function":{"name":"get_user","arguments":"{}"},"extra":[1,2,3]}`)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if v.At("function", "name").Raw() == "" {
			b.Fatal("no name")
		}
	}
}

// BenchmarkFind measures Find with member names such as tool_calls. A trace reader looks
// for these names in order to count the places that look like calls.
func BenchmarkFind(b *testing.B) {
	text := benchmarkText(b)
	v, err := jsonval.Parse(text)
	if err != nil {
		b.Fatal(err)
	}
	names := jsonval.NewNames("type", "tool_calls", "functionCall", "toolUse", "tool_call_id", "toolName")
	n := 0
	reportRatio(b, text, func() { v.Find(names, func(jsonval.Value, string, jsonval.Value) { n++ }) })
}

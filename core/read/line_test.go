package read

import (
	"bytes"
	"compress/gzip"
	"testing"
)

// TestLines checks that each action has the line of its name, and that actions of a
// compressed file have no line.
func TestLines(t *testing.T) {
	check := func(text string, want ...int) {
		t.Helper()
		data := []byte(text)
		doc, err := Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		doc.Place(data)
		var got []int
		for _, r := range doc.Trajectories {
			for _, a := range r.Actions {
				got = append(got, a.Line)
			}
		}
		if len(got) != len(want) {
			t.Fatalf("lines %v, want %v", got, want)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("lines %v, want %v", got, want)
			}
		}
	}
	check("[{\"name\":\"a\"},\n\n {\n\"name\":\"b\"}, {\"name\":\"a\"}]", 1, 4, 4)
	check("\ufeff[\n{\"name\":\"a\"}]", 2)
	check("{\"messages\":[\n{\"role\":\"assistant\",\"tool_calls\":[\n{\"id\":\"1\",\"function\":{\"name\":\"a\",\"arguments\":\"{}\"}}]}]}\n", 3)
	check(`[{"name":"\u0061b"}]`, 0)
	check("get(id=1)\nset(id=1)\n", 0, 0) // its texts are copies
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	w.Write([]byte("[\n{\"name\":\"a\"}]"))
	w.Close()
	check(packed.String(), 0)
}

package score

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/report"
)

// TestReportKeepsNoRun checks that a report of many runs keeps little more in memory than what it
// says: not the runs that were read. A pointer into what was read of a run would keep all of it.
func TestReportKeepsNoRun(t *testing.T) {
	var b strings.Builder
	for i := range 300 {
		arguments := `{"order_id": "W-` + fmt.Sprint(i) + `"`
		for k := range 60 {
			arguments += fmt.Sprintf(`, "n%d": %d`, k, k)
		}
		quoted, _ := json.Marshal(arguments + "}")
		fmt.Fprintf(&b, `{"id":"r%d","messages":[{"role":"user","content":"Please change W-%d."},{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"update_order","arguments":%s}}]},{"role":"tool","tool_call_id":"a","content":"ok"}]}`+"\n", i, i, quoted)
	}
	data := []byte(b.String())
	live := func() uint64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	score := func() report.Report {
		r, err := Evaluate(Request{Inputs: []Source{{Data: data}}})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	score() // what is read once
	before := live()
	kept := []report.Report{score()}
	held := live() - before
	text, err := json.Marshal(kept[0])
	if err != nil {
		t.Fatal(err)
	}
	kept[0] = report.Report{}
	before = live()
	var said report.Report
	if err := json.Unmarshal(text, &said); err != nil {
		t.Fatal(err)
	}
	needs := live() - before
	runtime.KeepAlive(kept)
	runtime.KeepAlive(said)
	runtime.KeepAlive(data)
	runtime.KeepAlive(text)
	if held > needs {
		t.Errorf("the report keeps %d kB, and what it says needs %d kB", held>>10, needs>>10)
	} else {
		t.Logf("the report keeps %d kB, and what it says needs %d kB", held>>10, needs>>10)
	}
}

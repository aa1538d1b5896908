package score

import (
	"strings"
	"testing"
)

// TestCutFilesNeverPass cuts a file with two runs that keep their reference at each byte: the
// file passes only if each line that is left is whole.
func TestCutFilesNeverPass(t *testing.T) {
	t.Parallel()
	const line = `{"messages":[{"role":"user","content":"Cancel W-7 {now}."},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"cancel_order","arguments":"{\"id\":7}"}}]},{"role":"tool","tool_call_id":"1","content":"ok"}]}`
	second := strings.Replace(line, "W-7", "order W-7", 1)
	whole := line + "\n" + second + "\n"
	passed := 0
	for at := range len(whole) + 1 {
		text := whole[:at]
		r, err := ReadRequest([]byte(text))
		if err != nil {
			continue
		}
		ref, err := ReadRequest([]byte(`{"trace":[{"name":"cancel_order"}],"reference":[{"name":"cancel_order","arguments":{"id":7}}]}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Reference = ref.Reference
		report, err := Evaluate(r)
		if err != nil {
			continue
		}
		good := len(report.Trajectories) > 0
		for i := range report.Trajectories {
			p := report.Trajectories[i].Passed
			good = good && p != nil && *p
		}
		left := strings.TrimSuffix(text, "\n")
		if ends := left == line || left == line+"\n"+second; good && !ends {
			t.Errorf("a file cut at byte %d passed: …%q", at, text[max(0, at-40):])
		}
		if good {
			passed++
		}
	}
	if passed < 3 {
		t.Errorf("%d files passed", passed)
	}
}

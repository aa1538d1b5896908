package house

import (
	"strings"
	"testing"
)

// large are the packages that are larger than a room should be, with what they may have and
// the reason. A number rises only
// with a capability, and falls with each division.
var large = map[string]struct {
	files, lines int
	why          string
}{
	"core/read/engine":       {53, 10670, "what all formats share: records, sides, run steps and states, what must not be done, messages and spans of a run, what stands around runs, and what was not read"},
	"core/score":             {40, 5080, "the pipeline, from a request to a report, with what the steps took"},
	"core/read/format":       {60, 5000, "one file for each producer of traces"},
	"core/action/mutation":   {34, 8530, "one question, whether a call changes something, for every language of calls"},
	"core/action/requests":   {40, 5290, "one question, who asked for a change, with a file for each way in which words and deeds differ, the user's last word on a thing, and what is handed over"},
	"core/stage/equivalence": {40, 5770, "one question, whether a run did what the reference has, with a file for each way to do it otherwise"},
	"core/stage/violation":   {22, 6170, "the rules of findings, one file for each sort of work, with what a result names as left, private records, and indexes of long talks"},
	"worker/proxy":           {41, 7700, "five wires of models, chat completions, responses, messages, Gemini's and Ollama's, over one hold, what an approver changed, what waits for its time, and models that are silent"},
	"core/gate/machine":      {30, 6680, "the gate's states and its policies, as one pure machine, with edits, remembered decisions, delegations, escalations, waits and equal calls"},
	"worker/gate":            {59, 9620, "the gate's drivers and its pages, with equal calls, edits, answers that are told later, lists of decisions, remembered ones, delegations, people of a provider, and decisions from messages"},
}

// TestRoomsAreSmall checks that a package has at most 40 files and 5,000 lines without tests,
// but for the packages named in large, and that core itself is the facade alone.
func TestRoomsAreSmall(t *testing.T) {
	files, lines := map[string]int{}, map[string]int{}
	for _, s := range goSources(t) {
		if !s.test {
			files[s.dir]++
			lines[s.dir] += strings.Count(s.text, "\n")
		}
	}
	if files["core"] == 0 || files["core"] > 8 {
		t.Errorf("core has %d files; it is the facade alone, of at most 8", files["core"])
	}
	for dir := range files {
		most := large[dir]
		if most.why == "" {
			most.files, most.lines = 40, 5000
		}
		if files[dir] > most.files || lines[dir] > most.lines {
			t.Errorf("%s has %d files and %d lines, at most %d and %d: divide it", dir, files[dir], lines[dir], most.files, most.lines)
		}
	}
	for dir, room := range large {
		if room.why == "" || files[dir] == 0 {
			t.Errorf("%s is named as large, but has no reason or no file", dir)
		}
	}
}

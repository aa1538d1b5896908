package lines

import (
	"encoding/json"
	"slices"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/read"
	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// SampleRows is the number of elements at the beginning of a file that OneRun examines.
// sampleBytes is the largest size of these elements together.
const (
	SampleRows  = 16
	sampleBytes = 1 << 20
)

// OneRun reports whether the first elements of a file are events of one run, or spans or
// snapshots of fewer runs than elements. Otherwise each element is a run. To find out, OneRun scores the
// elements as one list and checks whether the list is one run.
//
// A panic means that it is not known, so the result is false; each row has its own fault.
func OneRun(texts [][]byte, rows []Row) (one bool) {
	defer func() {
		if recover() != nil {
			one = false
		}
	}()
	joined := []byte{'['}
	elements, runs, actions := 0, 0, 0
	for i, text := range texts[:min(len(texts), SampleRows)] {
		if len(joined)+len(text) > sampleBytes || !json.Valid(text) {
			continue
		}
		joined = append(append(joined, text...), ',')
		elements++
		runs += len(rows[i].Runs)
		for _, r := range rows[i].Runs {
			actions += len(r.Observed)
		}
	}
	if elements < 2 || runs == 1 { // one run, and elements that are not runs
		return false
	}
	joined[len(joined)-1] = ']'
	scored, err := core.Evaluate(core.Request{Inputs: []core.Source{{Data: joined}}})
	switch {
	case err == nil && len(scored.Trajectories) < runs && (read.JoinsRows(scored.Input.Format) || isWhole(scored.Warnings)):
		return true // events or spans, of one run or of several
	case err == nil && slices.ContainsFunc(scored.Warnings, func(w report.Warning) bool { return w.Code == trajectory.ConversationJoined }):
		return true // snapshots of one conversation
	case err != nil || len(scored.Trajectories) != 1 || scored.Trajectories[0].Error != nil:
		return false
	case runs == 0:
		return len(scored.Warnings) == 0
	}
	return len(scored.Trajectories[0].Observed) >= actions
}

// isWhole reports whether a list was read to its end: its warnings say no more than that rows were joined.
func isWhole(all []report.Warning) bool {
	return !slices.ContainsFunc(all, func(w report.Warning) bool { return w.Code != trajectory.ConversationJoined && w.Code != "rows-joined" })
}

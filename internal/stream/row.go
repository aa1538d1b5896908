package stream

import (
	"encoding/json"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/lines"
)

// score scores an element of a file.
func (p *pool) score(file string, e element, text []byte) lines.Row {
	if e.fault != nil {
		return lines.Row{Fault: e.fault}
	}
	return p.scorer.Score(file, lines.At{Line: e.line, Column: e.column}, text)
}

// sampleRows and sampleBytes are how much of a file's beginning is looked at to
// see whether its elements are runs.
const (
	sampleRows  = 16
	sampleBytes = 1 << 20
)

// oneRun reports whether the first elements of a file are the events of one run and not
// a run each; they are one run when they are read together.
func oneRun(texts [][]byte, rows []lines.Row) bool {
	joined := []byte{'['}
	elements, runs, actions := 0, 0, 0
	for i, text := range texts[:min(len(texts), sampleRows)] {
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
	if elements < 2 || runs == 1 { // one run and something that is none
		return false
	}
	joined[len(joined)-1] = ']'
	report, err := core.Evaluate(core.Request{Inputs: []core.Source{{Data: joined}}})
	switch {
	case err != nil || len(report.Trajectories) != 1:
		return false
	case runs == 0:
		return len(report.Warnings) == 0
	}
	return len(report.Trajectories[0].Observed) >= actions
}

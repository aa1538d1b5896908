package tally

import (
	"fmt"
	"strconv"

	"github.com/boundcheck/boundcheck/core/report"
)

// maxWarnings is the largest number of warnings of one code in the last line. The lines
// of the runs list all warnings.
const maxWarnings = 20

// warnings keeps the first warnings of each code and counts the rest.
type warnings struct {
	First  []warning `json:"first,omitempty"`
	Counts []count   `json:"counts,omitempty"` // in order of first appearance
}

type count struct {
	Code string `json:"code"`
	N    int    `json:"n"`
}

// warning is a warning of a shard. Its Trajectory is the id in the shard's rows, without
// a prefix for the file.
type warning struct {
	report.Warning
	File int `json:"file"`
	ID   ID  `json:"id,omitzero"`
}

func (w *warnings) addWarning(one warning) {
	c := w.codeCount(one.Code)
	if c.N++; c.N <= maxWarnings {
		w.First = append(w.First, one)
	}
}

func (w *warnings) codeCount(code string) *count {
	for i := range w.Counts {
		if w.Counts[i].Code == code {
			return &w.Counts[i]
		}
	}
	w.Counts = append(w.Counts, count{Code: code})
	return &w.Counts[len(w.Counts)-1]
}

// merge adds the warnings of the next shard, o, to w.
func (w *warnings) merge(o *warnings) {
	listed := map[string]int{}
	for _, one := range o.First {
		w.addWarning(one)
		listed[one.Code]++
	}
	for _, c := range o.Counts {
		w.codeCount(c.Code).N += c.N - listed[c.Code]
	}
}

func (w *warnings) placeWarnings(files []File) []PlacedWarning {
	all := []PlacedWarning{}
	for _, one := range w.First {
		all = append(all, PlacedWarning{one.Warning, files[one.File].Name})
	}
	for _, c := range w.Counts {
		if more := c.N - maxWarnings; more > 0 {
			message := fmt.Sprintf("%d more warnings like the %d that are listed", more, maxWarnings)
			all = append(all, PlacedWarning{Warning: report.Warning{Code: c.Code, Message: message}})
		}
	}
	return all
}

// idInFile returns the id of a run within its file. The parameter runs is the number of
// runs of the file in earlier shards. The parameter same is the number of those runs with
// the same id in the input.
func (id ID) idInFile(same, runs int) string {
	switch n := id.Number + same; {
	case id.Position > 0:
		return strconv.Itoa(id.Position + runs)
	case n > 1:
		return fmt.Sprintf("%s#%d", id.Own, n)
	}
	return id.Own
}

package lines

import (
	"fmt"
	"hash/fnv"

	"github.com/boundcheck/boundcheck/core"
)

// Summary is the last line of a complete stream.
type Summary struct {
	Corpus   core.Corpus     `json:"corpus"`
	Schema   string          `json:"schema"`
	Profile  string          `json:"profile"`
	Elements int             `json:"elements"`          // lines or list elements read
	Errors   int             `json:"errors"`            // those of them that could not be used
	Plugins  []core.Plugin   `json:"plugins,omitempty"` // that were loaded
	Warnings []PlacedWarning `json:"warnings"`
	Partial  bool            `json:"partial"` // false; it ends the line, so that the end of a file tells
}

// PlacedWarning is a warning with its file.
type PlacedWarning struct {
	core.Warning
	File string `json:"file,omitempty"`
}

// MaxWarnings is how many warnings of one code the last line lists; all of them are in the
// lines that they are about.
const MaxWarnings = 20

// Warnings keeps the first warnings of each code and counts the rest. The zero value has
// none.
type Warnings struct {
	first  []PlacedWarning
	codes  []string // in order of first appearance
	counts map[string]int
}

// Add adds the warnings of a row of a file.
func (w *Warnings) Add(file string, all []core.Warning) {
	if w.counts == nil {
		w.counts = map[string]int{}
	}
	for _, one := range all {
		if w.counts[one.Code] == 0 {
			w.codes = append(w.codes, one.Code)
		}
		if w.counts[one.Code]++; w.counts[one.Code] <= MaxWarnings {
			w.first = append(w.first, PlacedWarning{one, file})
		}
	}
}

// Report lists them for the last line; never nil.
func (w *Warnings) Report() []PlacedWarning {
	all := append([]PlacedWarning{}, w.first...)
	for _, code := range w.codes {
		if more := w.counts[code] - MaxWarnings; more > 0 {
			message := fmt.Sprintf("%d more like the %d that are listed", more, MaxWarnings)
			all = append(all, PlacedWarning{Warning: core.Warning{Code: code, Message: message}})
		}
	}
	return all
}

// Apart counts, of runs without a reference, how many of each task changed the same. It
// holds two numbers for each task and effect, and no run. The zero value has counted none.
type Apart struct {
	runs map[uint64]uint32    // by hash of file and task
	same map[[2]uint64]uint32 // by that hash and the hash of the effects
}

// Effects is the hash of what a run changed, for Apart.Add; false for a run that is not
// counted, as it has a reference or no task.
func Effects(t *core.Trajectory) (hash uint64, counts bool) {
	if t.Task == "" || t.Reference != nil {
		return 0, false
	}
	h := fnv.New64a()
	h.Write([]byte(core.Effects(t)))
	return h.Sum64(), true
}

// Add counts a run of a task of a file by its Effects.
func (c *Apart) Add(file int, task string, effects uint64) {
	if c.runs == nil {
		c.runs, c.same = map[uint64]uint32{}, map[[2]uint64]uint32{}
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%d\x00%s", file, task)
	key := h.Sum64()
	c.runs[key]++
	c.same[[2]uint64{key, effects}]++
}

// apart counts the runs that changed something else than more than half of the other runs
// of their task, of which there are two or more, and the tasks that have such runs.
func (c *Apart) apart() (runs, tasks int) {
	most := map[uint64]uint32{}
	for key, n := range c.same {
		most[key[0]] = max(most[key[0]], n)
	}
	for task, n := range most {
		if all := c.runs[task]; all >= 3 && n < all && 2*n > all-1 {
			runs, tasks = runs+int(all-n), tasks+1
		}
	}
	return runs, tasks
}

// Warning says how many runs stand apart; none where no run does.
func (c *Apart) Warning() []PlacedWarning {
	runs, tasks := c.apart()
	if runs == 0 {
		return nil
	}
	return []PlacedWarning{{Warning: core.Warning{Code: "stands-apart", Message: fmt.Sprintf(
		"%d runs of %d tasks changed something else than most other runs of their task, which the lines cannot say; boundcheck consensus names them", runs, tasks)}}}
}

package engine

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/records"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// doubtJoined marks the runs of a text that only its shape told, if an independent count says that more of its
// things may be records than runs were read from them. The law: such a reading is never silent, so that the
// runs are never fine and have no score without doubt. O(n).
func (d *Decoder) doubtJoined() {
	if d.Format != trajectory.FoundFormat && d.Format != "generic-actions" && !slices.ContainsFunc(d.Trajectories, func(t trajectory.Trajectory) bool { return t.ByShape }) {
		return
	}
	if len(d.Trajectories) > 0 && !d.hasWarning("rows-joined") {
		d.doubtGroups()
	}
}

func (d *Decoder) doubtGroups() {
	tools, ids := map[string]bool{}, map[string]bool{}
	for i := range d.Trajectories {
		for j := range d.Trajectories[i].Actions {
			a := &d.Trajectories[i].Actions[j]
			tools[a.Name], ids[a.CallID] = true, true
		}
	}
	own, runs := d.sortRecords(), d.runsByRecord()
	for _, g := range records.Find(d.rows, tools, ids) {
		d.doubtGroup(&g, own, runs)
	}
}

// doubtGroup compares the number of things in each record, and of those in none, with the runs that were read of it.
func (d *Decoder) doubtGroup(g *records.Group, own places, runs map[place][]int) {
	counts := map[place]int{}
	var order []jsonval.Value
	for _, v := range g.At {
		at := own.find(d.offsetOf(v))
		if counts[at]++; counts[at] == 1 {
			order = append(order, v)
		}
	}
	for _, first := range order {
		at := own.find(d.offsetOf(first))
		of := runs[at]
		if at == (place{}) {
			of = slices.DeleteFunc(slices.Clone(of), func(i int) bool { return d.records[i] != at })
		}
		n, made := counts[at], len(of)
		if n < 2 || made == 0 || n <= made {
			continue
		}
		doubt := fmt.Sprintf("%d %s were read as %s, although each may be a record of its own", n, shape.IfElse(g.Name == "", "parts of the text", "elements of "+shape.QuoteExcerpt(g.Name, 0, 40)), countRuns(made))
		d.Warn("rows-joined", doubt, d.offsetOf(first), of[0])
		for _, i := range of {
			t := &d.Trajectories[i]
			t.Doubt = cmp.Or(t.Doubt, doubt)
		}
	}
}

func countRuns(n int) string { return fmt.Sprintf("%d %s", n, shape.IfElse(n == 1, "run", "runs")) }

package engine

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// What was expected may stand where no record has it: members deep, in a message, or as a text in a member such as
// target. The law of this file: calls in a member that is named as expected are compared, or each run that they may
// be of is doubtful.

// sideAside is an expected side that the search for calls passed.
type sideAside struct {
	key    string
	at     jsonval.Value
	offset int
	listed bool // it stands in a list inside its record, such as in a message
}

// readSidesAside makes the reference of each run without one from the only expected side with calls of its record
// that nobody has read, if only objects are around it. A run with other such sides is doubtful. O(sides · log runs).
func (d *Decoder) readSidesAside(sides []sideAside) {
	if d.probing || d.gold || len(sides) == 0 {
		return
	}
	records, runs := d.sortRecords(), d.runsByRecord()
	of := map[place][]sideAside{}
	var found []place
	for _, s := range sides {
		if s.offset < 0 || d.isLeftOut(s.offset) || !MayHoldCall(s.at) {
			continue
		}
		at := records.find(s.offset)
		if of[at] == nil {
			found = append(found, at)
		}
		of[at] = append(of[at], s)
	}
	for _, at := range found {
		d.settleAside(of[at], runs[at])
	}
}

// settleAside gives the runs of one record its expected sides.
func (d *Decoder) settleAside(sides []sideAside, runs []int) {
	runs = slices.DeleteFunc(slices.Clone(runs), func(i int) bool { return d.Trajectories[i].Reference != nil })
	if len(runs) == 0 {
		return
	}
	if len(runs) == 1 && len(sides) == 1 && !sides[0].listed {
		if ref, whole := d.readExpected(sides[0].key, sides[0].at); ref != nil && whole {
			d.LeaveOut(sides[0].at)
			d.Trajectories[runs[0]].Reference = ref
			return
		}
	}
	doubt := "the expected calls in " + shape.QuoteExcerpt(sides[0].key, 0, 40) + " may be of several runs or turns, so they were not compared"
	for _, i := range runs {
		addDoubt(&d.Trajectories[i], doubt)
	}
	d.Warn("expected-not-read", doubt, sides[0].offset, shape.IfElse(len(runs) == 1, runs[0], -1))
}

// expectedNames are the names with which most expected sides begin or end, for a quick test.
var expectedNames = jsonval.NewNames("expected", "reference", "ground_truth", "groundTruth", "gold", "golden", "ideal", "expected_calls", "expectedCalls", "expected_tools", "expectedTools",
	"expected_tool_calls", "expectedToolCalls", "expected_actions", "expectedActions", "expected_trajectory", "expectedTrajectory", "reference_trajectory", "reference_tool_calls", "gold_calls", "gold_actions")

// mayExpectAside reports whether a text may have an expected side anywhere.
func mayExpectAside(values []jsonval.Value) (found bool) {
	for _, v := range values {
		v.Find(expectedNames, func(jsonval.Value, string, jsonval.Value) { found = true })
	}
	return found
}

// targetNames are members in which an evaluator keeps an answer, or calls as a text.
const targetNames = "target targets solution oracle truth desired"

// ReadTarget makes the reference of a run without one from a text in a member such as target: calls in lines, JSON,
// or names of tools of the run. A text that only speaks of a tool of the run makes it doubtful, and so do several
// texts with calls, of which each may be enough. Any other text is an answer.
func (d *Decoder) ReadTarget(t *trajectory.Trajectory, row *shape.Object) {
	v := row.Get(targetNames)
	key := v.MemberName()
	if t.Reference != nil || d.probing || !v.Exists() || v.Kind() == jsonval.Null || v.Kind() == jsonval.Array && v.Len() == 0 {
		return
	}
	if v.Kind() == jsonval.Array && v.Len() == 1 {
		v = shape.FirstElement(v)
	}
	text, isText := v.Str()
	switch inner := shape.OpenText(v); {
	case !isText && !MayHoldCall(v) && !speaksOfTool(t, v.Raw()), isText && inner.Kind() < jsonval.Array && !speaksOfTool(t, text) && !strings.HasSuffix(strings.TrimSpace(text), ")"):
		return
	case isText && inner.Kind() >= jsonval.Array || v.Kind() == jsonval.Object || v.Kind() == jsonval.Array && shape.FirstElement(v).Kind() == jsonval.Object:
		if !MayHoldCall(inner) && !shape.IsCallValue(shape.FirstElement(inner)) && !speaksOfTool(t, inner.Raw()) {
			return
		}
		if ref, whole := d.readExpected("target", inner); ref != nil && whole {
			d.LeaveOut(v)
			t.Reference = ref
			return
		}
	case isText:
		if ref, whole := shape.ExpectedText("target", text); ref != nil && whole {
			t.Reference = ref
			return
		}
		if name := strings.TrimSpace(text); shape.IsName(name) && knowsTool(t, name) {
			t.Reference, _ = shape.ExpectedText("target_calls", name)
			return
		}
		if !speaksOfTool(t, text) {
			return
		}
	}
	doubt := "the expected calls in " + shape.QuoteExcerpt(key, 0, 40) + " could not be read, so they were not compared"
	addDoubt(t, doubt)
	d.Warn("expected-not-read", doubt, d.offsetOf(v), len(d.Trajectories)-1)
}

// knowsTool reports whether a name is that of a tool or a call of the run.
func knowsTool(t *trajectory.Trajectory, name string) bool {
	return slices.Contains(t.Tools, name) || slices.ContainsFunc(t.Actions, func(a trajectory.Action) bool { return a.Name == name })
}

// speaksOfTool reports whether a text has the name of a tool or a call of the run as code has it.
func speaksOfTool(t *trajectory.Trajectory, text string) bool {
	is := func(name string) bool { return shape.HasCodeName(text, name) }
	return slices.ContainsFunc(t.Tools, is) || slices.ContainsFunc(t.Actions, func(a trajectory.Action) bool { return is(a.Name) })
}

package engine

import (
	"maps"
	"slices"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/envelope"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// A text may hold several runs in another way than as a list of records, or one run beside calls that are
// none of it. Package core/read/several finds them; here each is read alone, as if it were the only one
// of a text, and gets what stands beside it.

// Unit is a run in a text: its values, and what is said of it elsewhere.
type Unit struct {
	Rows   []jsonval.Value
	Name   string          // by which the text names it; "" for none
	Task   string          // of the run, if the names around it say it; then Name is its id, whatever its record says
	At     jsonval.Value   // the record around it, or Missing
	Sides  []*shape.Object // what the text says of it elsewhere: what should have been done, and how it ended
	Around *shape.Object   // the record that has only this run, or nil
	Silent bool            // it made no call, although no format knows it
	Parts  bool            // its rows are known to be the parts of this run, of which only Sides say how it ended
}

// Units are the runs of a text.
type Units struct {
	List   []Unit
	Apart  []jsonval.Value // what holds calls that are of no run
	Unused int             // expected sides that are of no run
}

// MaxUnits is the greatest depth to which runs are searched in runs.
const MaxUnits = 6

// readSeveral reads the rows of a text that holds several runs in another way than as a list of
// records, and reports whether it does. It changes nothing if not.
func (d *Decoder) readSeveral() bool {
	if d.several == nil || d.oneRun || d.depth > MaxUnits || len(d.rows) == 0 || d.isKnownDocument(d.rows[:1]) {
		return false
	}
	found, ok := d.several(d.rows, d.text)
	if !ok || d.isKnownDocument(d.rows) || !d.readUnits(&found) {
		return false
	}
	d.assignIDs()
	return true
}

// readSeveralInside is readSeveral for the records inside a text. It does not take a reading that leaves calls unread,
// because others have not been tried.
func (d *Decoder) readSeveralInside(in *inner) bool {
	if d.several == nil || d.oneRun || d.probing || d.only != "" || d.depth > MaxUnits || len(in.rows) < 2 || in.names != nil || in.around != nil || in.groups != nil || d.isKnownDocument(in.rows[:1]) {
		return false
	}
	found, ok := d.several(in.rows, d.text)
	before := *d
	if !ok || d.isKnownDocument(in.rows) || !d.readUnits(&found) {
		return false
	}
	if n := len(before.Warnings); slices.ContainsFunc(d.Warnings[n:], func(w trajectory.Warning) bool { return w.Code == "calls-not-read" }) {
		*d = before
		return false
	}
	return true
}

// readUnits reads each of several runs alone, and reports whether it could. It changes nothing if not.
func (d *Decoder) readUnits(found *Units) bool {
	out := *d
	out.counts, out.Warnings, out.places = maps.Clone(d.counts), slices.Clip(d.Warnings), slices.Clip(d.places)
	for i := range found.List {
		if at := d.offsetOf(found.List[i].Rows[0]); at >= d.mark.offset {
			d.lineAndColumn(at) // so that each part counts its lines from here
		}
		part, ok := d.readUnit(&found.List[i])
		if !ok {
			return false
		}
		if out.Format == "" || part.Format == trajectory.FoundFormat {
			out.Format = part.Format
		}
		out.appendPart(part)
	}
	for _, v := range found.Apart {
		out.Warn("calls-not-read", "the calls here are of no run: they were planned, or a judge or an example names them, so they were not compared", d.offsetOf(v), -1)
		for i := range out.Trajectories {
			addDoubt(&out.Trajectories[i], "calls beside the run are of no run, and were not compared")
		}
	}
	if found.Unused > 0 {
		out.AddTally("expected-not-used", expectedUnused, found.Unused)
	}
	*d = out
	return true
}

// isKnownDocument reports whether rows are the documents of a format, which knows its own runs.
func (d *Decoder) isKnownDocument(rows []jsonval.Value) bool {
	heads := openHeads(rows)
	return slices.ContainsFunc(d.formats, func(f Format) bool {
		return f.Document != nil && f.Name != "openai-responses" && f.Name != "generic" && anyMatches(f.Document, heads)
	})
}

// readUnit reads one run, and reports whether it could. A list of calls may be empty.
func (d *Decoder) readUnit(u *Unit) (*Decoder, bool) {
	p, err := d.readParts(u)
	if err != nil || u.Silent && p.countActions() > 0 {
		if !u.Silent && (len(u.Rows) != 1 || !isEmptyRun(u.Rows[0])) {
			return nil, false
		}
		p = d.newInner()
		p.Format = trajectory.FoundFormat
		p.addTrajectory(trajectory.Trajectory{})
		if u.Rows[0].Kind() == jsonval.Object { // it made no call, and may say what was expected and how it ended
			o := shape.OpenObject(u.Rows[0])
			copyRowMeta(p.Trajectories, o)
			p.CopySides(p.Trajectories, o, false)
		}
	}
	if len(u.Rows) > 1 && p.hasWarning("result-without-call") {
		return nil, false
	}
	for i := range p.Trajectories {
		t := &p.Trajectories[i]
		t.ByShape = p.Format == trajectory.FoundFormat
		if u.At.Exists() && (len(p.Trajectories) == 1 || p.records[i] == place{}) {
			p.records[i] = d.placeOf(u.At)
		}
		if t.ID == "" && t.Task == "" || u.Parts {
			t.ID = u.Name
		}
		if len(p.Trajectories) > 1 && u.Name != "" { // a record under its name, with several runs
			t.Task = shape.IfElse(t.Task == "", u.Name, t.Task)
			t.ID = shape.IfElse(t.ID == "", t.ID, u.Name+"/"+t.ID)
		}
		if u.Task != "" && len(p.Trajectories) == 1 {
			t.ID, t.Task = u.Name, shape.IfElse(t.Task == "", u.Task, t.Task)
		}
		one := p.Trajectories[i : i+1]
		for _, o := range u.Sides {
			p.CopySides(one, o, false)
		}
		if u.Around != nil {
			copyRowMeta(one, u.Around)
			p.CopySides(one, u.Around, false)
		} else if u.At.Kind() == jsonval.Object && t.ID == "" && t.Task == "" {
			var meta trajectory.Trajectory
			CopyMeta(&meta, shape.OpenObject(u.At))
			t.ID, t.Task = meta.ID, meta.Task
		}
	}
	return p, true
}

// readParts reads the rows of a run.
func (d *Decoder) readParts(u *Unit) (*Decoder, error) {
	p := d.newInner()
	err := p.readChecked(envelope.Source{Values: u.Rows})
	if u.Parts && (err != nil || len(p.Trajectories) != 1 || p.hasWarning("result-without-call") || p.hasWarning("rows-joined")) {
		p = d.newInner()
		p.oneRun = true
		err = p.readChecked(envelope.Source{Values: u.Rows})
	}
	if u.Parts && err == nil {
		for i := range p.Trajectories {
			t := &p.Trajectories[i]
			t.Success, t.Reward, t.Scored, t.Ended, t.Broke, t.Contradicted = nil, nil, false, false, false, false
			t.Doubt = shape.IfElse(t.Doubt == bothWords, "", t.Doubt)
			refuseCalls(t, u.Rows)
		}
		p.dropTally("outcome-contradictory")
	}
	return p, err
}

// refuseCalls marks the calls of which an event of the run says that they were refused: the call with the event's id,
// else that in its place among the equal calls. O(events).
func refuseCalls(t *trajectory.Trajectory, events []jsonval.Value) {
	if !slices.ContainsFunc(events, func(e jsonval.Value) bool { return shape.IsRefusedCall(shape.OpenObject(e)) }) {
		return
	}
	byID, equal := map[string]int{}, map[string][]int{}
	for i := range t.Actions {
		a := &t.Actions[i]
		if a.CallID != "" {
			byID[a.CallID] = i
		}
		key := a.Name + "\x00" + a.Arguments.Canonical()
		equal[key] = append(equal[key], i)
	}
	seen := map[string]int{}
	for _, e := range events {
		b := shape.OpenBlock(e)
		at, known := byID[b.CallID]
		if !known && b.Tool != "" && b.Input.Exists() {
			key := b.Tool + "\x00" + b.Input.Canonical()
			if all := equal[key]; len(all) > 0 {
				at, known = all[min(seen[key], len(all)-1)], true
				seen[key]++
			}
		}
		if known && t.Actions[at].Observation == nil && shape.IsRefusedCall(shape.OpenObject(e)) {
			markState(&t.Actions[at], shape.CallState{Refused: true})
		}
	}
}

// newInner returns a decoder for a part of the text, which d completes.
func (d *Decoder) newInner() *Decoder {
	return &Decoder{text: d.text, formats: d.formats, golds: d.golds, several: d.several, depth: d.depth + 1, mark: d.mark}
}

// isEmptyRun reports whether a value is an empty list, or an object with one that is its run.
func isEmptyRun(v jsonval.Value) bool {
	return v.Kind() == jsonval.Array && v.Len() == 0 || v.Kind() == jsonval.Null || v.Kind() == jsonval.Object && (IsEmptyRecord(shape.OpenObject(v)) || IsSilentAttempt(shape.OpenObject(v)))
}

// StepNames are lists of all that an agent did, of which some may be words and thoughts.
const StepNames = "steps actions events trajectory"

// IsSilentAttempt reports whether an object is an attempt in whose steps no call is.
func IsSilentAttempt(o *shape.Object) bool {
	return shape.IsAttemptWith(o, func(key string) bool { return shape.OneOf(key, StepNames) }) && !HoldsCall(o.Value)
}

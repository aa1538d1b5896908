package engine

import (
	"slices"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// An empty list of what is expected says that no call is, if other records of the text have calls in the
// same member. In a text where it is empty everywhere, nobody has filled it in, and it says nothing.

// readNothingExpected gives a reference without steps to each run whose record has an empty list in a member
// that has the calls of another record's reference.
func (d *Decoder) readNothingExpected() {
	lacks := func(t trajectory.Trajectory) bool { return t.Reference == nil }
	has := func(t trajectory.Trajectory) bool { return t.Reference != nil }
	if !d.probing && slices.ContainsFunc(d.Trajectories, lacks) && slices.ContainsFunc(d.Trajectories, has) {
		d.findNothingExpected()
	}
}

// findNothingExpected is readNothingExpected for a text in which some runs have a reference, and some have none.
func (d *Decoder) findNothingExpected() {
	filled, empty := map[string]bool{}, map[int][]string{}
	for i, at := range d.records {
		row, err := jsonval.Parse(d.text[at.from:at.to]) // nothing, if the record is not known
		if err != nil || row.Kind() != jsonval.Object {
			continue
		}
		if d.Trajectories[i].Reference == nil {
			empty[i] = expectedLists(row, false)
			continue
		}
		for _, key := range expectedLists(row, true) {
			filled[key] = true
		}
	}
	for i, names := range empty {
		if slices.ContainsFunc(names, func(key string) bool { return filled[key] }) {
			d.Trajectories[i].Reference = &reference.Reference{Steps: []reference.Step{}}
			d.dropTally("expected-not-used")
		}
	}
}

// expectedLists returns the names of the expected sides of a record that are lists: those with elements, or
// those without.
func expectedLists(row jsonval.Value, filled bool) (names []string) {
	o := shape.OpenObject(row)
	places := append(shape.CaseObjects(o, 2), o)
	for _, v := range o.Values {
		if inner := shape.EncodedValue(v); v.Kind() == jsonval.String && inner.Kind() == jsonval.Object {
			places = append(places, shape.OpenObject(inner)) // a row with its record in a text
		}
	}
	for _, o := range places {
		for i, key := range o.Keys {
			if side := shape.SideOf(key); side != shape.ExpectedSide && side != shape.LikelySide {
				continue
			}
			v := shape.OpenText(o.Values[i])
			talk := v
			if m := v.Get("messages"); v.Kind() == jsonval.Object {
				talk = m
			}
			switch isTalk := IsConversation(talk); { // a conversation without a call expects none
			case isTalk && MayHoldCall(talk) == filled, !isTalk && v.Kind() == jsonval.Array && (v.Len() > 0) == filled:
				names = append(names, key)
			}
		}
	}
	return names
}

package engine

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/ref/reference"
)

// An empty list of what is expected says that no call is, if other records of the text have calls in the
// same member. In a text where it is empty everywhere, nobody has filled it in, and it says nothing.

// readNothingExpected gives a reference without steps to each run whose record has an empty list in a member
// that has the calls of another record's reference.
func (d *Decoder) readNothingExpected() {
	if d.probing {
		return
	}
	with, without := false, false
	for i := range d.Trajectories {
		if ref := d.Trajectories[i].Reference; d.records[i] == (place{}) {
			continue
		} else if ref == nil {
			without = without || strings.Contains(d.recordText(i), "[]")
		} else {
			with = true
		}
	}
	if with && without {
		d.findNothingExpected()
	}
}

func (d *Decoder) findNothingExpected() {
	filled := map[string]bool{}
	var empty []int
	var names [][]string
	for i := range d.Trajectories {
		t := &d.Trajectories[i]
		if d.records[i] == (place{}) {
			continue
		}
		text := d.recordText(i)
		if t.Reference == nil && !strings.Contains(text, "[]") {
			continue
		}
		v, err := jsonval.Parse(text)
		if err != nil || v.Kind() != jsonval.Object {
			continue
		}
		lists := expectedLists(shape.OpenObject(v), t.Reference != nil)
		if t.Reference == nil && len(lists) > 0 {
			empty, names = append(empty, i), append(names, lists)
		}
		if t.Reference != nil {
			for _, key := range lists {
				filled[key] = true
			}
		}
	}
	for k, i := range empty {
		for _, key := range names[k] {
			if filled[key] {
				d.Trajectories[i].Reference = &reference.Reference{Steps: []reference.Step{}}
			}
		}
		if d.Trajectories[i].Reference != nil {
			d.dropTally("expected-not-used")
		}
	}
}

// recordText returns the text of a run's record.
func (d *Decoder) recordText(i int) string { return d.text[d.records[i].from:d.records[i].to] }

// expectedLists returns the names of the expected sides of a record that are lists, with calls or without.
func expectedLists(row *shape.Object, filled bool) (names []string) {
	for _, o := range append([]*shape.Object{row}, shape.CaseObjects(row, 2)...) {
		for i, key := range o.Keys {
			if v := o.Values[i]; shape.IsExpected(key) && v.Kind() == jsonval.Array && (v.Len() > 0) == filled {
				names = append(names, key)
			}
		}
	}
	return names
}

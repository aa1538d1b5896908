package stream

import (
	"reflect"
	"testing"

	"github.com/boundcheck/boundcheck/core"
)

func TestStreamIDs(t *testing.T) {
	l := newLedger(make([]inputFile, 1))
	var got []string
	add := func(n int, id, task string) {
		r := core.Trajectory{ID: id, Task: task}
		r.ID = l.name(0, n, &r)
		l.add(0, &r)
		got = append(got, r.ID)
	}
	for _, id := range []string{"a", "a", "b", "a", "1", "b", "a#3", "a"} {
		add(0, id, "")
	}
	add(0, "1", "")
	add(1, "2", "")
	add(0, "7", "7")
	add(0, "7", "7")
	want := []string{"a", "a#2", "b", "a#3", "5", "b#2", "a#3#2", "a#4", "9", "10", "7", "7#2"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if len(l.ids) > 4 {
		t.Errorf("%d ids are kept of 4", len(l.ids))
	}
}

func TestWarningList(t *testing.T) {
	var w warningList
	for range 30 {
		w.add("f", []core.Warning{{Code: "a"}})
	}
	w.add("g", []core.Warning{{Code: "b", Line: 7}})
	got := w.report()
	if len(got) != 22 || got[20].Code != "b" || got[20].File != "g" || got[21].Message != "10 more like the 20 that are listed" {
		t.Errorf("%+v", got)
	}
}

package violation

import (
	"testing"

	"github.com/boundcheck/boundcheck/core/stage/relation"
)

func TestOppositeNames(t *testing.T) {
	for names, want := range map[[2]string]bool{
		{"berth_lock", "berth_unlock"}:            true,
		{"beginTransaction", "commitTransaction"}: true,
		{"db.begin", "db.commit"}:                 true,
		{"enter_maintenance", "exit_maintenance"}: true,
		{"acquire_lease", "release"}:              true,
		{"berth_lock", "crate_unlock"}:            false,
		{"unlock_berth", "lock_berth"}:            false,
		{"open_ticket", "close_account"}:          false,
		{"start_pump", "read_pump"}:               false,
	} {
		if got := relation.Closes(names[0], names[1]); got != want {
			t.Errorf("%v: %v, want %v", names, got, want)
		}
	}
}

func TestCompareValues(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		order int
		ok    bool
	}{
		{"9", "10", -1, true}, {"10", "9.5", 1, true}, {"00:00", "14:00", -1, true}, {"2026-02-03", "2026-02-02", 1, true},
		{"2026-02-03T10:00", "2026-02-03T09:30", 1, true}, {"Monday", "Friday", 0, false}, {"B1:22", "B1:23", 0, false}, {"14:00", "2 pm", 0, false}, {"", "", 0, false},
	} {
		if order, ok := compareValues(c.a, c.b); ok != c.ok || ok && order != c.order {
			t.Errorf("%s, %s: %d %v, want %d %v", c.a, c.b, order, ok, c.order, c.ok)
		}
	}
}

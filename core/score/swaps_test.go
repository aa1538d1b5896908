package score

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// scoreSwap scores calls against a reference of such calls.
func scoreSwap(t *testing.T, calls, wanted, profile string) *report.Trajectory {
	t.Helper()
	return &evaluateTrace(t, calls, strings.ReplaceAll(wanted, `,"result":"ok"`, ""), profile).Trajectories[0]
}

// swapCall writes a call of one argument, with the result ok.
func swapCall(name, key, value string) string {
	return fmt.Sprintf(`{"name":%q,"arguments":{%q:%q},"result":"ok"}`, name, key, value)
}

// TestSwapsUnderSop draws two changes in the wrong order. Under sop they are never excused, unless they are
// one tool's deeds on two things or name two things of one sort.
func TestSwapsUnderSop(t *testing.T) {
	r := rand.New(rand.NewPCG(59, 6))
	first := [][2]string{{"collect_deposit", "deposit_id"}, {"charge_card", "card_id"}, {"sign_charter", "charter_id"}, {"pay_toll", "toll_id"}, {"approve_manifest", "manifest_id"}}
	second := [][2]string{{"ship_grain", "cargo_id"}, {"publish_minutes", "meeting_id"}, {"send_summons", "case_id"}, {"dispatch_crew", "crew_id"}}
	for range drawn.Cases(300) {
		a, b := first[r.IntN(len(first))], second[r.IntN(len(second))]
		x, y := swapCall(a[0], a[1], fmt.Sprintf("a%d", r.IntN(90))), swapCall(b[0], b[1], fmt.Sprintf("b%d", r.IntN(90)))
		independent := r.IntN(3) == 0
		if independent { // one tool and two things
			x, y = swapCall(b[0], b[1], "b91"), swapCall(b[0], b[1], "b92")
		}
		if run := scoreSwap(t, listJSON(y, x), listJSON(x, y), "sop"); run.Flagged == independent {
			t.Errorf("%s\n%s: flagged %v", y, x, run.Flagged)
		}
		if run := scoreSwap(t, listJSON(x, y), listJSON(x, y), "sop"); run.Flagged {
			t.Errorf("%s\n%s: flagged in the right order", x, y)
		}
	}
}

// TestCopiesComeBefore draws a copy that is to be taken before a change of the same thing, or of another
// one, and was taken after it. To restore a copy is not to take one.
func TestCopiesComeBefore(t *testing.T) {
	r := rand.New(rand.NewPCG(59, 7))
	copies := []string{"create_backup", "take_snapshot", "make_checkpoint", "backup_archive"}
	changes := []string{"run_migration", "restore_backup", "upgrade_archive", "rewrite_index"}
	for range drawn.Cases(200) {
		key := []string{"database", "volume", "registry"}[r.IntN(3)]
		a, b := swapCall(copies[r.IntN(4)], key, "east"), swapCall(changes[r.IntN(4)], key, "east")
		for _, profile := range []string{"sop", "outcome"} {
			if run := scoreSwap(t, listJSON(b, a), listJSON(a, b), profile); !run.Flagged {
				t.Errorf("%s: %s before %s is not flagged", profile, b, a)
			}
		}
	}
}

// TestJoinedDeeds draws a call that does two deeds at once, and the two calls. Under sop they differ in
// granularity, and under outcome they are the same.
func TestJoinedDeeds(t *testing.T) {
	r := rand.New(rand.NewPCG(59, 8))
	verbs := []string{"submit", "publish", "lock", "archive", "sign", "approve", "close"}
	for range drawn.Cases(300) {
		i := r.IntN(len(verbs))
		x, y, thing := verbs[i], verbs[(i+1+r.IntN(len(verbs)-1))%len(verbs)], []string{"petition", "dossier", "report"}[r.IntN(3)]
		long := func(name string) string {
			if r.IntN(2) == 0 {
				return name + "_" + thing
			}
			return name
		}
		key := thing + "_id"
		whole := listJSON(swapCall(long(x+"_and_"+y), key, "d7"))
		parts := listJSON(swapCall(long(x), key, "d7"), swapCall(long(y), key, "d7"))
		if r.IntN(2) == 0 {
			whole, parts = parts, whole
		}
		if run := scoreSwap(t, whole, parts, "outcome"); run.Flagged {
			t.Errorf("%s for %s is flagged under outcome: %s", whole, parts, run.Violations[0].Reason)
		}
		run := scoreSwap(t, whole, parts, "sop")
		if len(run.Violations) != 1 || run.Violations[0].Type != "under-granular" && run.Violations[0].Type != "over-granular" {
			t.Errorf("%s for %s under sop: %+v", whole, parts, run.Violations)
		}
	}
}

// TestSeenSettings draws a value that is set and then replaced by the one of the reference. If a read
// between shows it, it took effect and is an extra change.
func TestSeenSettings(t *testing.T) {
	r := rand.New(rand.NewPCG(59, 9))
	for range drawn.Cases(300) {
		tool := []string{"set_sluice_level", "set_pump_speed", "set_heater_level"}[r.IntN(3)]
		first := 10 + r.IntN(40)
		last := 60 + r.IntN(30)
		set := func(value int) string {
			return fmt.Sprintf(`{"name":%q,"arguments":{"device_id":"dv4","level":%d},"result":"ok"}`, tool, value)
		}
		calls, isSeen := []string{set(first), set(last)}, false
		switch r.IntN(3) {
		case 0:
			isSeen = true
			calls = []string{set(first), fmt.Sprintf(`{"name":"read_gauge","arguments":{"device_id":"dv4"},"result":"{\"level\":%d}"}`, first), set(last)}
		case 1: // of another device
			calls = []string{set(first), `{"name":"read_gauge","arguments":{"device_id":"dv5"},"result":"{\"level\":3}"}`, set(last)}
		}
		if run := scoreSwap(t, listJSON(calls...), listJSON(set(last)), "outcome"); run.Flagged != isSeen {
			t.Errorf("%s: flagged %v", calls, run.Flagged)
		}
	}
}

// TestOneObjectOfOnePerson draws a copy of things of a person and their end, in the wrong order. Two deeds about
// different things of one person, and two things that a tool makes, have no order under outcome.
func TestOneObjectOfOnePerson(t *testing.T) {
	r := rand.New(rand.NewPCG(59, 10))
	for range drawn.Cases(200) {
		thing, other := []string{"records", "letters", "invoices"}[r.IntN(3)], []string{"scans", "notes"}[r.IntN(2)]
		person := []string{"patient", "client", "member"}[r.IntN(3)]
		keep := swapCall([]string{"copy_", "duplicate_"}[r.IntN(2)]+thing, person, "p3")
		end := []string{"delete_", "purge_", "erase_"}[r.IntN(3)]
		if run := scoreSwap(t, listJSON(swapCall(end+thing, person, "p3"), keep), listJSON(keep, swapCall(end+thing, person, "p3")), "outcome"); !run.Flagged {
			t.Errorf("%s%s before %s is not flagged", end, thing, keep)
		}
		if run := scoreSwap(t, listJSON(swapCall(end+other, person, "p3"), keep), listJSON(keep, swapCall(end+other, person, "p3")), "outcome"); run.Flagged {
			t.Errorf("%s%s before %s is flagged", end, other, keep)
		}
		make := func(title string) string { return swapCall("create_"+other, "title", title) }
		if run := scoreSwap(t, listJSON(make("A"), make("B")), listJSON(make("B"), make("A")), "sop"); run.Flagged {
			t.Errorf("two new %s in another order are flagged under sop", other)
		}
	}
}

// isSaid reports whether a report says something of a run: a finding, or a note about a row.
func isSaid(run *report.Trajectory) bool {
	for _, row := range run.Alignment {
		if row.Verdict == "note" {
			return true
		}
	}
	return len(run.Violations) > 0
}

// TestFieldsHaveNoOrder draws two changes of one thing. Under outcome nothing is said of their order if they
// set different fields, and something is said if they set one field.
func TestFieldsHaveNoOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 2))
	things := []string{"customer", "lamp", "page", "course", "vessel"}
	fields := []string{"phone", "email", "title", "fee", "teacher", "color", "birthday", "summary"}
	for range drawn.Cases(300) {
		thing, verb := things[r.IntN(len(things))], []string{"set", "update", "change"}[r.IntN(3)]
		i := r.IntN(len(fields))
		one, two := fields[i], fields[(i+1+r.IntN(len(fields)-1))%len(fields)]
		toolOne, toolTwo := verb+"_"+one, verb+"_"+two
		if r.IntN(2) == 0 { // one tool, and each call has one field
			toolOne, toolTwo = verb+"_"+thing, verb+"_"+thing
		}
		call := func(tool, field, value string) string {
			return fmt.Sprintf(`{"name":%q,"arguments":{%q:"T-%d",%q:%q},"result":"ok"}`, tool, thing, 4, field, value)
		}
		x, y := call(toolOne, one, "red"), call(toolTwo, two, "b.moor")
		if run := scoreSwap(t, listJSON(y, x), listJSON(x, y), "outcome"); isSaid(run) {
			t.Errorf("%s\n%s: something is said of the order", x, y)
		}
		again := call(toolOne, one, "blue")
		if run := scoreSwap(t, listJSON(again, x), listJSON(x, again), "outcome"); !isSaid(run) {
			t.Errorf("%s\n%s: nothing is said of the order", x, again)
		}
	}
}

// TestNewNamesComeFirst draws a step that gives a file another name, place or format, and a step on the file as it is
// then. Something is always said of the other order, and nothing if the second step is about another file.
func TestNewNamesComeFirst(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 3))
	for range drawn.Cases(200) {
		folder, stem := []string{"/in", "/a/b", "/home/kim"}[r.IntN(3)], fmt.Sprintf("r%d", r.IntN(90))
		first, made := "", ""
		switch r.IntN(3) {
		case 0:
			first = fmt.Sprintf(`{"name":"rename_file","arguments":{"path":"%s/%s.md","new_name":"final.md"},"result":"ok"}`, folder, stem)
			made = folder + "/final.md"
		case 1:
			first = fmt.Sprintf(`{"name":"move_file","arguments":{"path":"%s/%s.md","folder":"/out"},"result":"ok"}`, folder, stem)
			made = "/out/" + stem + ".md"
		default:
			first = fmt.Sprintf(`{"name":"convert_file","arguments":{"path":"%s/%s.md","format":"pdf"},"result":"ok"}`, folder, stem)
			made = folder + "/" + stem + ".pdf"
		}
		tool := []string{"upload_file", "print_file", "send_file", "encrypt_file", "tag_file"}[r.IntN(5)]
		if second := swapCall(tool, "path", made); !isSaid(scoreSwap(t, listJSON(second, first), listJSON(first, second), "outcome")) {
			t.Errorf("%s\n%s: nothing is said of the order", first, second)
		}
		if other := swapCall(tool, "path", "/else/x.csv"); isSaid(scoreSwap(t, listJSON(other, first), listJSON(first, other), "outcome")) {
			t.Errorf("%s\n%s: something is said of the order", first, other)
		}
	}
}

// TestRecordsComeBeforeTheEnd checks that a record of a thing that is taken after its end is noted.
func TestRecordsComeBeforeTheEnd(t *testing.T) {
	for _, c := range [][2]string{
		{swapCall("photograph_site", "building", "shed 6"), swapCall("demolish_building", "building", "shed 6")},
		{swapCall("film_stand", "stand", "wood 4"), swapCall("fell_stand", "stand", "wood 4")},
		{swapCall("count_stock", "item", "IT-3"), swapCall("write_off_stock", "item", "IT-3")},
		{swapCall("record_wall", "wall", "north wall"), swapCall("tear_down_wall", "wall", "north wall")},
	} {
		if !isSaid(scoreSwap(t, listJSON(c[1], c[0]), listJSON(c[0], c[1]), "outcome")) {
			t.Errorf("%s before %s: nothing is said", c[1], c[0])
		}
	}
}

package study

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/gold"
	"github.com/boundcheck/boundcheck/internal/recordings"
	"github.com/boundcheck/boundcheck/plugins/abi"
)

// auditFile runs "gold audit" on a file, and returns the flags of each task by the id of
// the task. A task without flags is not in the map.
func auditFile(t *testing.T, name string) map[string][]abi.Flag {
	t.Helper()
	code, out, errs := runCommand("", "gold", "audit", "--format", "json", "--env-data", recordings.Path(t, "tau-bench/env"), recordings.Path(t, name))
	var a goldAudit
	if err := json.Unmarshal([]byte(out), &a); err != nil || code != 0 {
		t.Fatalf("%s: exit %d, %v, %s", name, code, err, errs)
	}
	flags := map[string][]abi.Flag{}
	for _, task := range a.Tasks {
		flags[task.Task] = task.Flags
	}
	return flags
}

func goldFile(t *testing.T, name string) *gold.File {
	t.Helper()
	data, err := os.ReadFile(recordings.Path(t, name))
	if err != nil {
		t.Fatal(err)
	}
	f, err := gold.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// callKey returns a text that is equal for calls with equal arguments.
func callKey(name string, arguments json.RawMessage) string {
	var v any
	if err := json.Unmarshal(arguments, &v); err != nil {
		return name
	}
	b, _ := json.Marshal(v) // with its keys sorted
	return name + string(b)
}

// TestGoldAuditRecall measures how many known errors "gold audit" finds in the first
// release of the tasks. The known errors are the actions that the corrected release
// changes, and the actions that a sound correction of the paper changes.
func TestGoldAuditRecall(t *testing.T) {
	changed, sound := [2]int{}, [2]int{}
	for _, domain := range []string{"airline", "retail"} {
		name := "tau2/tasks/" + domain + ".original.json"
		flags, before, after := auditFile(t, name), goldFile(t, name), goldFile(t, "tau2/tasks/"+domain+".verified.json")
		for i := range before.Tasks {
			b, a := &before.Tasks[i], &after.Tasks[i]
			kept := map[string]bool{}
			for _, c := range a.Actions {
				kept[callKey(c.Name, c.Arguments)] = true
			}
			gone := []int{}
			for j, c := range b.Actions {
				if !kept[callKey(c.Name, c.Arguments)] {
					gone = append(gone, j)
				}
			}
			if len(gone) == 0 {
				continue
			}
			changed[1]++
			if slices.ContainsFunc(flags[b.ID], func(f abi.Flag) bool { return f.Kind != "fixed-order" && slices.Contains(gone, f.Action) }) {
				changed[0]++
			} else {
				t.Logf("%s %s: the release changes action %v, the audit does not flag it", domain, b.ID, gone)
			}
		}
		seen := map[string]bool{}
		report := goldReport(t, recordings.Path(t, name))
		for i := range report.Verdicts {
			v := &report.Verdicts[i]
			if !v.Sound {
				continue
			}
			at := slices.IndexFunc(before.Tasks, func(x gold.Task) bool { return x.ID == v.Task })
			seen[v.ID] = seen[v.ID] || foundByAudit(v, before.Tasks[at].Actions, flags[v.Task])
		}
		for _, id := range slices.Sorted(maps.Keys(seen)) {
			sound[1]++
			if seen[id] {
				sound[0]++
			} else {
				t.Logf("%s is sound, and the audit does not find it", id)
			}
		}
	}
	t.Logf("recall: %d of %d released changes, %d of %d sound headings", changed[0], changed[1], sound[0], sound[1])
	if changed[1] != 19 || sound[1] != 23 {
		t.Errorf("%d released changes and %d sound headings, want 19 and 23", changed[1], sound[1])
	}
	if changed[0] < 19 || sound[0] < 23 {
		t.Errorf("recall %d of %d and %d of %d, was 19 and 23", changed[0], changed[1], sound[0], sound[1])
	}
}

// TestGoldAuditTau measures how many of the paper's sound corrections "gold audit" finds
// in τ-bench's own gold. The corrections were written for this gold.
func TestGoldAuditTau(t *testing.T) {
	var missed []string
	sound := 0
	alone := map[string]string{"airline 15": "empty-gold", "retail 79": "free-parameter"} // found by the rules that were added last
	for _, domain := range []string{"airline", "retail"} {
		name := "tau-bench/gpt-4o-" + domain + ".json"
		flags, file, report := auditFile(t, name), goldFile(t, name), goldReport(t, recordings.Path(t, name))
		for at, kind := range alone {
			if d, task, _ := strings.Cut(at, " "); d == domain && !slices.ContainsFunc(flags[task], func(f abi.Flag) bool { return f.Kind == kind }) {
				t.Errorf("%s: no %s among %+v", at, kind, flags[task])
			}
		}
		seen := map[string]bool{}
		for i := range report.Verdicts {
			if v := &report.Verdicts[i]; v.Sound {
				at := slices.IndexFunc(file.Tasks, func(x gold.Task) bool { return x.ID == v.Task })
				seen[v.ID] = seen[v.ID] || foundByAudit(v, file.Tasks[at].Actions, flags[v.Task])
			}
		}
		for _, id := range slices.Sorted(maps.Keys(seen)) {
			if sound++; !seen[id] {
				missed = append(missed, id)
			}
		}
	}
	t.Logf("%d of %d sound headings, missed %v", sound-len(missed), sound, missed)
	if sound != 24 || strings.Join(missed, " ") != "R15" { // two cards although the user wants one
		t.Errorf("%d sound headings, missed %v, want 24 and R15", sound, missed)
	}
}

func foundByAudit(v *gold.Verdict, actions []gold.Call, flags []abi.Flag) bool {
	want := map[string]bool{} // the lists that the correction accepts
	in := make([]int, len(actions))
	for _, form := range v.Forms {
		var text []string
		for _, c := range form.Actions {
			k := callKey(c.Name, c.Arguments)
			text = append(text, k)
			for i, a := range actions {
				if callKey(a.Name, a.Arguments) == k {
					in[i]++
					break
				}
			}
		}
		want[strings.Join(text, "\n")] = true
	}
	for _, f := range flags {
		if f.Kind != "fixed-order" {
			if f.Action >= 0 && in[f.Action] < len(v.Forms) {
				return true
			}
			continue
		}
		proposed := 0
		for _, list := range f.Proposed {
			var text []string
			for _, c := range list {
				text = append(text, callKey(c.Name, c.Arguments))
			}
			if want[strings.Join(text, "\n")] {
				proposed++
			}
		}
		if len(want) > 1 && proposed == len(want) {
			return true
		}
	}
	return false
}

// TestGoldAuditFlags checks the number of flags of each kind. A table in docs/gold.md
// judges each flag. If you change a number here, read the flags and change the table.
func TestGoldAuditFlags(t *testing.T) {
	want := map[string]string{
		"airline.original": "3 compensation-without-change, 11 fixed-order, 3 free-parameter, 6 ineligible-cancellation, 1 not-as-instructed, 3 other-person, 1 other-route, 1 paid-free-bag, 1 stray-calculation",
		"retail.original":  "37 fixed-order, 19 free-parameter, 1 no-effect, 1 not-as-instructed, 10 refused, 3 same-item, 4 stray-calculation, 2 unread-entity, 2 write-before-hand-off",
		"airline.verified": "10 fixed-order, 1 free-parameter, 1 ineligible-cancellation, 1 other-person, 1 paid-free-bag, 1 stray-calculation",
		"retail.verified":  "34 fixed-order, 17 free-parameter, 1 no-effect, 8 refused, 3 stray-calculation, 2 unavailable-item, 2 unread-entity, 1 write-before-hand-off",
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		kinds := map[string]int{}
		for _, flags := range auditFile(t, "tau2/tasks/"+name+".json") {
			for _, f := range flags {
				kinds[f.Kind]++
			}
		}
		var parts []string
		for _, k := range slices.Sorted(maps.Keys(kinds)) {
			parts = append(parts, fmt.Sprintf("%d %s", kinds[k], k))
		}
		if got := strings.Join(parts, ", "); got != want[name] {
			t.Errorf("%s: %s\nwant %s", name, got, want[name])
		}
	}
}

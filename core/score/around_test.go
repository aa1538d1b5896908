package score

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestMadePlaces is the law that an action beside the reference is excused as the making of a place only if a later step
// of the reference puts something into this place. It draws moves into folders, before or behind which the
// run makes folders. A small program knows which folders are in the end of both.
func TestMadePlaces(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 85))
	folders := []string{"Jobs", "Bills", "Trips", "Old stuff"}
	fine, flagged := 0, 0
	for n := range drawn.Cases(400) {
		shell := r.IntN(2) == 0
		makes := func(folder string) storeCall {
			if shell {
				return storeCall{"bash", map[string]string{"command": []string{"mkdir ", "mkdir -p "}[r.IntN(2)] + "'" + folder + "'"}, "ok"}
			}
			return storeCall{"create_folder", map[string]string{"name": folder}, "ok"}
		}
		moves := func(file, folder string) storeCall {
			if shell {
				return storeCall{"bash", map[string]string{"command": "mv " + file + " '" + folder + "/'"}, "ok"}
			}
			return storeCall{"move_file", map[string]string{"file": file, "folder": folder}, "ok"}
		}
		var ref, run []storeCall
		used := map[string]int{} // by folder: the last move into it
		for i := range 1 + r.IntN(2) {
			step := moves([]string{"a.txt", "b.txt"}[i], folders[r.IntN(2)])
			step.Result = ""
			ref = append(ref, step)
		}
		same := true
		made := map[string]bool{}
		for i, step := range ref {
			folder := folders[0]
			if step.Arguments["folder"] == folders[1] || strings.Contains(step.Arguments["command"], folders[1]) {
				folder = folders[1]
			}
			used[folder] = i
		}
		for i, step := range ref {
			if r.IntN(2) == 0 {
				folder := folders[r.IntN(len(folders))]
				if last, ok := used[folder]; !made[folder] {
					same = same && ok && last >= i
					made[folder] = true
					run = append(run, makes(folder))
				}
			}
			step.Result = "ok"
			run = append(run, step)
		}
		if len(run) == len(ref) {
			continue
		}
		trace, _ := json.Marshal(run)
		reference, _ := json.Marshal(ref)
		judged := evaluateTrace(t, string(trace), string(reference), "outcome").Trajectories[0]
		if judged.Flagged == same {
			t.Fatalf("case %d: the folders are those of the reference: %v, flagged: %v\nrun %s\nreference %s", n, same, judged.Flagged, trace, reference)
		}
		if same {
			fine++
		} else {
			flagged++
		}
	}
	if min(fine, flagged) < 20 {
		t.Errorf("%d fine, %d flagged", fine, flagged)
	}
}

// TestNeighbours checks what else a run may do around the steps of a reference: it opens and closes, tries, waits
// for a job, repeats what was left, or goes on although something failed.
func TestNeighbours(t *testing.T) {
	for _, c := range []struct{ name, trace, ref, outcome string }{
		{"locked and released around", `[{"name":"acquire_lock","arguments":{"row_id":"r-1"},"result":"ok"},{"name":"set_row","arguments":{"row_id":"r-1","count":4},"result":"ok"},{"name":"release_lock","arguments":{"row_id":"r-1"},"result":"ok"}]`,
			`["set_row(row_id=r-1, count=4)"]`, "note"},
		{"locked and left", `[{"name":"acquire_lock","arguments":{"row_id":"r-1"},"result":"ok"},{"name":"set_row","arguments":{"row_id":"r-1","count":4},"result":"ok"}]`,
			`["set_row(row_id=r-1, count=4)"]`, "flagged"},
		{"another lock released", `[{"name":"acquire_lock","arguments":{"row_id":"r-1"},"result":"ok"},{"name":"set_row","arguments":{"row_id":"r-1","count":4},"result":"ok"},{"name":"release_lock","arguments":{"row_id":"r-2"},"result":"ok"}]`,
			`["set_row(row_id=r-1, count=4)"]`, "flagged"},
		{"opened and closed", `[{"name":"open_file","arguments":{"path":"a.py"},"result":"ok"},{"name":"edit_file","arguments":{"path":"a.py","text":"x"},"result":"ok"},{"name":"close_file","arguments":{"path":"a.py"},"result":"ok"}]`,
			`["edit_file(path=a.py, text=x)"]`, "hint"},
		{"tried, then done", `[{"name":"deploy","arguments":{"service":"s-1","dry_run":true},"result":{"plan":["x"]}},{"name":"deploy","arguments":{"service":"s-1"},"result":"ok"}]`, `["deploy(service=s-1)"]`, "note"},
		{"only tried", `[{"name":"deploy","arguments":{"service":"s-1","dry_run":true},"result":{"plan":["x"]}}]`, `["deploy(service=s-1)"]`, "flagged"},
		{"another one tried", `[{"name":"deploy","arguments":{"service":"s-2","dry_run":true},"result":{"plan":["x"]}},{"name":"deploy","arguments":{"service":"s-1"},"result":"ok"}]`, `["deploy(service=s-1)"]`, "flagged"},
		{"the rest was done later", `[{"name":"delete_users","arguments":{"ids":["u1","u2"]},"result":{"deleted":["u1"],"failed":["u2"]}},{"name":"delete_users","arguments":{"ids":["u2"]},"result":"ok"}]`, `[{"name":"delete_users","arguments":{"ids":["u1","u2"]}}]`, "note"},
		{"another one was done later", `[{"name":"delete_users","arguments":{"ids":["u1","u2"]},"result":{"deleted":["u1"],"failed":["u2"]}},{"name":"delete_users","arguments":{"ids":["u3"]},"result":"ok"}]`, `[{"name":"delete_users","arguments":{"ids":["u1","u2"]}}]`, "flagged"},
		{"a job failed and was ignored", `[{"name":"start_export","arguments":{"table":"people"},"result":{"export_id":"e-1"}},{"name":"get_export","arguments":{"export_id":"e-1"},"result":{"state":"failed"}},{"name":"drop_table","arguments":{"table":"people"},"result":"ok"}]`,
			`["start_export(table=people)","get_export(export_id=e-1)","drop_table(table=people)"]`, "flagged"},
		{"a job failed and was done again", `[{"name":"start_export","arguments":{"table":"people"},"result":{"export_id":"e-1"}},{"name":"get_export","arguments":{"export_id":"e-1"},"result":{"state":"failed"}},{"name":"start_export","arguments":{"table":"people"},"result":{"export_id":"e-2"}},{"name":"get_export","arguments":{"export_id":"e-2"},"result":{"state":"done"}},{"name":"drop_table","arguments":{"table":"people"},"result":"ok"}]`,
			`["start_export(table=people)","drop_table(table=people)"]`, "clean"},
		{"a savepoint", `[{"name":"sql","arguments":{"q":"BEGIN"},"result":"ok"},{"name":"sql","arguments":{"q":"SAVEPOINT s"},"result":"ok"},{"name":"sql","arguments":{"q":"UPDATE t SET a = 1 WHERE id = 3"},"result":"ok"},{"name":"sql","arguments":{"q":"ROLLBACK TO s"},"result":"ok"},{"name":"sql","arguments":{"q":"UPDATE t SET a = 1 WHERE id = 4"},"result":"ok"},{"name":"sql","arguments":{"q":"COMMIT"},"result":"ok"}]`,
			`[{"name":"sql","arguments":{"q":"UPDATE t SET a = 1 WHERE id = 4"}}]`, "note"},
		{"back to another savepoint", `[{"name":"sql","arguments":{"q":"BEGIN"},"result":"ok"},{"name":"sql","arguments":{"q":"UPDATE t SET a = 1 WHERE id = 3"},"result":"ok"},{"name":"sql","arguments":{"q":"SAVEPOINT s"},"result":"ok"},{"name":"sql","arguments":{"q":"ROLLBACK TO s"},"result":"ok"},{"name":"sql","arguments":{"q":"UPDATE t SET a = 1 WHERE id = 4"},"result":"ok"},{"name":"sql","arguments":{"q":"COMMIT"},"result":"ok"}]`,
			`[{"name":"sql","arguments":{"q":"UPDATE t SET a = 1 WHERE id = 4"}}]`, "flagged"},
		{"a message is not rolled back", `[{"name":"begin_transaction","arguments":{},"result":"ok"},{"name":"send_note","arguments":{"to":"kim","text":"It is done now."},"result":"ok"},{"name":"rollback_transaction","arguments":{},"result":"ok"},{"name":"set_row","arguments":{"row_id":"r-1","count":4},"result":"ok"}]`,
			`["set_row(row_id=r-1, count=4)"]`, "flagged"},
		{"went on after a no", `[{"name":"verify_invoice","arguments":{"invoice_id":"i-7"},"result":{"valid":false}},{"name":"pay_invoice","arguments":{"invoice_id":"i-7"},"result":"ok"}]`, `["verify_invoice(invoice_id=i-7)","pay_invoice(invoice_id=i-7)"]`, "flagged"},
		{"checked again before", `[{"name":"verify_invoice","arguments":{"invoice_id":"i-7"},"result":{"valid":false}},{"name":"verify_invoice","arguments":{"invoice_id":"i-7"},"result":{"valid":true}},{"name":"pay_invoice","arguments":{"invoice_id":"i-7"},"result":"ok"}]`, `["verify_invoice(invoice_id=i-7)","pay_invoice(invoice_id=i-7)"]`, "clean"},
		{"an own copy was removed", `[{"name":"bash","arguments":{"command":"cp x.txt x.bak"},"result":"ok"},{"name":"bash","arguments":{"command":"sed -i 's/a/b/' x.txt"},"result":"ok"},{"name":"bash","arguments":{"command":"rm x.bak"},"result":"ok"}]`, `[{"name":"bash","arguments":{"command":"sed -i 's/a/b/' x.txt"}}]`, "note"},
		{"the file itself was removed", `[{"name":"bash","arguments":{"command":"cp x.txt x.bak"},"result":"ok"},{"name":"bash","arguments":{"command":"sed -i 's/a/b/' x.txt"},"result":"ok"},{"name":"bash","arguments":{"command":"rm x.txt"},"result":"ok"}]`, `[{"name":"bash","arguments":{"command":"sed -i 's/a/b/' x.txt"}}]`, "flagged"},
		{"stopped and started for restarted", `[{"name":"stop_service","arguments":{"service":"web"},"result":"ok"},{"name":"start_service","arguments":{"service":"web"},"result":"ok"}]`, `["restart_service(service=web)"]`, "clean"},
		{"another one started", `[{"name":"stop_service","arguments":{"service":"web"},"result":"ok"},{"name":"start_service","arguments":{"service":"db"},"result":"ok"}]`, `["restart_service(service=web)"]`, "flagged"},
		{"the name was looked up", `[{"name":"find_channel","arguments":{"name":"ops"},"result":{"id":"C9"}},{"name":"send_note","arguments":{"to":"C9","text":"It is done now."},"result":"ok"}]`, `[{"name":"send_note","arguments":{"to":"#ops","text":"It is done now."}}]`, "hint"},
		{"another name was looked up", `[{"name":"find_channel","arguments":{"name":"dev"},"result":{"id":"C9"}},{"name":"send_note","arguments":{"to":"C9","text":"It is done now."},"result":"ok"}]`, `[{"name":"send_note","arguments":{"to":"#ops","text":"It is done now."}}]`, "flagged"},
		{"said that it is meant", `[{"name":"delete_branch","arguments":{"branch":"old","confirm":true},"result":"ok"}]`, `["delete_branch(branch=old)"]`, "hint"},
		{"once is usual", `[{"name":"add_item","arguments":{"sku":"S1"},"result":"ok"}]`, `["add_item(sku=S1, quantity=1)"]`, "hint"},
		{"twice is not", `[{"name":"add_item","arguments":{"sku":"S1"},"result":"ok"}]`, `["add_item(sku=S1, quantity=2)"]`, "flagged"},
		{"a name in two parts", `[{"name":"book_trip","arguments":{"trip":"t-1","passenger":{"name":"Ada Moe"}},"result":"ok"}]`, `[{"name":"book_trip","arguments":{"trip":"t-1","passenger":{"first_name":"Ada","last_name":"Moe"}}}]`, "clean"},
		{"another name in two parts", `[{"name":"book_trip","arguments":{"trip":"t-1","passenger":{"name":"Ada Roe"}},"result":"ok"}]`, `[{"name":"book_trip","arguments":{"trip":"t-1","passenger":{"first_name":"Ada","last_name":"Moe"}}}]`, "flagged"},
		{"cancelled after a no", `[{"name":"verify_invoice","arguments":{"invoice_id":"i-7"},"result":{"valid":false}},{"name":"cancel_invoice","arguments":{"invoice_id":"i-7"},"result":"ok"}]`, `["verify_invoice(invoice_id=i-7)","cancel_invoice(invoice_id=i-7)"]`, "clean"},
	} {
		if got := certaintyOf(t, c.trace, c.ref, "outcome"); got != c.outcome {
			t.Errorf("%s: %s, want %s", c.name, got, c.outcome)
		}
	}
}

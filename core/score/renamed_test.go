package score

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// renamedCalls returns a list of calls in JSON. The argument text has the calls, each with
// its arguments in JSON, separated by "; ".
func renamedCalls(text string) string {
	var out []string
	for _, c := range strings.Split(strings.TrimSpace(text), "; ") {
		name, arguments, _ := strings.Cut(c, "{")
		out = append(out, fmt.Sprintf(`{"name":%q,"arguments":{%s}`, name, arguments))
	}
	return "[" + strings.Join(out, ",") + "]"
}

// judgeRenamed scores the pairs of a text, which has the form of testdata/renamed.txt. It
// returns how many got the expected verdict, and the pairs that were wrongly excused and
// wrongly flagged.
func judgeRenamed(t *testing.T, text string) (right int, excused, flagged []string) {
	t.Helper()
	for line := range strings.Lines(text) {
		want, pair, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		ref, obs, _ := strings.Cut(pair, " | ")
		got, _, _ := evaluateRun(t, `{"trace":`+renamedCalls(obs)+`,"reference":`+renamedCalls(ref)+`,"profile":"outcome"}`)
		switch {
		case (got == "") == (want == "same"):
			right++
		case want == "same":
			flagged = append(flagged, pair)
		default:
			excused = append(excused, pair)
		}
	}
	return right, excused, flagged
}

// TestRenamed checks pairs of calls with other names that were written before the rules:
// nine of ten must get the right verdict, and no other deed may be excused.
func TestRenamed(t *testing.T) {
	for name, atLeast := range map[string]int{"renamed": 60, "renamed-more": 120, "renamed-arguments": 250} {
		text, err := os.ReadFile("testdata/" + name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		right, excused, flagged := judgeRenamed(t, string(text))
		if n := right + len(excused) + len(flagged); n < atLeast || 10*right < 9*n || len(excused) > 0 {
			t.Errorf("%s: %d of %d right; excused: %q; flagged: %q", name, right, n, excused, flagged)
		} else {
			t.Logf("%s: %d of %d right; flagged: %q", name, right, n, flagged)
		}
	}
}

// TestRenamedAsNamed checks the pairs that users met.
func TestRenamedAsNamed(t *testing.T) {
	_, excused, flagged := judgeRenamed(t, `
same: archive_mails{"ids":["m1","m2","m3"]} | archive_mail{"id":"m1"}; archive_mail{"id":"m2"}; archive_mail{"id":"m3"}
same: delete_files{"names":["a","b"]} | delete_file{"name":"a"}; delete_file{"name":"b"}
same: remove_from_cart{"item_id":"i4"} | delete_cart_item{"item_id":"i4"}
same: fire_employee{"employee_id":"e4"} | terminate_employee{"employee_id":"e4"}
same: turn_off_lamp{"lamp_id":"l4"} | switch_off_lamp{"lamp_id":"l4"}
same: register_student{"student_id":"s4"} | enrol_student{"student_id":"s4"}
same: create_invoice{"order_id":"o4"} | issue_invoice{"order_id":"o4"}
differ: cancel_order{"order_id":"o4"} | pause_order{"order_id":"o4"}
differ: buy_stock{"stock_id":"s4"} | hold_stock{"stock_id":"s4"}
differ: mute_chat{"chat_id":"c4"} | delete_chat{"chat_id":"c4"}
differ: archive_mail{"id":"m4"} | delete_mail{"id":"m4"}
differ: submit_report{"report_id":"r4"} | approve_report{"report_id":"r4"}
differ: stop_instance{"instance_id":"i4"} | terminate_instance{"instance_id":"i4"}
differ: book_hotel{"hotel_id":"h4"} | list_hotel{"hotel_id":"h4"}
differ: copy_to_backup{"file_id":"f4"} | copy_backup_file{"file_id":"f4"}
`)
	for _, pair := range excused {
		t.Errorf("excused: %s", pair)
	}
	for _, pair := range flagged {
		t.Errorf("flagged: %s", pair)
	}
}

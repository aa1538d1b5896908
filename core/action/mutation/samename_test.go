package mutation

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

func TestSameName(t *testing.T) {
	for _, pair := range []string{
		"archive_mail archive_mails", "delete_file deleteFiles", "order_cancel cancelOrder", "set_label_colour setLabelColor",
		"authorise_payment authorize-payments", "enrol_child enroll_children", "clear_cache ClearCaches", "turn_off_lamp lampTurnOff",
		"turn_lamp_off turn_off_lamp", "mcp__shop__remove_item remove_items", "cancel_cheque cancel_checks", "remove_user_from_group removeUsersFromGroup",
		"open_alias open_aliases", "run_analysis run_analyses", "set_status set_statuses", "catalogue_item catalog_item",
	} {
		a, b, _ := strings.Cut(pair, " ")
		if !SameName(a, b) || !SameName(b, a) {
			t.Errorf("%s and %s have the same words", a, b)
		}
	}
	for _, pair := range []string{
		"convert_pdf_to_doc convert_doc_to_pdf", "turn_on_lamp turn_off_lamp", "open_valve_1 open_valve_2", "files.delete users.delete",
		"mcp__files__delete mcp__users__delete", "delete_story delete_storey", "create_new_item create_news_item", "put_box_in_crate put_crate_in_box",
		"lock_door unlock_door", "refill_order refile_order", "delete_file delete_files_files", "list_v1 list_v2", "copy_to_user copy_from_user",
		"delete shop.delete", "add_glass add_glasses_case",
	} {
		a, b, _ := strings.Cut(pair, " ")
		if SameName(a, b) || SameName(b, a) {
			t.Errorf("%s and %s do not have the same words", a, b)
		}
	}
}

// TestSameNameIsEquivalence checks with random words that SameName is symmetric, and that
// it holds between three names if it holds between two of the pairs.
func TestSameNameIsEquivalence(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 45))
	words := strings.Fields("delete file files in to off Turn turn mail mails email colour color 1 2 child children __ . advise analyse analyze s es ies")
	name := func() string {
		var b strings.Builder
		for range 1 + r.IntN(3) {
			b.WriteString(words[r.IntN(len(words))] + []string{"_", "", "-"}[r.IntN(3)])
		}
		return b.String()
	}
	same := 0
	for range drawn.Cases(40000) {
		a, b, c := name(), name(), name()
		if !SameName(a, a) || SameName(a, b) != SameName(b, a) {
			t.Fatalf("%q and %q", a, b)
		}
		if SameName(a, b) && SameName(b, c) && a != b && b != c {
			if same++; !SameName(a, c) && !strings.ContainsAny(a+b+c, "_.") { // a name without a namespace fits any
				t.Fatalf("%q, %q and %q", a, b, c)
			}
		}
	}
	if same == 0 {
		t.Error("no three names were the same")
	}
}

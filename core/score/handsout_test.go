package score

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// scoreOrder scores two calls, as name and arguments, that were done in the other order than the reference, under outcome,
// and reports whether it is a finding, and whether anything is said of the order.
func scoreOrder(t *testing.T, a, b [2]string) (flagged, said bool) {
	t.Helper()
	call := func(c [2]string) string { return fmt.Sprintf(`{"name":%q,"arguments":%s,"result":"ok"}`, c[0], c[1]) }
	run := scoreSwap(t, listJSON(call(b), call(a)), listJSON(call(a), call(b)), "outcome")
	whole, err := json.Marshal(run)
	if err != nil {
		t.Fatal(err)
	}
	return run.Flagged, run.Flagged || strings.Contains(string(whole), " before ")
}

// TestHandedOutAfterItsChange draws a thing that is changed and handed out, with other names and values. The wrong order is
// said. The order is not said if the two name two things, if the change is no term of the payment, or if the second step has a text of its own.
func TestHandedOutAfterItsChange(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 40))
	pick := func(all ...string) string { return all[r.IntN(len(all))] }
	isFlagged := func(a, b [2]string) bool { flagged, _ := scoreOrder(t, a, b); return flagged }
	isSaid := func(a, b [2]string) bool { _, said := scoreOrder(t, a, b); return said }
	for range drawn.Cases(300) {
		n := r.IntN(900)
		thing := pick("parcel", "leaflet", "menu", "roster", "badge", "catalog")
		change := [2]string{"set_" + pick("address", "prices", "layout", "names"), fmt.Sprintf(`{%q:"Q-%d","value":"new %d"}`, thing, n, n)}
		shows := func(n int) [2]string {
			return [2]string{pick("print", "email", "publish", "fax") + "_" + pick("sheet", "copy", thing), fmt.Sprintf(`{%q:"Q-%d"}`, thing, n)}
		}
		if show := shows(n); !isFlagged(change, show) {
			t.Errorf("%s, %s is not flagged", change, show)
		}
		if show := shows(n + 1); isSaid(change, show) {
			t.Errorf("%s, %s is said", change, show)
		}
		who := pick("customer", "employee", "member", "tenant", "patient")
		term := [2]string{pick("set", "change") + "_" + pick("plan", "bank", "tariff", "iban", "salary"), fmt.Sprintf(`{%q:%d,"value":"b%d"}`, who, n, n)}
		plain := [2]string{pick("charge", "bill", "execute_payroll", "debit"), fmt.Sprintf(`{"%ss":[%d],"month":"2031-04"}`, who, n)}
		if !isFlagged(term, plain) {
			t.Errorf("%s, %s is not flagged", term, plain)
		}
		other := [2]string{plain[0], fmt.Sprintf(`{"%ss":[%d],"month":"2031-04"}`, who, n+1)}
		if isSaid(term, other) {
			t.Errorf("%s, %s is said", term, other)
		}
		file := fmt.Sprintf("/shelf/f%d", n)
		out := [2]string{"move_file", fmt.Sprintf(`{"source":"%s/x.pdf","destination":"/vault/x.pdf"}`, file)}
		if share := [2]string{"share_folder", fmt.Sprintf(`{"path":%q,"with":"a@b.example"}`, file)}; !isFlagged(out, share) {
			t.Errorf("%s, %s is not flagged", out, share)
		}
		if share := [2]string{"share_folder", fmt.Sprintf(`{"path":"%s9","with":"a@b.example"}`, file)}; isSaid(out, share) {
			t.Errorf("%s, %s is said", out, share)
		}
	}
}

// TestIndependentTwins has twenty pairs of steps that share a word, a person or a place, and do not depend on each other.
func TestIndependentTwins(t *testing.T) {
	for _, p := range [][2][2]string{
		{{"set_phone", `{"customer":33,"phone":"+4312"}`}, {"charge", `{"customer":33}`}},
		{{"set_language", `{"customer":8,"language":"fi"}`}, {"bill", `{"customer":8}`}},
		{{"set_nickname", `{"employee":70,"nickname":"Bo"}`}, {"execute_payroll", `{"employees":[70],"month":"2025-05"}`}},
		{{"set_bank", `{"employee":71,"iban":"FR76"}`}, {"execute_payroll", `{"employees":[70],"month":"2025-05"}`}},
		{{"set_price", `{"list":"winter","item":"tent","price":3}`}, {"email_price_list", `{"list":"summer","to":"dealers"}`}},
		{{"set_address", `{"parcel":"P-7","address":"Kiel"}`}, {"print_label", `{"parcel":"P-6"}`}},
		{{"move_file", `{"source":"/team/a/x.txt","destination":"/private/x.txt"}`}, {"share_folder", `{"path":"/team/b","with":"c@x.example"}`}},
		{{"move_file", `{"source":"/team/a/x.txt","destination":"/team/a/y/x.txt"}`}, {"share_folder", `{"path":"/team/c","with":"c@x.example"}`}},
		{{"set_thermostat", `{"room":"bath","target":22}`}, {"print_menu", `{"room":"bath"}`}},
		{{"set_lamp", `{"room":"study","on":true}`}, {"send_invoice", `{"invoice":31}`}},
		{{"change_plan", `{"customer":33,"plan":"basic"}`}, {"charge", `{"customer":34}`}},
		{{"set_color", `{"team":"red","color":"#f00"}`}, {"publish_schedule", `{"team":"red"}`}},
		{{"update_profile", `{"member":5,"bio":"x"}`}, {"pay", `{"member":5,"amount":20}`}},
		{{"set_alarm", `{"time":"07:00"}`}, {"print_ticket", `{"time":"07:00"}`}},
		{{"set_volume", `{"device":"d1","level":3}`}, {"charge", `{"customer":3}`}},
		{{"set_goal", `{"year":2025,"goal":"run"}`}, {"export_photos", `{"year":2025}`}},
		{{"rename_sheet", `{"sheet":"A1x","name":"Costs"}`}, {"print_poster", `{"poster":"B1x"}`}},
		{{"tag_photo", `{"photo":11,"tag":"beach"}`}, {"print_photo", `{"photo":12}`}},
		{{"water_bed", `{"bed":4}`}, {"print_map", `{"bed":4}`}},
		{{"set_reminder", `{"city":"Kiel","text":"pack"}`}, {"publish_guide", `{"city":"Kiel"}`}},
	} {
		if _, said := scoreOrder(t, p[0], p[1]); said {
			t.Errorf("%s, %s is said", p[0], p[1])
		}
	}
}

package audit

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/taubench/env"
)

func openMini(t *testing.T) *env.World {
	t.Helper()
	paths, err := filepath.Glob("../testdata/env/*/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatal("no mini environment", err)
	}
	var files []env.File
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, env.File{Name: filepath.ToSlash(strings.TrimPrefix(p, filepath.Join("..", "testdata", "env"))), Data: string(data)})
	}
	w, err := env.Open(files)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestRules checks each rule with a case that the rule must flag, and with a similar case
// that it must not flag.
func TestRules(t *testing.T) {
	w := openMini(t)
	const (
		ada    = `{"user_id":"ada_ruiz_1001","origin":"AAA","destination":"CCC","flight_type":"one_way","cabin":"economy","flights":[{"flight_number":"MINI01","date":"2024-05-20"}],"passengers":[PASSENGER],"payment_methods":[{"payment_id":"credit_card_11","amount":AMOUNT}],"total_baggages":BAGS,"nonfree_baggages":PAID,"insurance":"no"}`
		cancel = `cancel_reservation {"reservation_id":"RES001"}`
	)
	book := func(passenger, amount, bags, paid string) string {
		return "book_reservation " + strings.NewReplacer("PASSENGER", passenger, "AMOUNT", amount, "BAGS", bags, "PAID", paid).Replace(ada)
	}
	own := `{"first_name":"Ada","last_name":"Ruiz","dob":"1984-02-29"}`
	flights := func(cabin, legs string) string {
		return `update_reservation_flights {"reservation_id":"RES001","cabin":"` + cabin + `","flights":[` + legs + `],"payment_id":"credit_card_11"}`
	}
	items := func(tool, order, from, to, pay string) string {
		return tool + ` {"order_id":"` + order + `","item_ids":["` + from + `"],"new_item_ids":["` + to + `"],"payment_method_id":"` + pay + `"}`
	}
	for _, c := range []struct {
		what, wish string
		outputs    []string
		actions    []string
		want       string
	}{
		{"a cancellation with no ground", "Cancel it.", nil, []string{cancel}, "ineligible-cancellation"},
		{"one of business class", "Cancel it.", nil, []string{`cancel_reservation {"reservation_id":"RES002"}`}, ""},
		{"a booking as the profile has it", "Fly, paid by card.", nil, []string{book(own, "110", "2", "0")}, ""},
		{"another birth date", "Fly, paid by card.", nil, []string{book(`{"first_name":"Ada","last_name":"Ruiz","dob":"1985-01-01"}`, "110", "0", "0")}, "other-person"},
		{"a birth date that the user says", "Fly with Ada Ruiz, born 1985-01-01.", nil, []string{book(`{"first_name":"Ada","last_name":"Ruiz","dob":"1985-01-01"}`, "110", "0", "0")}, ""},
		{"a known birth date under another name", "Fly.", nil, []string{book(`{"first_name":"Ira","last_name":"Ruiz","dob":"2012-06-01"}`, "110", "0", "0")}, "other-person"},
		{"a stranger", "Fly.", nil, []string{book(`{"first_name":"Ira","last_name":"Ruiz","dob":"1999-09-09"}`, "110", "0", "0")}, ""},
		{"a bag that is free and paid", "Fly.", nil, []string{book(own, "160", "1", "1")}, "paid-free-bag"},
		{"a bag that is not free and not paid", "Fly.", nil, []string{book(own, "110", "3", "0")}, "unpaid-bag"},
		{"the third bag is paid", "Fly.", nil, []string{book(own, "160", "3", "1")}, ""},
		{"a total that is not the price", "Fly.", nil, []string{book(own, "111", "0", "0")}, "wrong-total"},
		{"a bag taken away", "No bags.", nil, []string{`update_reservation_baggages {"reservation_id":"RES001","total_baggages":0,"nonfree_baggages":0,"payment_id":"credit_card_11"}`}, "removed-bag"},
		{"another airport", "Go to BBB, paid by card.", nil, []string{flights("economy", `{"flight_number":"MINI02","date":"2024-05-20"}`)}, "other-route"},
		{"another day", "A day later, paid by card.", nil, []string{flights("economy", `{"flight_number":"MINI01","date":"2024-05-21"}`)}, ""},
		{"another day, and nobody says how it is paid", "A day later.", nil, []string{flights("economy", `{"flight_number":"MINI01","date":"2024-05-21"}`)}, "free-parameter"},
		{"a certificate and a change of that user's", "The flight was delayed. Pay by card.", nil,
			[]string{flights("economy", `{"flight_number":"MINI01","date":"2024-05-21"}`), `send_certificate {"user_id":"ada_ruiz_1001","amount":50}`}, ""},
		{"an item for itself", "Another kettle, by gift card.", nil, []string{items("exchange_delivered_order_items", "#M101", "k-red", "k-red", "gift_card_32")}, "same-item"},
		{"an item that is unavailable", "A gold kettle, by gift card.", nil, []string{items("exchange_delivered_order_items", "#M101", "k-red", "k-gold", "gift_card_32")}, "unavailable-item"},
		{"the cheapest of another product", "The cheapest lamp, by PayPal.", nil, []string{items("modify_pending_order_items", "#M100", "k-red", "k-blue", "paypal_31")}, ""},
		{"the cheapest is what is taken, of another product", "The cheapest kettle, by gift card.", nil, []string{items("exchange_delivered_order_items", "#M101", "l-tall", "l-low", "gift_card_32")}, ""},
		{"a write after the items", "By gift card.", nil, []string{items("modify_pending_order_items", "#M100", "l-tall", "l-low", "gift_card_32"),
			`modify_pending_order_address {"order_id":"#M100","address1":"x","address2":"","city":"x","state":"x","country":"x","zip":"1"}`}, "fixed-order write-after-modification"},
		{"the address before the items", "By gift card.", nil, []string{`modify_pending_order_address {"order_id":"#M100","address1":"x","address2":"","city":"x","state":"x","country":"x","zip":"1"}`,
			items("modify_pending_order_items", "#M100", "l-tall", "l-low", "gift_card_32")}, ""},
		{"one number", "", nil, []string{`get_order_details {"order_id":"#M100"}`, `calculate {"expression":"(12.5)"}`}, "stray-calculation"},
		{"a sum for nothing", "", nil, []string{`get_order_details {"order_id":"#M100"}`, `calculate {"expression":"12.5 + 1"}`}, "stray-calculation"},
		{"a sum that is said", "", []string{"13.50"}, []string{`get_order_details {"order_id":"#M100"}`, `calculate {"expression":"12.5 + 1"}`}, ""},
		{"a lookup of what the user says", "Your order is M999.", nil, []string{`get_order_details {"order_id":"#M999"}`}, "refused?"},
		{"a lookup of what nobody says", "", nil, []string{`get_order_details {"order_id":"#M999"}`}, "refused"},
		{"a write that changes nothing", "", nil, []string{`modify_user_address {"user_id":"cleo_adeyemi_2001","address1":"12 Orchard Way","address2":"","city":"Leeds","country":"UK","state":"WY","zip":"11111"}`}, "no-effect"},
		{"a write before a hand-off", "By mistake.", nil, []string{`cancel_pending_order {"order_id":"#M100","reason":"ordered by mistake"}`, `transfer_to_human_agents {"summary":"x"}`}, "write-before-hand-off"},
		{"the other reason", "You no longer need it.", nil, []string{`cancel_pending_order {"order_id":"#M100","reason":"ordered by mistake"}`}, "not-as-instructed"},
		{"the only card that the user names", "A low lamp, paid with your card ending in 4411.", nil, []string{`update_reservation_baggages {"reservation_id":"RES001","total_baggages":4,"nonfree_baggages":2,"payment_id":"gift_card_12"}`}, "not-as-instructed"},
		{"the only way to pay that the user names", "A low lamp, paid by PayPal.", nil, []string{items("modify_pending_order_items", "#M100", "l-tall", "l-low", "gift_card_32")}, "not-as-instructed"},
		{"one of two that the user names", "A low lamp, paid by your GC, or by PayPal.", nil, []string{items("modify_pending_order_items", "#M100", "l-tall", "l-low", "gift_card_32")}, ""},
		{"two reasons for two orders", "You ordered one by mistake, and cancel the other.", nil, []string{`cancel_pending_order {"order_id":"#M100","reason":"ordered by mistake"}`, `cancel_pending_order {"order_id":"#M102","reason":"no longer needed"}`}, "fixed-order"},
		{"an order that was not read", "By mistake.", nil, []string{`get_order_details {"order_id":"#M102"}`, `cancel_pending_order {"order_id":"#M100","reason":"ordered by mistake"}`}, "unread-entity"},
		{"no gold", "Do nothing.", nil, nil, ""},
	} {
		r := &abi.AuditRequest{Instruction: c.wish, Outputs: c.outputs}
		domain := env.Airline
		for _, a := range c.actions {
			name, args, _ := strings.Cut(a, " ")
			r.Actions = append(r.Actions, abi.Action{Name: name, Arguments: json.RawMessage(args)})
			if strings.Contains(args, "order_id") || strings.Contains(args, "cleo") {
				domain = env.Retail
			}
		}
		flags, err := Audit(w.Database(domain, env.Tau2), env.Tau2, r)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range flags {
			if f.Confidence < .5 {
				f.Kind += "?"
			}
			got = append(got, f.Kind)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %q; %+v", c.what, got, c.want, flags)
		}
		if err := (&abi.Audit{Flags: flags}).Within(r); err != nil {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}

// TestCabinChanged checks that a change of cabin affects later actions in both dialects.
// τ-bench does not store such a change.
func TestCabinChanged(t *testing.T) {
	w := openMini(t)
	r := &abi.AuditRequest{Instruction: "Change to business by card, then cancel.", Actions: []abi.Action{
		{Name: "update_reservation_flights", Arguments: json.RawMessage(`{"reservation_id":"RES001","cabin":"business","flights":[{"flight_number":"MINI01","date":"2024-05-20"}],"payment_id":"credit_card_11"}`)},
		{Name: "cancel_reservation", Arguments: json.RawMessage(`{"reservation_id":"RES001"}`)},
	}}
	for _, dialect := range []env.Dialect{env.Tau, env.Tau2} {
		if flags, err := Audit(w.Database(env.Airline, dialect), dialect, r); err != nil || len(flags) > 0 {
			t.Errorf("dialect %d: %v %+v", dialect, err, flags)
		}
	}
}

// TestStrangeArguments checks that no arguments make a rule fail, and that each flag
// names an action of the list.
func TestStrangeArguments(t *testing.T) {
	w := openMini(t)
	names := []string{"user_id", "reservation_id", "order_id", "product_id", "item_ids", "new_item_ids", "payment_method_id", "payment_id", "payment_methods", "flights", "passengers",
		"cabin", "total_baggages", "nonfree_baggages", "reason", "expression", "origin", "destination", "flight_type", "insurance", "amount", "summary"}
	values := []string{`null`, `7`, `-1e300`, `"x"`, `""`, `[]`, `{}`, `[null]`, `[{}]`, `[[1]]`, `true`, `"#M100"`, `"RES001"`, `"ada_ruiz_1001"`, `["k-red"]`, `[{"dob": 7, "first_name": "Ada"}]`, `"(1"`, `"1/0"`}
	for domain, dialects := range map[env.Domain][]env.Dialect{env.Airline: {env.Tau, env.Tau2}, env.Retail: {env.Tau, env.Tau2}} {
		for _, dialect := range dialects {
			for k, tool := range env.Tools(dialect, domain) {
				for i := range values {
					r := &abi.AuditRequest{Instruction: "the cheapest kettle, the smallest balance of a gift card"}
					for j := range 3 {
						members := map[string]json.RawMessage{}
						for n, name := range names {
							if (n+j+k)%3 > 0 {
								members[name] = json.RawMessage(values[(i+j*n+k)%len(values)])
							}
						}
						text, err := json.Marshal(members)
						if err != nil {
							t.Fatal(err)
						}
						r.Actions = append(r.Actions, abi.Action{Name: tool, Arguments: text})
					}
					flags, err := Audit(w.Database(domain, dialect), dialect, r)
					if err != nil {
						t.Fatalf("%s: %v", tool, err)
					}
					if err := (&abi.Audit{Flags: flags}).Within(r); err != nil {
						t.Errorf("%s: %v", tool, err)
					}
				}
			}
		}
	}
}

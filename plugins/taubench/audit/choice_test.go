package audit

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/taubench/env"
)

// choices is a small database for each domain, with alternatives to choose from.
var choices = []env.File{
	{Name: "retail/products.json", Data: `{"p": {"name": "Phone case", "product_id": "p", "variants": {
		"c-1": {"item_id": "c-1", "options": {"colour": "red", "fit": "slim"}, "available": true, "price": 9},
		"c-2": {"item_id": "c-2", "options": {"colour": "blue", "fit": "slim"}, "available": true, "price": 9},
		"c-3": {"item_id": "c-3", "options": {"colour": "green", "fit": "slim"}, "available": true, "price": 9},
		"c-4": {"item_id": "c-4", "options": {"colour": "black", "fit": "slim"}, "available": false, "price": 9},
		"c-5": {"item_id": "c-5", "options": {"colour": "blue", "fit": "wide"}, "available": true, "price": 9}}}}`},
	{Name: "retail/orders.json", Data: `{"#W100001": {"order_id": "#W100001", "user_id": "kim_bo_7", "address": {"address1": "1 Row", "address2": "", "city": "Leeds", "country": "UK", "state": "WY", "zip": "11111"}, "items": [{"name": "Phone case", "product_id": "p", "item_id": "c-1", "price": 9, "options": {"colour": "red", "fit": "slim"}}],
		"fulfillments": [], "status": "pending", "payment_history": [{"transaction_type": "payment", "amount": 9, "payment_method_id": "paypal_1"}]},
		"#W100002": {"order_id": "#W100002", "user_id": "kim_bo_7", "address": {"address1": "1 Row", "address2": "", "city": "Leeds", "country": "UK", "state": "WY", "zip": "11111"}, "items": [], "fulfillments": [], "status": "delivered", "payment_history": []}}`},
	{Name: "retail/users.json", Data: `{"kim_bo_7": {"name": {"first_name": "Kim", "last_name": "Bo"}, "address": {"address1": "1 Row", "address2": "", "city": "Leeds", "country": "UK", "state": "WY", "zip": "11111"}, "email": "k@x.example", "payment_methods": {"paypal_1": {"source": "paypal", "id": "paypal_1"}}, "orders": ["#W100001", "#W100002"]}}`},
	{Name: "airline/flights.json", Data: `{"X1": {"flight_number": "X1", "origin": "AAA", "destination": "CCC", "scheduled_departure_time_est": "08:00:00", "scheduled_arrival_time_est": "10:00:00", "dates": {"2024-05-20": {"status": "available", "available_seats": {"basic_economy": 9, "economy": 9, "business": 9}, "prices": {"basic_economy": 60, "economy": 110, "business": 400}}}},
		"X2": {"flight_number": "X2", "origin": "AAA", "destination": "CCC", "scheduled_departure_time_est": "09:00:00", "scheduled_arrival_time_est": "11:00:00", "dates": {"2024-05-20": {"status": "available", "available_seats": {"basic_economy": 9, "economy": 1, "business": 0}, "prices": {"basic_economy": 60, "economy": 90, "business": 300}}}}}`},
	{Name: "airline/reservations.json", Data: `{"BUSI01": {"reservation_id": "BUSI01", "user_id": "ana_li_1", "origin": "AAA", "destination": "CCC", "flight_type": "one_way", "cabin": "business", "flights": [{"origin": "AAA", "destination": "CCC", "flight_number": "X1", "date": "2024-05-20", "price": 400}],
		"passengers": [{"first_name": "Ana", "last_name": "Li", "dob": "1990-01-01"}], "payment_history": [{"payment_id": "credit_card_1", "amount": 400}], "created_at": "2024-05-01T08:00:00", "total_baggages": 0, "nonfree_baggages": 0, "insurance": "no"},
		"ECON01": {"reservation_id": "ECON01", "user_id": "ana_li_1", "origin": "AAA", "destination": "CCC", "flight_type": "one_way", "cabin": "economy", "flights": [{"origin": "AAA", "destination": "CCC", "flight_number": "X1", "date": "2024-05-20", "price": 110}],
		"passengers": [{"first_name": "Ana", "last_name": "Li", "dob": "1990-01-01"}], "payment_history": [{"payment_id": "credit_card_1", "amount": 110}], "created_at": "2024-05-01T08:00:00", "total_baggages": 0, "nonfree_baggages": 0, "insurance": "yes"}}`},
	{Name: "airline/users.json", Data: `{"ana_li_1": {"name": {"first_name": "Ana", "last_name": "Li"}, "address": {"address1": "1 Row", "address2": "", "city": "Leeds", "country": "UK", "state": "WY", "zip": "11111"}, "email": "a@x.example", "dob": "1990-01-01", "payment_methods": {"credit_card_1": {"source": "credit_card", "brand": "visa", "last_four": "1111", "id": "credit_card_1"}},
		"saved_passengers": [], "membership": "regular", "reservations": ["BUSI01", "ECON01"]}}`},
}

// TestChoices checks the rules on variants, flights, missing actions and needless
// searches. For each rule, it also checks a similar case that must not be flagged.
func TestChoices(t *testing.T) {
	w, err := env.Open(choices)
	if err != nil {
		t.Fatal(err)
	}
	const me = "You are ana_li_1. "
	change := func(to string) string {
		return `modify_pending_order_items {"order_id":"#W100001","item_ids":["c-1"],"new_item_ids":["` + to + `"],"payment_method_id":"paypal_1"}`
	}
	book := func(flight, amount, people string) string {
		return `book_reservation {"user_id":"ana_li_1","origin":"AAA","destination":"CCC","flight_type":"one_way","cabin":"economy","flights":[{"flight_number":"` + flight + `","date":"2024-05-20"}],"passengers":[` + people +
			`],"payment_methods":[{"payment_id":"credit_card_1","amount":` + amount + `}],"total_baggages":0,"nonfree_baggages":0,"insurance":"no"}`
	}
	const ana = `{"first_name":"Ana","last_name":"Li","dob":"1990-01-01"}`
	for _, c := range []struct {
		what, wish string
		actions    []string
		want       string // kinds of the flags, and the proposal of the first flag
		proposes   []string
	}{
		{"two variants as near", "Change your case for another one, by PayPal.", []string{change("c-2")}, "free-parameter", []string{"c-2", "c-3"}},
		{"a nearer variant", "Change your case for another one, by PayPal.", []string{change("c-5")}, "free-parameter", []string{"c-5", "c-2", "c-3"}},
		{"the option is named by its value", "Change your case for a blue one, by PayPal.", []string{change("c-2")}, "", nil},
		{"the option is named by its name", "Change the colour of your case, by PayPal.", []string{change("c-2")}, "", nil},
		{"the item is named", "Change your case for item c-2, by PayPal.", []string{change("c-2")}, "", nil},
		{"price decides", "Change your case for the least expensive other one, by PayPal.", []string{change("c-2")}, "", nil},
		{"a dearer flight", me + "You want the cheapest flight, by card.", []string{book("X1", "110", ana)}, "not-as-instructed", nil},
		{"the cheapest flight", me + "You want the cheapest flight, by card.", []string{book("X2", "90", ana)}, "", nil},
		{"the cheapest that has room", me + "You want the cheapest flight for you and Bo Li, by card.", []string{book("X1", "220", ana+`,{"first_name":"Bo","last_name":"Li","dob":"1999-01-01"}`)}, "", nil},
		{"a condition beside the price", me + "You want the cheapest flight that leaves before 9, by card.", []string{book("X1", "110", ana)}, "", nil},
		{"any flight", me + "You want to fly, by card.", []string{book("X1", "110", ana)}, "", nil},
		{"what may be cancelled is not", me + "You want to cancel BUSI01.", []string{`get_reservation_details {"reservation_id":"BUSI01"}`}, "empty-gold", []string{`"BUSI01"`}},
		{"what may not be cancelled is not", me + "You want to cancel ECON01.", []string{`get_reservation_details {"reservation_id":"ECON01"}`}, "", nil},
		{"an insured trip and an illness", me + "You are sick and want to cancel ECON01.", []string{`get_reservation_details {"reservation_id":"ECON01"}`}, "empty-gold", []string{`"ECON01"`}},
		{"what the user keeps", me + "You do not want to cancel BUSI01.", []string{`get_reservation_details {"reservation_id":"BUSI01"}`}, "", nil},
		{"what nobody names", me + "You want to cancel your flight.", []string{`get_user_details {"user_id":"ana_li_1"}`}, "", nil},
		{"an order that is pending is not cancelled", "You no longer need order W100001 and want to cancel order W100001.", []string{`get_order_details {"order_id":"#W100001"}`}, "empty-gold", []string{`"#W100001"`}},
		{"one that is delivered", "You no longer need it and want to cancel order W100002.", []string{`get_order_details {"order_id":"#W100002"}`}, "", nil},
		{"a search for nothing", me + "Cancel BUSI01.", []string{`search_direct_flight {"origin":"AAA","destination":"CCC","date":"2024-05-20"}`, `cancel_reservation {"reservation_id":"BUSI01"}`}, "needless-read", nil},
		{"a search for a price", me + "Cancel BUSI01 if a new flight costs less.", []string{`search_direct_flight {"origin":"AAA","destination":"CCC","date":"2024-05-20"}`, `cancel_reservation {"reservation_id":"BUSI01"}`}, "", nil},
		{"a search for what is booked", me + "Fly, by card.", []string{`search_direct_flight {"origin":"AAA","destination":"CCC","date":"2024-05-20"}`, book("X1", "110", ana)}, "", nil},
		{"a list for what is changed", "Change your case for a blue one, by PayPal.", []string{`list_all_product_types {}`, `get_product_details {"product_id":"p"}`, change("c-2")}, "", nil},
	} {
		r := &abi.AuditRequest{Instruction: c.wish}
		domain := env.Airline
		for _, a := range c.actions {
			name, args, _ := strings.Cut(a, " ")
			r.Actions = append(r.Actions, abi.Action{Name: name, Arguments: json.RawMessage(args)})
			if strings.Contains(args, "order_id") {
				domain = env.Retail
			}
		}
		flags, err := Audit(w.Database(domain, env.Tau2), env.Tau2, r)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range flags {
			got = append(got, f.Kind)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %q; %+v", c.what, got, c.want, flags)
			continue
		}
		if c.proposes == nil {
			continue
		}
		if len(flags[0].Proposed) != len(c.proposes) {
			t.Errorf("%s: %d lists are proposed, want %d", c.what, len(flags[0].Proposed), len(c.proposes))
			continue
		}
		for i, want := range c.proposes {
			last := flags[0].Proposed[i][len(flags[0].Proposed[i])-1]
			if !strings.Contains(string(last.Arguments), want) {
				t.Errorf("%s: list %d proposes %s, want %s", c.what, i, last.Arguments, want)
			}
		}
		if err := (&abi.Audit{Flags: flags}).Within(r); err != nil {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}

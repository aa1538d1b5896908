package story_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/internal/recordings"
)

// TestSentences checks the sentences of each kind of story.
func TestSentences(t *testing.T) {
	const read = `{"name":"get_order","arguments":{"order_id":"#W7"}}`
	const cancel = `{"name":"cancel_order","arguments":{"order_id":"#W7","reason":"no longer needed"}}`
	const flights = `{"reservation_id":"M05KNL","flights":[{"flight_number":"HAT110","date":"2024-05-24","price":105}]}`
	call := func(id, name, arguments, answer string) string { // a call with its result, as two messages
		return `{"role":"assistant","tool_calls":[{"id":"` + id + `","function":{"name":"` + name + `","arguments":` + strconv.Quote(arguments) + `}}]},{"role":"tool","tool_call_id":"` + id + `","content":"` + answer + `"}`
	}
	for _, x := range []struct{ what, trace, reference, want string }{
		{"wrong arguments", `[` + read + `,{"name":"book","arguments":{"user_id":"mia","nonfree_baggages":1,"payment_methods":[{"id":"card_1","amount":250},{"id":"card_2","amount":55}]}}]`,
			`[{"name":"book","arguments":{"user_id":"mia","nonfree_baggages":0,"payment_methods":[{"id":"card_1","amount":250},{"id":"card_2","amount":5}]}}]`, `
At step 2 the agent called book for user mia with nonfree baggages 1 and payment method 2 amount 55.
The reference has nonfree baggages 0 and payment method 2 amount 5.`},
		{"one wrong argument", `[{"name":"cancel_order","arguments":{"order_id":"#W7","reason":"ordered by mistake"}}]`, `[` + cancel + `]`, `
At step 1 the agent called cancel_order for order #W7 with reason “ordered by mistake”.
The reference has “no longer needed”.`},
		{"an argument too few", `[{"name":"cancel_order","arguments":{"order_id":"#W7"}}]`, `[` + cancel + `]`, `
At step 1 the agent called cancel_order for order #W7 without reason.
The reference has reason “no longer needed”.`},
		{"an extra change", `[` + read + `,` + cancel + `]`, `[` + read + `]`, `
At step 2 the agent called cancel_order for order #W7 with reason “no longer needed”.
The reference does not have this call.`},
		{"done three times", `[` + cancel + `,` + cancel + `,` + cancel + `]`, `[` + cancel + `]`, `
At steps 2 and 3 the agent called cancel_order for order #W7 with reason “no longer needed”.
The agent did this 3 times, and the reference has it once.`},
		{"another change", `[` + cancel + `]`, `[{"name":"modify_order","arguments":{"order_id":"#W7","items":["a","b"]}}]`, `
At step 1 the agent called cancel_order for order #W7 with reason “no longer needed”.
The reference has modify_order for order #W7 with items (a, b) instead, which the agent did not carry out.`},
		{"handed over", `[` + read + `,{"name":"transfer_to_human_agents","arguments":{"summary":"s"}}]`, `[` + cancel + `,{"name":"cancel_order","arguments":{"order_id":"#W8"}}]`, `
The agent did not carry out 2 calls of the reference: cancel_order for order #W7 with reason “no longer needed”; and cancel_order for order #W8.
Instead, at step 2 it handed the user over to a person (transfer_to_human_agents).`},
		{"refused", `{"messages":[{"role":"user","content":"Cancel #W7. Thanks."},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"cancel_order","arguments":"{\"order_id\":\"#W7\",\"reason\":\"no longer needed\"}"}}]},{"role":"tool","tool_call_id":"1","content":"Error: the order is closed"}]}`, `[` + cancel + `]`, `
The agent did not carry out cancel_order for order #W7 with reason “no longer needed”, which the reference has.
It tried cancel_order for order #W7 at step 1, but was refused: “Error: the order is closed”
It changed nothing.
The user said (message 1): “Cancel #W7.”`},
		{"refused with other arguments", `{"messages":[{"role":"user","content":"Book it."},` + call("1", "book", `{"user_id":"mia","from":"JFK","to":"SEA","amount":171,"bags":0}`, "Error: the total is 247") + `]}`,
			`[{"name":"book","arguments":{"user_id":"mia","from":"JFK","to":"SEA","amount":247}}]`, `
The agent did not carry out book for user mia with from JFK, to SEA and amount 247, which the reference has.
It tried book for user mia at step 1 with amount 171 and bags 0 (the reference has amount 247 and no bags), but was refused: “Error: the total is 247”
It changed nothing.`},
		{"another change, and refused", `{"messages":[{"role":"user","content":"Return it."},` + call("1", "exchange_items", `{"order_id":"#W7","item_ids":["45"]}`, "ok") + `,` + call("2", "return_items", `{"order_id":"#W7","item_ids":["16"]}`, "Error: the order is not delivered") + `]}`,
			`[{"name":"return_items","arguments":{"order_id":"#W7","item_ids":["45","16"]}}]`, `
At step 1 the agent called exchange_items for order #W7 with item ids 45.
The reference has return_items for order #W7 with item ids (45, 16) instead, which the agent did not carry out.
It tried return_items for order #W7 at step 2 with item ids 16 (the reference has 45, 16), but was refused: “Error: the order is not delivered”`},
		{"done many times", `[` + cancel + strings.Repeat(`,`+cancel, 60) + `]`, `[` + cancel + `]`, `
At steps 2 to 61 the agent called cancel_order for order #W7 with reason “no longer needed”.
The agent did this 61 times, and the reference has it once.`},
		{"a step done in other words, many times", `{"messages":[{"role":"user","content":"Change it."},` + call("0", "find_flights", `{"day":1}`, `{\"flight_number\":\"HAT110\",\"price\":105}`) + `,` + call("1", "rebook_flights", flights, "ok") + `,` + call("2", "rebook_flights", flights, "ok") + `,` + call("3", "rebook_flights", flights, "ok") + `,` + call("4", "rebook_flights", flights, "ok") + `]}`,
			`[{"name":"rebook_flights","arguments":{"reservation_id":"M05KNL","flights":[{"flight_number":"HAT110","date":"2024-05-24"}]}}],"profile":"outcome"`, `
At steps 3 to 5 the agent called rebook_flights for reservation M05KNL with flights (flight number HAT110, date 2024-05-24, price 105).
The same call at step 2 did what the reference has.`},
		{"cut off while it repeats a call", `{"messages":[{"role":"user","content":"Cancel it."},` + strings.Repeat(call("1", "transfer_to_human_agents", `{"summary":"s"}`, "ok")+",", 6) + call("1", "transfer_to_human_agents", `{"summary":"s"}`, "ok") + `],"termination_reason":"max_steps"}`, `[` + read + `]`, `
The run was cut off before its end: max_steps.
Steps 1 to 7 are the same call: transfer_to_human_agents.`},
		{"three steps, one without a thing", `[` + read + `]`, `[{"name":"grant_permission","arguments":{"app_name":"messaging","permission":"sms"}},{"name":"refuel_data","arguments":{"line_id":"L1002","gb":2}},{"name":"enable_roaming","arguments":{"line_id":"L1002"}}]`, `
The agent did not carry out 3 calls of the reference: grant_permission with app name messaging and permission sms, refuel_data for line L1002 and enable_roaming for line L1002.
It changed nothing.`},
		{"a list over several lines", `[` + cancel + `]`, "[{\"name\":\"modify_order\",\"arguments\":{\"order_id\":\"#W7\",\"items\":[\n                          \"a\",\n                          \"b\"\n                         ]}}]", `
At step 1 the agent called cancel_order for order #W7 with reason “no longer needed”.
The reference has modify_order for order #W7 with items (a, b) instead, which the agent did not carry out.`},
		{"a long value", `[{"name":"send","arguments":{"ticket_id":"T1","text":"` + strings.Repeat("long ", 40) + `"}}]`, `[{"name":"send","arguments":{"ticket_id":"T1","text":"short"}}]`, `
At step 1 the agent called send for ticket T1 with text a text of 200 characters.
The reference has short.`},
		{"long values", `[{"name":"send","arguments":{"ticket_id":"T1","text":"` + strings.Repeat("long ", 40) + `55 of it` + strings.Repeat(" long", 40) + `"}}]`, `[{"name":"send","arguments":{"ticket_id":"T1","text":"` + strings.Repeat("long ", 40) + `5 of it` + strings.Repeat(" long", 40) + `"}}]`, `
At step 1 the agent called send for ticket T1 with text a text of 408 characters.
The reference has a text of 407 characters.
From character 202 on, text has “…ng long long long long 55 of it long long long long long long long long…” instead of “…ng long long long long 5 of it long long long long long long long long l…”.`},
		{"another flight for the same thing", `[{"name":"update_flight","arguments":{"reservation_id":"ABC123","flight":"HAT175"}},{"name":"update_flight","arguments":{"reservation_id":"ABC123","flight":"HAT266"}},{"name":"update_flight","arguments":{"reservation_id":"ABC123","flight":"HAT300"}}]`, `[{"name":"update_flight","arguments":{"reservation_id":"ABC123","flight":"HAT266"}}]`, `
At step 1 the agent called update_flight for reservation ABC123 with flight HAT175; at step 3, update_flight for reservation ABC123 with flight HAT300.
The reference has this call once, with flight HAT266. The agent made it 3 times.`},
		{"secrets", `[{"name":"log_in","arguments":{"site_id":"S1","api_key":"sk-proj-abcdefghijkl1234","password":"hunter2"}}]`, `[{"name":"log_in","arguments":{"site_id":"S1","api_key":"sk-proj-zzzzefghijkl1234","password":"correct"}}]`, `
At step 1 the agent called log_in with api key ******** and password ********.
The reference has api key ******** and password ********.`},
		{"null and the text null", `[{"name":"set_it","arguments":{"thing_id":"T1","a":1,"z":null}}]`, `[{"name":"set_it","arguments":{"thing_id":"T1","a":1,"z":"null"}}]`, `
At step 1 the agent called set_it for thing T1 with z null.
The reference has “null”.`},
		{"more arguments", `[{"name":"book_seat","arguments":{"seat_id":"S1","row":7,"price":1,"hall":"A","colour":"red","note":"x"}}]`, `[{"name":"book_seat","arguments":{"seat_id":"S1","row":8}}]`, `
At step 1 the agent called book_seat for seat S1 with row 7, and 4 arguments that the reference does not have.
The reference has 8.`},
		{"unsaid", `{"messages":[{"role":"user","content":"How much?"},{"role":"assistant","content":"Much."}]}`, `{"steps":[],"says":["55","5"]}`, `
The agent never told the user “55” and “5”.
The reference requires them.`},
		{"free text", `{"actions":[{"text":"take mug 1"},{"text":"cool mug 1"}]}`, `["take mug 1","heat mug 1"]`, `
At step 2 the agent did “cool mug 1”.
The reference does not have this call.`},
		{"without a reference", `{"messages":[{"role":"system","content":"Before you cancel an order you must obtain explicit user confirmation (yes) to proceed."},{"role":"user","content":"My order is #W7."},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"cancel_order","arguments":"{\"order_id\":\"#W7\"}"}}]},{"role":"tool","tool_call_id":"1","content":"ok"}]}`, ``, `
At step 1 the agent called cancel_order for order #W7.
Perhaps: cancel_order was not shown to the user for confirmation, although the instructions require a confirmation.
The instructions say (message 1): “Before you cancel an order you must obtain explicit user confirmation (yes) to proceed”`},
	} {
		data := x.trace
		if x.reference != "" {
			data = `{"trace":` + x.trace + `,"reference":` + x.reference + `}`
		}
		request, err := core.ReadRequest([]byte(data))
		if err != nil {
			t.Fatalf("%s: %v", x.what, err)
		}
		report, err := core.Evaluate(request)
		if err != nil {
			t.Fatalf("%s: %v", x.what, err)
		}
		got := ""
		for _, s := range report.Trajectories[0].Story[:min(1, len(report.Trajectories[0].Story))] {
			got = "\n" + strings.Join(s.Text, "\n")
		}
		if got != x.want {
			t.Errorf("%s:%s\nwant%s", x.what, got, x.want)
		}
	}
}

// TestMissingChangesAreKept checks that the missing changes are told although there are
// many wrong ones.
func TestMissingChangesAreKept(t *testing.T) {
	data := `{"trace":[{"name":"cancel_order","arguments":{"order_id":"A1"}},{"name":"send_mail","arguments":{"mail_id":"B1"}},{"name":"delete_file","arguments":{"file_id":"C1"}},{"name":"ban_guest","arguments":{"guest_id":"D1"}}],
		"reference":[{"name":"book_room","arguments":{"room_id":"E1"}}]}`
	request, err := core.ReadRequest([]byte(data))
	if err != nil {
		t.Fatal(err)
	}
	report, err := core.Evaluate(request)
	if err != nil {
		t.Fatal(err)
	}
	told := report.Trajectories[0].Story
	if len(told) != 3 || told[0].Kind != "extra" || told[2].Kind != "missing" {
		t.Errorf("%+v", told)
	}
}

// TestManyFindings checks that the stories of a run with many findings are told soon, name
// findings that exist, and are about changes first.
func TestManyFindings(t *testing.T) {
	const calls = 2000
	var trace, ref []string
	for i := range calls {
		trace = append(trace, fmt.Sprintf(`{"name":"get_page","arguments":{"page_id":"P-%d-x"}}`, i), fmt.Sprintf(`{"name":"delete_file","arguments":{"file_id":"F-%d-x"}}`, i))
		ref = append(ref, fmt.Sprintf(`{"name":"book_room","arguments":{"room_id":"R-%d-x"}}`, i))
	}
	request, err := core.ReadRequest([]byte(`{"trace":[` + strings.Join(trace, ",") + `],"reference":[` + strings.Join(ref, ",") + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	report, err := core.Evaluate(request)
	if err != nil {
		t.Fatal(err)
	}
	run := &report.Trajectories[0]
	for i, s := range run.Story {
		for n, f := range s.Findings {
			if f < 0 || f >= len(run.Violations) || n > 0 && f <= s.Findings[n-1] {
				t.Errorf("story %d has finding %d of %d, in %v", i, f, len(run.Violations), s.Findings)
			}
		}
		for _, c := range s.Did {
			if c.Name == "get_page" {
				t.Error("a read is told, and there are changes")
			}
		}
	}
	if len(run.Story) == 0 {
		t.Error("no story")
	}
}

// TestStoriesOfRecordings checks the stories of recorded runs part by part.
func TestStoriesOfRecordings(t *testing.T) {
	told := 0
	for _, file := range []string{"tau-bench/gpt-4o-airline.json", "tau-bench/gpt-4o-retail.json"} {
		var runs []json.RawMessage
		if err := json.Unmarshal(recordings.Read(t, file), &runs); err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(runs); i += 5 {
			for _, n := range checkStories(t, []byte("["+string(runs[i])+"]"), fmt.Sprint(file, " ", i)) {
				told += n
			}
		}
	}
	for _, file := range []string{"tau2/langchain_agent_airline_gpt-oss-120b.json", "tau2/whissle_airline_run1.json", "tau2/azure-airline-full.json"} {
		for _, n := range checkStories(t, recordings.Read(t, file), file) {
			told += n
		}
	}
	if told < 200 {
		t.Errorf("only %d parts of stories were checked", told)
	}
}

// TestChecksOfOneChange checks that the missing checks of one change are one story, and those of
// another change another.
func TestChecksOfOneChange(t *testing.T) {
	const trace = `{"trajectories":[{"actions":[{"name":"return_items","arguments":{"order_id":"W-1"}},{"name":"close_ticket","arguments":{"ticket_id":"T-9"}}],
		"reference":[{"name":"confirm_identity","arguments":{"order_id":"W-1"}},{"name":"verify_eligibility","arguments":{"order_id":"W-1"}},{"name":"return_items","arguments":{"order_id":"W-1"}},{"name":"check_ticket","arguments":{"ticket_id":"T-9"}},{"name":"close_ticket","arguments":{"ticket_id":"T-9"}}]}]}`
	request, err := core.ReadRequest([]byte(`{"profile":"sop","trace":` + trace + `}`))
	if err != nil {
		t.Fatal(err)
	}
	r, err := core.Evaluate(request)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range r.Trajectories[0].Story {
		got = append(got, fmt.Sprint(len(s.Findings), " ", s.Text[len(s.Text)-1]))
	}
	if want := []string{"2 return_items was done without them before it.", "1 close_ticket was done without check_ticket before it."}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

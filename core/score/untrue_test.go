package score

import (
	"strings"
	"testing"
)

// untrueCase is a run that a stranger judged, with what the report must and must not say.
// Each line of the report is the verdict of a row or the type of a finding, and its reason.
type untrueCase struct {
	name, trace, reference, profile string
	says, silent                    string // one line for each part; "" for nothing
}

// saidOf returns the rows of a run that are not correct, and its findings, one on each line.
func saidOf(t *testing.T, trace, reference, profile string) string {
	t.Helper()
	run := evaluateTrace(t, trace, reference, profile).Trajectories[0]
	var out []string
	for _, row := range run.Alignment {
		if row.Verdict != "correct" {
			out = append(out, string(row.Verdict)+": "+row.Reason)
		}
	}
	for i := range run.Violations {
		v := &run.Violations[i]
		level := "finding "
		if v.Confidence < 0.7 {
			level = "hint "
		}
		out = append(out, level+string(v.Type)+": "+v.Reason)
	}
	return strings.Join(out, "\n")
}

func checkSaid(t *testing.T, cases []untrueCase) {
	t.Helper()
	for _, c := range cases {
		profiles := []string{c.profile}
		if c.profile == "" {
			profiles = []string{"outcome", "sop"}
		}
		for _, profile := range profiles {
			said := saidOf(t, c.trace, c.reference, profile)
			for part := range strings.Lines(c.says) {
				if part = strings.TrimSpace(part); part == "nothing" && said != "" || part != "nothing" && !strings.Contains(said, part) {
					t.Errorf("%s (%s): no %q in\n%s", c.name, profile, part, said)
				}
			}
			for part := range strings.Lines(c.silent) {
				if part = strings.TrimSpace(part); strings.Contains(said, part) {
					t.Errorf("%s (%s): %q in\n%s", c.name, profile, part, said)
				}
			}
		}
	}
}

// ran returns a trace of calls without results of interest. Each call is the name and the
// arguments in JSON.
func ran(calls ...string) string {
	for i, c := range calls {
		name, arguments, _ := strings.Cut(c, " ")
		calls[i] = `{"name":"` + name + `","arguments":` + arguments + `,"result":"ok"}`
	}
	return "[" + strings.Join(calls, ",") + "]"
}

// asked returns a reference of calls.
func asked(calls ...string) string {
	for i, c := range calls {
		name, arguments, _ := strings.Cut(c, " ")
		calls[i] = `{"name":"` + name + `","arguments":` + arguments + `}`
	}
	return "[" + strings.Join(calls, ",") + "]"
}

// TestNumbersInSentences checks that sentences show numeric ids as people write them.
func TestNumbersInSentences(t *testing.T) {
	checkSaid(t, []untrueCase{
		{"order", ran(`close_account {"account_id":1001}`, `transfer {"account_id":1001,"amount":5}`), asked(`transfer {"account_id":1001,"amount":5}`, `close_account {"account_id":1001}`), "outcome",
			"of the same account 1001.", "1001e0"},
		{"note", ran(`set_tag {"post_id":5,"tag":"b"}`, `set_tag {"post_id":5,"tag":"a"}`), asked(`set_tag {"post_id":5,"tag":"a"}`, `set_tag {"post_id":5,"tag":"b"}`), "outcome",
			"both are about 5;", "5e0"},
		{"parts", ran(`delete_items {"item_ids":[1]}`, `delete_items {"item_ids":[2]}`), asked(`delete_items {"item_ids":[1,2,3]}`), "outcome",
			"3", "3e0"},
	})
}

// TestWhatContentIs checks that no sentence says that two contents differ only at their end if
// they differ elsewhere, and that none calls a content the thing that was acted on.
func TestWhatContentIs(t *testing.T) {
	checkSaid(t, []untrueCase{
		{"order of keys", ran(`write_file {"path":"a.yaml","content":"a: 1\nb: 2\n"}`), asked(`write_file {"path":"a.yaml","content":"b: 2\n# so\na: 1\n"}`), "",
			"content is the same content in another notation of its language", "newline"},
		{"newline", ran(`write_file {"path":"a.yaml","content":"a: 1\n"}`), asked(`write_file {"path":"a.yaml","content":"a: 1"}`), "",
			"content is the same content, apart from the newline at its end", ""},
		{"setting", ran(`write_file {"path":".env","content":"PORT=2"}`), asked(`write_file {"path":".env","content":"PORT=1"}`), "",
			`end-boundary: write_file was called with other arguments: content is "PORT=2" instead of "PORT=1"`, "over-action"},
	})
}

// TestWhatWasCleared checks what is said about null, an empty list and no argument.
func TestWhatWasCleared(t *testing.T) {
	checkSaid(t, []untrueCase{
		{"null", ran(`create_item {"id":"I-1","tags":[]}`), asked(`create_item {"id":"I-1","tags":null}`), "", "tags is empty in one call, and null or absent in the other", ""},
		{"update", ran(`update_item {"id":"I-1","tags":[]}`), asked(`update_item {"id":"I-1","tags":null}`), "", "hint", "absent"},
	})
}

// TestEachAttemptIsNamed checks that all attempts at a step are named, in the row, too.
func TestEachAttemptIsNamed(t *testing.T) {
	refused := `[{"name":"book_room","arguments":{"room":"a"},"result":"Error: no card"},{"name":"book_room","arguments":{"room":"a"},"result":"Error: card expired"}]`
	checkSaid(t, []untrueCase{
		{"twice", refused, asked(`book_room {"room":"a"}`), "", "finding under-action: the required step book_room was tried as actions 1, 2, but each failed: Error: card expired\nviolation: the required step book_room was tried", "is missing"},
	})
}

// TestLessOfAListIsLess checks that a tag, a label or an object that a call leaves out is named with
// its own place, and is never called a limit that is missing.
func TestLessOfAListIsLess(t *testing.T) {
	order := `"order_id":"W-1","items":[{"id":"a","qty":1},{"id":"b","qty":2}]`
	flights := `"reservation_id":"R1","flights":[{"flight_number":"HAT1","date":"2024-05-01"},{"flight_number":"HAT2","date":"2024-05-02"}]`
	checkSaid(t, []untrueCase{
		{"tags", ran(`add_tags {"item_id":"I-1","tags":["red"]}`), asked(`add_tags {"item_id":"I-1","tags":["red","blue"]}`), "",
			`finding under-action: add_tags acted on less than the reference: tags[1] = "blue" is missing`, "limit"},
		{"no labels", ran(`create_issue {"title":"Bug"}`), asked(`create_issue {"title":"Bug","labels":["ui"]}`), "",
			`finding under-action: create_issue does not have all arguments of the reference: labels[0] = "ui" is missing`, "limit"},
		{"empty tags", ran(`update_user {"id":"U"}`), asked(`update_user {"id":"U","tags":[]}`), "", "finding under-action", "limit"},
		{"filter", ran(`delete_reviews {"product_id":"P-1"}`), asked(`delete_reviews {"product_id":"P-1","status":"spam"}`), "", "finding over-action", ""},
		{"item", ran(`update_order {"order_id":"W-1","items":[{"id":"b","qty":2}]}`), asked(`update_order {` + order + `}`), "",
			`finding under-action: update_order left out "a"`, "instead"},
		{"item in front", ran(`update_order {` + order + `}`), asked(`update_order {"order_id":"W-1","items":[{"id":"b","qty":2}]}`), "",
			`finding over-action: update_order acted on "a", but the reference does not`, "instead"},
		{"flight", ran(`update_flights {"reservation_id":"R1","flights":[{"flight_number":"HAT2","date":"2024-05-02"}]}`), asked(`update_flights {` + flights + `}`), "",
			`finding under-action: update_flights left out "HAT1"`, "instead"},
		{"passenger", ran(`book {"passengers":[{"first_name":"Bob"}]}`), asked(`book {"passengers":[{"first_name":"Ann"},{"first_name":"Bob"}]}`), "",
			`passengers[0].first_name = "Ann" is missing`, "instead"},
		{"other order and quantity", ran(`update_order {"order_id":"W-1","items":[{"id":"b","qty":3},{"id":"a","qty":1}]}`), asked(`update_order {` + order + `}`), "",
			`items[1].qty is 3 instead of 2`, "items[0]"},
	})
}

// swapped returns the run of two calls in the order opposite to the reference's.
func swapped(first, second string) (trace, reference string) {
	return ran(second, first), asked(first, second)
}

// TestOrderByCommandsAndPaths checks that an order is seen which only a command, a statement, a folder
// or another notation of an id shows.
func TestOrderByCommandsAndPaths(t *testing.T) {
	shell := func(s string) string { return `bash {"command":"` + s + `"}` }
	sql := func(s string) string { return `execute_sql {"query":"` + s + `"}` }
	check := func(says, first, second string) {
		t.Helper()
		trace, reference := swapped(first, second)
		c := untrueCase{first + " ; " + second, trace, reference, "outcome", says, ""}
		if says == "" {
			c.silent = "start-boundary"
		}
		checkSaid(t, []untrueCase{c})
	}
	for _, c := range [][3]string{
		{`of the same name "data"`, shell("cp -r data backup"), shell("rm -rf data")},
		{`of the same git repository "."`, shell("git commit -m x"), shell("git push")},
		{`of the same name "prod"`, shell("pg_dump prod > prod.sql"), shell("dropdb prod")},
		{`of the same table "a"`, sql("INSERT INTO b SELECT * FROM a"), sql("DROP TABLE a")},
		{`of the same table "orders"`, sql("CREATE TABLE bak AS SELECT * FROM orders"), sql("DELETE FROM orders")},
		{`of the same table "orders"`, `export_table {"table":"orders"}`, sql("DROP TABLE orders")},
		{`of the same path "/a"`, `copy_file {"source":"/a/x.txt","destination":"/b/x.txt"}`, `delete_folder {"path":"/a"}`},
		{`of the same path "data.db"`, `backup_file {"path":"./data.db"}`, `delete_file {"path":"data.db"}`},
		{`of the same order "W1"`, `pay_order {"order_id":"#W1"}`, `cancel_order {"order_id":"W1"}`},
		{`of the same account "A"`, `transfer_funds {"from_account":"A","to_account":"B","amount":5}`, `close_account {"account":"A"}`},
	} {
		check("finding start-boundary\n"+c[0], c[1], c[2])
	}
	for _, c := range [][2]string{
		{shell("cp -r data backup"), shell("rm -rf tmp")},
		{shell("rm a.txt"), shell("rm b.txt")},
		{shell("git add a"), shell("git push")},
		{sql("INSERT INTO a VALUES (1)"), sql("INSERT INTO a VALUES (2)")},
		{sql("UPDATE a SET x = 1 WHERE id = 1"), sql("DROP TABLE b")},
		{`copy_file {"source":"/a/x.txt","destination":"/b/x.txt"}`, `delete_file {"path":"/a/y.txt"}`},
	} {
		check("", c[0], c[1])
	}
}

// TestLastValueCounts checks two calls that set one field in the other order, and two that add
// something in the other order.
func TestLastValueCounts(t *testing.T) {
	for _, c := range [][3]string{
		{"finding", `set_status {"order_id":"W-1","status":"packed"}`, `set_status {"order_id":"W-1","status":"shipped"}`},
		{"finding", `set_price {"item_id":"I-1","price":5}`, `set_price {"item_id":"I-1","price":6}`},
		{"finding", `update_user {"user_id":"U-1","email":"a@x.de"}`, `update_user {"user_id":"U-1","email":"b@x.de"}`},
		{"finding", `write_file {"path":"a.txt","content":"one"}`, `write_file {"path":"a.txt","content":"two"}`},
		{"note", `append_to_file {"path":"a.txt","text":"one"}`, `append_to_file {"path":"a.txt","text":"two"}`},
		{"note", `send_message {"to":"kim","text":"part 1"}`, `send_message {"to":"kim","text":"part 2"}`},
	} {
		trace, reference := swapped(c[1], c[2])
		checkSaid(t, []untrueCase{{c[1], trace, reference, "outcome", c[0], ""}})
	}
}

// TestWhatANameMayBe checks that a number is no boolean, and that a name is no other notation of a
// boolean, an amount or a date, unless the argument says what it holds.
func TestWhatANameMayBe(t *testing.T) {
	for _, c := range [][3]string{
		{"amount", "1", "true"}, {"quantity", "1", "true"}, {"guests", "0", "false"}, {"port", `"1"`, "true"},
		{"last_name", `"On"`, `"True"`}, {"name", `"No"`, `"False"`}, {"title", `"$20"`, `"20 USD"`},
		{"name", `"Jan"`, `"January"`}, {"name", `"Mon"`, `"Monday"`}, {"name", `"12:00"`, `"noon"`},
	} {
		checkSaid(t, []untrueCase{{c[0] + c[1], ran(`create_thing {"id":"T-1","` + c[0] + `":` + c[1] + `}`), asked(`create_thing {"id":"T-1","` + c[0] + `":` + c[2] + `}`), "",
			"hint", "finding\nis the same"}})
	}
	for _, c := range [][3]string{{"is_gift", "1", "true"}, {"enabled", `"on"`, "true"}, {"country_name", `"Germany"`, `"DE"`}, {"weekday", `"Mon"`, `"Monday"`}} {
		checkSaid(t, []untrueCase{{c[0], ran(`create_thing {"id":"T-1","` + c[0] + `":` + c[1] + `}`), asked(`create_thing {"id":"T-1","` + c[0] + `":` + c[2] + `}`), "",
			"is the same", "finding\nhint"}})
	}
}

// TestQuestionIsNoStatement checks messages with the same words of which one asks what the other one
// says.
func TestQuestionIsNoStatement(t *testing.T) {
	for _, c := range [][3]string{
		{"finding", "Your order is late.", "Is your order late?"},
		{"finding", "It is possible to get a refund.", "Is it possible to get a refund?"},
		{"finding", "Did I miss the call", "I did miss the call"},
		{"same message", "Can you confirm the order", "Please can you confirm the order?"},
		{"same message", "Your order is late.", "Hello, your order is late!"},
	} {
		checkSaid(t, []untrueCase{{c[1], ran(`send_email {"to":"a","body":"` + c[1] + `"}`), asked(`send_email {"to":"a","body":"` + c[2] + `"}`), "", c[0], ""}})
	}
}

// TestTaskBesideTrial checks that the member task of a record is its task if the record says which
// trial of the task it is.
func TestTaskBesideTrial(t *testing.T) {
	run := evaluateTrace(t, `[{"id":"r0","task":"T","trial":0,"success":true,"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"","tool_calls":[{"id":"1","type":"function","function":{"name":"get_x","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":"ok"}]}]`, `["get_x()"]`, "outcome").Trajectories[0]
	if run.Task != "T" {
		t.Errorf("task %q", run.Task)
	}
}

// TestWhatAResultHad checks what is said of a value that must be as in an earlier result: what the
// result had, that it had none, or that there is none. The result of another call of the tool
// does not count if the call of the reference was done.
func TestWhatAResultHad(t *testing.T) {
	const ref = `[{"name":"get_order","arguments":{"order_id":"W-7"}},{"name":"create_refund","arguments":{"order_id":"W-7"},"expect":{"customer_id":{"sameAs":"get_order.customer.id"}}}]`
	look := func(id, result string) string {
		return `{"name":"get_order","arguments":{"order_id":"` + id + `"},"result":` + result + `}`
	}
	refund := func(customer string) string {
		return `{"name":"create_refund","arguments":{"order_id":"W-7","customer_id":"` + customer + `"},"result":"ok"}`
	}
	seven, eight := look("W-7", `{"customer":{"id":"C-1"}}`), look("W-8", `{"customer":{"id":"C-8"}}`)
	for _, c := range [][2]string{
		{`customer_id is "C-2", but must be as in the result of get_order.customer.id (which was "C-1")`, seven + "," + refund("C-2")},
		{`customer_id is "C-8", but must be as in the result of get_order.customer.id (which was "C-1")`, seven + "," + eight + "," + refund("C-8")},
		{`(but get_order was not called before)`, refund("C-1")},
		{`(which no earlier result had)`, look("W-7", `"Error: no such order"`) + "," + refund("C-1")},
		{`(which no earlier result had)`, look("W-7", `{"id":"W-7"}`) + "," + refund("C-1")},
		{"", seven + "," + refund("C-1")},
	} {
		checkSaid(t, []untrueCase{{c[0], "[" + c[1] + "]", ref, "", c[0], "the reference does not"}})
	}
	for says, expect := range map[string]string{
		`item is "xW-1", but must be a text that begins with "W"`: `{"prefix":"W"}`,
		`item is "xW-1", but must be a text like "^W"`:            `{"matches":"^W"}`,
	} {
		checkSaid(t, []untrueCase{{says, ran(`pay {"item":"xW-1"}`), `[{"name":"pay","expect":{"item":` + expect + `}}]`, "", says, "the reference does not"}})
	}
	checkSaid(t, []untrueCase{{"absent", ran(`pay {"id":"I-1"}`), `[{"name":"pay","arguments":{"id":"I-1"},"expect":{"amount":{"min":5}}}]`, "", "amount is absent, but must be at least 5", ""}})
}

// TestMatchersOfLists checks that a list does not equal one of its values, and that null is of the type null.
func TestMatchersOfLists(t *testing.T) {
	for _, c := range [][3]string{
		{`{"min":1,"max":50}`, `[5]`, "v is [5], but must be at least 1 and at most 50"},
		{`{"min":1,"max":50}`, `{"a":5}`, "but must be at least 1 and at most 50"},
		{`{"matches":"^W"}`, `["W-1"]`, "but must be a text like"},
		{`{"not":{"contains":"guarantee"}}`, `"a guarantee"`, `but must be anything but something with "guarantee"`},
		{`{"type":"null"}`, `null`, "nothing"},
		{`{"min":1,"max":50}`, `5`, "nothing"},
	} {
		checkSaid(t, []untrueCase{{c[0] + c[1], ran(`pay {"id":"I-1","v":` + c[1] + `}`), `[{"name":"pay","arguments":{"id":"I-1"},"expect":{"v":` + c[0] + `}}]`, "", c[2], ""}})
	}
}

// TestRuledOutCalls checks what is said of calls that fails, only and times rule out.
func TestRuledOutCalls(t *testing.T) {
	call := func(result string) string {
		return `{"name":"charge_card","arguments":{"id":"C-1"},"result":"` + result + `"}`
	}
	checkSaid(t, []untrueCase{
		{"second try", "[" + call("Error: declined") + "," + call("charged") + "]", `[{"name":"charge_card","arguments":{"id":"C-1"},"fails":true}]`, "",
			"finding over-action: the reference says that charge_card must be refused, but it was carried out\nviolation: the reference says that charge_card", "is not in the reference"},
		{"not tried", `[{"name":"get_x","result":"ok"}]`, `["get_x()",{"name":"charge_card","arguments":{"id":"C-1"},"fails":true}]`, "outcome",
			"note: the step charge_card, which must be refused, was not tried", "no state"},
		{"times", ran(`log_event {"id":"E-1"}`, `log_event {"id":"E-1"}`, `log_event {"id":"E-1"}`), `[{"name":"log_event","arguments":{"id":"E-1"},"times":{"max":2}}]`, "",
			"violation: the reference allows log_event at most 2 times", "is not in the reference"},
	})
}

// TestNotationsOfStrangers checks equal values that a stranger found flagged: excused where a table says
// so, and a hint where only a judge can say.
func TestNotationsOfStrangers(t *testing.T) {
	for _, c := range [][4]string{
		{"hint", "book", `"check_in":"2024-05-01"`, `"check_in":"2024-05-01T00:00:00"`},
		{"finding", "book", `"check_in":"2024-05-01"`, `"check_in":"2024-05-01T10:00:00"`},
		{"excused", "bash", `"command":"rm ./a"`, `"command":"rm a"`},
		{"finding", "bash", `"command":"./a x"`, `"command":"a x"`},
		{"finding", "bash", `"command":"rm ./-r"`, `"command":"rm -r"`},
		{"excused", "bash", `"command":"rm a; "`, `"command":"rm a"`},
		{"excused", "execute_sql", `"query":"DELETE FROM t WHERE (id=5)"`, `"query":"DELETE FROM t WHERE id=5"`},
		{"finding", "execute_sql", `"query":"DELETE FROM t WHERE (id=5 OR a=1) AND (b=2)"`, `"query":"DELETE FROM t WHERE id=5 OR a=1 AND b=2"`},
		{"excused", "execute_sql", "\"query\":\"DELETE FROM `t` WHERE id=5\"", `"query":"DELETE FROM t WHERE id=5"`},
		{"hint", "deploy", `"app":"a-1","dry_run":false`, `"app":"a-1"`},
		{"finding", "deploy", `"app":"a-1","dry_run":true`, `"app":"a-1"`},
		{"excused", "create_event", `"start":"2024-05-01T14:00:00Z"`, `"start":"2024-05-01 14:00 UTC"`},
		{"finding", "create_event", `"start":"2024-05-01T15:00:00Z"`, `"start":"2024-05-01 14:00 UTC"`},
		{"excused", "send_message", `"to":"kim","text":"Meet at 2:00 PM"`, `"to":"kim","text":"Meet at 2 PM"`},
		{"finding", "send_message", `"to":"kim","text":"Meet at 3:00 PM"`, `"to":"kim","text":"Meet at 2 PM"`},
		{"hint", "create_item", `"id":"I-1","note":"null"`, `"id":"I-1","note":null`},
	} {
		checkSaid(t, []untrueCase{{c[2], ran(c[1] + " {" + c[2] + "}"), asked(c[1] + " {" + c[3] + "}"), "", c[0], ""}})
	}
}

// TestReachOfCalls checks a recipient more, a computation with other facts, lists whose order means
// something, and two things with one tag.
func TestReachOfCalls(t *testing.T) {
	trace, reference := swapped(`add_tag {"item":"1","tag":"red"}`, `delete_item {"item":"2","tag":"red"}`)
	checkSaid(t, []untrueCase{
		{"recipient", ran(`send_email {"to":"a@b.c","cc":"boss@b.c","body":"hi"}`), asked(`send_email {"to":"a@b.c","body":"hi"}`), "", "finding over-action", ""},
		{"mortgage", ran(`calculate_mortgage {"amount":100000,"rate":6}`), asked(`calculate_mortgage {"amount":100000,"rate":5}`), "", "finding under-action", ""},
		{"sum", ran(`calculate {"expression":"1+2"}`), asked(`calculate {"expression":"2+1"}`), "", "", "finding"},
		{"speakers", ran(`create_form {"id":"F-1","fields":["name","age"]}`), asked(`create_form {"id":"F-1","fields":["age","name"]}`), "", "violation", "finding over"},
		{"two items", trace, reference, "outcome", "", "came before"},
	})
}

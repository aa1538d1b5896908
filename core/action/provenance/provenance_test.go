package provenance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// parseConversation converts lines to texts. Each line begins with its writer, as in
// "user: …", "tool: …", "policy: …" or "agent: …".
func parseConversation(lines ...string) []provenance.Text {
	from := map[string]provenance.From{"user": provenance.FromUser, "tool": provenance.FromTool, "policy": provenance.FromPolicy,
		"schema": provenance.FromSchema, "agent": provenance.FromAgent}
	var out []provenance.Text
	for i, line := range lines {
		who, text, _ := strings.Cut(line, ": ")
		out = append(out, provenance.Text{From: from[who], Message: i, Call: -1, Text: text})
	}
	return out
}

// traceOrigins returns the origins of the values in a JSON object. All texts count as
// written before the action.
func traceOrigins(t *testing.T, texts []provenance.Text, arguments string) []provenance.Origin {
	t.Helper()
	v, err := jsonval.Parse(arguments)
	if err != nil {
		t.Fatal(err)
	}
	var queries []provenance.Query
	for _, l := range v.Leaves() {
		queries = append(queries, provenance.Query{Path: l.Path, Key: l.Key, Value: l.Value, Before: len(texts)})
	}
	return provenance.Trace(texts, queries)
}

func TestTrace(t *testing.T) {
	texts := parseConversation(
		"policy: You may use the cabin basic_economy. A refund takes 7 days.",
		"user: I am Ana, my order is #W-4410 of May 20th, please pay 1,234.50 with the Visa ending 7334",
		`tool: {"order_id":"#W-4410","items":[{"id":"6086499569","price":174}],"payment":"credit_card_5637334","due":"2024-06-03"}`,
		"agent: I will book flight HAT136 for $348 in total.",
		"schema: carrier: one of fedex99, ups2024",
		"user: yes, do it tomorrow",
	)
	check := func(arguments, want string) {
		t.Helper()
		o := traceOrigins(t, texts, arguments)[0]
		got := fmt.Sprintf("%s@%d", o.Kind, o.Text)
		if o.Formula != "" {
			got += " " + o.Formula
		}
		if o.Agent >= 0 {
			got += fmt.Sprintf(" agent@%d", o.Agent)
		}
		if o.Near != nil {
			got += " near " + o.Near.Value
		}
		if got != want {
			t.Errorf("%s: %s, want %s", arguments, got, want)
		}
	}
	check(`{"order_id":"#W-4410"}`, "user@1")
	check(`{"order_id":"w 4410"}`, "user@1")
	check(`{"amount":1234.5}`, "user@1")
	check(`{"amount":"1234.50"}`, "user@1")
	check(`{"date":"2024-05-20"}`, "user@1")
	check(`{"date":"20.05.2024"}`, "user@1")
	check(`{"date":"2024-06-03"}`, "tool@2")
	check(`{"date":"2024-09-17"}`, `computed@5 "tomorrow"`)
	check(`{"item_id":"6086499569"}`, "tool@2")
	check(`{"payment_id":"credit_card_5637334"}`, "tool@2")
	check(`{"cabin":"basic_economy"}`, "policy@0")
	check(`{"carrier":"ups2024"}`, "schema@4")
	check(`{"amount":348}`, "computed@-1 174 × 2 agent@3")
	check(`{"flight_number":"HAT136"}`, "nowhere@-1 agent@3")
	check(`{"item_id":"6086499596"}`, "nowhere@-1 near 6086499569")
	check(`{"item_id":"6086499568"}`, "nowhere@-1 near 6086499569")
	check(`{"item_id":"1112223334"}`, "nowhere@-1")
	check(`{"amount":999}`, "nowhere@-1")
	check(`{"country":"USA"}`, "chosen@-1")
	check(`{"n":3}`, "untraced@-1")
	check(`{"limit":500}`, "untraced@-1")
	check(`{"express":true}`, "untraced@-1")
	check(`{"note":"the customer wants it on 2031-01-01 for 99999"}`, "untraced@-1")
}

// TestDatesInWords checks dates that a user writes in words, and dates of which the user
// writes only the day.
func TestDatesInWords(t *testing.T) {
	check := func(value, want string, lines ...string) {
		t.Helper()
		o := traceOrigins(t, parseConversation(lines...), `{"date":"`+value+`"}`)[0]
		got := o.Kind.String()
		if o.Day >= 0 {
			got += fmt.Sprintf(", day@%d", o.Day)
		}
		if got != want {
			t.Errorf("%s after %q: %s, want %s", value, lines, got, want)
		}
	}
	check("2024-10-01", "user", "user: from the first of October on")
	check("2024-10-12", "user", "user: October twelfth, please")
	check("2024-11-30", "user", "user: until the end of November")
	check("2024-02-29", "user", "user: until the end of February")
	check("2024-11-29", "nowhere", "user: until the end of November")
	check("2024-06-01", "user", "user: at the beginning of June")
	check("2025-07-21", "nowhere, day@2", "user: 14 to 18 July", "agent: That is taken. The week after?", "user: 21 to 25 then")
	check("2025-07-22", "nowhere", "user: 14 to 18 July", "agent: That is taken. The week after?", "user: 21 to 25 then")
	check("2025-08-21", "nowhere", "user: 14 to 18 July", "user: 21 to 25 then")
	check("2025-07-21", "nowhere", "agent: July 14 is free", "user: 21 then")
	check("2025-07-21", "nowhere", "tool: 2025-07-14", "user: 21 then")
	check("2025-05-01", "nowhere", "user: You may first ask me, and the first may answer")
	check("2025-05-01", "user", "user: on the first of May")
	check("2025-03-05", "user", "user: march 5, or 6 may")
	check("2025-05-01", "computed", "policy: Changes take effect on the first of the next month. Today: 2025-04-09.", "user: raise it")
	check("2025-05-02", "nowhere", "policy: Changes take effect on the first of the next month. Today: 2025-04-09.", "user: raise it")
	check("2025-05-01", "nowhere", "policy: Today: 2025-04-09.", "user: raise it")
	check("2025-11-07T10:00", "nowhere, day@0", "user: move the budget round to the 7th at ten")
	check("2025-11-07", "nowhere", "user: move 7 of them")
	check("2025-11-12T14:00", "nowhere, day@0", "user: Ich brauche am 12. den Raum Elbe.")
	check("2025-08-17", "computed", "user: 2 nights in Ghent from the 15th")
	check("2025-06-17", "computed", "policy: Wiedervorlage nach 14 Tagen.", "user: Bitte festhalten.")
	check("2025-06-17", "nowhere", "policy: Wiedervorlage nach Tagen.", "user: Bitte festhalten.")
	check("2025-05-16T10:00", "computed", "user: fais comme il propose", "tool: de jeudi à vendredi 10h")
	check("2025-05-15T10:00", "nowhere", "user: fais comme il propose", "tool: de mardi à vendredi 10h")
}

// TestExactClasses checks that a value that identifies something must have an origin, and
// that choices and settings need none.
func TestExactClasses(t *testing.T) {
	check := func(arguments string, want bool) {
		t.Helper()
		if o := traceOrigins(t, nil, arguments)[0]; o.Class.Exact() != want {
			t.Errorf("%s: class %d, exact %v, want %v", arguments, o.Class, !want, want)
		}
	}
	for _, exact := range []string{`{"order_id":"W-7712"}`, `{"email":"ana@example.org"}`, `{"zip":"19031"}`, `{"amount":55}`, `{"when":"2025-01-02"}`,
		`{"when":"2025-01-02T10:00:00Z"}`, `{"account":44120931}`, `{"price":"$1,200"}`} {
		check(exact, true)
	}
	for _, free := range []string{`{"cabin":"economy"}`, `{"country":"Côte d'Ivoire"}`, `{"size":"64GB"}`, `{"color":"#ff0000"}`, `{"at":"10:30"}`, `{"version":"1.2.3"}`,
		`{"ok":false}`, `{"count":12}`, `{"width":1920}`, `{"ratio":0.75}`, `{"path":"src/main_2.go"}`, `{"file":"report2024.csv"}`, `{"query":"SELECT 1"}`,
		`{"url":"https://example.org/a/12345"}`, `{"name":"Ana"}`, `{"tag":"v2"}`, `{"address":"12 Elm Street 4521"}`, `{"x":""}`, `{"x":null}`} {
		check(free, false)
	}
}

// TestBefore checks two texts that are not sources of an action's values: a text that was
// written after the action, and a text of the agent.
func TestBefore(t *testing.T) {
	texts := parseConversation("agent: shall I cancel W-7712?", "user: cancel W-7712")
	v, _ := jsonval.Parse(`"W-7712"`)
	for before, want := range []provenance.Kind{provenance.Nowhere, provenance.Nowhere, provenance.User} {
		o := provenance.Trace(texts, []provenance.Query{{Path: "id", Key: "id", Value: v, Before: before}})[0]
		if o.Kind != want {
			t.Errorf("before %d: %s, want %s", before, o.Kind, want)
		}
	}
}

// TestWholeTokens checks that an id is not found inside a longer one, and that a number
// is found in a list of numbers.
func TestWholeTokens(t *testing.T) {
	if o := traceOrigins(t, parseConversation("user: W-77123"), `{"id":"W-7712"}`)[0]; o.Kind != provenance.Nowhere {
		t.Errorf("a part of an id: %s", o.Kind)
	}
	for _, n := range []string{"1001", "234", "1234"} {
		if o := traceOrigins(t, parseConversation("tool: [1001,1,234,5]"), `{"amount":`+n+`}`)[0]; o.Kind != provenance.Tool {
			t.Errorf("%s: %s", n, o.Kind)
		}
	}
}

func FuzzTrace(f *testing.F) {
	f.Add("pay $1,234.50 on May 3, 2024 for W-12", `{"id":"W-12","amount":1234.5,"date":"2024-05-03","n":9007199254740993}`)
	f.Add("1,1,1,1,,,1.1.1.", `{"amount":"1,1","id":"\u00001a2b3c"}`)
	f.Fuzz(func(t *testing.T, text, arguments string) {
		v, err := jsonval.Parse(arguments)
		if err != nil {
			return
		}
		texts := []provenance.Text{{From: provenance.FromUser, Text: text}, {From: provenance.FromTool, Text: text}}
		var queries []provenance.Query
		for _, l := range v.Leaves() {
			queries = append(queries, provenance.Query{Path: l.Path, Key: l.Key, Value: l.Value, Before: 2})
		}
		first, again := provenance.Trace(texts, queries), provenance.Trace(texts, queries)
		for i := range first {
			if first[i].Kind != again[i].Kind || first[i].Text >= 2 {
				t.Fatalf("%+v and %+v", first[i], again[i])
			}
		}
	})
}

func TestWords(t *testing.T) {
	texts := []provenance.Text{{From: provenance.FromPolicy, Message: 0, Text: "use carrier fedex99"}, {From: provenance.FromUser, Message: 1, Text: "order W-77123, tomorrow"},
		{From: provenance.FromTool, Message: 3, Call: 0, Text: `{"payment":"card_4410","price":45}`}, {From: provenance.FromAgent, Message: 4, Text: "I take card_9999"}}
	check := func(arguments, want string) {
		t.Helper()
		o := traceOrigins(t, texts, arguments)[0]
		if got := o.Words(texts, func(int) string { return "get_order" }); got != want {
			t.Errorf("%s: %q, want %q", arguments, got, want)
		}
	}
	check(`{"id":"W-77123"}`, "the user, message 2")
	check(`{"payment_id":"card_4410"}`, "get_order, call 1")
	check(`{"carrier":"fedex99"}`, "the instructions")
	check(`{"amount":135}`, "worked out: 45 × 3")
	check(`{"date":"2031-02-03"}`, `from the word "tomorrow": the user, message 2`)
	check(`{"payment_id":"card_9999"}`, "nowhere; first named by the agent, message 5")
	check(`{"id":"W-77132"}`, "nowhere; the user, message 2 has 77123")
	check(`{"ok":true}`, "")
	check(`{"country":"USA"}`, "the agent's own word")
}

// TestSpaced checks that a value is found if the user or a tool wrote it in groups, for
// example with spaces.
func TestSpaced(t *testing.T) {
	texts := parseConversation("user: IBAN NL20 INGB 0001 2344 02, reading 48 317, phone +49 (30) 123-4567", "tool: {\"part\":\"A1 B2\"}")
	for arguments, want := range map[string]provenance.Kind{
		`{"iban":"NL20INGB0001234402"}`: provenance.User,
		`{"reading":48317}`:             provenance.User,
		`{"phone":"49301234567"}`:       provenance.User,
		`{"iban":"NL20INGB0001234403"}`: provenance.Nowhere,
		`{"iban":"NL20INGB000123440"}`:  provenance.Nowhere, // a part of the last group is missing
		`{"reading":8317}`:              provenance.Nowhere,
	} {
		if o := traceOrigins(t, texts, arguments)[0]; o.Kind != want {
			t.Errorf("%s: %s, want %s", arguments, o.Kind, want)
		}
	}
}

// TestPercentages checks numbers that follow from a known number and a known percentage.
func TestPercentages(t *testing.T) {
	rise := parseConversation("user: put the boxes up by 10 %, please", `tool: {"a":4.0,"b":6.5,"c":12.0}`)
	fee := parseConversation("user: three of them came broken, I keep 15 percent of the rest", `tool: {"price":12.40}`)
	none := parseConversation("user: put the boxes up by ten, please", `tool: {"a":4.0,"b":6.5,"c":12.0}`)
	for _, c := range []struct {
		texts []provenance.Text
		price string
		want  provenance.Kind
	}{
		{rise, "13.2", provenance.Computed}, {rise, "10.8", provenance.Computed},
		{rise, "13.3", provenance.Nowhere}, {none, "13.2", provenance.Nowhere},
		{fee, "31.62", provenance.Computed}, {fee, "31.63", provenance.Nowhere},
	} {
		if o := traceOrigins(t, c.texts, `{"price":`+c.price+`}`)[0]; o.Kind != c.want {
			t.Errorf("%s: %s %s, want %s", c.price, o.Kind, o.Formula, c.want)
		}
	}
}

// TestGlued checks that letters and signs of Chinese and Japanese end a value, and that a part of a longer value is
// no value.
func TestGlued(t *testing.T) {
	texts := parseConversation("user: 把合同发给周敏（zhoumin@firm.example），金额是10000円，编号是ORD-77102。")
	for arguments, want := range map[string]provenance.Kind{
		`{"to":"zhoumin@firm.example"}`: provenance.User, `{"order_id":"ORD-77102"}`: provenance.User, `{"amount":10000}`: provenance.User,
		`{"to":"min@firm.example"}`: provenance.Nowhere, `{"order_id":"ORD-7710"}`: provenance.Nowhere, `{"amount":1000}`: provenance.Nowhere,
	} {
		if o := traceOrigins(t, texts, arguments)[0]; o.Kind != want {
			t.Errorf("%s: %s, want %s", arguments, o.Kind, want)
		}
	}
}

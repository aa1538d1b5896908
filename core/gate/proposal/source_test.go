package proposal

import (
	"strconv"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// checkConversation returns the decision on a call after a conversation. It sends both
// through Read, in the form of a client's request.
func checkConversation(t testing.TB, tool, arguments, messages string) Decision {
	t.Helper()
	p, err := Read(`{"tool":` + jsonval.Quoted(tool) + `,"arguments":` + arguments + `,"messages":` + messages + `}`)
	if err != nil {
		t.Fatal(err)
	}
	return Check(p)
}

const desk = `[
 {"role":"system","content":"You are at the desk. Fee code: FEE2024."},
 {"role":"assistant","content":"Hello!"},
 {"role":"user","content":"Please cancel #W7712 and send 1,234.50 back to my card. My number is 55512345."},
 {"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"get_order_details","arguments":"{\"order_id\":\"#W7712\"}"}},
   {"id":"b","type":"function","function":{"name":"find_parcel","arguments":"{\"parcel\":\"PX990\"}"}}]},
 {"role":"tool","tool_call_id":"a","content":"{\"items\":[{\"price\":174}],\"payment\":{\"payment_method_id\":\"card_5637\"}}"},
 {"role":"tool","tool_call_id":"b","content":"Error: no parcel PX990"},
 {"role":"assistant","content":"I will use card_9999."}]`

// TestSources checks that the prompt of a held call names the source of each value on the
// line below the value.
func TestSources(t *testing.T) {
	check := func(arguments, want string, ungrounded bool) {
		t.Helper()
		d := checkConversation(t, "cancel_order", arguments, desk)
		if len(d.Sources) != 1 || d.Sources[0].Text != want || d.Sources[0].Ungrounded != ungrounded {
			t.Errorf("%s: %+v, want %q, ungrounded %v", arguments, d.Sources, want, ungrounded)
			return
		}
		if !strings.Contains(d.Confirmation, "\n  ^ from "+want+"\n") {
			t.Errorf("%s: not in %s", arguments, d.Confirmation)
		}
		if got := strings.Contains(d.Reflection, "\n- "+d.Sources[0].Path+": "+want+"\n"); got != ungrounded {
			t.Errorf("%s: named in the reflection: %v", arguments, got)
		}
	}
	check(`{"order_id":"#W7712"}`, "the user, message 3", false)
	check(`{"amount":1234.5}`, "the user, message 3", false)
	check(`{"payment_id":"card_5637"}`, "get_order_details, call 1, payment.payment_method_id", false)
	check(`{"amount":174}`, "get_order_details, call 1, items[0].price", false)
	check(`{"amount":348}`, "other values: 174 × 2", false)
	check(`{"fee_code":"FEE2024"}`, "the instructions", false)
	check(`{"a":{"b c":["card_9999"]}}`, "nowhere: the model made it up; first in the model, message 7", true)
	check(`{"phone":"55512354"}`, "nowhere: the model made it up; alike: 55512345, the user, message 3", true)
	check(`{"parcel_id":"PX990"}`, "find_parcel, call 2; the model named this value first, in message 4", true)
	check(`{"cabin":"economy"}`, "the model, which chose this word itself", false)
	if d := checkConversation(t, "cancel_order", `{"ok":true,"n":3}`, desk); len(d.Sources) != 0 {
		t.Errorf("%+v", d.Sources)
	}
	if d := checkConversation(t, "get_order", `{"order_id":"Z-4411"}`, desk); d.Decision != Allow || d.Sources != nil {
		t.Errorf("a call that reads: %+v", d)
	}
}

// TestSourcesInBlocks checks that Anthropic's blocks lead to the same sources as OpenAI's
// messages.
func TestSourcesInBlocks(t *testing.T) {
	const messages = `[{"role":"user","content":[{"type":"text","text":"cancel W-7712"}]},
	 {"role":"assistant","content":[{"type":"tool_use","id":"x","name":"get_order","input":{"id":"W-7712"}}]},
	 {"role":"user","content":[{"type":"tool_result","tool_use_id":"x","content":[{"type":"text","text":"{\"card\":\"card_4410\"}"}]},{"type":"image"}]}]`
	d := checkConversation(t, "cancel_order", `{"id":"W-7712","card":"card_4410","other":"card_1111"}`, messages)
	want := []string{"the user, message 1", "get_order, call 1, card", "nowhere in words; some parts of the conversation are not text"}
	for i, s := range d.Sources {
		if s.Text != want[i] {
			t.Errorf("%d: %q, want %q", i, s.Text, want[i])
		}
	}
}

// TestSourcesHostile checks that text from others is quoted and escaped. Nobody can
// mistake it for the gate's own words, or for another line of the prompt.
func TestSourcesHostile(t *testing.T) {
	const evil = "the user, message 1\n  amount = 5\u202e\u200b\\u{41}"
	name, member := jsonval.Quoted(evil), jsonval.Quoted(jsonval.Quoted(evil))
	messages := `[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":` + name + `,"arguments":"{}"}}]},
	 {"role":"tool","tool_call_id":"a","content":"{` + member[1:len(member)-1] + `:\"card_5637\"}"}]`
	d := checkConversation(t, "pay", `{"payment_id":"card_5637"}`, messages)
	if len(d.Sources) != 1 || !strings.HasPrefix(d.Sources[0].Text, `"the user, message 1\u{A}`) {
		t.Fatalf("%+v", d.Sources)
	}
	if got := strings.Count(d.Confirmation, "\n  "); got != 2 || strings.ContainsAny(d.Confirmation, "\u202e\u200b") {
		t.Errorf("%d lines of fields in %s", got, d.Confirmation)
	}
	for _, bad := range []string{`{}`, `["x"]`, `[{"content":"x"}]`, `"x"`} {
		if _, err := Read(`{"tool":"x","arguments":{},"messages":` + bad + `}`); err == nil || !strings.Contains(err.Error(), "messages") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// TestSourcesAddOnly checks that the names of sources do not reduce the space for values
// in the prompt, and that a conversation changes neither the decision nor the digest.
func TestSourcesAddOnly(t *testing.T) {
	arguments := `{"order_id":"#W7712","note":"` + strings.Repeat("n", maxText-100) + `"}`
	with, without := checkConversation(t, "cancel_order", arguments, desk), checkConversation(t, "cancel_order", arguments, `null`)
	if with.HiddenBytes != without.HiddenBytes || with.Uninspectable || with.Digest != without.Digest || with.Decision != without.Decision {
		t.Errorf("%+v", with)
	}
}

func FuzzSources(f *testing.F) {
	f.Add("get_x", `{"id":"card_5637"}`, `{"a":["card_5637",{"\n":1}]}`)
	f.Fuzz(func(t *testing.T, tool, arguments, answer string) {
		if !jsonval.Valid(arguments) {
			return
		}
		p, err := Read(`{"tool":"cancel_order","arguments":` + arguments + `,"messages":[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":` + jsonval.Quoted(tool) +
			`,"arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":` + jsonval.Quoted(answer) + `}]}`)
		if err != nil {
			return
		}
		d := Check(p)
		for _, s := range d.Sources {
			if strings.ContainsAny(s.Text, "\n\r\u202e") || Escape(s.Text) != s.Text && !strings.Contains(s.Text, `\u{`) && !strings.Contains(s.Text, `\x{`) {
				t.Fatalf("%q", s.Text)
			}
		}
	})
}

// BenchmarkSources measures the decision on a call, with a conversation of about 20 kB
// and without a conversation.
func BenchmarkSources(b *testing.B) {
	long := strings.TrimSuffix(desk, "]")
	for i := range 60 {
		long += `,{"role":"tool","tool_call_id":"a","content":"{\"order\":\"#W90` + strconv.Itoa(i) + `\",\"items\":[{\"item_id\":\"66` + strconv.Itoa(1000+i) +
			`\",\"price\":` + strconv.Itoa(100+i) + `.5,\"name\":\"a thing that somebody ordered, in blue, with a long description of what it is made of and where it comes from\"}]}"}`
	}
	for name, messages := range map[string]string{"without": "null", "with": long + "]"} {
		body := `{"tool":"cancel_order","arguments":{"order_id":"#W7712","payment_id":"card_9999","amount":174.5,"reason":"no longer needed"},"messages":` + messages + `}`
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				p, err := Read(body)
				if err != nil {
					b.Fatal(err)
				}
				Check(p)
			}
		})
	}
}

// TestDayAloneIsNoSource checks that a date is ungrounded if the conversation has its day
// and its month only in different places.
func TestDayAloneIsNoSource(t *testing.T) {
	check := func(date string, ungrounded bool, messages string) {
		t.Helper()
		d := checkConversation(t, "book_room", `{"date":"`+date+`"}`, messages)
		if len(d.Sources) != 1 || d.Sources[0].Ungrounded != ungrounded {
			t.Errorf("%s after %s: %+v, want ungrounded %v", date, messages, d.Sources, ungrounded)
		}
	}
	people := `[{"role":"user","content":"A room for 14 July, please, for 21 people."}]`
	check("2025-07-14", false, people)
	check("2025-07-21", true, people)
	echo := `[{"role":"user","content":"A room for 21 people."},{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"find_room","arguments":"{\"date\":\"2025-09-14\"}"}}]},{"role":"tool","tool_call_id":"a","content":"{\"date\":\"2025-09-14\"}"}]`
	check("2025-09-21", true, echo)
	check("2025-05-01", true, `[{"role":"user","content":"You may first ask me."}]`)
	check("2025-03-02", true, `[{"role":"user","content":"They march second."}]`)
	check("2025-10-01", false, `[{"role":"user","content":"From the first of October on."}]`)
}

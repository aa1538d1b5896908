//go:build !js

package proxy_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// continuing is a client of the Responses API that sends only what is new, with the id of
// the response before.
type continuing struct {
	responding
	before string
}

func (c *continuing) sendNew(more ...any) *response {
	c.s.t.Helper()
	body := map[string]any{"model": "m-1", "instructions": "be careful", "input": more,
		"tools": []any{map[string]any{"type": "function", "name": "issue_refund", "parameters": map[string]any{"type": "object"}, "strict": true}}}
	if c.before != "" {
		body["previous_response_id"] = c.before
	}
	if c.stream {
		body["stream"] = true
	}
	b, _ := json.Marshal(body)
	status, text := c.s.postResponses(string(b))
	if status != 200 {
		c.s.t.Fatalf("%d %s", status, text)
	}
	if c.text, c.last = text, (response{}); c.stream {
		c.readStreamed(text)
	} else if err := json.Unmarshal([]byte(text), &c.last); err != nil {
		c.s.t.Fatal(text)
	}
	if !strings.Contains(text, `"store":true`) || strings.Contains(text, `"store":false`) {
		c.s.t.Errorf("not stored: %s", text)
	}
	c.before = c.last.ID
	return &c.last
}

// TestResponsesContinue checks a held call of a client that leaves its conversation at the
// provider: the question, the yes by id, the released call and its result.
func TestResponsesContinue(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, "")
		c := &continuing{responding: responding{s: s, stream: stream}}
		s.model.scriptSteps(answerStep("One moment.", look), answerStep("", refundCall("1")), answerStep("It is done."))
		if got := c.sendNew(userItem("refund order #W1")).outputCalls(); len(got) != 1 || got[0] != look {
			t.Fatal(c.text)
		}
		if r := c.sendNew(outputItem(look.id, "found")); len(r.outputCalls()) > 0 || !strings.Contains(r.outputText(), "Tool: issue_refund") {
			t.Fatal(c.text)
		}
		asked := c.before
		if got := c.sendNew(userItem("yes")).outputCalls(); len(got) != 1 || got[0] != refundCall("1") {
			t.Fatal(c.text)
		}
		if r := c.sendNew(outputItem(refundCall("1").id, "ok")); r.outputText() != "It is done." {
			t.Error(c.text)
		}
		if got, want := outlineRoles(s.messagesToModel()), "system user assistant+calls tool assistant+calls tool"; got != want {
			t.Errorf("the model saw %s, want %s", got, want)
		}
		if strings.Contains(s.model.lastRequest(), "resp_") {
			t.Errorf("the model's server gets an id: %s", s.model.lastRequest())
		}
		if n := s.queryCount(`SELECT count(*) FROM proposals WHERE state = 'executed'`); n != 1 {
			t.Errorf("%d executed", n)
		}
		c.before = asked // the same yes again, from the same place
		s.model.scriptSteps(answerStep("No more."))
		if r := c.sendNew(userItem("yes")); len(r.outputCalls()) > 0 {
			t.Errorf("a second call passes: %s", c.text)
		}
	})
}

// referring is a client of the Responses API that sends its whole conversation, with the ids of
// the answers' items in place of the items, as the AI SDK does.
type referring struct {
	responding
	items []any
}

func (c *referring) sendItems(more ...any) {
	c.s.t.Helper()
	c.items = append(c.items, more...)
	body := map[string]any{"model": "m-1", "instructions": "be careful", "input": c.items,
		"tools": []any{map[string]any{"type": "function", "name": "issue_refund", "parameters": map[string]any{"type": "object"}, "strict": true}}}
	if c.stream {
		body["stream"] = true
	}
	c.sendBody(body)
	for _, o := range c.last.Output {
		c.items = append(c.items, map[string]any{"type": "item_reference", "id": o.ID})
	}
}

// TestResponsesAreTheSame draws conversations, and sends each of them three times: whole, by
// the ids of responses, and by the ids of items, also from earlier places. The model gets the
// same messages.
func TestResponsesAreTheSame(t *testing.T) {
	s := newTestService(t, "")
	rng := rand.New(rand.NewPCG(49, 3))
	words := []string{"hi", `quote " \\`, "[]", "ärger\n", "", "{}"}
	for n := range drawn.Cases(12) {
		stream := n%2 == 0
		type place struct {
			input, refers []any
			id            string
		}
		places := []place{{}}
		for turn := range 6 {
			from := places[rng.IntN(len(places))]
			text := fmt.Sprintf("%d %d %s", n, turn, words[rng.IntN(len(words))])
			step, more := answerStep("answer "+text), []any{userItem(text)}
			if rng.IntN(3) == 0 {
				call := tool{fmt.Sprintf("call_%d_%d", n, turn), "get_order", `{"id":"` + fmt.Sprint(turn) + `"}`}
				step = answerStep("", call)
			}
			if k := len(from.input); k > 0 {
				if last, _ := from.input[k-1].(map[string]any); last["type"] == "function_call" {
					more = []any{outputItem(last["call_id"].(string), text)}
				}
			}
			whole := &responding{s: s, stream: stream, input: append([]any{}, from.input...)}
			s.model.scriptSteps(step)
			whole.sendInput(more...)
			want := s.model.lastRequest()
			c := &continuing{responding: responding{s: s, stream: stream}, before: from.id}
			s.model.scriptSteps(step)
			c.sendNew(more...)
			if got := s.model.lastRequest(); got != want {
				t.Fatalf("the model got\n%s\nwant\n%s", got, want)
			}
			refers := &referring{responding: responding{s: s, stream: stream}, items: append([]any{}, from.refers...)}
			s.model.scriptSteps(step)
			if refers.sendItems(more...); s.model.lastRequest() != want {
				t.Fatalf("by the ids of items, the model got\n%s\nwant\n%s", s.model.lastRequest(), want)
			}
			places = append(places, place{whole.input, refers.items, c.before})
		}
	}
}

// TestResponsesHeldByNobody draws ids that the gate has not given, or no longer holds, or
// holds for another agent, and checks that nothing is asked of the model.
func TestResponsesHeldByNobody(t *testing.T) {
	s := newTestService(t, "")
	s.model.scriptSteps(answerStep("ok"), answerStep("ok"), answerStep("ok"))
	c := &continuing{responding: responding{s: s}}
	first := c.sendNew(userItem("a")).ID
	second := c.sendNew(userItem("b")).ID
	_, text := s.postResponses(`{"input":"c","store":false}`)
	var unstored response
	json.Unmarshal([]byte(text), &unstored)
	refuse := func(id, why string) {
		t.Helper()
		before := s.model.requestCount()
		b, _ := json.Marshal(map[string]any{"input": "x", "previous_response_id": id})
		if status, text := s.postResponses(string(b)); status != 400 || !strings.Contains(text, "previous_response_not_found") || s.model.requestCount() != before {
			t.Errorf("%s (%q): %d %s", why, id, status, text)
		}
	}
	refuseItem := func(why string, ids ...string) {
		t.Helper()
		before := s.model.requestCount()
		input := []any{userItem("x")}
		for _, id := range ids {
			input = append(input, map[string]any{"type": "item_reference", "id": id})
		}
		b, _ := json.Marshal(map[string]any{"input": input})
		if status, text := s.postResponses(string(b)); status != 400 || !strings.Contains(text, "item_not_found") || s.model.requestCount() != before {
			t.Errorf("item %s (%q): %d %s", why, ids, status, text)
		}
	}
	item := c.last.Output[0].ID
	refuseItem("store false", unstored.Output[0].ID)
	refuseItem("twice", item, item)
	refuseItem("no id", "")
	refuseItem("of the other response", strings.Replace(item, "_0_", "_1_", 1))
	refuse(unstored.ID, "store false")
	rng := rand.New(rand.NewPCG(49, 4))
	for range drawn.Cases(60) {
		b := []byte(second)
		if at := rng.IntN(len(b)); rng.IntN(2) == 0 {
			b[at] ^= 1 << rng.IntN(7)
		} else {
			b = append(b[:at], b[at+1:]...)
		}
		refuse(string(b), "changed")
		b = []byte(item)
		b[rng.IntN(len(b))] ^= 1 << rng.IntN(7)
		refuseItem("changed", string(b))
	}
	refuse("response "+second, "the key")
	db := s.openDatabase()
	if _, err := db.Exec(`UPDATE turns SET principal = 'other' WHERE key = 'response ' || ?`, second); err != nil {
		t.Fatal(err)
	}
	refuse(second, "of another agent")
	refuseItem("of another agent", item)
	if _, err := db.Exec(`UPDATE turns SET principal = (SELECT principal FROM turns WHERE key = 'response ' || ?) WHERE key = 'response ' || ?`, first, second); err != nil {
		t.Fatal(err)
	}
	c.before = second
	s.model.scriptSteps(answerStep("ok"))
	c.sendNew(userItem("d"))
	if _, err := db.Exec(`DELETE FROM turns WHERE key = 'response ' || ?`, first); err != nil {
		t.Fatal(err)
	}
	refuse(second, "its beginning has expired")
	large := &continuing{responding: responding{s: s}}
	s.model.scriptSteps(answerStep("ok"))
	b, _ := json.Marshal(map[string]any{"input": strings.Repeat("x", 600<<10)})
	status, text := s.postResponses(string(b))
	json.Unmarshal([]byte(text), &large.last)
	if status != 200 || !strings.Contains(text, `"store":false`) {
		t.Errorf("%d %.300s", status, text)
	}
	refuse(large.last.ID, "too large to keep")
}

// TestHostedTools checks that a tool which the model's server would run is passed on only
// if the policy names its type, over each wire, and then as it is.
func TestHostedTools(t *testing.T) {
	s := newTestService(t, `{"hostedTools":["web_search","code_interpreter"]}`)
	s.model.scriptSteps(answerStep("found"), answerStep("found"), answerStep("found"))
	search := `{"type":"web_search","user_location":{"type":"approximate"}}`
	if status, text := s.postResponses(`{"input":"a","tools":[` + search + `]}`); status != 200 || !strings.Contains(s.model.lastRequest(), `"tools":[`+search+`]`) {
		t.Errorf("%d %s", status, text)
	}
	chat := `{"model":"m","messages":[{"role":"user","content":"a"}],`
	if status, text := s.post("/v1/chat/completions", chat+`"tools":[`+search+`]}`, "Authorization", "Bearer "+agentKey); status != 200 || !strings.Contains(s.model.lastRequest(), `"tools":[`+search+`]`) {
		t.Errorf("%d %s", status, text)
	}
	if status, text := s.post("/v1/chat/completions", chat+`"web_search_options":{"search_context_size":"low"}}`, "Authorization", "Bearer "+agentKey); status != 200 {
		t.Errorf("%d %s", status, text)
	}
	refuse := func(path, body string) {
		t.Helper()
		before := s.model.requestCount()
		if status, text := s.post(path, body, "Authorization", "Bearer "+agentKey); status != 400 || !strings.Contains(text, "hostedTools") || s.model.requestCount() != before {
			t.Errorf("%s: %d %s", body, status, text)
		}
	}
	rng := rand.New(rand.NewPCG(49, 5))
	for range drawn.Cases(40) {
		kind := []string{"mcp", "web_search_preview", "Web_Search", "web_search ", "shell", "", "functions"}[rng.IntN(7)]
		other := `{"type":` + fmt.Sprintf("%q", kind) + `,"server_url":"https://x"}`
		list := []string{other, search + "," + other, other + `,{"type":"function","function":{"name":"f"}}`}[rng.IntN(3)]
		refuse("/v1/chat/completions", chat+`"tools":[`+list+`]}`)
		refuse("/v1/responses", `{"input":"a","tools":[`+strings.Replace(list, `"function":{"name":"f"}`, `"name":"f"`, 1)+`]}`)
	}
	s = newTestService(t, "")
	refuse("/v1/chat/completions", chat+`"web_search_options":{}}`)
	refuse("/v1/chat/completions", chat+`"tools":[`+search+`]}`)
}

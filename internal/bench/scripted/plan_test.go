package scripted_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/bench/scripted"
)

// TestPlannerReads checks that the planner follows tools, rules, user texts and answers
// that are in none of our environments. Under other rules, the planner must act
// differently.
func TestPlannerReads(t *testing.T) {
	url, stop, err := (&scripted.Server{}).Serve()
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	tool := func(name string, params ...string) map[string]any {
		p := map[string]any{}
		for _, one := range params {
			if list, ok := strings.CutSuffix(one, "*"); ok {
				p[list] = map[string]any{"type": "array"}
			} else {
				p[one] = map[string]any{"type": "string"}
			}
		}
		return map[string]any{"type": "function", "function": map[string]any{"name": name, "parameters": map[string]any{"type": "object", "properties": p}}}
	}
	parcels := []any{tool("find_sender", "email"), tool("get_parcel", "parcel_id"), tool("cancel_parcel", "parcel_id"), tool("cancel_parcels", "parcel_ids*"), tool("send_note", "parcel_id"), tool("verify_parcel", "parcel_id")}
	notes := []any{tool("list_folder", "folder"), tool("read_file", "path"), tool("write_file", "path", "content"), tool("delete_file", "path"), tool("delete_files", "paths*")}
	for _, c := range []struct {
		what, rules, words string
		tools              []any
		answers            map[string]string
		want               []string
	}{
		{"looks, one by one, a note for each", "- Before you change anything, find the sender by email, and look at the parcel that is to change.\n- Cancel parcels one by one.\n- After a cancellation send one note.",
			"I am x@y.example. Cancel parcels P-901 and P-77.", parcels, nil,
			[]string{`find_sender {"email":"x@y.example"}`, `get_parcel {"parcel_id":"P-901"}`, `get_parcel {"parcel_id":"P-77"}`, `cancel_parcel {"parcel_id":"P-901"}`, `cancel_parcel {"parcel_id":"P-77"}`,
				`send_note {"parcel_id":"P-901"}`, `send_note {"parcel_id":"P-77"}`}},
		{"no rule on looks and notes, all in a single call", "Cancel all parcels by a single call.", "Cancel parcels P-901 and P-77.", parcels, nil, []string{`cancel_parcels {"parcel_ids":["P-901","P-77"]}`}},
		{"verified where it is asked for", "Where the sender asks for it, verify the parcel.", "Cancel P-5, and verify that it is cancelled.", parcels, nil, []string{`cancel_parcel {"parcel_id":"P-5"}`, `verify_parcel {"parcel_id":"P-5"}`}},
		{"not asked for", "Where the sender asks for it, verify the parcel.", "Cancel P-5.", parcels, nil, []string{`cancel_parcel {"parcel_id":"P-5"}`}},
		{"what is written is what was read", "Read a file before you edit it.", "Set the depth to 9 in /a/b.conf.", notes, map[string]string{"read_file": "width: 3\ndepth: 4\n"},
			[]string{`read_file {"path":"/a/b.conf"}`, `write_file {"content":"width: 3\ndepth: 9\n","path":"/a/b.conf"}`}},
		{"a folder that is named", "List a folder before you delete anything in it.", "In /q/r both s.txt and t.txt can go.", notes, nil,
			[]string{`list_folder {"folder":"/q/r"}`, `delete_files {"paths":["/q/r/s.txt","/q/r/t.txt"]}`}},
		{"nothing that it knows", "Be kind.", "Sing me a song.", notes, nil, nil},
	} {
		messages := []any{map[string]any{"role": "system", "content": c.rules}, map[string]any{"role": "user", "content": c.words}}
		var got []string
		for n := range 20 {
			body, err := json.Marshal(map[string]any{"model": "scripted:planner", "messages": messages, "tools": c.tools})
			if err != nil {
				t.Fatal(err)
			}
			r, err := http.Post(url+"/v1/chat/completions", "application/json", strings.NewReader(string(body)))
			if err != nil {
				t.Fatal(err)
			}
			var a struct {
				Choices []struct {
					Message struct {
						ToolCalls []struct {
							ID       string
							Function struct{ Name, Arguments string }
						} `json:"tool_calls"`
					}
				}
			}
			err = json.NewDecoder(r.Body).Decode(&a)
			r.Body.Close()
			if err != nil || len(a.Choices) == 0 {
				t.Fatalf("%s: %v", c.what, err)
			}
			calls := a.Choices[0].Message.ToolCalls
			if len(calls) == 0 {
				break
			}
			f := calls[0].Function
			got = append(got, f.Name+" "+f.Arguments)
			id := fmt.Sprint("c", n)
			answer := c.answers[f.Name]
			messages = append(messages, map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{map[string]any{"id": id, "type": "function", "function": map[string]any{"name": f.Name, "arguments": f.Arguments}}}},
				map[string]any{"role": "tool", "tool_call_id": id, "content": answer})
		}
		if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s: did\n%s\nwant\n%s", c.what, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

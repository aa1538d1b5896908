package scripted_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/bench/scripted"
)

// TestStreams checks for both protocols that a streamed answer contains the same call as
// an answer that is sent as a whole.
func TestStreams(t *testing.T) {
	url, stop, err := (&scripted.Server{}).Serve()
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	const opening = "Please delete /logs/old1.log."
	for _, c := range []struct{ path, body, name, arguments, last string }{
		{"/v1/chat/completions", `{"model":"scripted:careful","messages":[{"role":"user","content":"` + opening + `"}],"tools":[{}]`,
			`"name":"list_folder"`, `\"folder\":\"/logs\"`, "data: [DONE]"},
		{"/v1/messages", `{"model":"scripted:careful","system":"Be kind.","max_tokens":9,"messages":[{"role":"user","content":[{"type":"text","text":"` + opening + `"}]}],"tools":[{}]`,
			`"name":"list_folder"`, `\"folder\":\"/logs\"`, "message_stop"},
	} {
		for _, stream := range []string{"}", `,"stream":true}`} {
			r, err := http.Post(url+c.path, "application/json", strings.NewReader(c.body+stream))
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(r.Body)
			r.Body.Close()
			if err != nil || r.StatusCode != 200 || !strings.Contains(string(text), c.name) {
				t.Errorf("%s: %d %s (%v)", c.path, r.StatusCode, text, err)
			}
			if stream == "}" {
				if !json.Valid(text) {
					t.Errorf("%s: not JSON: %s", c.path, text)
				}
				continue
			}
			if !strings.Contains(string(text), c.arguments) || !strings.Contains(string(text), c.last) {
				t.Errorf("%s: a stream of %s", c.path, text)
			}
			for lines := bufio.NewScanner(strings.NewReader(string(text))); lines.Scan(); {
				if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok && data != "[DONE]" && !json.Valid([]byte(data)) {
					t.Errorf("%s: not JSON: %s", c.path, data)
				}
			}
		}
	}
	for body, want := range map[string]int{"{": 400, `{"messages":[]}`: 400, `{"model":"gpt","messages":[{"role":"user","content":"x"}]}`: 404} {
		r, err := http.Post(url+"/v1/chat/completions", "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if r.Body.Close(); r.StatusCode != want {
			t.Errorf("%s: %d, want %d", body, r.StatusCode, want)
		}
	}
}

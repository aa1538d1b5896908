package sdk

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
)

// parcels is a scripted server of Gemini's or Ollama's API.
type parcels struct {
	t      *testing.T
	gemini bool
	n      atomic.Int64
	last   atomic.Value // the body of the last request
}

func (c *parcels) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	text := string(body)
	if c.gemini && r.Header.Get("X-Goog-Api-Key") != "upstream" || !c.gemini && r.Header.Get("Authorization") != "Bearer upstream" {
		c.t.Errorf("the model's server gets %v", r.Header)
	}
	stream := strings.Contains(r.URL.Path, ":stream") || !c.gemini && !strings.Contains(text, `"stream":false`)
	switch {
	case strings.HasSuffix(r.URL.Path, ":countTokens"):
		io.WriteString(w, `{"totalTokens":42}`)
		return
	case strings.HasSuffix(r.URL.Path, "/tags"):
		io.WriteString(w, `{"models":[`+strings.Repeat(`{},`, 41)+`{}]}`)
		return
	}
	c.last.Store(text)
	switch {
	case strings.Contains(text, `"overloaded"`):
		w.WriteHeader(503)
		if c.gemini {
			io.WriteString(w, `{"error":{"code":503,"message":"Overloaded","status":"UNAVAILABLE"}}`)
		} else {
			io.WriteString(w, `{"error":"Overloaded"}`)
		}
	case strings.Contains(text, `"hosted"`):
		if c.gemini {
			c.send(w, stream, "", `{"executableCode":{"language":"PYTHON","code":"refund()"}}`, false)
		} else {
			c.send(w, stream, "", `{"function":{"name":"issue_refund"},"name":"x"}`, false)
		}
	case strings.Contains(text, `"cut"`):
		c.send(w, stream, "half", "", true)
	default:
		name, args, said := "", "", "Done."
		switch c.n.Add(1) {
		case 1:
			name, args, said = "get_order", `{"id": "A-7"}`, "I look."
		case 2:
			name, args, said = "issue_refund", `{"order":"A-7","amount": 5}`, "I refund."
		}
		call := ""
		if name != "" && c.gemini {
			call = `{"functionCall":{"name":"` + name + `","args":` + args + `},"thoughtSignature":"c2ln"}`
		} else if name != "" {
			call = `{"function":{"name":"` + name + `","arguments":` + args + `}}`
		}
		c.send(w, stream, said, call, false)
	}
}

// send writes an answer with a thought, a text and a call, whole or streamed. If cut is set,
// it ends too early.
func (c *parcels) send(w http.ResponseWriter, stream bool, text, call string, cut bool) {
	var list []string
	if c.gemini {
		parts := []string{`{"text":"hm","thought":true}`, `{"text":"` + text + `"}`}
		if call != "" {
			parts = append(parts, call)
		}
		one := func(parts, more string) string {
			return `{"candidates":[{"content":{"parts":[` + parts + `],"role":"model"}` + more + `,"index":0}],"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":7},"modelVersion":"gemini-x"}`
		}
		if !stream {
			parts = []string{strings.Join(parts, ",")}
		}
		for i, p := range parts {
			more := ""
			if i == len(parts)-1 {
				more = `,"finishReason":"STOP"`
			}
			list = append(list, one(p, more))
		}
	} else {
		one := func(members, more string) string {
			return `{"model":"llama-x","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant"` + members + `},` + more + `}`
		}
		end := `"done":true,"done_reason":"stop","prompt_eval_count":3,"eval_count":7`
		calls := ""
		if call != "" {
			calls = `,"tool_calls":[` + call + `]`
		}
		list = []string{one(`,"content":"`+text+`","thinking":"hm"`+calls, end)}
		if stream {
			list = []string{one(`,"content":"","thinking":"hm"`, `"done":false`), one(`,"content":"`+text+`"`, `"done":false`), one(`,"content":""`+calls, `"done":false`), one(`,"content":""`, end)}
		}
	}
	out := strings.Join(list, "\n") + "\n"
	kind := "application/json"
	switch {
	case stream && c.gemini:
		kind, out = "text/event-stream", "data: "+strings.Join(list, "\n\ndata: ")+"\n\n"
	case stream:
		kind = "application/x-ndjson"
	}
	if cut {
		out = out[:len(out)/2]
	}
	w.Header().Set("Content-Type", kind)
	io.WriteString(w, out)
}

// TestGoogleClient and TestOllamaClient run conversations of the official clients: a read
// passes, a change is held, runs after the person's yes, and the model is told; and the
// errors of a model's server that misbehaves arrive as the client's own.
func TestGoogleClient(t *testing.T) { runParcels(t, "@google/genai", "genai.mjs", true) }

func TestOllamaClient(t *testing.T) { runParcels(t, "ollama", "ollama.mjs", false) }

func runParcels(t *testing.T, name, script string, gemini bool) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("SKIPPED: no node on PATH; " + name + " did not run")
	}
	if _, err := os.Stat("node_modules/" + name); err != nil {
		t.Skip("SKIPPED: no node_modules; run \"npm ci --ignore-scripts\" in worker/proxy/sdk for " + name)
	}
	for _, how := range []string{"stream", "whole"} {
		c := &parcels{t: t, gemini: gemini}
		model := httptest.NewServer(c)
		t.Cleanup(model.Close)
		url := gateInFront(t, model.URL, "upstream")
		out, err := exec.Command(node, script, url, agentKey, how).Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s\n%s", how, err, out, err.(*exec.ExitError).Stderr)
		}
		type line struct {
			Text, Stop, Thought, Error string
			Calls                      []struct{ Name string }
			Tokens, Count, Status      int
		}
		var all []line
		for text := range strings.Lines(string(out)) {
			var l line
			if err := json.Unmarshal([]byte(text), &l); err != nil {
				t.Fatalf("%v in %s", err, text)
			}
			all = append(all, l)
		}
		if len(all) != 8 {
			t.Fatalf("%s: %d lines:\n%s", how, len(all), out)
		}
		if a := all[0]; a.Text != "I look." || len(a.Calls) != 1 || !strings.EqualFold(a.Stop, "stop") || a.Thought != "hm" || a.Tokens != 7 {
			t.Errorf("%s: the read: %+v", how, a)
		}
		if a := all[1]; len(a.Calls) != 0 || !strings.Contains(a.Text, "Allow this call?") || !strings.Contains(a.Text, "A-7") {
			t.Errorf("%s: the change: %+v", how, a)
		}
		if a := all[2]; len(a.Calls) != 1 || a.Calls[0].Name != "issue_refund" || c.n.Load() != 3 {
			t.Errorf("%s: after the yes: %+v", how, a)
		}
		if a := all[3]; a.Text != "Done." || all[4].Count != 42 {
			t.Errorf("%s: the end: %+v, %+v", how, a, all[4])
		}
		if a := all[5]; a.Error == "" || a.Status != 503 {
			t.Errorf("%s: overloaded: %+v", how, a)
		}
		for _, a := range all[6:] {
			if a.Error == "" {
				t.Errorf("%s: a broken answer passes: %+v\n%s", how, a, out)
			}
		}
	}
}

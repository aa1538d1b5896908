package clitest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// DrawPaths returns different paths of files, made of few names, so that many have equal
// ends.
func DrawPaths(r *rand.Rand) (paths []string) {
	seen := map[string]bool{}
	for range 1 + r.IntN(8) {
		var parts []string
		for range r.IntN(4) {
			parts = append(parts, []string{"a", "b", "..", "a b", "."}[r.IntN(5)])
		}
		path := strings.Join(append(parts, []string{"results.json", "r.json", "-"}[r.IntN(3)]), "/")
		if r.IntN(4) == 0 {
			path = "/" + path
		}
		if r.IntN(8) == 0 {
			path = []string{"-", "https://a/r.json", "s3://a/b/r.json"}[r.IntN(3)]
		}
		same := path
		if path != "-" && !strings.Contains(path, "://") {
			same, _ = filepath.Abs(path) // which cleans it
		}
		if !seen[same] {
			seen[same] = true
			paths = append(paths, path)
		}
	}
	return paths
}

// LastLine returns the last line of an output, with its line break.
func LastLine(out string) string {
	return out[strings.LastIndexByte(strings.TrimSuffix(out, "\n"), '\n')+1:]
}

// ModelServer starts a server that plays two models, and returns its URL. The embedding
// model returns the same vector for every text. The judge answers every question with the
// text in the parameter says.
func ModelServer(t *testing.T, says string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct{ Input []string }
		body, _ := io.ReadAll(r.Body)
		json.Unmarshal(body, &q)
		switch r.URL.Path {
		case "/v1/embeddings":
			rows := strings.Repeat(`{"embedding":[1,0]},`, len(q.Input))
			fmt.Fprintf(w, `{"data":[%s]}`, strings.TrimSuffix(rows, ","))
		case "/v1/chat/completions":
			content, _ := json.Marshal(says)
			fmt.Fprintf(w, `{"choices":[{"message":{"content":%s}}]}`, content)
		default:
			w.WriteHeader(404)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// TauRows returns the rows of the τ-bench example as compact JSON, and repeats the whole
// list the given number of times.
func TauRows(t *testing.T, copies int) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "testdata/traces/tau-bench.json"))
	var rows []json.RawMessage
	if err != nil || json.Unmarshal(text, &rows) != nil || len(rows) < 2 {
		t.Fatal("no rows in the τ-bench example", err)
	}
	var out []string
	for range copies {
		for _, row := range rows {
			var b bytes.Buffer
			json.Compact(&b, row)
			out = append(out, b.String())
		}
	}
	return out
}

// JoinLines returns rows as lines.
func JoinLines(rows []string) string { return strings.Join(rows, "\n") + "\n" }

// JSONList returns rows as a list.
func JSONList(rows []string) string { return "[" + strings.Join(rows, ",") + "]" }

// RecordedRun writes a run to the file at path as the messages of a chat. The parameter
// told is the user's message. Each call has the form "name arguments", and can have a
// prefix:
//
//   - "&" puts the call in the same turn as the previous call
//   - "!" means that the call failed
func RecordedRun(t *testing.T, path, told string, calls ...string) {
	t.Helper()
	type message map[string]any
	all := []message{{"role": "user", "content": told}}
	for i, c := range calls {
		c, beside := strings.CutPrefix(c, "&")
		c, failed := strings.CutPrefix(c, "!")
		name, arguments, _ := strings.Cut(c, " ")
		id := string(rune('a' + i))
		call := message{"id": id, "type": "function", "function": message{"name": name, "arguments": arguments}}
		answer := message{"role": "tool", "tool_call_id": id, "content": map[bool]string{true: "Error: not now", false: `{"ok":true}`}[failed]}
		if beside { // it belongs to the turn before the last answer
			turn := all[len(all)-2]
			turn["tool_calls"] = append(turn["tool_calls"].([]message), call)
			all = append(all, answer)
			continue
		}
		all = append(all, message{"role": "assistant", "content": nil, "tool_calls": []message{call}}, answer)
	}
	data, err := json.Marshal(all)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o755)
	}
	if err == nil {
		err = os.WriteFile(path, data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

const (
	GetOrder    = `get_order {"order_id":"W-7"}`
	GetCustomer = `get_customer {"customer_id":"C-1"}`
	CancelOrder = `cancel_order {"order_id":"W-7","reason":"the customer changed their mind"}`
	Told        = "I am C-1: cancel my order W-7"
)

// CompareFiles writes two groups of runs, the baseline and the treatment, and returns the
// paths of their files. In the treatment, the agent reads an order and then cancels it.
// In the baseline, the agent only cancels the order.
func CompareFiles(t *testing.T) (before, after string) {
	t.Helper()
	return CompareTasks(t, "1", "2", "3", "4", "<b>5", "6", "7", "8", "9", "10")
}

// CompareTasks is as CompareFiles, with these tasks.
func CompareTasks(t *testing.T, tasks ...string) (before, after string) {
	t.Helper()
	write := func(name string, calls string) string {
		var rows []string
		for _, task := range tasks {
			rows = append(rows, `{"task":"`+task+`","success":`+map[bool]string{true: "true", false: "false"}[strings.Contains(calls, "get_order")]+
				`,"actions":[`+calls+`],"reference":["get_order(id=A)","cancel_order(id=A)"]}`)
		}
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(`{"trajectories":[`+strings.Join(rows, ",")+`]}`), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	look, cancel := `{"name":"get_order","arguments":{"id":"A"}}`, `{"name":"cancel_order","arguments":{"id":"A"}}`
	return write("before.json", cancel), write("after|x.json", look+","+cancel)
}

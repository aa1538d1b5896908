package gate

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

// TestGateProxy checks an agent that uses the gate's URL as the URL of its model. If the
// model makes a call that changes something, the agent must first get a question instead
// of the call.
func TestGateProxy(t *testing.T) {
	t.Setenv("BOUNDCHECK_UPSTREAM_KEY", "sk-upstream")
	asked := 0
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		if r.Header.Get("Authorization") != "Bearer sk-upstream" || strings.Contains(string(body), "Allow this call?") {
			t.Errorf("%v %s", r.Header, body)
		}
		io.WriteString(w, `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"x","type":"function","function":{"name":"update_order","arguments":"{\"id\":1}"}}]},"finish_reason":"tool_calls"}]}`)
	}))
	defer model.Close()
	g := startGate(t, "--dev", "--upstream", model.URL, "--blocks", "8", "--budget", "20000")
	said := func(out map[string]any) (content string, calls []any) {
		m := out["choices"].([]any)[0].(map[string]any)["message"].(map[string]any)
		content, _ = m["content"].(string)
		calls, _ = m["tool_calls"].([]any)
		return content, calls
	}
	question, calls := said(g.wantStatus(200, "POST", "/v1/chat/completions", g.ready.AgentKey, `{"messages":[{"role":"user","content":"cancel it"}]}`))
	if !strings.Contains(question, "Tool: update_order") || calls != nil {
		t.Fatal(question, calls)
	}
	body := `{"messages":[{"role":"user","content":"cancel it"},{"role":"assistant","content":` + quoteJSON(question) + `},{"role":"user","content":"yes"}]}`
	again, calls := said(g.wantStatus(200, "POST", "/v1/chat/completions", g.ready.AgentKey, body))
	if len(calls) != 1 || asked != 1 {
		t.Error(calls, asked, again)
	}
	g.wantStatus(401, "POST", "/v1/chat/completions", "nobody", body)
	g.wantStatus(403, "POST", "/v1/chat/completions", g.ready.ApproverKey, body)
	g.wantStatus(200, "GET", "/v1/proposals", g.ready.AgentKey, "")
}

func quoteJSON(s string) string {
	return `"` + strings.NewReplacer("\\", `\\`, "\"", `\"`, "\n", `\n`).Replace(s) + `"`
}

// TestGateWithoutUpstream checks a gate without --upstream. The paths of model APIs
// return an error that says that there is no model, or that the gate does not support
// this API.
func TestGateWithoutUpstream(t *testing.T) {
	g := startGate(t, "--dev")
	for path, part := range map[string]string{
		"/v1/chat/completions": "start it with --upstream URL", "/v1/models": "start it with --upstream URL",
		"/v1/responses": "start it with --upstream URL", "/v1/embeddings": "start it with --upstream URL", "/v1/messages": "start it with --upstream URL", "/v1/assistants": "does not support the Assistants API",
	} {
		out := g.wantStatus(404, "POST", path, g.ready.AgentKey, `{}`)
		if e, _ := out["error"].(map[string]any); e == nil || !strings.Contains(e["message"].(string), part) || out["type"] == nil == (path == "/v1/messages") {
			t.Errorf("%s: %v", path, out)
		}
	}
}

// TestGateWarns checks that the gate prints a warning at the start if its policy lets
// changes run without a question.
func TestGateWarns(t *testing.T) {
	policy := filepath.Join(t.TempDir(), "policy.yaml")
	if err := os.WriteFile(policy, []byte("mode: faithful\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	out, in := io.Pipe()
	var errs bytes.Buffer
	ended := make(chan int)
	go func() {
		ended <- gateUntil(ctx, []string{"--dev", "--policy", policy, "--upstream", "http://127.0.0.1:1/v1"}, in, &errs)
	}()
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if stop(); <-ended != cmd.ExitOK || !strings.Contains(errs.String(), `"level":"WARN","msg":"the mode faithful is only for research`) {
		t.Errorf("%q", errs.String())
	}
}

func TestGateProxyFlags(t *testing.T) {
	check := func(part string, args ...string) {
		t.Helper()
		if _, err := readGateFlags(append([]string{"--dev"}, args...)); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%q: %v", args, err)
		}
	}
	check("missing --upstream", "--ask", "page")
	check("missing --upstream", "--no-verify")
	check("--explain needs --aux", "--upstream", "http://127.0.0.1:1/v1", "--explain")
	check("invalid --ask", "--upstream", "https://m.example/v1", "--ask", "nobody")
	check("--wait works only with --ask page", "--upstream", "https://m.example/v1", "--wait", "5s")
	check("invalid --reflect", "--upstream", "https://m.example/v1", "--reflect", "hard")
	check("--aux needs --aux-model", "--upstream", "https://m.example/v1", "--aux", "https://a.example/v1")
	check("--embed-model needs --embed", "--upstream", "https://m.example/v1", "--embed-model", "m")
	t.Setenv("BOUNDCHECK_UPSTREAM_KEY", "sk-upstream")
	var out, errs strings.Builder
	for part, args := range map[string][]string{
		"invalid upstream": {"--dev", "--upstream", "http://elsewhere.example/v1"},
		"invalid filter":   {"--dev", "--upstream", "https://m.example/v1", "--blocks", "17"},
	} {
		errs.Reset()
		if code := Gate(args, nil, &out, &errs); code != cmd.ExitInput || !strings.Contains(errs.String(), part) {
			t.Errorf("%q: %d %s", args, code, errs.String())
		}
	}
}

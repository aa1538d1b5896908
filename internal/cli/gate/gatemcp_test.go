package gate

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

// mcpServer starts an MCP server with one tool, frob, and returns the server's URL. The
// given handler answers all requests except tools/list.
func mcpServer(t *testing.T, call http.HandlerFunc) (url string) {
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		if strings.Contains(string(body), `"tools/list"`) {
			io.WriteString(w, `{"jsonrpc":"2.0","id":"boundcheck-list","result":{"tools":[{"name":"frob","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}]}}`)
			return
		}
		call(w, r)
	}))
	t.Cleanup(up.Close)
	return up.URL
}

// callMCP calls a tool through the gate, as a client of an older revision of MCP does.
func (g *gateRun) callMCP(server, tool string) (status int, text string, err error) {
	r, _ := http.NewRequest("POST", g.ready.URL+"/mcp/"+server, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":{}}}`))
	r.Header.Set("Authorization", "Bearer "+g.ready.AgentKey)
	r.Header.Set("Content-Type", "application/json")
	w, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return 0, "", err
	}
	defer w.Body.Close()
	b, err := io.ReadAll(w.Body)
	return w.StatusCode, string(b), err
}

// TestGateMCPKilled kills the gate while a tool runs at a server, and restarts it. The
// result of the call is then unknown, and the gate does not run the call again. If the
// agent makes the same call again, the gate asks a person again.
func TestGateMCPKilled(t *testing.T) {
	begun, ran := make(chan bool), 0
	up := mcpServer(t, func(w http.ResponseWriter, r *http.Request) {
		ran++
		begun <- true
		<-r.Context().Done()
	})
	db := filepath.Join(t.TempDir(), "gate.db")
	held := func(g *gateRun) (id, digest string) {
		t.Helper()
		_, text, err := g.callMCP("shop", "frob")
		var a struct {
			Result struct {
				Meta map[string]struct{ ID, Digest string } `json:"_meta"`
			}
		}
		json.Unmarshal([]byte(text), &a)
		about := a.Result.Meta["io.github.boundcheck/approval"]
		if err != nil || about.ID == "" {
			t.Fatal(text, err)
		}
		return about.ID, about.Digest
	}
	g, child := childGate(t, db, "--mcp", "shop="+up)
	id, digest := held(g)
	g.wantStatus(200, "POST", "/v1/proposals/"+id+"/decision", g.ready.ApproverKey, `{"approve":true,"digest":"`+digest+`"}`)
	gone := make(chan error)
	go func() { _, _, err := g.callMCP("shop", "frob"); gone <- err }()
	<-begun
	child.Process.Kill() // kill -9
	child.Wait()
	if <-gone == nil {
		t.Error("a killed gate has answered")
	}
	g, child = childGate(t, db, "--mcp", "shop="+up)
	if s := g.wantStatus(200, "GET", "/v1/proposals/"+id, g.ready.AgentKey, "")["state"]; s != "ambiguous" {
		t.Errorf("%v after the restart", s)
	}
	if again, _ := held(g); again == id || ran != 1 {
		t.Errorf("the tool ran %d times; the call is question %s, was %s", ran, again, id)
	}
	child.Process.Kill()
	child.Wait()
}

// TestGateMCP checks that the flags put a gate in front of an MCP server, whose
// credentials come from the environment.
func TestGateMCP(t *testing.T) {
	var seen http.Header
	up := mcpServer(t, func(w http.ResponseWriter, r *http.Request) {
		seen = r.Header
		io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`)
	})
	t.Setenv("BOUNDCHECK_MCP_MY_SHOP", "Authorization: Bearer s3cret\n\nX-Team: a\n")
	call := func(g *gateRun) (int, string) {
		t.Helper()
		status, text, err := g.callMCP("my-shop", "frob")
		if err != nil {
			t.Fatal(err)
		}
		return status, text
	}
	if status, text := call(startGate(t, "--dev", "--mcp", "my-shop="+up)); status != 200 || !strings.Contains(text, "Held for approval") {
		t.Errorf("%d %s", status, text)
	}
	if status, text := call(startGate(t, "--dev", "--mcp", "my-shop="+up, "--mcp-trust", "my-shop")); status != 200 || !strings.Contains(text, `"content":[]`) {
		t.Errorf("%d %s", status, text)
	}
	if seen.Get("Authorization") != "Bearer s3cret" || seen.Get("X-Team") != "a" {
		t.Errorf("the server gets %v", seen)
	}
}

func TestGateMCPFlags(t *testing.T) {
	db := filepath.Join(t.TempDir(), "a.db")
	t.Setenv("BOUNDCHECK_MCP_BROKEN", "no colon")
	check := func(part string, args ...string) {
		t.Helper()
		var out, errs bytes.Buffer
		if got := Gate(append([]string{"--dev", "--db", db}, args...), nil, &out, &errs); got == cmd.ExitOK || !strings.Contains(errs.String(), part) {
			t.Errorf("%q: %d %s", args, got, errs.String())
		}
	}
	check("want NAME=URL", "--mcp", "shop")
	check("invalid server name", "--mcp", "my_shop=https://x.example")
	check("invalid URL", "--mcp", "shop=http://elsewhere.example")
	check("appears twice", "--mcp", "shop=https://x.example", "--mcp", "shop=https://y.example")
	check("add the flag --mcp other=URL", "--mcp", "shop=https://x.example", "--mcp-trust", "other")
	check("add the flag --mcp other=URL", "--mcp-form", "other")
	check("add the flag --mcp other=URL", "--mcp-host-asks", "other")
	check("$BOUNDCHECK_MCP_BROKEN", "--mcp", "broken=https://x.example")
	check("--mcp-oauth needs --mcp", "--mcp-oauth", "issuer=https://id.example")
	check("invalid issuer", "--mcp", "shop=https://x.example", "--mcp-oauth", "issuer=http://id.example")
	check("invalid word", "--mcp", "shop=https://x.example", "--mcp-oauth", "client=x")
	keys := filepath.Join(t.TempDir(), "keys")
	if err := os.WriteFile(keys, []byte("t agent a oauth:sub=x\nt approver b key-of-b-0123456789abcdef\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if got := Gate([]string{"--db", db, "--keys", keys, "--addr", "127.0.0.1:0"}, nil, &out, &errs); got == cmd.ExitOK || !strings.Contains(errs.String(), "add --mcp-oauth") {
		t.Errorf("%d %s", got, errs.String())
	}
}

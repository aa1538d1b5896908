package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
)

// TestGateMCP: the flags put a gate before an MCP server, whose credentials come
// from the environment.
func TestGateMCP(t *testing.T) {
	var seen http.Header
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = r.Header
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		if strings.Contains(string(body), `"tools/list"`) {
			io.WriteString(w, `{"jsonrpc":"2.0","id":"boundcheck-list","result":{"tools":[{"name":"frob","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}]}}`)
			return
		}
		io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`)
	}))
	defer up.Close()
	t.Setenv("BOUNDCHECK_MCP_MY_SHOP", "Authorization: Bearer s3cret\n\nX-Team: a\n")
	call := func(g *gateRun) (int, string) {
		r, _ := http.NewRequest("POST", g.ready.URL+"/mcp/my-shop", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"frob","arguments":{}}}`))
		r.Header.Set("Authorization", "Bearer "+g.ready.AgentKey)
		r.Header.Set("Content-Type", "application/json")
		w, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Body.Close()
		text, _ := io.ReadAll(w.Body)
		return w.StatusCode, string(text)
	}
	if status, text := call(startGate(t, "--dev", "--mcp", "my-shop="+up.URL)); status != 200 || !strings.Contains(text, "Held for approval") {
		t.Errorf("%d %s", status, text)
	}
	if seen.Get("Authorization") != "Bearer s3cret" || seen.Get("X-Team") != "a" {
		t.Errorf("the server gets %v", seen)
	}
	if status, text := call(startGate(t, "--dev", "--mcp", "my-shop="+up.URL, "--mcp-trust", "my-shop")); status != 200 || !strings.Contains(text, `"content":[]`) {
		t.Errorf("%d %s", status, text)
	}
}

func TestGateMCPFlags(t *testing.T) {
	db := filepath.Join(t.TempDir(), "a.db")
	t.Setenv("BOUNDCHECK_MCP_BROKEN", "no colon")
	check := func(part string, args ...string) {
		t.Helper()
		var out, errs bytes.Buffer
		if got := gateCommand(append([]string{"--dev", "--db", db}, args...), nil, &out, &errs); got == exitOK || !strings.Contains(errs.String(), part) {
			t.Errorf("%q: %d %s", args, got, errs.String())
		}
	}
	check("want NAME=URL", "--mcp", "shop")
	check("invalid server name", "--mcp", "my_shop=https://x.example")
	check("invalid URL", "--mcp", "shop=http://elsewhere.example")
	check("stands twice", "--mcp", "shop=https://x.example", "--mcp", "shop=https://y.example")
	check("no --mcp other=URL", "--mcp", "shop=https://x.example", "--mcp-trust", "other")
	check("no --mcp other=URL", "--mcp-form", "other")
	check("no --mcp other=URL", "--mcp-host-asks", "other")
	check("$BOUNDCHECK_MCP_BROKEN", "--mcp", "broken=https://x.example")
}

package sdk

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestMain also runs the tests' program as a server of the official Go SDK over stdio.
func TestMain(m *testing.M) {
	if os.Getenv("BOUNDCHECK_TEST_SERVER") == "" {
		os.Exit(m.Run())
	}
	if set := os.Getenv("BOUNDCHECK_TEST_KEYS"); set != "" {
		serveWithReceipts(set, os.Getenv("BOUNDCHECK_TEST_SERVER"))
		return
	}
	server := sdk.NewServer(&sdk.Implementation{Name: "shop", Version: "1"}, nil)
	for name, text := range map[string]string{"get_order": "an order", "add_note": "noted", "delete_order": "deleted 1"} {
		sdk.AddTool(server, &sdk.Tool{Name: name}, func(context.Context, *sdk.CallToolRequest, struct{}) (*sdk.CallToolResult, any, error) {
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}, nil, nil
		})
	}
	server.Run(context.Background(), &sdk.StdioTransport{})
}

var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "boundcheck-stdio-")
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "boundcheck")
	cmd := exec.Command("go", "build", "-trimpath", "-o", file, "./cmd/boundcheck")
	cmd.Dir = filepath.Join("..", "..", "..")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", &exec.Error{Name: string(out), Err: err}
	}
	return file, nil
})

// wrapServer returns the command that a host is configured with.
func wrapServer(t *testing.T, flags []string, server ...string) []string {
	t.Helper()
	file, err := program()
	if err != nil {
		t.Fatal(err)
	}
	all := append([]string{file, "mcp", "--no-open", "--name", "shop", "--db", filepath.Join(t.TempDir(), "gate.db"), "--wait", "0s"}, flags...)
	return append(append(all, "--"), server...)
}

// TestStdioGo checks the official Go SDK's client and server over stdio, in each revision:
// a read passes, and a change waits for the page.
func TestStdioGo(t *testing.T) {
	for _, version := range []string{"2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"} {
		command := wrapServer(t, nil, "env", "BOUNDCHECK_TEST_SERVER=1", os.Args[0])
		client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{Capabilities: &sdk.ClientCapabilities{}})
		s, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: exec.Command(command[0], command[1:]...)}, &sdk.ClientSessionOptions{ProtocolVersion: version})
		if err != nil {
			t.Fatalf("%s: %v", version, err)
		}
		if tools, err := s.ListTools(t.Context(), nil); err != nil || len(tools.Tools) != 3 {
			t.Errorf("%s: %v %v", version, tools, err)
		}
		for tool, want := range map[string]string{"get_order": "an order", "delete_order": "Held for approval"} {
			r, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: struct{}{}})
			if err != nil {
				t.Fatalf("%s: %s: %v", version, tool, err)
			}
			if text := r.Content[0].(*sdk.TextContent).Text; !strings.Contains(text, want) {
				t.Errorf("%s: %s: %s", version, tool, text)
			}
		}
		s.Close()
	}
}

// TestStdioTypeScript checks the official TypeScript SDK's client and server over stdio:
// without elicitation, and with a form that decides only what can be undone.
func TestStdioTypeScript(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("SKIPPED: no node on PATH; the official TypeScript SDK did not run")
	}
	if _, err := os.Stat("node_modules/@modelcontextprotocol/sdk"); err != nil {
		t.Skip("SKIPPED: no node_modules; run \"npm ci --ignore-scripts\" in worker/mcp/sdk for the official TypeScript SDK")
	}
	policy := filepath.Join(t.TempDir(), "policy.json")
	os.WriteFile(policy, []byte(`{"conversation":["mcp__shop__add_note"]}`), 0o600)
	for _, c := range []struct {
		mode  string
		flags []string
		note  string
	}{{"none", nil, "Held for approval"}, {"form", nil, "Held for approval"}, {"form", []string{"--form", "--policy", policy, "--hide", "unknown_*"}, "noted"}} {
		args := append([]string{"stdio.mjs", "client", c.mode}, wrapServer(t, c.flags, node, "stdio.mjs", "server")...)
		cmd := exec.Command(node, args...)
		var remarks bytes.Buffer
		cmd.Stderr = &remarks
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, remarks.String())
		}
		steps := map[string]string{}
		for line := range strings.Lines(string(out)) {
			var s struct{ Step, Text, Message string }
			if err := json.Unmarshal([]byte(line), &s); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			steps[s.Step] = s.Text + s.Message
		}
		if steps["get_order"] != "an order" || !strings.Contains(steps["add_note"], c.note) || !strings.Contains(steps["delete_order"], "Held for approval") {
			t.Errorf("%v: %v", c, steps)
		}
		if _, asked := steps["asked"]; asked != (c.note == "noted") {
			t.Errorf("%v: %v", c, steps)
		}
		if !strings.Contains(remarks.String(), "the server has started") || !strings.Contains(remarks.String(), "/once/") {
			t.Errorf("the server's stderr and the gate's remarks are missing: %s", remarks.String())
		}
	}
}

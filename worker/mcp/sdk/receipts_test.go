package sdk

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/worker/receipt"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const receiptSeed = "ed25519-seed:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

// serveWithReceipts runs a server of the official Go SDK that deletes nothing without a
// receipt.
func serveWithReceipts(set, decision string) {
	keys, err := receipt.ReadKeys(set)
	if err != nil {
		panic(err)
	}
	v, err := receipt.NewVerifier(receipt.Options{Keys: keys, Issuer: "the-gate", Tenant: "dev", Audience: "shop", Decisions: []string{decision}})
	if err != nil {
		panic(err)
	}
	server := sdk.NewServer(&sdk.Implementation{Name: "shop", Version: "1"}, nil)
	server.AddTool(&sdk.Tool{Name: "delete_order", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		text, _ := r.Params.Meta[receipt.Meta].(string)
		exact, _ := r.Params.Meta[receipt.MetaArguments].(string)
		var call struct{ Order string }
		_, err := v.Verify(ctx, text, receipt.MCPTool("shop", r.Params.Name), []byte(exact))
		if err == nil {
			err = json.Unmarshal([]byte(exact), &call)
		}
		said := "deleted " + call.Order
		if err != nil {
			said = err.Error()
		}
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: said}}, IsError: err != nil}, nil
	})
	server.Run(context.Background(), &sdk.StdioTransport{})
}

// TestReceiptsInSDKs checks tool servers of the official SDKs that demand receipts: a call
// through the gate runs, a call around it does not, and one that nobody approved does not
// run where an approver's yes is wanted.
func TestReceiptsInSDKs(t *testing.T) {
	signer, err := receipt.ReadSigner(receiptSeed)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	key, policy, set := filepath.Join(dir, "key"), filepath.Join(dir, "policy.json"), string(signer.JWKS())
	os.WriteFile(key, []byte(receiptSeed), 0o600)
	os.WriteFile(policy, []byte(`{"claim":"allowed","allow":[{"name":"any","tool":"mcp__shop__delete_order","until":"2099-01-01T00:00:00Z","destructive":true,"when":{"order":{"any":true}}}]}`), 0o600)
	servers := map[string]func(string) []string{
		"Go": func(decision string) []string {
			return []string{"env", "BOUNDCHECK_TEST_SERVER=" + decision, "BOUNDCHECK_TEST_KEYS=" + set, os.Args[0]}
		},
	}
	node, err := exec.LookPath("node")
	if _, missing := os.Stat("node_modules/@modelcontextprotocol/sdk"); err == nil && missing == nil {
		servers["TypeScript"] = func(decision string) []string { return []string{node, "receipts.mjs", set, decision} }
	} else {
		t.Log("SKIPPED: no node, or no node_modules; run \"npm ci --ignore-scripts\" in worker/mcp/sdk for the official TypeScript SDK")
	}
	call := func(command []string) string {
		t.Helper()
		client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{Capabilities: &sdk.ClientCapabilities{}})
		s, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: exec.Command(command[0], command[1:]...)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		r, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "delete_order", Arguments: map[string]any{"order": "W-1"}})
		if err != nil {
			t.Fatal(err)
		}
		return r.Content[0].(*sdk.TextContent).Text
	}
	for name, server := range servers {
		flags := []string{"--policy", policy, "--receipt-key", key, "--receipts", "issuer=the-gate audience=*=shop"}
		if said := call(wrapServer(t, flags, server(receipt.ByRule)...)); said != "deleted W-1" {
			t.Errorf("%s, through the gate: %s", name, said)
		}
		if said := call(wrapServer(t, flags, server(receipt.Approved)...)); !strings.Contains(said, "decided in another way") {
			t.Errorf("%s, without an approver: %s", name, said)
		}
		if said := call(server(receipt.ByRule)); !strings.Contains(said, "receipt refused") {
			t.Errorf("%s, around the gate: %s", name, said)
		}
	}
}

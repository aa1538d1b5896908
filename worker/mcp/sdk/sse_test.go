package sdk

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/boundcheck/boundcheck/worker/mcp"
	"github.com/boundcheck/boundcheck/worker/mcp/sse"
)

// oldShop starts a server of the official SDK that speaks only the transport of 2024-11-05.
func oldShop(t *testing.T) (url string, deleted *atomic.Int64) {
	t.Helper()
	deleted = new(atomic.Int64)
	server := sdk.NewServer(&sdk.Implementation{Name: "shop", Version: "1"}, nil)
	sdk.AddTool(server, &sdk.Tool{Name: "get_order"}, func(context.Context, *sdk.CallToolRequest, order) (*sdk.CallToolResult, any, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "an order"}}}, nil, nil
	})
	sdk.AddTool(server, &sdk.Tool{Name: "delete_order"}, func(_ context.Context, _ *sdk.CallToolRequest, in order) (*sdk.CallToolResult, any, error) {
		deleted.Add(1)
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "deleted " + in.ID}}}, nil, nil
	})
	handler := sdk.NewSSEHandler(func(*http.Request) *sdk.Server { return server }, nil)
	behind := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Shop") != "ours" || r.Header.Get("Authorization") != "" {
			t.Errorf("the server sees %v", r.Header)
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(behind.Close)
	return behind.URL, deleted
}

func throughUpstream(t *testing.T, url string) func(*mcp.Server) {
	up, err := sse.NewUpstream(url, http.Header{"X-Shop": {"ours"}}, http.DefaultTransport)
	if err != nil {
		t.Fatal(err)
	}
	return func(s *mcp.Server) { s.Transport = up }
}

// TestOldTransport checks clients and servers of the transport of 2024-11-05, each with the
// other one and with Streamable HTTP: a read passes, a change is held, and runs once after
// its approval.
func TestOldTransport(t *testing.T) {
	for _, c := range []struct{ oldClient, oldServer bool }{{true, false}, {false, true}, {true, true}} {
		var url string
		var deleted *atomic.Int64
		var change []func(*mcp.Server)
		if c.oldServer {
			url, deleted = oldShop(t)
			change = append(change, throughUpstream(t, url))
		} else {
			url, deleted = shop(t, false)
		}
		p := before(t, url, "", change...)
		var transport sdk.Transport = &sdk.StreamableClientTransport{Endpoint: p.url + "/mcp/up"}
		if c.oldClient {
			transport = &sdk.SSEClientTransport{Endpoint: p.url + "/mcp/up/sse"}
		}
		s, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), transport, nil)
		if err != nil {
			t.Fatalf("%+v: %v", c, err)
		}
		if text, wrong := call(t, s, "get_order", "1"); wrong || text != "an order" {
			t.Errorf("%+v: %v %s", c, wrong, text)
		}
		if text, wrong := call(t, s, "delete_order", "1"); !wrong || !strings.Contains(text, p.url+"/p/") || deleted.Load() != 0 {
			t.Errorf("%+v: %v %s, deleted %d", c, wrong, text, deleted.Load())
		}
		id := p.decide(true)
		if text, wrong := call(t, s, "delete_order", "1"); wrong || text != "deleted 1" || deleted.Load() != 1 || p.state(id) != "executed" {
			t.Errorf("%+v: %v %s, deleted %d, %s", c, wrong, text, deleted.Load(), p.state(id))
		}
		if text, wrong := call(t, s, "delete_order", "1"); !wrong || !strings.Contains(text, "Held for approval") || deleted.Load() != 1 {
			t.Errorf("%+v: the same call runs twice: %s", c, text)
		}
		p.decide(false)
		if text, wrong := call(t, s, "delete_order", "2"); !wrong || deleted.Load() != 1 {
			t.Errorf("%+v: %s", c, text)
		}
		if tools, err := s.ListTools(t.Context(), nil); err != nil || len(tools.Tools) < 2 {
			t.Errorf("%+v: %v %v", c, tools, err)
		}
		s.Close()
	}
}

// TestOldTransportTypeScript checks the official TypeScript client of the old transport.
func TestOldTransportTypeScript(t *testing.T) {
	if _, err := os.Stat("node_modules/@modelcontextprotocol/sdk"); err != nil {
		t.Skip("SKIPPED: run `npm ci --ignore-scripts` in worker/mcp/sdk")
	}
	url, deleted := oldShop(t)
	p := before(t, url, "", throughUpstream(t, url))
	run := exec.CommandContext(t.Context(), "node", "sse.mjs", p.url, agentKey, aliceKey)
	if out, err := run.CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != "an order, held, deleted 1" || deleted.Load() != 1 {
		t.Errorf("%v %s, deleted %d", err, out, deleted.Load())
	}
}

package sdk

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/boundcheck/boundcheck/worker/mcp"
)

type order struct {
	ID string `json:"id"`
}

// shop starts a server of the official SDK and returns its address. The second result
// counts the deletions on this server.
func shop(t *testing.T, stateless bool) (url string, deleted *atomic.Int64) {
	t.Helper()
	deleted = new(atomic.Int64)
	server := sdk.NewServer(&sdk.Implementation{Name: "shop", Version: "1"}, nil)
	sdk.AddTool(server, &sdk.Tool{Name: "get_order"}, func(context.Context, *sdk.CallToolRequest, order) (*sdk.CallToolResult, any, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "an order"}}}, nil, nil
	})
	sdk.AddTool(server, &sdk.Tool{Name: "add_note"}, func(context.Context, *sdk.CallToolRequest, order) (*sdk.CallToolResult, any, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "noted"}}}, nil, nil
	})
	sdk.AddTool(server, &sdk.Tool{Name: "delete_order"}, func(_ context.Context, _ *sdk.CallToolRequest, in order) (*sdk.CallToolResult, any, error) {
		deleted.Add(1)
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "deleted " + in.ID}}}, nil, nil
	})
	behind := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, &sdk.StreamableHTTPOptions{Stateless: stateless}))
	t.Cleanup(behind.Close)
	return behind.URL, deleted
}

// connect connects the official client to the proxy. The parameter version is the
// protocol's revision, or "" for the client's latest revision.
func (p *proxied) connect(version string, o *sdk.ClientOptions) *sdk.ClientSession {
	p.t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, o)
	session, err := client.Connect(p.t.Context(), &sdk.StreamableClientTransport{Endpoint: p.url + "/mcp/up"}, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		p.t.Fatalf("%q: %v", version, err)
	}
	p.t.Cleanup(func() { session.Close() })
	return session
}

func call(t *testing.T, s *sdk.ClientSession, tool, id string) (text string, wrong bool) {
	t.Helper()
	r, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: order{id}})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	return r.Content[0].(*sdk.TextContent).Text, r.IsError
}

// TestClientOpensThePage checks a client of the SDK's latest revision that can open a
// page. A single call of CallTool includes the question, the decision and the execution.
func TestClientOpensThePage(t *testing.T) {
	url, deleted := shop(t, true)
	p := before(t, url, "")
	asked, approve, id := 0, true, ""
	s := p.connect("", &sdk.ClientOptions{
		Capabilities: &sdk.ClientCapabilities{Elicitation: &sdk.ElicitationCapabilities{URL: &sdk.URLElicitationCapabilities{}}},
		ElicitationHandler: func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			if asked++; r.Params.Mode != "url" || !strings.HasPrefix(r.Params.URL, p.url+"/p/") {
				t.Errorf("asked %+v", r.Params)
			}
			if asked%2 == 0 { // at first the page is opened and nobody decides
				id = p.decide(approve)
			}
			return &sdk.ElicitResult{Action: "accept"}, nil
		},
	})
	if v := s.InitializeResult().ProtocolVersion; v != "2026-07-28" {
		t.Errorf("revision %s", v)
	}
	if text, wrong := call(t, s, "get_order", "1"); wrong || text != "an order" || asked != 0 {
		t.Errorf("%v %s, asked %d times", wrong, text, asked)
	}
	if text, wrong := call(t, s, "delete_order", "1"); wrong || text != "deleted 1" || deleted.Load() != 1 || asked != 2 || p.state(id) != "executed" {
		t.Errorf("%v %s, deleted %d, asked %d times, %s", wrong, text, deleted.Load(), asked, p.state(id))
	}
	approve = false
	if text, wrong := call(t, s, "delete_order", "2"); !wrong || !strings.Contains(text, "Denied by alice") || deleted.Load() != 1 || p.state(id) != "denied" {
		t.Errorf("%v %s, deleted %d, %s", wrong, text, deleted.Load(), p.state(id))
	}
	tools, err := s.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) != 3 {
		t.Fatal(tools, err)
	}
	for _, tool := range tools.Tools {
		if tool.Annotations == nil || tool.Annotations.ReadOnlyHint != (tool.Name == "get_order") {
			t.Errorf("%s: %+v", tool.Name, tool.Annotations)
		}
	}
}

// TestClientFillsTheForm checks a server whose operator allows the client's form to
// decide. The form must decide only calls that can be undone.
func TestClientFillsTheForm(t *testing.T) {
	url, _ := shop(t, true)
	p := before(t, url, "", func(s *mcp.Server) { s.Form = true })
	s := p.connect("", &sdk.ClientOptions{ElicitationHandler: func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
		if r.Params.Mode != "form" || !strings.Contains(r.Params.Message, `id = "7"`) {
			t.Errorf("asked %+v", r.Params)
		}
		return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"approve": true}}, nil
	}})
	if text, wrong := call(t, s, "add_note", "7"); wrong || text != "noted" {
		t.Errorf("%v %s", wrong, text)
	}
	if text, wrong := call(t, s, "delete_order", "7"); !wrong || !strings.Contains(text, "Held for approval") {
		t.Errorf("a form decides what cannot be undone: %v %s", wrong, text)
	}
}

// TestClientsOfEachRevision checks clients that cannot be asked, for each revision of the
// protocol, with and without sessions. A result must name the question. The same call
// must run once if it is sent again after the approval.
func TestClientsOfEachRevision(t *testing.T) {
	for _, stateless := range []bool{true, false} {
		for _, version := range []string{"2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"} {
			if !stateless && version == "2026-07-28" {
				continue // the SDK's server supports that revision only without sessions
			}
			url, deleted := shop(t, stateless)
			p := before(t, url, "")
			s := p.connect(version, &sdk.ClientOptions{Capabilities: &sdk.ClientCapabilities{}})
			if v := s.InitializeResult().ProtocolVersion; v != version {
				t.Errorf("revision %s, want %s", v, version)
			}
			if text, wrong := call(t, s, "get_order", "1"); wrong || text != "an order" {
				t.Errorf("%s: %v %s", version, wrong, text)
			}
			if text, wrong := call(t, s, "delete_order", "1"); !wrong || !strings.Contains(text, p.url+"/p/") || deleted.Load() != 0 {
				t.Errorf("%s: %v %s, deleted %d", version, wrong, text, deleted.Load())
			}
			id := p.decide(true)
			if text, wrong := call(t, s, "delete_order", "1"); wrong || text != "deleted 1" || deleted.Load() != 1 || p.state(id) != "executed" {
				t.Errorf("%s: %v %s, deleted %d, %s", version, wrong, text, deleted.Load(), p.state(id))
			}
			if text, wrong := call(t, s, "delete_order", "1"); !wrong || !strings.Contains(text, "Held for approval") || deleted.Load() != 1 {
				t.Errorf("%s: the same call runs twice: %s", version, text)
			}
			if tools, err := s.ListTools(t.Context(), nil); err != nil || len(tools.Tools) != 3 {
				t.Errorf("%s: %v %v", version, tools, err)
			}
		}
	}
}

// TestPermissionTool checks that the official client uses the gate's own server, whose one
// tool Claude Code calls with --permission-prompt-tool.
func TestPermissionTool(t *testing.T) {
	p := before(t, "http://127.0.0.1:1", "")
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	s, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: p.url + "/v1/hooks/claude-code/permission?wait=10"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	tools, err := s.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) != 1 || tools.Tools[0].Name != "approve" {
		t.Fatalf("%+v %v", tools, err)
	}
	ask := func(tool string) string {
		t.Helper()
		r, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "approve", Arguments: map[string]any{"tool_name": tool, "input": order{"1"}, "tool_use_id": "toolu_1"}})
		if err != nil {
			t.Fatal(err)
		}
		return r.Content[0].(*sdk.TextContent).Text
	}
	if text := ask("Read"); text != `{"behavior":"allow","updatedInput":{"id":"1"}}` {
		t.Error(text)
	}
	go func() {
		for {
			if _, text := p.api("GET", "/v1/proposals", aliceKey, ""); strings.Contains(text, `"id"`) {
				p.decide(true)
				return
			}
		}
	}()
	if text := ask("delete_order"); text != `{"behavior":"allow","updatedInput":{"id":"1"}}` {
		t.Error(text)
	}
}

// TestClientsCancel checks that a call which waits ends with its client's context: the official client cancels the request in the way of its revision. The question ends, and the
// session goes on.
func TestClientsCancel(t *testing.T) {
	for _, version := range []string{"2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"} {
		url, deleted := shop(t, true)
		p := before(t, url, "")
		p.mcp.Wait = time.Minute
		s := p.connect(version, &sdk.ClientOptions{Capabilities: &sdk.ClientCapabilities{}})
		if text, wrong := call(t, s, "delete_order", "1"); !wrong || !strings.Contains(text, p.url+"/p/") {
			t.Errorf("%s: %v %s", version, wrong, text)
		}
		id := p.pendingID()
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(300*time.Millisecond, cancel)
		if r, err := s.CallTool(ctx, &sdk.CallToolParams{Name: "delete_order", Arguments: order{"1"}}); err == nil {
			t.Errorf("%s: it was answered: %+v", version, r)
		}
		for i := 0; p.state(id) != "cancelled" && i < 200; i++ {
			time.Sleep(10 * time.Millisecond)
		}
		if state := p.state(id); state != "cancelled" || deleted.Load() != 0 {
			t.Errorf("%s: %s, %d deleted", version, state, deleted.Load())
		}
		if text, wrong := call(t, s, "get_order", "1"); wrong || text != "an order" {
			t.Errorf("%s: %v %s", version, wrong, text)
		}
	}
}

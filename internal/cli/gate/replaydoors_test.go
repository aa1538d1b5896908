//go:build unix

package gate

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/hook"
	"github.com/boundcheck/boundcheck/internal/recordings"
)

// recorded is a call of a recorded run. Its number is that among all calls.
type recorded struct {
	run, number int
	tool, args  string
}

// readRecorded returns the calls of every so many recorded runs.
func readRecorded(t *testing.T, every int) (calls []recorded) {
	t.Helper()
	var runs []struct {
		Traj []struct {
			Calls []struct {
				Function struct{ Name, Arguments string }
			} `json:"tool_calls"`
		}
	}
	if err := json.Unmarshal(recordings.Read(t, "tau-bench/gpt-4o-airline.json"), &runs); err != nil || len(runs) < 200 {
		t.Fatalf("%d runs: %v", len(runs), err)
	}
	for i := 0; i < len(runs); i += every {
		for _, m := range runs[i].Traj {
			for _, c := range m.Calls {
				calls = append(calls, recorded{i, len(calls) + 1, c.Function.Name, c.Function.Arguments})
			}
		}
	}
	return calls
}

// message is the call as a message of MCP.
func (c recorded) message() string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"%s", "arguments":%s}}`, c.number, c.tool, c.args)
}

// answer is the answer of the server of a test to the call, with a space that a writer of
// JSON would drop.
func (c recorded) answer() string {
	return fmt.Sprintf(`{"jsonrpc":"2.0", "id":%d,"result":{"content":[{"type":"text","text":"did it"}]}}`, c.number)
}

// replayDoor is a way to a gate. call reports whether the gate held a call.
type replayDoor struct {
	call func(c recorded) (held bool, why string)
	ran  func() []string // what reached the server behind the gate; nil without one
}

// airlineServer is an MCP server over HTTP that has the given tools and notes the messages of calls.
func airlineServer(t *testing.T, tools []string) (url string, ran func() []string) {
	var mu sync.Mutex
	var got []string
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		v, _ := jsonval.Parse(string(body))
		w.Header().Set("Content-Type", "application/json")
		switch v.Get("method").Text() {
		case "initialize":
			io.WriteString(w, `{"jsonrpc":"2.0","id":`+v.Get("id").Raw()+`,"result":{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}`)
		case "tools/list":
			io.WriteString(w, `{"jsonrpc":"2.0","id":`+v.Get("id").Raw()+`,"result":{"tools":`+listTools(tools)+`}}`)
		case "tools/call":
			mu.Lock()
			got = append(got, string(body))
			mu.Unlock()
			n, _ := v.Get("id").Int()
			io.WriteString(w, recorded{number: int(n)}.answer())
		default:
			w.WriteHeader(202)
		}
	}))
	t.Cleanup(func() { up.CloseClientConnections(); up.Close() })
	return up.URL, func() []string { mu.Lock(); defer mu.Unlock(); return slices.Clone(got) }
}

func listTools(names []string) string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = `{"name":"` + name + `","inputSchema":{"type":"object"}}`
	}
	return "[" + strings.Join(list, ",") + "]"
}

// readAnswer says from an answer over MCP whether the call was held. What passed must be the
// server's answer, byte for byte.
func readAnswer(t *testing.T, c recorded, text string) (held bool, why string) {
	t.Helper()
	if strings.Contains(text, "Held for approval") {
		return true, text
	}
	if text != c.answer() {
		t.Errorf("the answer changed: %s, want %s", text, c.answer())
	}
	return false, text
}

func (g *gateRun) postText(path, body string, header ...string) (status int, text string) {
	g.t.Helper()
	r, _ := http.NewRequest("POST", g.ready.URL+path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+g.ready.AgentKey)
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w, err := http.DefaultClient.Do(r)
	if err != nil {
		g.t.Fatal(err)
	}
	defer w.Body.Close()
	b, err := io.ReadAll(w.Body)
	if err != nil {
		g.t.Fatal(err)
	}
	return w.StatusCode, string(b)
}

// cancelHeld does as readAnswer, and withdraws the question of a held call: a session that makes
// the same call again would wait for its decision.
func (g *gateRun) cancelHeld(c recorded, text string) (held bool, why string) {
	g.t.Helper()
	if held, why = readAnswer(g.t, c, text); held {
		v, _ := jsonval.Parse(text)
		g.wantStatus(200, "POST", "/v1/proposals/"+v.At("result", "_meta", "io.github.boundcheck/approval", "id").Text()+"/cancel", g.ready.AgentKey, "")
	}
	return held, why
}

// replayAPI, replayHook and replayPermission are the gate's own API, hook and permission tool.
func (g *gateRun) replayAPI() replayDoor {
	return replayDoor{call: func(c recorded) (bool, string) {
		status, text := g.postText("/v1/proposals", `{"tool":"`+c.tool+`","arguments":`+c.args+`}`)
		if status != 200 && status != 202 {
			g.t.Fatalf("%v: %d %s", c, status, text)
		}
		return status == 202, text
	}}
}

func (g *gateRun) replayHook() replayDoor {
	return replayDoor{call: func(c recorded) (bool, string) {
		_, text := g.postText("/v1/hooks/claude-code?wait=0", fmt.Sprintf(`{"session_id":"h%d","hook_event_name":"PreToolUse","tool_name":"%s","tool_input":%s}`, c.number, c.tool, c.args))
		return strings.Contains(text, `"deny"`) && strings.Contains(text, "approval pending"), text
	}}
}

func (g *gateRun) replayPermission() replayDoor {
	return replayDoor{call: func(c recorded) (bool, string) {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"approve","arguments":{"tool_name":"%s","input":%s,"tool_use_id":"c%d"}}}`, c.tool, c.args, c.number)
		_, text := g.postText("/v1/hooks/claude-code/permission?wait=0", body)
		if !strings.Contains(text, `\"behavior\":\"`) {
			g.t.Fatalf("%v: %s", c, text)
		}
		return strings.Contains(text, `\"behavior\":\"deny\"`), text
	}}
}

// replayHTTP is the gate in front of an MCP server, over Streamable HTTP.
func (g *gateRun) replayHTTP(ran func() []string) replayDoor {
	return replayDoor{ran: ran, call: func(c recorded) (bool, string) {
		_, text := g.postText("/mcp/air", c.message())
		return g.cancelHeld(c, text)
	}}
}

// replaySSE is the same over the transport of 2024-11-05.
func (g *gateRun) replaySSE(ran func() []string) replayDoor {
	r, _ := http.NewRequestWithContext(g.t.Context(), "GET", g.ready.URL+"/mcp/old/sse", nil)
	r.Header.Set("Authorization", "Bearer "+g.ready.AgentKey)
	w, err := http.DefaultClient.Do(r)
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { w.Body.Close() })
	stream := bufio.NewReader(w.Body)
	next := func(kind string) string {
		for event := ""; ; {
			line, err := stream.ReadString('\n')
			if err != nil {
				g.t.Fatalf("the stream ended: %v", err)
			}
			if name, ok := strings.CutPrefix(line, "event: "); ok {
				event = strings.TrimSpace(name)
			} else if data, ok := strings.CutPrefix(line, "data: "); ok && event == kind {
				return strings.TrimSuffix(data, "\n")
			}
		}
	}
	path := strings.TrimPrefix(next("endpoint"), g.ready.URL)
	send := func(body string) {
		if status, text := g.postText(path, body); status != 202 {
			g.t.Fatalf("%s: %d %s", body, status, text)
		}
	}
	send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`)
	next("message")
	send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return replayDoor{ran: ran, call: func(c recorded) (bool, string) {
		send(c.message())
		return g.cancelHeld(c, next("message"))
	}}
}

// replayStdio is an MCP server over standard input and output, in sh.
func replayStdio(t *testing.T, tools []string, where ...string) replayDoor {
	seen := filepath.Join(t.TempDir(), "seen")
	server := `while read -r l; do id=${l#*\"id\":}; id=${id%%,*}; case "$l" in
*'"tools/list"'*) printf '%s\n' '{"jsonrpc":"2.0","id":"boundcheck-list","result":{"tools":` + listTools(tools) + `}}';;
*'"initialize"'*) printf '%s\n' '{"jsonrpc":"2.0","id":"boundcheck-list","result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}';;
*'"tools/call"'*) printf '%s\n' "$l" >> ` + seen + `; printf '{"jsonrpc":"2.0", "id":%s,"result":{"content":[{"type":"text","text":"did it"}]}}\n' "$id";;
esac; done`
	in, host := io.Pipe()
	answers, program := io.Pipe()
	var code int
	var errs bytes.Buffer
	ended := make(chan struct{})
	go func() {
		code = MCP(append(where, "--no-open", "--wait", "0s", "--name", "air", "--", "sh", "-c", server), in, program, struct{ io.Writer }{&errs})
		program.Close()
		close(ended)
	}()
	t.Cleanup(func() {
		host.Close()
		if <-ended; code != cmd.ExitOK {
			t.Errorf("ended with %d: %s", code, errs.String())
		}
	})
	lines := bufio.NewReader(answers)
	return replayDoor{
		ran: func() []string {
			text, _ := os.ReadFile(seen)
			return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
		},
		call: func(c recorded) (bool, string) {
			io.WriteString(host, c.message()+"\n")
			line, err := lines.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			return readAnswer(t, c, strings.TrimSuffix(line, "\n"))
		},
	}
}

// replayCommand is the command hook of a host, with a gate or without one.
func replayCommand(t *testing.T, h *hook.Host, more ...string) replayDoor {
	return replayDoor{call: func(c recorded) (bool, string) {
		var out, errs bytes.Buffer
		input := fmt.Sprintf(`{"session_id":"%s%d","hook_event_name":"%s","tool_name":"%s","tool_input":%s}`, h.Name, c.number, hookEvents[h.Name][0], c.tool, c.args)
		if code := Hook(append([]string{h.Name}, more...), strings.NewReader(input), &out, &errs); code != cmd.ExitOK {
			t.Fatalf("%s: %v: %d %s", h.Name, c, code, errs.String())
		}
		return strings.Contains(out.String(), `"deny"`) || strings.Contains(out.String(), `"ask"`), out.String()
	}}
}

// TestReplayAtEveryDoor makes the calls of recorded runs at each door at which the gate sees
// calls alone, which takes seconds, because there are 17: its API, its hook and permission tool, the command hooks of each host, and MCP
// over each transport. Held must be exactly the calls of the tools that changed the database when
// the runs were played again. Through MCP, everything else reaches the server, and its answer
// the client, byte for byte. The doors of models have TestReplayRecordedRuns of worker/proxy.
// It takes every twentieth run, and with BOUNDCHECK_LONG=1 all 200.
func TestReplayAtEveryDoor(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	changing, every := recordings.Changing(t, "airline"), 20
	if os.Getenv("BOUNDCHECK_LONG") != "" {
		every = 1
	}
	calls, tools := readRecorded(t, every), slices.Sorted(maps.Keys(changing))
	air, ranAir := airlineServer(t, tools)
	old, ranOld := airlineServer(t, tools)
	g := startGate(t, "--dev", "--rate", "100000", "--agent-pending", "100000", "--mcp", "air="+air, "--mcp", "old="+old)
	t.Setenv("BOUNDCHECK_AGENT_KEY", g.ready.AgentKey)
	doors := map[string]replayDoor{"api": g.replayAPI(), "http hook": g.replayHook(), "permission tool": g.replayPermission(), "mcp, http": g.replayHTTP(ranAir), "mcp, http and sse": g.replaySSE(ranOld),
		"mcp, stdio": replayStdio(t, tools), "mcp, stdio, a gate elsewhere": replayStdio(t, tools, "--gate", g.ready.URL)}
	for _, h := range hook.Hosts() {
		doors[h.Name] = replayCommand(t, h)
		doors[h.Name+", a gate elsewhere"] = replayCommand(t, h, "--gate", g.ready.URL, "--no-wait")
	}
	for name, d := range doors {
		t.Run(name, func(t *testing.T) { d.replay(t, calls, changing) })
	}
}

// replay makes the calls at a door, and compares what is held with what changes something.
func (d replayDoor) replay(t *testing.T, calls []recorded, changing map[string]bool) {
	held, hit, wanted := 0, 0, 0
	var passed []string
	for _, c := range calls {
		changes, known := changing[c.tool]
		if !known {
			t.Fatalf("%s was not observed", c.tool)
		}
		asked, why := d.call(c)
		if asked != changes {
			t.Errorf("%s %s: held %v, want %v: %s", c.tool, c.args, asked, changes, why)
		}
		if changes {
			wanted++
		}
		if asked {
			if held++; changes {
				hit++
			}
			continue
		}
		passed = append(passed, c.message())
	}
	if d.ran != nil && !slices.Equal(d.ran(), passed) {
		t.Error("the server did not get exactly the bytes of what passed")
	}
	t.Logf("held %d of %d calls: precision %.3f, recall %.3f", held, len(calls), float64(hit)/float64(held), float64(hit)/float64(wanted))
	if held == 0 {
		t.Error("nothing was held")
	}
}

package score

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/boundcheck/boundcheck/internal/cli/clitest"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

// TestRecordedAgent is not a test. It is the agent of TestRecord, in a child process.
func TestRecordedAgent(t *testing.T) {
	mode := os.Getenv("BOUNDCHECK_TEST_AGENT")
	if mode == "" {
		t.Skip("SKIPPED: only as the agent of TestRecord")
	}
	defer os.Exit(map[string]int{"fails": 7}[mode])
	switch {
	case mode == "silent":
		return
	case mode == "writes" && os.Getenv("BOUNDCHECK_TASK") != "lazy":
		trace := `[{"name":"` + strings.TrimPrefix(os.Args[len(os.Args)-1], "task=") + `"}]`
		if err := os.WriteFile(os.Getenv("BOUNDCHECK_TRACES")+"/"+"any.json", []byte(trace), 0o644); err != nil {
			panic(err)
		}
		return
	case mode == "writes":
		return
	}
	messages := `{"role":"user","content":"I am C-1: cancel my order W-7"}`
	for _, answer := range []string{"pending", `{\"ok\":true}`, `{\"ok\":true}`, ""} {
		r, err := http.Post(os.Getenv("OPENAI_BASE_URL")+"/chat/completions", "application/json", strings.NewReader(`{"model":"m","stream":true,"messages":[`+messages+`]}`))
		if err != nil {
			panic(err)
		}
		text, _ := io.ReadAll(r.Body)
		r.Body.Close()
		i := strings.Index(string(text), `"name":"`)
		if i < 0 {
			return
		}
		name, _, _ := strings.Cut(string(text)[i+len(`"name":"`):], `"`)
		messages += fmt.Sprintf(`,{"role":"assistant","content":"","tool_calls":[{"id":"%s","type":"function","function":{"name":"%s","arguments":"{\"order_id\":\"W-7\"}"}}]}`, name, name) +
			fmt.Sprintf(`,{"role":"tool","tool_call_id":"%s","content":"%s"}`, name, answer)
	}
}

// TestRecord checks that an unchanged agent can be recorded behind a proxy. The
// conversation must become a trace, and a reference must be made from the trace.
func TestRecord(t *testing.T) {
	asked := 0
	var plan atomic.Value // the calls that the model makes, one in each turn
	plan.Store([]string{"get_order", "cancel_order"})
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.URL.Path != "/base/chat/completions" {
			t.Errorf("the model is asked at %s", r.URL.Path)
		}
		asked++
		w.Header().Set("Content-Type", "text/event-stream")
		for _, name := range plan.Load().([]string) {
			if !bytes.Contains(body, []byte(name)) {
				fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"%s\",\"function\":{\"name\":\"%s\",\"arguments\":\"{\\\"order_id\\\":\"}}]}}]}\n\n", name, name)
				fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"\\\"W-7\\\"}\"}}]}}]}\n\ndata: [DONE]\n\n")
				return
			}
		}
		fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Done.\"}}]}\n\ndata: [DONE]\n\n")
	}))
	defer model.Close()
	t.Chdir(t.TempDir())
	agent := func(mode string, flags ...string) (int, string) {
		t.Helper()
		t.Setenv("BOUNDCHECK_TEST_AGENT", mode)
		code, out, errs := runCommand("", append(append([]string{"record", "--upstream", model.URL + "/base"}, flags...), "--", os.Args[0], "-test.run=TestRecordedAgent")...)
		return code, out + errs
	}
	if code, said := agent("works", "--out", "traces/cancel.jsonl"); code != cmd.ExitOK || !strings.Contains(said, "traces/cancel.jsonl: 2 calls in 1 conversation") || asked != 3 {
		t.Fatalf("exit %d, asked %d times\n%s", code, asked, said)
	}
	walk := func(want int, part string, args ...string) {
		t.Helper()
		if code, out, errs := runCommand("", args...); code != want || !strings.Contains(out+errs, part) {
			t.Fatalf("%q: exit %d, want %d with %q\n%s%s", args, code, want, part, out, errs)
		}
	}
	walk(cmd.ExitOK, "", "reference", "new", "traces/cancel.jsonl", "--out", "refs/cancel.yaml")
	walk(cmd.ExitOK, "1 passed, 0 failed", "test")
	plan.Store([]string{"get_order", "cancel_order", "refund_order"})
	if code, said := agent("works", "--out", "traces/cancel.jsonl"); code != cmd.ExitOK || !strings.Contains(said, "3 calls") {
		t.Fatalf("exit %d\n%s", code, said)
	}
	walk(cmd.ExitFailed, "\n      + refund_order(order_id=\"W-7\")\n", "test")
	walk(cmd.ExitOK, "wrote refs/cancel.yaml", "test", "--update")
	walk(cmd.ExitOK, "1 passed, 0 failed", "test")
	plan.Store([]string{"get_order", "cancel_order"})
	text, _ := os.ReadFile("refs/cancel.yaml")
	if !strings.Contains(string(text), "name: cancel_order") || !strings.Contains(string(text), "order_id: W-7") {
		t.Errorf("the reference is\n%s", text)
	}
	if code, said := agent("fails"); code != 7 || !strings.Contains(said, "trace.jsonl: 2 calls") {
		t.Errorf("a command that fails: exit %d\n%s", code, said)
	}
	if code, said := agent("silent"); code != cmd.ExitInput || !strings.Contains(said, "nothing was recorded") {
		t.Errorf("a command that asks nothing: exit %d\n%s", code, said)
	}
	for want, args := range map[string][]string{"missing COMMAND": {"record"}, "invalid --upstream": {"record", "--upstream", "host", "--", "true"}} {
		if code, _, errs := runCommand("", args...); code != cmd.ExitUsage || !strings.Contains(errs, want) {
			t.Errorf("%q: exit %d %s", args, code, errs)
		}
	}
	if code, _, errs := runCommand("", "record", "--upstream", model.URL, "--", "no-such-program-here"); code != cmd.ExitInput || !strings.Contains(errs, "no-such-program-here") {
		t.Errorf("a program that is not there: exit %d %s", code, errs)
	}
}

// TestFreshTraces checks "test -- COMMAND": only what the command did counts, a task for
// which it did nothing fails, and so does a command that fails.
func TestFreshTraces(t *testing.T) {
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		if bytes.Contains(body, []byte("get_order")) {
			fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Done.\"}}]}\n\ndata: [DONE]\n\n")
			return
		}
		fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"1\",\"function\":{\"name\":\"get_order\",\"arguments\":\"{}\"}}]}}]}\n\ndata: [DONE]\n\n")
	}))
	defer model.Close()
	t.Chdir(t.TempDir())
	check := func(mode string, code int, flags []string, parts ...string) {
		t.Helper()
		t.Setenv("BOUNDCHECK_TEST_AGENT", mode)
		args := append([]string{"test", "--upstream", model.URL}, flags...)
		got, out, errs := runCommand("", append(args, "--", os.Args[0], "-test.run=TestRecordedAgent", "task={task}")...)
		for _, p := range parts {
			if got != code || !strings.Contains(out+errs, p) {
				t.Errorf("%s %q: exit %d, want %d with %q\n%s%s", mode, flags, got, code, p, out, errs)
			}
		}
	}
	check("works", cmd.ExitInput, nil, "no references in folder refs")
	clitest.WriteFile(t, "refs/get_order.yaml", "steps:\n  - get_order\n")
	clitest.WriteFile(t, "traces/get_order.json", `[{"name":"delete_order"}]`) // an old trace
	check("works", cmd.ExitOK, nil, "1 passed, 0 failed")
	check("works", cmd.ExitOK, []string{"--keep", "kept"}, "1 passed, 0 failed")
	check("works", cmd.ExitInput, []string{"--keep", "kept"}, "not empty")
	if text, err := os.ReadFile("kept/get_order.recorded.jsonl"); err != nil || !strings.Contains(string(text), "get_order") {
		t.Errorf("the kept trace: %v %s", err, text)
	}
	check("fails", cmd.ExitFailed, nil, "FAIL  get_order  the command ended with exit code 7", "1 passed, 1 failed")
	check("silent", cmd.ExitFailed, nil, "FAIL  refs/get_order.yaml  no trace belongs to this reference", "0 passed, 1 failed")
	check("silent", cmd.ExitFailed, []string{"--allow-missing"}, "note  refs/get_order.yaml", "no trace was tested", "0 passed, 1 failed")
	check("writes", cmd.ExitOK, nil, "ok    get_order/any.json", "1 passed, 0 failed")

	clitest.WriteFile(t, "refs/suite.yaml", "tasks:\n  - {id: lazy, steps: [a]}\n  - {id: cancel_order, steps: [cancel_order]}\n")
	check("writes", cmd.ExitFailed, nil, "FAIL  refs/suite.yaml task lazy  no trace", "2 passed, 1 failed")
	clitest.WriteFile(t, "refs/get_order.yaml", "# Made by boundcheck reference new from get_order/any.json (1 run).\nsteps:\n  - name: get_order\n    arguments: {id: 1}\n")
	check("writes", cmd.ExitFailed, []string{"--update"}, "wrote refs/get_order.yaml", "2 passed, 1 failed")
	for want, args := range map[string][]string{"missing COMMAND": {"test", "--"}, "need -- COMMAND": {"test", "--keep", "x"}, "--watch cannot": {"test", "--watch", "--", "x"}} {
		if code, _, errs := runCommand("", args...); code != cmd.ExitUsage || !strings.Contains(errs, want) {
			t.Errorf("%q: exit %d %s", args, code, errs)
		}
	}
}

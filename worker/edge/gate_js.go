//go:build !batches

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"syscall/js"
	"time"

	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/worker"
	"github.com/boundcheck/boundcheck/worker/edge/setup"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/d1"
	"github.com/boundcheck/boundcheck/worker/gate/store"
	"github.com/boundcheck/boundcheck/worker/proxy"
	"github.com/boundcheck/boundcheck/worker/settings"
)

// exportGate sets the properties of out that gate.mjs uses: limit, proxied, setup,
// handle, work, settle and cancel.
func exportGate(out js.Value) {
	s := &server{waits: map[int]chan settled{}, calls: map[int]context.CancelFunc{}}
	e := &edge{server: s, plain: worker.Handler(worker.Options{}), zones: out.Get("zoneOffset")}
	s.handler = e
	export := func(name string, fn func(args []js.Value) any) {
		out.Set(name, js.FuncOf(func(_ js.Value, args []js.Value) any { return fn(args) }))
	}
	out.Set("limit", gateLimit+1)
	out.Set("proxied", setup.ProxyLimit+1)
	export("setup", e.setupGate)
	export("work", e.doBackgroundWork)
	export("handle", s.handleRequest)
	export("settle", s.settleWait)
	export("cancel", s.cancelRequest)
}

// gateLimit is the largest number of body bytes that is read. The gate's own limit is
// lower.
const gateLimit = 1 << 20

// edge is the Worker's http.Handler. It serves the gate's paths and the gate's health.
// For all other paths it returns the answers of the native server.
type edge struct {
	*server
	gate    *gate.Gate
	pages   http.Handler // the gate, with a log of what it refuses
	chat    *proxy.Proxy // nil without an upstream
	tools   http.Handler // nil without an MCP server
	trouble string       // why there is no gate
	zones   js.Value     // zoneOffset of zones.mjs
	plain   http.Handler
}

// setupGate makes the gate from the Worker's variables, which args[0] contains as a JSON
// object. It returns whether the gate tells somebody what happens. If a setting is missing or wrong, it
// returns false, and the gate answers every request with an error that names the setting.
func (e *edge) setupGate(args []js.Value) any {
	e.gate, e.chat, e.tools, e.trouble = nil, nil, nil, ""
	var vars map[string]string
	err := json.Unmarshal([]byte(args[0].String()), &vars)
	var o gate.Options
	if err == nil {
		o, err = setup.Options(vars, transport{e.server})
	}
	if err == nil && o.Policy != nil {
		if err = o.Policy.SetZone(e.zoneOffset); err != nil {
			err = &setup.Error{Setting: settings.Policy, Err: err}
		}
	}
	if err == nil {
		db := d1.Open(e.queryD1)
		db.SetMaxIdleConns(100)
		o.Store, o.Sleep, o.Describe = store.NewStore(db, db), e.sleepInHost, gate.DescribeBatches
		e.gate, err = gate.New(o)
	}
	if err == nil {
		e.pages = e.gate.Logged(e.gate, logPage)
		e.chat, e.tools, err = setup.Proxies(vars, e.gate, transport{e.server})
	}
	if err != nil {
		e.gate = nil
		e.trouble = "the gate is not set up. The Worker's log gives the reason, and docs/deploy.md describes the steps"
		var which *setup.Error
		if errors.As(err, &which) {
			e.trouble = "the gate is not set up: " + which.Setting + " is missing or cannot be used; see the Worker's log and docs/deploy.md"
		}
		js.Global().Get("console").Call("error", "gate: "+err.Error())
		return false
	}
	if e.chat != nil {
		for _, warning := range e.chat.Warnings() {
			js.Global().Get("console").Call("warn", "gate: "+warning)
		}
	}
	return len(o.Hooks)+len(o.Messengers) > 0
}

// zoneOffset asks the platform for the offset of a time zone.
func (e *edge) zoneOffset(name string, at int64) (offset int, ok bool) {
	if e.zones.Type() != js.TypeFunction {
		return 0, false
	}
	v := e.zones.Invoke(name, at)
	if v.Type() != js.TypeNumber {
		return 0, false
	}
	return v.Int(), true
}

func (e *edge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch path := r.URL.Path; {
	case path == "/healthz" && (r.Method == "GET" || r.Method == "HEAD"):
		e.serveHealth(w, r)
	case e.chat != nil && proxy.Serves(path):
		e.chat.ServeHTTP(w, r)
	case e.tools != nil && strings.HasPrefix(path, "/mcp/"):
		e.tools.ServeHTTP(w, r)
	case proxy.Serves(path):
		status, hint := 404, "this gate has no model API: set BOUNDCHECK_UPSTREAM"
		if e.trouble != "" {
			status, hint = 503, e.trouble
		}
		proxy.NotSetUp(w, r, status, hint)
	case e.trouble != "" && strings.HasPrefix(path, "/mcp/"):
		writeJSON(w, 503, wire.Fail(gate.CodeUnavailable, e.trouble))
	case !gate.Serves(path):
		e.plain.ServeHTTP(w, r)
	case e.gate == nil:
		writeJSON(w, 503, wire.Fail(gate.CodeUnavailable, e.trouble))
	case gate.ServesPage(path):
		e.pages.ServeHTTP(w, r)
	default:
		e.gate.ServeHTTP(w, r)
	}
}

// logPage logs why a request for a page was refused. A failed statement is in the log
// already.
func logPage(_ context.Context, l gate.Line) {
	if l.Cause != nil {
		js.Global().Get("console").Call("error", fmt.Sprintf("gate: %s %s: %d: %v", l.Method, l.Path, l.Status, l.Cause))
	}
}

// serveHealth answers a request for the health of the server. If the gate is not set up,
// or if its store does not accept a write, the status is 503. Otherwise the answer is the
// same as from the native server.
func (e *edge) serveHealth(w http.ResponseWriter, r *http.Request) {
	if e.gate == nil {
		writeJSON(w, 503, wire.Fail(gate.CodeUnavailable, e.trouble))
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), 5*time.Second)
	defer cancel()
	if err := e.gate.Healthy(ctx); err != nil {
		js.Global().Get("console").Call("error", "gate: "+err.Error())
		writeJSON(w, 503, wire.Fail(gate.CodeUnavailable, "the gate's store does not answer, or has no tables yet"))
		return
	}
	e.plain.ServeHTTP(w, r)
}

func writeJSON(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	w.Write(body)
}

// doBackgroundWork delivers events to the webhooks. If the argument all is true, it first
// calls Housekeep. JavaScript calls it as work(number, host, all).
func (e *edge) doBackgroundWork(args []js.Value) any {
	n, host, all := args[0].Int(), args[1], args[2].Bool()
	ctx := e.beginRequest(n, host)
	go func() {
		var err error
		if e.gate != nil && all {
			err = e.gate.Housekeep(ctx)
		}
		if e.gate != nil {
			err = errors.Join(err, e.gate.Deliver(ctx))
		}
		e.endRequest(n)
		text := ""
		if err != nil {
			text = err.Error()
		}
		host.Call("done", text)
	}()
	return nil
}

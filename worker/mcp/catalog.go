package mcp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// tool is one definition of a server, with its pin.
type tool struct {
	raw        jsonval.Value // as the server sent it
	pin        store.Pin
	definition mutation.Tool // under the name mcp__SERVER__TOOL
	parameters []parameter
}

// qualifiedName returns the name of a tool in the policy, the records and the audit.
// Names of servers contain no underscore, so no two tools share a name.
func qualifiedName(server, tool string) string { return "mcp__" + server + "__" + tool }

// readTool parses a definition. The result ok is false if the definition is ambiguous or
// if clients must refuse it.
func readTool(s *Server, v jsonval.Value) (t tool, ok bool) {
	name, text := v.Get("name").Str()
	if !text || name == "" || len(name) > 200 || checkDuplicates(v, "the definition", "name", "annotations", "inputSchema", "_meta") != nil {
		return t, false
	}
	for _, r := range name {
		if !unicode.IsPrint(r) || r == ' ' || r == unicode.ReplacementChar {
			return t, false
		}
	}
	list, err := mutation.ReadTools(mustParse("[" + v.Raw() + "]"))
	if err != nil {
		return t, false
	}
	t.raw, t.definition = v, list[0]
	t.definition.Name = qualifiedName(s.Name, name)
	t.pin = store.Pin{Server: s.Name, Tool: name, Text: v.Canonical()}
	t.pin.Hash = definitionHash(s.Name, name, t.pin.Text)
	t.parameters, ok = mirroredParameters(v.Get("inputSchema"))
	return t, ok
}

// mustParse parses a text that is known to be JSON because it was assembled from JSON.
func mustParse(text string) jsonval.Value {
	v, err := jsonval.Parse(text)
	if err != nil {
		return jsonval.Value{}
	}
	return v
}

// definitionHash returns the hash of a definition's parts, each preceded by its length.
// The caller passes the definition as canonical text, so the order of its members does
// not change the hash.
func definitionHash(parts ...string) string {
	h := sha256.New()
	for _, p := range append([]string{"boundcheck.definition/1"}, parts...) {
		fmt.Fprintf(h, "%d:%s,", len(p), p)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// hasTrustedHints reports whether a tool's hints are trusted.
func (t *tool) hasTrustedHints(s *Server) bool { return s.Trusted && t.pin.Reviewed && !t.pin.Held() }

// catalog holds the current tools of a server.
type catalog struct {
	tools    map[string]*tool
	order    []string
	withheld int // number of definitions that cannot be passed on
	first    jsonval.Value
	ttl      int64 // milliseconds
}

// Limits of a listing.
const (
	maxPages = 100
	maxTools = 5000
)

func lookID() jsonval.Value { return mustParse(`"boundcheck-list"`) }

// fetchTools returns the server's tools from all pages of its list.
func (h *Handler) fetchTools(ctx context.Context, q *query) (c catalog, f *fault) {
	c.tools, c.ttl = map[string]*tool{}, -1
	cursor := ""
	for range maxPages {
		got, f := h.exchangeMessage(ctx, q, h.newListRequest(ctx, q, cursor), lookID())
		if f != nil {
			return c, f
		}
		if got.failed.Exists() || got.result.Get("tools").Kind() != jsonval.Array {
			return c, troubleFault("the MCP server %s does not list its tools", q.server.Name)
		}
		if !c.first.Exists() {
			c.first = got.result
		}
		ttl, _ := got.result.Get("ttlMs").Int()
		if c.ttl < 0 || ttl < c.ttl {
			c.ttl = max(0, ttl)
		}
		for _, v := range got.result.Get("tools").Elements() {
			c.addDefinition(q.server, v)
		}
		if len(c.order) > maxTools {
			return c, troubleFault("the MCP server %s lists more than %d tools", q.server.Name, maxTools)
		}
		if cursor, _ = got.result.Get("nextCursor").Str(); cursor == "" {
			return c, nil
		}
	}
	return c, troubleFault("the MCP server %s lists its tools on more than %d pages", q.server.Name, maxPages)
}

// addDefinition adds a definition. If two definitions have the same name, neither is
// passed on.
func (c *catalog) addDefinition(s *Server, v jsonval.Value) {
	t, ok := readTool(s, v)
	name := t.pin.Tool
	if s.isHidden(name) {
		return
	}
	if !ok {
		c.withheld++
		return
	}
	if _, twice := c.tools[name]; twice {
		c.withheld++
		c.tools[name] = nil
		return
	}
	c.tools[name] = &t
	c.order = append(c.order, name)
}

// newListRequest returns the gate's own request for a page of tools.
func (h *Handler) newListRequest(ctx context.Context, q *query, cursor string) *http.Request {
	params := map[string]any{}
	if cursor != "" {
		params["cursor"] = cursor
	}
	return h.newOwnRequest(ctx, q, lookID(), "tools/list", params)
}

// newOwnRequest returns a request of the gate itself, in the client's session and without
// the headers that repeat the client's message.
func (h *Handler) newOwnRequest(ctx context.Context, q *query, id jsonval.Value, method string, params map[string]any) *http.Request {
	if q.modern {
		params["_meta"] = map[string]any{metaVersion: modernVersion, metaCapabilities: map[string]any{}, metaClient: gateInfo()}
	}
	body := encodeLine(map[string]any{"jsonrpc": "2.0", "id": id.Text(), "method": method, "params": params})
	r := h.newRequest(ctx, q, []byte(body))
	for name := range r.Header {
		if name == "Mcp-Name" || name == "Mcp-Method" || strings.HasPrefix(name, "Mcp-Param-") {
			r.Header.Del(name)
		}
	}
	if q.modern {
		r.Header.Set("Mcp-Method", method)
	}
	r.Header.Set("Accept", "application/json, text/event-stream")
	return r
}

func gateInfo() map[string]any { return map[string]any{"name": "boundcheck-gate", "version": "1"} }

// leastFresh is the shortest time for which a listing is used for calls that are not
// held. A new listing before every read would double the load of the server.
const leastFresh = 5 * time.Second

// findPinned returns the pinned definition of one tool. It returns nil if there is no
// such tool, or if the last list from the server is too old.
func (h *Handler) findPinned(ctx context.Context, q *query, name string) (*tool, *fault) {
	h.mu.Lock()
	fresh := time.Now().Before(h.fresh[q.definitionsKey()])
	h.mu.Unlock()
	if !fresh {
		return nil, nil
	}
	pins, err := h.Gate.Store.Pin(ctx, q.who.Tenant, q.server.Name, name)
	if err != nil {
		return nil, storeFault(ctx, err)
	}
	if len(pins) == 0 {
		return nil, nil
	}
	t, ok := readTool(q.server, mustParse(pins[0].Text))
	if !ok || t.pin.Hash != pins[0].Hash {
		return nil, nil
	}
	t.pin = pins[0]
	return &t, nil
}

// loadTools lists the server's current tools with their pins.
func (h *Handler) loadTools(ctx context.Context, q *query) (c catalog, f *fault) {
	if c, f = h.fetchTools(ctx, q); f != nil {
		return c, f
	}
	if err := h.pinAll(ctx, q, &c); err != nil {
		return c, storeFault(ctx, err)
	}
	h.mu.Lock()
	h.fresh[q.definitionsKey()] = time.Now().Add(max(leastFresh, time.Duration(min(c.ttl, int64(time.Hour/time.Millisecond)))*time.Millisecond))
	h.mu.Unlock()
	return c, nil
}

// pinAll compares a list of tools with the stored pins, and stores new and changed
// definitions:
//
//   - A definition in the first list is pinned and counts as reviewed.
//   - A definition that appears later is pinned, but its hints are not trusted.
//   - A definition that has changed is held.
func (h *Handler) pinAll(ctx context.Context, q *query, c *catalog) error {
	pins, err := h.Gate.Store.Pins(ctx, q.who.Tenant, q.server.Name)
	if err != nil {
		return err
	}
	known := map[string]*store.Pin{}
	for i := range pins {
		known[pins[i].Tool] = &pins[i]
	}
	var fresh []store.Pin
	now := h.Gate.Now()
	for _, name := range c.order {
		t := c.tools[name]
		if t == nil {
			continue
		}
		old := known[name]
		if old == nil {
			t.pin.Pinned, t.pin.PinnedText, t.pin.Reviewed, t.pin.Since = t.pin.Hash, t.pin.Text, len(pins) == 0, now
			fresh = append(fresh, t.pin)
			continue
		}
		moved := store.Pin{Server: old.Server, Tool: name, Hash: t.pin.Hash, Text: t.pin.Text, Since: now}
		if t.pin.Hash != old.Hash {
			news, err := h.Gate.Store.MovePin(ctx, q.who.Tenant, moved)
			if err == nil && news {
				err = h.noteChange(ctx, q, &moved, "the definition has changed: "+changeEffect(moved.Hash == old.Pinned))
			}
			if err != nil {
				return err
			}
		}
		t.pin.Pinned, t.pin.PinnedText, t.pin.Reviewed, t.pin.Since = old.Pinned, old.PinnedText, old.Reviewed, old.Since
	}
	if len(fresh) == 0 {
		return nil
	}
	if err := h.Gate.Store.NewPins(ctx, q.who.Tenant, fresh); err != nil {
		return err
	}
	for i := range fresh {
		text := "the definition was seen for the first time and pinned"
		if len(pins) > 0 {
			text = "the tool was added after the first listing. Its definition was pinned, but its hints are not trusted"
		}
		if err := h.noteChange(ctx, q, &fresh[i], text); err != nil {
			return err
		}
	}
	return nil
}

func changeEffect(back bool) string {
	if back {
		return "the definition is the pinned definition again"
	}
	return "the tool is held until an approver accepts the definition"
}

// noteChange records a change of a definition in the audit.
func (h *Handler) noteChange(ctx context.Context, q *query, p *store.Pin, text string) error {
	return h.Gate.Store.Note(ctx, machine.Entry{
		Version: 1, Tenant: q.who.Tenant, Event: "definition", At: h.Gate.Now(), Tool: qualifiedName(p.Server, p.Tool), Digest: p.Hash, Text: text,
	})
}

// The gate's own members of _meta.
const (
	metaGate     = "io.github.boundcheck/gate"
	metaApproval = "io.github.boundcheck/approval"
	metaAsk      = "anthropic/requiresUserInteraction"
)

// handleList answers tools/list with all tools that may be called, on one page. Each tool
// has the gate's hints.
func (h *Handler) handleList(q *query) *fault {
	if cursor, _ := q.params.Get("cursor").Str(); cursor != "" {
		return invalidFault(codeParams, "invalid cursor: this list has one page")
	}
	ctx, cancel := context.WithTimeout(q.Context(), patience)
	defer cancel()
	c, f := h.loadTools(ctx, q)
	if f != nil {
		return f
	}
	var tools []string
	held := 0
	for _, name := range c.order {
		t := c.tools[name]
		switch {
		case t == nil:
		case t.pin.Held():
			held++
		default:
			tools = append(tools, h.annotateTool(q, t))
		}
	}
	changes := []member{{"tools", "[" + strings.Join(tools, ",") + "]"}, {"nextCursor", ""}}
	if q.modern {
		changes = append(changes, member{"ttlMs", strconv.FormatInt(c.ttl, 10)}, member{"cacheScope", `"private"`})
	}
	if held+c.withheld > 0 {
		about := encodeLine(map[string]any{"held": held, "withheld": c.withheld, "url": h.Gate.Page("/definitions")})
		changes = append(changes, member{"_meta", withMembers(c.first.Get("_meta"), member{metaGate, about})})
	}
	q.out.writeFinal(200, resultAnswer(q.id, withMembers(c.first, changes...)))
	return nil
}

// annotateTool returns a definition with the gate's hints in place of the server's hints.
// The hints of a server that is not trusted can only make the verdict stricter.
func (h *Handler) annotateTool(q *query, t *tool) string {
	definition := t.definition
	definition.Trusted = t.hasTrustedHints(q.server)
	v, destructive := h.Gate.Policy().Judge(definition)
	said := t.raw.Get("annotations")
	changes := []member{{"readOnlyHint", strconv.FormatBool(!v.Counts())}}
	if v.Counts() {
		changes = append(changes, member{"destructiveHint", strconv.FormatBool(destructive || !definition.Trusted || hintValue(said, "destructiveHint", true))})
	} else {
		changes = append(changes, member{"destructiveHint", ""})
	}
	if !definition.Trusted {
		changes = append(changes, member{"idempotentHint", ""}, member{"openWorldHint", "true"})
	}
	all := []member{{"annotations", withMembers(said, changes...)}}
	if q.server.Ask == AskHost && v.Counts() && !destructive {
		all = append(all, member{"_meta", withMembers(t.raw.Get("_meta"), member{metaAsk, "true"})})
	}
	return withMembers(t.raw, all...)
}

// hintValue returns the value of the hint with the given name. If the hint is missing, it
// returns otherwise, which must be the protocol's default.
func hintValue(v jsonval.Value, name string, otherwise bool) bool {
	if b, ok := v.Get(name).Bool(); ok {
		return b
	}
	return otherwise
}

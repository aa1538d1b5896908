package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/preview"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// This file holds one law: a preview never changes anything. It runs only if the policy and
// the classifier prove that it reads, by what the operator says of the tool and never by a
// rule that allows a change. The agent does not see its result.

const (
	previewLimit = 5 * time.Second // for the whole preview
	mostPreview  = 16 << 10        // bytes of its result that are kept
)

// readState reads the present state about a call that begins to wait, if the policy names a
// call for this, and keeps it beside the question. That it could not be read is kept, too.
func (h *Handler) readState(c *call, r *machine.Record) {
	rule, _ := h.Gate.Policy().Rule(c.tool)
	if rule.Preview == nil || h.Elsewhere != nil {
		return
	}
	ctx, cancel := context.WithTimeout(c.Context(), previewLimit)
	defer cancel()
	state := store.Preview{Call: rule.Preview.String()}
	text, err := h.runPreview(ctx, c, rule.Preview, &state)
	if err != nil {
		state.Problem = err.Error()
	} else if state.Text = text; len(text) > mostPreview {
		state.Text = strings.ToValidUTF8(text[:mostPreview], "") + " … (cut here)"
	}
	within, stop := context.WithTimeout(context.WithoutCancel(c.Context()), patience)
	defer stop()
	h.Gate.KeepPreview(within, c.who, r, state) // without it, the page says that nothing was read
}

// runPreview makes the call of a preview and returns its result as text.
func (h *Handler) runPreview(ctx context.Context, c *call, p *preview.Call, state *store.Preview) (string, error) {
	arguments, err := p.Arguments(mustParse(c.arguments))
	if err != nil {
		return "", err
	}
	name := strings.TrimPrefix(p.Tool, qualifiedName(c.server.Name, ""))
	list, f := h.loadTools(ctx, c.query)
	if f != nil {
		return "", f
	}
	found := list.tools[name]
	if found == nil || found.pin.Held() {
		return "", errors.New("the server has no such tool, or its definition waits for a review")
	}
	read := &call{query: c.query, name: name, tool: qualifiedName(c.server.Name, name), arguments: arguments, found: found}
	state.Call = name + " " + arguments
	a, trusted := h.newAsk(read)
	if err := proposal.Inspect(read.tool, arguments); err != nil {
		return "", err
	}
	switch why, err := h.Gate.OnlyReads(ctx, a, trusted...); {
	case err != nil:
		return "", err
	case why != "":
		return "", errors.New("it was not run, because " + why)
	}
	params := map[string]any{"name": name, "arguments": json.RawMessage(arguments)}
	id := mustParse(`"boundcheck-preview"`)
	request := h.newOwnRequest(ctx, c.query, id, "tools/call", params)
	if c.modern {
		request.Header.Set("Mcp-Name", name)
		read.mirrorArguments(request.Header, arguments)
	}
	got, f := h.exchangeMessage(ctx, c.query, request, id)
	switch {
	case f != nil:
		return "", f
	case got.failed.Exists():
		return "", errors.New("the server answered with an error: " + got.failed.Get("message").Text())
	}
	text := stateText(got.result)
	if end := responseEnding(got.response); end.state != machine.Executed {
		return "", errors.New("the tool did not answer: " + text)
	}
	return text, nil
}

// stateText returns the result of a read: its structured content, or else its texts.
func stateText(result jsonval.Value) string {
	if v := result.Get("structuredContent"); v.Kind() == jsonval.Object {
		return v.Raw()
	}
	return resultText(result)
}

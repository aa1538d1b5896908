package mcp

import (
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// heardResults holds the latest results of each agent's calls, in the memory of this
// process. A client of MCP sends no conversation, so they are all that the gate knows of
// what the model has read. They only make a verdict stricter: a call is held if a result
// asks for it.
type heardResults struct {
	mu    sync.Mutex
	by    map[[2]string]*heard // tenant and agent
	order [][2]string
}

type heard struct {
	results *proposal.Conversation
	at      int64 // the time of the last result
}

// Limits of what is kept: agents, and the time after an agent's last result.
const (
	mostAgents = 200
	heardFor   = 60 * 60 * 1000 // milliseconds
)

// addResult adds the result of a call.
func (x *heardResults) addResult(c *call, result jsonval.Value, now int64) {
	text := resultText(result)
	if strings.TrimSpace(text) == "" {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	key := [2]string{c.who.Tenant, c.who.Name}
	h := x.by[key]
	if h == nil || now-h.at > heardFor {
		if h == nil {
			x.forgetOldest()
			x.order = append(x.order, key)
		}
		h = &heard{results: &proposal.Conversation{}}
		x.by[key] = h
	}
	h.at = now
	h.results.AddResult(c.name, text)
}

func (x *heardResults) forgetOldest() {
	if x.by == nil {
		x.by = map[[2]string]*heard{}
	}
	if len(x.order) >= mostAgents {
		delete(x.by, x.order[0])
		x.order = x.order[1:]
	}
}

// latestOf returns the latest results of an agent's calls, or nil if there are none.
func (x *heardResults) latestOf(c *call, now int64) *proposal.Conversation {
	x.mu.Lock()
	defer x.mu.Unlock()
	h := x.by[[2]string{c.who.Tenant, c.who.Name}]
	if h == nil || now-h.at > heardFor {
		return nil
	}
	return h.results.Copy()
}

// resultText returns the texts of a result: of its content, and of its structured content.
func resultText(result jsonval.Value) string {
	var parts []string
	for _, m := range result.Get("content").Elements() {
		if text, ok := m.Get("text").Str(); ok {
			parts = append(parts, text)
		}
		if text, ok := m.At("resource", "text").Str(); ok {
			parts = append(parts, text)
		}
	}
	if m := result.Get("structuredContent"); m.Kind() == jsonval.Object {
		parts = append(parts, m.Raw())
	}
	return strings.Join(parts, "\n")
}

package mcp

import (
	"context"
	"net/http"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/mutation"
)

// Scan returns the tools of a server under their names in the policy, and the number of
// definitions that a gate would not pass on. It opens a session of the latest revision
// with a handshake, and calls no tool.
func Scan(ctx context.Context, s Server) (tools []mutation.Tool, withheld int, err error) {
	if err := s.checkSettings(); err != nil {
		return nil, 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "POST", s.Path(), nil)
	if err != nil {
		return nil, 0, err
	}
	h, q := &Handler{}, &query{Request: r, server: &s}
	hello := encodeLine(map[string]any{"jsonrpc": "2.0", "id": lookID().Text(), "method": "initialize",
		"params": map[string]any{"protocolVersion": legacyVersions[0], "capabilities": map[string]any{}, "clientInfo": gateInfo()}})
	got, f := h.exchangeMessage(ctx, q, h.newRequest(ctx, q, []byte(hello)), lookID())
	if f != nil {
		return nil, 0, f
	}
	if got.failed.Exists() {
		return nil, 0, troubleFault("the MCP server %s refuses the handshake: %.200s", s.Name, got.failed.Get("message").Text())
	}
	if _, err := s.roundTrip(h, h.newRequest(ctx, q, []byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`))); err != nil {
		return nil, 0, err
	}
	c, f := h.fetchTools(ctx, q)
	if f != nil {
		return nil, 0, f
	}
	for _, name := range c.order {
		if t := c.tools[name]; t != nil {
			tools = append(tools, t.definition)
		}
	}
	return tools, c.withheld, nil
}

// NameOf returns a server's name that is made from its command: the last word of the
// first argument that is neither an option nor the name of a program that starts others.
func NameOf(command []string) string {
	for _, word := range command {
		word = strings.ToLower(word[strings.LastIndexAny(word, `/\`)+1:])
		word, _, _ = strings.Cut(word, "@")
		word = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(word, ".js"), ".py"), ".exe")
		switch word {
		case "npx", "node", "bunx", "bun", "deno", "uvx", "uv", "pipx", "python", "python3", "docker", "run", "exec", "sh", "env", "cmd":
			continue
		}
		if strings.HasPrefix(word, "-") || strings.Contains(word, "=") {
			continue
		}
		name := strings.Trim(strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
				return r
			}
			return '-'
		}, word), "-")
		for strings.Contains(name, "--") {
			name = strings.ReplaceAll(name, "--", "-")
		}
		if name != "" {
			return name[:min(len(name), 40)]
		}
	}
	return "server"
}

package setup

import (
	"database/sql"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

func someGate(t *testing.T) *gate.Gate {
	t.Helper()
	keys, err := gate.ReadKeys("t agent bot sha256:" + strings.Repeat("0", 64))
	if err != nil {
		t.Fatal(err)
	}
	g, err := gate.New(gate.Options{URL: "https://gate.example", Keys: keys, Secret: make([]byte, 32), Store: store.NewStore(new(sql.DB), new(sql.DB))})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestProxies(t *testing.T) {
	g := someGate(t)
	check := func(chat, tools bool, vars map[string]string) {
		t.Helper()
		c, m, err := Proxies(vars, g, http.DefaultTransport)
		if err != nil || (c != nil) != chat || (m != nil) != tools {
			t.Errorf("%v: %v, %v, %v", vars, c != nil, m != nil, err)
		}
	}
	refuse := func(setting, why string, vars map[string]string) {
		t.Helper()
		_, _, err := Proxies(vars, g, http.DefaultTransport)
		var which *Error
		if !errors.As(err, &which) || which.Setting != setting || !strings.Contains(err.Error(), why) {
			t.Errorf("%v: %v, want %s: %s", vars, err, setting, why)
		}
	}
	const up = "https://model.example/v1"
	check(false, false, nil)
	check(true, false, map[string]string{Upstream: up, Key: "k", Reflect: "think", Blocks: "8", Budget: "1000", Aux: up + " small", Embed: up + " e"})
	check(true, false, map[string]string{Upstream: up, Ask: "page", Wait: "30s"})
	check(false, true, map[string]string{MCP: "shop=https://shop.example/mcp\n\nfiles-2=https://f.example/mcp trust form\n", "BOUNDCHECK_MCP_FILES_2": "Authorization: Bearer x"})
	refuse(Upstream, "", map[string]string{Upstream: "model.example"})
	refuse(Upstream, "think or react", map[string]string{Upstream: up, Reflect: "loudly"})
	refuse(Ask, `must be "conversation" or "page"`, map[string]string{Upstream: up, Ask: "nobody"})
	refuse(Wait, "up to 1m0s. A wait is allowed only with BOUNDCHECK_ASK=page", map[string]string{Upstream: up, Ask: "page", Wait: "5m"})
	refuse(Wait, "with BOUNDCHECK_ASK=page", map[string]string{Upstream: up, Wait: "5s"})
	refuse(Blocks, "whole number", map[string]string{Upstream: up, Blocks: "many"})
	refuse(Aux, "URL MODEL", map[string]string{Upstream: up, Aux: up})
	refuse(MCP, "NAME=URL", map[string]string{MCP: "https://shop.example/mcp"})
	refuse(MCP, "trust, form and host-asks", map[string]string{MCP: "shop=https://shop.example/mcp trusted"})
	refuse(MCP, "appears twice", map[string]string{MCP: "a=https://a.example/mcp\na=https://b.example/mcp"})
	refuse("BOUNDCHECK_MCP_SHOP", "Header: value", map[string]string{MCP: "shop=https://shop.example/mcp", "BOUNDCHECK_MCP_SHOP": "secret"})
}

//go:build !js

package gate

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"strings"

	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/mcp"
	"github.com/boundcheck/boundcheck/worker/mcp/sse"
)

// mcpFlags are the flags that describe the MCP servers behind a gate.
type mcpFlags struct {
	servers              []string // NAME=URL
	trusted, forms, host []string // names
}

func (f *mcpFlags) RegisterFlags(flags *flag.FlagSet) {
	list := func(name string, to *[]string) {
		flags.Func(name, "", func(s string) error { *to = append(*to, s); return nil })
	}
	list("mcp", &f.servers)
	list("mcp-trust", &f.trusted)
	list("mcp-form", &f.forms)
	list("mcp-host-asks", &f.host)
}

// readServers returns the MCP servers that the flags name. It reads the headers for each
// server from an environment variable.
func (f *mcpFlags) readServers() ([]mcp.Server, error) {
	var out []mcp.Server
	byName := map[string]int{}
	for _, s := range f.servers {
		name, url, ok := strings.Cut(s, "=")
		if !ok {
			return nil, fmt.Errorf("invalid --mcp %q: want NAME=URL", s)
		}
		header, err := mcp.ReadHeader(os.Getenv(mcp.Variable(name)))
		if err != nil {
			return nil, fmt.Errorf("invalid $%s: %w", mcp.Variable(name), err)
		}
		server := mcp.Server{Name: name, URL: url, Header: header}
		if old, is := strings.CutPrefix(url, "sse+"); is {
			if server.Transport, err = sse.NewUpstream(old, header, http.DefaultTransport); err != nil {
				return nil, fmt.Errorf("invalid --mcp %s: %w", name, err)
			}
		}
		byName[name] = len(out)
		out = append(out, server)
	}
	for flag, names := range map[string][]string{"mcp-trust": f.trusted, "mcp-form": f.forms, "mcp-host-asks": f.host} {
		for _, name := range names {
			i, ok := byName[name]
			if !ok {
				return nil, fmt.Errorf("unknown server %q in --%s: add the flag --mcp %s=URL", name, flag, name)
			}
			switch flag {
			case "mcp-trust":
				out[i].Trusted = true
			case "mcp-form":
				out[i].Form = true
			default:
				out[i].Ask = mcp.AskHost
			}
		}
	}
	return out, nil
}

// mountProxy returns a handler that sends requests below /mcp/ to the MCP proxy, and all
// others to next. Without MCP servers it returns next.
func (f *mcpFlags) mountProxy(g *gate.Gate, next http.Handler) (http.Handler, error) {
	servers, err := f.readServers()
	if err != nil || len(servers) == 0 {
		return next, err
	}
	handler, err := mcp.New(g, http.DefaultTransport, servers...)
	if err != nil {
		return nil, err
	}
	proxy := sse.NewFront(handler)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/mcp/") {
			proxy.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	}), nil
}

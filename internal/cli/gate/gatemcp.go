//go:build !js

package gate

import (
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/resource"
	"github.com/boundcheck/boundcheck/worker/mcp"
	"github.com/boundcheck/boundcheck/worker/mcp/sse"
)

// mcpFlags are the flags that describe the MCP servers behind a gate.
type mcpFlags struct {
	servers              []string // NAME=URL
	trusted, forms, host []string // names
	oauth                string   // words for resource.New; "" for keys alone
}

func (f *mcpFlags) RegisterFlags(flags *flag.FlagSet) {
	list := func(name string, to *[]string) {
		flags.Func(name, "", func(s string) error { *to = append(*to, s); return nil })
	}
	list("mcp", &f.servers)
	list("mcp-trust", &f.trusted)
	list("mcp-form", &f.forms)
	list("mcp-host-asks", &f.host)
	flags.StringVar(&f.oauth, "mcp-oauth", "", "")
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

// mountProxy returns a handler that sends requests below /mcp/ to the MCP proxy, those for the
// metadata of OAuth to its door, and all others to next. Without MCP servers it returns next.
func (f *mcpFlags) mountProxy(g *gate.Gate, next http.Handler) (http.Handler, error) {
	servers, err := f.readServers()
	if err != nil {
		return next, err
	}
	if claims := slices.ContainsFunc(g.Keys, func(k gate.Key) bool { return k.Claim != "" }); claims && f.oauth == "" {
		return nil, errors.New("a line of the keys has oauth:CLAIM=VALUE; add --mcp-oauth issuer=URL")
	}
	if len(servers) == 0 {
		if f.oauth != "" {
			err = errors.New("--mcp-oauth needs --mcp NAME=URL")
		}
		return next, err
	}
	handler, err := mcp.New(g, http.DefaultTransport, servers...)
	if err != nil {
		return nil, err
	}
	var door *resource.Door
	if f.oauth != "" {
		if door, err = resource.New(f.oauth, g, handler.HasServer); err != nil {
			return nil, fmt.Errorf("--mcp-oauth: %w", err)
		}
		handler.Door = door
	}
	proxy := sse.NewFront(handler)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch path := r.URL.Path; {
		case strings.HasPrefix(path, "/mcp/"):
			proxy.ServeHTTP(w, r)
		case door != nil && (path == resource.WellKnown || strings.HasPrefix(path, resource.WellKnown+"/")):
			door.ServeHTTP(w, r)
		default:
			next.ServeHTTP(w, r)
		}
	}), nil
}

package setup

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/mcp"
	"github.com/boundcheck/boundcheck/worker/proxy"
	"github.com/boundcheck/boundcheck/worker/settings"
)

// The settings of the proxies. BOUNDCHECK_MCP_NAME has the headers that server NAME gets,
// and belongs in a secret.
const (
	Upstream = settings.Upstream
	Key      = settings.UpstreamKey
	Ask      = settings.Ask
	Wait     = settings.Wait
	Reflect  = settings.Reflect
	Blocks   = settings.Blocks
	Budget   = settings.Budget
	Aux      = settings.Aux
	Explain  = settings.Explain
	Embed    = settings.Embed
	MCP      = settings.MCP
)

// ProxyLimit is the largest request, in bytes, that a proxy accepts at the edge, where
// an isolate has 128 MB for all its requests.
const ProxyLimit = 8 << 20

// maxWait is the longest time to wait for a decision. Every two seconds of waiting cost a
// statement, and the platform allows 50 statements a request.
const maxWait = time.Minute

// Proxies returns the handlers for chat completions and for MCP servers, as the settings
// require. A handler that no setting requires is nil.
func Proxies(vars map[string]string, g *gate.Gate, transport http.RoundTripper) (chat *proxy.Proxy, tools http.Handler, err error) {
	get := func(name string) string { return strings.TrimSpace(vars[name]) }
	if get(Upstream) != "" {
		o := proxy.Options{Gate: g, Upstream: proxy.Upstream{URL: get(Upstream), Key: get(Key), Transport: transport}, Reflect: get(Reflect), Limit: ProxyLimit}
		if err := readChat(&o, get, transport); err != nil {
			return nil, nil, err
		}
		if chat, err = proxy.New(o); err != nil {
			return nil, nil, &Error{Upstream, err}
		}
	}
	servers, err := readServers(vars)
	if err != nil || len(servers) == 0 {
		return chat, nil, err
	}
	h, err := mcp.New(g, transport, servers...)
	if err != nil {
		return nil, nil, &Error{MCP, err}
	}
	return chat, h, nil
}

func readChat(o *proxy.Options, get func(string) string, transport http.RoundTripper) (err error) {
	switch get(Ask) {
	case "", "conversation":
	case "page":
		o.Page, o.Wait = true, 20*time.Second
	default:
		return &Error{Ask, errors.New(`the value must be "conversation" or "page"`)}
	}
	if text := get(Wait); text != "" {
		if o.Wait, err = time.ParseDuration(text); err != nil || o.Wait < 0 || o.Wait > maxWait || !o.Page {
			return &Error{Wait, fmt.Errorf("the wait must be a time up to %v. A wait is allowed only with %s=page", maxWait, Ask)}
		}
	}
	for name, into := range map[string]*int{Blocks: &o.Filter.Blocks, Budget: &o.Filter.Budget} {
		if text := get(name); text != "" {
			if *into, err = strconv.Atoi(text); err != nil {
				return &Error{name, errors.New("want a whole number")}
			}
		}
	}
	if o.Explain, err = settings.OnOff(get(Explain)); err != nil {
		return &Error{Explain, err}
	}
	for name, into := range map[string]**proxy.Upstream{Aux: &o.Auxiliary, Embed: &o.Embeddings} {
		if text := get(name); text != "" {
			url, model, err := settings.Server(text)
			if err != nil {
				return &Error{name, err}
			}
			*into = &proxy.Upstream{URL: url, Model: model, Key: get(name + "_KEY"), Transport: transport}
		}
	}
	return nil
}

func readServers(vars map[string]string) (all []mcp.Server, err error) {
	for line := range strings.Lines(vars[MCP]) {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		name, url, ok := strings.Cut(f[0], "=")
		if !ok {
			return nil, &Error{MCP, fmt.Errorf("%q: want NAME=URL", f[0])}
		}
		s := mcp.Server{Name: name, URL: url}
		for _, word := range f[1:] {
			switch word {
			case "trust":
				s.Trusted = true
			case "form":
				s.Form = true
			case "host-asks":
				s.Ask = mcp.AskHost
			default:
				return nil, &Error{MCP, fmt.Errorf("unknown word %q. The known words are trust, form and host-asks", word)}
			}
		}
		variable := mcp.Variable(name)
		if s.Header, err = mcp.ReadHeader(vars[variable]); err != nil {
			return nil, &Error{variable, err}
		}
		all = append(all, s)
	}
	return all, nil
}

//go:build !js

package gate

import (
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/dialogue"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/proxy"
	"github.com/boundcheck/boundcheck/worker/settings"
)

const proxyUsage = `
With --upstream the gate also serves /v1/chat/completions, /v1/responses and /v1/messages:
point an agent's base URL at URL/v1 (for messages: URL), with the agent key as its API key.

  --upstream URL     the model's API, such as https://host/v1; the key for it is
                     $BOUNDCHECK_UPSTREAM_KEY
  --ask WHERE        conversation (default): the user's next message
                     decides; page: a person decides on the gate's page
  --wait TIME        with --ask page: how long a response waits for the decision. If there
                     is none, the response has the page's address (default 5m; 0s: at once)
  --reflect STYLE    think or react: before a change, ask the model once more,
                     with the rules that apply to the change
  --blocks N         over the budget, send the N (at most 16) most relevant
                     earlier parts of a conversation as summaries
  --budget BYTES     the budget of --blocks: the size of a conversation above which
                     it is shortened (default 65536)
  --no-verify        let changes through without asking: only for measurements
  --aux URL --aux-model NAME      a model that writes summaries and picks
                     rules, with $BOUNDCHECK_AUX_KEY (default: extracts, templates)
  --explain          add to a question one sentence by the --aux model about what the
                     calls would change, marked as written by a model
  --embed URL --embed-model NAME  a model that ranks summaries, with
                     $BOUNDCHECK_EMBED_KEY (default: compares words)
`

// proxyFlags are the flags of the chat proxy.
type proxyFlags struct {
	upstream, ask, reflect       string
	wait                         time.Duration
	blocks, budget               int
	noVerify, explain            bool
	aux, auxModel, embed, embedM string
}

func (f *proxyFlags) RegisterFlags(flags *flag.FlagSet) {
	flags.StringVar(&f.upstream, "upstream", "", "")
	flags.StringVar(&f.ask, "ask", "", "")
	flags.DurationVar(&f.wait, "wait", -1, "")
	flags.StringVar(&f.reflect, "reflect", "", "")
	flags.IntVar(&f.blocks, "blocks", 0, "")
	flags.IntVar(&f.budget, "budget", 0, "")
	flags.BoolVar(&f.noVerify, "no-verify", false, "")
	flags.StringVar(&f.aux, "aux", "", "")
	flags.StringVar(&f.auxModel, "aux-model", "", "")
	flags.BoolVar(&f.explain, "explain", false, "")
	flags.StringVar(&f.embed, "embed", "", "")
	flags.StringVar(&f.embedM, "embed-model", "", "")
}

// CheckFlags returns an error for flags that cannot be combined.
func (f *proxyFlags) CheckFlags() error {
	switch {
	case f.upstream == "" && *f != (proxyFlags{wait: -1}):
		return errors.New("missing --upstream URL: the other flags of the chat proxy need it")
	case f.ask != "" && f.ask != "conversation" && f.ask != "page":
		return fmt.Errorf("invalid --ask %q: want conversation or page", f.ask)
	case f.wait >= 0 && f.ask != "page":
		return errors.New("--wait works only with --ask page: with --ask conversation, no response waits for a decision")
	case f.reflect != "" && f.reflect != dialogue.Think && f.reflect != dialogue.React:
		return fmt.Errorf("invalid --reflect %q: want think or react", f.reflect)
	case (f.aux == "") != (f.auxModel == ""):
		return errors.New("--aux needs --aux-model, and --aux-model needs --aux")
	case f.explain && f.aux == "":
		return errors.New("--explain needs --aux and --aux-model: the --aux model writes the explanation")
	case (f.embed == "") != (f.embedM == ""):
		return errors.New("--embed needs --embed-model, and --embed-model needs --embed")
	}
	return nil
}

// newProxy returns the chat proxy, or nil without --upstream.
func (f *proxyFlags) newProxy(g *gate.Gate) (*proxy.Proxy, error) {
	if f.upstream == "" {
		return nil, nil
	}
	server := func(url, model, key string) proxy.Upstream {
		return proxy.Upstream{URL: url, Model: model, Key: os.Getenv(key), Transport: http.DefaultTransport}
	}
	o := proxy.Options{
		Gate: g, Upstream: server(f.upstream, "", settings.UpstreamKey), Page: f.ask == "page", Wait: max(0, f.wait),
		NoVerify: f.noVerify, Explain: f.explain, Reflect: f.reflect, Filter: proxy.Filter{Blocks: f.blocks, Budget: f.budget},
	}
	if o.Page && f.wait < 0 {
		o.Wait = 5 * time.Minute
	}
	if f.aux != "" {
		u := server(f.aux, f.auxModel, settings.AuxKey)
		o.Auxiliary = &u
	}
	if f.embed != "" {
		u := server(f.embed, f.embedM, settings.EmbedKey)
		o.Embeddings = &u
	}
	return proxy.New(o)
}

// withProxy returns a handler for the paths of the chat proxy and of the gate. If p is
// nil, the proxy's paths return the error that there is no proxy.
func withProxy(g *gate.Gate, p *proxy.Proxy) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !proxy.Serves(r.URL.Path):
			g.ServeHTTP(w, r)
		case p == nil:
			proxy.NotSetUp(w, r, 404, "this gate has no upstream model: start it with --upstream URL")
		default:
			p.ServeHTTP(w, r)
		}
	})
}

package bench

import (
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"sync/atomic"

	"github.com/boundcheck/boundcheck/core/gate/dialogue"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/internal/bench/env"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/store"
	"github.com/boundcheck/boundcheck/worker/proxy"
)

// Saber selects the parts of SABER, independently of each other. The gate implements them:
// the agent's requests go through the gate's proxy inside this process.
type Saber struct {
	Verify  bool   `json:"verify,omitempty"`
	Reflect bool   `json:"reflect,omitempty"`
	Blocks  int    `json:"blocks,omitempty"` // largest number of summaries
	Budget  int    `json:"budget,omitempty"` // bytes of a conversation above which blocks are made; 0 selects the proxy's default
	Aux     string `json:"aux,omitempty"`    // the auxiliary model; "" for templates
}

func (s *Saber) isOn() bool { return s.Verify || s.Reflect || s.Blocks > 0 }

const gateKey = "bench-agent-key-0123456789abcdef"

// newGateTransport returns a transport that sends a run's requests through a gate for
// this run. All gates share a store, in which the run's key is the tenant. Time and
// random numbers are the same when the run is repeated.
func newGateTransport(x *Experiment, e env.Environment, run string, store *store.Store, down http.RoundTripper) (http.RoundTripper, error) {
	key, err := gate.NewKey(machine.Principal{Tenant: run, Role: machine.Agent, Name: "agent"}, gateKey)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(gatePolicy(e))
	if err != nil {
		return nil, err
	}
	policy, err := machine.ReadPolicy(string(text))
	if err != nil {
		return nil, err
	}
	var now atomic.Int64
	now.Store(1_700_000_000_000)
	g, err := gate.New(gate.Options{Store: store, Keys: []gate.Key{key}, Policy: policy, URL: "http://127.0.0.1:1", Rate: -1,
		Now: func() int64 { return now.Add(1) }, Random: rand.NewChaCha8(seedOf(x.Seed, run, "gate"))})
	if err != nil {
		return nil, err
	}
	o := proxy.Options{Gate: g, Upstream: proxy.Upstream{URL: x.URL, Key: x.key, Transport: down}, NoVerify: !x.Saber.Verify,
		Filter: proxy.Filter{Blocks: x.Saber.Blocks, Budget: x.Saber.Budget}}
	if x.Saber.Reflect {
		o.Reflect = dialogue.Think
	}
	if x.Saber.Aux != "" {
		o.Auxiliary = &proxy.Upstream{URL: x.URL, Key: x.key, Model: x.Saber.Aux, Transport: down}
	}
	p, err := proxy.New(o)
	if err != nil {
		return nil, err
	}
	return inside{p}, nil
}

// gatePolicy returns a gate's policy that says which of the environment's tools change
// something. The user may approve every such call in the conversation.
func gatePolicy(e env.Environment) any {
	tools, names := map[string]string{}, []string{}
	for _, t := range e.Tools() {
		if tools[t.Name] = "no"; t.Mutating {
			tools[t.Name] = "yes"
			names = append(names, t.Name)
		}
	}
	return object{"tools": tools, "conversation": names, "cooldown": "none"}
}

// inside is a transport that calls a handler in this process.
type inside struct{ http.Handler }

func (h inside) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Path, r.RequestURI = "/v1/chat/completions", "/v1/chat/completions"
	r.RemoteAddr = "127.0.0.1:1"
	r.Header.Set("Authorization", "Bearer "+gateKey)
	w := &recorder{header: http.Header{}, status: 200}
	h.ServeHTTP(w, r)
	return &http.Response{StatusCode: w.status, Header: w.header, Body: io.NopCloser(&w.body), ContentLength: int64(w.body.Len())}, nil
}

type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *recorder) Header() http.Header         { return w.header }
func (w *recorder) WriteHeader(status int)      { w.status = status }
func (w *recorder) Write(b []byte) (int, error) { return w.body.Write(b) }

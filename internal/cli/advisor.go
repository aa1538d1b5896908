package cli

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/mutation"
	"github.com/boundcheck/boundcheck/internal/render"
	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/host"
)

// advisor asks plugins which tools change something, by tools.classify. Each tool is asked
// about once. Where a plugin fails, its word is "unknown": nothing may pass because a
// plugin broke. Safe for concurrent use.
type advisor struct {
	ctx     context.Context
	plugins []*advising

	mu    sync.Mutex
	known map[string]advice
}

// advising is a plugin that is asked. late is set when it ran into its deadline: it is not
// asked again.
type advising struct {
	*host.Plugin
	told *toldPlugin

	mu   sync.Mutex
	late error
}

type advice struct {
	word   mutation.Tri
	reason string
	ok     bool
}

// mostAdvice bounds the tools that an advisor remembers: their names come from agents.
const mostAdvice = 4096

// Advise is part of mutation.Advisor.
func (a *advisor) Advise(t mutation.Tool) (mutation.Tri, string, bool) {
	tool := toolOf(t)
	key := strings.Join([]string{tool.Name, tool.Description, string(tool.Parameters)}, "\x00")
	a.mu.Lock()
	said, known := a.known[key]
	a.mu.Unlock()
	if known {
		return said.word, said.reason, said.ok
	}
	strictest, lasting := mutation.Verdict{Mutating: mutation.No}, true
	for _, p := range a.plugins {
		one, err := p.classify(a.ctx, tool)
		lasting = lasting && err == nil
		if one.ok {
			said.ok = true
			strictest = strictest.Raise(one.word, mutation.LayerPlugin, one.reason)
		}
	}
	said.word, said.reason = strictest.Mutating, strictest.Reason
	a.mu.Lock()
	defer a.mu.Unlock()
	if lasting && len(a.known) < mostAdvice {
		a.known[key] = said
	}
	return said.word, said.reason, said.ok
}

// toolOf is a tool as plugins are asked about it.
func toolOf(t mutation.Tool) abi.Tool {
	out := abi.Tool{Name: t.Name, Description: t.Description}
	if t.Parameters.Exists() {
		out.Parameters = json.RawMessage(t.Parameters.Raw())
	}
	return out
}

// wordOf is a plugin's word as the core has it.
func wordOf(word string) mutation.Tri {
	return map[string]mutation.Tri{"yes": mutation.Yes, "no": mutation.No}[word] // else unknown
}

func (p *advising) classify(ctx context.Context, tool abi.Tool) (advice, error) {
	p.mu.Lock()
	err := p.late
	p.mu.Unlock()
	var said abi.Classified
	if err == nil {
		said, err = p.Classify(ctx, []abi.Tool{tool})
		p.told.classified(&said, err)
	}
	if err != nil {
		var bad *host.Error
		if errors.As(err, &bad) && bad.Code == host.Deadline {
			p.mu.Lock()
			p.late = err
			p.mu.Unlock()
		}
		return advice{mutation.Unknown, render.Printable(err.Error()), true}, err
	}
	out := mutation.Verdict{Mutating: mutation.No}
	for _, t := range said.Tools {
		out = out.Raise(wordOf(t.Mutating), mutation.LayerPlugin, p.Description.Name+": "+render.Printable(t.Reason))
	}
	return advice{out.Mutating, out.Reason, len(said.Tools) > 0}, nil
}

const adviceUsage = `
Plugins that know which tools change something (tools.classify):
  --plugin NAME      ask this one about each tool (a file, NAME.wasm, too); its word may only
                     make a verdict stricter, and one that fails makes it unknown. Repeatable
  --plugins DIR      take NAME.wasm from DIR
  --plugins-lock FILE, --locked
                     the hashes that plugins are held to, and whether all must have one
`

// adviceFlags say which plugins a gate asks.
type adviceFlags struct{ checkers checkerFlags }

func (f *adviceFlags) register(set *flag.FlagSet) {
	f.checkers.uses = []string{abi.OpToolsClassify}
	f.checkers.registerNames(set)
}

// adviceDeadline is how long a plugin may think about one tool while a call waits.
const adviceDeadline = 2 * time.Second

// open starts the plugins; stop ends them. nil is no advisor.
func (f *adviceFlags) open(ctx context.Context, stderr io.Writer) (a mutation.Advisor, stop func(), err error) {
	if err := f.checkers.check(); err != nil {
		return nil, nil, err
	}
	const always = 1 << 62 // a gate has no end
	loaded, err := f.checkers.loadWith(ctx, host.Options{Limits: host.Limits{Deadline: adviceDeadline}, Budget: host.Budget{Time: always, AnswerBytes: always}}, stderr)
	if err != nil {
		return nil, nil, err
	}
	return loaded.advice(), loaded.stop, nil
}

// advice is the advisor of those plugins that classify tools; nil for none.
func (l *plugins) advice() mutation.Advisor {
	if len(l.advisors) == 0 {
		return nil
	}
	return &advisor{ctx: l.ctx, plugins: l.advisors, known: map[string]advice{}}
}

// advising names the plugins that classify tools.
func (l *plugins) advising() (all []core.Plugin) {
	for _, p := range l.advisors {
		all = append(all, aboutPlugin(p.Plugin))
	}
	return all
}

// has reports whether a plugin offers an operation.
func has(p *host.Plugin, op string) bool { return slices.Contains(p.Description.Operations, op) }

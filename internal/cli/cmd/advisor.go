package cmd

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
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/internal/words"
	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/host"
)

// advisor asks plugins which tools change something, with the operation tools.classify. It
// asks about each tool once. If a plugin fails, the verdict is "unknown", so that no call
// passes because of a broken plugin. An advisor is safe for concurrent use.
type advisor struct {
	ctx     context.Context
	plugins []*advising

	mu    sync.Mutex
	known map[string]advice
}

// advising is a plugin that classifies tools. late is set after the plugin has exceeded
// its deadline. The plugin is then not asked again.
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

// mostAdvice is the largest number of tools that an advisor remembers. There is a limit
// because an agent can make up any number of tool names.
const mostAdvice = 4096

// Advise implements mutation.Advisor.
func (a *advisor) Advise(t mutation.Tool) (mutation.Tri, string, bool) {
	tool := ToolOf(t)
	key := strings.Join([]string{tool.Name, tool.Description, string(tool.Parameters)}, "\x00")
	a.mu.Lock()
	said, known := a.known[key]
	a.mu.Unlock()
	if known {
		return said.word, said.reason, said.ok
	}
	strictest, lasting := mutation.Verdict{Mutating: mutation.No}, true
	for _, p := range a.plugins {
		one, err := p.classifyTool(a.ctx, tool)
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

// ToolOf converts a tool of the core to a tool in a request to plugins.
func ToolOf(t mutation.Tool) abi.Tool {
	out := abi.Tool{Name: t.Name, Description: t.Description}
	if t.Parameters.Exists() {
		out.Parameters = json.RawMessage(t.Parameters.Raw())
	}
	return out
}

// WordOf converts a plugin's verdict to the core's type.
func WordOf(word string) mutation.Tri {
	return map[string]mutation.Tri{"yes": mutation.Yes, "no": mutation.No}[word] // any other text means unknown
}

func (p *advising) classifyTool(ctx context.Context, tool abi.Tool) (advice, error) {
	p.mu.Lock()
	err := p.late
	p.mu.Unlock()
	var said abi.Classified
	if err == nil {
		said, err = p.Classify(ctx, []abi.Tool{tool})
		p.told.countClassified(&said, err)
	}
	if err != nil {
		var bad *host.Error
		if errors.As(err, &bad) && bad.Code == host.Deadline {
			p.mu.Lock()
			p.late = err
			p.mu.Unlock()
		}
		return advice{mutation.Unknown, words.Printable(err.Error()), true}, err
	}
	out := mutation.Verdict{Mutating: mutation.No}
	for _, t := range said.Tools {
		out = out.Raise(WordOf(t.Mutating), mutation.LayerPlugin, p.Description.Name+": "+words.Printable(t.Reason))
	}
	return advice{out.Mutating, out.Reason, len(said.Tools) > 0}, nil
}

// AdviceUsage describes the flags of AdviceFlags.
const AdviceUsage = `
Plugins that know which tools change something (tools.classify):
  --plugin NAME      ask this plugin about each tool. NAME can also be a file, NAME.wasm.
                     An answer can only make a verdict stricter. If the plugin fails, the
                     tool is unknown. Repeatable
  --plugins DIR      read NAME.wasm from DIR
  --plugins-lock FILE, --locked
                     FILE lists the hashes of plugins; --locked refuses all other plugins
`

// AdviceFlags are the flags that select the plugins of a gate.
type AdviceFlags struct{ Checkers CheckerFlags }

// RegisterFlags defines the flags.
func (f *AdviceFlags) RegisterFlags(set *flag.FlagSet) {
	f.Checkers.Uses = []string{abi.OpToolsClassify}
	f.Checkers.RegisterNames(set)
}

// adviceDeadline is the time limit for a plugin's answer about one tool. A call waits for
// it.
const adviceDeadline = 2 * time.Second

// OpenAdvisor starts the plugins and returns an advisor that asks them. The advisor is
// nil if no plugin classifies tools. The caller must call stop, which ends the plugins.
func (f *AdviceFlags) OpenAdvisor(ctx context.Context, stderr io.Writer) (a mutation.Advisor, stop func(), err error) {
	if err := f.Checkers.CheckFlags(); err != nil {
		return nil, nil, err
	}
	const always = 1 << 62 // a gate has no time limit
	loaded, err := f.Checkers.loadWith(ctx, host.Options{Limits: host.Limits{Deadline: adviceDeadline}, Budget: host.Budget{Time: always, AnswerBytes: always}}, stderr)
	if err != nil {
		return nil, nil, err
	}
	return loaded.NewAdvisor(), loaded.Stop, nil
}

// NewAdvisor returns an advisor with the plugins that classify tools, or nil if there are
// none.
func (l *Plugins) NewAdvisor() mutation.Advisor {
	if len(l.advisors) == 0 {
		return nil
	}
	return &advisor{ctx: l.ctx, plugins: l.advisors, known: map[string]advice{}}
}

// AdvisorPlugins returns the plugins that classify tools.
func (l *Plugins) AdvisorPlugins() (all []core.Plugin) {
	for _, p := range l.advisors {
		all = append(all, aboutPlugin(p.Plugin))
	}
	return all
}

// HasOperation reports whether a plugin offers the operation op.
func HasOperation(p *host.Plugin, op string) bool {
	return slices.Contains(p.Description.Operations, op)
}

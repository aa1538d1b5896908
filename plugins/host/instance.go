package host

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/sys"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// instance is one running module. It runs one call at a time.
type instance struct {
	plugin        *Plugin
	module        api.Module
	alloc, handle api.Function
	memory        *memory
	globals       []api.MutableGlobal // the mutable globals, if the whole state can be restored
	clock         *clock
	random        *lcg
	stderr        *tail
	env           *Environment // the environment that it was given, or nil
	plugins       uint64       // number of plugins in the module
}

type instanceKey struct{}

// addToContext returns a context that carries the instance.
func (in *instance) addToContext(ctx context.Context) context.Context {
	return context.WithValue(ctx, instanceKey{}, in)
}

// newInstance makes an instance. No code of the guest has run in it yet, except the
// module's start section if it has one.
func (p *Plugin) newInstance(ctx context.Context) (*instance, error) {
	in := &instance{plugin: p, memory: &memory{limit: uint64(p.host.limits.MemoryPages) * pageBytes, spent: &p.host.spent.memory, budget: p.host.budget.Memory},
		clock: &clock{}, random: &lcg{}, stderr: &tail{}}
	config := wazero.NewModuleConfig().
		WithName("").          // anonymous, so that there can be many
		WithStartFunctions().  // initGuest calls _initialize, where exit(0) counts as a failure
		WithStderr(in.stderr). // kept for the error message
		WithRandSource(in.random).
		WithWalltime(epochTime, 1e6).
		WithNanotime(in.clock.now, 1e6).
		WithNanosleep(in.clock.sleep)
	if !in.memory.reserveSpace(uint64(p.module.compiled.ExportedMemories()[abi.ExportMemory].Min()) * pageBytes) {
		return nil, newError(p.name, OutOfMemory, "no memory for another instance: all instances together use %d MiB, limit %d MiB", p.host.spent.memory.Load()>>20, p.host.budget.Memory>>20)
	}
	if shouldStop(ctx) { // many instances may each stay within their first quantum
		in.memory.Free()
		return nil, in.crashError(ctx, errStopped)
	}
	var err error
	in.module, err = p.host.runtime.InstantiateModule(experimental.WithMemoryAllocator(in.addToContext(ctx), in.memory), p.module.compiled, config)
	if err != nil {
		in.memory.Free()
		return nil, in.crashError(ctx, err)
	}
	in.alloc = in.module.ExportedFunction(abi.ExportAlloc)
	in.handle = in.module.ExportedFunction(abi.ExportInvoke)
	for {
		g, ok := in.module.ExportedGlobal(globalName(len(in.globals))).(api.MutableGlobal)
		if !ok {
			return in, nil
		}
		in.globals = append(in.globals, g)
	}
}

// startInstance makes an instance, runs its initialiser, and asks for its ABI version and
// its number of plugins.
func (p *Plugin) startInstance(ctx context.Context) (*instance, error) {
	in, err := p.newInstance(ctx)
	if err != nil {
		return nil, err
	}
	if err := in.initGuest(in.addToContext(ctx)); err != nil {
		in.close(ctx)
		return nil, err
	}
	return in, nil
}

func (in *instance) initGuest(ctx context.Context) error {
	if init := in.module.ExportedFunction(abi.ExportInit); init != nil {
		if _, err := init.Call(ctx); err != nil {
			return in.crashError(ctx, err)
		}
	}
	r, err := in.module.ExportedFunction(abi.ExportVersion).Call(ctx)
	if err != nil {
		return in.crashError(ctx, err)
	}
	if v := uint32(r[0]); v != abi.Version {
		return newError(in.plugin.name, WrongVersion, "the plugin has ABI version %d, but this host has ABI version %d", v, abi.Version)
	}
	in.plugins = 1
	if f := in.module.ExportedFunction(abi.ExportPlugins); f != nil {
		if r, err = f.Call(ctx); err != nil {
			return in.crashError(ctx, err)
		}
		in.plugins = r[0]
	}
	if in.plugins == 0 || in.plugins > mostPlugins {
		return newError(in.plugin.name, InvalidAnswer, "the module contains %d plugins; want 1 to %d", in.plugins, mostPlugins)
	}
	return nil
}

// mostPlugins is the largest number of plugins in a module.
const mostPlugins = 64

// selectPlugin selects the instance's plugin in the module.
func (in *instance) selectPlugin(ctx context.Context) error {
	ctx = in.addToContext(ctx)
	f := in.module.ExportedFunction(abi.ExportSelect)
	if f == nil {
		return nil
	}
	if _, err := f.Call(ctx, in.plugin.choice); err != nil {
		return in.crashError(ctx, err)
	}
	return nil
}

// invokeGuest makes one call: it asks the guest for a buffer, writes the request into the
// buffer, calls the guest, and copies the answer. The guest owns the buffers. The host
// keeps no part of them after invokeGuest returns.
func (in *instance) invokeGuest(ctx context.Context, request []byte) ([]byte, error) {
	name := in.plugin.name
	ctx = in.addToContext(ctx)
	r, err := in.alloc.Call(ctx, uint64(len(request)))
	if err != nil {
		return nil, in.crashError(ctx, err)
	}
	ptr := uint32(r[0])
	if ptr == 0 {
		return nil, newError(name, RequestTooLarge, "the plugin has no room for a request of %d bytes", len(request))
	}
	if !in.module.Memory().Write(ptr, request) {
		return nil, newError(name, OutOfRange, "the function alloc returned %d bytes at offset %d, outside the plugin's memory of %d bytes",
			len(request), ptr, in.module.Memory().Size())
	}
	if r, err = in.handle.Call(ctx, uint64(len(request))); err != nil {
		return nil, in.crashError(ctx, err)
	}
	return in.copyAnswer(uint32(r[0]>>32), uint32(r[0]))
}

func (in *instance) copyAnswer(ptr, n uint32) ([]byte, error) {
	name := in.plugin.name
	if limit := in.plugin.host.limits.AnswerBytes; uint64(n) > uint64(limit) {
		return nil, newError(name, AnswerTooLarge, "answer has %d bytes, limit %d", n, limit)
	}
	view, ok := in.module.Memory().Read(ptr, n)
	if !ok {
		return nil, newError(name, OutOfRange, "the answer of %d bytes at offset %d is outside the plugin's memory of %d bytes",
			n, ptr, in.module.Memory().Size())
	}
	if n == 0 || !utf8.Valid(view) {
		return nil, newError(name, InvalidAnswer, "invalid answer: empty or not UTF-8")
	}
	if abi.TooDeep(view) {
		return nil, newError(name, InvalidAnswer, "invalid answer: objects and lists nested more than %d deep", abi.MaxDepth)
	}
	return append([]byte(nil), view...), nil
}

func (in *instance) close(ctx context.Context) { in.module.Close(ctx) }

// crashError returns an error that says why a guest stopped. There are three cases:
//
//   - The guest crashed.
//   - The guest called exit.
//   - The context of the call ended.
func (in *instance) crashError(ctx context.Context, err error) *Error {
	e := newError(in.plugin.name, Trap, "crashed: %s", firstLine(err))
	e.Err = err
	var exit *sys.ExitError
	exited := errors.As(err, &exit)
	switch {
	case errors.Is(err, errStopped):
		<-ctx.Done() // the deadline has passed, but its timer may not have fired yet
		if e.Code, e.Msg = Canceled, "stopped: canceled by the caller"; errors.Is(context.Cause(ctx), errDeadline) {
			e.Code, e.Msg = Deadline, "stopped: the plugin ran longer than "+in.plugin.host.limits.Deadline.String()
		}
	case in.memory.refused:
		e.Code = OutOfMemory
		e.Msg = fmt.Sprintf("crashed: the plugin needed more than %d MiB of memory", in.memory.limit>>20)
	case exited:
		e.Msg = fmt.Sprintf("crashed: the plugin called exit(%d)", exit.ExitCode())
	}
	if s := in.stderr.leadingLine(); s != "" && e.Code == Trap {
		e.Msg += ": " + escapeUnprintable(s, false)
	}
	return e
}

// firstLine returns the first line of an error's text. It leaves out the stack trace of
// wazero, which does not help a user.
func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return strings.TrimSuffix(line, " (recovered by wazero)")
}

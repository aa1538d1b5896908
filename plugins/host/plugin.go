package host

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tetratelabs/wazero/api"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/meter"
)

// Manifest holds what the operator knows about a plugin before it is loaded.
type Manifest struct {
	Name   string // "" accepts any name, if the module has only one plugin
	SHA256 string // lower-case hex; "" pins nothing

	// Accepts returns an error to refuse a plugin by its description. nil accepts all.
	Accepts func(abi.Description) error

	// Reuse lets an instance keep its state from one call to the next. It is meant for
	// plugins that are trusted not to carry data from one run to the next, such as
	// those that come with the program: what they have decoded once stays decoded.
	Reuse bool
}

// Plugin is a compiled module and its instances. It is safe for concurrent use: each
// call has its own instance, which keeps nothing of earlier calls.
type Plugin struct {
	Description abi.Description
	SHA256      string // of the module, lower-case hex

	name   string
	host   *Host
	module *code
	choice uint64         // index of the plugin within the module
	slots  chan struct{}  // one token for each running call
	idle   chan *instance // instances between calls
	env    atomic.Pointer[Environment]

	mu    sync.Mutex
	begin *snapshot // the state in which each call begins; nil if there is none

	reuse bool // instances keep their state between calls
}

// Load checks, compiles and describes a module. It refuses a module without running it
// wherever possible. Errors are *Error.
func (h *Host) Load(ctx context.Context, wasm []byte, m Manifest) (*Plugin, error) {
	sum := sha256.Sum256(wasm)
	p := &Plugin{
		SHA256: hex.EncodeToString(sum[:]),
		name:   m.Name,
		host:   h,
		slots:  make(chan struct{}, h.limits.Instances),
		idle:   make(chan *instance, h.limits.Instances),
		reuse:  m.Reuse,
	}
	if n := len(wasm); n > h.limits.ModuleBytes {
		return nil, newError(p.name, TooLarge, "module has %d bytes, limit %d", n, h.limits.ModuleBytes)
	}
	if m.SHA256 != "" && m.SHA256 != p.SHA256 {
		return nil, newError(p.name, HashMismatch, "the module's sha256 is %s, but the pinned sha256 is %s", p.SHA256, m.SHA256)
	}
	var err error
	if p.module, err = h.acquireCode(ctx, p, wasm); err != nil {
		return nil, err
	}
	if err = p.findInModule(ctx); err == nil && m.Accepts != nil {
		if why := m.Accepts(p.Description); why != nil {
			err = newError(p.name, VersionRange, "%v", why)
		}
	}
	if err != nil {
		p.Close(ctx)
		return nil, err
	}
	return p, nil
}

// Close frees the instances and the code. No call may be running.
func (p *Plugin) Close(ctx context.Context) error {
	p.dropInstances(ctx)
	return p.host.releaseCode(ctx, p.module)
}

// dropInstances closes the idle instances and deletes the snapshot.
func (p *Plugin) dropInstances(ctx context.Context) {
	p.mu.Lock()
	p.begin = nil
	p.mu.Unlock()
	for {
		select {
		case in := <-p.idle:
			in.close(ctx)
		default:
			return
		}
	}
}

const wasi = meter.WASI

const i32 = api.ValueTypeI32

// findInModule finds the plugin with the manifest's name in the module, and sets
// p.Description. If the manifest has no name, the module must have exactly one plugin.
// findInModule returns an error if there is no such plugin.
func (p *Plugin) findInModule(ctx context.Context) error {
	return p.runAsCall(ctx, func(ctx context.Context) error {
		var names []string
		for ; ; p.choice++ {
			in, err := p.freshInstance(ctx)
			if err != nil {
				return err
			}
			plugins := in.plugins
			d, err := in.readDescription(ctx)
			if err == nil && p.name == "" && plugins == 1 && pluginName().MatchString(d.Name) {
				p.name = d.Name
			}
			if err == nil && d.Name == p.name {
				p.Description = d
				p.keepState(ctx, in)
				return nil
			}
			in.close(ctx)
			if err != nil {
				return err
			}
			names = append(names, fmt.Sprintf("%q", d.Name))
			if p.choice+1 >= plugins {
				break
			}
		}
		if len(names) == 1 {
			return newError(p.name, WrongName, "the file contains plugin %s, but the file has another name", names[0])
		}
		return newError(p.name, WrongName, "the module does not contain this plugin, but only %s", strings.Join(names, ", "))
	})
}

// keepState stores the current state of an instance, and every later call begins in this
// state. If the state cannot be stored, each call gets a new instance.
func (p *Plugin) keepState(ctx context.Context, in *instance) {
	p.dropInstances(ctx)
	s := in.takeSnapshot()
	p.mu.Lock()
	p.begin = s
	p.mu.Unlock()
	p.returnInstance(in, nil)
}

// freshInstance starts a new instance, selects the plugin in it, and loads the current
// environment.
func (p *Plugin) freshInstance(ctx context.Context) (*instance, error) {
	in, err := p.startInstance(ctx)
	if err != nil {
		return nil, err
	}
	if err = in.selectPlugin(ctx); err == nil {
		err = in.ensureEnvironment(ctx)
	}
	if err != nil {
		in.close(ctx)
		return nil, err
	}
	return in, nil
}

func (in *instance) readDescription(ctx context.Context) (d abi.Description, err error) {
	p := in.plugin
	answer, err := in.invokeGuest(ctx, []byte(describeRequest))
	if err != nil {
		return d, err
	}
	raw, err := p.openAnswer(answer)
	if err != nil {
		return d, err
	}
	if err := json.Unmarshal(raw, &d); err != nil {
		return d, newError(p.name, InvalidAnswer, "invalid answer to describe: %v", err)
	}
	switch {
	case d.ABI != abi.Version:
		return d, newError(p.name, WrongVersion, "the plugin describes ABI version %d, but this host has ABI version %d", d.ABI, abi.Version)
	case d.Version == "":
		return d, newError(p.name, InvalidAnswer, "invalid answer to describe: missing version")
	}
	if err := d.CheckNames(); err != nil {
		return d, newError(p.name, InvalidAnswer, "invalid answer to describe: %v", err)
	}
	return d, nil
}

// Call encodes a request and returns the "ok" member of the answer. The request must
// itself contain the operation op. Errors are *Error; an error from the plugin itself
// unwraps to *abi.Error.
func (p *Plugin) Call(ctx context.Context, op string, request any) (json.RawMessage, error) {
	answer, err := p.sendRequest(ctx, op, request)
	if err != nil {
		return nil, err
	}
	return p.openAnswer(answer)
}

// sendRequest does the same as Call, but returns the whole answer without parsing it.
func (p *Plugin) sendRequest(ctx context.Context, op string, request any) ([]byte, error) {
	if err := p.checkOffered(op); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // each escape slows a plugin's reader down
	if err := e.Encode(request); err != nil {
		return nil, newError(p.name, Internal, "cannot encode the request: %v", err)
	}
	return p.Raw(ctx, bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

// checkOffered returns an error if the plugin's description does not list the operation.
func (p *Plugin) checkOffered(op string) error {
	if slices.Contains(p.Description.Operations, op) {
		return nil
	}
	return newError(p.name, NotDescribed, "unknown operation %q; the plugin offers %s", op, strings.Join(p.Description.Operations, ", "))
}

// Run sends an encoded request, which must contain op. It returns the whole answer with
// its envelope. If the plugin itself refuses the request, Run returns both the answer and
// the error that Call would return.
func (p *Plugin) Run(ctx context.Context, op string, request []byte) ([]byte, error) {
	if err := p.checkOffered(op); err != nil {
		return nil, err
	}
	answer, err := p.Raw(ctx, request)
	if err != nil {
		return nil, err
	}
	var said *abi.Error
	if _, err = p.openAnswer(answer); err != nil && !errors.As(err, &said) {
		return nil, err
	}
	return answer, err
}

func (p *Plugin) callRaw(ctx context.Context, request []byte) (json.RawMessage, error) {
	answer, err := p.Raw(ctx, request)
	if err != nil {
		return nil, err
	}
	return p.openAnswer(answer)
}

// openAnswer returns the ok member of an answer. The answer must be one JSON object with
// exactly one of the members ok and error. Other members are ignored, because a later
// version may define them.
func (p *Plugin) openAnswer(answer []byte) (json.RawMessage, error) {
	var a abi.Answer
	if err := json.Unmarshal(answer, &a); err != nil {
		return nil, newError(p.name, InvalidAnswer, "invalid answer: %v", err)
	}
	switch {
	case a.Error != nil && a.OK != nil:
		return nil, newError(p.name, InvalidAnswer, `invalid answer: the answer has both "ok" and "error"`)
	case a.Error != nil && a.Error.Code == "":
		return nil, newError(p.name, InvalidAnswer, "invalid answer: error without a code")
	case a.Error != nil:
		return nil, pluginError(p.name, a.Error)
	case a.OK == nil:
		return nil, newError(p.name, InvalidAnswer, `invalid answer: the answer needs "ok" or "error"`)
	}
	return a.OK, nil
}

// errDeadline distinguishes the host's limit from a deadline of the caller.
var errDeadline = errors.New("plugin deadline")

// Raw passes the request to the plugin unchanged and returns the bytes of the answer.
// The caller owns these bytes. They are valid UTF-8 and not nested too deeply, but are
// not checked further.
func (p *Plugin) Raw(ctx context.Context, request []byte) ([]byte, error) {
	if n := len(request); n > p.host.limits.RequestBytes {
		return nil, newError(p.name, RequestTooLarge, "request has %d bytes, limit %d", n, p.host.limits.RequestBytes)
	}
	var answer []byte
	began := time.Now()
	err := p.lendInstance(ctx, func(ctx context.Context, in *instance) (err error) {
		answer, err = in.invokeGuest(ctx, request)
		return err
	})
	p.host.spent.answers.Add(int64(len(answer)))
	if p.host.heard != nil {
		p.host.heard(Heard{Plugin: p.name, Request: request, Answer: answer, Err: err, Took: time.Since(began)})
	}
	return answer, err
}

// runAsCall runs f as one of the plugin's calls. The number of calls at the same time is
// limited by Limits.Instances, and runAsCall waits until there is room. It refuses the
// call if the budget is used up. The context of f has the deadline of a call.
func (p *Plugin) runAsCall(ctx context.Context, f func(context.Context) error) error {
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	case <-ctx.Done():
		return newError(p.name, Canceled, "canceled while waiting for a free instance")
	}
	if ctx.Err() != nil {
		return newError(p.name, Canceled, "canceled by the caller")
	}
	if why := p.host.exhaustedBudget(); why != "" {
		return newError(p.name, OverBudget, "not asked: %s", why)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, p.host.limits.Deadline, errDeadline)
	defer cancel()
	began := time.Now()
	defer func() {
		p.host.spent.calls.Add(1)
		p.host.spent.time.Add(int64(time.Since(began)))
	}()
	return f(ctx)
}

// lendInstance runs f with an instance. The instance is in the state that the method
// keepState stored. With Manifest.Reuse, it is in the state after its last call.
func (p *Plugin) lendInstance(ctx context.Context, f func(context.Context, *instance) error) error {
	return p.runAsCall(ctx, func(ctx context.Context) error {
		in, err := p.takeInstance(ctx)
		if err != nil {
			return err
		}
		err = f(ctx, in)
		p.returnInstance(in, err)
		return err
	})
}

func (p *Plugin) takeInstance(ctx context.Context) (*instance, error) {
	select {
	case in := <-p.idle:
		return in, nil
	default:
	}
	p.mu.Lock()
	s := p.begin
	p.mu.Unlock()
	if s != nil {
		return p.instanceFromSnapshot(ctx, s)
	}
	return p.freshInstance(ctx)
}

// returnInstance keeps an instance for the next call, after it has restored the stored
// state. It closes the instance if err is not nil or if the state cannot be restored.
// With Manifest.Reuse it restores nothing, but closes an instance that uses more than
// half of its memory limit.
func (p *Plugin) returnInstance(in *instance, err error) {
	p.mu.Lock()
	s := p.begin
	p.mu.Unlock()
	ok := err == nil
	if p.reuse { // unless it has grown so far that the next call could fail because of this one
		ok = ok && uint64(len(in.memory.bytes)) <= in.memory.limit/2
	} else {
		ok = ok && in.restoreSnapshot(s)
	}
	if ok {
		p.idle <- in // never blocks: there are no more instances than slots
		return
	}
	in.close(context.Background())
}

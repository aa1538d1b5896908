package host

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// Environment holds the user's files for a benchmark that a plugin may see. Plugins
// have no file system; each instance receives the bytes once.
type Environment struct {
	ID      string // names the content: the sha256 of names and bytes, lower-case hex
	request []byte
}

// NewEnvironment returns an environment that holds a copy of the files in memory.
func NewEnvironment(files []abi.File) *Environment {
	files = slices.SortedFunc(slices.Values(files), func(a, b abi.File) int { return cmp.Compare(a.Name, b.Name) })
	h := sha256.New()
	for _, f := range files {
		fmt.Fprintf(h, "%q %d\n", f.Name, len(f.Data))
		h.Write(f.Data)
	}
	id := hex.EncodeToString(h.Sum(nil))
	return &Environment{ID: id, request: abi.Load(id, files)}
}

// EnvironmentDir reads an environment from the files in dir and in the directories below.
// It reads only the files that the plugin's description names. Errors are *Error.
func (p *Plugin) EnvironmentDir(dir string) (*Environment, error) {
	want := p.Description.Environment
	if want == nil {
		return nil, newError(p.name, NotDescribed, "the plugin does not use an environment")
	}
	var files []abi.File
	left := p.host.limits.RequestBytes
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains(want.Names, d.Name()) {
			return err
		}
		b, err := os.ReadFile(path)
		if left -= len(b); err == nil && left < 0 {
			return fmt.Errorf("the files have more than %d bytes in total", p.host.limits.RequestBytes)
		}
		rel, _ := filepath.Rel(dir, path)
		files = append(files, abi.File{Name: filepath.ToSlash(rel), Data: b})
		return err
	})
	if err != nil {
		return nil, newError(p.name, NotFound, "cannot read the environment in %s: %v", dir, errorCause(err))
	}
	if len(files) == 0 {
		return nil, newError(p.name, NotFound, "no environment in %s: want at least one of the files %s", dir, strings.Join(want.Names, ", "))
	}
	return NewEnvironment(files), nil
}

// Use sets the environment of the plugin and returns the plugin's report about it. Every
// later call uses the environment e. Requests name it by its ID. If e is nil, Use removes
// the environment. Use must not run at the same time as calls with another environment.
func (p *Plugin) Use(ctx context.Context, e *Environment) (abi.Loaded, error) {
	var loaded abi.Loaded
	if e == nil {
		p.env.Store(nil)
		p.dropInstances(ctx) // from here on each call has a new instance
		return loaded, nil
	}
	if !slices.Contains(p.Description.Operations, abi.OpEnvironmentLoad) {
		return loaded, newError(p.name, NotDescribed, "the plugin does not use an environment")
	}
	before := p.env.Swap(nil)
	err := p.runAsCall(ctx, func(ctx context.Context) error {
		in, err := p.freshInstance(ctx)
		if err != nil {
			return err
		}
		raw, err := in.loadEnvironment(ctx, e)
		if err == nil && (json.Unmarshal(raw, &loaded) != nil || loaded.Environment != e.ID) {
			err = newError(p.name, InvalidAnswer, "invalid answer to %s", abi.OpEnvironmentLoad)
		}
		if err != nil {
			in.close(ctx)
			return err
		}
		p.env.Store(e)
		p.keepState(ctx, in)
		return nil
	})
	if err != nil {
		p.env.Store(before)
	}
	return loaded, err
}

// loadEnvironment passes an environment to the instance and returns the plugin's answer.
func (in *instance) loadEnvironment(ctx context.Context, e *Environment) (json.RawMessage, error) {
	answer, err := in.invokeGuest(ctx, e.request)
	if err != nil {
		return nil, err
	}
	raw, err := in.plugin.openAnswer(answer)
	if err == nil {
		in.env = e
	}
	return raw, err
}

// ensureEnvironment loads the current environment if the instance does not have it.
func (in *instance) ensureEnvironment(ctx context.Context) error {
	e := in.plugin.env.Load()
	if e == nil || in.env == e {
		return nil
	}
	_, err := in.loadEnvironment(ctx, e)
	return err
}

// Replay calls state.replay and checks that the answer fits the request. Errors are
// *Error. The request's Op and Environment are filled in.
func (p *Plugin) Replay(ctx context.Context, r abi.ReplayRequest) (abi.Replay, error) {
	r.Op, r.Environment = abi.OpStateReplay, p.environmentID()
	var out abi.Replay
	err := callAndDecode(ctx, p, r.Op, &r, &out, func() error { return out.Within(&r) })
	return out, err
}

// Check calls equivalence.check and checks that the answer fits the request. Errors are
// *Error. The request's Op and Environment are filled in.
func (p *Plugin) Check(ctx context.Context, r abi.CheckRequest) (abi.Check, error) {
	r.Op, r.Environment = abi.OpEquivalenceCheck, p.environmentID()
	var out abi.Check
	err := callAndDecode(ctx, p, r.Op, &r, &out, func() error { return out.Within(&r) })
	return out, err
}

// Audit calls gold.audit and checks that the answer fits the request. Errors are
// *Error. The request's Op and Environment are filled in.
func (p *Plugin) Audit(ctx context.Context, r abi.AuditRequest) (abi.Audit, error) {
	r.Op, r.Environment = abi.OpGoldAudit, p.environmentID()
	var out abi.Audit
	err := callAndDecode(ctx, p, r.Op, &r, &out, func() error { return out.Within(&r) })
	return out, err
}

func (p *Plugin) environmentID() string {
	if e := p.env.Load(); e != nil {
		return e.ID
	}
	return ""
}

func callAndDecode[T any](ctx context.Context, p *Plugin, op string, request any, out *T, within func() error) error {
	answer, err := p.sendRequest(ctx, op, request)
	if err != nil {
		return err
	}
	if fast, ok := any(out).(interface{ Open([]byte) bool }); !ok || !fast.Open(answer) {
		raw, err := p.openAnswer(answer)
		if err != nil {
			return err
		}
		*out = *new(T)
		if err := json.Unmarshal(raw, out); err != nil {
			return newError(p.name, InvalidAnswer, "invalid answer to %s: %v", op, err)
		}
	}
	if err := within(); err != nil {
		return newError(p.name, InvalidAnswer, "the answer to %s does not fit the request: %v", op, err)
	}
	return nil
}

// Classify calls tools.classify and checks that the answer names only these tools.
// Errors are *Error.
func (p *Plugin) Classify(ctx context.Context, tools []abi.Tool) (abi.Classified, error) {
	r := abi.ClassifyRequest{Op: abi.OpToolsClassify, Tools: tools}
	var out abi.Classified
	err := callAndDecode(ctx, p, r.Op, &r, &out, func() error { return out.Within(&r) })
	return out, err
}

// Decode calls trace.decode for a file with this name and content. The answer has the
// runs of the file in a format that the core reads. Errors are *Error.
func (p *Plugin) Decode(ctx context.Context, name string, data []byte) (abi.Decoded, error) {
	var out abi.Decoded
	if err := p.checkOffered(abi.OpTraceDecode); err != nil {
		return out, err
	}
	raw, err := p.callRaw(ctx, abi.Decode(name, data))
	if err != nil {
		return out, err
	}
	if err := json.Unmarshal(raw, &out); err != nil {
		return out, newError(p.name, InvalidAnswer, "invalid answer to %s: %v", abi.OpTraceDecode, err)
	}
	if err := out.Check(); err != nil {
		return out, newError(p.name, InvalidAnswer, "invalid answer to %s: %v", abi.OpTraceDecode, err)
	}
	return out, nil
}

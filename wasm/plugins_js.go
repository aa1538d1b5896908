package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"syscall/js"

	"github.com/boundcheck/boundcheck/core/stage/checker"
	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/checkers"
	"github.com/boundcheck/boundcheck/plugins/meter"
)

// sha256Hex returns the SHA-256 hash of bytes in hexadecimal digits. JavaScript needs it
// in a page that was loaded over plain HTTP.
func sha256Hex(_ js.Value, args []js.Value) any {
	if len(args) == 1 {
		if b, ok := fromJS(args[0]); ok {
			sum := sha256.Sum256(b)
			return hex.EncodeToString(sum[:])
		}
	}
	return js.Null()
}

// addMeter adds a meter to the WebAssembly module of a plugin and returns the new module.
// If package meter refuses the module, the result is an object with the code and the
// reason. If the arguments are invalid, the result is null.
func addMeter(_ js.Value, args []js.Value) any {
	if len(args) != 2 || args[1].Type() != js.TypeNumber {
		return js.Null()
	}
	wasm, ok := fromJS(args[0])
	if !ok {
		return js.Null()
	}
	out, err := meter.Rewrite(wasm, meter.Options{Pages: uint32(args[1].Int()), Plugin: true})
	if err != nil {
		code, why := meter.Code(err), err.Error()
		if code == "invalid-module" {
			why = "invalid module: " + why
		}
		return js.ValueOf(map[string]any{"code": code, "why": why})
	}
	return toJS(out)
}

// newCheckers returns the checkers of a score. The parameter v is an object with these
// members:
//
//   - plugins: a list of loaded plugins {name, sha256, description, environment, ask} and of plugins that could not be loaded {name, message}
//   - known: a list of descriptions of checkers that are not loaded
//   - found: a function that gets the name of each known checker that would apply
//
// A description is the JSON text that a plugin returned. The function ask takes a request
// as Uint8Array and returns the answer as Uint8Array, or an object {code, why}.
func newCheckers(v js.Value) (all []checker.Checker) {
	eachElement(v.Get("known"), func(d js.Value) {
		about := parseDescription(d)
		all = append(all, checkers.Scout{Description: about, Found: func(string) { v.Call("found", about.Name) }})
	})
	eachElement(v.Get("plugins"), func(p js.Value) {
		if d := p.Get("description"); d.Type() == js.TypeString {
			about := parseDescription(d)
			if err := about.CheckNames(); err != nil {
				all = append(all, checkers.Broken{Name: about.Name, Err: fmt.Errorf("invalid answer to describe: %w", err)})
				return
			}
			all = append(all, newChecker(p, about))
			return
		}
		all = append(all, checkers.Broken{Name: p.Get("name").String(), Err: errors.New(p.Get("message").String())})
	})
	return all
}

func eachElement(list js.Value, f func(js.Value)) {
	if list.Type() != js.TypeObject {
		return
	}
	for i := range list.Length() {
		f(list.Index(i))
	}
}

// parseDescription parses a description that a host has already checked.
func parseDescription(text js.Value) (d abi.Description) {
	json.Unmarshal([]byte(text.String()), &d)
	return d
}

func newChecker(p js.Value, d abi.Description) *checkers.Checker {
	environment := p.Get("environment").String()
	ask := func(r abi.CheckRequest) (abi.Check, error) {
		var out abi.Check
		r.Op, r.Environment = abi.OpEquivalenceCheck, environment
		request, err := json.Marshal(&r)
		if err != nil {
			return out, &failure{d.Name, "internal", fmt.Sprintf("cannot encode the request: %v", err)}
		}
		raw, err := callPlugin(p, d.Name, request)
		if err != nil {
			return out, err
		}
		if err := json.Unmarshal(raw, &out); err != nil {
			return out, &failure{d.Name, "invalid-answer", fmt.Sprintf("invalid answer to %s: %v", r.Op, err)}
		}
		if err := out.Within(&r); err != nil {
			return out, &failure{d.Name, "invalid-answer", fmt.Sprintf("the answer to %s does not fit the request: %v", r.Op, err)}
		}
		return out, nil
	}
	slow := func(err error) bool {
		var f *failure
		return errors.As(err, &f) && f.code == "deadline"
	}
	return &checkers.Checker{Description: d, SHA256: p.Get("sha256").String(), Force: true, Ask: ask, Slow: slow}
}

// callPlugin calls a plugin through its host in JavaScript and returns the "ok" of the
// answer's envelope. The host has already checked the envelope.
func callPlugin(p js.Value, name string, request []byte) (json.RawMessage, error) {
	said := p.Call("ask", toJS(request))
	answer, ok := fromJS(said)
	if !ok {
		return nil, &failure{name, said.Get("code").String(), said.Get("why").String()}
	}
	var a abi.Answer
	if err := json.Unmarshal(answer, &a); err != nil {
		return nil, &failure{name, "invalid-answer", fmt.Sprintf("invalid answer: %v", err)}
	}
	if a.Error != nil {
		return nil, &failure{name, a.Error.Code, a.Error.Message}
	}
	return a.OK, nil
}

// failure is an error of a plugin. Its text is equal in every host.
type failure struct{ plugin, code, why string }

func (f *failure) Error() string { return fmt.Sprintf("plugin %q: %s (%s)", f.plugin, f.why, f.code) }

// Command wasm is the core as a js/wasm module. It passes its functions to the program
// that started it, and waits for calls.
//
// The program that starts the module sets globalThis.boundcheckReady to a function first.
// The module calls that function once, before run returns, with these functions:
//
//	handle(method: string, body: Uint8Array | string, plugins?) => Uint8Array
//	digest(bytes: Uint8Array) => string   the sha256 in lower-case hex
//	meter(module: Uint8Array, pages: number) => Uint8Array | {code, why}
//
// plugins describes the plugins that check the runs of a score (see newCheckers). A
// plugin runs in the same engine as this module, and is called synchronously.
//
// A call is synchronous and cannot be interrupted, because a deadline set in Go never
// fires under js/wasm. So the program that starts the module enforces time limits, by
// ending the Web Worker. The names of all files end in _js.go, so that native builds skip
// them.
//
// The build tag "library" adds the methods of internal/library. The npm package is built
// with it; the page's own module is built without it and is smaller.
package main

import (
	"fmt"
	"syscall/js"

	"github.com/boundcheck/boundcheck/core/wire"
)

func main() {
	js.Global().Call("boundcheckReady", js.FuncOf(handleCall), js.FuncOf(sha256Hex), js.FuncOf(addMeter))
	select {}
}

// handleCall is wire.Handle for JavaScript. If the arguments are invalid, the answer is
// an error envelope. handleCall must not panic, because a panic ends the instance.
func handleCall(_ js.Value, args []js.Value) any {
	method, body, err := parseCall(args)
	if err != nil {
		return toJS(wire.Fail(wire.CodeInput, err.Error()))
	}
	if len(args) == 3 && method == "score" {
		if body, err = prepareScore(body); err != nil {
			return toJS(wire.FailWith(err))
		}
		answer, _ := wire.Score(body, newCheckers(args[2]))
		return toJS(answer)
	}
	answer, _ := answerMethod(method, body)
	return toJS(answer)
}

func parseCall(args []js.Value) (method string, body []byte, err error) {
	if len(args) < 2 || len(args) > 3 || args[0].Type() != js.TypeString || len(args) == 3 && args[2].Type() != js.TypeObject {
		return "", nil, fmt.Errorf("invalid call: want handle(method, body) or handle(method, body, plugins)")
	}
	method = args[0].String()
	if args[1].Type() == js.TypeString {
		return method, []byte(args[1].String()), nil
	}
	if body, ok := fromJS(args[1]); ok {
		return method, body, nil
	}
	return "", nil, fmt.Errorf("invalid body: want Uint8Array or string")
}

func fromJS(v js.Value) (b []byte, ok bool) {
	if !v.InstanceOf(js.Global().Get("Uint8Array")) {
		return nil, false
	}
	b = make([]byte, v.Length())
	js.CopyBytesToGo(b, v)
	return b, true
}

func toJS(b []byte) js.Value {
	out := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(out, b)
	return out
}

// Command wasm is the core as a js/wasm module with one door. It starts no work:
// it hands `handle` to whoever started it and waits to be called.
//
// The starter sets globalThis.boundcheckReady to a function before it runs the
// module; that function receives handle, once, before run returns to it:
//
//	handle(method: string, body: Uint8Array | string) => Uint8Array
//
// A call is synchronous and nothing in it can be interrupted: a deadline set in
// Go never fires under js/wasm, so time limits are the starter's business (it
// ends the Web Worker). Its files are all _js.go, so that native builds skip it.
package main

import (
	"fmt"
	"syscall/js"

	"github.com/boundcheck/boundcheck/core/wire"
)

func main() {
	js.Global().Call("boundcheckReady", js.FuncOf(handle))
	select {}
}

// handle is wire.Handle for JavaScript. wire recovers its own panics; a misuse
// of this function is answered in the same envelope, because a panic here would
// end the instance.
func handle(_ js.Value, args []js.Value) any {
	method, body, err := call(args)
	if err != nil {
		return toJS(wire.Fail(wire.CodeInput, err.Error()))
	}
	answer, _ := wire.Handle(method, body)
	return toJS(answer)
}

func call(args []js.Value) (method string, body []byte, err error) {
	if len(args) != 2 || args[0].Type() != js.TypeString {
		return "", nil, fmt.Errorf("invalid call: want handle(method, body)")
	}
	method = args[0].String()
	switch {
	case args[1].Type() == js.TypeString:
		return method, []byte(args[1].String()), nil
	case args[1].InstanceOf(js.Global().Get("Uint8Array")):
		body = make([]byte, args[1].Length())
		js.CopyBytesToGo(body, args[1])
		return method, body, nil
	}
	return "", nil, fmt.Errorf("invalid body: want Uint8Array or string")
}

func toJS(b []byte) js.Value {
	out := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(out, b)
	return out
}

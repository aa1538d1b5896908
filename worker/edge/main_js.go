// Command edge is the Cloudflare Worker. One binary serves two ways, and the
// JavaScript shell beside it (shell.mjs) chooses:
//
//   - the core: one instance for as long as the isolate lives, started before
//     any request comes, called synchronously. All routed paths go this way;
//   - the handler: github.com/syumai/workers around worker.Handler, a new
//     instance a request. It answers every other path, and the routed ones when
//     the core could not be started. It costs some 20 times as much processor
//     time a request, but it is a whole http.Handler with the platform's bindings.
//
// As each request may start an instance, nothing here or below may do work in
// init functions or package variables.
package main

import (
	"strings"
	"syscall/js"

	"github.com/syumai/workers"

	"github.com/boundcheck/boundcheck/worker"
	"github.com/boundcheck/boundcheck/worker/api"
)

func main() {
	if core := js.Global().Get("context").Get("core"); core.Truthy() {
		export(core)
		select {} // the shell keeps calling
	}
	workers.Serve(worker.Handler(worker.Options{}))
}

// export gives the shell its two properties: limit, the number of body bytes
// to read at most, and answer, which returns status, header lines and body.
func export(core js.Value) {
	bytes := js.Global().Get("Uint8Array")
	core.Set("limit", api.BodyLimit+1)
	core.Set("answer", js.FuncOf(func(_ js.Value, args []js.Value) any {
		a := api.Options{}.Answer(request(args))
		body := bytes.New(len(a.Body))
		js.CopyBytesToJS(body, a.Body)
		return []any{a.Status, lines(a.Header), body}
	}))
}

// lines writes headers as one text, since each value that crosses costs about a
// microsecond and the shell can remember what it has read before.
func lines(headers []api.Header) string {
	var b strings.Builder
	for _, h := range headers {
		b.WriteString(h.Name + ": " + h.Value + "\n")
	}
	return b.String()
}

// request reads answer's arguments: method, path, content-encoding, announced
// length (negative when unknown), and the body as a Uint8Array.
func request(args []js.Value) api.Request {
	return api.Request{
		Method:   args[0].String(),
		Path:     args[1].String(),
		Encoding: args[2].String(),
		Length:   int64(args[3].Float()),
		Read: func(max int) ([]byte, error) {
			b := make([]byte, min(args[4].Length(), max))
			js.CopyBytesToGo(b, args[4])
			return b, nil
		},
	}
}

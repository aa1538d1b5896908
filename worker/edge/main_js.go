//go:build !batches

// Command edge is the Cloudflare Worker. One binary plays three parts, and the
// JavaScript beside it chooses by what it puts into the context:
//
//   - the core (core.mjs): one instance for as long as the isolate lives, started
//     before any request comes, called synchronously. Scoring and checking;
//   - the gate (gate.mjs): another long-lived instance that runs the gate's
//     http.Handler, each request in a goroutine of its own, on D1;
//   - the handler (worker.mjs): github.com/syumai/workers around worker.Handler, a
//     new instance a request. It stands in where the core could not be started. It
//     costs some 20 times as much processor time a request.
//
// As each request may start an instance, nothing here or below may do work in
// init functions or package variables.
package main

import (
	"syscall/js"

	"github.com/syumai/workers"

	"github.com/boundcheck/boundcheck/worker"
)

func main() {
	context := js.Global().Get("context")
	switch {
	case context.Get("core").Truthy():
		exportCore(context.Get("core"))
	case context.Get("gate").Truthy():
		exportGate(context.Get("gate"))
	default:
		workers.Serve(worker.Handler(worker.Options{}))
		return
	}
	select {} // the shell keeps calling
}

//go:build batches

package main

import "syscall/js"

// main of the Worker of batches alone, which has the core and nothing else
// (worker/edge/batchshell.mjs).
func main() {
	exportCore(js.Global().Get("context").Get("core"))
	select {} // the shell keeps calling
}

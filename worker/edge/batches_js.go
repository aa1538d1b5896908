//go:build batches

package main

import "syscall/js"

// main is the program of the Worker for batches (worker/edge/batchshell.mjs). It exports
// only the properties that exportCore sets, and nothing of the gate.
func main() {
	exportCore(js.Global().Get("context").Get("core"))
	select {} // the shell keeps calling
}

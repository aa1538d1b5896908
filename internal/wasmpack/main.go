// Command wasmpack changes a module that Go has linked so that the module is smaller after
// compression: it joins data segments, and writes zeros over data that no wasm program
// reads. Usage: wasmpack [-no-lines] IN.wasm OUT.wasm. IN and OUT may be the same file.
// With -no-lines it also writes zeros over data that only stack traces need.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/boundcheck/boundcheck/internal/wasmpack/pack"
)

func main() {
	lines := flag.Bool("no-lines", false, "write zeros over data that only stack traces need")
	flag.Usage = func() { fmt.Fprintln(os.Stderr, "usage: wasmpack [-no-lines] IN.wasm OUT.wasm") }
	flag.Parse()
	if flag.NArg() != 2 {
		flag.Usage()
		os.Exit(2)
	}
	if err := rewriteModule(flag.Arg(0), flag.Arg(1), *lines); err != nil {
		fmt.Fprintln(os.Stderr, "wasmpack:", err)
		os.Exit(1)
	}
}

func rewriteModule(in, out string, noLines bool) error {
	wasm, err := os.ReadFile(in)
	if err != nil {
		return err
	}
	packed, err := pack.Pack(wasm)
	drop := pack.DropArguments
	if noLines {
		drop = pack.DropLines
	}
	if err == nil {
		packed, err = drop(packed)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", in, err)
	}
	return os.WriteFile(out, packed, 0o644)
}

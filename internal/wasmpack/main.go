// Command wasmpack joins the data segments of a module that Go has linked, which
// makes it smaller once it is compressed. wasmpack IN.wasm OUT.wasm, which
// may be the same file.
package main

import (
	"fmt"
	"os"

	"github.com/boundcheck/boundcheck/internal/wasmpack/pack"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: wasmpack IN.wasm OUT.wasm")
		os.Exit(2)
	}
	if err := rewrite(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "wasmpack:", err)
		os.Exit(1)
	}
}

func rewrite(in, out string) error {
	wasm, err := os.ReadFile(in)
	if err != nil {
		return err
	}
	packed, err := pack.Pack(wasm)
	if err != nil {
		return fmt.Errorf("%s: %w", in, err)
	}
	return os.WriteFile(out, packed, 0o644)
}

// Command metered rewrites a module for a JavaScript host that cannot do so itself. The
// host imports the result statically and can stop it. metered IN.wasm OUT.wasm
package main

import (
	"fmt"
	"os"

	"github.com/boundcheck/boundcheck/plugins/meter"
)

// pages limits a memory to 64 MiB: an isolate at the edge has 128 MB in all.
const pages = 1024

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: metered IN.wasm OUT.wasm")
		os.Exit(2)
	}
	if err := rewriteFile(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "metered:", err)
		os.Exit(1)
	}
}

func rewriteFile(in, out string) error {
	wasm, err := os.ReadFile(in)
	if err != nil {
		return err
	}
	metered, err := meter.Rewrite(wasm, meter.Options{Pages: pages})
	if err != nil {
		return fmt.Errorf("%s: %w", in, err)
	}
	return os.WriteFile(out, metered, 0o644)
}

// Command metered rewrites a module for a host that cannot: the JavaScript host takes
// it as a static import, and is able to stop it. metered IN.wasm OUT.wasm
package main

import (
	"fmt"
	"os"

	"github.com/boundcheck/boundcheck/plugins/meter"
)

// pages are 64 MiB: an isolate at the edge has 128 MB for all that it holds.
const pages = 1024

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: metered IN.wasm OUT.wasm")
		os.Exit(2)
	}
	if err := rewrite(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "metered:", err)
		os.Exit(1)
	}
}

func rewrite(in, out string) error {
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

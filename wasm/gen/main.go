// Command gen writes the TypeScript types of the npm package from the Go types
// that cross the wire, doc comments included. Run it from the repository root:
//
//	go run ./wasm/gen          writes wasm/npm/types.d.ts
//	go run ./wasm/gen -check   fails when that file differs
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
)

const target = "wasm/npm/types.d.ts"

// roots are the types a front end meets, by folder; what they name follows.
var roots = []source{
	{"core", []root{{"Report", "Report"}, {"Transcript", "Transcript"}}},
	{"core/proposal", []root{{"Decision", "Decision"}}},
	{"core/wire", []root{{"Error", "WireError"}, {"Handshake", "Handshake"}}},
}

func main() {
	check := flag.Bool("check", false, "compare instead of write")
	flag.Parse()
	if err := run(*check); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(check bool) error {
	want, err := generate(".", roots)
	if err != nil {
		return err
	}
	if !check {
		return os.WriteFile(target, want, 0o644)
	}
	have, err := os.ReadFile(target)
	if err != nil {
		return err
	}
	if !bytes.Equal(have, want) {
		return fmt.Errorf("%s is out of date: run go run ./wasm/gen", target)
	}
	return nil
}

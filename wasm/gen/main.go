// Command gen writes Go types, with their doc comments, in other languages. From the types
// of requests and answers it generates the TypeScript types of the npm package, the JSON
// Schema of a report, and the classes of the Python package. From the messages of the
// plugin ABI it generates a JSON Schema, TypeScript types, and the types of the Rust
// starter. From the words of the command it generates those of the page, and from the gate's
// OpenAPI description its clients. Run it from the repository root:
//
//	go run ./wasm/gen          writes the files
//	go run ./wasm/gen -check   fails if one of the files differs
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"

	"github.com/boundcheck/boundcheck/wasm/gen/gateapi"
	"github.com/boundcheck/boundcheck/wasm/gen/report"
)

// target is a generated file. make returns its content, generated from the repository at
// base.
type target struct {
	file string
	make func(base string) ([]byte, error)
}

func allTargets() []target {
	return []target{
		{"wasm/npm/types.d.ts", report.TypeScript},
		{"core/report.schema.json", report.Schema},
		{"python/boundcheck/_types.py", report.Python},
		{"wasm/npm/operations.js", gateapi.JavaScript},
		{"wasm/npm/operations.d.ts", gateapi.TypeScript},
		{"python/boundcheck/_operations.py", gateapi.Python},
		{"wasm/npm/abi.d.ts", typeScriptTypes},
		{"plugins/abi/schema.json", messageSchema},
		{"playground/base/terms.js", pageTerms},
		{"playground/base/secrets.js", pageSecrets},
		{"plugins/skeleton/rust/src/abi.rs.tmpl", rustTypes},
	}
}

func main() {
	check := flag.Bool("check", false, "compare the files with the generated text, and write nothing")
	flag.Parse()
	if err := run(*check); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(check bool) error {
	for _, t := range allTargets() {
		want, err := t.make(".")
		if err != nil {
			return fmt.Errorf("%s: %w", t.file, err)
		}
		if !check {
			if err := os.WriteFile(t.file, want, 0o644); err != nil {
				return err
			}
			continue
		}
		have, err := os.ReadFile(t.file)
		if err != nil {
			return err
		}
		if !bytes.Equal(have, want) {
			return fmt.Errorf("file %s is out of date. To update the file, use: go run ./wasm/gen", t.file)
		}
	}
	return nil
}

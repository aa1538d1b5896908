// Command wasmpack changes a module that Go has linked so that the module is smaller after
// compression: it joins data segments, and writes zeros over data that no wasm program
// reads. IN and OUT may be the same file.
//
//	wasmpack [-no-lines] [-seldom NAMES -second SECOND.wasm] [-text FUNCTION=FILE]… IN.wasm OUT.wasm
//	wasmpack -trace IN.wasm OUT.wasm
//
// With -no-lines it also writes zeros over data that only stack traces need. With -seldom it
// moves the functions that a file names to a second module, and with -text also the text of
// a file that the program embeds, if this function, which alone reads it, is moved. With -trace it makes a module
// that records which functions are called; wasm/seldom.mjs uses it to write that file.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/boundcheck/boundcheck/internal/wasmpack/pack"
)

func main() {
	lines := flag.Bool("no-lines", false, "write zeros over data that only stack traces need")
	seldom := flag.String("seldom", "", "file with the names of the functions of the second module")
	second := flag.String("second", "", "file for the second module")
	texts := map[string][]byte{}
	flag.Func("text", "FUNCTION=FILE: an embedded file, and the only function that reads it", func(s string) (err error) {
		name, file, _ := strings.Cut(s, "=")
		texts[name], err = os.ReadFile(file)
		return err
	})
	trace := flag.Bool("trace", false, "record which functions are called")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: wasmpack [-no-lines] [-seldom NAMES -second SECOND.wasm] [-text FUNCTION=FILE]… IN.wasm OUT.wasm\n       wasmpack -trace IN.wasm OUT.wasm")
	}
	flag.Parse()
	if flag.NArg() != 2 || (*seldom == "") != (*second == "") {
		flag.Usage()
		os.Exit(2)
	}
	in, out := flag.Arg(0), flag.Arg(1)
	err := rewriteModule(in, out, func(wasm []byte) ([]byte, error) {
		packed, err := pack.Pack(wasm)
		switch {
		case err != nil:
			return nil, err
		case *seldom != "":
			return splitModule(packed, pack.Options{DropLines: *lines, Texts: texts}, *seldom, *second)
		case *trace:
			return pack.Trace(packed)
		case *lines:
			return pack.DropLines(packed)
		}
		return pack.DropArguments(packed)
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "wasmpack:", err)
		os.Exit(1)
	}
}

func rewriteModule(in, out string, rewrite func([]byte) ([]byte, error)) error {
	wasm, err := os.ReadFile(in)
	if err != nil {
		return err
	}
	if wasm, err = rewrite(wasm); err != nil {
		return fmt.Errorf("%s: %w", in, err)
	}
	return os.WriteFile(out, wasm, 0o644)
}

// splitModule splits a module into two. It returns the first module and writes the second
// module to the file second. The file names lists the functions that may be in the second
// module.
func splitModule(wasm []byte, o pack.Options, names, second string) ([]byte, error) {
	text, err := os.ReadFile(names)
	if err != nil {
		return nil, err
	}
	isSeldom, err := pack.ReadNames(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", names, err)
	}
	first, rest, err := pack.Split(wasm, o, isSeldom)
	if err != nil {
		return nil, err
	}
	return first, os.WriteFile(second, rest, 0o644)
}

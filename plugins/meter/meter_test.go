package meter_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/hostile"
	"github.com/boundcheck/boundcheck/plugins/meter"
)

// The tests of the hosts check how a guest is stopped, with the modules of
// internal/hostile.

func wasmModule(sections ...string) []byte {
	return []byte("\x00asm\x01\x00\x00\x00" + strings.Join(sections, ""))
}

// functionModule returns a module with one global and one function. The function has the
// type () -> () and the given body.
func functionModule(body string) []byte {
	code := "\x00" + body + "\x0b"
	return wasmModule("\x01\x04\x01\x60\x00\x00", "\x03\x02\x01\x00", "\x06\x06\x01\x7f\x01\x41\x00\x0b",
		"\x0a"+string(rune(len(code)+2))+"\x01"+string(rune(len(code)))+code)
}

// TestNumbersBeyond checks that the meter refuses an undefined index. Such an index must
// not refer to an entry that the meter adds.
func TestNumbersBeyond(t *testing.T) {
	for body, want := range map[string]string{
		"\x10\x00":                         "",
		"\x10\x01":                         "unknown function 1",
		"\xd2\x01\x1a":                     "unknown function 1",
		"\x23\x00\x1a":                     "",
		"\x23\x01\x1a":                     "unknown global 1",
		"\x41\x00\x24\x01":                 "unknown global 1",
		"\x02\x01\x0b":                     "unknown type 1",
		"\x41\x00\x11\x01\x00":             "unknown type 1",
		"\xff":                             "unknown instruction 0xff",
		"\xfc\x20":                         "unknown instruction 0xfc 32",
		"\x43":                             "ends too early",
		"\x10\x80\x80\x80\x80\x80\x80\x00": "too long",
	} {
		_, err := meter.Rewrite(functionModule(body), meter.Options{})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%x: error %v, want %q", body, err, want)
		}
	}
}

func TestRefused(t *testing.T) {
	check := func(want string, module []byte, o meter.Options) {
		t.Helper()
		if _, err := meter.Rewrite(module, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	check("not a WebAssembly module", []byte("#!/bin/sh\n"), meter.Options{})
	check("ends too early", wasmModule("\x01\x7f"), meter.Options{})
	check("unknown section 13", wasmModule("\x0d\x00"), meter.Options{})
	check("twice", wasmModule("\x01\x01\x00", "\x01\x01\x00"), meter.Options{})
	check("declared and 0 are defined", wasmModule("\x01\x04\x01\x60\x00\x00", "\x03\x02\x01\x00"), meter.Options{})
	check("the module's memory has 2 pages, limit 1", wasmModule("\x05\x03\x01\x00\x02"), meter.Options{Pages: 1})
	check("unsupported kind of memory", wasmModule("\x05\x04\x01\x03\x01\x02"), meter.Options{})
	if _, err := meter.Rewrite(wasmModule("\x02\x14\x01\x0aboundcheck\x05meter\x00\x00"), meter.Options{}); !errors.Is(err, meter.ErrImports) {
		t.Errorf("error %v, want ErrImports", err)
	}
}

// TestPages checks that a memory gets the limit Options.Pages. A lower limit in the
// module must stay unchanged.
func TestPages(t *testing.T) {
	for _, c := range []struct{ limits, want string }{
		{"\x00\x01", "\x01\x01\x40"},
		{"\x01\x01\x7f", "\x01\x01\x40"},
		{"\x01\x01\x02", "\x01\x01\x02"},
	} {
		out, err := meter.Rewrite(wasmModule("\x05"+string(rune(len(c.limits)+1))+"\x01"+c.limits), meter.Options{Pages: 64})
		if want := "\x05\x04\x01" + c.want; err != nil || !bytes.Contains(out, []byte(want)) {
			t.Errorf("%x: %x, error %v, want %x in it", c.limits, out, err, want)
		}
	}
}

func FuzzRewrite(f *testing.F) {
	for _, c := range hostile.Cases() {
		f.Add(c.Wasm)
	}
	f.Add(hostile.Honest("{}"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<16 {
			return
		}
		out, err := meter.Rewrite(b, meter.Options{Pages: 16})
		if err == nil {
			if _, err := meter.Rewrite(out, meter.Options{}); !errors.Is(err, meter.ErrImports) {
				t.Errorf("what was written cannot be read again: %v", err)
			}
		}
	})
}

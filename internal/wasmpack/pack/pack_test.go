package pack

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"math/rand/v2"
	"strings"
	"testing"
)

const header = "\x00asm\x01\x00\x00\x00"

func newSection(id byte, body string) string {
	return string(id) + string(binary.AppendUvarint(nil, uint64(len(body)))) + body
}

// newModule returns a module with a data section of these segments.
func newModule(all ...segment) []byte {
	body := binary.AppendUvarint(nil, uint64(len(all)))
	for _, s := range all {
		body = append(appendAddress(append(body, 0, i32Const), s.at), end)
		body = append(binary.AppendUvarint(body, uint64(len(s.data))), s.data...)
	}
	return []byte(header + newSection(1, "\x00") + newSection(dataSection, string(body)) + newSection(0, "\x04name"))
}

// memoryImage returns the memory after the module's segments are copied.
func memoryImage(t *testing.T, wasm []byte) []byte {
	t.Helper()
	r := &reader{rest: wasm[len(header):]}
	memory := make([]byte, 1<<16)
	for len(r.rest) > 0 && r.err == nil {
		id, body := r.readByte(), r.takeBytes(r.readNumber())
		if id != dataSection {
			continue
		}
		all, err := readSegments(body)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			copy(memory[s.at:], s.data)
		}
	}
	return memory
}

func TestSegmentsAreJoinedOverGaps(t *testing.T) {
	check := func(want []segment, given ...segment) {
		t.Helper()
		packed, err := Pack(newModule(given...))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(packed, newModule(want...)) {
			t.Errorf("%v became %q, want %v", given, packed, want)
		}
	}
	check(nil)
	check([]segment{{64, []byte("a")}}, segment{64, []byte("a")})
	check([]segment{{64, []byte("ab")}}, segment{64, []byte("a")}, segment{65, []byte("b")})
	check([]segment{{8192, []byte("a\x00\x00b\x00c")}}, segment{8192, []byte("a")}, segment{8195, []byte("b")}, segment{8197, []byte("c")})
	check([]segment{{0, []byte("a\x00b")}}, segment{2, []byte("b")}, segment{0, []byte("a")})
	check([]segment{{0, []byte("a" + strings.Repeat("\x00", gap) + "b")}}, segment{0, []byte("a")}, segment{1 + gap, []byte("b")})
	check([]segment{{0, []byte("a")}, {2 + gap, []byte("b")}}, segment{0, []byte("a")}, segment{2 + gap, []byte("b")})
}

func TestMemoryStaysTheSame(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var all []segment
		for at := random.IntN(300); at < 50_000; at += random.IntN(2 * gap) {
			s := segment{at, []byte(strings.Repeat("x", random.IntN(40)))}
			all, at = append(all, s), s.endAddress()
		}
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		before := newModule(all...)
		after, err := Pack(before)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(memoryImage(t, before), memoryImage(t, after)) {
			t.Fatalf("another memory after %v", all)
		}
	}
}

// TestSparseTableGetsSmaller checks that Pack makes a sparse table smaller under gzip.
// The table has entries of 20 bytes that are nearly all zeros, like a table of the Go
// runtime.
func TestSparseTableGetsSmaller(t *testing.T) {
	var all []segment
	for i := range 2000 {
		all = append(all, segment{20 * i, binary.LittleEndian.AppendUint16(nil, uint16(i/16)|1)})
	}
	before := newModule(all...)
	after, err := Pack(before)
	if err != nil {
		t.Fatal(err)
	}
	if b, a := gzipSize(before), gzipSize(after); a > b/3 {
		t.Errorf("%d bytes of gzip became %d, want a third at most", b, a)
	}
}

func gzipSize(b []byte) int {
	var to bytes.Buffer
	w := gzip.NewWriter(&to)
	w.Write(b)
	w.Close()
	return to.Len()
}

func TestRefused(t *testing.T) {
	check := func(wasm, want string) {
		t.Helper()
		if _, err := Pack([]byte(wasm)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", wasm, err, want)
		}
	}
	check("", "not a WebAssembly module")
	check("#!/bin/sh", "not a WebAssembly module")
	check(header+"\x0b", "ends too early")
	check(header+"\x0b\x7f", "ends too early")
	check(header+newSection(importSection, "\x01\x03env\x06memory\x02\x00\x01"), "imports something that is not a function")
	check(header+newSection(dataCountSection, "\x01"), "by index")
	check(header+newSection(dataSection, "\x01\x01\x01x"), "no constant address")
	check(header+newSection(dataSection, "\x01\x00\x23\x00\x0b\x01x"), "no constant address")
	check(header+newSection(dataSection, "\x01\x00\x41\x00\x41\x00\x6a\x0b\x01x"), "not a single constant")
	check(header+newSection(dataSection, "\x01\x00\x41\x7f\x0b\x01x"), "address of 2 GiB or more")
	check(string(newModule(segment{8, []byte("abc")}, segment{10, []byte("d")})), "write to address 10")
	whole := string(newModule(segment{8, []byte("abc")}))
	for i := len(header); i < strings.Index(whole, "abc")+3; i++ {
		if _, err := Pack([]byte(whole[:i])); err == nil && i != len(header) && i != len(header)+3 {
			t.Errorf("cut off after %d bytes, it is taken", i)
		}
	}
}

func TestFunctionsMayBeImported(t *testing.T) {
	wasm := header + newSection(importSection, "\x01\x02go\x05debug\x00\x00")
	packed, err := Pack([]byte(wasm))
	if err != nil || string(packed) != wasm {
		t.Errorf("%q became %q, error %v", wasm, packed, err)
	}
}

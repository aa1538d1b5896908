package pack

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// walker is a program that makes the runtime walk stacks in every way: it grows them,
// collects garbage while pointers are on them, recovers panics through wrappers and
// inlined calls, and asks for a caller's position.
const walker = `package main

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
)

type value struct{ n int }

func (v value) Get() int { return v.n }

type getter interface{ Get() int }

type rescuer interface{ Rescue() }

type name struct{ text string }

func (n name) Rescue() { fmt.Println(n.text, recover()) }

func (n name) RescueWith(b []byte, i int, s string) { fmt.Println(n.text, len(b), i, s, recover()) }

type outer struct{ name }

func inlined() { call() }

func call() { name{"too deep"}.Rescue() }

//go:noinline
func ask(g getter) int { return g.Get() }

func deep(n int, keep *[]byte) int {
	var room [64]int
	room[n%64] = n
	if n == 0 {
		runtime.GC()
		return len(*keep)
	}
	return deep(n-1, keep) + room[(n+1)%64]
}

func try(name string, f func()) {
	defer func() {
		p := recover()
		if err, ok := p.(runtime.Error); ok {
			p = err.Error()
		}
		fmt.Println(name, p)
	}()
	f()
}

var begun = make(chan string)

func begin() { begun <- "begun by the only function that reads this" }

func main() {
	kept := []byte(strings.Repeat("x", 1<<16))
	fmt.Println(deep(20_000, &kept))
	var none *value
	try("wrapper", func() { fmt.Println(ask(none)) })
	try("index", func() { var list []int; _ = list[len(kept)] })
	try("map", func() { var m map[string]int; m["a"] = 1 })
	try("method of an interface", func() { var r rescuer = &name{"wrapped"}; defer r.Rescue(); panic(1) })
	try("method value", func() { f := name{"bound"}.Rescue; defer f(); panic(2) })
	try("arguments", func() { defer name{"late"}.RescueWith(kept, 3, "four"); panic(3) })
	try("embedded", func() { defer outer{name{"inner"}}.Rescue(); panic(4) })
	try("too deep", func() { defer func() { func() { recover() }() }(); panic(5) })
	try("too deep, inlined", func() { defer inlined(); panic(6) })
	try("no function between", func() { defer recover(); panic(7) })
	try("own", func() { panic(errors.New("own")) })
	try("exit", func() {
		done := make(chan bool)
		go func() { defer close(done); runtime.Goexit() }()
		<-done
	})
	for i := range 50 {
		c := make(chan int)
		go func() { c <- deep(i*100, &kept) }()
		fmt.Print(<-c, " ")
	}
	_, file, line, _ := runtime.Caller(0)
	fmt.Println()
	for range 3 {
		go begin()
	}
	runtime.GC() // no goroutine has begun yet
	for range 3 {
		fmt.Println(<-begun)
	}
	println(file != "?", line > 0)
}
`

// linkWalker builds and packs the test program in the constant walker. It returns the
// Wasm module, the path of Node, and the folder of Go's support files for Node. It skips
// the test if Node is missing.
func linkWalker(t *testing.T) (wasm []byte, node, support string) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("SKIPPED: no node, so that nothing runs a changed program")
	}
	dir := t.TempDir()
	source, linked := filepath.Join(dir, "main.go"), filepath.Join(dir, "main.wasm")
	if err := os.WriteFile(source, []byte(walker), 0o644); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", linked, source)
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if wasm, err = os.ReadFile(linked); err != nil {
		t.Fatal(err)
	}
	if wasm, err = Pack(wasm); err != nil {
		t.Fatal(err)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return wasm, node, filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm")
}

func TestProgramRunsWithoutLines(t *testing.T) {
	wasm, node, support := linkWalker(t)
	without, err := DropLines(wasm)
	if err != nil {
		t.Fatal(err)
	}
	script, linked := filepath.Join(support, "wasm_exec_node.js"), filepath.Join(t.TempDir(), "main.wasm")
	run := func(wasm []byte) (out, trouble string) {
		if err := os.WriteFile(linked, wasm, 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(node, script, linked)
		var errs bytes.Buffer
		cmd.Stderr = &errs
		said, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v\n%s%s", err, said, errs.String())
		}
		return string(said), errs.String()
	}
	want, places := run(wasm)
	got, none := run(without)
	if got != want || !strings.Contains(want, "wrapper value method main.value.Get called using nil *value pointer") {
		t.Errorf("without lines it says\n%s\nand with them\n%s", got, want)
	}
	if places != "true true\n" || none != "false false\n" {
		t.Errorf("places are known: %q, and without lines: %q", places, none)
	}
	before, after := gzipSize(wasm), gzipSize(without)
	t.Logf("%d bytes of gzip, %d without lines", before, after)
	if len(without) != len(wasm) || after > before*94/100 {
		t.Errorf("%d bytes of gzip became %d, want 6 %% less at least", before, after)
	}
	if again, err := DropLines(without); err != nil || !bytes.Equal(again, without) {
		t.Errorf("dropped again it changes, or %v", err)
	}
}

func TestNoLinesAreRefused(t *testing.T) {
	check := func(wasm, want string) {
		t.Helper()
		if _, err := DropLines([]byte(wasm)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", wasm, err, want)
		}
	}
	check("", "not a WebAssembly module")
	check(header+"\x0b\x7f", "ends too early")
	check(string(newModule(segment{64, []byte("a")})), "0 function tables")
	table := string(tableMagic) + "\x01" + strings.Repeat("\x00", 23)
	for i := range 5 {
		table += string([]byte{byte(72 + 8*i), 0, 0, 0, 0, 0, 0, 0})
	}
	check(string(newModule(segment{64, []byte(table)})), "0 function tables")                             // no functions
	check(string(newModule(segment{64, []byte(table + strings.Repeat("\x00", 8))})), "0 function tables") // too short for the parts
	check(string(newModule(segment{64, []byte(table + strings.Repeat("\x00", 36) + "\x00\x01\x00\x00" + strings.Repeat("\x00", 40))})), "is outside the table")
}

// TestFindDataAtZeroByte checks that findData works if the address of the table begins
// with a zero byte. The linker may leave this byte out. The data segment then begins in
// the middle of a word.
func TestFindDataAtZeroByte(t *testing.T) {
	const tableAt, names, from, to, moduledata = 0x1200, 0x1248, 0x5000, 0x6000, 0x9000
	header := make([]byte, headerSize)
	copy(header, tableMagic)
	binary.LittleEndian.PutUint64(header[8*4:], names-tableAt)
	words := make([]byte, 8*(endWord+1))
	for i, word := range map[int]uint64{0: tableAt, 1: names, gofuncWord: from, endWord: to} {
		binary.LittleEndian.PutUint64(words[8*i:], word)
	}
	for _, segments := range [][]segment{
		{{tableAt, header}, {moduledata, words}},
		{{tableAt, header}, {moduledata + 1, words[1:]}},
		{{tableAt, header}, {moduledata + 1, words[1:12]}, {moduledata + 8*gofuncWord, words[8*gofuncWord:]}},
	} {
		var got table
		got.findData(segments, segments[0], 0)
		if got.from != from || got.to != to {
			t.Errorf("%d segments, the last at %#x: data from %#x to %#x, want %#x to %#x", len(segments), segments[1].at, got.from, got.to, from, to)
		}
	}
}

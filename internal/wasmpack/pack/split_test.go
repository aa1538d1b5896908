package pack

import (
	"bytes"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/plugins/meter"
)

// starter starts a program from its first module and, if there is one, from its second. At
// the end it prints the functions that a traced program has called.
const starter = `
const fs = require("fs");
require(process.argv[2] + "/wasm_exec.js");
const go = new Go();
const read = (file) => new WebAssembly.Module(fs.readFileSync(file));
const first = new WebAssembly.Instance(read(process.argv[3]), go.importObject);
if (process.argv[4]) {
	const second = read(process.argv[4]);
	const place = {};
	const imports = WebAssembly.Module.imports(second);
	const table = first.exports[imports.find(({ kind }) => kind === "table").name];
	for (const { module, name } of imports) if (module === "place") place[name] = table.get(Number(name));
	new WebAssembly.Instance(second, { core: first.exports, place });
}
go.run(first).then(() => {
	for (const [name, ran] of Object.entries(first.exports)) if (name.startsWith("ran ") && ran.value) console.log(name);
	process.exit(0); // a timer of the program may be left
}, (e) => {
	console.log(e.constructor.name);
	process.exit(3);
});
`

// TestSplitProgram checks that a program gives the same output as a whole and as two
// modules. About half of the functions are in the second module, so there are calls in
// both directions.
func TestSplitProgram(t *testing.T) {
	wasm, node, support := linkWalker(t)
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	script := write("start.cjs", []byte(starter))
	run := func(modules ...string) (string, error) {
		cmd := exec.Command(node, append([]string{script, support}, modules...)...)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	whole := write("whole.wasm", wasm)
	want, err := run(whole)
	if err != nil || !strings.Contains(want, "too deep, inlined 6") {
		t.Fatalf("the whole program says %q, %v", want, err)
	}
	for seed := range byte(4) {
		moved := 0
		first, second, err := Split(wasm, Options{}, func(name string) bool {
			h := fnv.New32a()
			h.Write(append([]byte(name), seed))
			if h.Sum32()>>16&1 == 1 {
				moved++
				return true
			}
			return false
		})
		if err != nil {
			t.Fatal(err)
		}
		one, two := write("first.wasm", first), write("second.wasm", second)
		if got, err := run(one, two); got != want || err != nil {
			t.Errorf("%d functions moved: the program says %q, %v, want %q", moved, got, err, want)
		}
		if got, err := run(one); got != "RuntimeError\n" || err == nil {
			t.Errorf("the first module alone says %q, %v, want a trap", got, err)
		}
		if len(second) < len(wasm)/10 || len(first) > len(wasm)*9/10 {
			t.Errorf("%d bytes were split into %d and %d", len(wasm), len(first), len(second))
		}
	}
	alone := Options{DropLines: true, Texts: map[string][]byte{"main.begin": []byte("begun by the only function that reads this")}}
	first, second, err := Split(wasm, alone, func(name string) bool { return name == "main.begin" })
	if err != nil {
		t.Fatal(err)
	}
	one, two := write("first.wasm", first), write("second.wasm", second)
	if got, err := run(one, two); got != strings.Replace(want, "true true", "false false", 1) || err != nil {
		t.Errorf("a goroutine in the second module: the program says %q, %v, want %q", got, err, want)
	}
	if bytes.Contains(first, []byte("begun by")) || !bytes.Contains(second, []byte("begun by")) {
		t.Error("the text is not in the second module alone")
	}
	// The collector walks the stack of the goroutine, and only then it begins.
	if got, err := run(one); !strings.HasSuffix(got, "RuntimeError\n") || err == nil {
		t.Errorf("a goroutine that cannot begin: the program says %q, %v, want a trap", got, err)
	}
	traced, err := Trace(wasm)
	if err != nil {
		t.Fatal(err)
	}
	got, err := run(write("traced.wasm", traced))
	if rest, ok := strings.CutPrefix(got, want); err != nil || !ok || !strings.Contains(rest, " main.deep\n") || strings.Contains(rest, " runtime.dopanic_m\n") {
		t.Errorf("the traced program says %.400q, %v", got, err)
	}
	// The first module alone has all that a run needs, if it has the functions of the run.
	// Which functions of the runtime run depends on time.
	ran := map[string]bool{}
	for _, line := range strings.Split(got, "\n") {
		if number, ok := strings.CutPrefix(line, "ran "); ok {
			_, name, _ := strings.Cut(number, " ")
			ran[name] = true
		}
	}
	isOther := func(name string) bool {
		return !ran[name] && !strings.HasPrefix(name, "runtime.") && !strings.HasPrefix(name, "internal/")
	}
	if first, _, err = Split(wasm, Options{DropLines: true}, isOther); err != nil {
		t.Fatal(err)
	}
	if got, err := run(write("first.wasm", first)); got != strings.Replace(want, "true true", "false false", 1) || err != nil {
		t.Errorf("without the functions that do not run: the program says %q, %v, want %q", got, err, want)
	}
	// All stacks end with a frame of goexit, which is called only when a goroutine ends.
	if first, _, err = Split(wasm, Options{DropLines: true}, func(name string) bool { return isOther(name) || name == "runtime.goexit" }); err != nil {
		t.Fatal(err)
	}
	before, _, _ := strings.Cut(want, "exit <nil>")
	if got, _ := run(write("first.wasm", first)); !strings.HasPrefix(got, before) || !strings.HasSuffix(got, "RuntimeError\n") {
		t.Errorf("without goexit: the program says %q, want a trap after %q", got, before)
	}
}

// TestTextIsNotFound checks that a text must be in the memory exactly once, and that its
// function must exist.
func TestTextIsNotFound(t *testing.T) {
	m := memory{{64, []byte("one two")}, {128, []byte("two")}}
	for text, want := range map[string]string{"one": "", "two": "twice", "three": "not in the memory", "": "not in the memory"} {
		at, err := m.findText([]byte(text))
		if want == "" && (at != 64 || err != nil) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: at %d, %v, want %q", text, at, err, want)
		}
	}
	s := splitter{program: program{names: []string{"main.a"}}}
	if err := s.moveData(nil, Options{Texts: map[string][]byte{"main.b": nil}}); err == nil || !strings.Contains(err.Error(), "no function main.b") {
		t.Error(err)
	}
}

func TestSplitIsRefused(t *testing.T) {
	check := func(wasm, want string) {
		t.Helper()
		_, _, err := Split([]byte(wasm), Options{}, func(string) bool { return true })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: error %v, want %q", wasm, err, want)
		}
		if _, err = Trace([]byte(wasm)); err == nil {
			t.Errorf("%.40q can be traced", wasm)
		}
	}
	check("", "not a WebAssembly module")
	check(header+newSection(functionSection, "\x7f"), "ends too early")
	check(header+newSection(codeSection, "\x01\x7f"), "ends too early")
	check(header+newSection(globalSection, "\x01\x7f\x01\x41\x00\x41"), "does not begin with a constant")
	check(string(newModule(segment{64, []byte("a")})), "0 function tables")
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"strings.Index": "strings.Index",
		"slices.Index[go.shape.[]string,go.shape.string]": "slices.Index[...]",
		"slices.SortFunc[go.shape.[]a,go.shape.b].func1":  "slices.SortFunc[...].func1",
		"type:.eq.[4]a.T": "type:.eq.[...]a.T",
		"a.(*Map[go.shape.struct { A []int; B [2]string }]).Get": "a.(*Map[...]).Get",
	} {
		if got := shortName(name); got != want {
			t.Errorf("%q is %q for short, want %q", name, got, want)
		}
	}
	has, err := ReadNames("# a comment\n\na/b.\n\tF\n\t(*T).M\nc.\n\tF\n")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, name := range []string{"a/b.F", "a/b.(*T).M", "c.F", "a/b.", "F", "c.(*T).M"} {
		if has(name) {
			got = append(got, name)
		}
	}
	if want := []string{"a/b.F", "a/b.(*T).M", "c.F"}; !slices.Equal(got, want) {
		t.Errorf("the list has %q, want %q", got, want)
	}
	for _, bad := range []string{"\tF\n", "a.\n\t\n"} {
		if _, err := ReadNames(bad); err == nil || !strings.HasPrefix(err.Error(), "line ") {
			t.Errorf("%q: error %v, want one that names the line", bad, err)
		}
	}
}

// TestFormsGoWithTheirCallers checks for drawn choices that what is moved is chosen, or a form of a
// generic function that only moved functions call, and that no such form stays.
func TestFormsGoWithTheirCallers(t *testing.T) {
	wasm, _, _ := linkWalker(t)
	p, err := readProgram(wasm)
	if err != nil {
		t.Fatal(err)
	}
	signature, err := p.findSignature()
	if err != nil {
		t.Fatal(err)
	}
	forms := 0
	for seed := range byte(8) {
		seldom := func(name string) bool {
			h := fnv.New32a()
			h.Write(append([]byte(name), seed))
			return !strings.Contains(name, "[...]") && h.Sum32()>>16&7 != 0
		}
		moves, err := p.chooseMoved(signature, seldom)
		if err != nil {
			t.Fatal(err)
		}
		called, calledHere := make([]bool, len(moves)), make([]bool, len(moves)) // by anything, and by what stays
		host := make([]bool, len(moves))
		for i, body := range p.bodies {
			meter.EachCall(body, func(to, _, _ int) {
				if to -= p.imports; to < 0 {
					host[i] = true
				} else if to != i {
					called[to], calledHere[to] = true, calledHere[to] || !moves[i]
				}
			})
		}
		for i, name := range p.names {
			form := strings.Contains(name, "[...]") && called[i] && !calledHere[i] && !host[i] && p.types[i] == signature
			if form {
				forms++
			}
			if want := form || seldom(name) && !host[i] && p.types[i] == signature; moves[i] != want {
				t.Errorf("seed %d: %s is moved: %t, want %t", seed, name, moves[i], want)
			}
		}
	}
	if forms < 8 {
		t.Errorf("only %d forms of generic functions were moved", forms)
	}
}

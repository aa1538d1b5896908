package meter

import (
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// WASI is the module that a plugin may import functions from.
const WASI = "wasi_snapshot_preview1"

// Functions lists the functions of WASI with their parameters: i for i32, l for i64.
// All return an i32, except proc_exit, which returns nothing.
var Functions = map[string]string{
	"args_get": "ii", "args_sizes_get": "ii", "environ_get": "ii", "environ_sizes_get": "ii",
	"clock_res_get": "ii", "clock_time_get": "ili", "random_get": "ii", "sched_yield": "",
	"poll_oneoff": "iiii", "proc_exit": "i", "proc_raise": "i",
	"fd_advise": "illi", "fd_allocate": "ill", "fd_close": "i", "fd_datasync": "i", "fd_fdstat_get": "ii",
	"fd_fdstat_set_flags": "ii", "fd_fdstat_set_rights": "ill", "fd_filestat_get": "ii", "fd_filestat_set_size": "il",
	"fd_filestat_set_times": "illi", "fd_pread": "iiili", "fd_prestat_get": "ii", "fd_prestat_dir_name": "iii",
	"fd_pwrite": "iiili", "fd_read": "iiii", "fd_readdir": "iiili", "fd_renumber": "ii", "fd_seek": "ilii",
	"fd_sync": "i", "fd_tell": "ii", "fd_write": "iiii",
	"path_create_directory": "iii", "path_filestat_get": "iiiii", "path_filestat_set_times": "iiiilli",
	"path_link": "iiiiiii", "path_open": "iiiiillii", "path_readlink": "iiiiii", "path_remove_directory": "iii",
	"path_rename": "iiiiii", "path_symlink": "iiiii", "path_unlink_file": "iii",
	"sock_accept": "iii", "sock_recv": "iiiiii", "sock_send": "iiiii", "sock_shutdown": "ii",
}

// signature is a function's type. Value types are bytes as in WebAssembly.
type signature struct{ params, results string }

func (s signature) String() string {
	words := func(types string) string {
		var all []string
		for _, t := range []byte(types) {
			all = append(all, valueNames[t])
		}
		return "(" + strings.Join(all, ", ") + ")"
	}
	if len(s.results) == 1 {
		return words(s.params) + " -> " + valueNames[s.results[0]]
	}
	return words(s.params) + " -> " + words(s.results)
}

// valueNames are the value types of WebAssembly 2.0.
var valueNames = map[byte]string{0x7f: "i32", 0x7e: "i64", 0x7d: "f32", 0x7c: "f64", 0x7b: "v128", 0x70: "funcref", 0x6f: "externref"}

func isValue(t byte) bool     { return t >= 0x7b && t <= 0x7f || isReference(t) }
func isReference(t byte) bool { return t == 0x70 || t == 0x6f }

// newSignature returns a signature for two strings of letters. The letter i stands for
// i32, and the letter l stands for i64.
func newSignature(params, results string) signature {
	types := strings.NewReplacer("i", "\x7f", "l", "\x7e")
	return signature{types.Replace(params), types.Replace(results)}
}

// exported holds the functions that a plugin must export.
var exported = []struct {
	name     string
	of       signature
	optional bool
}{
	{abi.ExportVersion, newSignature("", "i"), false},
	{abi.ExportAlloc, newSignature("i", "i"), false},
	{abi.ExportInvoke, newSignature("i", "l"), false},
	{abi.ExportInit, newSignature("", ""), true},
	{abi.ExportPlugins, newSignature("", "i"), true},
	{abi.ExportSelect, newSignature("i", ""), true},
}

func (w *rewriter) readTypes() {
	r, n := w.openSection(typeSection)
	for range n {
		if r.readByte() != 0x60 {
			fail("unknown kind of type")
		}
		w.signatures = append(w.signatures, signature{r.readValueTypes("parameters"), r.readValueTypes("results")})
	}
	w.types = n
	r.checkEnd("types")
}

// readValueTypes reads a list of value types. The parameter what is used in error
// messages.
func (r *reader) readValueTypes(what string) string {
	types := r.takeBytes(r.readCount(maxParams, what))
	for _, t := range types {
		if !isValue(t) {
			fail("unknown type of value %#x", t)
		}
	}
	return string(types)
}

func (r *reader) checkEnd(what string) {
	if !r.atEnd() {
		fail("extra bytes after the %s", what)
	}
}

func (w *rewriter) readImports() {
	r, n := w.openSection(importSection)
	for range n {
		module, name := string(r.readSized()), string(r.readSized())
		if module == Module {
			panic(malformed{fmt.Errorf("the module imports %s.%s, but this name is reserved (%w)", module, name, ErrImports)})
		}
		kind := r.readByte()
		if w.options.Plugin && (kind != 0 || module != WASI) {
			w.refuseImport(module, name, "")
		}
		switch kind {
		case 0:
			t := r.u32()
			w.blockType(int64(t))
			w.typeOf = append(w.typeOf, t)
			w.imports++
			w.checkImport(module, name, w.signatures[t])
		case 1:
			r.readByte()
			w.tableEntries += r.readLimits().min
		case 2:
			r.readLimits()
			w.memory++
		case 3:
			r.takeBytes(2)
			w.globals++
		default:
			fail("unknown kind of import %d", kind)
		}
	}
	r.checkEnd("imports")
	w.functions = w.imports
}

// checkImport checks that the table Functions lists an imported function with the same
// type. If the module need not be a plugin, checkImport does nothing.
func (w *rewriter) checkImport(module, name string, s signature) {
	if !w.options.Plugin {
		return
	}
	params, known := Functions[name]
	results := "i"
	if name == "proc_exit" {
		results = ""
	}
	switch should := newSignature(params, results); {
	case !known:
		w.refuseImport(module, name, "")
	case s != should:
		w.refuseImport(module, name, " with the type "+s.String()+"; it has "+should.String())
	}
}

func (w *rewriter) refuseImport(module, name, how string) {
	panic(malformed{fmt.Errorf("imports %s.%s%s, which is %w", module, name, how, ErrImports)})
}

func (w *rewriter) readFunctions() {
	r, n := w.openSection(functionSection)
	for range n {
		t := r.u32()
		w.blockType(int64(t))
		w.typeOf = append(w.typeOf, t)
	}
	w.functions += n
	r.checkEnd("functions")
}

func (w *rewriter) readMemories() {
	r, n := w.openSection(memorySection)
	if w.memory += n; w.memory > 1 {
		fail("the module has %d memories; want one", w.memory)
	}
	for range n {
		r.readLimits()
	}
	r.checkEnd("memories")
}

// readData skips the data segments and counts them. If the module has a data count
// section, the number in this section must be equal to the count.
func (w *rewriter) readData() {
	r, n := w.openSection(dataSection)
	for range n {
		flag := r.u32()
		if flag > 2 || flag == 2 && r.u32() != 0 {
			fail("unknown kind of data %d", flag)
		}
		if flag != 1 {
			w.appendConstant(nil, r)
		}
		r.readSized()
	}
	r.checkEnd("data segments")
	if !w.present[countSection] {
		return
	}
	if c := (&reader{b: w.sections[countSection]}).u32(); int(c) != n {
		fail("the data count section says %d data segments, but the module has %d", c, n)
	}
}

// checkExports checks that a plugin has the exports that ABI.md requires. found maps the
// name of each export to its kind and its number.
func (w *rewriter) checkExports(found map[string][2]uint32) {
	if !w.options.Plugin {
		return
	}
	missing := func(name, of string) {
		panic(malformed{fmt.Errorf("%w %q %s", ErrExports, name, of)})
	}
	if at, there := found[abi.ExportMemory]; !there || at[0] != 2 {
		missing(abi.ExportMemory, "(a memory)")
	}
	for _, e := range exported {
		at, there := found[e.name]
		if !there && e.optional {
			continue
		}
		if !there || at[0] != 0 || int(at[1]) >= len(w.typeOf) || w.signatures[w.typeOf[at[1]]] != e.of {
			missing(e.name, "of type "+e.of.String())
		}
	}
}

// Package meter checks a WebAssembly module before an engine reads it. It refuses what
// a host of plugins refuses without running it. It rewrites the module so that it
// counts its own work and regularly asks its host whether to continue.
//
// Engines allocate memory by the counts that a module declares, and their compilation
// time is more than linear. So both are bounded here (bounds.go). Engines also differ
// in the features that they support. This package accepts exactly WebAssembly 2.0 with
// one memory. So every host refuses the same modules with the same codes.
//
// An engine's own way to stop a guest makes it up to eight times slower, or does not
// exist (a JavaScript engine runs an endless loop for ever). A counter costs a few
// percent and works on every engine.
//
// The rewritten module has one additional import, boundcheck.meter. It exports its
// mutable globals, so that a host can restore an instance. Rules on a plugin's imports,
// and the hash that a pin names, refer to the original module.
package meter

import (
	"errors"
	"fmt"
)

// The function that a metered module imports, of type (i32) -> (). It is called with
// one of the reasons, and stops the guest by not returning.
const (
	Module   = "boundcheck"
	Function = "meter"
)

// Reasons of a call to the host.
const (
	Worked  = 0 // Quantum ticks have passed since the last call
	Refused = 1 // memory.grow has just been refused
)

// Quantum is the number of ticks between two calls of the host. A tick is about one simple
// instruction (cost.go). An instruction that processes many bytes counts by their number.
// A quantum takes a guest some milliseconds, or 400 ms if each instruction waits for the
// memory. So a deadline of a second or more is never doubled.
const Quantum = 1 << 22

// Options are the options of Rewrite. The zero value changes no limit.
type Options struct {
	// Pages limits the size to which the memory may grow, in pages of 64 KiB. If the
	// module's own limit is lower, that limit stays. 0 keeps the module's limit.
	Pages uint32

	// Plugin also refuses modules that are not plugins: imports and exports must match
	// ABI.md.
	Plugin bool
}

// Errors for modules that are WebAssembly 2.0, but not acceptable. The function Code
// returns the code with which hosts report each of them.
var (
	ErrImports = errors.New("not granted")                      // imports what no host provides
	ErrExports = errors.New("missing export")                   // lacks an export of a plugin
	ErrLimit   = errors.New("too large at the start")           // of memory or tables
	ErrBound   = errors.New("too much for the host's compiler") // of functions, loops, …
)

// Code returns the error code that ABI.md gives to an error of Rewrite.
func Code(err error) string {
	switch {
	case errors.Is(err, ErrImports):
		return "import-not-granted"
	case errors.Is(err, ErrExports):
		return "missing-export"
	case errors.Is(err, ErrLimit):
		return "memory-limit"
	case errors.Is(err, ErrBound):
		return "module-too-large"
	}
	return "invalid-module"
}

// Rewrite returns the metered module, without custom sections. It returns an error in
// these cases:
//
//   - The module is not WebAssembly 2.0.
//   - The module uses an undefined index.
//   - The module exceeds a limit.
//
// Rewrite does not find every error, so an engine may still refuse the result. The time
// is linear. The memory depends on the real size of the module, not on the sizes that the
// module declares.
func Rewrite(wasm []byte, o Options) (out []byte, err error) {
	defer recoverMalformed(&err)
	w := &rewriter{options: o}
	w.readModule(wasm)
	return w.writeModule(), nil
}

// malformed is the value with which the readers panic.
type malformed struct{ error }

// recoverMalformed sets *err if a reader has panicked. It must be deferred.
func recoverMalformed(err *error) {
	switch r := recover().(type) {
	case nil:
	case malformed:
		*err = r.error
	default:
		panic(r)
	}
}

func fail(format string, args ...any) { panic(malformed{fmt.Errorf(format, args...)}) }

// rewriter holds the module's sections, and the number of its own entries of each kind.
type rewriter struct {
	options  Options
	sections [13][]byte
	present  [13]bool

	signatures         []signature // of the type section
	typeOf             []uint32    // of each function, imported ones first
	changing           []int       // numbers of the mutable globals that can be restored
	grows              bool        // its memory can grow
	fixed              bool        // it has state that cannot be restored
	memory             int         // number of memories
	tableEntries       uint64
	coded, counters    []byte
	types, imports     int // number in the type section; number of imported functions
	functions, globals int // imported ones included
	outOfWork          int // the function that asks the host and starts a new quantum
	growing            int // replaces memory.grow
	payBytes           int // pays for a number of bytes that an instruction changes
	payEntries         int // pays for a number of entries of a table
	counter            int // number of the global
	ownTypes           int // the first of the added types
}

// Ids of sections, and their order.
const (
	custom = iota
	typeSection
	importSection
	functionSection
	tableSection
	memorySection
	globalSection
	exportSection
	startSection
	elementSection
	codeSection
	dataSection
	countSection
)

var order = [...]int{typeSection, importSection, functionSection, tableSection, memorySection, globalSection,
	exportSection, startSection, elementSection, countSection, codeSection, dataSection}

func (w *rewriter) readModule(wasm []byte) {
	r := &reader{b: wasm}
	if string(r.takeBytes(8)) != "\x00asm\x01\x00\x00\x00" {
		fail("not a WebAssembly module")
	}
	for !r.atEnd() {
		id, body := int(r.readByte()), r.readSized()
		switch {
		case id == custom:
		case id > countSection:
			fail("unknown section %d", id)
		case w.present[id]:
			fail("section %d appears twice", id)
		default:
			w.present[id], w.sections[id] = true, body
		}
	}
	w.readTypes()
	w.readImports()
	w.readFunctions()
	w.globals += w.countEntries(globalSection)
	w.readMemories()
	w.readData()
	for id := range w.sections { // a false count is reported before anything else
		if id != countSection && id != startSection {
			w.countEntries(id)
		}
	}
	w.ownTypes, w.counter = w.types, w.globals
	w.outOfWork = w.functions + 1 // one more is imported
	w.growing, w.payBytes, w.payEntries = w.outOfWork+1, w.outOfWork+2, w.outOfWork+3
}

// openSection returns a reader at the first entry of a section, and the number n of its
// entries. If the module has no such section, n is 0.
func (w *rewriter) openSection(id int) (r *reader, n int) {
	r = &reader{b: w.sections[id]}
	if w.present[id] {
		n = r.readCount(bounds[id], names[id])
	}
	return r, n
}

// countEntries returns the number of entries of a section.
func (w *rewriter) countEntries(id int) int {
	_, n := w.openSection(id)
	return n
}

func (w *rewriter) writeModule() []byte {
	w.coded, w.counters = w.rewriteCode(), w.withCounter() // both collect the exports
	size := 0
	for _, s := range w.sections {
		size += len(s)
	}
	out := make([]byte, 0, size+size/4+256)
	out = append(out, "\x00asm\x01\x00\x00\x00"...)
	for _, id := range order {
		body := w.rewriteSection(id)
		if body == nil {
			continue
		}
		out = append(appendUnsigned(append(out, byte(id)), len(body)), body...)
	}
	return out
}

// rewriteSection returns the new bytes of a section, or nil if the new module does not
// have it.
func (w *rewriter) rewriteSection(id int) []byte {
	switch id {
	case typeSection:
		return w.appendEntries(id, ownTypes...)
	case importSection:
		entry := append(append(append(appendSized(nil, Module), appendSized(nil, Function)...), 0), appendUnsigned(nil, w.ownTypes+typeMeter)...)
		return w.appendEntries(id, entry)
	case functionSection:
		return w.appendEntries(id, appendUnsigned(nil, w.ownTypes+typeNone), appendUnsigned(nil, w.ownTypes+typePay),
			appendUnsigned(nil, w.ownTypes+typePay), appendUnsigned(nil, w.ownTypes+typePay))
	case globalSection:
		return w.counters
	case codeSection:
		return w.coded
	case exportSection:
		return w.rewriteExports(&reader{b: w.sections[exportSection]})
	}
	if !w.present[id] {
		return nil
	}
	r := &reader{b: w.sections[id]}
	switch id {
	case tableSection:
		return w.rewriteTables(r)
	case memorySection:
		return w.rewriteMemories(r)
	case startSection:
		return appendUnsigned(nil, w.functionNumber(r.u32()))
	case elementSection:
		return w.rewriteElements(r)
	}
	return w.sections[id]
}

// appendEntries returns a section with entries added at its end.
func (w *rewriter) appendEntries(id int, entries ...[]byte) []byte {
	r, n := w.openSection(id)
	out := append(appendUnsigned(nil, n+len(entries)), r.rest()...)
	for _, e := range entries {
		out = append(out, e...)
	}
	return out
}

// functionNumber returns the number that function i of the original module has in the
// metered module.
func (w *rewriter) functionNumber(i uint32) int {
	if int(i) >= w.functions {
		fail("unknown function %d", i)
	}
	if int(i) < w.imports {
		return int(i)
	}
	return int(i) + 1
}

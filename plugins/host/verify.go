package host

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// Verified is the result of one check of Verify. Err is nil if the plugin keeps the
// contract, otherwise an *Error; Note describes the result in a few words.
type Verified struct {
	Name string
	Note string
	Err  error
}

// Verify checks a module against ABI.md and returns the results. It makes three kinds of
// checks:
//
//   - the checks that a host makes before it runs a module;
//   - checks of the plugin's description;
//   - the conformance cases that every plugin must pass.
//
// Verify runs the conformance cases on two instances in opposite orders. It restores the
// memory of only the first instance between calls. If the answers differ, the plugin
// keeps state between calls. Verify does not check whether answers are right.
//
// If the module cannot be loaded, Verify stops and p is nil. Otherwise the caller must
// close p.
func (h *Host) Verify(ctx context.Context, wasm []byte, m Manifest) (p *Plugin, all []Verified) {
	p, err := h.Load(ctx, wasm, m)
	if err != nil {
		return nil, []Verified{{Name: loadStep(err), Err: err}}
	}
	all = append(p.loadResults(len(wasm), m), p.checkDescription()...)
	m.Reuse = true
	other, err := h.Load(ctx, wasm, m)
	if err != nil {
		return p, append(all, Verified{Name: "loads again", Err: err})
	}
	defer other.Close(ctx)
	return p, append(all, runTrials(ctx, p, other)...)
}

// loadStep returns the name of the step at which Load refused a module, such as "hash".
// err is the error of Load.
func loadStep(err error) string {
	var e *Error
	if !errors.As(err, &e) {
		return "load"
	}
	switch e.Code {
	case TooLarge:
		return "size"
	case HashMismatch:
		return "hash"
	case InvalidModule:
		return "module"
	case ImportNotGranted:
		return "imports"
	case MissingExport:
		return "exports"
	case OutOfMemory:
		return "memory"
	case WrongVersion:
		return "ABI version"
	case WrongName:
		return "name"
	case VersionRange:
		return "version"
	}
	return "describe"
}

// loadResults returns the results of the checks that Load has made. All of them passed.
func (p *Plugin) loadResults(size int, m Manifest) []Verified {
	l := p.host.limits
	pin := "not pinned"
	if m.SHA256 != "" {
		pin = "as pinned"
	}
	return []Verified{
		{Name: "size", Note: fmt.Sprintf("%d bytes of %d", size, l.ModuleBytes)},
		{Name: "hash", Note: p.SHA256 + ", " + pin},
		{Name: "imports", Note: fmt.Sprintf("the host provides all %d imported functions of %s", len(p.module.compiled.ImportedFunctions())-1, wasi)},
		{Name: "exports", Note: fmt.Sprintf("%s, %s, %s, %s", abi.ExportMemory, abi.ExportVersion, abi.ExportAlloc, abi.ExportInvoke)},
		{Name: "memory", Note: fmt.Sprintf("the memory starts with %d of at most %d pages", p.module.compiled.ExportedMemories()[abi.ExportMemory].Min(), l.MemoryPages)},
		{Name: "ABI version", Note: fmt.Sprint(abi.Version)},
		{Name: "name", Note: p.name},
	}
}

var (
	semantic = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`)
	})
	kebab = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`) })
)

// operations holds the names with a dot that ABI.md defines.
var operations = []string{abi.OpPromptRender, abi.OpEnvironmentLoad, abi.OpStateReplay, abi.OpEquivalenceCheck,
	abi.OpToolsClassify, abi.OpTraceDecode, abi.OpGoldAudit}

// checkDescription checks the plugin's description and returns one result for each
// property.
func (p *Plugin) checkDescription() (all []Verified) {
	d := &p.Description
	has := func(op string) bool { return slices.Contains(d.Operations, op) }
	check := func(name, note string, ok bool, wrong string) {
		v := Verified{Name: name, Note: note}
		if !ok {
			v.Err = newError(p.name, InvalidAnswer, "%s", wrong)
		}
		all = append(all, v)
	}
	check("version", d.Version, semantic().MatchString(d.Version), fmt.Sprintf("invalid version %q: want three numbers with dots", d.Version))
	check("letters of name", d.Name, pluginName().MatchString(d.Name), "invalid name: want lower-case letters, digits and -")
	check("summary", "one line", !strings.ContainsAny(d.Summary, "\r\n"), "invalid summary: more than one line")
	check("operations", strings.Join(d.Operations, ", "), has(abi.OpDescribe) && strictlySorted(d.Operations),
		`invalid operations: want a sorted list that contains "describe"`)
	check("operation names", "own operations have no dot", !slices.ContainsFunc(d.Operations, isForeignOp),
		"invalid operations: one name has a dot, but the ABI does not define this name")
	check("templates", countText(len(d.Templates)), has(abi.OpPromptRender) == (len(d.Templates) > 0), "the operation prompt.render needs templates, and templates need the operation prompt.render")
	check("environment", presenceText(d.Environment != nil), has(abi.OpEnvironmentLoad) == (d.Environment != nil), "the operation env.load needs an environment, and an environment needs the operation env.load")
	check("benchmarks", countText(len(d.Benchmarks)), !slices.ContainsFunc(d.Benchmarks, isUnusable), "invalid benchmarks: each benchmark needs an id and a sorted list of tools")
	return all
}

func strictlySorted(names []string) bool {
	return slices.IsSorted(names) && len(slices.Compact(slices.Clone(names))) == len(names)
}

func isForeignOp(op string) bool {
	return strings.Contains(op, ".") && !slices.Contains(operations, op)
}

func isUnusable(b abi.Benchmark) bool { return b.ID == "" || !strictlySorted(b.Tools) }

func countText(n int) string {
	if n == 0 {
		return "none"
	}
	return fmt.Sprint(n)
}

func presenceText(yes bool) string {
	if yes {
		return "wanted"
	}
	return "none"
}

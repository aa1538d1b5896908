// Package house checks rules of the whole repository: which package may import which, and
// habits that no single package can test.
package house

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	gopath "path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/boundcheck/boundcheck"

// pkg is what go list reports about a package.
type pkg struct {
	ImportPath string
	Imports    []string
	Deps       []string
	Standard   bool
}

func listPackages(t *testing.T, env []string, patterns ...string) []pkg {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-deps", "-json=ImportPath,Imports,Deps,Standard"}, patterns...)...)
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list %v: %v", patterns, err)
	}
	var all []pkg
	for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); {
		var p pkg
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

func nativePackages(t *testing.T) []pkg { return listPackages(t, nil, "./...") }
func edgePackages(t *testing.T) []pkg {
	return listPackages(t, []string{"GOOS=js", "GOARCH=wasm"}, "./wasm", "./worker/...")
}

func isOurs(path string) bool { return path == module || strings.HasPrefix(path, module+"/") }

// isWithin reports whether a package is in one of the folders.
func isWithin(path string, folders ...string) bool {
	for _, f := range folders {
		if path == module+"/"+f || strings.HasPrefix(path, module+"/"+f+"/") {
			return true
		}
	}
	return false
}

// TestArrows checks that packages import only what ARCHITECTURE.md allows.
func TestArrows(t *testing.T) {
	arrows := map[string][]string{ // a package uses the entry of the longest matching folder; its value lists the packages of ours that it may import
		"core":                 {"core"},
		"core/base":            {"core/base"},
		"core/report":          {"core/base", "core/math", "core/stage", "core/trajectory", "core/ref", "core/action"},
		"core/math":            {"core/base", "core/math"},
		"core/action":          {"core/base", "core/math", "core/action"},
		"core/ref":             {"core/base", "core/math", "core/action", "core/ref"},
		"core/trajectory":      {"core/base", "core/ref"},
		"core/read":            {"core/base", "core/action", "core/ref", "core/trajectory", "core/read"},
		"core/read/shape":      {"core/base", "core/ref", "core/trajectory", "core/read/failure", "core/read/othertext", "core/read/react"},
		"core/read/spent":      {"core/base", "core/trajectory", "core/read/shape"},
		"core/read/written":    {"core/base", "core/read/shape"},
		"core/read/envelope":   {"core/base", "core/trajectory", "core/read/shape", "core/read/othertext", "core/read/written"},
		"core/read/records":    {"core/base", "core/read/shape"},
		"core/read/byshape":    {"core/base", "core/ref", "core/read/shape"},
		"core/read/engine":     {"core/base", "core/action", "core/ref", "core/trajectory", "core/read/byshape", "core/read/records", "core/read/shape", "core/read/spent", "core/read/envelope", "core/read/written", "core/read/calltext", "core/read/failure", "core/read/othertext", "core/read/react"},
		"core/read/several":    {"core/base", "core/read/shape", "core/read/byshape", "core/read/engine"},
		"core/read/format":     {"core/base", "core/ref", "core/trajectory", "core/read/shape", "core/read/spent", "core/read/engine"},
		"core/stage":           {"core/base", "core/math", "core/action", "core/ref", "core/trajectory", "core/stage"},
		"core/gate":            {"core/base", "core/action", "core/gate"},
		"core/gate/proposal":   {"core/base", "core/action", "core/gate", "core/read/failure", "core/read/shape", "core/stage/violation", "core/trajectory"},
		"wasm":                 {"core", "wasm", "plugins/abi", "plugins/checkers", "plugins/meter", "internal/library", "internal/export", "internal/words"},
		"wasm/gen/gateapi":     {"worker/gate"},
		"worker":               {"core", "worker"},
		"plugins":              {"core", "plugins", "internal/yamljson", "internal/bundle", "internal/hostile", "internal/wasmpack"},
		"remote":               {"core", "remote"},
		"playground":           {},
		"cmd":                  {"internal/cli"},
		"internal":             {"internal/wasmpack", "internal/recordings", "internal/wheel", "internal/drawn"},
		"internal/wasmpack":    {"internal/wasmpack", "plugins/meter"},
		"internal/bench":       {"internal/bench", "core", "worker", "plugins/taubench/env", "plugins/taubench/py", "plugins/sdk/pycall"},
		"internal/cli":         {"core", "internal/bundle", "internal/cli"},
		"internal/cli/cmd":     {"core", "internal/render", "internal/words", "plugins/abi", "plugins/host", "internal/export", "internal/snapshot", "internal/stream", "internal/yamljson", "plugins/checkers", "plugins/store", "remote", "worker/gate/origin"},
		"internal/cli/score":   {"core", "internal/render", "internal/words", "plugins/abi", "plugins/host", "internal/cli/cmd", "internal/export", "internal/record", "internal/snapshot", "internal/stream", "worker/gate/origin"},
		"internal/cli/study":   {"core", "internal/render", "internal/words", "plugins/abi", "plugins/host", "internal/cli/cmd", "internal/cli/score", "internal/bench", "internal/gold", "plugins/prompts"},
		"internal/cli/plugin":  {"core", "internal/render", "internal/words", "plugins/abi", "plugins/host", "internal/cli/cmd", "plugins/store"},
		"internal/cli/gate":    {"core", "internal/render", "internal/words", "plugins/abi", "plugins/host", "internal/cli/cmd", "internal/bundle", "internal/hook", "internal/live", "plugins/shellread", "worker"},
		"internal/cli/clitest": {"core", "internal/hostile", "internal/recordings", "plugins/host"},
		"internal/bundle":      {"internal/bundle"},
		"internal/gold":        {"core", "plugins/abi"},
		"internal/milder":      {"core"},
		"internal/hosttables":  {"core"},
		"internal/verbtable":   {"core"},
		"internal/faults":      {"core"},
		"internal/hostile":     {"internal/hostile", "plugins/abi"},
		"internal/record":      {},
		"internal/live":        {"core", "internal/otlp"},
		"internal/otlp":        {},
		"internal/snapshot":    {"core", "internal/yamljson"},
		"internal/yamljson":    {"core"},
		"internal/site":        {"core"},
		"internal/library":     {"core", "internal/snapshot", "internal/yamljson", "plugins/abi", "plugins/prompts"},
		"internal/hook":        {"core", "worker/gate"},
		"internal/gatefile":    {"worker/gate"},
		"internal/render":      {"core", "internal/words", "playground"},
		"internal/export":      {"core", "internal/words"},
		"internal/words":       {"core"},
		"internal/savedpage":   {"internal/render"},
		"internal/stream":      {"core", "internal/render"},
	}
	seen := 0
	for _, p := range append(nativePackages(t), edgePackages(t)...) {
		if !isOurs(p.ImportPath) {
			continue
		}
		seen++
		allowed, known := arrowsOf(arrows, p.ImportPath)
		if !known {
			t.Errorf("%s: no arrow is drawn for its folder", p.ImportPath)
		}
		for _, i := range p.Imports {
			if isOurs(i) && !isWithin(i, allowed...) {
				t.Errorf("%s imports %s: not an arrow of the design", p.ImportPath, i)
			}
		}
	}
	if seen < 10 {
		t.Fatalf("only %d packages were looked at", seen)
	}
}

// arrowsOf returns the packages that the package at path may import. The keys of arrows
// are folders. If several folders contain the package, the longest folder counts. If no
// folder contains the package, known is false.
func arrowsOf(arrows map[string][]string, path string) (allowed []string, known bool) {
	for folder := strings.TrimPrefix(path, module+"/"); !known && folder != "."; folder = gopath.Dir(folder) {
		allowed, known = arrows[folder]
	}
	return allowed, known
}

// TestMainIsThin checks that the command's main package only calls internal/cli.
func TestMainIsThin(t *testing.T) {
	files, err := filepath.Glob("../../cmd/boundcheck/*.go")
	if err != nil || len(files) != 1 {
		t.Fatalf("cmd/boundcheck has %q (%v), want main.go alone", files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "\n"); n > 60 {
		t.Errorf("main.go has %d lines, want at most 60", n)
	}
}

// leaves are the packages of the core that plugins may import. They import no other
// package of ours.
var leaves = []string{module + "/core/base/jsonval"}

// TestPluginsStayApart checks the imports of plugins. A plugin must not import the host.
// Of the core, it may import only the packages in the list leaves.
func TestPluginsStayApart(t *testing.T) {
	for _, p := range listPackages(t, nil, "./plugins/...") {
		if !isWithin(p.ImportPath, "plugins") || isWithin(p.ImportPath, "plugins/host", "plugins/store", "plugins/checkers", "plugins/internal", "plugins/shellread") || p.ImportPath == module+"/plugins" {
			continue
		}
		for _, i := range p.Imports {
			if isWithin(i, "core", "plugins/host") && !slices.Contains(leaves, i) {
				t.Errorf("%s imports %s: a plugin knows the SDK and %q alone", p.ImportPath, i, leaves)
			}
		}
	}
	for _, p := range listPackages(t, nil, leaves...) {
		for _, i := range p.Imports {
			if strings.HasPrefix(i, module) {
				t.Errorf("%s imports %s: plugins import it, so it imports nothing of ours", p.ImportPath, i)
			}
		}
	}
}

// TestOneImporter checks that only the listed packages import certain foreign modules.
func TestOneImporter(t *testing.T) {
	check := func(all []pkg, foreign string, only ...string) {
		t.Helper()
		for _, p := range all {
			for _, i := range p.Imports {
				if isOurs(p.ImportPath) && (i == foreign || strings.HasPrefix(i, foreign+"/")) && !isWithin(p.ImportPath, only...) {
					t.Errorf("%s imports %s; only %v may", p.ImportPath, i, only)
				}
			}
		}
	}
	check(nativePackages(t), "github.com/tidwall/gjson", "core/base/path")
	check(edgePackages(t), "github.com/tidwall/gjson", "core/base/path")
	check(nativePackages(t), "github.com/bluekeyes/go-gitdiff", "plugins/internal/patch")
	check(nativePackages(t), "github.com/tetratelabs/wazero", "plugins/host", "plugins/internal")
	check(nativePackages(t), "github.com/aws/aws-sdk-go-v2", "internal/stream")
	check(edgePackages(t), "github.com/aws/aws-sdk-go-v2")
	check(nativePackages(t), "github.com/jackc/pgx/v5", "worker/gate/postgres")
	check(edgePackages(t), "github.com/jackc/pgx/v5")
	check(nativePackages(t), "github.com/coreos/go-oidc/v3", "worker/gate/oidc", "worker/gate/resource")
	check(nativePackages(t), "golang.org/x/oauth2", "worker/gate/oidc")
	check(nativePackages(t), "github.com/go-webauthn/webauthn", "worker/gate/passkey")
	check(edgePackages(t), "github.com/go-webauthn/webauthn")
	check(edgePackages(t), "github.com/coreos/go-oidc/v3")
	check(nativePackages(t), "mvdan.cc/sh", "plugins/internal/shell")
	check(edgePackages(t), "mvdan.cc/sh")
	check(edgePackages(t), "github.com/syumai/workers", "worker/edge")
	check(edgePackages(t), "syscall/js", "wasm", "worker/edge")
}

// TestCoreIsPure checks that the core does not use the network, other processes or a
// plugin host. The check includes all packages that the core imports, directly or
// indirectly.
func TestCoreIsPure(t *testing.T) {
	reached := map[string]bool{}
	for _, p := range listPackages(t, nil, "./core/...") {
		reached[p.ImportPath] = true
	}
	for _, banned := range []string{"net/http", "net", "os/exec", "syscall/js", "database/sql", "log/slog", "text/template", "html/template",
		"github.com/tetratelabs/wazero", "github.com/syumai/workers"} {
		if reached[banned] {
			t.Errorf("core reaches %s", banned)
		}
	}
	for path := range reached {
		first, _, _ := strings.Cut(path, "/")
		if strings.Contains(first, ".") && !isOurs(path) && !strings.HasPrefix(path, "github.com/tidwall/") {
			t.Errorf("core reaches %s; beyond the standard library only gjson", path)
		}
	}
}

// TestEdgeIsSmall checks that the Worker does not link certain large packages. Each of
// these packages would add a megabyte.
func TestEdgeIsSmall(t *testing.T) {
	for _, p := range edgePackages(t) {
		for _, banned := range []string{"net/http/httputil", "text/template", "html/template", "github.com/tetratelabs/wazero", "log/slog"} {
			if p.ImportPath == banned {
				t.Errorf("the edge reaches %s", banned)
			}
		}
	}
}

// TestMakefile checks that the Makefile has at most 25 targets, each with one line of
// help.
func TestMakefile(t *testing.T) {
	text, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	targets := regexp.MustCompile(`(?m)^([a-z-]+):`).FindAllStringSubmatch(string(text), -1)
	helped := regexp.MustCompile(`(?m)^[a-z-]+:.*## .+$`).FindAllString(string(text), -1)
	if len(targets) > 27 || len(targets) != len(helped) || len(targets) == 0 {
		t.Errorf("%d targets, %d with help; want at most 27, all with help", len(targets), len(helped))
	}
}

// topLevel are the folders of the repository. Folders that tools create are not in the
// list.
var topLevel = []string{".ci", ".github", "cmd", "core", "docs", "internal", "playground", "plugins", "python", "remote", "test", "testdata", "wasm", "worker"}

// TestNothingBuiltInGit checks that git contains no built files and no node_modules. It
// also checks that each top-level folder in git is in the list topLevel.
func TestNothingBuiltInGit(t *testing.T) {
	out, err := exec.Command("git", "-C", "../..", "ls-files", "-z").Output()
	if err != nil {
		t.Skip("SKIPPED: not a git checkout")
	}
	for f := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if isProgram(filepath.Join("../..", f)) {
			t.Errorf("%s is a program that a compiler made", f)
		}
		if filepath.Ext(f) == ".wasm" || filepath.Base(f) == "wasm_exec.js" || strings.Contains(f, "node_modules/") || strings.HasPrefix(f, "dist/") {
			t.Errorf("%s is built, not written", f)
		}
		if dir, _, inside := strings.Cut(f, "/"); inside && !slices.Contains(topLevel, dir) {
			t.Errorf("%s is in a top-level folder that is not one of %s", f, strings.Join(topLevel, ", "))
		}
	}
}

// isProgram reports whether the file begins as an executable file or an archive of objects does:
// ELF, Mach-O, PE, WebAssembly, ar. A file that cannot be read is none; another test misses it.
func isProgram(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 4)
	n, _ := io.ReadFull(f, head)
	for _, magic := range []string{"\x7fELF", "\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe", "MZ", "\x00asm", "!<ar"} {
		if strings.HasPrefix(string(head[:n]), magic) {
			return true
		}
	}
	return false
}

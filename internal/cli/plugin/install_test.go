package plugin

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aead.dev/minisign"
	"github.com/google/go-containerregistry/pkg/registry"

	"github.com/boundcheck/boundcheck/internal/cli/clitest"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/hostile"
	"github.com/boundcheck/boundcheck/plugins/store"
)

// newTestHome sets up a store, a working directory and a server for the test.
func newTestHome(t *testing.T, files map[string][]byte) (server *httptest.Server, dir string) {
	t.Helper()
	dir = t.TempDir()
	t.Chdir(dir)
	t.Setenv(store.EnvDir, filepath.Join(dir, "store"))
	server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if b, there := files[r.URL.Path]; there {
			w.Write(b)
			return
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(server.Close)
	before := cmd.Fetcher
	cmd.Fetcher.Client = server.Client()
	t.Cleanup(func() { cmd.Fetcher = before })
	return server, dir
}

// mustRunPlugin runs a subcommand of "boundcheck plugin" and returns the standard output.
// The test fails if the exit code differs from code, or if the output does not contain
// part.
func mustRunPlugin(t *testing.T, code int, part string, args ...string) string {
	t.Helper()
	got, out, errs := runCommand("", append([]string{"plugin"}, args...)...)
	if got != code || !strings.Contains(out+errs, part) {
		t.Fatalf("plugin %s: exit %d, want %d with %q\n%s%s", strings.Join(args, " "), got, code, part, out, errs)
	}
	return out
}

// TestPluginAddHTTPS checks that a plugin can be added over HTTPS, deleted, and restored
// without a network. If one byte of the installed or downloaded module is changed, the
// module is refused.
func TestPluginAddHTTPS(t *testing.T) {
	one, two := clitest.CalbenchModule("1.0.0"), clitest.CalbenchModule("1.1.0")
	files := map[string][]byte{"/calbench.wasm": one, "/taubench.wasm": hostile.Honest(hostile.Describe("taubench")), "/bad.wasm": []byte("#!/bin/sh\n")}
	server, dir := newTestHome(t, files)
	url := server.URL + "/calbench.wasm"
	mustRunPlugin(t, cmd.ExitInput, "--sha256 HEX", "add", url)
	mustRunPlugin(t, cmd.ExitInput, "(hash-mismatch)", "add", url, "--sha256", strings.Repeat("0", 64))
	mustRunPlugin(t, cmd.ExitInput, "want https", "add", strings.Replace(url, "https://", "http://", 1), "--sha256", store.Sum(one))
	mustRunPlugin(t, cmd.ExitInput, "404", "add", server.URL+"/none.wasm", "--sha256", store.Sum(one))
	mustRunPlugin(t, cmd.ExitInput, "(invalid-module)", "add", server.URL+"/bad.wasm", "--sha256", store.Sum(files["/bad.wasm"]))
	mustRunPlugin(t, cmd.ExitInput, "is part of boundcheck", "add", server.URL+"/taubench.wasm", "--sha256", store.Sum(files["/taubench.wasm"]))
	mustRunPlugin(t, cmd.ExitUsage, "missing FILE.wasm or address", "add")
	if names, _ := (store.Store{Dir: filepath.Join(dir, "store")}).Names(); len(names) != 0 {
		t.Fatalf("refused, and there: %v", names)
	}
	mustRunPlugin(t, cmd.ExitOK, "calbench 1.0.0", "add", url, "--sha256", store.Sum(one))
	if b, _ := os.ReadFile("boundcheck-plugins.lock"); !strings.Contains(string(b), `"source": "`+url+`"`) || !strings.Contains(string(b), `"abi": 1`) {
		t.Errorf("lock %s", b)
	}
	mustRunPlugin(t, cmd.ExitOK, `"name":"calbench"`, "run", "calbench", "--op", "describe", "--locked")
	mustRunPlugin(t, cmd.ExitOK, url, "list")

	// Without the network and the installed file.
	server.Close()
	os.Remove(filepath.Join(dir, "store", "calbench.wasm"))
	mustRunPlugin(t, cmd.ExitInput, "not installed", "run", "calbench", "--op", "describe")
	mustRunPlugin(t, cmd.ExitOK, "restored", "install", "--offline")
	mustRunPlugin(t, cmd.ExitOK, "unchanged", "install")
	mustRunPlugin(t, cmd.ExitOK, `"name":"calbench"`, "run", "calbench", "--op", "describe", "--locked")

	// Change one byte, first of the installed file, then also of the kept one.
	spoilt := append([]byte(nil), one...)
	spoilt[len(spoilt)-3] ^= 1
	clitest.SpoilFile(t, filepath.Join(dir, "store"), "calbench.wasm", string(spoilt))
	mustRunPlugin(t, cmd.ExitInput, "(hash-mismatch)", "run", "calbench", "--op", "describe")
	mustRunPlugin(t, cmd.ExitOK, "restored", "install", "--offline")
	mustRunPlugin(t, cmd.ExitOK, `"name":"calbench"`, "run", "calbench", "--op", "describe")
	os.Remove(filepath.Join(dir, "store", "calbench.wasm"))
	clitest.SpoilFile(t, filepath.Join(dir, "store", "sha256"), store.Sum(one)+".wasm", string(spoilt))
	mustRunPlugin(t, cmd.ExitInput, "the module was never downloaded, and --offline forbids a download", "install", "--offline")
	mustRunPlugin(t, cmd.ExitInput, "refused", "install")

	// A new version has a new hash.
	again := httptest.NewTLSServer(server.Config.Handler)
	defer again.Close()
	cmd.Fetcher.Client = again.Client()
	b, err := os.ReadFile("boundcheck-plugins.lock")
	if err != nil {
		t.Fatal(err)
	}
	clitest.SpoilFile(t, dir, "boundcheck-plugins.lock", strings.Replace(string(b), server.URL, again.URL, 1))
	files["/calbench.wasm"] = two
	mustRunPlugin(t, cmd.ExitInput, "(hash-mismatch)", "install")
	mustRunPlugin(t, cmd.ExitInput, "give the hash of the new module with --sha256 HEX", "update", "calbench")
	mustRunPlugin(t, cmd.ExitOK, "was 1.0.0", "update", "calbench", "--sha256", store.Sum(two))
	mustRunPlugin(t, cmd.ExitOK, `"version":"1.1.0"`, "run", "calbench", "--op", "describe", "--locked")
	mustRunPlugin(t, cmd.ExitOK, "calbench removed", "remove", "calbench")
	mustRunPlugin(t, cmd.ExitInput, "is not installed", "remove", "calbench")
	mustRunPlugin(t, cmd.ExitOK, "", "install")
}

// TestPluginAddRegistry checks that a plugin with a signature can be added from a
// registry, updated, deleted, and restored without a network.
func TestPluginAddRegistry(t *testing.T) {
	_, dir := newTestHome(t, nil)
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	defer server.Close()
	cmd.Fetcher.Client = nil
	public, private, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	other, _, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	text := func(k minisign.PublicKey) string {
		b, _ := k.MarshalText()
		return strings.TrimSpace(string(b[strings.LastIndexByte(strings.TrimSpace(string(b)), '\n')+1:]))
	}
	push := func(version, tag string) {
		t.Helper()
		clitest.SpoilFile(t, dir, "calbench.wasm", string(clitest.CalbenchModule(version)))
		clitest.SpoilFile(t, dir, "calbench.wasm.minisig", string(minisign.Sign(private, clitest.CalbenchModule(version))))
		mustRunPlugin(t, cmd.ExitOK, "digest sha256:", "push", "calbench.wasm", calbenchRef(server, tag))
	}
	push("1.0.0", "1")
	push("1.1.0", "2")
	mustRunPlugin(t, cmd.ExitUsage, "not an address of a registry", "push", "calbench.wasm", "x/y")
	mustRunPlugin(t, cmd.ExitInput, "(signature-mismatch)", "add", calbenchRef(server, "1"), "--key", text(other))
	mustRunPlugin(t, cmd.ExitInput, "invalid minisign key", "add", calbenchRef(server, "1"), "--key", "x")
	mustRunPlugin(t, cmd.ExitInput, "none", "add", calbenchRef(server, "none"))
	mustRunPlugin(t, cmd.ExitInput, "(hash-mismatch)", "add", calbenchRef(server, "1"), "--sha256", store.Sum(clitest.CalbenchModule("1.1.0")))
	mustRunPlugin(t, cmd.ExitOK, "calbench 1.0.0", "add", calbenchRef(server, "1"), "--key", text(public))
	mustRunPlugin(t, cmd.ExitOK, "signed", "list")
	mustRunPlugin(t, cmd.ExitOK, "unchanged", "update", "calbench")

	// The tag moves: the locked version stays installed until an update.
	push("1.1.0", "1")
	os.RemoveAll(filepath.Join(dir, "store"))
	mustRunPlugin(t, cmd.ExitOK, "calbench 1.0.0", "install")
	mustRunPlugin(t, cmd.ExitOK, `"version":"1.0.0"`, "run", "calbench", "--op", "describe", "--locked")
	mustRunPlugin(t, cmd.ExitOK, "was 1.0.0", "update", "calbench")
	mustRunPlugin(t, cmd.ExitOK, `"version":"1.1.0"`, "run", "calbench", "--op", "describe", "--locked")

	// Delete the plugin and install it without the registry.
	server.Close()
	os.Remove(filepath.Join(dir, "store", "calbench.wasm"))
	mustRunPlugin(t, cmd.ExitOK, "restored", "install", "--offline")
	mustRunPlugin(t, cmd.ExitOK, `"version":"1.1.0"`, "run", "calbench", "--op", "describe", "--locked")
}

func calbenchRef(server *httptest.Server, tag string) string {
	return fmt.Sprintf("oci://%s/plugins/calbench:%s", strings.TrimPrefix(server.URL, "http://"), tag)
}

// TestPluginFetchRefuses checks that a module is not fetched if it is larger than the
// limit, has an address of an unknown kind, or is redirected to plain HTTP.
func TestPluginFetchRefuses(t *testing.T) {
	big := clitest.CalbenchModule("1.0.0")
	server, _ := newTestHome(t, map[string][]byte{"/big.wasm": big})
	f := store.Fetcher{Client: server.Client(), Limit: 100}
	if _, err := f.Fetch(context.Background(), server.URL+"/big.wasm", store.Sum(big), ""); err == nil || !strings.Contains(err.Error(), "more than 100 bytes") {
		t.Error(err)
	}
	if _, err := f.Fetch(context.Background(), "ftp://x/y.wasm", "", ""); err == nil || !strings.Contains(err.Error(), "unknown kind of address") {
		t.Error(err)
	}
	down := httptest.NewTLSServer(http.RedirectHandler("http://127.0.0.1:1/", http.StatusFound))
	defer down.Close()
	f = store.Fetcher{Client: down.Client()}
	if _, err := f.Fetch(context.Background(), down.URL+"/x.wasm", store.Sum(big), ""); err == nil || !strings.Contains(err.Error(), "not allowed") {
		t.Error(err)
	}
}

func TestPluginSearch(t *testing.T) {
	_, dir := newTestHome(t, nil)
	clitest.SpoilFile(t, dir, "index.json", `{"plugins":[{"name":"calbench","version":"1.0.0","summary":"calendars \u001b[31m","source":"oci://r/c:1","key":"RW"},{"name":"x","summary":"other"}]}`)
	if out := mustRunPlugin(t, cmd.ExitOK, "plugin add oci://r/c:1 --key RW", "search", dir, "CALENDAR"); strings.ContainsAny(out, "\x1b") || strings.Contains(out, "other") {
		t.Errorf("%q", out)
	}
	mustRunPlugin(t, cmd.ExitInput, "cannot read", "search", filepath.Join(dir, "none"))
}

// TestPluginSearchPath checks that plugins in a given directory have priority over
// plugins that come with boundcheck, and that plugins with other names are still found.
func TestPluginSearchPath(t *testing.T) {
	_, dir := newTestHome(t, nil)
	clitest.SpoilFile(t, dir, "calbench.wasm", string(clitest.CalbenchModule("1.0.0")))
	mustRunPlugin(t, cmd.ExitOK, `"name":"prompts"`, "run", "prompts", "--op", "describe", "--plugins", dir)
	mustRunPlugin(t, cmd.ExitOK, `"name":"calbench"`, "run", "calbench", "--op", "describe", "--plugins", dir)
	t.Setenv("BOUNDCHECK_PLUGINS", dir)
	if code, _, errs := runCommand("", "prompt", "list"); code != cmd.ExitOK {
		t.Errorf("exit %d, %s", code, errs)
	}
	mustRunPlugin(t, cmd.ExitInput, "no plugin of this name is installed", "run", "nobody", "--op", "describe")
	mustRunPlugin(t, cmd.ExitOK, "calbench 1.0.0", "add", "calbench.wasm")
	t.Setenv("BOUNDCHECK_PLUGINS", "")
	mustRunPlugin(t, cmd.ExitOK, `"name":"calbench"`, "run", "calbench", "--op", "describe")
}

// TestPluginRange checks that a range of versions in boundcheck.yaml applies wherever a
// plugin is loaded. The range must also decide which tag of a registry is fetched.
func TestPluginRange(t *testing.T) {
	_, dir := newTestHome(t, nil)
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	defer server.Close()
	cmd.Fetcher.Client = nil
	for _, version := range []string{"1.0.0", "1.2.0", "1.10.0", "2.0.0"} {
		clitest.SpoilFile(t, dir, "calbench.wasm", string(clitest.CalbenchModule(version)))
		mustRunPlugin(t, cmd.ExitOK, "digest sha256:", "push", "calbench.wasm", calbenchRef(server, version))
	}
	bare := strings.TrimSuffix(calbenchRef(server, ""), ":")
	wants := func(text string) { clitest.SpoilFile(t, dir, "boundcheck.yaml", "plugins:\n  calbench: "+text+"\n") }
	wants(`">=1.2, <1.9"`)
	mustRunPlugin(t, cmd.ExitInput, `version 1.0.0 is outside the range ">=1.2 <1.9" that boundcheck.yaml requires (version-range)`, "add", calbenchRef(server, "1.0.0"))
	mustRunPlugin(t, cmd.ExitOK, "calbench 1.2.0", "add", bare)
	mustRunPlugin(t, cmd.ExitOK, "unchanged", "update", "calbench")
	wants("^1")
	mustRunPlugin(t, cmd.ExitOK, "calbench 1.10.0", "update", "calbench")
	if b, _ := os.ReadFile("boundcheck-plugins.lock"); !strings.Contains(string(b), "calbench:1.10.0") || !strings.Contains(string(b), `"version": "1.10.0"`) || !strings.Contains(string(b), `"abi": 1`) {
		t.Errorf("lock %s", b)
	}
	mustRunPlugin(t, cmd.ExitOK, `"version":"1.10.0"`, "run", "calbench", "--op", "describe", "--locked")
	wants("^2")
	for _, args := range [][]string{{"run", "calbench", "--op", "describe"}, {"verify", "calbench"}, {"list"}, {"lock", "calbench"}, {"bench", "calbench", "x.txtar"}} {
		clitest.SpoilFile(t, dir, "x.txtar", "-- request.json --\n{}\n-- answer.json --\n{}\n")
		mustRunPlugin(t, cmd.ExitInput, "(version-range)", args...)
	}
	clitest.SpoilFile(t, dir, "trace.json", `[{"name":"a","arguments":{}}]`)
	scores := func(code int, part string, args ...string) {
		t.Helper()
		if got, out, errs := runCommand("", append([]string{"score", "trace.json", "--plugin", "calbench"}, args...)...); got != code || !strings.Contains(errs, part) {
			t.Errorf("%q: exit %d, want %d with %q\n%s%s", args, got, code, part, out, errs)
		}
	}
	scores(cmd.ExitInput, "(version-range)")
	scores(cmd.ExitInput, "(version-range)", "--stream")
	scores(cmd.ExitOK, "scored without it", "--plugin-optional")
	clitest.SpoilFile(t, dir, "other.yaml", "plugins: {calbench: ~1.10.0}")
	scores(cmd.ExitInput, "needs one of the operations equivalence.check, tools.classify, trace.decode", "--config", "other.yaml")
	scores(cmd.ExitInput, "needs one of the operations equivalence.check, tools.classify, trace.decode", "--no-config")
	wants("^3")
	mustRunPlugin(t, cmd.ExitInput, `has no version in the range "^3" that boundcheck.yaml requires; available versions are 1.0.0, 1.10.0, 1.2.0, 2.0.0`, "update", "calbench")
	for _, bad := range []string{"newest", "1.x.y.z", "[1]"} {
		wants(bad)
		mustRunPlugin(t, cmd.ExitInput, "plugins: calbench: ", "list")
	}
}

package plugin

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/cli/clitest"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/plugins/host"
)

// listPlugins returns the rows of "plugin list --format json" by name.
func listPlugins(t *testing.T, wantCode int, args ...string) map[string]listedPlugin {
	t.Helper()
	code, out, errs := runPlugin(t, "", append([]string{"list", "--format", "json"}, args...)...)
	var got struct{ Plugins []listedPlugin }
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != wantCode {
		t.Fatalf("exit %d, %v, %s\n%s", code, err, errs, out)
	}
	rows := map[string]listedPlugin{}
	var names []string
	for _, r := range got.Plugins {
		rows[r.Name] = r
		names = append(names, r.Name)
	}
	if !slices.IsSorted(names) {
		t.Errorf("rows not by name: %v", names)
	}
	return rows
}

func TestPluginList(t *testing.T) {
	dir := pluginDir(t)
	rows := listPlugins(t, cmd.ExitOK, "--plugins", dir)
	for _, name := range host.BundledPlugins() {
		r := rows[name]
		if r.Version == "" || len(r.SHA256) != 64 || r.Gzip == 0 || r.Gzip >= r.Bytes || r.Pinned || !slices.Contains(r.Operations, "describe") {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if r := rows["prompts"]; r.Source != filepath.Join(dir, "prompts.wasm") || !slices.Contains(r.Templates, "ebp-full") {
		t.Errorf("prompts: %+v", r)
	}
	if r := rows["taubench"]; r.Source != "bundled" || !slices.Contains(r.Benchmarks, "tau-bench") {
		t.Errorf("taubench: %+v", r)
	}
}

func TestPluginTable(t *testing.T) {
	var b strings.Builder
	err := writePluginTable(&b, []listedPlugin{{Name: "a", Source: "bundled", Version: "0.1.0", Operations: []string{"describe", "prompt.render"},
		Bytes: 3_565_128, Gzip: 1_001_000, SHA256: strings.Repeat("ab", 32), Pinned: true}, {Name: "junk", Source: "junk.wasm", Error: "e"}})
	const want = "PLUGIN  VERSION  MB    GZIP  SHA256        PINNED  FROM       OPERATIONS               BENCHMARKS\n" +
		"a       0.1.0    3.57  1.00  abababababab  yes     bundled    describe, prompt.render  -\n" +
		"junk    -        -     -     -             -       junk.wasm  cannot be used           -\n"
	if got := b.String(); err != nil || got != want {
		t.Errorf("%v, table\n%s", err, got)
	}
}

// TestPluginListBroken checks that a plugin that cannot be used has a row with the
// reason, and that the exit code is then not 0.
func TestPluginListBroken(t *testing.T) {
	dir := pluginDir(t)
	clitest.SpoilFile(t, dir, "junk.wasm", "#!/bin/sh\n")
	clitest.SpoilFile(t, dir, "notes.txt", "not a plugin")
	expectPlugin(t, cmd.ExitOK, ", new", "lock", "prompts", "--plugins", dir, "--plugins-lock", filepath.Join(dir, "x.lock"))
	rows := listPlugins(t, cmd.ExitInput, "--plugins", dir, "--plugins-lock", filepath.Join(dir, "x.lock"))
	if !rows["prompts"].Pinned || rows["taubench"].Pinned {
		t.Errorf("pinned: prompts %t, taubench %t", rows["prompts"].Pinned, rows["taubench"].Pinned)
	}
	if r := rows["junk"]; !strings.Contains(r.Error, `plugin "junk": invalid module`) || r.SHA256 != "" {
		t.Errorf("junk: %+v", r)
	}
	if r := rows["prompts"]; r.Error != "" || rows["notes"].Name != "" {
		t.Errorf("rows %+v", rows)
	}
}

func TestPluginLock(t *testing.T) {
	dir := pluginDir(t)
	t.Chdir(t.TempDir())
	expectPlugin(t, cmd.ExitOK, ", new", "lock", "prompts", "--plugins", dir)
	expectPlugin(t, cmd.ExitOK, ", unchanged", "lock", "prompts", "--plugins", dir)
	expectPlugin(t, cmd.ExitOK, "prompts", "run", "prompts", "--op", "describe", "--plugins", dir)

	// The same plugin with other bytes: a custom section, which has no other effect.
	wasm, _ := os.ReadFile(filepath.Join(dir, "prompts.wasm"))
	clitest.SpoilFile(t, dir, "prompts.wasm", string(wasm)+"\x00\x03\x01xy")
	for _, args := range [][]string{{"verify", "prompts"}, {"run", "prompts", "--op", "describe"}, {"list"}} {
		expectPlugin(t, cmd.ExitInput, "(hash-mismatch)", append(args, "--plugins", dir)...)
	}
	expectPlugin(t, cmd.ExitOK, "prompts", "run", "prompts", "--op", "describe", "--plugins", dir, "--plugins-lock", emptyLock(t))
	expectPlugin(t, cmd.ExitOK, ", was 0.", "lock", "prompts", "--plugins", dir)
	expectPlugin(t, cmd.ExitOK, "prompts", "run", "prompts", "--op", "describe", "--plugins", dir)

	// Other entries stay; a lock that cannot be read is not overwritten.
	expectPlugin(t, cmd.ExitOK, "taubench", "lock", "taubench", "--plugins-lock", host.LockFile)
	if l, err := host.ReadLock(""); err != nil || len(l) != 2 {
		t.Errorf("lock %v, %v", l, err)
	}
	clitest.SpoilFile(t, ".", host.LockFile, "<<<<<<<")
	expectPlugin(t, cmd.ExitInput, "invalid lock", "lock", "prompts", "--plugins", dir)
	clitest.SpoilFile(t, dir, "junk.wasm", "")
	expectPlugin(t, cmd.ExitInput, `plugin "junk"`, "lock", "--plugins", dir, "--plugins-lock", "all.lock")
	if _, err := os.Stat("all.lock"); err == nil {
		t.Error("half a lock was written")
	}
	expectPlugin(t, cmd.ExitOK, "taubench", "lock", "taubench", "prompts", "--plugins", dir, "--plugins-lock", "new.lock")
}

func emptyLock(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	clitest.SpoilFile(t, dir, "empty.lock", "{}")
	return filepath.Join(dir, "empty.lock")
}

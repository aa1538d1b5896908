package plugin

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/cli/clitest"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/plugins/host"
)

// runPlugin runs "boundcheck plugin" with the environment variable for the plugin
// directory unset.
func runPlugin(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	t.Setenv(host.EnvDir, "")
	var out, errs bytes.Buffer
	code = Plugin(args, strings.NewReader(stdin), &out, &errs)
	return code, out.String(), errs.String()
}

// expectPlugin runs "boundcheck plugin". It checks the exit code, and checks that the
// output contains the given text. It returns the standard output.
func expectPlugin(t *testing.T, code int, part string, args ...string) (stdout string) {
	t.Helper()
	got, out, errs := runPlugin(t, "", args...)
	if got != code || !strings.Contains(out+errs, part) {
		t.Errorf("%q: exit %d, want %d with %q\n%s%s", args, got, code, part, out, errs)
	}
	if code == cmd.ExitUsage && out != "" {
		t.Errorf("%q: stdout %q", args, out)
	}
	return out
}

func TestPluginUsage(t *testing.T) {
	for want, args := range map[string][]string{
		"missing subcommand":                {},
		`unknown "lst"`:                     {"lst"},
		"missing FILE.wasm or NAME":         {"verify"},
		"missing NAME":                      {"new"},
		`unexpected argument "b"`:           {"verify", "a", "b"},
		`unexpected argument "x"`:           {"list", "x"},
		`unknown format "yaml"`:             {"list", "--format", "yaml"},
		"--op cannot be used with list":     {"list", "--op", "describe"},
		"--plugins cannot be used with new": {"new", "x", "--plugins", "y"},
		"missing --op OP":                   {"run", "prompts"},
		"flag provided but not defined: -x": {"list", "-x"},
		"flag needs an argument: -plugins":  {"list", "--plugins"},
		"run \"boundcheck plugin --help\"":  {"unheard"},
	} {
		expectPlugin(t, cmd.ExitUsage, want, args...)
	}
	for _, args := range [][]string{{"--help"}, {"list", "-h"}, {"help"}} {
		if out := expectPlugin(t, cmd.ExitOK, "usage: ", args...); !strings.HasPrefix(out, "usage: ") {
			t.Errorf("%q: %q", args, out)
		}
	}
}

// TestPluginMissing checks that an error about a missing plugin or file contains the name
// and the reason.
func TestPluginMissing(t *testing.T) {
	file := filepath.Join(pluginDir(t), "prompts.wasm")
	dir := t.TempDir()
	t.Chdir(dir)
	for _, verb := range [][]string{{"verify"}, {"run", "--op", "describe"}} {
		expectPlugin(t, cmd.ExitInput, "cannot read nowhere.wasm: no such file", append(verb, "nowhere.wasm")...)
		expectPlugin(t, cmd.ExitInput, `plugin "nowhere": not found`, append(verb, "nowhere", "--plugins", dir)...)
		expectPlugin(t, cmd.ExitInput, "cannot read mine.lock: no such file", append(verb, file, "--plugins-lock", "mine.lock")...)
	}
	expectPlugin(t, cmd.ExitInput, "cannot read nowhere: no such file", "list", "--plugins", "nowhere")
	expectPlugin(t, cmd.ExitInput, `unknown plugin "nowhere"`, "lock", "nowhere")
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestLoadPinned checks that LoadPinned refuses a module if the lock requires another
// hash. The lock is in the working directory, or has a name that the user gives.
func TestLoadPinned(t *testing.T) {
	dir := pluginDir(t)
	t.Chdir(dir)
	wasm, err := os.ReadFile("prompts.wasm")
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	h, err := host.New(ctx, host.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close(ctx)
	load := func(path string) error {
		_, err := cmd.LoadPinned(ctx, h, wasm, host.Manifest{Name: "prompts"}, cmd.LockOf{File: path})
		return err
	}
	check := func(what, path, want string) {
		t.Helper()
		if err := load(path); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", what, err, want)
		}
	}
	check("no lock", "", "")
	check("a lock that is not there", "mine.lock", "cannot read mine.lock")
	clitest.SpoilFile(t, dir, "mine.lock", `{"other":{"sha256":"`+strings.Repeat("0", 64)+`","version":"1.0.0"}}`)
	check("a lock that does not name it", "mine.lock", "")
	clitest.SpoilFile(t, dir, host.LockFile, `{"prompts":{"sha256":"`+strings.Repeat("0", 64)+`","version":"0.1.0"}}`)
	check("another hash", "", "pinned sha256 is 0000")
	check("another lock", "mine.lock", "")
	clitest.SpoilFile(t, dir, host.LockFile, `{"prompts":`)
	check("half a lock", "", "invalid lock")
}

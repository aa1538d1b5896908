//go:build unix

package score

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

// TestStrangersFolder checks that a folder of a stranger makes the command read nothing
// outside, and that nothing in it makes the command wait.
func TestStrangersFolder(t *testing.T) {
	const run = `[{"name":"get","arguments":{"id":1}}]`
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "secret.json"), []byte(run), 0o600); err != nil {
		t.Fatal(err)
	}
	check := func(what, want string, prepare func(dir string) error) {
		t.Helper()
		dir := t.TempDir()
		traces := filepath.Join(dir, "traces")
		if err := os.Mkdir(traces, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(traces, "a.json"), []byte(run), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := prepare(dir); err != nil {
			t.Skipf("SKIPPED: %s: %v", what, err)
		}
		for _, args := range [][]string{{"test", dir}, {"lint", traces}} {
			if args[0] == "lint" && strings.Contains(want, leadsOut) {
				continue
			}
			code, out, errs := runCommand("", args...)
			if ok := code == cmd.ExitOK || code == cmd.ExitFailed; ok != (want == "") || !strings.Contains(errs, want) {
				t.Errorf("%s: %q ends with %d, %s%s; want an error with %q", what, args, code, out, errs, want)
			}
		}
	}
	in := func(names ...string) func(dir string) string {
		return func(dir string) string { return filepath.Join(append([]string{dir, "traces"}, names...)...) }
	}
	link := func(target string) func(dir string) error {
		return func(dir string) error { return os.Symlink(target, in("b.json")(dir)) }
	}
	check("a pipe", "b.json is not an ordinary file, but a pipe", func(dir string) error { return syscall.Mkfifo(in("b.json")(dir), 0o644) })
	check("a device", "b.json is not an ordinary file, but a device", link("/dev/zero"))
	check("a link out", "b.json is a symbolic link that leads out of", link(filepath.Join(outside, "secret.json")))
	check("a link through a folder", "b.json is a symbolic link that leads out of", func(dir string) error {
		if err := os.Symlink(outside, filepath.Join(dir, ".out")); err != nil {
			return err
		}
		return os.Symlink("../.out/secret.json", in("b.json")(dir))
	})
	check("a link to nothing", "no such file", link("missing.json"))
	for _, folder := range []string{"../x", "/etc", "refs/../../x", "..", `..\x`, "C:/x"} {
		check(folder, leadsOut+" of this file", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "boundcheck.yaml"), []byte("traces: '"+folder+"'\n"), 0o644)
		})
	}
	check("a folder below", "", func(dir string) error {
		return os.WriteFile(filepath.Join(dir, "boundcheck.yaml"), []byte("traces: ./x/../traces\n"), 0o644)
	})
}

const leadsOut = "leads out of the folder"

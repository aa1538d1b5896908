package plugins_test

import (
	"cmp"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/plugins/host"
)

// TestZig checks two plugins that Zig's compiler builds with the commands in
// docs/plugins.md. One is the starter in C, the other is written in Zig. Both must keep
// the contract.
func TestZig(t *testing.T) {
	zig, err := exec.LookPath(cmp.Or(os.Getenv("BOUNDCHECK_ZIG"), "zig"))
	if err != nil {
		t.Skip("SKIPPED: no zig, its build lines are NOT tried")
	}
	docs, err := os.ReadFile("../docs/plugins.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("testdata/zig/hello.zig")
	if err != nil {
		t.Fatal(err)
	}
	dir, ctx := t.TempDir(), context.Background()
	if _, _, err := host.Skeleton("starter", "c", filepath.Join(dir, "c")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "hello.zig"), source, 0o600); err != nil {
		t.Fatal(err)
	}
	inC := "zig cc --target=wasm32-freestanding" + strings.TrimPrefix(host.SkeletonBuild("starter", "c"), "clang --target=wasm32")
	inZig := "zig build-exe hello.zig -target wasm32-freestanding -O ReleaseSmall -fno-entry -rdynamic"
	for _, b := range []struct{ in, line, said, module string }{
		{filepath.Join(dir, "c"), inC, "zig cc --target=wasm32-freestanding", "starter"},
		{dir, inZig, inZig, "hello"},
	} {
		if !strings.Contains(string(docs), b.said) {
			t.Errorf("docs/plugins.md does not say %s", b.said)
		}
		cmd := exec.Command("sh", "-c", zig+strings.TrimPrefix(b.line, "zig"))
		cmd.Dir = b.in
		cmd.Env = append(os.Environ(), "ZIG_GLOBAL_CACHE_DIR="+filepath.Join(dir, "cache"))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", b.line, err, out)
		}
		wasm, err := os.ReadFile(filepath.Join(b.in, b.module+".wasm"))
		if err != nil {
			t.Fatal(err)
		}
		p, all := newHost(t).Verify(ctx, wasm, host.Manifest{Name: b.module})
		for _, v := range all {
			if v.Err != nil {
				t.Errorf("%s: %s: %v", b.line, v.Name, v.Err)
			}
		}
		if p != nil {
			t.Logf("%s: %d bytes, %d checks", b.module, len(wasm), len(all))
		}
	}
}

package host

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/internal/wasmpack/pack"
)

// buildModule compiles the module of a plugin from plugins/NAME/guest of the source tree
// root. If the cache has a module from the same sources and the same Go version,
// buildModule returns that module.
func buildModule(ctx context.Context, plugin, root string, log io.Writer) ([]byte, error) {
	name := ModuleOf(plugin)
	if _, err := os.Stat(filepath.Join(root, guestDir(name))); err != nil {
		return nil, newError(plugin, NotFound, "not found: no %s in the source tree", filepath.ToSlash(guestDir(name)))
	}
	goVersion, err := goTool(ctx, root, "env", "GOVERSION")
	if err != nil {
		return nil, newError(plugin, NotFound, "not built yet, and Go is not available to build the plugin (%v); "+
			"install a release (%s) or Go, or give the folder of %s.wasm with --plugins DIR or %s", err, Releases, name, EnvDir)
	}
	sum, err := hashSources(name, root, goVersion)
	if err != nil {
		return nil, newError(plugin, BuildFailed, "cannot read the plugin's sources: %v", err)
	}
	kept := ""
	if dir := userCache("plugins"); dir != "" {
		kept = filepath.Join(dir, name+"-"+sum+".wasm")
		if b, err := os.ReadFile(kept); err == nil {
			return b, nil
		}
	}
	fmt.Fprintf(log, "boundcheck: building plugin %q; this takes some seconds, but only once\n", plugin)
	b, err := Build(ctx, name, root)
	if err == nil && kept != "" {
		storeModule(kept, b) // if it cannot be kept, the next run builds again
	}
	return b, err
}

// Build compiles the folder plugins/NAME/guest below root into a reactor module. NAME is
// the given name of the module.
func Build(ctx context.Context, name, root string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "boundcheck-plugin-")
	if err != nil {
		return nil, newError(name, BuildFailed, "cannot build: %v", err)
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "guest.wasm")
	args := append(slices.Clone(buildArgs), "-o", out, "./"+filepath.ToSlash(guestDir(name)))
	if _, err := goTool(ctx, root, args...); err != nil {
		return nil, newError(name, BuildFailed, "cannot build: %v", err)
	}
	b, err := os.ReadFile(out)
	if err == nil {
		b, err = pack.Pack(b)
	}
	if err != nil {
		return nil, newError(name, BuildFailed, "cannot build: %v", err)
	}
	return b, nil
}

var buildArgs = []string{"build", "-trimpath", "-buildvcs=false", "-buildmode=c-shared", "-ldflags=-s -w"}

func guestDir(name string) string { return filepath.Join("plugins", name, "guest") }

// goTool runs the go command in root, with the guest's platform as its target, and
// returns its output. If the command fails, the error has its text from stderr.
func goTool(ctx context.Context, root string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=", "GOWORK=off")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if text := strings.TrimSpace(stderr.String()); err != nil && text != "" {
		return "", fmt.Errorf("%s", text)
	}
	return strings.TrimSpace(string(out)), err
}

// sourceFiles returns the files from which a module may be built, always in the same
// order. These are the files:
//
//   - go.mod;
//   - the files in plugins, without tests and hosts;
//   - the packages outside plugins that guests may link.
func sourceFiles(root string) ([]string, error) {
	files := []string{"go.mod"} // its go line sets the language, its pins the rest
	for _, dir := range []string{"plugins", "core/action/readcmd", "core/base/jsonval", "internal/yamljson"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(root, path)
			switch {
			case err == nil && d.IsDir() && slices.Contains(notSources(), filepath.ToSlash(rel)), d.IsDir() && d.Name() == "testdata":
				return filepath.SkipDir
			case !d.IsDir() && filepath.Dir(rel) != "plugins" && !strings.HasSuffix(path, "_test.go"):
				files = append(files, rel)
			}
			return err
		})
		if err != nil && !(dir != "plugins" && errors.Is(err, fs.ErrNotExist)) {
			return nil, err // this tree does not have that leaf package
		}
	}
	return files, nil
}

func notSources() []string {
	return []string{"plugins/checkers", "plugins/host", "plugins/hostjs", "plugins/internal/catalog", "plugins/internal/metered", "plugins/internal/plugintest", "plugins/internal/probe", "plugins/meter", "plugins/skeleton"}
}

func hashSources(name, root, goVersion string) (string, error) {
	files, err := sourceFiles(root)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s %s %q packed\n", name, goVersion, buildArgs)
	for _, f := range files {
		b, err := os.ReadFile(filepath.Join(root, f))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s %x\n", filepath.ToSlash(f), sha256.Sum256(b))
	}
	return hex.EncodeToString(h.Sum(nil)[:12]), nil
}

// storeModule stores a module in a temporary file and renames the file to path, so that a
// reader never sees half of a module.
func storeModule(path string, b []byte) {
	dir := filepath.Dir(path)
	if os.MkdirAll(dir, 0o700) != nil {
		return
	}
	cleanCache(dir, cacheBytes, cacheAge, time.Now())
	f, err := os.CreateTemp(dir, ".new-")
	if err != nil {
		return
	}
	_, err = f.Write(b)
	if f.Close() != nil || err != nil || os.Rename(f.Name(), path) != nil {
		os.Remove(f.Name())
	}
}

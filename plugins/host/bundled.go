package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/internal/bundle"
)

// Sources says where to look for bundled plugins. The zero value searches the usual
// places and writes no log.
type Sources struct {
	// Dir holds NAME.wasm and is searched before the other places. If Dir is "", the
	// environment variable BOUNDCHECK_PLUGINS is read, which may also be empty.
	Dir string

	// Installed returns the module that a user has installed under a name that does not
	// come with boundcheck. Its error is fs.ErrNotExist if there is none. nil means
	// that nothing is installed.
	Installed func(name string) ([]byte, error)

	// Tree is the root of the source tree from which modules are taken or built. If Tree
	// is "", it is the tree in which this program was compiled, if that tree still
	// exists. The working directory is never searched.
	Tree string

	Log io.Writer // a line is written when a plugin is built; nil for none
}

// EnvDir is the environment variable that is read if Sources.Dir is "".
const EnvDir = "BOUNDCHECK_PLUGINS"

// module is a module that comes with boundcheck, and its plugins. Its guest is
// plugins/NAME/guest, its file NAME.wasm.
type module struct {
	name    string
	plugins []string
}

func bundledModules() []module {
	return []module{
		{"bundled", []string{"alfworld", "prompts", "yaml"}},
		{"bundled-code", []string{"swebench", "theagentcompany"}},
		{"bundled-web", []string{"osworld", "webarena"}},
		{"taubench", []string{"taubench"}},
	}
}

// BundledPlugins returns the names of all plugins that come with boundcheck, sorted.
func BundledPlugins() (names []string) {
	for _, m := range bundledModules() {
		names = append(names, m.plugins...)
	}
	slices.Sort(names)
	return names
}

// ModuleOf returns the name of the module that holds a plugin. It is the plugin's own
// name if the plugin does not come with boundcheck.
func ModuleOf(plugin string) string {
	for _, m := range bundledModules() {
		if slices.Contains(m.plugins, plugin) {
			return m.name
		}
	}
	return plugin
}

// Bundled returns the module that contains the plugin NAME. MODULE is the name of this
// module, which may contain several plugins. Bundled searches these places in order:
//
//  1. the folder Sources.Dir, if it is set: first NAME.wasm, then MODULE.wasm;
//  2. the installed plugins, if Sources.Installed is set and the plugin does not come with
//     boundcheck. In this case the search ends here;
//  3. the program itself, which contains the modules in every release. In this case the
//     search ends here;
//  4. plugins/MODULE.wasm beside the executable;
//  5. dist/plugins/MODULE.wasm in the source tree;
//  6. the source tree, from which the Go toolchain builds the module. The user's cache
//     keeps this module.
//
// Bundled does not search the working directory or the folders above. Errors are *Error.
func Bundled(ctx context.Context, name string, s Sources) ([]byte, error) {
	if name == "" || strings.ContainsAny(name, `/\.`) {
		return nil, newError(name, NotFound, "invalid plugin name")
	}
	if b, err := s.findInDir(name); b != nil || err != nil {
		return b, err
	}
	if s.Installed != nil && !slices.Contains(BundledPlugins(), name) {
		b, err := s.Installed(name)
		if err == nil {
			return b, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, newError(name, NotFound, "cannot read the installed plugin: %v", errorCause(err))
		}
		if dir := s.pluginDir(); dir == "" {
			return nil, newError(name, NotFound, "not found: the plugin is not part of boundcheck and is not installed. "+
				"Install the plugin with boundcheck plugin add, or name the folder of %s.wasm with --plugins DIR", name)
		} else {
			return nil, newError(name, NotFound, "not found: there is no file %s, and no plugin of this name is installed", filepath.Join(dir, name+".wasm"))
		}
	}
	root, from := s.sourceTree(), ModuleOf(name)
	if s.Tree == "" && bundle.Carried() {
		return carriedModule(name, from)
	}
	for _, path := range s.builtPaths(from, root) {
		b, err := os.ReadFile(path)
		if err == nil {
			return b, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, newError(name, NotFound, "cannot read %s: %v", path, errorCause(err))
		}
	}
	if root == "" {
		return nil, newError(name, NotFound, "not found: this program was built without plugins, and there is no file plugins/%s.wasm beside the program. "+
			"Install a release with plugins from %s, or name the folder of %s.wasm with --plugins DIR or the variable %s", from, Releases, name, EnvDir)
	}
	return buildModule(ctx, name, root, s.logWriter())
}

// findInDir looks for the plugin's module in the folder Sources.Dir and nowhere else. It
// returns nil and no error if the folder does not have the module.
func (s Sources) findInDir(name string) ([]byte, error) {
	dir := s.pluginDir()
	if dir == "" {
		return nil, nil
	}
	names := []string{name}
	if m := ModuleOf(name); m != name {
		names = append(names, m)
	}
	if _, err := os.Stat(dir); err != nil {
		return nil, newError(name, NotFound, "cannot read %s: %v", dir, errorCause(err))
	}
	for _, n := range names {
		path := filepath.Join(dir, n+".wasm")
		b, err := os.ReadFile(path)
		if err == nil {
			return b, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, newError(name, NotFound, "cannot read %s: %v", path, errorCause(err))
		}
	}
	return nil, nil
}

func (s Sources) pluginDir() string {
	if s.Dir != "" {
		return s.Dir
	}
	return os.Getenv(EnvDir)
}

func (s Sources) logWriter() io.Writer {
	if s.Log == nil {
		return io.Discard
	}
	return s.Log
}

// builtPaths returns the paths at which a built module may be. It leaves out the module
// in dist if this module is older than its sources. In this case it writes a line to the
// log.
func (s Sources) builtPaths(name, root string) (paths []string) {
	if exe, err := os.Executable(); err == nil {
		paths = append(paths, filepath.Join(filepath.Dir(exe), "plugins", name+".wasm"))
	}
	if root == "" {
		return paths
	}
	dist := filepath.Join(root, "dist", "plugins", name+".wasm")
	if isStale(dist, root) {
		fmt.Fprintf(s.logWriter(), "boundcheck: %s is older than its sources and is not used\n", filepath.Join("dist", "plugins", name+".wasm"))
		return paths
	}
	return append(paths, dist)
}

func isStale(module, root string) bool {
	info, err := os.Stat(module)
	if err != nil {
		return false
	}
	files, err := sourceFiles(root)
	if err != nil {
		return false
	}
	for _, f := range files {
		if i, err := os.Stat(filepath.Join(root, f)); err == nil && i.ModTime().After(info.ModTime()) {
			return true
		}
	}
	return false
}

// Releases is the web page of the released programs, which contain the page and the
// plugins.
const Releases = "https://" + modulePath + "/releases"

// carriedModule returns a module that this program contains. The parameter from is the
// name of the module. The parameter name is the name of the plugin, which only errors
// mention.
func carriedModule(name, from string) ([]byte, error) {
	b, err := bundle.Plugin(from)
	if err != nil {
		return nil, newError(name, NotFound, "not found: there is no %s.wasm in this program: %v", from, errorCause(err))
	}
	return b, nil
}

func (s Sources) sourceTree() string {
	if s.Tree != "" {
		return s.Tree
	}
	return bundle.Tree()
}

const modulePath = "github.com/boundcheck/boundcheck"

func findModuleRoot(dir string) string {
	for {
		b, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if line, _, _ := strings.Cut(string(b), "\n"); err == nil && strings.TrimSpace(line) == "module "+modulePath {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// errorCause returns the error inside a *fs.PathError, without the path. It returns any
// other error unchanged. The messages of this package already contain the path.
func errorCause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

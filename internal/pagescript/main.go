// Command pagescript joins the modules of each of the page's documents into one script, so
// that a browser requests one file and not more than fifty. Usage: pagescript OUTDIR, in the
// repository's folder.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// entries are the modules that the page's documents load.
var entries = []string{"playground/app.js", "playground/embed.js"}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: pagescript OUTDIR")
		os.Exit(2)
	}
	if err := joinModules(".", os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "pagescript:", err)
		os.Exit(1)
	}
}

// joinModules writes one script to the folder out for each module in the list entries. A
// script has the name of its module and contains all modules that it imports. An import
// from ./npm/ or ../npm/ is read from the folder wasm/npm.
func joinModules(root, out string) error {
	root, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	npm := api.Plugin{Name: "npm", Setup: func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: `^\.\.?/npm/`}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
			return api.OnResolveResult{Path: filepath.Join(root, "wasm", strings.TrimLeft(a.Path, "."))}, nil
		})
	}}
	result := api.Build(api.BuildOptions{
		AbsWorkingDir: root,
		EntryPoints:   entries,
		Outdir:        out,
		Bundle:        true,
		Format:        api.FormatESModule,
		Platform:      api.PlatformBrowser,
		Target:        api.ES2022,
		Charset:       api.CharsetUTF8,
		Plugins:       []api.Plugin{npm},
		Write:         true,
	})
	var errs []error
	for _, m := range append(result.Errors, result.Warnings...) {
		where := ""
		if m.Location != nil {
			where = fmt.Sprintf("%s:%d: ", m.Location.File, m.Location.Line)
		}
		errs = append(errs, fmt.Errorf("%s%s", where, m.Text))
	}
	return errors.Join(errs...)
}

//go:build !bundled

package bundle

import (
	"os"
	"path/filepath"
	"runtime"
)

// archive is empty: this program finds the page and the plugins next to its file or in
// Tree.
var archive []byte

// Tree returns the root of the sources from which this program was compiled, or "" if
// they no longer exist or if it was compiled with -trimpath. It never depends on the
// working directory: otherwise whoever can write there could choose what a program builds
// and runs.
func Tree() string {
	_, file, _, ok := runtime.Caller(0)
	if !ok || !filepath.IsAbs(file) { // as with -trimpath
		return ""
	}
	root := filepath.Dir(filepath.Dir(filepath.Dir(file)))
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		return ""
	}
	return root
}

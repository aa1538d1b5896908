//go:build !bundled

package bundle

import (
	"os"
	"path/filepath"
	"runtime"
)

// archive is empty: page and plugins are found beside the program or in Tree.
var archive []byte

// Tree is the root of the sources that this program was compiled from, where it
// was not compiled with -trimpath and they still lie there; else "". It never
// depends on the working directory: whoever can write there would otherwise say
// what a program builds and runs.
func Tree() string {
	_, file, _, ok := runtime.Caller(0)
	if !ok || !filepath.IsAbs(file) { // so under -trimpath
		return ""
	}
	root := filepath.Dir(filepath.Dir(filepath.Dir(file)))
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		return ""
	}
	return root
}

//go:build !bundled

package bundle

import (
	"os"
	"path/filepath"
	"runtime"
)

// archive is empty: page and plugins are found beside the program or in Tree.
var archive []byte

// Tree returns the root of the sources that this program was compiled from, if they are
// still there and it was compiled without -trimpath; else "". It never depends on the
// working directory: whoever can write there could otherwise choose what a program
// builds and runs.
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

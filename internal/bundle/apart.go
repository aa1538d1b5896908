//go:build !bundled

package bundle

import (
	"os"
	"path/filepath"
	"runtime"
)

// archive is empty, because this program finds the page and the plugins next to its
// executable file or in Tree.
var archive []byte

// Tree returns the root of the sources from which this program was compiled. It returns
// "" if the sources no longer exist, or if the program was compiled with -trimpath. The
// result never depends on the working directory, because another person may be able to
// write files there.
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

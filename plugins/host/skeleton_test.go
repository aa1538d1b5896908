package host

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSkeleton(t *testing.T) {
	root := newTestTree(t, smallTreeFiles())
	files, usable, err := Skeleton("fresh", "", filepath.Join("sub", "fresh"))
	if err != nil || !usable || len(files) < 6 {
		t.Fatalf("files %v, usable %t, %v", files, usable, err)
	}
	mod, err := os.ReadFile(filepath.Join(root, "sub", "fresh", "go.mod"))
	if err != nil || !strings.Contains(string(mod), "v0.0.0\n\nreplace "+modulePath+" => ../..\n") {
		t.Errorf("%v, go.mod\n%s", err, mod)
	}
	for want, give := range map[string][2]string{
		"is not empty":                  {"fresh", filepath.Join("sub", "fresh")},
		"invalid plugin name":           {"Fresh", "x"},
		"contains Boundcheck's own":     {"fresh", filepath.Join("plugins", "fresh")},
		"invalid plugin name: want low": {"../fresh", "x"},
	} {
		if _, _, err := Skeleton(give[0], "", give[1]); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", give, err, want)
		}
	}
}

func TestRequirement(t *testing.T) {
	check := func(dir, root, version, wantVersion, wantReplace string) {
		t.Helper()
		v, replace, err := moduleRequirement(filepath.FromSlash(dir), filepath.FromSlash(root), version)
		if err != nil || v != wantVersion || replace != wantReplace {
			t.Errorf("%s, %s, %s: %s, %q, %v", dir, root, version, v, replace, err)
		}
	}
	check("/src/bc/a/b", "/src/bc", "", "v0.0.0", "../..")
	check("/src/bcx", "/src/bc", "v1.0.0", "v0.0.0", "/src/bc")
	check("/home/x", "/src/my bc", "", "v0.0.0", `"/src/my bc"`)
	check("/home/x", "", "v1.0.0", "v1.0.0", "")
	check("/home/x", "", "", "v0.0.0", "")
	check("/home/x", "/go/pkg/mod/bc@v1.0.0", "v1.0.0", "v1.0.0", "")
}

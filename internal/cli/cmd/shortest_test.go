package cmd

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/cli/clitest"
)

// TestShortestEnds compares the labels of drawn paths with their definition: each label
// is an end of its path, no two labels are equal, and no shorter end is an end of only
// this path.
func TestShortestEnds(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 3))
	endsWith := func(path, end string) bool { return path == end || strings.HasSuffix(path, "/"+end) }
	for range 3000 {
		paths := clitest.DrawPaths(r)
		labels, err := LabelFiles(paths)
		if err != nil || len(labels) != len(paths) {
			t.Fatalf("%q: %v %v", paths, labels, err)
		}
		whole := make([]string, len(paths))
		for i, path := range paths {
			whole[i] = strings.Join(pathParts(path), "/")
		}
		only := func(end string) bool {
			n := 0
			for _, w := range whole {
				if endsWith(w, end) {
					n++
				}
			}
			return n == 1
		}
		seen := map[string]bool{}
		for i, path := range paths {
			label := labels[path]
			if seen[label] || label == "" || !endsWith(whole[i], label) {
				t.Fatalf("%q has the label %q among %q", path, label, paths)
			}
			seen[label] = true
			if _, shorter, ok := strings.Cut(label, "/"); ok && shorter != "" && only(shorter) {
				t.Fatalf("%q has the label %q, but %q is enough among %q", path, label, shorter, paths)
			}
		}
	}
}

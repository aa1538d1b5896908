package equivalence

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/kind"
)

// TestEveryKindHasASentence checks that each kind of value has its sentence.
func TestEveryKindHasASentence(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "action", "kind", "kind.go"))
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`(?m)^\t(\w+) +(?:Name )?= "([^"]+)"|^\t(\w+) +Name = "([^"]+)"`).FindAllStringSubmatch(string(data), -1)
	if len(names) < 25 {
		t.Fatalf("%d kinds", len(names))
	}
	for _, m := range names {
		name := kind.Name(m[2] + m[4])
		if s := sameValue()[name]; strings.Count(string(s), "{argument}") != 1 {
			t.Errorf("the kind %q has the sentence %q", name, s)
		}
	}
}

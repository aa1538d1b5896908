package skeleton

import (
	"bytes"
	"go/format"
	"slices"
	"strings"
	"testing"
)

func TestPackage(t *testing.T) {
	for name, want := range map[string]string{
		"webarena": "webarena", "my-bench": "mybench", "2048": "plugin2048", "switch": "pluginswitch", "main": "pluginmain",
		"sdk": "pluginsdk", "a-b-i": "pluginabi", "-": "plugin", "s-d-k": "pluginsdk",
	} {
		if got := (Values{Name: name}).Package(); got != want {
			t.Errorf("%s: package %s, want %s", name, got, want)
		}
	}
}

// TestFiles checks that the Go files are formatted as by gofmt, that no template syntax
// is left in any file, and that the same values always give the same bytes.
func TestFiles(t *testing.T) {
	v := Values{Name: "my-bench", Version: "v1.2.3"}
	files, err := Files(v)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := Files(v)
	var names []string
	for i, f := range files {
		names = append(names, f.Name)
		if bytes.Contains(f.Data, []byte("{{.")) || !bytes.Equal(f.Data, again[i].Data) || !bytes.HasSuffix(f.Data, []byte("\n")) {
			t.Errorf("%s\n%s", f.Name, f.Data)
		}
		if !strings.HasSuffix(f.Name, ".go") {
			continue
		}
		if good, err := format.Source(f.Data); err != nil || !bytes.Equal(good, f.Data) {
			t.Errorf("%s: not formatted, %v", f.Name, err)
		}
	}
	if want := []string{".gitignore", "README.md", "check.go", "check_test.go", "go.mod", "guest/main.go", "plugin.go"}; !slices.Equal(names, want) {
		t.Errorf("files %v, want %v", names, want)
	}
}

func TestModule(t *testing.T) {
	mod := func(v Values) string {
		files, err := Files(v)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(files, func(f File) bool { return f.Name == "go.mod" })
		return string(files[i].Data)
	}
	const head = "module example.org/x\n\ngo 1.26.0\n\nrequire github.com/boundcheck/boundcheck v1.2.3\n"
	if got := mod(Values{Name: "x", Version: "v1.2.3"}); got != head {
		t.Errorf("go.mod\n%s", got)
	}
	if got := mod(Values{Name: "x", Version: "v1.2.3", Replace: "../b"}); got != head+"\nreplace github.com/boundcheck/boundcheck => ../b\n" {
		t.Errorf("go.mod\n%s", got)
	}
}

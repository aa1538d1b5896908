package effect

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// start holds the files of the directory before a script runs.
var start = map[string]string{"a": "one\ntwo\nthree\nfour\n", "b": "x y\n", "d/c": "deep\n", "e.txt": ""}

// pieces holds commands with placeholders: F and G for files, T for a text and N for a
// line number.
var pieces = []string{
	"echo T > F", "echo T >> F", "echo -n T > F", "printf 'T' > F", "printf T >> F", "cat > F <<'EOF'\nT $x `y`\n\tz\nEOF", "cat <<EOF >> F\nT \\$x \"q\"\nEOF",
	"cat <<-EOF > F\n\t\tT\n\tEOF", "> F", "touch F", "rm -f F", "rm F", "mv F G", "cp F G", "cp F d/", "cat F > G", "cat F >> G", "tee F <<< T", "tee -a F <<< T",
	"mkdir -p n/m", "sed -i 'Nd' F", "sed -i 'Nc\\\nT' F", "sed -i 'Na T' F", "sed -i 'Ni\\\nT' F", "sed -i 's/o/T/' F", "sed -i '1,2d' F",
	"cd d", "cd d && cd ..", "(cd d && cat * > /dev/null); (cd d && touch c2)", "(cd d && echo T > c2)", "cd . && pwd", "{ echo T; } > F", "env Q=1 touch F", "timeout 5 rm -f F", "bash -c 'echo T > F'", "nice -n 1 cp F G",
	"sort F", "uniq F", "grep -c o F || true", "find . -name F -exec cat {} \\;", "find . -type f | xargs cat", "sed -n 1p F", "awk '{print $1}' F", "diff F G || true",
	"head -1 F | tail -1", "wc -l F", "ls -la", "[ -f F ] && cat F", "if [ -f F ]; then cat F; fi", "for i in 1 2; do echo $i; done", "test -f F || echo T", "cat F | sort | uniq",
	"echo T | cat > /dev/null", "echo T 2> F", "ls > F", "sort F > G", "export Q=1; echo T > F", "rm -rf d", "patch -p1 <<'EOF'\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-one\n+T\n two\nEOF",
	"git apply <<'EOF'\n--- a/b\n+++ b/b\n@@ -1 +1,2 @@\n x y\n+T\nEOF", "f() { rm -f F; }; f", "echo T > F; rm -f F; echo T > F", "xxd F", "stat F", "md5sum F", "tr a-z A-Z < F", "cut -c1 F", "tac F", "rev F",
}

func randomScript(r *rand.Rand) string {
	names := []string{"a", "b", "d/c", "e.txt", "new", "d/new"}
	var out []string
	for range 1 + r.IntN(5) {
		p := pieces[r.IntN(len(pieces))]
		p = strings.NewReplacer("F", names[r.IntN(len(names))], "G", names[r.IntN(len(names))], "T", []string{"hello", "two words", "o"}[r.IntN(3)], "N", fmt.Sprint(1+r.IntN(4))).Replace(
			strings.ReplaceAll(p, "EOF", "\x00"))
		out = append(out, strings.ReplaceAll(p, "\x00", "EOF"))
	}
	return strings.Join(out, "\n")
}

// TestAgainstBash runs random scripts in bash and compares the files afterwards with the
// effects that Shell finds. The names, the known contents and the removed files must
// agree. Scripts that fail or have an opaque effect are skipped.
func TestAgainstBash(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("SKIPPED: no bash: effects are NOT held against a real shell")
	}
	r := rand.New(rand.NewPCG(1, 2))
	ran, files, known := 0, 0, 0
	for range 300 {
		text := randomScript(r)
		w := &World{}
		for name, content := range start {
			w.Do(OnFile(name, Op{Verb: Write, New: content}))
		}
		s := NewSession(w)
		effects, read := s.Shell(text)
		w.Play(effects)
		if !read {
			t.Errorf("%q is not read", text)
		}
		after, ok := runBash(t, text)
		if !ok || len(w.opaque) > 0 { // the effects do not describe a script that failed half-way
			continue
		}
		ran++
		for name := range after {
			if w.files[name] == nil {
				t.Errorf("%q\nnobody said that it touches %s", text, name)
			}
		}
		for name, f := range w.files {
			files++
			content, there := after[name]
			switch {
			case f.gone && there:
				t.Errorf("%q\n%s is said to be gone, and is there: %q", text, name, content)
			case f.known && (!there || !sameText(content, f.text)):
				t.Errorf("%q\n%s is said to hold %q, and holds %q (%t)", text, name, f.text, content, there)
			}
			if f.known || f.gone {
				known++
			}
		}
	}
	t.Logf("%d scripts ran to their end without anything opaque: %d of %d files foretold", ran, known, files)
	if ran < 100 {
		t.Error("too few to mean anything")
	}
}

// runBash runs a script in a new directory with the files of start. It returns the names
// and contents of all files after the script. It returns false if the script fails.
func runBash(t *testing.T, text string) (map[string]string, bool) {
	dir := t.TempDir()
	for name, content := range start {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("bash", "-e", "-c", text)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "LC_ALL=C"}
	if cmd.Run() != nil {
		return nil, false
	}
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out[filepath.ToSlash(rel)] = string(b)
		return err
	})
	return out, err == nil
}

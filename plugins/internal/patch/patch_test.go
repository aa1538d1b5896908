package patch

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const base = "a\nb\nc\n\ndef f():\n    x = 1\n    return x\n\ndef g():\n    y = 2\n    return y\n\nend\n"

// gitDiff returns git's own diff of two texts, with the given number of context lines.
func gitDiff(t testing.TB, old, new string, context int, more ...string) string {
	t.Helper()
	dir := t.TempDir()
	writeFile(t, dir+"/o/f.py", old)
	writeFile(t, dir+"/n/f.py", new)
	args := append([]string{"diff", "--no-index", "--no-color", fmt.Sprintf("-U%d", context)}, more...)
	cmd := exec.Command("git", append(args, "o/f.py", "n/f.py")...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if len(out) == 0 {
		t.Fatalf("git: %v", err)
	}
	return strings.NewReplacer("a/o/f.py", "a/f.py", "b/n/f.py", "b/f.py").Replace(string(out))
}

func mustParse(t testing.TB, text string) []File {
	t.Helper()
	f, err := Parse(text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return f
}

// changeBase returns the constant base with some words replaced. pairs lists each old
// word and the new word after it.
func changeBase(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(base) }

// TestCompareForms checks that a change equals itself in every notation, and differs
// from every other change.
func TestCompareForms(t *testing.T) {
	forms := map[string]string{
		"one line":         changeBase("x = 1", "x = 7"),
		"another value":    changeBase("x = 1", "x = 8"),
		"indentation":      changeBase("    x = 1", "  x = 1"),
		"two places":       changeBase("x = 1", "x = 7", "y = 2", "y = 7"),
		"two, crossed":     changeBase("x = 1", "y = 7", "y = 2", "x = 7"),
		"inserted":         changeBase("    return x\n", "    return x\n\ndef h():\n    return x\n"),
		"inserted later":   changeBase("    return y\n", "    return y\n\ndef h():\n    return x\n"),
		"empty line gone":  changeBase("\ndef g", "def g"),
		"empty line added": changeBase("\nend", "\n\nend"),
		"last line gone":   changeBase("end\n", ""),
		"first line gone":  changeBase("a\nb\n", "b\n"),
		"all gone":         "\n",
	}
	type form struct {
		name    string
		context int
		file    File
	}
	var all []form
	for name, text := range forms {
		for _, context := range []int{0, 1, 3, 20} {
			all = append(all, form{name, context, mustParse(t, gitDiff(t, base, text, context))[0]})
		}
	}
	for _, x := range all {
		for _, y := range all {
			want := Differs
			if x.name == y.name {
				want = Equal
			}
			if got := Compare(&x.file, &y.file); got != want {
				t.Errorf("%s with %d lines of context, %s with %d: %v, want %v", x.name, x.context, y.name, y.context, got, want)
			}
		}
	}
}

// TestCompareAlgorithms compares three diffs of the same change. git made each of them
// with a different algorithm.
func TestCompareAlgorithms(t *testing.T) {
	old := "{\n  a();\n}\n\n{\n  b();\n}\n\n{\n  c();\n}\n"
	new := "{\n  b();\n}\n\n{\n  z();\n}\n\n{\n  c();\n}\n\n{\n  c();\n}\n"
	x := mustParse(t, gitDiff(t, old, new, 1, "--diff-algorithm=myers"))
	y := mustParse(t, gitDiff(t, old, new, 3, "--diff-algorithm=patience", "--no-indent-heuristic"))
	z := mustParse(t, gitDiff(t, old, new, 0, "--diff-algorithm=minimal"))
	if a, b, c := Compare(&x[0], &y[0]), Compare(&y[0], &z[0]), Compare(&x[0], &z[0]); a != Equal || b != Equal || c != Equal {
		t.Errorf("%v, %v, %v", a, b, c)
	}
}

// TestCompareText checks that shifted or invented line numbers do not matter. If two
// changes have no common lines around them, and no hashes, the result must be Unknown.
func TestCompareText(t *testing.T) {
	const at = "--- a/f\n+++ b/f\n@@ -%d,3 +%d,4 @@\n p\n q\n+new\n r\n"
	const git = "diff --git a/f b/f\nindex abcd012..ef01234 100644\n"
	const bare = "--- a/f\n+++ b/f\n@@ -%d,0 +%d,1 @@\n+new\n"
	check := func(a, b string, want Verdict) {
		t.Helper()
		x, y := mustParse(t, a), mustParse(t, b)
		if got := Compare(&x[0], &y[0]); got != want {
			t.Errorf("%v, want %v:\n%s%s %q %q", got, want, a, b, x[0].Path, y[0].Path)
		}
	}
	check(fmt.Sprintf(at, 10, 10), fmt.Sprintf(at, 40, 47), Equal)
	check(fmt.Sprintf(at, 10, 10), "*** Begin Patch\n*** Update File: f\n@@ class A\n q\n+new  \n r\n*** End Patch\n", Equal)
	check(fmt.Sprintf(at, 10, 10), "*** Begin Patch\n*** Update File: f\n@@\n q\n+new\n s\n*** End Patch\n", Differs)
	check(fmt.Sprintf(at, 10, 10), fmt.Sprintf(bare, 11, 12), Unknown) // no common line shows the place
	check("index abcd..ef\n"+fmt.Sprintf(at, 10, 10), fmt.Sprintf(bare, 11, 12), Unknown)
	check(git+fmt.Sprintf(at, 10, 10), git+fmt.Sprintf(bare, 11, 12), Equal) // both start from one base and insert after line 11
	check(git+fmt.Sprintf(at, 10, 10), git+fmt.Sprintf(bare, 12, 13), Differs)
	check(git+fmt.Sprintf(at, 10, 10), git+fmt.Sprintf(at, 40, 41), Differs) // the same text in another place
	check(fmt.Sprintf(bare, 90, 91), fmt.Sprintf(bare, 90, 95), Equal)
	check(fmt.Sprintf(at, 10, 10), strings.ReplaceAll(fmt.Sprintf(at, 10, 10), "\n", "\r\n"), Equal)
}

// TestCompareHeaders compares changes of modes, names and binary files, and deletions.
// For a binary file without a hash, the result must be Unknown.
func TestCompareHeaders(t *testing.T) {
	forms := map[string]string{
		"new empty": "diff --git a/f b/f\nnew file mode 100644\nindex 0000000..e69de29\n",
		"deleted":   "diff --git a/f b/f\ndeleted file mode 100644\nindex e69de29..0000000\n",
		"mode":      "diff --git a/f b/f\nold mode 100644\nnew mode 100755\n",
		"renamed":   "diff --git a/e b/f\nsimilarity index 100%\nrename from e\nrename to f\n",
		"copied":    "diff --git a/e b/f\nsimilarity index 100%\ncopy from e\ncopy to f\n",
		"binary":    "diff --git a/f b/f\nindex " + strings.Repeat("a", 40) + ".." + strings.Repeat("b", 40) + " 100644\nBinary files a/f and b/f differ\n",
		"other":     "diff --git a/f b/f\nindex " + strings.Repeat("a", 40) + ".." + strings.Repeat("c", 40) + " 100644\nBinary files a/f and b/f differ\n",
	}
	for name, text := range forms {
		x := mustParse(t, text)
		for other, o := range forms {
			y := mustParse(t, o)
			want := Differs
			if name == other {
				want = Equal
			}
			if got := Compare(&x[0], &y[0]); got != want {
				t.Errorf("%s, %s: %v, want %v", name, other, got, want)
			}
		}
	}
	short := mustParse(t, "diff --git a/f b/f\nBinary files a/f and b/f differ\n")
	if got := Compare(&short[0], &short[0]); got != Unknown {
		t.Errorf("a binary file without a hash: %v", got)
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":         "no file",
		"fix it\n": "no file",
		"--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n-b\n": "",
		"*** Begin Patch\n+x\n*** End Patch\n":        "before the first file header",
		"*** Begin Patch\n*** Update File: f\nx\n":    "the line begins with",
		"*** Begin Patch\n*** Add File: f\n-x\n":      "the line begins with",
		"*** Begin Patch\n*** End Patch":              "",
		strings.Repeat("x", maxText+1):                "limit 4194304",
		strings.Repeat("\n", maxLines+1):              "lines",
		"diff --git a/f b/f\nindex 1..2 100644\nGIT binary patch\nliteral 999999999\nzcmb=J00000000000000000\n": "",
	} {
		if f, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v, %v, want %q", text, f, err, want)
		}
	}
}

// TestHuge compares a diff of the largest size with itself, with and without line
// numbers. It logs the time.
func TestHuge(t *testing.T) {
	var b strings.Builder
	n := maxLines/2 - 10
	fmt.Fprintf(&b, "--- a/f\n+++ b/f\n@@ -1,%d +1,%d @@\n", n, n)
	for range n {
		b.WriteString("-x\n+x \n")
	}
	start := time.Now()
	x := mustParse(t, b.String())
	y := mustParse(t, b.String())
	y[0].Fragments[0].Start = 0
	if v := Compare(&x[0], &x[0]); v != Equal {
		t.Error(v)
	}
	if v := Compare(&x[0], &y[0]); v != Equal {
		t.Error(v)
	}
	t.Logf("%d lines, %d bytes in %v", 2*n, b.Len(), time.Since(start))
}

func FuzzCompare(f *testing.F) {
	f.Add(gitDiff(f, base, changeBase("x = 1", "x = 7"), 3), gitDiff(f, base, changeBase("x = 1", "x = 7"), 0))
	f.Add("*** Begin Patch\n*** Update File: f\n@@\n a\n+b\n*** End Patch", "*** Begin Patch\n*** Add File: f\n+b\n*** End Patch")
	f.Add("diff --git a/e b/f\nsimilarity index 90%\nrename from e\nrename to f\n--- a/e\n+++ b/f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n", "--- f\n+++ f\n@@ -0,0 +1 @@\n+x\n")
	f.Fuzz(func(t *testing.T, a, b string) {
		x, err := Parse(a)
		if err != nil {
			return
		}
		for i := range x {
			if v := Compare(&x[i], &x[i]); v == Differs {
				t.Fatalf("a change differs from itself: %+v", x[i])
			}
		}
		y, err := Parse(b)
		if err != nil {
			return
		}
		if v, w := Compare(&x[0], &y[0]), Compare(&y[0], &x[0]); v != w {
			t.Fatalf("%v one way, %v the other", v, w)
		}
	})
}

func writeFile(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

package shellread

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

func classifyLine(t *testing.T, line string) mutation.Verdict {
	t.Helper()
	text, err := json.Marshal(map[string]string{"command": line})
	if err != nil {
		t.Fatal(err)
	}
	arguments, err := jsonval.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return mutation.New(nil, nil).Reading(Reader{}).Classify("bash", arguments)
}

func TestLines(t *testing.T) {
	check := func(want mutation.Tri, lines ...string) {
		t.Helper()
		for _, line := range lines {
			if v := classifyLine(t, line); v.Mutating != want {
				t.Errorf("%q: %s (%s), want %s", line, v.Mutating, v.Reason, want)
			}
		}
	}
	check(mutation.No, "ls", "cd src && ls -la", "cat a.txt | grep -n x | head -5", "ls; pwd", "grep x *.go", "cat 'a b' 2>/dev/null", "ls 2>&1 | wc -l",
		"for f in *.go; do cat $f; done", "if test -f x; then cat x; else echo no; fi", "echo $(pwd)", "time ls", "bash -c ls", "env ls", "command ls", "less x | cat",
		"( cd a; ls )", "{ ls; pwd; }", "ls || true", "! grep -q x y", "cat < in.txt", "wc -l $HOME/x", "git status && git diff | head", "[[ -f x ]] && cat x",
		"find . -name '*.py' | sort | uniq", "cat ~/x", "ls \\\n -la", "echo \"$(date +%Y)\"", "diff <(ls a) <(ls b)", "cat <<'EOF'\nrm x\nEOF")
	check(mutation.Yes, "rm x", "ls | tee x", "ls && rm x", "ls; mkdir y", "cat a > b", "cat a >> b", "ls | rm x", "echo $(rm x)", "echo `rm x`", "echo \"$(rm -rf x)\"", "for f in *; do rm $f; done",
		"diff <(rm x) y", "if rm x; then ls; fi", "cat <<EOF\n$(rm x)\nEOF", "ls &> log", "ls >| x", "ls <> x", "(rm x)", "echo ${x:-$(rm y)}", "ls > >(rm x)", "while rm x; do ls; done", "case $(rm x) in *) ls;; esac",
		"echo $(( $(rm x) ))", "ls 2> err.txt", "[[ $(rm x) ]]", "ls | xargs rm", "alias ls=rm; ls", "find . -exec rm {} +")
	check(mutation.Unknown, "python x.py", "ls &", "cat x | sh", "eval ls", "sudo ls", "A=1 ls", "PATH=. && ls", "f() { ls; }; f", "function ls { rm x; }; ls", "$x", "l\"s\" | $cmd",
		"find . $x", "sort $flags a", "find . -delete | cat", "export PATH=.; ls", "declare -f x", "cat < /dev/tcp/a/80", "cat < $f", "ls\rrm x", "ls \u202e x", "ls 'open", "sed -i s/a/b/ x | cat",
		"source x", ". x", "exec ls", "trap 'rm x' EXIT", "let x=1", "coproc ls x", "git commit -m x | cat", "''", "ls | ''", "printf x > $f")
}

// TestRealShell compares the reader with a real bash. Every command that bash runs must
// be among the commands that the reader finds.
func TestRealShell(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("SKIPPED: no bash here; the reader was not compared with a real shell")
	}
	stubs := t.TempDir()
	logs := t.TempDir() // a log for each line, because a background command may outlive its line
	for _, name := range strings.Fields("a b c d e f g") {
		stub := "#!" + bash + "\necho ${0##*/} >> \"$LOG\"\necho x\n"
		if err := os.WriteFile(filepath.Join(stubs, name), []byte(stub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	lines := []string{
		"a; b && c || d", "a | b | c", "a & b", "if a; then b; else c; fi", "while b; do c; break; done", "for x in $(a) b; do c; done", "case `a` in x) b;; *) c;; esac",
		"( a; ( b ) )", "{ a; b; }", "x=$(a) ; y=`b`; c", "x=$(a) b", "echo \"`a` $(b)\"", "echo ${x:-$(a)} ${y:=`b`} ${z+$(c)}", "echo $((1 + $(a; echo 1)))", "cat <<EOF\n$(a) `b`\nEOF\n", "cat <<'EOF'\n$(a)\nEOF\nb",
		"cat < <(a) > >(b)", "[[ $(a) == x && -n $(b) ]]", "(( $(a; echo 1) ))", "! a", "time a", "a\nb\n\nc", "a \\\n b", "a;b", "a#b; c", "a # b", "'a'; \"b\"; \\c", "a$(b)", "$(echo a) b", "a >/dev/null 2>&1", "until a; do b; done",
		"select x in $(a); do break; done < /dev/null", "arr=($(a) $(b)); c", "a <<< $(b)", "a <<< \"`b`\"", "x[$(a; echo 0)]=1", "declare x=$(a)", "export y=$(b)", "local z=$(c)", "a || { b; c; }", "if ! a; then b; elif c; then d; fi",
		"echo {$(a),$(b)}", "echo $'x' $(a)", "echo $\"x$(a)\"", "coproc { a; }; wait", "a |& b", "for ((i=$(a; echo 0); i<1; i++)); do b; done", "echo ${x[$(a; echo 0)]}", "echo ${x//$(a)/$(b)}", "exec 3< <(a); b", "test $(a) && b", "a && (b; c) | d",
	}
	for i, line := range lines {
		log := filepath.Join(logs, strconv.Itoa(i))
		cmd := exec.Command(bash, "-c", line)
		cmd.Dir = t.TempDir()
		cmd.Env = []string{"PATH=" + stubs + ":/usr/bin:/bin", "LANG=C.UTF-8", "LOG=" + log}
		cmd.Run() // the status is that of the last stub
		ran, _ := os.ReadFile(log)
		read, err := Reader{}.Commands(line)
		if err != nil {
			continue // such a line counts as mutating
		}
		known := map[string]bool{}
		open := false
		for _, c := range read {
			if len(c.Words) > 0 && c.Words[0].Known && c.Problem == "" {
				known[c.Words[0].Text] = true
			} else {
				open = true
			}
		}
		for _, name := range strings.Fields(string(ran)) {
			if !known[name] && !open {
				t.Errorf("%q: bash ran %s; read were %+v", line, name, read)
			}
		}
	}
}

func FuzzReader(f *testing.F) {
	for _, line := range []string{"ls | rm x", "echo $(a `b`)", "cat <<E\n$(x)\nE\n", "for f in *; do rm $f; done", "a() { b; }", "[[ a ]] && ((1))", "x=$((`a`))"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		all, err := Reader{}.Commands(line)
		if err != nil && all != nil {
			t.Fatal("both commands and an error")
		}
	})
}

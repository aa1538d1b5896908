package mutation

import "testing"

func TestShellReads(t *testing.T) {
	for _, c := range []string{
		"ls", "ls -la /tmp", "cat a.txt", "grep -rn 'a b|c' src", "head -n 5 x", "pwd", "wc -l x", "/bin/ls",
		"git status", "git log --oneline", "git diff main", "git branch -a", "git --no-pager show HEAD",
		"find . -name '*.go'", "sort a", "sort -u -k2 a", "uniq a", "sed -n '1,5p' f", "echo \"a b\"", "date +Y",
		"python --version", "go version", "env", "stat x\n", "tree -L 2", "rg foo", "cd src",
	} {
		if m, why := shellKind(c, nil); m != No {
			t.Errorf("%q: %s: %s", c, m, why)
		}
	}
}

func TestShellDoesNotRead(t *testing.T) {
	for _, c := range []string{
		"", "  ", "rm -rf x", "mv a b", "cp a b; ls", "ls; rm x", "ls && rm x", "ls | tee x", "ls > x", "cat < x",
		"ls $(rm x)", "ls `rm x`", "ls $HOME", "ls \"$(rm x)\"", "ls\nrm x", "ls\rrm x", "ls\x1b[2J", "ls \u202e x",
		"ls *", "ls {a,b}", "A=1 ls", "PATH=. ls", "./ls", "/tmp/ls", "~/ls", "ls & rm", "! ls", "ls # x", "'l's'' ; x",
		"find . -delete", "find . -exec rm", "find . -ok rm", "find . -fprint x", "sort -o a b", "sort -uo a b",
		"sort --output=a b", "sort --outp a b", "sort --compress-program=x a", "uniq a b", "sed -i s/a/b/ f",
		"sed s/a/b/w f", "sed -n '1,5w x' f", "sed -n 1p -i f", "tee x", "dd if=a of=b", "xargs rm", "env ls",
		"env -S 'rm x'", "timeout 5 ls", "eval ls", "bash -c ls", "sh x", "sudo ls", "nohup ls", "awk 1 x",
		"git log --output=x", "git diff --ext-diff", "git -c core.pager=x log", "git commit", "git branch x",
		"git push", "git", "git grep -O x", "tree -o x", "file -C", "rg --pre x y", "date -s 1", "date 01010101",
		"hostname evil", "curl http://x", "python x.py", "python -c x", "npm install", "'open", "\"a\\\"b\"", "frob",
		"command ls", "builtin ls", "exec ls", "source x", ". x", "alias ls=rm", "ls\u00a0x", "xxd a b", "less x", "man x",
	} {
		if m, why := shellKind(c, nil); m == No {
			t.Errorf("%q: %s: %s", c, m, why)
		}
	}
	for _, c := range []string{"rm x", "mkdir x", "touch x", "chmod 777 x"} {
		if m, _ := shellKind(c, nil); m != Yes {
			t.Errorf("%q: %s, want yes", c, m)
		}
	}
}

func FuzzShell(f *testing.F) {
	for _, c := range []string{"ls -la", "ls; rm x", "cat 'a b'", "find . -delete", "git log", "ls\rrm"} {
		f.Add(c)
	}
	f.Fuzz(func(t *testing.T, c string) {
		m, why := shellKind(c, nil)
		if why == "" {
			t.Fatalf("%q: no reason", c)
		}
		if m == No && unquotedSpecial(c) {
			t.Fatalf("%q: called reading (%s)", c, why)
		}
	})
}

// unquotedSpecial looks for separators and redirects outside quotes.
func unquotedSpecial(c string) bool {
	var q byte
	for i := 0; i < len(c); i++ {
		switch {
		case q != 0 && c[i] == q:
			q = 0
		case q != 0:
		case c[i] == '\'' || c[i] == '"':
			q = c[i]
		case c[i] == ';' || c[i] == '|' || c[i] == '&' || c[i] == '>' || c[i] == '<' || c[i] == '`' || c[i] == '$':
			return true
		}
	}
	return q != 0
}

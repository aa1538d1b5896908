package mutation

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/internal/recordings"
)

// inPosix is a session in a POSIX shell.
var inPosix = session{shell: PosixShell}

// TestShellKind checks that shellKind converts the verdicts of readcmd correctly. The
// tests of readcmd check the grammar.
func TestShellKind(t *testing.T) {
	for line, want := range map[string]Tri{
		"ls -la | head": No, "git status && git diff": No, "/bin/ls": No, "[ -f a ] && cat a": No,
		"psql -c 'select 1'": No, "psql -l": No, `psql "postgres://x" -tAc 'select count(*) from t'`: No, "mysql -e 'show tables' db": No, "redis-cli GET a": No,
		"psql -c 'drop table t'": Yes, "psql -c 'select 1' -c 'delete from t'": Yes, "ls; mysql -e 'truncate t'": Yes, "psql -c 'select f()'": Unknown, "mysql -e 'system rm x'": Unknown,
		"gh api graphql -f query='query{viewer{login}}'": No, "gh api graphql --paginate -F n=5 -f query='{ a }' --jq .data": No, "gh api graphql -f query='query($o:String!){a(o:$o){b}}' -f o=x": No,
		"gh api graphql -f query='mutation{a}'": Yes, "gh api graphql -F query='{a}'": Unknown, "gh api graphql -f query=@x": Unknown, "gh api graphql -F a=@/etc/passwd -f query='{a}'": Unknown,
		"gh api graphql -f query='{a}' -f query='mutation{a}'": Unknown, "gh api graphql -f query='{a}' --method DELETE": Unknown, "gh api graphql -f query='{a}' --input x": Unknown, "gh api graphql -fquery='mutation{a}'": Unknown,
		"gh api graphql -f query=\"$X\"": Unknown, "gh api graphql --raw-field=query='mutation{a}' -f query='{a}'": Unknown, "gh api graphql -f query='{a}' -H x": Unknown, "gh api graphql -f 'query[]=mutation{a}' -f query='{a}'": Unknown,
		"redis-cli DEL a": Unknown, "redis-cli GETDEL a": Unknown, "psql -c 'select 1' | frob": Unknown, "psql -c ''": Unknown,
		"rm -rf x": Yes, "mkdir x": Yes, "ls && touch x": Yes, "chmod 777 x": Yes,
		"": Unknown, "  ": Unknown, "frob": Unknown, "ls > x": Unknown, "ls\rrm x": Unknown, "ls\u00a0x": Unknown,
	} {
		if m, why := shellKind(line, inPosix); m != want || why == "" {
			t.Errorf("%q: %s (%s), want %s", line, m, why, want)
		}
	}
}

func TestJudgeCommandCall(t *testing.T) {
	check := func(want Tri, calls ...string) {
		t.Helper()
		for _, call := range calls {
			v, err := jsonval.Parse(call)
			if err != nil {
				t.Fatal(err)
			}
			if m, why := judgeCommandCall("", v, inPosix); m != want || why == "" {
				t.Errorf("%s: %s (%s), want %s", call, m, why, want)
			}
		}
	}
	check(No, `{"command":"ls -la"}`, `{"cmd":"ls","timeout":5,"description":"List; rm x"}`, `{"command":"ls","args":["-la","/tmp"]}`, `{"cmd":"find","arguments":[".","-name","x"]}`,
		`{"command":["ls","-la"]}`, `{"command":["bash","-lc","ls | head"],"workdir":"/a b/c","timeout_ms":1000}`, `{"argv":["git","log"]}`, `{"commands":["ls","cat a | head"]}`,
		`{"command":"git log","args":["--oneline"]}`, `{"command":"ls","env":{},"stdin":null,"restart":false}`, `{"command":"ls","run_in_background":true}`, `{"command":"head","args":["-n",5,"a"]}`,
		`{"command":"ls","timeout":"30s","cwd":"/x"}`, `{"program":"git","args":["status"]}`, `{"command":"ls","args":"-la /tmp"}`)
	check(Yes, `{"command":"rm","args":["x"]}`, `{"command":"rm x","frob":1}`, `{"commands":["ls","rm x"]}`, `{"command":["bash","-lc","rm x"]}`)
	check(Unknown, `{"command":"env","args":["frob","-rf","/"]}`, `{"command":"sort","args":["-o","/etc/passwd","x"]}`, `{"cmd":"find","arguments":[".","-delete"]}`,
		`{"command":["find",".","-delete"]}`, `{"command":"ls","env":{"BASH_ENV":"/tmp/x"}}`, `{"command":"git status","env":{"A":"b"}}`, `{"command":"cat","input":"x"}`, `{"command":"ls","restart":true}`,
		`{"command":"ls","then":"rm x"}`, `{"command":"ls","executable":"/tmp/evil"}`, `{"command":"ls","output_file":"/etc/x"}`, `{"command":"ls","stdin":"x"}`, `{"command":"ls","dangerouslyDisableSandbox":true}`,
		`{"command":"ls","host":"prod"}`, `{"command":"ls","container":"x"}`, `{"command":"git status","cwd":"/x"}`, `{"command":"ls","cwd":"x; frob"}`, `{"command":"ls","cwd":"$(frob)"}`, `{"command":"ls","cwd":"-x"}`,
		`{"command":"ls","timeout":"5; frob"}`, `{"command":"grep","args":["a|frob","f"]}`, `{"command":["grep","-c","a|frob"]}`, `{"command":"ls","args":["-l","; frob"]}`, `{"command":"find","args":". -delete"}`,
		`{"command":"ls","command":"frob"}`, `{"command":"ls","cmd":"ls"}`, `{"command":"ls","commands":["ls"]}`, `{"commands":["echo 'a","ls' ; frob"]}`, `{"commands":["cd x","git status"]}`, `{"commands":[]}`, `{"commands":[["ls"]]}`,
		`{"command":{"a":"ls"}}`, `{"command":["ls",{"a":1}]}`, `{"command":"ls","args":[null]}`, `{}`, `[]`, `"ls"`, `{"description":"ls"}`, `{"command":"ls","Frob":"x"}`, `{"command":"ls","nested":{"command":"ls"}}`,
		`{"command":"log --output=x"}`, `{"command":"git log","args":["; frob"]}`, `{"command":"ls","is_input":"true"}`)
}

// gateCases is the file of the labelled calls.
var gateCases = filepath.Join(recordings.Dir(), "gate-cases", "cases.jsonl")

// TestShellCases measures the verdicts on labelled calls of tools that run commands. It
// counts changes that pass, and reads that need confirmation.
func TestShellCases(t *testing.T) {
	text := recordings.Read(t, "gate-cases/cases.jsonl")
	wrong, total := map[string]int{}, map[string]int{}
	runs := regexp.MustCompile(`(?i)^(bash|shell|run_command|cmd|sh)$`) // other tools are judged by their names
	labels := map[string]string{}
	for line := range strings.Lines(string(text)) {
		var c struct {
			Kind, Want, Tool string
			Arguments        json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		if c.Kind != "shell" && c.Kind != "argv" || !runs.MatchString(c.Tool) {
			continue
		}
		v, err := jsonval.Parse(string(c.Arguments))
		if err != nil {
			t.Fatal(err)
		}
		set := c.Kind + " " + c.Want
		total[set]++
		if other := labels[string(c.Arguments)]; other != "" && other != c.Want {
			t.Logf("%s is labelled both ways", c.Arguments)
		}
		labels[string(c.Arguments)] = c.Want
		if m, why := judgeCommandCall("", v, inPosix); (m == No) != (c.Want == "allow") {
			wrong[set]++
			t.Logf("%s: %s: %s: %s", set, c.Arguments, m, why)
		}
	}
	for set, n := range total {
		t.Logf("%-14s %3d of %3d otherwise than labelled (%.1f %%)", set, wrong[set], n, percent(wrong[set], n))
		if limit := map[bool]float64{true: 15, false: 2}[strings.HasSuffix(set, "allow")]; percent(wrong[set], n) > limit {
			t.Errorf("%s: more than %.0f %%", set, limit)
		}
	}
}

// FuzzShell checks that a change is found, even if it comes after a line that only reads.
func FuzzShell(f *testing.F) {
	for _, c := range []string{"ls -la", "ls; rm x", "cat 'a b'", "find . -delete", "git log", "ls\rrm", "ls # x", "diff <(ls a) <(ls b)", "for f in a; do ls; done"} {
		f.Add(c)
	}
	f.Fuzz(func(t *testing.T, c string) {
		m, why := shellKind(c, inPosix)
		if why == "" {
			t.Fatalf("%q: no reason", c)
		}
		if after, _ := shellKind(c+"\nrm x", inPosix); m == No && after == No {
			t.Fatalf("%q: called reading (%s), also with a change after it", c, why)
		}
	})
}

package effect

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/internal/patch"
)

func formatEffects(effects []Effect) string {
	var out []string
	for _, e := range effects {
		switch {
		case e.Opaque:
			out = append(out, "OPAQUE")
		case e.Table != Files:
			out = append(out, fmt.Sprintf("%s %s: %s", e.Table, e.Key, e.Text))
		default:
			o := e.Op
			s := e.Key + ": " + string(o.Verb)
			switch o.Verb {
			case Lines, Insert:
				s += fmt.Sprintf(" %d-%d %q", o.From, o.To, o.New)
			case Replace:
				s += fmt.Sprintf(" %q by %q", o.Old, o.New)
			case Write, Append, Label:
				s += fmt.Sprintf(" %q", o.New)
			}
			out = append(out, s)
		}
	}
	if out == nil {
		return "nothing"
	}
	return strings.Join(out, "; ")
}

// TestShell checks the effects that Shell finds for a script. A script that Shell does
// not understand must be opaque.
func TestShell(t *testing.T) {
	for script, want := range map[string]string{
		"ls -la | grep x | head -5":                     "nothing",
		"cd /r && grep -rn 'foo' . --include=*.py | wc": "nothing",
		`find . -name "*.py" -exec grep -l x {} \;`:     "nothing",
		"find . -name '*.py' | xargs grep -n x":         "nothing",
		"find . -name '*.pyc' -delete":                  "OPAQUE",
		"find . -exec rm {} +":                          "OPAQUE",
		"find $WHERE -name x":                           "OPAQUE",
		"ls | xargs rm":                                 "OPAQUE",
		"if [ -f a ]; then cat a; fi":                   "nothing",
		"if [ -f a ]; then rm a; fi":                    "OPAQUE",
		"for f in *; do echo $f; done":                  "nothing",
		"test -f x || echo none":                        "nothing",
		"test -f x || touch x":                          "OPAQUE",
		"sleep 5 &":                                     "nothing",
		"cat $(ls)":                                     "nothing",
		"cat $(rm x)":                                   "OPAQUE",
		"python x.py":                                   "OPAQUE",
		"python --version":                              "nothing",
		"ls() { rm x; }; ls":                            "OPAQUE",
		"echo 'a b' > f":                                `f: write "a b\n"`,
		"echo -n a >> f":                                `f: append "a"`,
		`echo "a\tb" > f`:                               `f: label "the output of: echo a\\tb"`,
		"echo $HOME > f":                                "f: unread",
		"ls > f 2>/dev/null":                            `f: label "the output of: ls"`,
		"ls | sort > f":                                 "f: unread",
		"cmd > /dev/null":                               "OPAQUE",
		"ls > $f":                                       "OPAQUE",
		"> f":                                           `f: write ""`,
		"cat <<'E' > d/f\n$x\nE":                        `d/f: write "$x\n"`,
		"cat <<E > f\n$x\nE":                            "f: unread",
		"cat a b > f":                                   `f: label "the output of: cat a b"`,
		"cd d && cd .. && cd e && touch f":              "e/f: touch",
		"(cd d && touch f); (cd d && touch g; (cd e && ls); touch h)": "d/f: touch; d/g: touch; d/h: touch",
		"(cd d && touch f); touch g":                                  "d/f: touch; g: touch",
		"cd $X; touch f":                                              "OPAQUE",
		"cd $X; ls":                                                   "nothing",
		"rm -f a b":                                                   "a: remove; b: remove",
		"rm *.pyc":                                                    "OPAQUE",
		"rm --no-preserve-root -r /":                                  "OPAQUE",
		"mkdir -p a/b":                                                "directories a/b: mkdir",
		"mv a b":                                                      `b: label "from a"; a: remove`,
		"cp a d/":                                                     `d/a: label "from a"`,
		"chmod +x f":                                                  "OPAQUE",
		"tee f <<< x":                                                 `f: write "x\n"`,
		"echo x | tee f":                                              "f: unread",
		"sed -n '1,5p' f":                                             "nothing",
		"sed -i 's/a/b/' f":                                           `f: label "sed s/a/b/"`,
		"sed -i '3,4d' f":                                             `f: lines 3-4 ""`,
		"sed -i '3c x' f":                                             `f: lines 3-3 "x\n"`,
		"sed -i '3a\\\nx' f":                                          `f: insert 3-0 "x\n"`,
		"sed -i '3i x' f":                                             `f: insert 2-0 "x\n"`,
		"sed -i '3i x' f g":                                           `f: insert 2-0 "x\n"; g: insert 2-0 "x\n"`,
		"sed -i.bak s/a/b/ f":                                         "OPAQUE",
		"sed 's/a/b/w out' f":                                         "OPAQUE",
		"sed '1e rm x' f":                                             "OPAQUE",
		"sed \"s/$b/a/\" f":                                           "OPAQUE",
		"sed -i \"s/a/$b/\" f":                                        "OPAQUE",
		"awk '{print $1}' f":                                          "nothing",
		"awk '{print > \"o\"}' f":                                     "OPAQUE",
		"sort -o f f":                                                 "OPAQUE",
		"sort --compress-program=x f":                                 "OPAQUE", // these run a command; an earlier table listed them as only reading
		"rg --hostname-bin=x y":                                       "OPAQUE",
		"git log --textconv":                                          "OPAQUE",
		"tree -R":                                                     "OPAQUE",
		"file --compile":                                              "OPAQUE",
		"uniq a b":                                                    "OPAQUE",
		"sudo -u x rm a":                                              "a: remove",
		"env A=1 ls":                                                  "nothing",
		"env -S 'rm x'":                                               "OPAQUE",
		"timeout 5 rm a":                                              "a: remove",
		"bash -c 'rm a'":                                              "a: remove",
		"bash x.sh":                                                   "OPAQUE",
		"eval ls":                                                     "OPAQUE",
		"source env/bin/activate":                                     "OPAQUE",
		"git status && git diff HEAD~1 -- f":                          "nothing",
		"git log --oneline -5 | cat; git ls-files -o": "nothing",
		"git log $X":                        "OPAQUE",
		"unzip -l a.zip; tar tzf b.tgz":     "nothing",
		"unzip a.zip":                       "OPAQUE",
		"git diff --output=f":               "OPAQUE",
		"git add -A && git commit -m 'x y'": "git .: add -A; git .: commit -m x y",
		"git checkout -- f":                 "f: restore",
		"git checkout main":                 "OPAQUE",
		"git stash list":                    "nothing",
		"git stash":                         "OPAQUE",
		"git -C /x status":                  "OPAQUE",
		"git apply <<'E'\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\nE":               "f: fragment",
		"patch -p1 <<'E'\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\nE":               "f: fragment",
		"patch -p1 < unknown.diff":                                                "OPAQUE",
		"cat > p <<'E'\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\nE":                 "p: write \"--- a/f\\n+++ b/f\\n@@ -1 +1 @@\\n-a\\n+b\\n\"",
		"curl -s http://h:80/a/":                                                  "nothing",
		"curl -s -o /tmp/x http://h/a":                                            `/tmp/x: label "fetched from http://h/a"`,
		"curl -O http://h/a/b.tgz":                                                `b.tgz: label "fetched from http://h/a/b.tgz"`,
		"wget -q http://h/a/b.tgz":                                                `b.tgz: label "fetched from http://h/a/b.tgz"`,
		`curl -X POST -H "T: $TOKEN" -d '{"b":1,"a":"x"}' HTTP://H/p?z=1&`:        "OPAQUE", // in the background
		`curl -X POST -H "T: $TOKEN" -d '{"b":1, "a":"x"}' 'HTTP://H/p/?z=1&b=2'`: `requests POST http://h/p?b=2&z=1: {"a":"x","b":1}`,
		"curl -d a=1 -d c=2 http://h":                                             "requests POST http://h: a=1&c=2",
		"curl -X DELETE http://h/$ID":                                             "OPAQUE",
		"curl -d @f http://h":                                                     "OPAQUE",
		"curl --upload-to x http://h":                                             "OPAQUE",
		"a\rb":                                                                    "OPAQUE",
		"if":                                                                      "OPAQUE",
		"export A=1; ls":                                                          "nothing",
		"exit 1; rm a":                                                            "OPAQUE",
		"make || exit 1":                                                          "OPAQUE",
		"ls || exit 1":                                                            "nothing",
	} {
		got, _ := NewSession(&World{}).Shell(script)
		if s := formatEffects(got); s != want {
			t.Errorf("%q\n got %s\nwant %s", script, s, want)
		}
	}
}

// TestSession checks that the commands of a shell affect later commands of the same
// shell.
func TestSession(t *testing.T) {
	for scripts, want := range map[string]string{
		"(cd d && ls)\x00touch f":              "f: touch",
		"cd d\x00touch f":                      "d/f: touch",
		"python x\x00touch f":                  "f: touch",
		"cd d && python x\x00touch f":          "d/f: touch",
		"python x && cd d\x00touch f":          "OPAQUE", // the directory is not known
		". x\x00touch f":                       "OPAQUE",
		"cd d && python x\x00cd /a\x00touch f": "/a/f: touch",
		"alias ls='rm x'\x00ls":                "OPAQUE",
		"echo a > f\x00cat f > g":              `g: write "a\n"`,
		"echo a > f\x00cp f g":                 `g: write "a\n"`,
		"mkdir d\x00mv f d":                    `d/f: label "from f"; f: remove`,
		"touch d/a d/b\x00rm -r d":             "d/a: remove; d/b: remove; directories d: rm",
		"cat > p <<'E'\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\nE\n\x00git apply p": "f: fragment",
	} {
		w := &World{}
		s := NewSession(w)
		var last []Effect
		for script := range strings.SplitSeq(scripts, "\x00") {
			last, _ = s.Shell(script)
			w.Play(last)
		}
		if got := formatEffects(last); got != want {
			t.Errorf("%q\n got %s\nwant %s", scripts, got, want)
		}
	}
}

func TestTool(t *testing.T) {
	for call, want := range map[string]string{
		`any {"command":"rm a"}`:                                                                                   "a: remove",
		`any {"command":["bash","-lc","rm a"]}`:                                                                    "a: remove",
		`any {"command":"view","path":"/r/f"}`:                                                                     "nothing",
		`any {"command":"create","path":"f","file_text":"x"}`:                                                      `f: write "x"`,
		`any {"command":"str_replace","path":"f","old_str":"a","new_str":"b"}`:                                     `f: replace "a" by "b"`,
		`any {"command":"insert","path":"f","insert_line":3,"new_str":"b"}`:                                        `f: insert 3-0 "b\n"`,
		`any {"command":"undo_edit","path":"f"}`:                                                                   "f: undo",
		`Edit {"file_path":"f","old_string":"a","new_string":"b"}`:                                                 `f: replace "a" by "b"`,
		`Multi {"file_path":"f","edits":[{"old_string":"a","new_string":"b"},{"old_string":"c","new_string":""}]}`: `f: replace "a" by "b"; f: replace "c" by ""`,
		`write {"path":"f","content":"x"}`:                                                                         `f: write "x"`,
		`write {"path":"f","content":"x","start":1,"end":3}`:                                                       "f: unread",
		`read {"path":"f"}`:                      "nothing",
		`edit {"path":"f"}`:                      "f: unread",
		`think {"thought":"I should delete it"}`: "nothing",
		`deleteThing {"id":1}`:                   "OPAQUE",
		`viewAndDelete {"id":1}`:                 "OPAQUE",
		`apply_patch "*** Begin Patch\n*** Delete File: f\n*** End Patch"`:            "f: remove",
		`apply_patch {"input":"*** Begin Patch\n*** Add File: f\n+x\n*** End Patch"}`: "f: fragment",
		`apply_patch {"patch":"no patch"}`:                                            "OPAQUE",
		`shell "rm a"`:                                                                "a: remove",
		`shell [1]`:                                                                   "OPAQUE",
		`run {"command":" "}`:                                                         "nothing",
		`run_ipython {"code":"open('f', 'w')"}`:                                       "OPAQUE",
		`finish {}`:                                                                   "nothing",
		`finish`:                                                                      "nothing",
	} {
		name, raw, _ := strings.Cut(call, " ")
		got, _ := NewSession(&World{}).Tool(name, json.RawMessage(raw))
		if s := formatEffects(got); s != want {
			t.Errorf("%s\n got %s\nwant %s", call, s, want)
		}
	}
}

func TestBlocks(t *testing.T) {
	for text, want := range map[string]string{
		"Here it is:\n\na/f.py\n```python\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n```\n": `a/f.py: replace "x\n" by "y\n"`,
		"f\n<<<<<<< SEARCH\n=======\ny\n>>>>>>> REPLACE\n<<<<<<< SEARCH\na\n=======\n>>>>>>> R":   `f: write "y\n"; f: replace "a\n" by ""`,
		"f\n<<<<<<< SEARCH\nx\n=======\ny\n":                                                      "no",
		"which file?\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE":                             "no",
		"nothing to see": "no",
	} {
		got, ok := NewSession(&World{}).Blocks(text)
		if s := formatEffects(got); s != want && (ok || want != "no") {
			t.Errorf("%q\n got %s, %v\nwant %s", text, s, ok, want)
		}
	}
}

// TestCompare compares the worlds of two runs of shell scripts. In the wanted results, =
// means equal, ! means provably different, and ? means not comparable.
func TestCompare(t *testing.T) {
	const diff = "git apply <<'E'\n--- a/f\n+++ b/f\n@@ -3,3 +3,3 @@\n a\n-b = 1\n+b = 2\n c\nE"
	for _, x := range []struct{ obs, ref, want string }{
		{"rm a", "rm a", "="},
		{"rm a", "", "! a"},
		{"echo x > a", "cat <<E > a\nx\nE", "="},
		{"echo x > a", "printf x > a", "="}, // the end of the last line is not compared
		{"echo x > a", "echo y > a", "! a"},
		{"echo x > a; echo y >> a", "echo y > a", "! a"},
		{"echo x > a; rm a", "rm a", "="},
		{"echo x > a\x00sed -i 1d a", "> a", "="},
		{"echo x > a\x00git checkout -- a", "", "="},
		{"sed -i s/x/y/ a", "sed -i s/x/y/ a", "="},
		{"sed -i s/x/y/ a", "sed -i s/x/y/g a", "? a"},
		{"sed -i s/x/y/ a; sed -i s/p/q/ a", "sed -i s/p/q/ a; sed -i s/x/y/ a", "? a"},
		{"touch a b", "touch b; touch a", "="},
		{diff, diff, "="},
		{"sed -i '4c b = 2' f", diff, "="},
		{"sed -i '4c b = 3' f", diff, "! f"},
		{"sed -i '9c b = 2' f", diff, "? f"},
		{"sed -i '3i new' f\x00sed -i '5c b = 2' f\x00sed -i '3d' f", diff, "="},
		{"python a", "python a", "="},
		{"python a", "python b", " 2 opaque"},
		{"python a; python b", "python b; python a", " 2 opaque"},
		{"touch x\x00python a", "python a\x00touch x", "? x 2 opaque"},
		{"ls > a", "ls > a", "="},
		{"touch b\x00ls > a", "ls > a\x00touch b", "? a"}, // the output may contain b
		{"mkdir d", "mkdir -p d", "="},
		{"git commit -m x", "git commit -m y", "! ."},
		{"curl -X POST -d a=1 http://h/x", "curl -d a=1 http://h/x/", "="},
		{"curl -X POST -d a=1 http://h/x", "curl -d a=2 http://h/x/", "! POST http://h/x"},
		{"echo $x > a", "echo $x > a", "? a"},
	} {
		c := Compare(newTestWorld(x.obs), newTestWorld(x.ref))
		got := comparisonSummary(&c)
		if got != x.want {
			t.Errorf("%q, %q: %s, want %s: %+v", x.obs, x.ref, got, x.want, c)
		}
		back := Compare(newTestWorld(x.ref), newTestWorld(x.obs))
		if comparisonSummary(&back) != got {
			t.Errorf("%q, %q: %s one way, %s the other", x.obs, x.ref, got, comparisonSummary(&back))
		}
	}
}

func comparisonSummary(c *Comparison) string {
	if c.Equal() {
		return "="
	}
	var b strings.Builder
	for _, d := range c.Differences {
		b.WriteString(map[patch.Verdict]string{patch.Differs: "! ", patch.Unknown: "? "}[d.Verdict] + d.Key)
	}
	if c.Opaque > 0 {
		fmt.Fprintf(&b, " %d opaque", c.Opaque)
	}
	return b.String()
}

func newTestWorld(scripts string) *World {
	w := &World{}
	s := NewSession(w)
	for script := range strings.SplitSeq(scripts, "\x00") {
		if script != "" {
			e, _ := s.Shell(script)
			w.Play(e)
		}
	}
	return w
}

// TestFollow checks the comparison of a tool's edits with a diff of the same file.
func TestFollow(t *testing.T) {
	diff, err := patch.Parse("--- a/f\n+++ b/f\n@@ -10,3 +10,3 @@\n a\n-  b = 1\n+  b = 2\n c\n@@ -20,2 +20,3 @@\n d\n+new\n e\n")
	if err != nil {
		t.Fatal(err)
	}
	for calls, want := range map[string]string{
		`{"old_str":"b = 1","new_str":"b = 2"} {"old_str":"d\n","new_str":"d\nnew\n"}`:       "=",
		`{"insert_line":20,"new_str":"new"} {"old_str":"  b = 1\nc","new_str":"  b = 2\nc"}`: "=",
		`{"old_str":"b = 1","new_str":"b = 2"}`:                                              "! f",
		`{"old_str":"elsewhere","new_str":"x"}`:                                              "? f",
		`{"old_str":"1","new_str":"2"} {"old_str":"\n","new_str":""}`:                        "? f",
	} {
		w := &World{}
		s := NewSession(w)
		d := json.NewDecoder(strings.NewReader(calls))
		for d.More() {
			call := map[string]any{}
			if err := d.Decode(&call); err != nil {
				t.Fatal(err)
			}
			call["path"] = "f"
			raw, _ := json.Marshal(call)
			e, _ := s.Tool("edit", raw)
			w.Play(e)
		}
		c := Compare(w, Final(diff))
		if got := comparisonSummary(&c); got != want {
			t.Errorf("%s: %s, want %s", calls, got, want)
		}
	}
}

// TestFollowBelow checks that an edit that adds lines moves all lines below it.
func TestFollowBelow(t *testing.T) {
	diff, err := patch.Parse("--- a/f\n+++ b/f\n@@ -10,1 +10,2 @@\n a\n+b\n@@ -20,2 +21,3 @@\n d\n+new\n e\n")
	if err != nil {
		t.Fatal(err)
	}
	w := &World{}
	w.Play([]Effect{OnFile("f", Op{Verb: Replace, Old: "a\n", New: "a\nb\n"}), OnFile("f", Op{Verb: Insert, From: 21, New: "new\n"})})
	if c := Compare(w, Final(diff)); !c.Equal() {
		t.Errorf("%+v", c)
	}
}

// TestJudge checks which rows of an alignment are excused, which rows are blamed, and
// which rows get no ruling.
func TestJudge(t *testing.T) {
	play := func(scripts ...string) (*World, []Done) {
		w := &World{}
		s := NewSession(w)
		var out []Done
		for _, script := range scripts {
			e, _ := s.Shell(script)
			out = append(out, w.Play(e))
		}
		return w, out
	}
	obs, a := play("python x", "ls", "echo x > f", "echo y > g", "rm h", "sed -i s/a/b/ i")
	ref, b := play("printf x > f", "echo z > g", "rm h", "sed -i s/a/c/ i")
	rows := []abi.Row{{Obs: 0, Ref: -1}, {Obs: 1, Ref: -1}, {Obs: 2, Ref: 0}, {Obs: 3, Ref: 1}, {Obs: 4, Ref: 2}, {Obs: 5, Ref: 3}}
	c := Case{Observed: a, Reference: b, Rows: rows, Comparison: Compare(obs, ref), Stage: abi.StageState, Same: func(i int) bool { return i == 4 }}
	excused, blamed := c.Judge()
	if got, want := fmt.Sprint(excused), "[{1 state it changes nothing} {2 state the changed data has the same final state as in the reference: f}]"; got != want {
		t.Errorf("excused %s\nwant %s", got, want)
	}
	if got, want := fmt.Sprint(blamed), "[{3 [0] the changed data has a different final state than in the reference: g}]"; got != want {
		t.Errorf("blamed %s\nwant %s", got, want)
	}
}

func FuzzShell(f *testing.F) {
	for _, script := range []string{"cd a && sed -i '3,4d' f | tee g", "cat <<E > f\nx\nE", "git apply <<'E'\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\nE",
		"curl -X POST -d '{\"a\":1}' http://h | jq .", "find . -exec grep x {} \\; ; rm -r d", "sudo -u x timeout 5 bash -c 'mv a b'", "touch f; git checkout -- f; echo $X >> f"} {
		f.Add(script, script)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := newTestWorld(a+"\x00"+b), newTestWorld(b+"\x00"+a)
		if c := Compare(x, x); len(c.Differences) > 0 && c.Differences[0].Verdict == patch.Differs || c.Opaque > 0 {
			t.Fatalf("%q differs from itself: %+v", a, c)
		}
		c, d := Compare(x, y), Compare(y, x)
		if c.Equal() != d.Equal() {
			t.Fatalf("%q, %q: equal %v one way, %v the other", a, b, c.Equal(), d.Equal())
		}
	})
}

func FuzzTool(f *testing.F) {
	for _, raw := range []string{`{"command":"create","path":"f","file_text":"x"}`, `{"path":"f","edits":[{"old_str":"a"}]}`, `"*** Begin Patch\n*** Add File: f\n+x"`,
		`{"command":["bash","-lc","ls"]}`, `{"path":"f","insert_line":9007199254740993,"new_str":"x"}`, `{"path":"../../f","content":null}`} {
		f.Add("edit", raw)
	}
	f.Fuzz(func(t *testing.T, name, raw string) {
		w := &World{}
		s := NewSession(w)
		for range 2 {
			e, _ := s.Tool(name, json.RawMessage(raw))
			w.Play(e)
			e, _ = s.Blocks(raw)
			w.Play(e)
		}
	})
}

package machine

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// mistakes are members of a policy with one mistake each, and a part of the error.
var mistakes = [][2]string{
	{`"mode":"strikt"`, `did you mean "strict"`}, {`"tols":{}`, `did you mean "tools"`}, {`"tools":{"b":{"deni":"x"}}`, `did you mean "deny"`}, {`"hosts":["claud-code"]`, `did you mean "claude-code"`},
	{`"expiry":5`, "invalid expiry"}, {`"fourEyes":["a[b]"]`, "no brackets"}, {`"conversation":"x"`, "want an array"}, {`"retention":{"arguments":"1s"}`, "invalid arguments"}, {`"readOnlyCommands":["ls | sh"]`, "invalid readOnlyCommands"},
	{`"escalate":{"after":"15m","to":["ann"]}`, "want a time below 15m"}, {`"bypass":["an*"]`, "exact name of a person"}, {`"hostedTools":["web_*"]`, "exact type"}, {`"hostedTools":["function"]`, "a type that the model's server runs"},
	{`"tools":{"mcp__a__x":{"preview":"mcp__b__get(id)"}}`, "another server"}, {`"tools":{"x":{"preview":"get(a[0])"}}`, "names with dots"}, {`"tools":{"x":{"preview":"get_*(a)"}}`, "exact name of one tool"},
	{`"ungrounded":"dny"`, `did you mean "deny"`}, {`"audit":{"arguments":"ful"}`, `did you mean "full"`}, {`"shell":"posx"`, "posix"}, {`"cooldown":"never"`, "none"},
}

// wrongRules are rules with one mistake each.
var wrongRules = [][2]string{
	{`{"name":"N","tool":"x","effect":"denny"}`, `did you mean "deny"`}, {`{"name":"N","tool":"x","effect":"deny","atmost":{"n":1,"per":"1h"}}`, `did you mean "atMost"`}, {`{"name":"N","tool":"x","effect":"deny","atMost":{"n":1}}`, "want the window"},
	{`{"name":"N","tool":"x","effect":"hold","from":"releas"}`, `did you mean "release"`}, {`{"tool":"x","effect":"deny"}`, "want a name"}, {`{"name":"N","tool":"x","effect":"deny","when":{"a":{"mx":5}}}`, `did you mean "max"`},
	{`{"name":"N","tool":"x","effect":"deny","time":{"outside":"8-9 UTC"}}`, "invalid time"}, {`{"name":"N","tool":"x","effect":"deny","time":{"outside":"08:00-09:00 Europe/Berln"}}`, "unknown time zone"}, {`{"name":"N","effect":"deny","afterReading":"secrt"}`, `did you mean "secret"`},
	{`{"name":"N","tool":"x*","effect":"allow","until":"2030-01-01T00:00:00Z","when":{}}`, "exact name"}, {`{"name":"N","tool":"x","effect":"allow","until":"2030-01-01","when":{}}`, "invalid until"}, {`{"name":"N","tool":"x","effect":"deny","after":{"where":{"id":"same"}}}`, "want the tool"},
	{`{"name":"good","tool":"x","effect":"deny"}`, "two rules have the name"}, {`{"name":"N","tool":"x","effect":"deny","people":2}`, "nobody is asked"}, {`5`, "want an object"},
}

// TestEveryFaultIsNamed is the law of errors: each mistake in a policy is one error on its
// line, and nothing else is one.
func TestEveryFaultIsNamed(t *testing.T) {
	r := rand.New(rand.NewPCG(47, 17))
	berlin := func(name string, _ int64) (int, bool) { return 0, name == "UTC" || name == "Europe/Berlin" }
	for n := range drawn.Cases(300) {
		lines := []string{"{", `"groups":{"release":["ann","ben"]},`, `"readings":{"secret":{"tool":"read_*"}},`}
		want := map[int]string{}
		seen := map[string]bool{} // a member stands once in a policy
		for _, i := range r.Perm(len(mistakes))[:r.IntN(4)] {
			member, _, _ := strings.Cut(mistakes[i][0], ":")
			if member = strings.Replace(member, "escalate", "expiry", 1); seen[member] {
				continue // an expiry that cannot be read has no longest question
			}
			seen[member] = true
			lines = append(lines, mistakes[i][0]+",")
			want[len(lines)] = mistakes[i][1]
		}
		lines = append(lines, `"rules":[`, `{"name":"good","tool":"x","time":{"outside":"08:00-18:00 Europe/Berlin"},"effect":"deny"}`)
		for _, i := range r.Perm(len(wrongRules))[:min(n%4, len(wrongRules))] {
			lines = append(lines, ","+strings.Replace(wrongRules[i][0], `"N"`, fmt.Sprintf(`"r%d"`, i), 1))
			want[len(lines)] = wrongRules[i][1]
		}
		text := strings.Join(append(lines, "]}"), "\n")
		p, err := ReadPolicyIn(text, berlin)
		var got Faults
		if errors.As(err, &got); len(got) != len(want) || (p == nil) != (len(want) > 0) {
			t.Fatalf("%d errors, want %d:\n%s\n%v", len(got), len(want), text, err)
		}
		for i, e := range got {
			if !strings.Contains(e.Msg, want[e.Line]) || want[e.Line] == "" || i > 0 && got[i-1].Offset > e.Offset {
				t.Fatalf("line %d: %s, want %q:\n%s", e.Line, e.Msg, want[e.Line], text)
			}
		}
	}
}

// TestFaultsSayWhatIsRight reads the source for the errors of policies, and checks that each
// says what would be right.
func TestFaultsSayWhatIsRight(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	call, found := regexp.MustCompile("r\\.fail\\([^\\n]*?, (\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`)"), 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range call.FindAllStringSubmatch(string(text), -1) {
			found++
			said := m[1]
			if strings.HasSuffix(said, `%v"`) || said == `"%s: %s"` {
				continue // the text of another package, which has tests of its own
			}
			if !regexp.MustCompile(`want |The (known|groups|readings|approvers)|[Ww]rite `).MatchString(said) {
				t.Errorf("%s: %s", file, said)
			}
		}
	}
	if found < 60 {
		t.Errorf("only %d errors were found", found)
	}
}

// TestStrangers checks that each name of an approver that no key has is found on its line.
func TestStrangers(t *testing.T) {
	p, err := ReadPolicy("{\"groups\":{\"desk\":[\"ann\",\n\"bne\"]},\n\"bypass\":[\"carl\"],\n\"escalate\":{\"after\":\"5m\",\"to\":[\"ben\",\n\"dora\"]},\n\"edit\":[{\"name\":\"e\",\"arguments\":[\"*\"],\"by\":\"desk\"}]}")
	if err != nil {
		t.Fatal(err)
	}
	got := p.Strangers([]string{"ann", "ben"})
	want := []string{"2 \"bne\" in group desk; did you mean \"ben\"", "3 \"carl\" in bypass", "5 \"dora\" in to of escalate"}
	if len(got) != len(want) {
		t.Fatal(got)
	}
	for i, e := range got {
		if said := fmt.Sprint(e.Line) + strings.TrimPrefix(e.Msg, "unknown approver"); !strings.HasPrefix(said, want[i]) || !strings.HasSuffix(said, "are ann, ben") {
			t.Errorf("%s, want %s", said, want[i])
		}
	}
}

package read

import (
	"fmt"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// TestCommandsAsText checks conversations in which each command is a block of code, and
// the next message of the user has its result.
func TestCommandsAsText(t *testing.T) {
	say := func(role, text string) string {
		return `{"role":` + literal.Quote(role) + `,"content":` + literal.Quote(text) + `}`
	}
	fenced := func(language, code string) string {
		return say("assistant", "THOUGHT: next.\n\n```"+language+"\n"+code+"\n```")
	}
	ok, failed := say("user", "<returncode>0</returncode>\n<output>\nfine\n</output>"), say("user", "<returncode>2</returncode>\n<output>\nno\n</output>")
	check := func(what, want string, messages ...string) {
		t.Helper()
		text := `{"info":{"exit_status":"LimitsExceeded","submission":"","config":{"model":{"model_name":"m"}}},"instance_id":"a-1","messages":[` + strings.Join(messages, ",") + `]}`
		doc := mustDecode(t, text)
		r := &doc.Trajectories[0]
		got := ""
		for i := range r.Actions {
			a := &r.Actions[i]
			mark := "?"
			if a.Observation != nil {
				mark = shape.IfElse(a.Failed(), "!", "+")
			}
			got += fmt.Sprintf("%s(%s)%s ", a.Name, a.Arguments.Get("command").Text(), mark)
		}
		if strings.TrimSpace(got) != want || want != "" && (r.Task != "a-1" || r.Model != "m" || r.Stopped != "LimitsExceeded") {
			t.Errorf("%s: %q, task %q, model %q, stopped %q; want %q", what, got, r.Task, r.Model, r.Stopped, want)
		}
	}
	question := say("user", "Fix it.\n```bash\nls\n```")
	check("fences", "bash(ls)+ bash(make)! bash(echo done)?", question, fenced("bash", "ls"), ok, fenced("sh", "make"), failed, fenced("bash", "echo done"))
	check("a fence of its own language", "bash(ls)+", question, fenced("mswea_bash_command", "ls"), ok)
	check("tags", "bash(ls)+ bash(a && b)!", question, say("assistant", "x <mswea_bash_command>ls</mswea_bash_command>"), ok,
		say("assistant", "<mswea_bash_command>\na && b\n</mswea_bash_command>"), failed)
	check("two blocks are refused", "bash(ls)+", question, fenced("bash", "ls"), ok, say("assistant", "```bash\nrm a\n```\nor\n```bash\nrm b\n```"), say("user", "EXACTLY ONE action, please."))
	check("out of time", "bash(ls)+ bash(sleep 9)!", question, fenced("bash", "ls"), ok, fenced("bash", "sleep 9"), say("user", "The last command sleep 9 timed out and was stopped."))
	check("a submission", "bash(ls)+ bash(git diff)+", question, fenced("bash", "ls"), ok, fenced("bash", "git diff"), say("user", "diff --git a/x b/x"))
	check("an exception", "bash(ls)!", question, fenced("bash", "ls"), say("user", "<exception>killed</exception>\n<returncode>-1</returncode>\n<output></output>"))
	check("advice only", "", question, fenced("bash", "ls"), say("user", "Thank you."))
	check("Python is not a command", "", question, fenced("python", "print(1)"), ok)
}

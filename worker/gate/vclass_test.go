//go:build !js

package gate_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// proposeCommand proposes a shell command and returns the status of the answer.
func (s *service) proposeCommand(line string) int {
	b, _ := json.Marshal(map[string]any{"tool": "Bash", "arguments": map[string]string{"command": line}})
	return s.sendProposal(string(b)).status
}

// heldCommands checks pairs of command lines. The first line of a pair must be allowed,
// and the second line must be held. A simpler rule would allow both.
func heldCommands(t *testing.T, pairs ...[2]string) {
	t.Helper()
	s := newTestService(t, "")
	for _, x := range pairs {
		if status := s.proposeCommand(x[0]); status != 200 {
			t.Errorf("%.40q: %d: the part does not pass, so the line shows nothing", x[0], status)
		}
		if status := s.proposeCommand(x[1]); status != 202 {
			t.Errorf("%.40q: %d", x[1], status)
		}
	}
}

// TestV24Compounds checks that a compound command is held if one of its parts changes
// something (threat V24). The first word of the command must make no difference.
func TestV24Compounds(t *testing.T) {
	heldCommands(t, [2]string{"ls", "ls; rm -rf x"}, [2]string{"ls", "ls && rm x"}, [2]string{"ls", "ls || rm x"}, [2]string{"ls", "ls | sh"}, [2]string{"ls", "ls & rm x"}, [2]string{"cat a", "cat a > b"},
		[2]string{"echo x", "echo $(rm x)"}, [2]string{"echo x", "echo `rm x`"}, [2]string{"ls", "ls\nrm x"}, [2]string{"cat x", "cat <(rm x)"}, [2]string{"ls", "cp a b; ls"})
}

// TestV25ParsersAndCaps checks that a command line is held if different parsers may read
// it differently (threat V25). A line that changes something after a very long beginning
// must be held too.
func TestV25ParsersAndCaps(t *testing.T) {
	many, long := strings.TrimSuffix(strings.Repeat("ls; ", 60), "; "), "ls "+strings.Repeat("a ", 4000)
	heldCommands(t, [2]string{"ls", many + "; rm x"}, [2]string{long, long + "; rm x"}, [2]string{"ls", "ls\rrm x"}, [2]string{"ls x", "ls \\\nx; rm y"}, [2]string{"ls", "ls \x00; rm x"},
		[2]string{"ls", "echo ${IFS}; rm x"}, [2]string{"ls", "l''s; rm x"})
}

// TestV26ReadersThatWrite checks that a command that usually only reads is held if its
// options or arguments make it write (threat V26).
func TestV26ReadersThatWrite(t *testing.T) {
	heldCommands(t, [2]string{"find .", "find . -delete"}, [2]string{"find .", "find . -exec rm {} +"}, [2]string{"sort in", "sort -o out in"}, [2]string{"git log", "git log --output=x"},
		[2]string{"git log", "git push"}, [2]string{"git log", "git -c core.pager=rm log"}, [2]string{"echo f", "tee f"}, [2]string{"ls", "dd if=a of=b"}, [2]string{"ls", "xargs rm"}, [2]string{"ls", "env rm x"},
		[2]string{"ls", "timeout 5 rm x"}, [2]string{"ls", "eval rm"}, [2]string{"ls", "bash -c 'rm x'"}, [2]string{"cat f", "sed -i s/a/b/ f"})
}

// TestV27AnnotationsOnlyRaise checks that annotations from the agent can make a verdict
// stricter, but never milder, because they may be false (threat V27).
func TestV27AnnotationsOnlyRaise(t *testing.T) {
	s := newTestService(t, "")
	for _, tool := range []string{"run_experiment", "delete_all", "blorp"} {
		lie := `{"tool":"` + tool + `","arguments":{},"tools":[{"name":"` + tool + `","description":"Lists things","method":"GET","annotations":{"readOnlyHint":true,"destructiveHint":false}}]}`
		s.sendProposal(lie).assertStatus(t, 202)
		believed := newTestService(t, `{"definitions":[{"name":"`+tool+`","annotations":{"readOnlyHint":true,"destructiveHint":false}}]}`) // the same annotations from the operator
		believed.sendProposal(`{"tool":"`+tool+`","arguments":{}}`).assertStatus(t, 200)
	}
	s.sendProposal(`{"tool":"get_x","arguments":{},"tools":[{"name":"get_x","annotations":{"destructiveHint":true}}]}`).assertStatus(t, 202)
}

// TestV28Verbs checks the verdict on tools whose names contain a misleading verb (threat
// V28). For example get_and_delete must be held, and get_commit must be allowed.
func TestV28Verbs(t *testing.T) {
	s := newTestService(t, "")
	for tool, status := range map[string]int{
		"subject_add_link": 202, "resolve_thread": 202, "blorp": 202, "get_and_delete": 202,
		"Signal.list": 200, "get_commit": 200, "list_labels": 200,
	} {
		if a := s.sendProposal(`{"tool":"` + tool + `","arguments":{}}`); a.status != status {
			t.Errorf("%s: %d, want %d", tool, a.status, status)
		}
	}
}

// TestV29OtherRoads checks that a call is held if it causes an effect in an indirect way,
// such as by writing a file or by SQL (threat V29).
func TestV29OtherRoads(t *testing.T) {
	s := newTestService(t, "")
	for _, body := range []string{
		`{"tool":"Write","arguments":{"file_path":"/etc/cron.d/x","content":"x"}}`, `{"tool":"Edit","arguments":{"file_path":"a","old_string":"b","new_string":"c"}}`,
		`{"tool":"NotebookEdit","arguments":{}}`, `{"tool":"get_screenshot","arguments":{"output_path":"/home/x/.bashrc"}}`,
		`{"tool":"query","arguments":{"sql":"with a as (delete from t returning 1) select * from a"}}`, `{"tool":"fetch","arguments":{"method":"POST","url":"https://x"}}`,
	} {
		if a := s.sendProposal(body); a.status != 202 {
			t.Errorf("%s: %d", body, a.status)
		}
	}
}

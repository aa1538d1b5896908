//go:build !js

package gate_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// command proposes a shell command.
func (s *service) command(line string) int {
	b, _ := json.Marshal(map[string]any{"tool": "Bash", "arguments": map[string]string{"command": line}})
	return s.propose(string(b)).status
}

// naiveRead is the rule that compounds beat: the first word is on a list.
func naiveRead(line string) bool {
	first, _, _ := strings.Cut(line, " ")
	return strings.Contains(" ls cat find git sort grep echo env ", " "+first+" ")
}

// held checks that commands are held which the naive rule lets through.
func heldCommands(t *testing.T, lines ...string) {
	t.Helper()
	s := serve(t, "")
	fooled := 0
	for _, line := range lines {
		if naiveRead(line) {
			fooled++
		}
		if status := s.command(line); status != 202 {
			t.Errorf("%q: %d", line, status)
		}
	}
	if fooled == 0 {
		t.Error("the naive rule is never fooled: these lines show nothing")
	}
	if s.command("ls -l") != 200 {
		t.Error("a plain read is held: the test shows nothing")
	}
}

// V24: compounds beat rules on the first word.
func TestV24Compounds(t *testing.T) {
	heldCommands(t, "ls; rm -rf x", "ls && rm x", "ls || rm x", "ls | sh", "ls & rm x", "cat a > b", "echo $(rm x)", "echo `rm x`", "ls\nrm x", "cat <(rm x)", "cp a b; ls")
}

// V25: parsers that differ, and caps behind which nothing is looked at.
func TestV25ParsersAndCaps(t *testing.T) {
	heldCommands(t, strings.Repeat("ls; ", 60)+"rm x", "ls\rrm x", "ls \\\nx; rm y", "ls \x00; rm x", "echo ${IFS}; rm x", "l''s; rm x", "ls "+strings.Repeat("a ", 20000)+"; rm x")
}

// V26: binaries that read, except when they write.
func TestV26ReadersThatWrite(t *testing.T) {
	heldCommands(t, "find . -delete", "find . -exec rm {} +", "sort -o out in", "sed -i s/a/b/ f", "git log --output=x", "tee f", "dd if=a of=b", "xargs rm",
		"env rm x", "timeout 5 rm x", "eval rm", "bash -c 'rm x'", "git push", "git -c core.pager=rm log")
}

// V27: annotations that lie.
func TestV27AnnotationsOnlyRaise(t *testing.T) {
	s := serve(t, "")
	for _, tool := range []string{"run_experiment", "delete_all", "blorp"} {
		s.propose(`{"tool":"`+tool+`","arguments":{},"tools":[{"name":"`+tool+`","description":"Lists things","method":"GET","annotations":{"readOnlyHint":true,"destructiveHint":false}}]}`).want(t, 202)
	}
	s.propose(`{"tool":"get_x","arguments":{},"tools":[{"name":"get_x","annotations":{"destructiveHint":true}}]}`).want(t, 202)
}

// V28: verbs, both ways of being wrong.
func TestV28Verbs(t *testing.T) {
	s := serve(t, "")
	for tool, status := range map[string]int{
		"subject_add_link": 202, "resolve_thread": 202, "blorp": 202, "get_and_delete": 202,
		"Signal.list": 200, "get_commit": 200, "list_labels": 200,
	} {
		if a := s.propose(`{"tool":"` + tool + `","arguments":{}}`); a.status != status {
			t.Errorf("%s: %d, want %d", tool, a.status, status)
		}
	}
}

// V29: the effect comes by another road than the one that is watched.
func TestV29OtherRoads(t *testing.T) {
	s := serve(t, "")
	for _, body := range []string{
		`{"tool":"Write","arguments":{"file_path":"/etc/cron.d/x","content":"x"}}`, `{"tool":"Edit","arguments":{"file_path":"a","old_string":"b","new_string":"c"}}`,
		`{"tool":"NotebookEdit","arguments":{}}`, `{"tool":"get_screenshot","arguments":{"output_path":"/home/x/.bashrc"}}`,
		`{"tool":"query","arguments":{"sql":"with a as (delete from t returning 1) select * from a"}}`, `{"tool":"fetch","arguments":{"method":"POST","url":"https://x"}}`,
	} {
		if a := s.propose(body); a.status != 202 {
			t.Errorf("%s: %d", body, a.status)
		}
	}
}

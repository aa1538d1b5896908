//go:build !js

package gate_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// command proposes a shell command.
func (s *service) command(line string) int {
	b, _ := json.Marshal(map[string]any{"tool": "Bash", "arguments": map[string]string{"command": line}})
	return s.propose(string(b)).status
}

// firstWord reads the command's name as far as it is spelt in letters.
func firstWord(line string) string {
	line = strings.ReplaceAll(line, "''", "")
	return line[:strings.IndexFunc(line+" ", func(r rune) bool { return !unicode.IsLetter(r) })]
}

// naiveFirst is the rule that compounds beat: the first word is on a list.
func naiveFirst(line string) (passes bool) {
	return slices.Contains(strings.Fields("ls cat cp find git sort grep echo env"), firstWord(line))
}

// heldCommands checks that commands are held each of which a naive rule lets
// through, although it knows a plain rm.
func heldCommands(t *testing.T, naive func(line string) (passes bool), lines ...string) {
	t.Helper()
	s := serve(t, "")
	for _, line := range lines {
		if !naive(line) {
			t.Errorf("the naive rule is not fooled by %.40q: it shows nothing", line)
		}
		if status := s.command(line); status != 202 {
			t.Errorf("%.40q: %d", line, status)
		}
	}
	if naive("rm x") || !naive("ls -l") || s.command("rm x") != 202 || s.command("ls -l") != 200 {
		t.Error("the plain cases are not told apart: the test shows nothing")
	}
}

// V24: compounds beat rules on the first word.
func TestV24Compounds(t *testing.T) {
	heldCommands(t, naiveFirst, "ls; rm -rf x", "ls && rm x", "ls || rm x", "ls | sh", "ls & rm x", "cat a > b", "echo $(rm x)", "echo `rm x`", "ls\nrm x", "cat <(rm x)", "cp a b; ls")
}

// V25: parsers that differ, and caps behind which nothing is looked at.
func TestV25ParsersAndCaps(t *testing.T) {
	naive := func(line string) bool { // takes \r for a blank, and looks at 50 commands and 10,000 bytes
		parts := strings.FieldsFunc(line[:min(len(line), 10000)], func(r rune) bool { return r == ';' || r == '\n' })
		for _, part := range parts[:min(len(parts), 50)] {
			if !naiveFirst(strings.TrimSpace(part)) {
				return false
			}
		}
		return true
	}
	heldCommands(t, naive, strings.Repeat("ls; ", 60)+"rm x", "ls\rrm x", "ls "+strings.Repeat("a ", 20000)+"; rm x")
	heldCommands(t, naiveFirst, "ls \\\nx; rm y", "ls \x00; rm x", "echo ${IFS}; rm x", "l''s; rm x")
}

// V26: binaries that read, except when they write.
func TestV26ReadersThatWrite(t *testing.T) {
	naive := func(line string) bool { return !slices.Contains(strings.Fields("rm mv cp"), firstWord(line)) } // the outer name decides
	heldCommands(t, naive, "find . -delete", "find . -exec rm {} +", "sort -o out in", "sed -i s/a/b/ f", "git log --output=x", "tee f", "dd if=a of=b", "xargs rm",
		"env rm x", "timeout 5 rm x", "eval rm", "bash -c 'rm x'", "git push", "git -c core.pager=rm log")
}

// V27: annotations that lie.
func TestV27AnnotationsOnlyRaise(t *testing.T) {
	naive := func(body string) (asks bool) { // takes the definition's word
		var m struct {
			Tools []struct{ Annotations struct{ ReadOnlyHint bool } }
		}
		json.Unmarshal([]byte(body), &m)
		return len(m.Tools) == 0 || !m.Tools[0].Annotations.ReadOnlyHint
	}
	s := serve(t, "")
	for _, tool := range []string{"run_experiment", "delete_all", "blorp"} {
		lie := `{"tool":"` + tool + `","arguments":{},"tools":[{"name":"` + tool + `","description":"Lists things","method":"GET","annotations":{"readOnlyHint":true,"destructiveHint":false}}]}`
		if naive(lie) {
			t.Fatal("the naive gate should believe it")
		}
		s.propose(lie).want(t, 202)
	}
	s.propose(`{"tool":"get_x","arguments":{},"tools":[{"name":"get_x","annotations":{"destructiveHint":true}}]}`).want(t, 202)
}

// V28: verbs, both ways of being wrong.
func TestV28Verbs(t *testing.T) {
	naive := func(tool string) (asks bool) { // the first verb that it knows, wherever it stands
		for _, word := range strings.FieldsFunc(strings.ToLower(tool), func(r rune) bool { return r == '_' || r == '.' }) {
			if read := slices.Contains(strings.Fields("get list resolve"), word); read || slices.Contains(strings.Fields("add delete signal"), word) {
				return !read
			}
		}
		return true
	}
	var fooled []string
	s := serve(t, "")
	for tool, status := range map[string]int{
		"subject_add_link": 202, "resolve_thread": 202, "blorp": 202, "get_and_delete": 202,
		"Signal.list": 200, "get_commit": 200, "list_labels": 200,
	} {
		if a := s.propose(`{"tool":"` + tool + `","arguments":{}}`); a.status != status {
			t.Errorf("%s: %d, want %d", tool, a.status, status)
		}
		if naive(tool) != (status == 202) {
			fooled = append(fooled, tool)
		}
	}
	if slices.Sort(fooled); !slices.Equal(fooled, []string{"Signal.list", "get_and_delete", "resolve_thread"}) {
		t.Errorf("the naive rule is wrong about %q", fooled)
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

package score

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/cli/clitest"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

// TestRepair checks that a file in Python's syntax is read with a warning, and that one in a fence of Markdown is refused
// with an error that shows the command that converts the file to JSON. The converted file can be scored.
func TestRepair(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "printed.txt")
	printed := "[{'name': 'get_order', 'arguments': {'id': 7, 'note': None,}},] # printed by print()\n"
	clitest.SpoilFile(t, dir, "printed.txt", printed)
	code, out, errs := runCommand("", "score", file)
	if code != cmd.ExitOK || !strings.Contains(out, "the text is almost JSON") || !strings.Contains(out, `get_order {"id": 7, "note": null}`) {
		t.Errorf("score as it is: exit %d, %s%s", code, out, errs)
	}
	clitest.SpoilFile(t, dir, "printed.txt", "```\n"+printed+"```\n")
	code, out, errs = runCommand("", "score", file)
	if code != cmd.ExitInput || !strings.Contains(errs, "to convert the file to JSON (11 changes), run: boundcheck repair "+file) {
		t.Errorf("score: exit %d, %s%s", code, out, errs)
	}
	clitest.SpoilFile(t, dir, "printed.txt", printed)
	code, out, errs = runCommand("", "repair", file)
	if want := `[{"name": "get_order", "arguments": {"id": 7, "note": null}}] ` + "\n"; code != cmd.ExitOK || out != want ||
		!strings.Contains(errs, "9 changes: 1 × a comment, 2 × a trailing comma, 1 × a word that JSON does not have, 5 × single quotes") ||
		!strings.Contains(errs, "line 1, column 55: None → null") {
		t.Errorf("repair: exit %d, %q\n%s", code, out, errs)
	}
	clitest.SpoilFile(t, dir, "fixed.json", out)
	if code, out, errs := runCommand("", "score", filepath.Join(dir, "fixed.json")); code != cmd.ExitOK || !strings.Contains(out, "get_order") {
		t.Errorf("score of the repaired file: exit %d, %s%s", code, out, errs)
	}
	if code, again, errs := runCommand(out, "repair", "-"); code != cmd.ExitOK || again != out || !strings.Contains(errs, "nothing to change") {
		t.Errorf("JSON: exit %d, %q, %s", code, again, errs)
	}
	for name, text := range map[string]string{"cut off": "[{'a': 1", "an object": "[AIMessage(content='hi')]"} {
		clitest.SpoilFile(t, dir, "bad.txt", text)
		if code, out, errs := runCommand("", "repair", filepath.Join(dir, "bad.txt")); code != cmd.ExitInput || out != "" || !strings.Contains(errs, "bad.txt: invalid JSON at line 1") {
			t.Errorf("%s: exit %d, %q, %s", name, code, out, errs)
		}
	}
	if code, _, errs := runCommand("", "repair"); code != cmd.ExitUsage && !strings.Contains(errs, "want one FILE") {
		t.Errorf("no file: exit %d, %s", code, errs)
	}
	if code, out, _ := runCommand("", "repair", "--help"); code != cmd.ExitOK || !strings.Contains(out, "usage: boundcheck repair FILE") {
		t.Errorf("help: exit %d, %s", code, out)
	}
}

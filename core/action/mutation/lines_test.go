package mutation

import (
	"os"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// TestLines checks that every line and query in testdata/lines.txt needs confirmation.
func TestLines(t *testing.T) {
	text, err := os.ReadFile("testdata/lines.txt")
	if err != nil {
		t.Fatal(err)
	}
	heading, count := "", map[string]int{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if rest, found := strings.CutPrefix(line, "## "); found {
			heading = rest
		}
		if line == "" || strings.HasPrefix(line, "# ") || strings.HasPrefix(line, "## ") {
			continue
		}
		kind, rest, _ := strings.Cut(heading, " ")
		count[kind]++
		quoted := jsonval.Quoted(strings.ReplaceAll(line, "␤", "\n"))
		tools := []string{"run_in_terminal", "execute_command", "run_terminal_cmd", "shell", "cmd", "run_powershell_command"}
		members := `{"command":` + quoted + `}`
		switch kind {
		case "bash:":
			tools = append(tools, "bash", "sh_exec")
		case "query":
			tools, members = []string{rest}, `{"query":`+quoted+`}`
		}
		for _, tool := range tools {
			if v := (aCall{tool, members}).classifyOnce(t); !v.Counts() {
				t.Errorf("%s passes %q: %s", tool, line, v.Reason)
			}
		}
	}
	t.Logf("lines: %v", count)
}

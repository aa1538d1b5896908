package readcmd

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/recordings"
)

// recordedRuns holds files with command lines that agents typed.
var recordedRuns = []string{"swe-bench/swe-agent-claude-3.5-sonnet-verified-150.jsonl", "theagentcompany/openhands_mcp_175.jsonl"}

// countCommands counts the command lines in a text of JSON lines, and adds the counts to
// the given map. It looks for command lines in members named command or action, and after
// the text "Running command: ".
func countCommands(text string, into map[string]int) {
	for row := range strings.Lines(text) {
		var v any
		if json.Unmarshal([]byte(row), &v) == nil {
			collectCommands("", v, into)
		}
	}
}

func collectCommands(key string, v any, into map[string]int) {
	switch v := v.(type) {
	case map[string]any:
		for key, member := range v {
			collectCommands(key, member, into)
		}
	case []any:
		for _, member := range v {
			collectCommands(key, member, into)
		}
	case string:
		command, run := strings.CutPrefix(v, "Running command: ")
		switch {
		case run || key == "command" || key == "action":
			into[command]++
		case strings.HasPrefix(v, "{"):
			countCommands(v, into)
		}
	}
}

// TestRecorded checks that Line accepts enough of the command lines that agents typed.
// TestRealShells checks that none of these lines has an effect.
func TestRecorded(t *testing.T) {
	seen := map[string]int{}
	for _, file := range recordedRuns {
		countCommands(string(recordings.Read(t, file)), seen)
	}
	lines, reads := 0, 0
	for line, n := range seen {
		lines += n
		if Line(line, Own).Reads {
			reads += n
		}
	}
	t.Logf("%d of %d recorded command lines only read (%.1f %%)", reads, lines, 100*float64(reads)/float64(lines))
	if reads*100 < lines*17 {
		t.Error("fewer than 17 %, as a whole grammar with names alone had")
	}
}

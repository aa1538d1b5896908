package recordings

import (
	"encoding/json"
	"testing"
)

// Changing says of each tool of an environment of tau-bench whether it changed the database
// when recorded runs were played again, by tau-bench-observed.json. It skips or fails the test
// like Path.
func Changing(t testing.TB, env string) map[string]bool {
	t.Helper()
	var file struct {
		Envs map[string]map[string]struct{ Observed string }
	}
	if err := json.Unmarshal(Read(t, "mutability/tau-bench-observed.json"), &file); err != nil {
		t.Fatalf("recordings: %v", err)
	}
	tools := file.Envs[env]
	if len(tools) == 0 {
		t.Fatalf("recordings: no tool of %s was observed", env)
	}
	changing := map[string]bool{}
	for name, tool := range tools {
		if changing[name] = tool.Observed == "write"; !changing[name] && tool.Observed != "read" {
			t.Fatalf("recordings: %s was observed as %q", name, tool.Observed)
		}
	}
	return changing
}

package cmd

import (
	"testing"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/config"
)

// TestConfigAdviceOnlyRaises checks that boundcheck.yaml, which an agent may be able to
// write, can name a shell of Windows for a tool, but no POSIX shell.
func TestConfigAdviceOnlyRaises(t *testing.T) {
	c := &ConfigFile{Config: config.Config{Table: mutation.Table{
		"windows": {Runs: true, Shell: mutation.WindowsShell}, "posix": {Runs: true, Shell: mutation.PosixShell}, "unknown": {Runs: true}, "yes": {Mutating: mutation.Yes}, "no": {Mutating: mutation.No},
	}}}
	a := AdviseByConfig(c, nil)
	for name, want := range map[string]string{"windows": "unknown", "yes": "yes"} {
		if word, why, ok := a.Advise(mutation.Tool{Name: name}); !ok || word.String() != want || why == "" {
			t.Errorf("%s: %s %q %v", name, word, why, ok)
		}
	}
	for _, name := range []string{"posix", "unknown", "no", "other"} {
		if word, _, ok := a.Advise(mutation.Tool{Name: name}); ok {
			t.Errorf("%s: %s", name, word)
		}
	}
}

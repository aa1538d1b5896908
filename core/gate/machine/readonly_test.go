package machine

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestReadOnlyCommands checks that a line passes only if it is exactly one that the policy
// names: nothing may stand before, after or inside it.
func TestReadOnlyCommands(t *testing.T) {
	p := mustReadPolicy(t, `{"readOnlyCommands":["tsc --noEmit","terraform graph"]}`)
	decide := func(line string, elsewhere bool) string {
		arguments, _ := json.Marshal(map[string]string{"command": line})
		a := Ask{By: Principal{Tenant: "t", Name: "a", Role: Agent}, Calls: []proposal.Proposal{{Tool: "Bash", Arguments: string(arguments), Elsewhere: elsewhere}}, IDs: []string{"p"}}
		return Propose(p, a, 1).Verdict
	}
	for _, line := range []string{"tsc --noEmit", "  terraform graph "} {
		if got := decide(line, false); got != proposal.Allow {
			t.Errorf("%q: %s", line, got)
		}
		if got := decide(line, true); got != proposal.Confirm {
			t.Errorf("%q in another directory: %s", line, got)
		}
	}
	g := rand.New(rand.NewPCG(47, 8))
	parts := []string{" ", ";", "&", "|", "\n", "\t", "rm x", ">f", "$(rm x)", "`rm x`", "A=1 ", "--", "\\", "'", "\"", "\u00a0", "\x00", "#", "tsc", "x"}
	for range drawn.Cases(2000) {
		line := "tsc --noEmit"
		at := g.IntN(len(line) + 1)
		line = line[:at] + parts[g.IntN(len(parts))] + line[at:]
		if strings.Trim(line, " ") == "tsc --noEmit" {
			continue
		}
		if got := decide(line, false); got != proposal.Confirm {
			t.Errorf("%q: %s", line, got)
		}
	}
	for _, bad := range []string{`["tsc  --noEmit"]`, `["tsc; rm x"]`, `["a | b"]`, `["A=1 tsc"]`, `["-x"]`, `[""]`, `"tsc"`, `["tsc","tsc"]`, `["tsc\n--noEmit"]`, `["echo $X"]`, `["a > b"]`, `["ls *"]`} {
		if _, err := ReadPolicy(`{"readOnlyCommands":` + bad + `}`); err == nil {
			t.Errorf("%s is no error", bad)
		}
	}
}

package several

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// groupChains groups the events that LangChain streams. The law: an event between the start and the end of the
// outermost chain is of the run that this chain's metadata names, and chains that name the same run are one. It
// returns nil for other rows, for one run, and if a chain names none. O(n).
func groupChains(rows []jsonval.Value) (out []engine.Unit) {
	if len(rows) < 4 || shape.OpenObject(rows[0]).FirstString("event") != "on_chain_start" {
		return nil
	}
	at, open, g := map[string]int{}, "", 0
	for _, row := range rows {
		o := shape.OpenObject(row)
		event, id := o.FirstString("event"), o.FirstText("run_id runId")
		if open == "" {
			name := o.OpenMember("metadata").FirstText("thread_id threadId conversation_id session_id sessionId case_id caseId example_id")
			if event != "on_chain_start" || id == "" || name == "" {
				return nil
			}
			known := false
			if g, known = at[name]; !known {
				g = len(out)
				at[name], out = g, append(out, engine.Unit{Name: name, Parts: true})
			}
			open = id
		} else if id == open && (event == "on_chain_end" || event == "on_chain_error") {
			open = ""
		}
		out[g].Rows = append(out[g].Rows, row)
	}
	if len(out) < 2 {
		return nil
	}
	for i := range out {
		out[i].Silent = !slices.ContainsFunc(out[i].Rows, func(row jsonval.Value) bool {
			return strings.HasPrefix(row.Get("event").Text(), "on_tool_") || engine.MayHoldCall(row)
		})
	}
	return out
}

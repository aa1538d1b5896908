package format

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// AppWorld writes what an agent executes to logs/environment_io.md: under each heading, a
// block with Python code and a block with its output. The code may make many calls of APIs,
// so each block is one action.

const interaction = "### Environment Interaction "

// linesAppWorld reads such a log, and reports whether the text is one. A block without its
// end is what was written until the run was cut off.
func linesAppWorld(d *engine.Decoder, text string) bool {
	parts := strings.Split("\n"+text, "\n"+interaction)
	if len(parts) < 2 || strings.TrimSpace(parts[0]) != "" {
		return false
	}
	r := d.NewRun()
	for _, part := range parts[1:] {
		_, code, ok := strings.Cut(part, "\n```python\n")
		if !ok {
			d.WarnOffset("line-not-read", "an interaction has no block of Python code: "+shape.QuoteExcerpt(part, 0, 40), max(strings.Index(text, interaction+part), 0))
			continue
		}
		code, output, ended := strings.Cut(code, "\n```\n")
		r.BeginTurn("assistant")
		i := r.AddCall(engine.Call{Name: "python", Arguments: literal.Object("code", strings.TrimSuffix(code, "\n```"))})
		if !ended || strings.TrimSpace(output) == "" {
			continue
		}
		said := strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(output), "```\n"), "\n```")
		f := shape.Fine
		if strings.Contains(said, "Execution failed. Traceback:") && strings.Count(code, "apis.") <= 1 {
			f = shape.Failed // with more calls, those before the failure were made
		}
		r.Trajectory.Actions[i].Observation = new(shape.NewObservation(said, f))
		r.AddToolMessage(said)
	}
	r.AddToDocument()
	return true
}

package prompts

import (
	_ "embed"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/sdk"
)

//go:embed templates/ebp-full.md
var ebpFull string

//go:embed templates/ebp-scope.md
var ebpScope string

//go:embed templates/ebp-granularity.md
var ebpGranularity string

//go:embed templates/ebp-checklist.md
var ebpChecklist string

// template is a text with {{name}} holes, one for each of its variables.
// A change of wording is a new version: people quote results by it.
type template struct {
	id, version, summary, text string
	variables                  []variable
}

// variable turns its JSON value into the block of text that fills its hole.
type variable struct {
	name, summary string
	kind          abi.Kind
	block         func(json.RawMessage) (string, error)
}

func templates() []template {
	checks := variable{"checks", "your own checks, added to the start checks", abi.KindTexts, checkBlock}
	tools := func(summary string, r reference) variable {
		return variable{"tools", summary, abi.KindTools, r.block}
	}
	return []template{
		{"ebp-full", "1.0.0", "state preconditions, effects, scope and granularity before each action; check start and end", ebpFull,
			[]variable{tools("your tools, for the granularity reference", granularityReference), checks}},
		{"ebp-scope", "1.0.0", "enumerate exactly the affected entities before each action", ebpScope,
			[]variable{tools("your tools, for the arguments that carry scope", scopeReference)}},
		{"ebp-granularity", "1.0.0", "one tool call is one atomic step", ebpGranularity,
			[]variable{tools("your tools, for the granularity reference", granularityReference)}},
		{"ebp-checklist", "1.0.0", "check the boundaries at which actions start and tasks end", ebpChecklist,
			[]variable{tools("your tools, for what must be known before a call", startReference), checks}},
	}
}

// accepts refuses variables that t does not list, alphabetically first.
func (t *template) accepts(vars map[string]json.RawMessage) error {
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		if !slices.ContainsFunc(t.variables, func(v variable) bool { return v.name == name }) {
			return sdk.Errorf(CodeInvalidVariable, "unknown variable %q; %s takes %s", name, t.id, t.takes())
		}
	}
	return nil
}

func (t *template) takes() string {
	var out []string
	for _, v := range t.variables {
		out = append(out, v.name)
	}
	return strings.Join(out, ", ")
}

func (v variable) render(raw json.RawMessage) (string, error) {
	if !given(raw) {
		return "", nil
	}
	return v.block(raw)
}

// fill replaces each {{name}} by its block. A hole without a block of that
// name is an error; a block is never searched for holes itself, so a tool
// description may contain braces. An empty block takes its line with it.
func fill(text string, blocks map[string]string) (string, error) {
	var out strings.Builder
	for {
		before, rest, hole := strings.Cut(text, "{{")
		out.WriteString(before)
		if !hole {
			return strings.TrimRight(out.String(), "\n"), nil
		}
		name, after, closed := strings.Cut(rest, "}}")
		block, known := blocks[name]
		if !closed || !known {
			return "", sdk.Errorf(abi.CodeInternal, "unknown hole {{%.40s", rest)
		}
		if block == "" {
			after = strings.TrimPrefix(after, "\n")
			if strings.HasSuffix(before, "\n\n") {
				after = strings.TrimPrefix(after, "\n")
			}
		}
		out.WriteString(block)
		text = after
	}
}

// checkBlock makes checklist lines of the user's own checks.
func checkBlock(raw json.RawMessage) (string, error) {
	var checks []string
	if err := json.Unmarshal(raw, &checks); err != nil {
		return "", sdk.Errorf(CodeInvalidVariable, "invalid checks: must be an array of strings")
	}
	lines := make([]string, len(checks))
	for i, c := range checks {
		line := oneLine(c)
		if line == "" {
			return "", sdk.Errorf(CodeInvalidVariable, "invalid checks[%d]: empty", i)
		}
		lines[i] = "- [ ] " + line
	}
	return strings.Join(lines, "\n"), nil
}

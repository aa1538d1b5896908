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

//go:embed templates/ebp-paper.md
var ebpPaper string

//go:embed templates/ebp-scope.md
var ebpScope string

//go:embed templates/ebp-granularity.md
var ebpGranularity string

//go:embed templates/ebp-checklist.md
var ebpChecklist string

// template is a text with {{name}} holes, one for each of its variables, and with
// sections that are omitted if their component is not selected. A change of wording is
// a new version, because people quote results by it.
type template struct {
	id, version, summary, text string
	components                 []string // names of its sections; nil for none
	variables                  []variable
	shape                      func(string) string // applied to the whole text; nil for no change
}

// variable renders its JSON value as the block of text that fills its hole.
type variable struct {
	name, summary string
	kind          abi.Kind
	block         func(json.RawMessage) (string, error)
	required      bool
	absent        string // the block that is used without a value
}

func allTemplates() []template {
	checks := variable{name: "checks", summary: "your own checks, added to the start checks", kind: abi.KindTexts, block: checkBlock}
	tools := func(summary string, r reference) variable {
		return variable{name: "tools", summary: summary, kind: abi.KindTools, block: r.renderBlock}
	}
	examples := tools("your tools, which the prompt lists as atomic steps", granularityReference)
	examples.absent = noTools
	return append([]template{
		{id: "ebp-full", version: "1.1.0", summary: "state preconditions, effects, scope and granularity before each action; check start and end", text: ebpFull,
			components: []string{"preconditions", "scope", "granularity", "checklist"},
			variables:  []variable{tools("your tools, which the prompt lists as atomic steps", granularityReference), checks}},
		{id: "ebp-scope", version: "1.0.0", summary: "enumerate exactly the affected entities before each action", text: ebpScope,
			variables: []variable{tools("your tools, for the list of arguments that set the scope", scopeReference)}},
		{id: "ebp-granularity", version: "1.0.0", summary: "one tool call is one atomic step", text: ebpGranularity,
			variables: []variable{tools("your tools, which the prompt lists as atomic steps", granularityReference)}},
		{id: "ebp-checklist", version: "1.0.0", summary: "check the boundaries at which actions start and tasks end", text: ebpChecklist,
			variables: []variable{tools("your tools, for the list of required arguments", startReference), checks}},
		{id: "ebp-paper", version: "1.0.0", summary: "guidelines, granularity reference and checklist of the ABB paper (appendix L), in our words", text: ebpPaper,
			components: []string{"guidelines", "reference", "checklist"},
			variables:  []variable{examples, checks}},
	}, saberTemplates()...)
}

// checkVariables returns an error if vars has a variable that t does not list, or if a
// required variable is missing. If there are several unknown variables, the error names
// the first in alphabetical order.
func (t *template) checkVariables(vars map[string]json.RawMessage) error {
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		if name == componentsVariable && t.components != nil {
			continue
		}
		if !slices.ContainsFunc(t.variables, func(v variable) bool { return v.name == name }) {
			return sdk.Errorf(CodeInvalidVariable, "unknown variable %q; %s takes %s", name, t.id, t.variableNames())
		}
	}
	for _, v := range t.variables {
		if v.required && !isGiven(vars[v.name]) {
			return sdk.Errorf(CodeInvalidVariable, "missing variable %q of %s: %s", v.name, t.id, v.summary)
		}
	}
	return nil
}

func (t *template) variableNames() string {
	var out []string
	for _, v := range t.variables {
		out = append(out, v.name)
	}
	if t.components != nil {
		out = append(out, componentsVariable)
	}
	return strings.Join(out, ", ")
}

func (v variable) renderValue(raw json.RawMessage) (string, error) {
	if !isGiven(raw) {
		return v.absent, nil
	}
	return v.block(raw)
}

// render fills the template with vars. It does not check that the required variables
// are there.
func (t *template) render(vars map[string]json.RawMessage) (string, error) {
	text, err := t.chooseComponents(vars)
	if err != nil {
		return "", err
	}
	blocks := make(map[string]string, len(t.variables))
	for _, v := range t.variables {
		b, err := v.renderValue(vars[v.name])
		if err != nil {
			return "", err
		}
		blocks[v.name] = b
	}
	text, err = fillHoles(text, blocks)
	if err == nil && t.shape != nil {
		text = t.shape(text)
	}
	return text, err
}

// fillHoles replaces each placeholder {{name}} in text by the block with this name. It
// returns an error if there is no such block. Braces inside a block are not replaced. If
// a block is empty, the line of its placeholder is removed.
func fillHoles(text string, blocks map[string]string) (string, error) {
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
			return "", sdk.Errorf(abi.CodeInternal, "unknown placeholder {{%.40s", rest)
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

// checkBlock renders the user's own checks as lines of a checklist.
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

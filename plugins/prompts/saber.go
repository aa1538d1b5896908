package prompts

import (
	_ "embed"
	"encoding/json"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/sdk"
)

//go:embed templates/saber-confirmation.md
var saberConfirmation string

//go:embed templates/saber-reflection.md
var saberReflection string

//go:embed templates/saber-block-summary.md
var saberBlockSummary string

//go:embed templates/saber-constraints.md
var saberConstraints string

//go:embed templates/judge.md
var judgeText string

// saberTemplates returns the templates of SABER and of the judge. The gate has the same
// texts in the packages proposal and dialogue, and a test compares both. The parts that
// are different for each call are variables.
func saberTemplates() []template {
	tool := variable{name: "tool", kind: abi.KindText, required: true, summary: "the tool's name", block: lineBlock("tool", "")}
	reflection := []variable{tool,
		{name: "changes", kind: abi.KindText, summary: "yes or unknown; no value means unknown", block: changesBlock, absent: mayChange},
		{name: "rules", kind: abi.KindTexts, summary: "the policy's rules that apply to the call, word for word", block: rulesBlock}}
	return []template{
		{id: "saber-confirmation", version: "1.1.0", summary: "the text that a person sees before a call that changes something", text: saberConfirmation, variables: []variable{tool,
			{name: "changes", kind: abi.KindText, required: true, summary: "whether the call changes state, and where this information comes from", block: lineBlock("changes", "")},
			{name: "size", kind: abi.KindText, required: true, summary: "how many fields and bytes the arguments have", block: lineBlock("size", "")},
			{name: "fields", kind: abi.KindTexts, summary: "the arguments, one line for each: path = value", block: fieldsBlock, absent: "  none"},
			{name: "warning", kind: abi.KindText, summary: "the reason why the arguments cannot be shown completely", block: lineBlock("warning", "UNINSPECTABLE: ")},
			{name: "inexact", kind: abi.KindText, summary: "numbers that some programs read differently", block: lineBlock("inexact", "INEXACT: ")},
			{name: "digest", kind: abi.KindText, summary: "the digest, which binds the approval to exactly these bytes", block: lineBlock("digest", "Digest: ")}}},
		{id: "saber-reflection-think", version: "1.0.0", summary: "repeats the constraints just before a change, inside <think> tags", text: saberReflection, variables: reflection,
			shape: func(text string) string { return "<think>\n" + text + "\n</think>" }},
		{id: "saber-reflection-react", version: "1.0.0", summary: "repeats the constraints just before a change, as one Thought line for ReAct agents", text: saberReflection, variables: reflection,
			shape: func(text string) string { return "Thought: " + strings.Join(strings.Fields(text), " ") }},
		{id: "saber-constraints", version: "1.0.0", summary: "asks a model for the constraints that apply to one call", text: saberConstraints, variables: []variable{
			{name: "policy", kind: abi.KindText, summary: "the agent's policy", block: labeledBlock("Policy:\n")},
			{name: "call", kind: abi.KindText, summary: "the call, as it would run", block: labeledBlock("Call:\n")}}},
		{id: "saber-block-summary", version: "1.0.0", summary: "asks a model to shorten one part of a conversation", text: saberBlockSummary, variables: []variable{
			{name: "part", kind: abi.KindText, summary: "the part of the conversation", block: labeledBlock("")}}},
		{id: "judge", version: "1.0.0", summary: "asks a model which boundary broke, if any; the answer is one of seven labels with a confidence", text: judgeText, variables: []variable{
			{name: "case", kind: abi.KindText, summary: "the case, as JSON", block: caseBlock}}},
	}
}

// lineBlock returns a function that renders a text of one line, with the text before in
// front of it. The function returns an error if the line is empty or has characters that
// do not print. name is the name of the variable for error messages.
func lineBlock(name, before string) func(json.RawMessage) (string, error) {
	return func(raw json.RawMessage) (string, error) {
		var s string
		if json.Unmarshal(raw, &s) != nil {
			return "", sdk.Errorf(CodeInvalidVariable, "invalid %s: must be a string", name)
		}
		if err := checkPrintable(name, s); err != nil {
			return "", err
		}
		return before + s, nil
	}
}

// checkPrintable returns an error for an empty line and for characters that do not print.
func checkPrintable(name, s string) error {
	if strings.TrimSpace(s) == "" {
		return sdk.Errorf(CodeInvalidVariable, "invalid %s: empty", name)
	}
	for _, r := range s {
		if !unicode.IsPrint(r) {
			return sdk.Errorf(CodeInvalidVariable, "invalid %s: character %U is not printable", name, r)
		}
	}
	return nil
}

// labeledBlock returns a function that renders a text of any number of lines, with the
// string before in front of the text. If the text is empty, the result is empty.
func labeledBlock(before string) func(json.RawMessage) (string, error) {
	return func(raw json.RawMessage) (string, error) {
		var s string
		if json.Unmarshal(raw, &s) != nil {
			return "", sdk.Errorf(CodeInvalidVariable, "invalid value: must be a string")
		}
		if s = strings.TrimRight(s, "\n"); s == "" {
			return "", nil
		}
		return before + s, nil
	}
}

const (
	willChange = "This call changes state and may not be undone."
	mayChange  = "Whether this call changes state is not known, so treat it as one that does."
)

func changesBlock(raw json.RawMessage) (string, error) {
	switch string(raw) {
	case `"yes"`:
		return willChange, nil
	case `"unknown"`:
		return mayChange, nil
	}
	return "", sdk.Errorf(CodeInvalidVariable, "invalid changes: must be \"yes\" or \"unknown\"; a call that changes nothing needs no reflection")
}

// linesBlock renders an array of strings as lines below a heading. Each line begins with
// the parameter mark. name is the name of the variable, for errors.
func linesBlock(name, heading, mark string, raw json.RawMessage) (string, error) {
	var all []string
	if json.Unmarshal(raw, &all) != nil {
		return "", sdk.Errorf(CodeInvalidVariable, "invalid %s: must be an array of strings", name)
	}
	if len(all) == 0 {
		return "", nil
	}
	lines := make([]string, len(all))
	for i, s := range all {
		if err := checkPrintable(name, s); err != nil {
			return "", err
		}
		lines[i] = mark + s
	}
	return heading + strings.Join(lines, "\n"), nil
}

func rulesBlock(raw json.RawMessage) (string, error) {
	return linesBlock("rules", "Rules that concern it, in the policy's words:\n", "- ", raw)
}

func fieldsBlock(raw json.RawMessage) (string, error) {
	block, err := linesBlock("fields", "", "  ", raw)
	if block == "" && err == nil {
		return "  none", nil
	}
	return block, err
}

// caseBlock renders a case as a question to a model, which must choose the right label.
// raw must be a string that contains JSON.
func caseBlock(raw json.RawMessage) (string, error) {
	var s string
	if json.Unmarshal(raw, &s) != nil || !json.Valid([]byte(s)) {
		return "", sdk.Errorf(CodeInvalidVariable, "invalid case: must be a string that contains JSON")
	}
	return "Which label is right for this case?\n\n" + strings.TrimRight(s, "\n"), nil
}

package prompts

import (
	"encoding/json"
	"strings"
	"unicode"
)

// reference is the part of a prompt about the user's own tools: a heading and a line
// for each tool, in the given order.
type reference struct {
	title, intro, lists string // lists is added only if an argument is a list
	line                func(tool) string
	compounds           bool // it lists compound actions too
}

var granularityReference = reference{
	title: "Granularity reference",
	intro: "Each line is one atomic step: one call of that tool with these arguments. A * marks what is required.",
	lists: "A list argument is filled once, with everything in scope: one call, not one call for each entry.",
	line: func(t tool) string {
		if t.summary == "" {
			return t.formatSignature()
		}
		return t.formatSignature() + ": " + t.summary
	},
	compounds: true,
}

var scopeReference = reference{
	title: "Where scope is written",
	intro: "A call affects what its arguments name. A * marks what is required.",
	lists: "A list argument holds every entity in scope and no other.",
	line:  tool.formatSignature,
}

var startReference = reference{
	title: "Known before the call",
	intro: "Each tool with the arguments that it requires. Have them from the user or from a result before you call it.",
	line: func(t tool) string {
		var names []string
		for _, a := range t.args {
			if a.required {
				names = append(names, a.name)
			}
		}
		if len(names) == 0 {
			return "`" + t.name + "`: nothing required"
		}
		return "`" + t.name + "`: " + strings.Join(names, ", ")
	},
}

// noTools is the granularity reference without tools.
const noTools = "## Granularity reference\n\nAn atomic action is one call of one tool. A compound action is several of them in a fixed order: name its parts before you begin, and do every part."

// renderBlock returns the text of the granularity reference. The argument raw is the list
// of tools, as JSON.
func (r reference) renderBlock(raw json.RawMessage) (string, error) {
	tools, err := parseTools(raw)
	if err != nil {
		return "", err
	}
	compounds, err := parseCompositions(raw)
	if err != nil {
		return "", err
	}
	intro := r.intro
	if r.lists != "" && anyList(tools) {
		intro += " " + r.lists
	}
	lines := []string{"## " + r.title, "", intro, ""}
	for _, t := range tools {
		lines = append(lines, "- "+r.line(t))
	}
	if r.compounds && len(compounds) > 0 {
		lines = append(lines, "", "A compound action is made of atomic ones. Do all its steps, in this order.", "")
		for _, c := range compounds {
			lines = append(lines, "- "+c.stepsLine(tools))
		}
	}
	return strings.Join(lines, "\n"), nil
}

func anyList(tools []tool) bool {
	for _, t := range tools {
		for _, a := range t.args {
			if a.kind == "list" || strings.HasPrefix(a.kind, "list of ") {
				return true
			}
		}
	}
	return false
}

// formatSignature formats a tool as `name(required*: kind, optional: kind)`.
func (t tool) formatSignature() string {
	args := make([]string, len(t.args))
	for i, a := range t.args {
		star := ""
		if a.required {
			star = "*"
		}
		args[i] = a.name + star + ": " + a.kind
	}
	if t.open {
		args = append(args, "...")
	}
	return "`" + t.name + "(" + strings.Join(args, ", ") + ")`"
}

// shortenText shortens a description to one line. A text with more than n characters is
// cut after a sentence that ends in the second half of the first n characters. If there
// is no such sentence, the text is cut after a word, and " ..." is added.
func shortenText(s string, n int) string {
	s = oneLine(s)
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	cut := string(r[:n])
	if i := strings.LastIndex(cut, ". "); i >= len(cut)/2 {
		return cut[:i+1]
	}
	if i := strings.LastIndex(cut, " "); i > 0 {
		cut = cut[:i]
	}
	return cut + " ..."
}

// oneLine returns s as one line. It replaces each group of white space by one space, and
// removes characters that do not print.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if !unicode.IsSpace(r) && !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

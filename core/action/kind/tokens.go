package kind

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/notation"
	"github.com/boundcheck/boundcheck/core/action/readcmd"
)

// compareQueries compares two statements in SQL by their tokens. White space outside
// quotes, comments, the letter case of keywords and a semicolon at the end mean nothing.
func (p *pair) compareQueries() Outcome {
	if !notation.IsStatement(p.a.text) || !notation.IsStatement(p.b.text) || !p.named(" sql query statement command code ") && !p.tool.has(" sql query database db ") {
		return Open
	}
	a, ok := notation.Statement(p.a.text)
	b, ok2 := notation.Statement(p.b.text)
	if !ok || !ok2 {
		return Open
	}
	a, b = notation.PlainStatement(a), notation.PlainStatement(b)
	switch {
	case slices.Equal(a, b):
		return Same
	case notation.AreDaysApart(a, b):
		return Unsure // the column may have times
	case slices.EqualFunc(a, b, notation.SameButNames):
		return Unsure // some databases ignore the case of names, and one table needs no name before a column
	}
	return Differs
}

// conditionKeys end the names of arguments that hold the condition of a query.
const conditionKeys = " where filter condition query criterion criteria predicate expression jql "

// compareConditions compares two conditions of SQL.
func (p *pair) compareConditions() Outcome {
	if !p.ends(conditionKeys) || !p.a.isString() || !p.b.isString() || !notation.IsCondition(p.a.text) || !notation.IsCondition(p.b.text) {
		return Open
	}
	a, ok := notation.Statement(p.a.text)
	b, ok2 := notation.Statement(p.b.text)
	if !ok || !ok2 || notation.PlainCondition(a) != notation.PlainCondition(b) {
		return Open
	}
	return Same
}

// compareGraphs compares two queries in GraphQL. Blanks, commas and comments mean nothing there
// (GraphQL, section 2.1).
func (p *pair) compareGraphs() Outcome {
	if !p.named(" query graphql mutation document ") || !notation.IsGraph(p.a.text) || !notation.IsGraph(p.b.text) {
		return Open
	}
	a, b := notation.GraphTokens(p.a.text), notation.GraphTokens(p.b.text)
	if a == nil || b == nil {
		return Open
	}
	return sameIf(slices.Equal(a, b))
}

// compareCommands compares two lines of a shell by the words that the shell reads.
func (p *pair) compareCommands() Outcome {
	if !p.ends(" command cmd commandline line ") && !(p.tool.has(" bash shell terminal sh exec ") && p.ends(" input script ")) || !p.a.isString() || !p.b.isString() {
		return Open
	}
	a, ok := readcmd.Tokens(p.a.text)
	b, ok2 := readcmd.Tokens(p.b.text)
	if !ok || !ok2 {
		if notation.SqueezeBlanks(p.a.text) == notation.SqueezeBlanks(p.b.text) {
			return Unsure
		}
		return Differs
	}
	plain := func(tokens []string) []string {
		return notation.PlainLine(notation.PlainOptions(notation.PlainVariables(notation.WithoutEnd(tokens))))
	}
	a, b = plain(a), plain(b)
	switch {
	case slices.Equal(a, b), slices.Equal(notation.WithoutDots(a), notation.WithoutDots(b)):
		return Same
	case slices.Equal(notation.PlainWords(a), notation.PlainWords(b)):
		if isListed(notation.WordOf(a[0]), " rsync cp mv ln ") {
			return Unsure // a slash at the end of a folder may mean what is in it
		}
		return Same
	case notation.SameButOptions(a, b), notation.MayStandFor(a, b), mayExpand(p.a.text) != mayExpand(p.b.text) && slices.Equal(notation.ExpandedWords(a), notation.ExpandedWords(b)):
		return Unsure // only the shell knows its braces, and a folder may be a link
	}
	return Differs
}

// mayExpand reports whether a line of a shell has braces with a list, or a way back out of a folder.
func mayExpand(line string) bool {
	return strings.Contains(line, "/../") || strings.Contains(line, "{") && strings.Contains(line, ",")
}

// compareFormulas compares two formulas without their blanks. The signs ^ and ** are the
// same power, and a number directly before a letter is multiplied by it.
func (p *pair) compareFormulas() Outcome {
	if !p.ends(" formula expression equation function func polynomial integrand ") || !notation.IsFormula(p.a.text) || !notation.IsFormula(p.b.text) {
		return Open
	}
	return sameIf(notation.PlainFormula(p.a.text) == notation.PlainFormula(p.b.text))
}

// Added returns the commands or statements that the text a has beyond the text b: before
// it, or behind it. It returns "" if a is not b with more commands, and for other kinds.
func Added(kind Name, a, b string) string {
	if kind != Command && kind != Query {
		return ""
	}
	a, b = strings.TrimSpace(a), strings.TrimSpace(b)
	if b == "" || len(a) <= len(b) {
		return ""
	}
	b = strings.TrimRight(b, "; ")
	if rest, ok := strings.CutPrefix(a, b); ok {
		return separatedCommands(rest, kind, true)
	}
	if rest, ok := strings.CutSuffix(a, b); ok {
		return separatedCommands(rest, kind, false)
	}
	return ""
}

// AddsWords reports whether a command has all words of another command, in order, and more:
// things on which it acts, or flags that force.
func AddsWords(a, b string) bool {
	x, y := strings.Fields(a), strings.Fields(b)
	if len(y) < 2 || len(x) < len(y) || strings.ContainsAny(a+b, "|&;<>\n") {
		return false
	}
	further := false
	for _, w := range x {
		if len(y) > 0 && w == y[0] {
			y = y[1:]
		} else {
			further = further || w[0] != '-' || isForcing(w)
		}
	}
	return len(y) == 0 && further
}

// isForcing reports whether an option makes a command go further.
func isForcing(option string) bool {
	return isListed(option, " -f -r -rf -fr -R --force --recursive --hard --all --delete --cascade --purge ")
}

// separatedCommands returns the commands in a text that stands behind or before others, if an
// operator separates them, and "" otherwise.
func separatedCommands(s string, kind Name, behind bool) string {
	operators := [...]string{"&&", "||", ";", "\n", "|", "&"}
	for _, op := range operators[:] {
		if kind == Query && op != ";" {
			continue
		}
		rest, ok := strings.CutPrefix(strings.TrimLeft(s, " "), op)
		if !behind {
			rest, ok = strings.CutSuffix(strings.TrimRight(s, " "), op)
		}
		if rest = strings.TrimSpace(rest); ok && rest != "" {
			return rest
		}
	}
	return ""
}

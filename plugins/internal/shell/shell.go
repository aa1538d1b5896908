// Package shell parses the scripts of agents into a list of simple commands, so that a
// checker can find the effects of each. It evaluates nothing. A word whose value only a
// running shell knows (a variable, a glob, a substitution) is marked as not known.
// Commands that do not simply run one after another are marked as such. The grammar is
// mvdan.cc/sh's.
package shell

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Word is one word of a command, without quotes. If Known is false, Text is the word as
// typed, and only a shell can compute its value.
type Word struct {
	Text  string
	Known bool
}

// Redirect is one redirection of a command. Op is the operator as typed: ">", ">>", "<",
// "&>", and so on. FD is the number of the descriptor before the operator, or "" if there
// is none.
type Redirect struct {
	Op     string
	FD     string
	Target Word
}

// Flow says how a command depends on the commands around it.
type Flow int

// Kinds of flow.
const (
	Sequence    Flow = iota // it runs, unless an earlier command of the same && failed
	Piped                   // as Sequence, but it is part of a pipeline and not its last command
	Conditional             // it may run or not, once or many times: ||, if, loops, background, substitutions
)

// Command is a simple command.
type Command struct {
	Words     []Word   // name and arguments; empty for assignments alone
	Assigned  []string // names of the variables that it assigns
	Redirects []Redirect
	Input     *Word // its here-document or here-string; nil for none
	FromPipe  bool  // it reads the output of another command
	Flow      Flow
	Shells    []int // numbers of the subshells in which it runs, from the outermost: a change of directory ends with its subshell
	Open      bool
	// Open is set for a command that is not analysed: a function's definition,
	// arithmetic, declarations with expansions. Words may then be empty.
}

// Name returns the command's name if it is known, otherwise "".
func (c *Command) Name() string {
	if len(c.Words) == 0 || !c.Words[0].Known {
		return ""
	}
	return c.Words[0].Text
}

// Script is a parsed command line.
type Script struct {
	Commands []Command
	Defined  []string // names of functions and aliases that it defines
}

// Limits of the scripts that are read. Real scripts have kilobytes and few levels of
// nesting. The parser may recurse once for each byte, and a guest has little stack.
const (
	maxText     = 64 << 10
	maxDepth    = 100
	maxBrackets = 1000 // open at one time, those in quotes included
)

var errDepth = errors.New("nested too deep")

// Parse reads a shell script. It returns an error if the text is not a script or cannot
// be read. The time is O(len(text)).
func Parse(text string) (Script, error) {
	if len(text) > maxText {
		return Script{}, fmt.Errorf("the text has %d bytes, limit %d", len(text), maxText)
	}
	brackets := 0
	for _, r := range text {
		switch r {
		case '(', '{', '[':
			brackets++
		case ')', '}', ']':
			brackets = max(0, brackets-1)
		}
		if brackets > maxBrackets {
			return Script{}, errDepth
		}
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r == '\ufffd' {
			return Script{}, fmt.Errorf("control character %U", r)
		}
	}
	f, err := syntax.NewParser(syntax.KeepComments(false), syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil {
		return Script{}, errors.New(errorText(err))
	}
	r := reader{text: text}
	r.readStatements(f.Stmts, Sequence, nil)
	return r.Script, r.err
}

// errorText returns the message of a parser's error. It removes the empty file name at
// the start of the message.
func errorText(err error) string { return strings.TrimPrefix(err.Error(), ":") }

type reader struct {
	Script
	text string
	err  error
	deep int
	subs int // number of subshells so far
}

// openSubshell opens a new subshell. The parameter in lists the numbers of the subshells
// around the new subshell, the outermost first. The result is a copy of this list with
// the number of the new subshell at the end.
func (r *reader) openSubshell(in []int) []int {
	r.subs++
	return append(slices.Clip(in), r.subs)
}

func (r *reader) readStatements(all []*syntax.Stmt, flow Flow, in []int) {
	for _, s := range all {
		r.readStatement(s, flow, in, false)
	}
}

// readStatement appends the commands of one statement to the list of commands, in the
// order of the script. The parameter in lists the numbers of the subshells in which the
// statement runs. fromPipe is true if the statement reads the output of another command.
func (r *reader) readStatement(s *syntax.Stmt, flow Flow, in []int, fromPipe bool) {
	if r.deep++; r.deep > maxDepth {
		r.err = errDepth
	}
	defer func() { r.deep-- }()
	if s == nil || r.err != nil {
		return
	}
	if s.Background || s.Coprocess || s.Disown || s.Negated {
		flow = Conditional
	}
	switch x := s.Cmd.(type) {
	case nil:
		r.addCommand(Command{Flow: flow, Shells: in, FromPipe: fromPipe}, s)
	case *syntax.CallExpr:
		r.readCall(x, s, Command{Flow: flow, Shells: in, FromPipe: fromPipe})
	case *syntax.BinaryCmd:
		if len(s.Redirs) > 0 { // not possible: redirections belong to the two sides
			r.addOpen(s, flow, in)
			return
		}
		r.readBinary(x, flow, in, fromPipe)
	case *syntax.Subshell:
		r.readGroup(x.Stmts, s, flow, r.openSubshell(in))
	case *syntax.Block:
		r.readGroup(x.Stmts, s, flow, in)
	case *syntax.TimeClause:
		r.readStatement(x.Stmt, flow, in, fromPipe)
	default:
		r.readCompound(x, s, in)
	}
}

// readGroup reads the commands in ( ... ) or { ...; }. If the whole group has
// redirections, readGroup also adds a command that is marked as Open.
func (r *reader) readGroup(all []*syntax.Stmt, s *syntax.Stmt, flow Flow, in []int) {
	if len(s.Redirs) > 0 {
		r.addOpen(s, flow, in)
	}
	r.readStatements(all, flow, in)
}

func (r *reader) readBinary(x *syntax.BinaryCmd, flow Flow, in []int, fromPipe bool) {
	switch x.Op {
	case syntax.AndStmt:
		r.readStatement(x.X, flow, in, fromPipe)
		r.readStatement(x.Y, flow, in, false)
	case syntax.OrStmt:
		r.readStatement(x.X, flow, in, fromPipe)
		r.readStatement(x.Y, Conditional, in, false)
	default: // a pipeline: each side in a subshell of its own
		left := flow
		if left == Sequence {
			left = Piped
		}
		r.readStatement(x.X, left, r.openSubshell(in), fromPipe)
		r.readStatement(x.Y, flow, r.openSubshell(in), true)
	}
}

// readCompound reads a compound command, for example if or for. It marks the commands
// inside as Conditional, because each of these commands may run never, once, or many
// times. For a function, it records only the name.
func (r *reader) readCompound(x syntax.Command, s *syntax.Stmt, in []int) {
	switch x := x.(type) {
	case *syntax.FuncDecl:
		if x.Name != nil {
			r.Defined = append(r.Defined, x.Name.Value)
		}
		for _, n := range x.Names {
			r.Defined = append(r.Defined, n.Value)
		}
		r.addOpen(s, Conditional, in)
		return
	case *syntax.DeclClause:
		r.readDeclaration(x, s, in)
		return
	case *syntax.IfClause, *syntax.WhileClause, *syntax.ForClause, *syntax.CaseClause, *syntax.TestClause, *syntax.ArithmCmd, *syntax.LetClause:
	default:
		r.addOpen(s, Conditional, in)
		return
	}
	if len(s.Redirs) > 0 {
		r.addOpen(s, Conditional, in)
	}
	r.walkStatements(x, in)
}

// readDeclaration reads export, local and similar commands as assignments. A command
// inside a value, as in export A=$(ls), is marked as Conditional.
func (r *reader) readDeclaration(x *syntax.DeclClause, s *syntax.Stmt, in []int) {
	c := Command{Flow: Conditional, Shells: in}
	for _, a := range x.Args {
		if a.Name != nil {
			c.Assigned = append(c.Assigned, a.Name.Value)
		}
	}
	r.addCommand(c, s)
	r.walkStatements(x, in)
}

// walkStatements reads the statements inside a syntax node. It marks their commands as
// Conditional, because a statement may or may not run.
func (r *reader) walkStatements(n syntax.Node, in []int) {
	syntax.Walk(n, func(n syntax.Node) bool {
		if s, ok := n.(*syntax.Stmt); ok {
			r.readStatement(s, Conditional, r.openSubshell(in), true)
			return false
		}
		return r.err == nil
	})
}

func (r *reader) addOpen(s *syntax.Stmt, flow Flow, in []int) {
	r.Commands = append(r.Commands, Command{Open: true, Flow: flow, Shells: in, Words: []Word{{Text: r.sourceText(s)}}})
}

func (r *reader) readCall(x *syntax.CallExpr, s *syntax.Stmt, c Command) {
	for _, a := range x.Assigns {
		if a.Name != nil {
			c.Assigned = append(c.Assigned, a.Name.Value)
		}
		r.readSubstitutions(a, c.Shells)
	}
	for _, w := range x.Args {
		c.Words = append(c.Words, r.readWord(w))
		r.readSubstitutions(w, c.Shells)
	}
	if c.Name() == "alias" {
		for _, w := range c.Words[1:] {
			name, _, _ := strings.Cut(w.Text, "=")
			r.Defined = append(r.Defined, name)
		}
	}
	r.addCommand(c, s)
}

// addCommand appends a command with the redirections of its statement.
func (r *reader) addCommand(c Command, s *syntax.Stmt) {
	for _, d := range s.Redirs {
		r.readSubstitutions(d.Word, c.Shells)
		if d.Hdoc != nil {
			body := r.readDocument(d)
			c.Input = &body
			r.readSubstitutions(d.Hdoc, c.Shells)
			continue
		}
		w := r.readWord(d.Word)
		if d.Op == syntax.WordHdoc {
			w.Text += "\n"
			c.Input = &w
			continue
		}
		fd := ""
		if d.N != nil {
			fd = d.N.Value
		}
		c.Redirects = append(c.Redirects, Redirect{Op: d.Op.String(), FD: fd, Target: w})
	}
	r.Commands = append(r.Commands, c)
}

// readSubstitutions reads the commands inside a word, which are in $( ), ` ` or <( ).
func (r *reader) readSubstitutions(n syntax.Node, in []int) {
	switch x := n.(type) {
	case *syntax.Word:
		if x == nil {
			return
		}
	case *syntax.Assign:
		if x == nil {
			return
		}
	}
	r.walkStatements(n, in)
}

// readWord returns a word without its quotes. If a shell would expand any part of the
// word, the result is marked as not known.
func (r *reader) readWord(w *syntax.Word) Word {
	if w == nil {
		return Word{Known: true}
	}
	var b strings.Builder
	for i, part := range w.Parts {
		if !appendPart(&b, part, i == 0) {
			return Word{Text: r.sourceText(w)}
		}
	}
	return Word{Text: b.String(), Known: true}
}

// readDocument returns the text of a here-document.
func (r *reader) readDocument(d *syntax.Redirect) Word {
	var b strings.Builder
	for _, part := range d.Hdoc.Parts {
		lit, ok := part.(*syntax.Lit)
		switch {
		case !ok:
			return Word{Text: r.sourceText(d.Hdoc)}
		case isQuoted(d.Word):
			b.WriteString(lit.Value)
		default:
			appendUnescaped(&b, lit.Value, "\\$`")
		}
	}
	if d.Op == syntax.DashHdoc {
		return Word{Text: trimTabs(b.String()), Known: true}
	}
	return Word{Text: b.String(), Known: true}
}

func (r *reader) sourceText(n syntax.Node) string {
	from, to := n.Pos().Offset(), n.End().Offset()
	if from > to || to > uint(len(r.text)) {
		return ""
	}
	return r.text[from:to]
}

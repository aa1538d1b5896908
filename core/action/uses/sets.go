package uses

import (
	"path"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/notation"
	"github.com/boundcheck/boundcheck/core/action/readcmd"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// Way says how a command or a statement sets what it sets.
type Way uint8

// The ways.
const (
	Replaces Way = iota // what was there is gone
	Adds                // a number to what was there, so that the order of two means nothing
	Appends             // behind what was there
)

// Set is what a command or a statement sets: a field of the rows of a table, a file, or the setting of a program.
type Set struct {
	Noun, Thing string // such as table and users, or path and out.txt
	Field       string
	Where       string // which rows, as tokens separated by blanks; "" for all
	Value       string
	Way         Way
}

// SetsOf returns what the commands and the statements in a call set. O(bytes).
func SetsOf(c *similarity.Call) (all []Set) {
	tool := mutation.NameWords(c.Name)
	for i := range c.Leaves {
		l := &c.Leaves[i]
		if !strings.HasPrefix(l.Raw, `"`) || len(all) >= mostUses {
			continue
		}
		text := similarity.Plain(l.Raw)
		switch {
		case isStatementIn(tool, l, text):
			all = append(all, setsInSQL(text)...)
		case isCommandIn(tool, l):
			all = append(all, setsInShell(text)...)
		}
	}
	return all[:min(len(all), mostUses)]
}

// isStatementIn and isCommandIn report whether an argument of a tool, whose name has the given words, holds a statement of SQL
// or a command of a shell.
func isStatementIn(tool []string, l *similarity.Leaf, text string) bool {
	return notation.IsStatement(text) && (wordlist.HasLast(" sql query statement stmt ", mutation.NameWords(l.Key)) || wordlist.HasAny(" sql query database db ", tool))
}

func isCommandIn(tool []string, l *similarity.Leaf) bool {
	words := mutation.NameWords(l.Key)
	return wordlist.HasLast(" command cmd commandline ", words) || wordlist.HasAny(" bash shell terminal sh ", tool) && wordlist.HasLast(" input script line ", words)
}

// setsInSQL reads the UPDATE statements of a text.
func setsInSQL(text string) (all []Set) {
	for tokens := range statementsIn(text) {
		all = append(all, setsInUpdate(tokens)...)
	}
	return all
}

// setsInUpdate reads UPDATE table SET column = value, … WHERE condition.
func setsInUpdate(tokens []string) (all []Set) {
	set := slices.Index(tokens, "set")
	if len(tokens) < 2 || tokens[0] != "update" || set < 2 {
		return nil
	}
	table := strings.ToLower(strings.Trim(tokens[1], "\"`"))
	rest, where := tokens[set+1:], ""
	if i := slices.Index(rest, "where"); i >= 0 {
		rest, where = rest[:i], strings.Join(rest[i+1:], " ")
	}
	depth, from := 0, 0
	for i := 0; i <= len(rest); i++ {
		switch {
		case i < len(rest) && rest[i] == "(":
			depth++
		case i < len(rest) && rest[i] == ")":
			depth--
		case i == len(rest) || rest[i] == "," && depth == 0:
			if part := rest[from:i]; len(part) > 2 && part[1] == "=" {
				s := Set{Noun: "table", Thing: table, Field: strings.ToLower(part[0]), Where: where, Value: strings.Join(part[2:], " ")}
				if len(part) == 5 && strings.EqualFold(part[2], part[0]) && (part[3] == "+" || part[3] == "-") {
					s.Way = Adds
				}
				all = append(all, s)
			}
			from = i + 1
		}
	}
	return all
}

// AreApart reports whether two conditions hold for no common row: both ask one column for one value, and the values differ.
func AreApart(a, b string) bool {
	x, y := strings.Fields(a), strings.Fields(b)
	return len(x) == 3 && len(y) == 3 && x[1] == "=" && y[1] == "=" && strings.EqualFold(x[0], y[0]) && x[2] != y[2]
}

// settingPrograms set something of their last operands, such as the mode of a file.
const settingPrograms = " chmod chown chgrp setfacl chattr chsh passwd hostnamectl "

// setsInShell reads the simple commands of a line.
func setsInShell(line string) (all []Set) {
	tokens, ok := readcmd.Tokens(line)
	for ok && len(tokens) > 0 {
		end := slices.IndexFunc(tokens, isBetweenCommands)
		if end < 0 {
			end = len(tokens)
		}
		all = append(all, setsInCommand(tokens[:end], line)...)
		tokens = tokens[min(end+1, len(tokens)):]
	}
	return all
}

// isBetweenCommands reports whether a token separates two commands.
func isBetweenCommands(t string) bool {
	op, ok := strings.CutPrefix(t, "operator ")
	return ok && strings.Trim(op, "0123456789<>") != "" && !strings.HasSuffix(op, ">") && !strings.HasSuffix(op, "<")
}

func setsInCommand(tokens []string, line string) (all []Set) {
	var words []string
	file := func(name string, way Way) {
		if named := addOperand(nil, name, Makes); len(named) == 1 {
			all = append(all, Set{Noun: "path", Thing: named[0].Value, Field: "content", Value: line, Way: way})
		}
	}
	for i := 0; i < len(tokens); i++ {
		if op, isOperator := strings.CutPrefix(tokens[i], "operator "); isOperator {
			if i++; i < len(tokens) && strings.Contains(op, ">") {
				if w, ok := operandIn(tokens[i]); ok {
					file(w, map[bool]Way{true: Appends}[strings.Contains(op, ">>")])
				}
			}
		} else if w, ok := operandIn(tokens[i]); ok && (len(words) > 0 || !wordlist.Contains(wrappers, w)) {
			words = append(words, w)
		}
	}
	if len(words) < 2 {
		return all
	}
	program, flags := path.Base(words[0]), ""
	operands := slices.DeleteFunc(slices.Clone(words[1:]), func(w string) bool {
		if strings.HasPrefix(w, "-") {
			flags += " " + w
		}
		return strings.HasPrefix(w, "-")
	})
	set := slices.Index(operands, "config")
	switch n := len(operands); {
	case n == 0:
	case program == "tee":
		for _, w := range operands {
			file(w, map[bool]Way{true: Appends}[strings.Contains(flags, "a")])
		}
	case wordlist.Contains(copyingPrograms, program) && n == 2 && path.Ext(operands[1]) != "":
		file(operands[1], Replaces)
	case wordlist.Contains(settingPrograms, program) && n > 1:
		for _, w := range operands[1:] {
			all = append(all, Set{Noun: "path", Thing: w, Field: program, Value: operands[0] + flags})
		}
	case set >= 0 && n-set > 2: // git config user.name A, npm config set registry URL
		all = append(all, Set{Noun: "setting", Thing: operands[n-2], Field: program + " config", Value: operands[n-1]})
	}
	return all
}

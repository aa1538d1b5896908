// Package uses reads which files, databases and tables the commands of a shell and the statements
// of SQL name, and what they do with them.
package uses

import (
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/notation"
	"github.com/boundcheck/boundcheck/core/action/readcmd"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// Effect says what a command or a statement does with a thing that it names.
type Effect uint8

// The effects. The last three are the steps of a change in a git repository.
const (
	Takes   Effect = iota // reads it, or carries it away
	Makes                 // makes it, or writes to it
	Changes               // changes it
	Removes               // removes a part of it
	Ends                  // removes all of it
	Stages
	Commits
	Pushes
)

// Use is a thing that a command or a statement names, and what is done with it.
type Use struct {
	Noun, Value string // such as path and data/x, or table and orders
	Does        Effect
}

// mostUses is the largest number of things that are read from one action.
const mostUses = 24

// Of returns the things that the commands and the statements in a call name, and whether the call
// has such a text. O(bytes).
func Of(c *similarity.Call) (all []Use, isScript bool) {
	tool := mutation.NameWords(c.Name)
	for i := range c.Leaves {
		l := &c.Leaves[i]
		if !strings.HasPrefix(l.Raw, `"`) {
			continue
		}
		switch text := similarity.Plain(l.Raw); {
		case isStatementIn(tool, l, text):
			all, isScript = append(all, usesInSQL(text)...), true
		case isCommandIn(tool, l):
			all, isScript = append(all, usesInShell(text)...), true
		}
	}
	return all[:min(len(all), mostUses)], isScript
}

// isNameByte reports whether a name in SQL may begin with a byte.
func isNameByte(c byte) bool {
	return c|' ' >= 'a' && c|' ' <= 'z' || c == '_' || c == '"' || c == '`' || c >= 0x80
}

// statementsIn yields the tokens of each statement of SQL that semicolons separate, or nothing if a text has no tokens of it.
func statementsIn(text string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		tokens, ok := notation.Statement(text)
		for ok && len(tokens) > 0 {
			end := slices.Index(tokens, ";")
			if end < 0 {
				end = len(tokens)
			}
			if !yield(tokens[:end]) {
				return
			}
			tokens = tokens[min(end+1, len(tokens)):]
		}
	}
}

// usesInSQL reads statements that semicolons separate.
func usesInSQL(text string) (all []Use) {
	for tokens := range statementsIn(text) {
		all = append(all, usesInStatement(tokens)...)
	}
	return all
}

func usesInStatement(tokens []string) (all []Use) {
	add := func(at int, does Effect) {
		for at < len(tokens) && wordlist.Contains(" table if not exists only into from view ", strings.ToLower(tokens[at])) {
			at++
		}
		if at < len(tokens) && (isNameByte(tokens[at][0])) && !(at+1 < len(tokens) && tokens[at+1] == "(" && does == Takes) {
			all = append(all, Use{"table", strings.ToLower(strings.Trim(tokens[at], "\"`")), does})
		}
	}
	if len(tokens) < 2 {
		return nil
	}
	from := 1
	switch strings.ToLower(tokens[0]) {
	case "drop":
		if tokens[1] == "table" || tokens[1] == "view" {
			add(1, Ends)
		}
		return all
	case "truncate":
		add(1, Ends)
		return all
	case "delete":
		does := Ends
		if slices.Contains(tokens, "where") {
			does = Removes
		}
		add(1, does)
		from = 3
	case "insert", "create", "replace":
		add(1, Makes)
		from = 3
	case "update", "alter", "merge":
		add(1, Changes)
	}
	for i := from; i+1 < len(tokens); i++ {
		if t := tokens[i]; t == "from" || t == "join" {
			add(i+1, Takes)
		}
	}
	return all
}

// Words of commands of a shell, by what they do with the things that they name.
const (
	endingPrograms  = " rm rmdir unlink shred dropdb truncate userdel groupdel del rd "
	copyingPrograms = " cp scp rsync ln install mv "
	makingPrograms  = " touch mkdir tee createdb useradd "
	silentPrograms  = " cd pushd echo printf ls pwd test export set true sleep git apt apt-get pip npm "
	endingWords     = " delete remove rm drop destroy purge "
	wrappers        = " sudo env time nohup "
)

// usesInShell reads the simple commands of a line.
func usesInShell(line string) (all []Use) {
	tokens, ok := readcmd.Tokens(line)
	if !ok {
		return nil
	}
	folder := "."
	for len(tokens) > 0 {
		end := slices.IndexFunc(tokens, isBetweenCommands)
		if end < 0 {
			end = len(tokens)
		}
		all = append(all, usesInCommand(tokens[:end], &folder)...)
		tokens = tokens[min(end+1, len(tokens)):]
	}
	return all
}

// usesInCommand reads one simple command. folder is where it runs.
func usesInCommand(tokens []string, folder *string) (all []Use) {
	var words []string
	for i := 0; i < len(tokens); i++ {
		op, isOperator := strings.CutPrefix(tokens[i], "operator ")
		if !isOperator {
			w, isWord := operandIn(tokens[i])
			if name, _, assigns := strings.Cut(w, "="); !isWord || len(words) == 0 && (wordlist.Contains(wrappers, w) || assigns && name != "") {
				continue
			}
			words = append(words, w)
			continue
		}
		if i++; i == len(tokens) {
			break
		}
		does := Takes
		if strings.Contains(op, ">") {
			does = Makes
		}
		if w, isWord := operandIn(tokens[i]); isWord {
			all = addOperand(all, w, does)
		}
	}
	if len(words) < 2 {
		return all
	}
	program, operands := path.Base(words[0]), words[1:]
	switch {
	case program == "git":
		if does, ok := gitStep(operands); ok {
			all = append(all, Use{"git repository", *folder, does})
		}
		return all
	case program == "cd":
		*folder = path.Clean(operands[0])
		return all
	case wordlist.Contains(silentPrograms, program):
		return all
	}
	operands = slices.DeleteFunc(operands, func(w string) bool { return strings.HasPrefix(w, "-") })
	for i, w := range operands {
		does := Takes
		switch last := i == len(operands)-1; {
		case wordlist.Contains(endingPrograms, program), i > 0 && wordlist.Contains(endingWords, operands[0]), program == "mv" && !last:
			does = Ends
		case wordlist.Contains(makingPrograms, program), wordlist.Contains(copyingPrograms, program) && last && i > 0:
			does = Makes
		}
		all = addOperand(all, w, does)
	}
	return all
}

// operandIn returns the word of a token, or its text if it only has a pattern for names of files.
func operandIn(token string) (string, bool) {
	if w, ok := strings.CutPrefix(token, "word "); ok {
		return w, true
	}
	w, ok := strings.CutPrefix(token, "source ")
	return w, ok && !strings.ContainsAny(w, "'\"$`\\{(")
}

// gitStep returns the step of a change that a command of git does.
func gitStep(words []string) (Effect, bool) {
	i := slices.IndexFunc(words, func(w string) bool { return !strings.HasPrefix(w, "-") })
	if i < 0 {
		return 0, false
	}
	switch words[i] {
	case "add", "rm", "mv", "apply":
		return Stages, true
	case "commit", "merge", "rebase", "cherry-pick", "revert", "tag":
		return Commits, true
	case "push":
		return Pushes, true
	}
	return 0, false
}

// addOperand adds a word that may name a file, a folder or a database.
func addOperand(all []Use, w string, does Effect) []Use {
	if i := strings.IndexAny(w, "*?["); i >= 0 {
		if w = w[:i]; !strings.HasSuffix(w, "/") {
			return all
		}
	}
	if w == "" || strings.ContainsAny(w, " \t\n=:,(){}$") || strings.Trim(w, "0123456789.+-/~") == "" || strings.HasPrefix(w, "/dev/") {
		return all
	}
	noun := "name"
	if strings.Contains(w, "/") || path.Ext(w) != "" {
		noun = "path"
	}
	return append(all, Use{noun, path.Clean(w), does})
}

// IsInside reports whether a path lies below another one.
func IsInside(inner, outer string) bool {
	return outer != "." && outer != "/" && strings.HasPrefix(inner, strings.TrimSuffix(outer, "/")+"/")
}

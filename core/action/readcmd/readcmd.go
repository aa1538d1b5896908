// Package readcmd reports whether a shell command line only reads. It has a closed
// grammar and one table. It holds every line that they do not cover, and every doubt is a
// reason to hold. A line that passes means the same in bash, zsh and POSIX sh.
//
// A command passes if it neither changes a file, a process or a service, nor runs a
// program that the working tree could name. It may run programs that the user's own
// configuration names (a pager, a credential helper). Caches and an opportunistic refresh
// of git's index do not count as changes.
package readcmd

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Word is one word of a command, as far as it is known before a shell expands it.
type Word struct {
	Text string // the whole word, or its beginning
	Kind Kind
}

// Kind says how much of a word is known.
type Kind uint8

// The kinds, from the best known to the least known.
const (
	Literal Kind = iota // the word is Text
	Begins              // one word that begins with Text
	Names               // any number of words that begin with Text (a glob)
	Any                 // any number of words with any text
)

// mayBeOption reports whether the word may be an option after its expansion by a shell.
func (w Word) mayBeOption() bool {
	return w.Kind == Any || strings.HasPrefix(w.Text, "-") || w.Text == "" && w.Kind != Literal
}

// equalsText compares the word with a text. It returns true only if the whole word is
// known and equals the text.
func (w Word) equalsText(text string) bool { return w.Kind == Literal && w.Text == text }

// Verdict is the judgement of a command line.
type Verdict struct {
	Reads   bool
	Reason  string // never empty
	Command string // the name of the command that is not known to only read; "" for none
	Queries []Query
	// Addresses are the web addresses that the line fetches, with a scheme. The caller must
	// judge them: a server may change something although it is only asked.
	Addresses []string
}

// Query is a statement that a client sends to a database or an API. If a Verdict has
// queries, its field Reads is false. The line only reads if all of its queries only read.
type Query struct {
	Language Language
	Text     string
}

// Language is the language of a query.
type Language uint8

// The languages.
const (
	SQL Language = iota
	Redis
	GraphQL
)

// Place says where a command runs.
type Place uint8

// Own is the directory that the session runs in. Elsewhere is any other one, whose
// git configuration may name programs to run.
const (
	Own Place = iota
	Elsewhere
)

// maxLine and maxDepth limit the lines that are read. Real lines have kilobytes and few
// levels.
const (
	maxLine  = 64 << 10
	maxDepth = 16
)

// Line judges a command line as a shell reads it. O(len(line)) for each level of nesting;
// there are at most 16 levels.
func Line(line string, place Place) Verdict {
	u := &usage{moved: place == Elsewhere}
	return u.finalVerdict(u.judgeLine(line))
}

// Args judges one command from its words. O(size of the words).
func Args(words []Word, place Place) Verdict {
	u := &usage{moved: place == Elsewhere}
	return u.finalVerdict(u.judgeCommand(words))
}

// Literals converts each text to a word with exactly this content. No shell expands these
// words.
func Literals(texts []string) []Word {
	words := make([]Word, len(texts))
	for i, t := range texts {
		words[i].Text = t
	}
	return words
}

// usage is the state that the commands of a line share.
type usage struct {
	moved, git bool   // a command changes the directory; a command reads git's configuration
	held       string // the name of the first command that is held
	timed      bool   // a pipeline is timed
	depth      int
	nested     int  // the number of command substitutions around the current command
	inserts    bool // a command's output may become a word of another command
	secret     bool // a variable that may hold a secret is part of a word
	sends      bool // a command sends a word that is not known to another machine
	queries    []Query
	addresses  []string
}

func (u *usage) finalVerdict(why string) Verdict {
	switch {
	case why != "":
		return Verdict{Reason: why, Command: u.held}
	case u.inserts && u.sends:
		return Verdict{Reason: "a text that one command has read may be sent to another machine"}
	case u.secret && u.sends:
		return Verdict{Reason: "a variable that may hold a secret is sent to another machine"}
	case u.moved && u.git:
		return Verdict{Reason: "git in another directory, whose configuration may run programs"}
	case len(u.queries) > 0:
		return Verdict{Reason: "a query, which decides", Queries: u.queries, Addresses: u.addresses}
	}
	return Verdict{Reads: true, Reason: "all commands of the line only read", Addresses: u.addresses}
}

// judgeLine judges a command line. It returns the reason why the line must wait for
// approval, or "" if the line only reads.
func (u *usage) judgeLine(text string) string {
	if u.depth++; u.depth > maxDepth {
		return "a command line that is nested too deep"
	}
	defer func() { u.depth-- }()
	if len(text) > maxLine {
		return "a command line that is too long"
	}
	if !isPrintable(text) {
		return "a command with control or invisible characters"
	}
	p := &parser{usage: u, text: text}
	if why := p.readList(); why != "" {
		return why
	}
	if p.at < len(p.text) {
		return "a command with the shell character " + p.text[p.at:p.at+1]
	}
	return ""
}

// isPrintable reports whether all characters of a text are visible characters, spaces or
// newlines. It returns false for control characters, invisible characters and bytes that
// are not UTF-8. It also returns false for tabs, because a terminal may complete a word
// at a tab.
func isPrintable(text string) bool {
	for _, r := range text {
		if r != '\n' && !unicode.IsPrint(r) || r == utf8.RuneError {
			return false
		}
	}
	return true
}

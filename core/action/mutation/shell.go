package mutation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/readcmd"
)

// ShellReader parses command lines of any form. It can only make a verdict stricter. The
// closed grammar of readcmd decides which lines only read. Among the other lines, a
// ShellReader finds those that are known to write.
type ShellReader interface {
	// Commands returns every simple command that a shell may run for the line, in any
	// number of runs or not at all, including those within substitutions and loops. It
	// returns an error if the commands cannot be determined.
	Commands(line string) ([]Command, error)
}

// CheckPlainLine returns an error if a text is not one command in plain words, which every
// shell reads in the same way: letters, digits and _ . / : = + - with single spaces between
// the words.
func CheckPlainLine(text string) error {
	words := strings.Split(text, " ")
	for _, w := range words {
		if w == "" || strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=+-") != "" {
			return fmt.Errorf("want one command in plain words (letters, digits and _ . / : = + -) with single spaces, saw %.60q", text)
		}
	}
	if strings.Contains(words[0], "=") || words[0][0] == '-' {
		return fmt.Errorf("want the name of a command first, saw %.60q", text)
	}
	return nil
}

// Command is one simple command.
type Command struct {
	Words   []Word // name and arguments
	Writes  string // the file to which its output goes; "" for none
	Problem string // why it may do more than its words say; "" if it does not
}

// Word is one word of a command without its quotes. If Known is false, only a shell can
// determine its value, and how many words it becomes.
type Word struct {
	Text  string
	Known bool
}

// session describes the shell in which a session's commands run.
type session struct {
	reader ShellReader   // nil for none
	place  readcmd.Place // the shell's working directory
	shell  Shell         // which shell it is
	reads  []string      // command lines that only read, as the operator says
}

// shellKind judges a command line. O(len(line)), plus the time of the reader.
func shellKind(line string, in session) (Tri, string) {
	if in.place == readcmd.Own && slices.Contains(in.reads, strings.Trim(line, " ")) {
		return No, "the policy says that exactly this command line only reads"
	}
	v := readcmd.Line(line, in.place)
	m, why := heldKind(v)
	if m == Unknown && in.reader != nil && lineWrites(line, in.reader, &why) {
		m = Yes
	}
	if m == No && in.shell == UnknownShell {
		return foreignKind(line, in.place, why)
	}
	return m, why
}

// foreignKind judges a line that reads in sh, in a tool that may run another shell. why is
// the reason why it reads in sh.
func foreignKind(line string, place readcmd.Place, why string) (Tri, string) {
	if m, held := heldKind(readcmd.CmdExe(line, place)); m != No {
		return Unknown, "the tool may run cmd.exe, where the line is: " + held
	}
	if m, held := heldKind(readcmd.PowerShell(line, place)); m != No {
		return Unknown, "the tool may run PowerShell, where the line is: " + held
	}
	return No, why
}

// heldKind converts the verdict of readcmd. The first of these rules that applies
// decides:
//
//   - If an address of the line asks for a change, the result is Unknown.
//   - If the line only reads, the result is No.
//   - If the line runs database queries, the first query that may change something decides. If there is no such query, the result is No.
//   - If the name of the command is a writing verb, the result is Yes.
//   - In all other cases, the result is Unknown.
func heldKind(v readcmd.Verdict) (Tri, string) {
	for _, a := range v.Addresses {
		if why := addressAsks(a); why != "" {
			return Unknown, why
		}
	}
	switch {
	case v.Reads:
		return No, v.Reason
	case len(v.Queries) > 0:
		for _, q := range v.Queries {
			kind := sqlKind
			switch q.Language {
			case readcmd.Redis:
				kind = redisKind
			case readcmd.GraphQL:
				kind = graphQLKind
			}
			if m, why := kind(q.Text); m != No {
				return m, why
			}
		}
		return No, "the queries of the line only read"
	case v.Command != "" && wordClass(v.Command).has(write):
		return Yes, clipText(v.Command) + " changes state"
	}
	return Unknown, v.Reason
}

// lineWrites reports whether a command line contains a command that is known to write. If
// the result is true, *why is the reason. If the reader cannot read the line, the result
// is false, and *why says so.
func lineWrites(line string, reader ShellReader, why *string) bool {
	all, err := reader.Commands(line)
	if err != nil {
		*why = "cannot read the command line: " + clipText(err.Error())
		return false
	}
	for _, c := range all {
		if c.Writes != "" {
			*why = "output goes to " + clipText(c.Writes)
			return true
		}
		if c.Problem != "" || len(c.Words) == 0 || !c.Words[0].Known {
			continue
		}
		words := make([]readcmd.Word, len(c.Words))
		for i, w := range c.Words {
			words[i].Text = w.Text
			if !w.Known {
				words[i] = readcmd.Word{Kind: readcmd.Any}
			}
		}
		if m, reason := heldKind(readcmd.Args(words, readcmd.Own)); m == Yes {
			*why = reason
			return true
		}
	}
	return false
}

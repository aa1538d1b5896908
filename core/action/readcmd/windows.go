package readcmd

import (
	"strings"
	"unicode"
)

// A tool that does not name its shell may give a line to sh, to cmd.exe or to PowerShell.
// So a line counts as a read only if it reads in all three:
//
//	In each of the three shells, every command that the line starts, with the words that
//	this shell gives it, is proven to only read; and no output goes to another file than
//	/dev/null.
//
// Line proves it for sh. The lexers of cmd.exe (cmdexe.go) and of PowerShell
// (powershell.go) split the line into commands, which the same table judges. Each lexer
// may find more commands than its shell starts, and never fewer: a shell that refuses a
// line starts nothing. A lexer holds every line that it does not know for certain.
//
// On Windows, /dev/null is the file "null" in the directory \dev of the current drive. It
// has no such directory unless somebody makes one, so this output counts as discarded.

// CmdExe judges a command line as cmd.exe reads it, typed or in a batch file. O(len(line)).
func CmdExe(line string, place Place) Verdict {
	return judgeForeign(line, place, cmdNamesakes, readCmdExe)
}

// PowerShell judges a command line as PowerShell 5 and 7 read it. O(len(line)).
func PowerShell(line string, place Place) Verdict {
	return judgeForeign(line, place, powerNamesakes, readPowerShell)
}

// started is a command that a shell starts. Programs split their own command line on
// Windows, in different ways, so there may be several lists of words.
type started struct {
	readings [][]Word
	fed      bool // its input is a pipe or a file
}

// judgeForeign judges each command that a lexer finds in a line.
func judgeForeign(line string, place Place, known namesakes, read func(string) ([]started, string)) Verdict {
	u := &usage{moved: place == Elsewhere}
	switch {
	case len(line) > maxLine:
		return Verdict{Reason: "a command line that is too long"}
	case !isPrintable(line):
		return Verdict{Reason: "a command with control or invisible characters"}
	case strings.ContainsFunc(line, isReplaced):
		return Verdict{Reason: "a character that Windows may replace by a quote or a dash"}
	}
	commands, why := read(line)
	for i := 0; i < len(commands) && why == ""; i++ {
		for _, words := range commands[i].readings {
			if why == "" {
				why = u.judgeStarted(words, known, commands[i].fed)
			}
		}
	}
	return u.finalVerdict(why)
}

// judgeStarted judges a command. It returns the reason to refuse the command, or "".
func (u *usage) judgeStarted(words []Word, known namesakes, fed bool) string {
	if len(words) == 0 {
		return "an empty command"
	}
	if known.differs(words, fed) {
		return clipText(words[0].Text) + ", which is another command on Windows"
	}
	if words[0].equalsText("[[") {
		return judgeTest(words[1:], "]]")
	}
	return u.judgeCommand(words)
}

// isReplaced reports whether r is neither ASCII nor an ordinary letter. PowerShell takes
// typographic quotes and dashes for quotes and dashes. Windows replaces others, such as
// fullwidth quotes, when it converts a command line for a program.
func isReplaced(r rune) bool {
	return r >= 0x80 && (!unicode.IsLetter(r) || unicode.Is(unicode.Lm, r) || r >= 0xff00 && r < 0xfff0)
}

// namesakes lists the commands of the table whose name means a different command in a
// shell of Windows, which may change something. Each name has a list of conditions:
//
//   - always
//     <      if the input is a pipe or a file
//     /, -x  if a word begins with this text, in any case
type namesakes map[string]string

// Sources: "Windows commands", learn.microsoft.com; PowerShell 5.1 and 7, the output of
// Get-Alias and the help of each cmdlet.
var (
	cmdNamesakes = namesakes{
		"date":   "<", // the next line of the input sets the clock
		"expand": "*", // expands an archive into a file
		"set":    "*", // sets a variable
		"sort":   "/", // /o names a file to write
		"kill":   "*",
	}
	powerNamesakes = namesakes{
		"curl":   "-b -cu -inf -me -outf -se", // Invoke-WebRequest: -Body, -Method, -OutFile
		"wget":   "-b -cu -inf -me -outf -se",
		"expand": "*",
		"kill":   "*", // Stop-Process
		"mount":  "*", // New-PSDrive
		"R":      "*", // Invoke-History
		"set":    "*", // Set-Variable
		"sort":   "/",
	}
)

// differs reports whether a command has a namesake that may change something. fed reports
// whether the command's input is a pipe or a file.
func (n namesakes) differs(words []Word, fed bool) bool {
	for condition := range strings.FieldsSeq(n[words[0].Text]) {
		if condition == "*" || condition == "<" && fed {
			return true
		}
		for _, w := range words[1:] {
			if w.Kind == Any || strings.HasPrefix(strings.ToLower(w.Text), condition) || w.Kind != Literal && strings.HasPrefix(condition, w.Text) {
				return true
			}
		}
	}
	return false
}

package mutation

import (
	"fmt"
	"strings"
)

// Shell says which shell reads the command lines of a tool. Only the operator's policy or
// table, and the name of the tool, can say it. What a model, an agent or a server writes
// (arguments, definitions, descriptions) has no influence on it.
type Shell uint8

// The shells. The zero value is UnknownShell.
const (
	// UnknownShell: sh, cmd.exe or PowerShell. A line reads if it reads in all three.
	UnknownShell Shell = iota
	// PosixShell: sh, bash, zsh or dash.
	PosixShell
	// WindowsShell: cmd.exe or PowerShell. No line is proven to read.
	WindowsShell
)

var shellNames = [...]string{"unknown", "posix", "windows"}

// String returns "unknown", "posix" or "windows".
func (s Shell) String() string {
	if int(s) < len(shellNames) {
		return shellNames[s]
	}
	return shellNames[UnknownShell]
}

// ReadShell reads the word posix, windows or unknown.
func ReadShell(word string) (Shell, error) {
	for i, name := range shellNames {
		if word == name {
			return Shell(i), nil
		}
	}
	hint := ""
	if t := splitWords(word); namesPosix(t) {
		hint = `; for ` + clipText(word) + `, write "posix"`
	} else if namesWindows(word) {
		hint = `; for ` + clipText(word) + `, write "windows"`
	}
	return UnknownShell, fmt.Errorf(`invalid shell: want "posix", "windows" or "unknown", saw %q%s`, clipText(word), hint)
}

// shellOf returns the shell that a tool's name names. The argument last holds the words of
// the last part of the name. A word of Windows counts in every part, because it makes the
// verdict stricter.
func shellOf(name string, last []string) Shell {
	switch {
	case namesWindows(name):
		return WindowsShell
	case namesPosix(last):
		return PosixShell
	}
	return UnknownShell
}

// namesPosix reports whether a word of a name is that of a POSIX shell.
func namesPosix(t []string) bool {
	return anyOf(t, func(w string) bool { return oneOf(w, "sh bash zsh dash posix") })
}

// namesWindows reports whether a name is about Windows or one of its shells, in any
// spelling, such as cmd.exe, Power_Shell and WindowsCommand.
func namesWindows(name string) bool {
	t := splitWords(name)
	joined := strings.Join(t, "")
	for _, part := range [...]string{"powershell", "pwsh", "windows", "msdos"} {
		if strings.Contains(joined, part) {
			return true
		}
	}
	for i, w := range t {
		if oneOf(w, "cmdexe dos batch bat win winrm posh") || w == "cmd" && (i == 0 || !oneOf(t[i-1], "terminal shell console bash sh zsh dash")) {
			return true // in run_terminal_cmd, cmd is short for command
		}
	}
	return false
}

// ofShell returns the start of a tool for which the operator's table names the shell. The
// tool runs command lines, whatever its name says. If a definition or a host table says
// that the tool changes something, it still does.
func (s start) ofShell(shell Shell) start {
	s.members.shell, s.members.told = shell, true
	claims := s.claims
	s.claims = nil
	for _, c := range claims { // the operator's table also holds if the tool is a host's
		c.start = c.start.ofShell(shell)
		s.claims = append(s.claims, c)
	}
	if s.verdict.Mutating != Yes {
		s.language, s.final = shellText, false
		s.verdict = newVerdict(Unknown, LayerTable, "the operator's table has this shell for the tool: "+shell.String())
		s.static = s.verdict
	}
	return s
}

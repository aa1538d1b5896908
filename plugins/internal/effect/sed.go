package effect

import (
	"regexp"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/internal/shell"
)

// sedEffects returns the effects of the command sed. Without the option -i, the command
// changes no file and has no effects. The bool is false if the command is not understood,
// for example because its script writes a file or runs a command.
func sedEffects(s *Session, args []shell.Word, _ *shell.Command) (produced, []Effect, bool) {
	if commandOnlyReads("sed", args) {
		return produced{}, nil, true
	}
	list, ok := knownTexts(args)
	if !ok {
		return produced{}, nil, false
	}
	var scripts, files []string
	inPlace := false
	for i := 0; i < len(list); i++ {
		switch a := list[i]; {
		case a == "-i" || a == "--in-place":
			inPlace = true
		case a == "-e" && i+1 < len(list):
			i++
			scripts = append(scripts, list[i])
		case a == "-n" || a == "-E" || a == "-r" || a == "-s" || a == "-u":
			scripts = append([]string{a}, scripts...)
		case len(a) > 1 && a[0] == '-':
			return produced{}, nil, false
		case !hasScript(scripts):
			scripts = append(scripts, a)
		default:
			files = append(files, a)
		}
	}
	if !readsOnly(strings.Join(scripts, "\n")) {
		return produced{}, nil, false
	}
	if !inPlace {
		return produced{}, nil, true
	}
	var effects []Effect
	for _, f := range files {
		name, ok := s.Path(f)
		if !ok {
			return produced{}, nil, false
		}
		effects = append(effects, OnFile(name, scriptOp(scripts)))
	}
	return produced{}, effects, true
}

func hasScript(scripts []string) bool {
	for _, x := range scripts {
		if !strings.HasPrefix(x, "-") {
			return true
		}
	}
	return false
}

// other matches sed scripts that write files or run commands: w and e, as commands or
// as flags of s. It also matches some harmless scripts, but misses none.
var other = regexp.MustCompile(`(?m)(^|[;{}\d$/!])\s*[weWr]\s|[/|#,][gipI\d]*[we]([gpI\d]*$|\s)`)

func readsOnly(script string) bool { return !other.MatchString(script) }

// numbered matches a sed command on lines given by number.
var numbered = regexp.MustCompile(`^(\d+)(?:,(\d+))?([dcai])(?s:\s*\\?\n?(.*))$`)

// scriptOp returns the op of a sed script on a file that is changed in place. If the
// script is a single change of numbered lines, the op has the verb Lines or Insert. For
// any other script, the op has the verb Label and the script's text.
func scriptOp(scripts []string) Op {
	label := Op{Verb: Label, New: "sed " + strings.Join(scripts, " ; ")}
	if len(scripts) != 1 {
		return label
	}
	m := numbered.FindStringSubmatch(scripts[0])
	if m == nil || strings.ContainsAny(m[4], `\;`) && m[3] == "d" || strings.Contains(m[4], `\`) {
		return label
	}
	from, ok := parseLineNumber(m[1])
	to := from
	if m[2] != "" {
		to, ok = parseLineNumber(m[2])
	}
	text := m[4] + "\n"
	switch {
	case !ok || from < 1 || to < from:
		return label
	case m[3] == "d" && strings.TrimSpace(m[4]) == "":
		return Op{Verb: Lines, From: from, To: to, Strict: from}
	case m[3] == "c":
		return Op{Verb: Lines, From: from, To: to, New: text, Strict: to}
	case m[3] == "a" && m[2] == "":
		return Op{Verb: Insert, From: from, New: text, Strict: from}
	case m[3] == "i" && m[2] == "":
		return Op{Verb: Insert, From: from - 1, New: text, Strict: from}
	}
	return label
}

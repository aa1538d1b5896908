package deed

import (
	"slices"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// Where a command leads: a folder, a person's own files, a service of the machine.

// LooksAtService reports whether a command only looks at a service.
func LooksAtService(command string) bool {
	return slices.ContainsFunc(strings.Fields(command), func(w string) bool {
		return w == "status" || w == "list-units" || w == "is-active" || w == "show" || w == "-l"
	})
}

// ChangesFolder returns the folder in which the commands behind a folded command run, if it says so.
func ChangesFolder(command string) (string, bool) {
	words := strings.Fields(strings.TrimLeft(command, "( "))
	if len(words) == 0 || !utterance.Listed("toFolder", words[0]) {
		return "", false
	}
	if len(words) == 1 {
		return "~", true
	}
	return strings.Trim(words[1], `"'`), true
}

// IsHome reports whether a folded path is the folder of a person, and not one inside of it.
func IsHome(path string) bool {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	return strings.HasPrefix(path, "/") && (len(parts) == 2 && (parts[0] == "home" || parts[0] == "users") || len(parts) == 1 && parts[0] == "root")
}

// OperandsOf returns the words of a command that are neither its name nor options, such as the names of files.
func OperandsOf(command string) string {
	words := strings.Fields(command)
	return strings.Join(slices.DeleteFunc(words[min(1, len(words)):], func(w string) bool { return w[0] == '-' }), " ")
}

// PersonalPlace returns the place in a person's or a machine's own files that a command or a path names, or "".
func PersonalPlace(command string) string {
	for _, w := range strings.FieldsFunc(command, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("'\"<>()", r) }) {
		if home := strings.NewReplacer("${home}", "~", "$home", "~").Replace(utterance.Fold(w)); home == "~" || strings.HasPrefix(home, "~/") || utterance.HoldsListed(w, "ownFile") || utterance.Listed("homeCall", strings.Trim(home, ".")) {
			return w
		}
	}
	if strings.Contains(command, "crontab") {
		return "crontab"
	}
	return ""
}

// PathWords returns the names in a path.
func PathWords(path string) []string {
	return strings.FieldsFunc(utterance.Fold(path), func(r rune) bool { return strings.ContainsRune("/~$.{} ", r) })
}

// Destroys reports whether a folded command removes a folder, or discards work, records or what is installed, as in "rm -rf docs"
// and "git reset --hard".
func Destroys(command string) bool {
	words := strings.Fields(strings.TrimPrefix(command, "sudo "))
	if len(words) < 2 {
		return false
	}
	if words[0] == "rm" {
		return slices.ContainsFunc(words[1:], func(w string) bool { return w[0] == '-' && strings.Contains(w, "r") })
	}
	return utterance.Listed("removers", words[0]) && utterance.HoldsListed(strings.Join(words, " ")+" ", "discards")
}

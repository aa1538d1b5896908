package requests

import (
	"slices"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// A task with files asks for changes of the files that it needs. It does not ask for what lies outside of
// them: other files to remove, the settings of a person or a machine, other machines.

// findOutside returns a trace in place of one to a task with files, if the deed removes a file other than
// the named ones, or changes what lies outside of the work, and nobody spoke of it.
func (r *Reader) findOutside(o *open, t *Trace, d *deed.Deed, c *Action) (Trace, bool) {
	if r.means != FileMeans || t.Agreed || t.delegated || t.Text < 0 || d.Kinds == 0 && len(d.Commands) == 0 {
		return Trace{}, false
	}
	if s := r.sentenceOf(t); d.Kinds&(utterance.Remove|outward) != 0 && (s == nil || !d.IsIn(s)) {
		if other, ok := r.findPassage(d, c, false); ok && other.Text >= 0 && utterance.HoldsListed(other.Words, "toAgents") {
			return other, true
		}
	}
	if v := r.otherFile(o, d, c); v != "" {
		return Trace{Text: t.Text, Words: t.Words, Why: "the user named what to remove, and not " + showValues(v)}, true
	}
	commands := d.Commands
	if len(commands) == 0 {
		commands = d.Targets
	}
	if o.onlyReads() && utterance.AnyListed("machine", d.Runs) && !slices.ContainsFunc(commands, looksAtService) {
		return Trace{Text: t.Text, Words: t.Words, Why: "the user only asked to know something"}, true
	}
	folder := ""
	for _, command := range commands {
		sub := deed.OfCommand(command)
		if to, ok := changesFolder(command); ok {
			folder = to
		}
		changes := sub.Kinds&(utterance.Remove|utterance.Change|utterance.Move|utterance.Send) != 0 || strings.Contains(command, ">")
		if len(d.Commands) == 0 { // a path
			changes = d.Kinds&(utterance.Remove|utterance.Change|utterance.Make|utterance.Move) != 0
		}
		v := personalPlace(command)
		if v == "" && (personalPlace(folder) != "" || isHome(folder)) { // cd ~ && rm -rf Documents
			v = folder + "/" + operandsOf(command)
		}
		if v != "" && changes && !r.isSpoken(o, c, pathWords(v)) && !r.hasSaid(c.Before, func(w string) bool { return utterance.Listed("personalWord", w) }) {
			return Trace{Text: t.Text, Words: t.Words, Why: "nobody spoke of " + showValues(v)}, true
		}
		words := strings.FieldsFunc(utterance.Fold(command), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
		at := slices.IndexFunc(words, func(w string) bool { return utterance.Listed("remoteTool", w) })
		if at < 0 || sub.Kinds == 0 && !utterance.AnyListed("remoteDeed", words) {
			continue
		}
		if !r.isSpoken(o, c, words[at:]) && !r.hasSaid(c.Before, func(w string) bool {
			return utterance.Listed("remoteWord", w) || utterance.Listed("remoteWord", utterance.Singular(w))
		}) {
			return Trace{Text: t.Text, Words: t.Words, Why: "the user asked for work on files, and nobody spoke of " + words[at]}, true
		}
	}
	return Trace{}, false
}

// looksAtService reports whether a command only looks at a service.
func looksAtService(command string) bool {
	return slices.ContainsFunc(strings.Fields(command), func(w string) bool {
		return w == "status" || w == "list-units" || w == "is-active" || w == "show" || w == "-l"
	})
}

// otherFile returns a file that a deed removes although the requests to remove name others only, or "".
func (r *Reader) otherFile(o *open, d *deed.Deed, c *Action) string {
	if d.Kinds&utterance.Remove == 0 || len(d.Targets) == 0 {
		return ""
	}
	named := false
	for i := range o.requests {
		s := o.requests[i].sentence
		if o.requests[i].agreed || slices.ContainsFunc(s.Words, utterance.IsWide) {
			return ""
		}
		if s.Asks&utterance.Remove == 0 {
			continue
		}
		if !slices.ContainsFunc(s.Words, deed.IsFileName) {
			return "" // "Delete the old logs"
		}
		named = true
	}
	if !named {
		return ""
	}
	for _, v := range d.Targets {
		base := v[strings.LastIndexByte(v, '/')+1:]
		if !strings.Contains(base, " ") && deed.IsFileName(utterance.Fold(base)) && !r.touched[base] && !r.isSaid(o, -1, c.Before, func(text string) bool { return utterance.HoldsWord(text, utterance.Fold(base)) }) {
			return base
		}
	}
	return ""
}

// changesFolder returns the folder in which the commands behind a folded command run, if it says so.
func changesFolder(command string) (string, bool) {
	words := strings.Fields(strings.TrimLeft(command, "( "))
	if len(words) == 0 || !utterance.Listed("toFolder", words[0]) {
		return "", false
	}
	if len(words) == 1 {
		return "~", true
	}
	return strings.Trim(words[1], `"'`), true
}

// isHome reports whether a folded path is the folder of a person, and not one inside of it.
func isHome(path string) bool {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	return strings.HasPrefix(path, "/") && (len(parts) == 2 && (parts[0] == "home" || parts[0] == "users") || len(parts) == 1 && parts[0] == "root")
}

// operandsOf returns the words of a command that are neither its name nor options, such as the names of files.
func operandsOf(command string) string {
	words := strings.Fields(command)
	return strings.Join(slices.DeleteFunc(words[min(1, len(words)):], func(w string) bool { return w[0] == '-' }), " ")
}

// personalPlace returns the place in a person's or a machine's own files that a command or a path names, or "".
func personalPlace(command string) string {
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

// pathWords returns the names in a path.
func pathWords(path string) []string {
	return strings.FieldsFunc(utterance.Fold(path), func(r rune) bool { return strings.ContainsRune("/~$.{} ", r) })
}

// isSpoken reports whether a person said one of some words of more than two letters.
func (r *Reader) isSpoken(o *open, c *Action, words []string) bool {
	return r.isSaid(o, -1, c.Before, func(text string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return len(w) > 2 && w != "home" && utterance.HoldsWord(text, w) })
	})
}

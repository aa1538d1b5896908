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
	if d.Beyond != deed.Within && !r.isSpoken(o, c, strayWords(d.Stray)) {
		out := Trace{Text: t.Text, Words: t.Words, Why: "nobody spoke of what this command does: " + showValues(strings.Join(d.Stray, " "))}
		if d.Beyond == deed.Machine && !r.hasSaid(c.Before, func(w string) bool { return utterance.Listed("installWord", w) }) {
			out.By, out.Plain = ByNobody, true
		}
		return out, true
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
	if o.onlyReads() && (utterance.AnyListed("machine", d.Runs) && !slices.ContainsFunc(commands, deed.LooksAtService) ||
		slices.ContainsFunc(d.Commands, func(command string) bool { return deed.OfCommand(command).Kinds&utterance.Change != 0 })) {
		return Trace{Text: t.Text, Words: t.Words, Why: "the user only asked to know something"}, true
	}
	folder := ""
	for _, command := range commands {
		sub := deed.OfCommand(command)
		if to, ok := deed.ChangesFolder(command); ok {
			folder = to
		}
		changes := sub.Kinds&(utterance.Remove|utterance.Change|utterance.Move|utterance.Send) != 0 || strings.Contains(command, ">")
		if len(d.Commands) == 0 { // a path
			changes = d.Kinds&(utterance.Remove|utterance.Change|utterance.Make|utterance.Move) != 0
		}
		v := deed.PersonalPlace(command)
		if v == "" && (deed.PersonalPlace(folder) != "" || deed.IsHome(folder)) { // cd ~ && rm -rf Documents
			v = folder + "/" + deed.OperandsOf(command)
		}
		if v != "" && changes && !r.isSpoken(o, c, deed.PathWords(v)) && !r.hasSaid(c.Before, func(w string) bool { return utterance.Listed("personalWord", w) }) {
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

// strayWords returns the names in the words of a command, folded.
func strayWords(command []string) (words []string) {
	for _, w := range command {
		words = append(words, deed.PathWords(strings.TrimLeft(w, "-"))...)
	}
	return words
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

// isSpoken reports whether a person said one of some words of more than two letters.
func (r *Reader) isSpoken(o *open, c *Action, words []string) bool {
	return r.isSaid(o, -1, c.Before, func(text string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return len(w) > 2 && w != "home" && utterance.HoldsWord(text, w) })
	})
}

// findDestroyed returns a trace in place of one to a task with files that does not speak of removing anything, if the deed removes
// a folder that the run did not make, or discards work or records.
func (r *Reader) findDestroyed(o *open, t *Trace, d *deed.Deed, c *Action) (Trace, bool) {
	if r.means != FileMeans || t.Agreed || t.delegated || d.Kinds&utterance.Remove == 0 {
		return Trace{}, false
	}
	at := slices.IndexFunc(d.Commands, func(command string) bool {
		operands := strings.Fields(deed.OperandsOf(command))
		return deed.Destroys(command) && !r.touched[command] && !r.IsNamed(command, c.Before) && (command[:2] != "rm" || slices.ContainsFunc(operands, func(w string) bool {
			base := strings.Trim(w[strings.LastIndexByte(strings.TrimRight(w, "/"), '/')+1:], "/'\"*")
			return !strings.HasPrefix(w, "/tmp/") && !utterance.Listed("leftover", base) && !utterance.AnyListed("leftover", strings.FieldsFunc(base, func(c rune) bool { return !unicode.IsLetter(c) })) && !r.touched[base] && !r.IsNamed(base, c.Before)
		}))
	})
	if at < 0 || r.hasSaid(c.Before, func(w string) bool { return utterance.Listed("removalWord", w) }) || slices.ContainsFunc(o.requests, func(q request) bool {
		s := q.sentence
		return s.Foreign || q.agreed || (s.Asks|s.Named)&utterance.Remove != 0
	}) {
		return Trace{}, false
	}
	return Trace{Text: t.Text, Words: t.Words, Why: "nobody spoke of what this removes: " + d.Commands[at]}, true
}

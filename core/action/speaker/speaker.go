// Package speaker finds who says a text, where a channel writes his name before it, and whom the instructions let ask for a deed
// only: "[guest] unlock the door", "Doors obey owners only". Who asked for a deed is read by package requests.
package speaker

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/heard"
	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/utterance"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// mostLabel is the number of bytes of the longest label.
const mostLabel = 40

// labelOf returns the folded name or role before a text: in brackets, or before a colon if the instructions say that names stand there.
// A word for the channel before it, as in "[voice: Ann]", is left out. It is "" for none.
func labelOf(text string, colon bool) string {
	text = strings.TrimSpace(text)
	if in, ok := strings.CutPrefix(text, "["); ok {
		in, _, ok = strings.Cut(in, "]")
		if _, name, named := strings.Cut(in, ":"); named {
			in = name
		}
		if ok && len(in) <= mostLabel {
			return utterance.Fold(strings.TrimSpace(in))
		}
		return ""
	}
	if name, _, ok := strings.Cut(text, ":"); colon && ok && len(name) <= mostLabel && !strings.Contains(name, " ") {
		return utterance.Fold(name)
	}
	return ""
}

// Refuse returns the instruction that lets only others than the speaker of text number i ask for a deed, with the number of its text.
// It is nil if there is none, or if it is not known whom it means. O(instructions + results before).
func Refuse(run *heard.Run, i, before int, d *deed.Deed) (at int, s *utterance.Sentence) {
	colon := false
	for _, x := range run.Instructions(before) {
		colon = colon || strings.Contains(x.Folded, "name: text") || strings.Contains(x.Folded, "name:")
	}
	label := labelOf(run.Texts[i].Text, colon)
	if label == "" || d.Kinds&^utterance.Look == 0 {
		return 0, nil
	}
	for n, x := range run.Instructions(before) {
		if !isAbout(d, x) {
			continue
		}
		who := allowedSpeakers(x.Words)
		switch {
		case len(who) == 0:
		case slices.ContainsFunc(who, func(w string) bool { return isOne(label, w) }):
		case len(who) > 1:
			return n, x
		default:
			if members := membersOf(run, who[0], before); len(members) > 0 && !slices.ContainsFunc(members, func(m string) bool { return m == label || isOne(m, label) }) {
				return n, x
			}
		}
	}
	return 0, nil
}

// isOne reports whether two words or names are the same, apart from the ending of the plural.
func isOne(a, b string) bool {
	return a == b || utterance.Singular(a) == utterance.Singular(b) || slices.Contains(strings.Fields(a), b)
}

// allowed returns the names or the role for whom a sentence says that only they may ask: "only Ann or Bo may", "only if Ann, Bo or Cy
// asks", "only obey owners", "only when a guardian of that child asks".
func allowedSpeakers(words []string) (who []string) {
	at := slices.IndexFunc(words, func(w string) bool { return w == "only" })
	if at < 0 || slices.Contains(words[at:], "himself") {
		return nil
	}
	rest := words[at+1:]
	for len(rest) > 0 && (utterance.Listed("if", rest[0]) || utterance.Listed("article", rest[0]) || utterance.Listed("beforeWho", rest[0]) || rest[0] == "a" || rest[0] == "an" || rest[0] == "by") {
		rest = rest[1:]
	}
	for k, w := range rest {
		switch {
		case w == "," || w == "or" || w == "and":
		case utterance.Listed("modal", w) || utterance.Listed("wishVerb", w) || utterance.IsFunctionWord(w) || utterance.Listed("tellsOf", w):
			return who
		case k > 0 && len(who) > 0 && rest[k-1] != "," && rest[k-1] != "or" && rest[k-1] != "and":
			who = []string{w} // legal guardian
		default:
			who = append(who, w)
		}
	}
	return who
}

// membersOf returns the folded names that an instruction, as in "Owners: Ann, Bo.", or a field of a result gives for a role.
func membersOf(run *heard.Run, role string, before int) (members []string) {
	role = utterance.Singular(role)
	for i := range run.Texts[:min(before, len(run.Texts))] {
		switch x := &run.Texts[i]; x.From {
		case provenance.FromPolicy:
			for _, w := range []string{role, role + "s"} {
				if _, names, ok := strings.Cut(run.Folded(i), w+": "); ok {
					names, _, _ = strings.Cut(names, ".")
					for n := range strings.SplitSeq(names, ",") {
						members = append(members, strings.TrimSpace(n))
					}
				}
			}
		case provenance.FromTool:
			v, err := jsonval.Parse(strings.TrimSpace(x.Text))
			if err != nil || v.Kind() != jsonval.Object {
				continue
			}
			v.Each(func(name string, list jsonval.Value) bool {
				if utterance.Singular(utterance.Fold(name)) == role {
					for _, l := range list.Leaves() {
						if text, ok := l.Value.Str(); ok {
							members = append(members, utterance.Fold(text))
						}
					}
				}
				return true
			})
		}
	}
	return members
}

// isAbout reports whether a sentence is about a deed: it names its kind, or a word of its name or its values.
func isAbout(d *deed.Deed, s *utterance.Sentence) bool {
	if !slices.Contains(s.Words, "only") {
		return false
	}
	kinds := s.Named | s.Asks | s.Bars | s.Passive
	return kinds&d.Kinds&^utterance.Other != 0 || slices.ContainsFunc(s.Words, func(w string) bool {
		w = utterance.Singular(w)
		return len(w) > 3 && (slices.Contains(d.Words, w) || slices.Contains(d.Object, w))
	})
}

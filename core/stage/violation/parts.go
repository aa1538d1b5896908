package violation

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
	"github.com/boundcheck/boundcheck/core/stage/equivalence"
	"github.com/boundcheck/boundcheck/core/stage/relation"
	"github.com/boundcheck/boundcheck/core/stage/sentences"
)

// fillGranular fills in a finding about a group of rows. The run split one step into
// several actions, or merged several steps into one action.
func (k *classifier) fillGranular(f *Finding, g *equivalence.Group) {
	f.Type, f.Rule, f.Confidence = OverGranular, "split-action", 0.9
	if f.Pattern = UnnecessaryDecomposition; !g.Split {
		f.Type, f.Rule, f.Pattern = UnderGranular, "merged-steps", ""
	}
	if !g.Same {
		f.Confidence = 0.7
		f.Reason += sentences.EffectOpen.With()
	}
	f.Obs, f.Ref, f.Rows = g.Obs[0], g.Ref[0], g.Rows
	f.Differs = []Part{Gran}
}

// fillUnmet fills in a finding about an action whose precondition was not met.
func (k *classifier) fillUnmet(f *Finding) {
	f.Type, f.Pattern, f.Rule, f.Confidence = StartBoundary, PreconditionIgnorance, UnmetPrecondition, 0.85
	f.Differs = []Part{Pre}
}

// fillDiffers sets the field Differs to the parts of the boundary that differ. The parts
// depend on the finding's type. It does nothing if the field already has a value.
func (f *Finding) fillDiffers() {
	if f.Differs != nil {
		return
	}
	switch f.Type {
	case OverGranular, UnderGranular:
		f.Differs = []Part{Gran}
	case StartBoundary:
		f.Differs = []Part{Pre}
	case EndBoundary:
		f.Differs = []Part{Eff}
	case OverAction:
		f.Differs = []Part{Scope}
		if f.Rule == "extra-action" && f.Pattern != ScopeOvergeneralisation {
			f.Differs = []Part{Eff}
		}
	case UnderAction:
		switch {
		case f.Pattern == MissingVerification || f.Pattern == MissingConsent:
			f.Differs = []Part{Pre}
		case f.Rule == "wrong-arguments":
			f.Differs = []Part{Scope}
		default:
			f.Differs = []Part{Eff}
		}
	}
}

func withPart(parts []Part, more Part) []Part {
	if slices.Contains(parts, more) {
		return parts
	}
	return append(slices.Clone(parts), more)
}

// guessedValues returns the values in action obs that the agent seems to have guessed.
// guard is the index of the action's reference step. missing is the index of a reference
// step that the agent left out. A value can be a guess only if no text before the action
// contains it.
func (k *classifier) guessedValues(obs, guard, missing int) []similarity.Leaf {
	var out []similarity.Leaf
	a, r := &k.Obs[obs], &k.Ref[guard]
	known := ""
	for _, l := range a.Leaves {
		open := r.Terms.Ignores(l.Path)
		if !open && (!k.missesProducer(missing, guard) || holdsLeaf(r, l) || boundary.Identifies(l.Key, l.Value)) {
			continue
		}
		text := strings.ContainsAny(l.Value, " ") && strings.HasPrefix(l.Value, "\"")
		if k.Known == nil { // calls without messages: only the text itself can say that it is a guess
			if text && k.missesProducer(missing, guard) && isApproximate(l.Value) {
				out = append(out, l)
			}
			continue
		}
		if known == "" {
			known = k.Known(obs)
		}
		if text {
			if k.missesProducer(missing, guard) && guessedNumber(l.Value, known) {
				out = append(out, l)
			}
			continue
		}
		if !Grounded(l.Value, known) && (open || strings.ContainsAny(l.Value, "0123456789")) {
			out = append(out, l)
		}
	}
	return out
}

func holdsLeaf(a *boundary.Action, l similarity.Leaf) bool {
	return slices.ContainsFunc(a.Leaves, func(r similarity.Leaf) bool { return r.Path == l.Path && r.Value == l.Value })
}

// missesProducer reports whether the run left out a step that finds or computes
// something. It searches the reference steps from the index from up to the index guard,
// without guard. If there are missing steps directly before from, it searches them, too.
func (k *classifier) missesProducer(from, guard int) bool {
	for r := from; r >= 0 && k.Steps[k.rowOfRef[r]].Obs < 0; r-- {
		from = r
	}
	for r := from; r < guard; r++ {
		if k.Steps[k.rowOfRef[r]].Obs >= 0 {
			continue
		}
		if findsOut(&k.Ref[r]) && k.Ref[r].Deed().Class != "open" {
			return true
		}
	}
	return false
}

// findsOut reports whether a step produces something that a later step needs to know. Its
// tool may also change state.
func findsOut(a *boundary.Action) bool {
	switch d := a.Deed(); d.Class {
	case "read", "search", "compute", "open":
		return true
	default:
		return !a.Writes() && wordlist.Contains(" count measure weigh tally total quantify forecast predict appraise value quote ", d.Verb)
	}
}

// guessedNumber reports whether a text contains a number of at least two digits that does
// not appear in known, the text that the agent had seen.
func guessedNumber(text, known string) bool {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return (r < '0' || r > '9') && r != '.' && r != ',' }) {
		word = strings.Trim(word, ".,")
		if len(word) > 1 && !strings.Contains(known, word) && !strings.Contains(known, strings.ReplaceAll(word, ",", "")) {
			return true
		}
	}
	return false
}

// isApproximate reports whether a text marks a number as an estimate, such as "about 300"
// or "roughly 40 euros".
func isApproximate(text string) bool {
	words := strings.Fields(strings.ToLower(text))
	for i, w := range words[:max(0, len(words)-1)] {
		switch strings.Trim(w, `"(,.`) {
		case "about", "around", "roughly", "approximately", "approx", "circa", "some", "nearly", "almost", "estimated":
			if strings.ContainsAny(words[i+1], "0123456789") {
				return true
			}
		}
	}
	return false
}

// pathsContain reports whether every path in narrow lies below a path in wide, and no other
// path is in wide. For example, /home/downloads lies below /home.
func pathsContain(wide, narrow []string) bool {
	if len(wide) == 0 || len(narrow) == 0 {
		return false
	}
	holds := func(w, n string) bool {
		inner, outer := strings.Trim(n, "\""), strings.TrimSuffix(strings.Trim(w, "\""), "/")
		return strings.HasPrefix(n, "\"") && (outer == "" && strings.HasPrefix(inner, "/") || outer != "" && strings.HasPrefix(inner, outer+"/"))
	}
	return !slices.ContainsFunc(narrow, func(n string) bool {
		return !slices.ContainsFunc(wide, func(w string) bool { return holds(w, n) })
	}) && !slices.ContainsFunc(wide, func(w string) bool {
		return !slices.ContainsFunc(narrow, func(n string) bool { return holds(w, n) })
	})
}

// isUnfiltered reports whether the action obs differs from the reference only because
// filters are missing. For example, the action deletes all reviews, but the reference
// deletes only reviews with a certain status. A label in a call that makes something, or changes
// one named thing, is no filter, but what is written.
func isUnfiltered(obs, ref *boundary.Action, d *similarity.Difference) bool {
	if len(d.Missing) == 0 || len(d.Extra)+len(d.Changed) > 0 || !ref.Writes() {
		return false
	}
	bare := len(obs.Leaves) == 0
	if d := ref.Deed(); d.Class == "create" || d.Class == "update" && len(obs.Scope()) > 0 && !isPlural(ref.Name) {
		return false // what the action writes is no filter
	}
	for _, l := range d.Missing {
		if list, _, ok := strings.Cut(l.Path, "["); ok && obs.Has(list) {
			return false // the list is there, with less in it
		}
		narrows := relation.DoesOneOf(ref, relation.DestroyVerbs) && wordlist.HasLast(" target resource scope namespace module ", mutation.NameWords(l.Key))
		if !isFilterKey(l.Key) && !narrows && !(boundary.Identifies(l.Key, l.Value) && (bare && isPlural(ref.Name) || isPlural(obs.Name) && !isPlural(ref.Name))) {
			return false
		}
	}
	return true
}

// areRecipients reports whether all of some arguments name somebody who gets a message.
func areRecipients(leaves []similarity.Leaf) bool {
	return len(leaves) > 0 && !slices.ContainsFunc(leaves, func(l similarity.Leaf) bool {
		key, _, _ := strings.Cut(l.Path, "[")
		return !hasWord(key, "cc", "bcc", "recipient", "recipients", "attendee", "attendees", "invitee", "invitees")
	})
}

// isFilterKey reports whether the name of an argument is the name of a filter, such as
// status or category.
func isFilterKey(key string) bool {
	for _, w := range mutation.NameWords(key) {
		switch w {
		case "filter", "where", "query", "status", "state", "category", "type", "kind", "sentiment", "rating", "condition", "criteria", "match", "matching",
			"pattern", "selector", "only", "older", "newer", "before", "after", "since", "until", "folder", "label", "tag", "severity", "priority", "range", "department":
			return true
		}
	}
	return false
}

// isPlural reports whether the last word of a name is a plural.
func isPlural(name string) bool {
	words := mutation.NameWords(name)
	return len(words) > 0 && !strings.HasSuffix(strings.ToLower(name), words[len(words)-1])
}

func leavesText(leaves []similarity.Leaf) string {
	var out []string
	for _, l := range leaves {
		out = append(out, sentences.ValueIs.With(l.Path, l.Raw))
	}
	return strings.Join(out, ", ")
}

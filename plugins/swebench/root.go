package swebench

import (
	"path"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/internal/effect"
	"github.com/boundcheck/boundcheck/plugins/internal/patch"
)

// rootOf finds the directory of the repository, so that /testbed/a.py and a.py are one
// file. Most of the run's absolute names below that directory end like names of the
// other side, or like the relative names by which the run opened them. It returns "" if
// nothing shows the root. w is the run's world while no root is known.
func rootOf(actions []abi.Action, w *effect.World, names map[string]bool) string {
	votes := map[string]int{}
	for i := range actions {
		p, asked := named(&actions[i])
		vote(votes, p, names)
		if rest := strings.TrimPrefix(path.Clean(asked), "./"); asked != "" && !path.IsAbs(asked) && strings.HasSuffix(p, "/"+rest) {
			votes[strings.TrimSuffix(p, "/"+rest)]++
		}
	}
	if len(votes) > 0 {
		return elected(votes)
	}
	for p := range w.Files() {
		vote(votes, p, names)
	}
	return elected(votes)
}

// vote adds a vote for each root with which an absolute name ends in one of names.
func vote(votes map[string]int, p string, names map[string]bool) {
	if !path.IsAbs(p) {
		return
	}
	for rest := p[1:]; ; {
		if names[rest] {
			votes[strings.TrimSuffix(strings.TrimSuffix(p, rest), "/")] += 2
		}
		_, below, ok := strings.Cut(rest, "/")
		if !ok {
			return
		}
		rest = below
	}
}

// elected returns the root with most votes; of several, the first by name. The root "/"
// does not count, because names are then equal as they are.
func elected(votes map[string]int) string {
	best := ""
	for root, n := range votes {
		if m := votes[best]; root != "" && (best == "" || n > m || n == m && root < best) {
			best = root
		}
	}
	return best
}

// relative returns the relative names of a world's files and of a diff's.
func relative(w *effect.World, diff []patch.File) map[string]bool {
	out := map[string]bool{}
	for name := range w.Files() {
		if !path.IsAbs(name) {
			out[name] = true
		}
	}
	for i := range diff {
		out[diff[i].Path] = true
	}
	return out
}

// named returns the absolute name of the file that an action is about, if it has one,
// and the name by which the action asked for it.
func named(a *abi.Action) (absolute, asked string) {
	if a.Text != "" {
		verb, rest, _ := strings.Cut(strings.TrimSpace(a.Text), " ")
		if slices.Contains([]string{"open", "create"}, verb) {
			asked = strings.Trim(strings.Join(strings.Fields(rest)[:min(1, len(strings.Fields(rest)))], ""), `"'`)
		}
		if a.Observation != nil {
			if p, ok := header(*a.Observation); ok {
				return p, asked
			}
		}
		return "", asked
	}
	return argumentPath(a.Arguments), ""
}

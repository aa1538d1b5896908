package swebench

import (
	"path"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/internal/effect"
	"github.com/boundcheck/boundcheck/plugins/internal/patch"
)

// rootOf returns the directory of the repository. For example, if the directory is
// /testbed, then /testbed/a.py and a.py are the same file. names has the relative names
// of the other side's files. An absolute file name in an action votes for its directory
// in two cases:
//
//   - The end of the file name, for example a.py, is in names. This counts twice.
//   - The run opened the file by its relative name.
//
// If there are no such votes, the files of the world w vote as in the first case. The
// directory with the most votes wins. The result is "" if there are no votes at all.
func rootOf(actions []abi.Action, w *effect.World, names map[string]bool) string {
	votes := map[string]int{}
	for i := range actions {
		p, asked := fileNames(&actions[i])
		voteForRoots(votes, p, names)
		if rest := strings.TrimPrefix(path.Clean(asked), "./"); asked != "" && !path.IsAbs(asked) && strings.HasSuffix(p, "/"+rest) {
			votes[strings.TrimSuffix(p, "/"+rest)]++
		}
	}
	if len(votes) > 0 {
		return electRoot(votes)
	}
	for p := range w.Files() {
		voteForRoots(votes, p, names)
	}
	return electRoot(votes)
}

// voteForRoots adds votes for the directories that may be the root of the file p. For
// example, /testbed/a.py votes for /testbed if names contains a.py. If p is not absolute,
// voteForRoots does nothing.
func voteForRoots(votes map[string]int, p string, names map[string]bool) {
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

// electRoot returns the directory with the most votes. If several have equally many, it
// returns the first in alphabetical order. The root "/" does not count, because names
// below it need no change.
func electRoot(votes map[string]int) string {
	best := ""
	for root, n := range votes {
		if m := votes[best]; root != "" && (best == "" || n > m || n == m && root < best) {
			best = root
		}
	}
	return best
}

// relativeNames returns the relative names of the files in the world w and the names of
// the files in diff.
func relativeNames(w *effect.World, diff []patch.File) map[string]bool {
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

// fileNames returns two names of the file in an action. absolute is the absolute name in
// the terminal's answer or in the arguments. asked is the name that the agent typed. A
// name is "" if it is not known.
func fileNames(a *abi.Action) (absolute, asked string) {
	if a.Text != "" {
		verb, rest, _ := strings.Cut(strings.TrimSpace(a.Text), " ")
		if slices.Contains([]string{"open", "create"}, verb) {
			asked = strings.Trim(strings.Join(strings.Fields(rest)[:min(1, len(strings.Fields(rest)))], ""), `"'`)
		}
		if a.Observation != nil {
			if p, ok := shownPath(*a.Observation); ok {
				return p, asked
			}
		}
		return "", asked
	}
	return argumentPath(a.Arguments), ""
}

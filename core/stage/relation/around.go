package relation

import (
	"path"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/uses"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// This file finds actions beside the reference that leave nothing that it does not leave, too: a folder
// into which a step of the reference puts something is there in the end of both.

// placeNouns name things that hold others and that are known by their names.
const placeNouns = " folder directory dir album label tag category collection bucket playlist section "

// FilledBy returns a later action that did a step of the reference and puts something into the place that
// an action makes, or -1. An action that makes more than one place, or anything else, makes none. stepOf returns the
// step that an action did, or -1. At most MostNear of the actions that put something there are asked for.
func (j *Run) FilledBy(obs int, stepOf func(obs int) int) int {
	if j.Profile != boundary.Outcome {
		return -1
	}
	name, noun := madePlace(&j.Obs[obs])
	if name == "" {
		return -1
	}
	if j.filled == nil {
		j.indexFilled()
	}
	found := -1
	for _, of := range [...]string{noun, anyPlace} {
		for _, text := range [...]string{name, path.Clean(name)} {
			later := j.filled[place{of, text}]
			at, _ := slices.BinarySearch(later, obs+1)
			for _, o := range later[at:min(len(later), at+MostNear)] {
				if r := stepOf(o); r >= 0 && j.Ref[r].Writes() && !DoesOneOf(&j.Ref[r], DestroyVerbs) {
					if found < 0 || o < found {
						found = o
					}
					break
				}
			}
		}
	}
	return found
}

// place is what an action names: a thing of one sort, or a place of any sort.
type place struct{ noun, name string }

const (
	anyPlace = "any"
	// mostInside is the largest number of places around a path that are looked at.
	mostInside = 32
)

// indexFilled notes for each place the actions that name it, or something in it, in order. O(bytes · mostInside).
func (j *Run) indexFilled() {
	j.filled = map[place][]int{}
	for o := range j.Obs {
		a := &j.Obs[o]
		if !a.Writes() {
			continue
		}
		add := func(noun, name string) {
			key := place{noun, name}
			if l := j.filled[key]; len(l) == 0 || l[len(l)-1] != o {
				j.filled[key] = append(l, o)
			}
		}
		addAround := func(noun, inner string) {
			for range mostInside {
				add(noun, inner)
				if inner = path.Dir(inner); inner == "." || inner == "/" {
					return
				}
			}
		}
		if all, isScript := uses.Of(&a.Call); isScript {
			for _, u := range all {
				if u.Does != uses.Takes && u.Does != uses.Ends {
					addAround("folder", path.Clean(u.Value))
				}
			}
			continue
		}
		for i := range a.Leaves[:min(len(a.Leaves), mostUses)] {
			l := &a.Leaves[i]
			is := NounOf(a, l.Key)
			isPath := is == "path" || isVague(is)
			if !strings.HasPrefix(l.Raw, `"`) || !isPath && !wordlist.Contains(placeNouns, is) {
				continue
			}
			if text := similarity.Plain(l.Raw); isPath {
				add(anyPlace, text)
				addAround(anyPlace, path.Clean(text))
			} else {
				add(is, text)
			}
		}
	}
}

// madePlace returns the name of the only place that an action makes and the noun for it, or "".
func madePlace(a *boundary.Action) (name, noun string) {
	if len(a.Leaves) == 1 && strings.HasPrefix(strings.TrimSpace(similarity.Plain(a.Leaves[0].Raw)), "mkdir ") {
		if all, isScript := uses.Of(&a.Call); isScript {
			if len(all) != 1 || all[0].Does != uses.Makes || all[0].Noun == "table" {
				return "", ""
			}
			return path.Clean(all[0].Value), "folder"
		}
	}
	d := a.Deed()
	if a.Text != "" || d.Verb == "mkdir" && len(a.Leaves) != 1 {
		return "", ""
	}
	noun = "folder"
	if d.Verb != "mkdir" {
		words := a.Words()
		if d.Class != "create" || len(words) != 2 || !wordlist.Contains(placeNouns, words[1]) {
			return "", ""
		}
		noun = words[1]
	}
	for i := range a.Leaves {
		l := &a.Leaves[i]
		key := strings.ToLower(l.Key)
		switch {
		case l.Raw == "true" || l.Raw == "false":
		case (wordlist.Contains(" name title path ", key) || key == noun) && name == "" && strings.HasPrefix(l.Raw, `"`):
			name = similarity.Plain(l.Raw)
		default:
			return "", ""
		}
	}
	return name, noun
}

// ChoosesPlace reports whether an action only chooses where the agent's later calls work, such as
// select_database. Which place the calls of the reference work in, their arguments do not say.
func ChoosesPlace(a *boundary.Action) bool {
	words := a.Words()
	return a.Text == "" && len(words) == 2 && len(a.Leaves) == 1 && wordlist.Contains(" select choose use switch ", words[0]) &&
		wordlist.Contains(" database db schema workspace project profile environment context directory tab window namespace tenant cluster region ", words[1])
}

// Completes returns the earlier action whose result names the things that it left undone, if the action does
// exactly these and is the same otherwise, or -1.
func Completes(c *boundary.Case, obs int) int {
	b := &c.Obs[obs]
	if c.Left == nil || b.Failed || b.Partly || len(b.Leaves) == 0 {
		return -1
	}
	for o := obs - 1; o >= max(0, obs-MostNear); o-- {
		if a := &c.Obs[o]; a.Partly && a.Name == b.Name && !a.Failed && doesTheRest(a, b, c.Left(o)) {
			return o
		}
	}
	return -1
}

// CompletedBy returns the later action that does what an action left undone, or -1.
func CompletedBy(c *boundary.Case, obs int) int {
	for o := obs + 1; o < min(len(c.Obs), obs+MostNear); o++ {
		if Completes(c, o) == obs {
			return o
		}
	}
	return -1
}

// LeavesListed reports whether the result of an action names things in its arguments that it left undone.
func LeavesListed(c *boundary.Case, obs int) bool {
	if c.Left == nil {
		return false
	}
	return slices.ContainsFunc(c.Left(obs), func(v string) bool {
		return slices.ContainsFunc(c.Obs[obs].Leaves, func(l similarity.Leaf) bool { return similarity.Plain(l.Raw) == v })
	})
}

// doesTheRest reports whether an action has the arguments of another one with the values left in the place of its list.
func doesTheRest(a, b *boundary.Action, left []string) bool {
	items := func(c *boundary.Action) (fixed, listed []string) {
		for i := range c.Leaves {
			if l := &c.Leaves[i]; strings.HasSuffix(l.Path, "]") {
				listed = append(listed, similarity.Plain(l.Raw))
			} else {
				fixed = append(fixed, l.Path+"="+l.Value)
			}
		}
		slices.Sort(listed)
		return fixed, listed
	}
	fixed, all := items(a)
	fixed2, some := items(b)
	left = slices.DeleteFunc(left, func(v string) bool { return !slices.Contains(all, v) }) // the rest says why
	slices.Sort(left)
	return len(some) > 0 && len(some) < len(all) && slices.Equal(fixed, fixed2) && slices.Equal(some, left)
}

package relation

import (
	"path"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/uses"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// This file finds dependences between steps that have no equal value: a command of a shell or a
// statement of SQL names the file or the table of the other step, a folder holds its file, or one
// id is written with a sign before it.

// named is what a step names.
type named struct {
	all      []uses.Use
	made     []uses.Use // what it leaves under another name or at another place
	isScript bool       // it is a command or a statement
	isRead   bool
}

// usesOf returns what a reference step names. It caches the result.
func (j *Run) usesOf(ref int) *named {
	if j.uses == nil {
		j.uses = make([]named, len(j.Ref))
	}
	u := &j.uses[ref]
	if u.isRead {
		return u
	}
	u.isRead = true
	a := &j.Ref[ref]
	if u.all, u.isScript = uses.Of(&a.Call); !u.isScript {
		u.all, u.made = usesOfCall(a)
	}
	return u
}

// mostUses is the largest number of arguments that are read as uses of one step.
const mostUses = 24

// usesOfCall returns the things that the arguments of a call name, with what its verb does.
func usesOfCall(a *boundary.Action) (all, made []uses.Use) {
	does := uses.Changes
	switch {
	case DoesOneOf(a, DestroyVerbs):
		does = uses.Ends
	case DoesOneOf(a, CarryVerbs), KeepsCopy(a):
		does = uses.Takes
	case a.Deed().Class == "create":
		does = uses.Makes
	}
	for i := range a.Leaves {
		l := &a.Leaves[i]
		text := similarity.Plain(l.Raw)
		if len(all) == mostUses || !strings.HasPrefix(l.Raw, `"`) || text == "" || len(text) > 200 || strings.ContainsAny(text, " \t\n") {
			continue
		}
		switch noun := NounOf(a, l.Key); {
		case isNewName(l.Key):
			made = append(made, uses.Use{Noun: NounOf(a, "name"), Value: text, Does: uses.Makes})
		case noun == "path":
			all = append(all, uses.Use{Noun: noun, Value: path.Clean(text), Does: does})
			made = append(made, madePaths(a, text)...)
		case noun != "" && (boundary.Identifies(l.Key, l.Value) || concernsThing(a, noun) || noun == "table"):
			all = append(all, uses.Use{Noun: noun, Value: strings.TrimPrefix(text, "#"), Does: does})
		}
	}
	return all, made
}

// isNewName reports whether the name of an argument is that of a name that a deed gives, such as new_name.
func isNewName(key string) bool {
	words := mutation.NameWords(key)
	return len(words) == 2 && words[0] == "new" && words[1] == "name"
}

// madePaths returns the paths at which a step leaves a file that it renames, moves or converts: rename_file(path=/a/x,
// new_name=y) leaves /a/y.
func madePaths(a *boundary.Action, from string) (all []uses.Use) {
	if !DoesOneOf(a, " rename move convert copy transcode export ") || !strings.Contains(from, "/") {
		return nil
	}
	for i := range a.Leaves {
		l := &a.Leaves[i]
		text, words, to := similarity.Plain(l.Raw), mutation.NameWords(l.Key), ""
		switch {
		case text == "" || len(text) > 200 || text == from:
		case isNewName(l.Key) && !strings.Contains(text, "/"):
			to = path.Join(path.Dir(from), text)
		case wordlist.HasLast(" folder directory dir destination target to ", words) && path.Ext(text) == "" && strings.Contains(text, "/"):
			to = path.Join(text, path.Base(from))
		case wordlist.HasLast(" format extension ", words) && path.Ext(from) != "" && !strings.ContainsAny(text, "/ "):
			to = strings.TrimSuffix(from, path.Ext(from)) + "." + strings.ToLower(strings.TrimPrefix(text, "."))
		}
		if to != "" {
			all = append(all, uses.Use{Noun: "path", Value: to, Does: uses.Makes})
		}
	}
	return all
}

// useDependence returns how two steps depend on each other by what they name. first is the earlier
// step of the reference.
func (j *Run) useDependence(first, second int) (Degree, Entity) {
	a, b := j.usesOf(first), j.usesOf(second)
	for _, x := range a.made {
		if slices.ContainsFunc(b.all, func(y uses.Use) bool { return isOneThing(&x, &y) }) {
			return NeedsTheSame, Entity{x.Noun, jsonval.Quoted(x.Value)}
		}
	}
	most, about := Independent, Entity{}
	for _, x := range a.all {
		for _, y := range b.all {
			if !isOneThing(&x, &y) {
				continue
			}
			how := Touching
			switch {
			case a.isScript || b.isScript:
				how = howUsed(&x, &y)
			case IsPerson(x.Noun) || x.Noun == "path" && x.Value != y.Value && !reachesInto(&j.Ref[first], &j.Ref[second], &x, &y):
				how = Independent
			default:
				how = howDependent(&j.Ref[first], &j.Ref[second], Entity{x.Noun, jsonval.Quoted(x.Value)})
			}
			if how > most {
				shared := &x
				if uses.IsInside(x.Value, y.Value) {
					shared = &y
				}
				most, about = how, Entity{shared.Noun, jsonval.Quoted(shared.Value)}
			}
		}
	}
	return most, about
}

// reachesInto reports whether of two steps whose paths lie inside one another the one with the folder
// ends or copies all that is in it.
func reachesInto(first, second *boundary.Action, x, y *uses.Use) bool {
	outer := first
	if uses.IsInside(x.Value, y.Value) {
		outer = second
	}
	return DoesOneOf(outer, DestroyVerbs) || DoesOneOf(outer, CarryVerbs)
}

// isOneThing reports whether two steps name one thing, or a file and its folder.
func isOneThing(x, y *uses.Use) bool {
	isFile := func(u *uses.Use) bool { return u.Noun == "path" || u.Noun == "name" }
	switch {
	case x.Noun == "table" && y.Noun == "table":
		return x.Value == y.Value || strings.HasSuffix(x.Value, "."+y.Value) || strings.HasSuffix(y.Value, "."+x.Value)
	case isFile(x) && isFile(y):
		return x.Value == y.Value || uses.IsInside(x.Value, y.Value) || uses.IsInside(y.Value, x.Value)
	}
	return x.Noun == y.Noun && x.Value == y.Value
}

// howUsed returns how a command or a statement and another step depend on each other that name one
// thing: one of them takes, makes or changes what the other one removes, or prepares what the other
// one keeps or sends.
func howUsed(x, y *uses.Use) Degree {
	least, most := min(x.Does, y.Does), max(x.Does, y.Does)
	switch {
	case least >= uses.Stages:
		if most == least+1 {
			return NeedsTheSame // what is staged is committed, what is committed is pushed
		}
		return Independent
	case most == uses.Ends && least != uses.Ends, most == uses.Removes && least == uses.Takes:
		return NeedsTheSame
	case x.Does == y.Does:
		return Independent
	}
	return Touching
}

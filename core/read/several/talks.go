package several

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// A store of conversations keeps each under its id. The law of this file: each conversation of a map is one
// run, however its list is written.

// talksIn returns the runs of an object that is, or has, a map of conversations under their ids. A conversation is
// a list of messages, or a text that contains one.
func talksIn(o *shape.Object) (out engine.Units, ok bool) {
	if !areTalks(o) {
		inner := slices.IndexFunc(o.Values, func(v jsonval.Value) bool { return v.Kind() == jsonval.Object && areTalks(shape.OpenObject(v)) })
		if inner < 0 || slices.ContainsFunc(o.Values, func(v jsonval.Value) bool {
			return v.Raw() != o.Values[inner].Raw() && v.Kind() >= jsonval.Array && v.Len() > 0
		}) {
			return out, false
		}
		o = shape.OpenObject(o.Values[inner])
	}
	for i, key := range o.Keys {
		talk := shape.EncodedValue(o.Values[i])
		out.List = append(out.List, engine.Unit{Rows: []jsonval.Value{talk}, Name: key, At: o.Values[i], Silent: !engine.HoldsCall(talk)})
	}
	return out, true
}

// areTalks reports whether the members of an object are conversations under their ids.
func areTalks(o *shape.Object) bool {
	for i, key := range o.Keys {
		raw := o.Values[i].Raw()
		if !strings.HasPrefix(raw, "[") && !strings.HasPrefix(raw, `"[`) || shape.MemberRank(key, o.Values[i]) != 1 || i > 0 && !strings.ContainsAny(key, "0123456789") && shape.AreRivals(o.Keys[0], key) || shape.IsPartList(key) || shape.IsRunSide(key) || shape.IsApart(key) || shape.SideOf(key) != shape.OtherSide {
			return false
		}
	}
	return len(o.Keys) > 1 && !slices.ContainsFunc(o.Values, func(v jsonval.Value) bool {
		return !opensTalk(shape.OpenObject(shape.FirstElement(shape.EncodedValue(v))))
	})
}

// opensTalk reports whether an object is a message of the user or the system, by the word for its sort.
func opensTalk(o *shape.Object) bool {
	return slices.ContainsFunc(o.Keys, func(key string) bool {
		if !shape.OneOf(strings.ToLower(key), "role type kind from sender source author speaker message_type messagetype") {
			return false
		}
		word := strings.TrimRight(strings.TrimSuffix(strings.ToLower(o.MemberNamed(key).Text()), "message"), "_ -")
		return shape.OneOf(word, "user human system developer customer")
	})
}

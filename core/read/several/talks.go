package several

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// A store of conversations keeps each under its id. The law of this file: each conversation of a map is one
// run, however its list is written and however deep the maps are.

// talksIn returns the runs of an object that is, or has, a map of conversations under their ids. A conversation is
// a list of messages, or a text that contains one.
func talksIn(o *shape.Object) (out engine.Units, ok bool) {
	if !areTalks(o) {
		inner := slices.IndexFunc(o.Values, func(v jsonval.Value) bool { return v.Kind() == jsonval.Object && areTalks(shape.OpenObject(v)) })
		if inner < 0 {
			return out, false
		}
		for i, v := range o.Values {
			if i != inner && v.Kind() >= jsonval.Array && v.Len() > 0 {
				return out, false
			}
		}
		o = shape.OpenObject(o.Values[inner])
	}
	for i, key := range o.Keys {
		talk := shape.EncodedValue(o.Values[i])
		out.List = append(out.List, engine.Unit{Rows: []jsonval.Value{talk}, Name: key, At: o.Values[i], Silent: !engine.HoldsCall(talk)})
	}
	return out, true
}

// maxGroups is the greatest number of names before the run: a split, a model and a task are three.
const maxGroups = 4

// talkGroup collects the runs of maps in maps, such as those of models, of which each has a run for each task.
type talkGroup struct {
	out   []engine.Unit
	talks int // runs that begin with words of the user or the system
}

// groupedTalks returns the runs of an object that is, or alone has, a map of maps of whole runs. The law: each
// run is one, under the names around it, and the last of these names is that of its task. O(size).
func groupedTalks(o *shape.Object) (out engine.Units, ok bool) {
	for len(o.Keys) > 0 {
		g := talkGroup{}
		if len(o.Keys) > 1 && mayGroupTalks(o) && g.addMap(o, "", 1) && g.talks > 0 && len(g.out) > 1 && !areStages(g.out) {
			return engine.Units{List: g.out}, true
		}
		inner := -1
		for i, v := range o.Values {
			switch {
			case v.Kind() < jsonval.Array || v.Len() == 0:
			case inner >= 0 || v.Kind() != jsonval.Object || !namesGroup(o.Keys[i], v):
				return out, false
			default:
				inner = i
			}
		}
		if inner < 0 {
			return out, false
		}
		o = shape.OpenObject(o.Values[inner])
	}
	return out, false
}

// mayGroupTalks reports whether the members of an object may be maps of runs, by the first and the last one, so
// that other texts cost little.
func mayGroupTalks(o *shape.Object) bool {
	for _, v := range []jsonval.Value{o.Values[0], o.Values[len(o.Values)-1]} {
		if m := shape.OpenObject(v); v.Kind() != jsonval.Object || len(m.Keys) == 0 || m.Values[0].Kind() < jsonval.Array || !namesGroup(m.Keys[0], m.Values[0]) {
			return false
		}
	}
	return true
}

// namesGroup reports whether a member with this name may be a group or a run of one, and no side or part of a run.
func namesGroup(key string, v jsonval.Value) bool {
	return shape.MemberRank(key, v) == 1 && !shape.IsPartList(key) && !shape.IsRunSide(key) && !shape.IsApart(key) && shape.SideOf(key) == shape.OtherSide && !shape.OneOf(key, "metadata meta state data result payload body")
}

// addMap adds the runs of a map of groups, or of one of runs if depth is greater than 1. It reports whether the map has
// nothing else. path has the names around the map.
func (g *talkGroup) addMap(o *shape.Object, path string, depth int) bool {
	if len(o.Keys) == 0 || depth > maxGroups {
		return false
	}
	for i, key := range o.Keys {
		v := o.Values[i]
		name := shape.IfElse(path == "", key, path+"/"+key)
		switch talk := talkOf(v); {
		case v.Kind() < jsonval.Array || !namesGroup(key, v):
			return false
		case depth > 1 && (talk != nil || v.Kind() == jsonval.Array && v.Len() == 0):
			u := engine.Unit{Rows: []jsonval.Value{v}, Name: name, Task: key, At: v, Silent: !engine.HoldsCall(v)}
			g.out, g.talks = append(g.out, u), g.talks+shape.IfElse(talk != nil, 1, 0)
		case v.Kind() != jsonval.Object || !g.addMap(shape.OpenObject(v), name, depth+1):
			return false
		}
	}
	return true
}

// talkOf returns the messages of a run that is a conversation, or the record of one, or nil.
func talkOf(v jsonval.Value) []jsonval.Value {
	list := v.Elements()
	if v.Kind() == jsonval.Object {
		list = shape.OpenObject(v).FirstList(shape.WholeLists)
	}
	if len(list) == 0 || !opensTalk(shape.OpenObject(list[0])) {
		return nil
	}
	return list
}

// areStages reports whether one of several conversations goes on with the one before it: then they are states of one run.
func areStages(runs []engine.Unit) bool {
	for i := 1; i < len(runs); i++ {
		if shape.IsContinuedBy(talkOf(runs[i-1].Rows[0]), talkOf(runs[i].Rows[0])) {
			return true
		}
	}
	return false
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

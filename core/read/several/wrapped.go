package several

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// Stores, queues, tables and flows keep each record in one member of a row, beside words about the row:
// {"row_idx": 0, "row": {…}}, {"_id": "a", "_source": {…}}, {"json": {…}, "pairedItem": {…}}. The law of this
// file: what is in such a row is one record, and what stands beside it is of this record.

// wrapperNames are the members in which rows keep their record.
const wrapperNames = "json row fields _source value data payload node doc document item record attributes content body entry properties object message"

// wrappedRows returns the runs of rows that each keep their record in a member with one name.
func wrappedRows(rows []jsonval.Value, first *shape.Object) (out engine.Units, ok bool) {
	name := wrapperOf(first)
	if name == "" {
		return out, false
	}
	for _, row := range rows {
		o := shape.OpenObject(row)
		inner, at := recordOf(o.MemberNamed(name)), row
		if inner.Raw() == o.MemberNamed(name).Raw() {
			at = inner
		}
		whole := isWhole(inner) || hasSteps(inner) || hasRunText(inner)
		if wrapperOf(o) != name || !whole && !isSilentRecord(inner) {
			return engine.Units{}, false
		}
		ok = ok || whole
		u := engine.Unit{Rows: []jsonval.Value{inner}, At: at, Silent: !engine.HoldsCall(inner), Around: o.SelectMembers(func(i int) bool { return o.Keys[i] != name && !strings.HasPrefix(o.Keys[i], "_") })}
		if engine.RecordID(shape.OpenObject(inner)) == "" {
			u.Name = o.FirstText("_id")
		}
		out.List = append(out.List, u)
	}
	return out, ok
}

// wrappedParts returns the runs of rows that each keep one part of a run, such as an event, in a member of any name:
// logs and searches keep them so. Each part says of which run it is, and nothing beside it does.
func wrappedParts(rows []jsonval.Value, first *shape.Object) (out engine.Units, ok bool) {
	name := partWrapperOf(first)
	if name == "" || len(rows) < 2 {
		return out, false
	}
	at := map[string]int{}
	for _, row := range rows {
		o := shape.OpenObject(row)
		part := recordOf(o.MemberNamed(name))
		id := runOfPart(shape.OpenObject(part))
		if id == "" || partWrapperOf(o) != name {
			return engine.Units{}, false
		}
		g, known := at[id]
		if !known {
			g = len(out.List)
			at[id], out.List = g, append(out.List, engine.Unit{Name: id, At: row, Silent: true})
		}
		u := &out.List[g]
		u.Rows = append(u.Rows, part)
		if u.Silent && engine.HoldsCall(part) {
			u.Silent, ok = false, true
		}
	}
	return out, ok && len(out.List) < len(rows)
}

// partWrapperOf returns the name of the only member of a row that is more than words, if it is a part that says of
// which run it is, and the row does not; or else "".
func partWrapperOf(o *shape.Object) (name string) {
	if len(o.Keys) > 12 || shape.RoleOf(o) != "" || runOfPart(o) != "" {
		return ""
	}
	for i, key := range o.Keys {
		v := o.Values[i]
		switch text, isText := v.Str(); {
		case v.Kind() == jsonval.Object && runOfPart(shape.OpenObject(v)) != "", isText && strings.HasPrefix(text, `{"`):
			if name != "" || shape.IsExpected(key) {
				return ""
			}
			name = key
		case !holdsOnlyWords(v):
			return ""
		}
	}
	if name == "" {
		return ""
	}
	inner := shape.OpenObject(recordOf(o.MemberNamed(name)))
	if runOfPart(inner) == "" || engine.IsSpanRow(inner) || shape.OwnsSettings(inner) || shape.OwnsSettings(o) ||
		slices.ContainsFunc(o.Keys, func(key string) bool { return !strings.HasPrefix(key, "_") && shape.IsOutcomeName(key) }) || // of the run, and not of the search
		slices.ContainsFunc(inner.Keys, func(key string) bool { // which may be all parts of a run
			v := inner.MemberNamed(key)
			return v.Kind() == jsonval.Array && shape.FirstElement(v).Kind() == jsonval.Object && !shape.OneOf(key, shape.ResultNames)
		}) {
		return ""
	}
	return name
}

// runOfPart returns the id of the run that a part names, or "".
func runOfPart(o *shape.Object) string {
	if id := shape.ThreadOf(o); id != "" {
		return id
	}
	return o.FirstText(shape.RunNames)
}

// recordOf returns the record that a member is, or that its text is, with its names in English.
func recordOf(v jsonval.Value) jsonval.Value {
	text, isText := v.Str()
	if !isText {
		return v
	}
	if inner, err := jsonval.Parse(engine.InEnglish(text)); err == nil {
		return inner
	}
	return v
}

// wrapperOf returns the name of the member in which a row keeps its record; "" if it has none, or if something
// else in it may be the run.
func wrapperOf(o *shape.Object) (name string) {
	if len(o.Keys) > 12 || shape.RoleOf(o) != "" {
		return ""
	}
	for i, key := range o.Keys {
		v := o.Values[i]
		text, isText := v.Str()
		switch {
		case shape.OneOf(key, wrapperNames) && (v.Kind() == jsonval.Object || isText && strings.HasPrefix(text, `{"`)):
			inner := shape.OpenObject(shape.EncodedValue(v))
			if isText || !holdsOnlyWords(v) {
				if name != "" || shape.RoleOf(inner) != "" || engine.IsSpanRow(inner) || shape.IsCallValue(inner.Value) || shape.IsAnswer(inner) {
					return ""
				}
				name = key
			}
		case !holdsOnlyWords(v):
			return ""
		}
	}
	return name
}

// holdsOnlyWords reports whether a value has no lists and no objects of objects in it, also none that a text is.
func holdsOnlyWords(v jsonval.Value) bool {
	only := true
	if k := v.Kind(); k == jsonval.Array || k == jsonval.Object {
		v.Each(func(_ string, m jsonval.Value) bool {
			only = m.Kind() != jsonval.Array && m.Kind() != jsonval.Object && !isListText(m) && !strings.HasPrefix(m.Raw(), `"{\"`)
			return only
		})
	}
	return only
}

const stepNames = engine.StepNames + " intermediate_steps intermediateSteps"

// hasSteps reports whether a value is a record with a list of steps of which one may be a call.
func hasSteps(v jsonval.Value) bool {
	o := shape.OpenObject(v)
	for i, key := range o.Keys {
		if m := o.Values[i]; m.Kind() == jsonval.Array && shape.OneOf(key, stepNames) && engine.HoldsCall(m) {
			return true
		}
	}
	return false
}

// hasRunText reports whether a value is a record with a text that is a run in JSON, as a column of a table has it.
func hasRunText(v jsonval.Value) bool {
	o := shape.OpenObject(v)
	for i, key := range o.Keys {
		if m := o.Values[i]; isListText(m) && shape.SideOf(key) == shape.OtherSide && shape.MemberRank(key, m) < 3 && isWhole(shape.OpenText(m)) {
			return true
		}
	}
	return false
}

// isSilentRecord reports whether a value is a record whose list of steps is empty.
func isSilentRecord(v jsonval.Value) bool {
	o := shape.OpenObject(v)
	for i, key := range o.Keys {
		if o.Values[i].Kind() == jsonval.Array && o.Values[i].Len() == 0 && (shape.IsRunSide(key) || shape.IsCallList(key) || shape.OneOf(key, stepNames)) {
			return true
		}
	}
	return shape.MainList(v, 0) != nil
}

// wrappedIn returns the runs of an object whose only list, at most a few levels deep, is one of such rows, as
// the answer of a store's API.
func wrappedIn(o *shape.Object) (engine.Units, bool) {
	for range engine.MaxUnits {
		var next jsonval.Value
		for i, key := range o.Keys {
			v := o.Values[i]
			switch {
			case holdsOnlyWords(v), v.Kind() == jsonval.Array && wrapperOf(shape.OpenObject(shape.FirstElement(v))) == "" && !engine.MayHoldCall(v): // such as what the columns are
			case next.Exists() || shape.OneOf(key, wrapperNames) && key != "data":
				return engine.Units{}, false
			default:
				next = v
			}
		}
		if next.Kind() == jsonval.Array {
			first := shape.OpenObject(shape.FirstElement(next))
			if u, ok := wrappedParts(next.Elements(), first); ok {
				return u, true
			}
			if wrapperOf(first) == "" {
				return engine.Units{}, false
			}
			return wrappedRows(next.Elements(), first)
		}
		if next.Kind() != jsonval.Object {
			break
		}
		o = shape.OpenObject(next)
	}
	return engine.Units{}, false
}

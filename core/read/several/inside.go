package several

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/byshape"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// isCallSet reports whether a value is a list of calls, in objects or in texts.
func isCallSet(v jsonval.Value) bool {
	if v.Kind() != jsonval.Array || v.Len() == 0 {
		return false
	}
	for _, e := range v.Elements() {
		s, text := e.Str()
		if !shape.IsCallValue(e) && !(text && strings.HasSuffix(s, ")") && strings.Contains(s, "(")) {
			return false
		}
	}
	return true
}

// isWhole reports whether a value is a whole run: a conversation, a list of calls, or an object around
// one. A call, a message or a span is none.
func isWhole(v jsonval.Value) bool {
	switch v.Kind() {
	case jsonval.Array:
		return engine.IsConversation(v) || isCallSet(v)
	case jsonval.Object:
		o := shape.OpenObject(v)
		if shape.RoleOf(o) != "" || shape.IsCallValue(v) || engine.IsPart(o) && len(o.Keys) > 1 || engine.IsSpanRow(o) || shape.IsAnswer(o) {
			return false
		}
		for i, key := range o.Keys {
			m := o.Values[i]
			if k := m.Kind(); (k == jsonval.Array || k == jsonval.Object) && !shape.IsExpected(key) && !shape.IsApart(key) && (engine.IsConversation(m) || isCallSet(m) || k == jsonval.Object && isWhole(m) || k == jsonval.Array && shape.FirstElement(m).Kind() == jsonval.Object && (areRuns(key, m) || shape.OneOf(key, engine.StepNames) && engine.HoldsCall(m))) {
				return true
			}
		}
		return shape.HasRunSide(o) || engine.IsEmptyRecord(o) || engine.IsSilentAttempt(o)
	}
	return false
}

// isRunValue reports whether a value is a run, perhaps one without a call.
func isRunValue(v jsonval.Value) bool {
	return v.Kind() == jsonval.Array && v.Len() == 0 || isWhole(v)
}

// runsIn returns the runs of an object with a list or a map of whole runs, if what stands beside it
// belongs to them, or if they are lists.
func runsIn(o *shape.Object, text string, depth int) (out engine.Units, ok bool) {
	at := -1
	for i, key := range o.Keys {
		v := o.Values[i]
		if v.Kind() != jsonval.Array && v.Kind() != jsonval.Object || shape.OneOf(key, "alternatives") && len(o.Keys) > 2 || shape.SideOf(key) == shape.ExpectedSide || shape.IsApart(key) || isCallSet(v) || !areRuns(key, v) {
			continue
		}
		if at >= 0 {
			return out, false
		}
		at = i
	}
	if at < 0 {
		return out, false
	}
	list, names := shape.ValuesOf(o.Values[at])
	for i, v := range list {
		u := engine.Unit{Rows: []jsonval.Value{v}, At: v}
		if v.Kind() == jsonval.Array {
			u.At = o.Value
		}
		if names != nil {
			u.Name = names[i]
		}
		out.List = append(out.List, u)
	}
	sided := false
	for i, key := range o.Keys {
		v := o.Values[i]
		switch side := shape.SideOf(key); {
		case i == at || v.Kind() == jsonval.Null:
		case side == shape.ForbiddenSide, side == shape.ExpectedSide, side == shape.LikelySide && (v.Kind() == jsonval.Array || v.Kind() == jsonval.Object) && (isWhole(v) || areRuns("runs", v)):
			sided = true
			pairSide(&out, shape.IfElse(side == shape.LikelySide, "expected_calls", key), v)
		case shape.IsOutcomeName(shape.SingularName(key)) && v.Kind() >= jsonval.Array:
			sided = pairOutcome(&out, shape.SingularName(key), v) || sided
		case pairCases(&out, v):
			sided = true
		case v.Kind() >= jsonval.Array && shape.MemberRank(key, v) < 3 && (engine.MayHoldCall(v) || isWhole(v)):
			out.Apart = append(out.Apart, v)
		}
	}
	lists := list[0].Kind() == jsonval.Array
	if !sided && !lists && !slices.ContainsFunc(list, func(v jsonval.Value) bool { _, more := unitsIn(shape.OpenObject(v), text, depth+1); return more }) &&
		!(names != nil && shape.IsRunsName(o.Keys[at]) && shape.MainList(list[0], 0) == nil) || len(out.Apart) > 0 && !sided && !lists {
		return engine.Units{}, false
	}
	if len(out.List) == 1 {
		out.List[0].Around = dropMember(o, at)
	} else if ids := idOnly(o); ids != nil {
		for i := range out.List {
			if out.List[i].At.Raw() == o.Value.Raw() {
				continue
			}
			out.List[i].Sides = append(out.List[i].Sides, ids)
			if out.List[i].Name == "" && engine.RecordID(shape.OpenObject(out.List[i].At)) == "" {
				out.List[i].Name = engine.RecordID(o)
			}
		}
	}
	return out, true
}

// recordsByName returns the runs of an object whose members are records under their names, of which one holds
// several runs, such as {"case-1": {"expected": …, "models": {…}}}.
func recordsByName(o *shape.Object, text string, depth int) (out engine.Units, ok bool) {
	if !mayBeNamedRecords(o) {
		return out, false
	}
	for i, key := range o.Keys {
		v := o.Values[i]
		if v.Kind() != jsonval.Object || !isWhole(v) {
			return engine.Units{}, false
		}
		_, more := unitsIn(shape.OpenObject(v), text, depth+1)
		ok = ok || more
		out.List = append(out.List, engine.Unit{Rows: []jsonval.Value{v}, Name: key, At: v})
	}
	return out, ok
}

// mayBeNamedRecords reports whether all members of an object may be records that look alike.
func mayBeNamedRecords(o *shape.Object) bool {
	if len(o.Keys) < 2 || o.Values[0].Kind() != jsonval.Object || o.Values[len(o.Values)-1].Kind() != jsonval.Object {
		return false
	}
	first := shape.OpenObject(o.Values[0])
	for i, key := range o.Keys {
		if o.Values[i].Kind() != jsonval.Object || shape.SideOf(key) != shape.OtherSide || shape.IsPartList(key) || !shape.LooksLike(first, shape.OpenObject(o.Values[i])) {
			return false
		}
	}
	return true
}

// idOnly returns what an object says of all runs in its list: the profile.
func idOnly(o *shape.Object) *shape.Object {
	return o.SelectMembers(func(i int) bool { return o.Keys[i] == "profile" })
}

// dropMember returns an object without a member, and without expected sides, which are paired.
func dropMember(o *shape.Object, at int) *shape.Object {
	return o.SelectMembers(func(i int) bool { return i != at && !shape.IsExpected(o.Keys[i]) && !shape.IsApart(o.Keys[i]) })
}

// areRuns reports whether a list or a map holds whole runs. The name of a list of lists of calls must
// say so, because the turns of one run look the same.
func areRuns(key string, v jsonval.Value) bool {
	list, names := shape.ValuesOf(v)
	cases := areCases(list)
	if len(list) == 0 || shape.IsPartList(key) && !cases || names != nil && slices.ContainsFunc(names, func(name string) bool {
		return shape.IsExpected(name) || shape.IsRunSide(name) || shape.IsPartList(name) || shape.IsApart(name) || shape.SideOf(name) != shape.OtherSide
	}) {
		return false
	}
	named, wholes := shape.IsRunsName(key) || shape.OneOf(key, "expected actual predicted"), 0
	for _, e := range list {
		switch {
		case isWhole(e):
			wholes++
		case !isRunValue(e):
			return false
		case e.Kind() != list[0].Kind():
			return false
		}
	}
	if list[0].Kind() == jsonval.Array && shape.IsContinuedBy(list[0].Elements(), list[len(list)-1].Elements()) && len(list) > 1 && list[0].Len() < list[len(list)-1].Len() {
		return false // the history of one run
	}
	talks := list[0].Kind() == jsonval.Array && engine.IsConversation(list[0])
	switch {
	case wholes == 0:
		return false
	case names != nil:
		return named && (len(list) > 1 || list[0].Kind() == jsonval.Object && (shape.MainList(list[0], 0) != nil || shape.OneOf(key, "models variants candidates attempts")))
	case list[0].Kind() == jsonval.Array:
		return len(list) > 1 && (named || talks && !shape.OneOf(shape.SingularName(key), "turn round exchange part block"))
	}
	return named || cases || shape.OneOf(key, "tests cases examples items")
}

// areCases reports whether each of several values has a list of whole runs, and is so a case that was run several times.
func areCases(list []jsonval.Value) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(e jsonval.Value) bool {
		o := shape.OpenObject(e)
		return !slices.ContainsFunc(o.Keys, func(key string) bool {
			return shape.IsRunsName(key) && o.MemberNamed(key).Kind() == jsonval.Array && areRuns(key, o.MemberNamed(key))
		})
	})
}

// pairSide gives each run its part of an expected side: that with its id, else that in its place if
// there is one for each, or else all of it.
func pairSide(us *engine.Units, key string, v jsonval.Value) {
	give, whole := giverOf(us, key, v), isCallSet(v) || shape.AreKeyedCalls(v)
	list, names := shape.ValuesOf(v)
	ids := idsOf(us)
	if v.Kind() == jsonval.Object && len(list) > 0 {
		if used := pairByID(names, list, ids, give); used > 0 {
			us.Unused += len(list) - used
			return
		}
	}
	if v.Kind() != jsonval.Array || whole && !askOtherwise(us) || engine.IsConversation(v) {
		for i := range us.List {
			give(i, v)
		}
		return
	}
	own := make([]string, len(list))
	for i, e := range list {
		own[i] = engine.RecordID(shape.OpenObject(e))
	}
	if used := pairByID(own, list, ids, give); used > 0 && !whole {
		us.Unused += len(list) - used
		return
	}
	parted := !slices.ContainsFunc(list, func(e jsonval.Value) bool { return e.Kind() != jsonval.Array && e.Kind() != jsonval.Object })
	switch {
	case len(list) == len(us.List) && (parted || askOtherwise(us)):
		for i := range us.List {
			give(i, list[i])
		}
	case parted && len(list) > 0 && !whole:
		us.Unused++
	default:
		for i := range us.List {
			give(i, v)
		}
	}
}

// giverOf returns a function that gives the run with an index its part of a member, as a side with
// the member's name.
func giverOf(us *engine.Units, key string, v jsonval.Value) func(i int, part jsonval.Value) {
	return func(i int, part jsonval.Value) {
		us.List[i].Sides = append(us.List[i].Sides, &shape.Object{Value: v, Keys: []string{key}, Values: []jsonval.Value{part}})
	}
}

// pairByID gives each run the value with its id, and returns the number of those used. ids has the runs with
// each id. O(names).
func pairByID(names []string, list []jsonval.Value, ids map[string][]int, give func(int, jsonval.Value)) (used int) {
	for j, name := range names {
		for _, i := range ids[name] {
			give(i, list[j])
		}
		used += shape.IfElse(len(ids[name]) > 0, 1, 0)
	}
	return used
}

// idsOf returns the runs with each id. O(runs).
func idsOf(us *engine.Units) map[string][]int {
	out := map[string][]int{}
	for i := range us.List {
		u := &us.List[i]
		o := shape.OpenObject(u.Rows[0])
		for _, id := range []string{u.Name, engine.RecordID(o), o.FirstText(engine.TaskNames), o.FirstText("id"), o.FirstText(engine.RunNames)} {
			if known := out[id]; id != "" && (len(known) == 0 || known[len(known)-1] != i) {
				out[id] = append(known, i)
			}
		}
	}
	return out
}

// askOtherwise reports whether the runs were asked different things, so that each has another task.
func askOtherwise(us *engine.Units) bool {
	first := ""
	for i := range us.List {
		v := us.List[i].Rows[0]
		text := shape.FirstAsked(shape.MainList(v, 0))
		if text == "" {
			text = shape.AskedIn(shape.OpenObject(v), 1)
		}
		if text == "" || i > 0 && text == first {
			return false
		}
		first = text
	}
	return len(us.List) > 1
}

// pairOutcome gives each run its part of a list or a map of outcomes.
func pairOutcome(us *engine.Units, key string, v jsonval.Value) bool {
	list, names := shape.ValuesOf(v)
	give := giverOf(us, key, v)
	if names != nil {
		return pairByID(names, list, idsOf(us), give) > 0
	}
	if len(list) != len(us.List) || len(list) < 2 || slices.ContainsFunc(list, func(e jsonval.Value) bool { return e.Kind() == jsonval.Object }) {
		return false
	}
	for i := range us.List {
		give(i, list[i])
	}
	return true
}

// pairCases gives each run what the case with its id in another list or map says, and reports whether that
// is one of cases. A case is the calls themselves, or it has them in a member.
func pairCases(us *engine.Units, v jsonval.Value) bool {
	list, names := shape.ValuesOf(v)
	if len(list) == 0 || list[0].Kind() != jsonval.Object {
		return false
	}
	ids, used := idsOf(us), 0
	sides := make([][]*shape.Object, len(us.List))
	for n, e := range list {
		o := shape.OpenObject(e)
		id, side := engine.RecordID(o), &shape.Object{Value: e}
		if names != nil && len(ids[id]) == 0 {
			id = names[n]
		}
		for i, key := range o.Keys {
			w := o.Values[i]
			if s := shape.SideOf(key); s == shape.ExpectedSide || s == shape.ForbiddenSide {
				side.AddMember(key, w)
			} else if s == shape.LikelySide && isWhole(w) {
				side.AddMember("expected_calls", w)
			}
		}
		if id == "" || len(side.Keys) == 0 {
			return false
		}
		for _, i := range ids[id] {
			sides[i] = append(sides[i], side)
		}
		used += shape.IfElse(len(ids[id]) > 0, 1, 0)
	}
	us.Unused += len(list) - used
	for i := range us.List {
		us.List[i].Sides = append(us.List[i].Sides, sides[i]...)
	}
	return true
}

// snapshotsIn returns the run of an object with a list of its states: the last one, if each has the calls of
// the one before.
func snapshotsIn(o *shape.Object, _ string, _ int) (out engine.Units, ok bool) {
	for i, key := range o.Keys {
		list := o.Values[i].Elements()
		if !shape.OneOf(shape.SingularName(key), "snapshot revision version state save") || o.Values[i].Kind() != jsonval.Array || len(list) < 2 {
			continue
		}
		var last []string
		for _, v := range list {
			var calls []string
			for _, r := range byshape.Find([]jsonval.Value{v}, false).Runs {
				for _, item := range r.Items {
					if c := item.Call; c != nil {
						calls = append(calls, c.Name+"\x00"+c.Arguments.Canonical())
					}
				}
			}
			if len(calls) == 0 || len(calls) < len(last) || !slices.Equal(calls[:len(last)], last) {
				return out, false
			}
			last = calls
		}
		out.List = []engine.Unit{{Rows: list[len(list)-1:], At: o.Value, Around: dropMember(o, i)}}
		return out, true
	}
	return out, false
}

// rivalsIn returns the runs of an object with several answers to one question, such as chosen and
// rejected.
func rivalsIn(o *shape.Object, _ string, _ int) (out engine.Units, ok bool) {
	var at []int
	for i, key := range o.Keys {
		if v := o.Values[i]; shape.SideOf(key) == shape.OtherSide || len(at) > 0 && shape.AreRivals(o.Keys[at[0]], key) {
			if isWhole(v) || v.Kind() == jsonval.Object && engine.MayHoldCall(v) && !shape.IsCallValue(v) || v.Kind() == jsonval.Array && shape.MainList(v, 0) != nil && key != "prompt" {
				at = append(at, i)
			}
		}
	}
	if len(at) < 2 || !slices.ContainsFunc(o.Keys, func(key string) bool { return key != o.Keys[at[0]] && !shape.AreRivals(o.Keys[at[0]], key) }) {
		return out, false // a map of records
	}
	for _, i := range at[1:] {
		if !shape.AreRivals(o.Keys[at[0]], o.Keys[i]) {
			return out, false
		}
	}
	for _, i := range at {
		out.List = append(out.List, engine.Unit{Rows: []jsonval.Value{o.Values[i]}, Name: o.Keys[i], At: o.Value})
	}
	for i, key := range o.Keys {
		if v := o.Values[i]; v.Kind() != jsonval.Null && (shape.IsExpected(key) || shape.IsApart(key)) {
			pairSide(&out, key, v)
		}
	}
	return out, slices.ContainsFunc(at, func(i int) bool { return engine.HoldsCall(o.Values[i]) })
}

// opposedIn returns the run of an object in which one member is the run, and others have calls that are
// none of it: what should have been done, by a word that says so only beside a run, or a plan, or what
// a judge says.
func opposedIn(o *shape.Object, _ string, _ int) (out engine.Units, ok bool) {
	run, sides := -1, &shape.Object{Value: o.Value}
	expected, silent := slices.ContainsFunc(o.Keys, shape.IsExpected), -1
	var whole jsonval.Value
	for i, key := range o.Keys {
		v := o.Values[i]
		if isListText(v) {
			v = shape.OpenText(v)
		}
		if k := v.Kind(); k != jsonval.Array && k != jsonval.Object {
			continue
		}
		holds := isWhole(v) || isCallSet(v) || v.Kind() == jsonval.Array && shape.FirstElement(v).Kind() == jsonval.Array && areRuns("runs", v)
		switch side := shape.SideOf(key); {
		case side == shape.ExpectedSide || side == shape.ForbiddenSide:
		case side == shape.LikelySide && (holds || v.Kind() == jsonval.Array && engine.MayHoldCall(v)) && (shape.MainList(v, 0) == nil || !goesOn(key)):
			if expected {
				out.Apart = append(out.Apart, v)
			} else {
				sides.AddMember("expected_calls", v)
				expected = true
			}
		case side == shape.LikelySide && v.Kind() == jsonval.Array && v.Len() == 0 && silent < 0:
			silent = i
		case (side == shape.PlannedSide || side == shape.JudgedSide) && holds:
			out.Apart = append(out.Apart, v)
		case shape.MemberRank(key, v) == 3: // such as the tools that there were
		case holds, v.Kind() == jsonval.Array && v.Len() == 0 && (shape.IsRunSide(key) || shape.OneOf(key, "did got") || shape.SaysDone(key)), shape.MainList(v, 0) != nil, shape.MemberRank(key, v) < 3 && engine.MayHoldCall(v):
			if run >= 0 {
				return engine.Units{}, false
			}
			run, whole = i, v
		}
	}
	if run >= 0 && silent >= 0 && !expected && shape.SaysDone(o.Keys[run]) {
		sides.AddMember("expected_calls", shape.OpenText(o.Values[silent])) // beside what was done, it says that nothing should have been
	}
	if run < 0 || len(sides.Keys)+len(out.Apart) == 0 {
		return engine.Units{}, false
	}
	rest := dropMember(o, run)
	u := engine.Unit{Rows: []jsonval.Value{whole}, At: o.Value}
	u.Around = rest.SelectMembers(func(i int) bool { // what was expected comes back as it is
		s := shape.SideOf(rest.Keys[i])
		return rest.Values[i].Kind() < jsonval.Array && !isListText(rest.Values[i]) || s != shape.LikelySide && s != shape.PlannedSide
	})
	for i, key := range o.Keys {
		if shape.IsExpected(key) || shape.IsApart(key) {
			sides.AddMember(key, o.Values[i])
		}
	}
	u.Sides = append(u.Sides, sides)
	out.List = []engine.Unit{u}
	return out, true
}

// goesOn reports whether messages in a member with this name may be the answer to the messages beside them.
func goesOn(key string) bool { return strings.Contains(strings.ToLower(key), "answer") }

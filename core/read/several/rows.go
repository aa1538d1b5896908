// Package several finds the runs of a text that holds several of them in another way than as a list of
// their records. It reads no run: core/read/engine reads each of them alone.
package several

import (
	"cmp"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// A text may hold several runs without being a list of their records: an object has a list or a map
// of whole runs, or several answers to one question, or the parts of several runs stand in one list.
// Or it holds one run beside calls that are none of it. Each run is then read alone, as if it were
// the only one of a text, and gets what stands beside it. The laws of this package: one record is one
// run, and what should have been done belongs to the run with its id, else to that in its place, else
// to all of the record, or else a warning says that it was not used.

// Find returns the runs in the rows of a text, and reports whether they stand in a way that only
// this file knows.
func Find(rows []jsonval.Value, text string) (engine.Units, bool) {
	if len(rows) == 0 {
		return engine.Units{}, false
	}
	first := shape.OpenObject(rows[0])
	if len(rows) == 1 {
		if hasOnlyMessages(first) {
			return engine.Units{}, false
		}
		if u, ok := wrappedRows(rows, first); ok {
			return u, true
		}
		if u, ok := talksIn(first); ok {
			return u, true
		}
		if u, ok := groupedTalks(first); ok {
			return u, true
		}
		if u, ok := wrappedIn(first); ok {
			return u, true
		}
		if u, ok := groupedRows(rows); ok {
			return u, true
		}
		if groups := groupSteps(first.FirstList("data steps run_steps runSteps items")); groups != nil {
			return engine.Units{List: groups}, true
		}
		if !mayBeSeveral(first, 0) {
			return engine.Units{}, false
		}
		return unitsIn(first, text, 0)
	}
	if saysPart(first) && namesNoRun(first) {
		return engine.Units{}, false // messages that name no run
	}
	return findInRows(rows, first, text)
}

// hasOnlyMessages reports whether an object has nothing but messages, of which the first names no run.
func hasOnlyMessages(o *shape.Object) bool {
	if len(o.Keys) != 1 || o.Keys[0] != "messages" {
		return false
	}
	first := shape.FirstElement(o.Values[0])
	return first.Kind() == jsonval.Object && namesNoRun(shape.OpenObject(first))
}

// namesNoRun reports whether no member of a message may say of which run it is.
func namesNoRun(o *shape.Object) bool {
	return !slices.ContainsFunc(o.Keys, func(key string) bool { return mayNameRun(key, o.Get(key)) })
}

// findInRows is Find for at least two rows.
func findInRows(rows []jsonval.Value, first *shape.Object, text string) (engine.Units, bool) {
	if u, ok := wrappedRows(rows, first); ok {
		return u, true
	}
	if u, ok := wrappedParts(rows, first); ok {
		return u, true
	}
	if u, ok := groupedRows(rows); ok {
		return u, true
	}
	if u, ok := pairedRows(rows, first); ok {
		return u, true
	}
	if groups := groupParts(rows, text); groups != nil {
		return engine.Units{List: groups}, true
	}
	if groups := groupBrackets(rows); groups != nil {
		return engine.Units{List: groups}, true
	}
	if groups := groupEvents(rows); groups != nil {
		return engine.Units{List: groups}, true
	}
	if groups := groupSteps(rows); groups != nil {
		return engine.Units{List: groups}, true
	}
	if out := repeatedCases(rows, first); out != nil {
		return engine.Units{List: out}, true
	}
	known := false
	for _, row := range rows[:min(len(rows), 4)] {
		if known = known || mayBeSeveral(shape.OpenObject(row), 0); known {
			_, known = unitsIn(shape.OpenObject(row), text, 1)
		}
	}
	if !known || engine.IsPart(first) || engine.IsSpanRow(first) || shape.IsExchange(first) || engine.KindOfRows(rows) == shape.EventRows {
		return engine.Units{}, false
	}
	var out engine.Units
	for _, row := range rows {
		out.List = append(out.List, engine.Unit{Rows: []jsonval.Value{row}})
	}
	return out, true
}

// repeatedCases returns the runs of rows that each have the calls of one run: several models did each case.
// It returns nil if the rows do not name the case and the model.
func repeatedCases(rows []jsonval.Value, first *shape.Object) (out []engine.Unit) {
	const models = "model model_name modelName model_id modelId system llm variant policy"
	if !first.Get(models).Exists() || shape.RoleOf(first) != "" || !slices.ContainsFunc(first.Keys, func(key string) bool { return isCallSet(first.MemberNamed(key)) }) {
		return nil
	}
	cases, pairs, used := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, row := range rows {
		o := shape.OpenObject(row)
		id, model := o.FirstText("id task_id taskId case_id caseId case sample sample_id sampleId question_id questionId example_id instance_id test_id name"), o.FirstText(models)
		if id == "" || model == "" || pairs[id+"\x00"+model] || engine.IsPart(o) || !slices.ContainsFunc(o.Keys, shape.IsCallList) && !isWhole(row) {
			return nil
		}
		cases[id], pairs[id+"\x00"+model], used[model] = true, true, true
		out = append(out, engine.Unit{Rows: []jsonval.Value{row}, Name: id})
	}
	if len(cases) == len(rows) || len(used) < 2 {
		return nil
	}
	return out
}

// maxRivals is how many members may stand from one answer to another one. More are a map of records.
const maxRivals = 32

// mayBeSeveral reports whether an object may hold several runs, by the names of its members alone, so
// that other texts cost little.
func mayBeSeveral(o *shape.Object, depth int) bool {
	expected, lists, sides := 0, 0, 0
	for i, key := range o.Keys {
		v := o.Values[i]
		k := v.Kind()
		if k == jsonval.String && isListText(v) && shape.SideOf(key) == shape.LikelySide {
			return true
		}
		if k != jsonval.Array && k != jsonval.Object || shape.OneOf(key, "tools metadata info steps traj actions usage spans trajectory") {
			continue
		}
		first := shape.FirstElement(v)
		if key == "messages" && first.Kind() == jsonval.Object && !slices.ContainsFunc(shape.OpenObject(first).Keys, shape.NamesRun) {
			continue
		}
		runs := shape.IsRunsName(key)
		switch side := shape.SideOf(key); {
		case side != shape.OtherSide && side != shape.ExpectedSide, first.Kind() == jsonval.Array && !shape.IsPartList(key), shape.OneOf(key, "choices candidates") && v.Len() > 1, runs && k == jsonval.Object && v.Len() > 1:
			return true
		case side == shape.ExpectedSide, k == jsonval.Array && v.Len() > 1 && first.Kind() != jsonval.Object && shape.IsOutcomeName(shape.SingularName(key)):
			expected++
		case shape.OneOf(key, "snapshots revisions versions states saves") && v.Len() > 1:
			return true
		case k == jsonval.Array && areCases([]jsonval.Value{first}):
			return true
		case (runs || shape.OneOf(key, listNames)) && first.Kind() == jsonval.Object:
			inner := shape.OpenObject(first)
			if depth < engine.MaxUnits && mayBeSeveral(inner, depth+1) || !runs && slices.ContainsFunc(inner.Keys, shape.NamesRun) {
				return true
			}
			lists++
			sides += shape.IfElse(holdsSide(inner), 1, 0)
		case runs:
			lists++
		}
		for _, other := range o.Keys[max(0, i-maxRivals):i] {
			if n := len(key) - 1; (n > 4 && len(other) == len(key) && key[:n] == other[:n] || shape.OneOf(key, "rejected chosen dispreferred loser lose bad negative candidate treatment right new winner baseline")) && shape.AreRivals(other, key) {
				return true
			}
		}
	}
	return lists > 0 && expected > 0 || lists > 1 && sides > 0 || depth < 2 && mayBeNamedRecords(o) && mayBeSeveral(shape.OpenObject(o.Values[0]), depth+1)
}

// isListText reports whether a value is a text that may be a list in JSON.
func isListText(v jsonval.Value) bool { return strings.HasPrefix(v.Raw(), `"[`) }

// holdsSide reports whether an object has a member named as what should have been done.
func holdsSide(o *shape.Object) bool {
	return slices.ContainsFunc(o.Keys, func(key string) bool {
		side := shape.SideOf(key)
		return side == shape.ExpectedSide || side == shape.LikelySide
	})
}

// listNames are lists whose elements may be the parts of several runs, or cases.
const listNames = "messages events log logs history data rows tests cases tasks examples items dataset"

// unitsIn returns the runs inside an object.
func unitsIn(o *shape.Object, text string, depth int) (engine.Units, bool) {
	if len(o.Keys) == 0 || depth > engine.MaxUnits || shape.RoleOf(o) != "" || engine.IsSpanRow(o) || o.HasAny("trace") {
		return engine.Units{}, false
	}
	if u, ok := choicesIn(o); ok {
		return u, true
	}
	if engine.IsPart(o) && len(o.Keys) > 1 {
		return engine.Units{}, false
	}
	for _, find := range [...]func(*shape.Object, string, int) (engine.Units, bool){runsIn, recordsByName, snapshotsIn, rivalsIn, opposedIn, partsIn} {
		if u, ok := find(o, text, depth); ok {
			return u, true
		}
	}
	return engine.Units{}, false
}

// choicesIn returns the answers of a model that was asked for several.
func choicesIn(o *shape.Object) (out engine.Units, ok bool) {
	list := o.FirstList("choices candidates")
	if len(list) < 2 || !shape.IsAnswer(o) {
		return out, false
	}
	for _, v := range list {
		if !engine.MayHoldCall(v) && !shape.OpenObject(v).HasAny("message content") {
			return out, false
		}
		out.List = append(out.List, engine.Unit{Rows: []jsonval.Value{v}, At: o.Value})
	}
	return out, slices.ContainsFunc(list, engine.MayHoldCall)
}

// partsIn returns the runs whose parts stand in the only list of an object in turns.
func partsIn(o *shape.Object, text string, _ int) (out engine.Units, ok bool) {
	for i, key := range o.Keys {
		v := o.Values[i]
		if v.Kind() != jsonval.Array || !shape.OneOf(key, "messages events log logs history items data rows") {
			continue
		}
		if out.List != nil {
			return engine.Units{}, false
		}
		out.List = groupParts(v.Elements(), text)
	}
	for i := range out.List {
		out.List[i].At = jsonval.Value{}
	}
	return out, out.List != nil
}

// groupParts groups the parts of several runs, such as messages, by the member in which each says of
// which run it is. It returns nil if there is no such member, or if the parts are of one run: then a
// part of one group points at one of another. A part that says nothing is of the run before it.
func groupParts(rows []jsonval.Value, text string) []engine.Unit {
	if len(rows) < 4 {
		return nil
	}
	first := shape.OpenObject(rows[0])
	for i := 1; i < min(len(rows), 8) && !saysPart(first); i++ { // such as a title before the messages
		first = shape.OpenObject(rows[i])
	}
	if !saysPart(first) || engine.IsSpanRow(first) {
		return nil
	}
	for i, key := range first.Keys {
		v := first.Values[i]
		if k := v.Kind(); k != jsonval.String && k != jsonval.Number || !mayNameRun(key, v) {
			continue
		}
		named := shape.NamesRun(key)
		if named && len(v.Raw()) > 6 && strings.Count(text, v.Raw()) >= len(rows) { // the id of one run in all rows
			continue
		}
		if groups := groupBy(rows, key, named); groups != nil {
			return groups
		}
	}
	return nil
}

// groupSteps groups the steps of several runs by the run that each names. Lists that begin with the latest step
// are turned. It returns nil for other rows, and for the steps of one run.
func groupSteps(rows []jsonval.Value) (out []engine.Unit) {
	at := map[string]int{}
	for _, row := range rows {
		o := shape.OpenObject(row)
		id := o.FirstText("run_id runId")
		if id == "" || !o.HasAny("step_details stepDetails step_number stepNumber step_index stepIndex") {
			return nil
		}
		g, known := at[id]
		if !known {
			g = len(out)
			at[id], out = g, append(out, engine.Unit{Name: id})
		}
		out[g].Rows = append(out[g].Rows, row)
	}
	if len(out) < 2 {
		return nil
	}
	for i := range out {
		steps := out[i].Rows
		first, _ := steps[0].Get("created_at").Float()
		last, _ := steps[len(steps)-1].Get("created_at").Float()
		if first > last {
			slices.Reverse(steps)
		}
		out[i].Silent = !slices.ContainsFunc(steps, engine.MayHoldCall)
	}
	return out
}

func saysPart(o *shape.Object) bool { return shape.RoleOf(o) != "" || shape.IsWrappedMessage(o) }

// mayNameRun reports whether a member of a message may say of which run it is. A member whose name says
// nothing of runs must not count or describe the message.
func mayNameRun(key string, v jsonval.Value) bool {
	if shape.OneOf(key, "role content type name tool_calls tool_call_id id uuid turn step index round timestamp time ts date seq model agent author sender source parts") {
		return false
	}
	if shape.NamesRun(key) {
		return true
	}
	text := v.Text()
	return text != "" && len(text) <= 64 && !strings.ContainsAny(text, " \n")
}

// groupBy groups parts of runs by a member. named says that its name is that of a run.
func groupBy(rows []jsonval.Value, key string, named bool) []engine.Unit {
	at, last := map[string]int{}, -1
	var out []engine.Unit
	ids, of := map[string]int{}, make([]int, len(rows))
	for i, row := range rows {
		o := shape.OpenObject(row)
		id := o.MemberNamed(key).Text()
		g, known := at[id]
		switch {
		case id == "" && (saysPart(o) || last < 0 && named):
			if saysPart(o) {
				return nil
			}
			g = 0
		case id == "":
			g = max(last, 0)
		case !known:
			g = len(at)
			at[id], last = g, g
		default:
			last = g
		}
		for g >= len(out) {
			out = append(out, engine.Unit{})
		}
		if id != "" {
			out[g].Name = id
		}
		out[g].Rows, of[i] = append(out[g].Rows, row), g
		if own := o.FirstText("uuid id message_id"); own != "" {
			ids[own] = g
		}
	}
	if len(at) < 2 || len(at) > len(rows)/2 {
		return nil
	}
	for i, row := range rows {
		if g, known := ids[shape.OpenObject(row).FirstText("parentUuid parent_uuid parent_id parentId parent")]; known && g != of[i] {
			return nil
		}
	}
	openings, calls := map[string]int{}, map[string]int{}
	for g := range out {
		talk := out[g].Rows
		for len(talk) > 0 && !saysPart(shape.OpenObject(talk[0])) {
			talk = talk[1:]
		}
		if len(talk) < 2 {
			return nil
		}
		head := shape.OpenObject(talk[0])
		if m := head.OpenMember("message"); shape.RoleOf(head) == "" || len(m.Keys) > 0 {
			head = m
		}
		if !shape.OneOf(shape.RoleOf(head), "user system") {
			return nil
		}
		openings[shape.RoleOf(head)]++
		for _, row := range out[g].Rows {
			for _, c := range shape.OpenObject(row).FirstList("tool_calls") {
				calls[c.Get("id").Text()]++
			}
		}
	}
	again := false
	for id, n := range calls {
		again = again || id != "" && n > 1
	}
	if !named && openings["system"] < len(out) && !again { // only the values say that they are several
		return nil
	}
	return out
}

// pairedRows returns the runs of rows of which some say in a word that they are what should have been
// done in the run of another row with the same id, such as {"split": "gold"}.
func pairedRows(rows []jsonval.Value, first *shape.Object) (out engine.Units, ok bool) {
	if expectedRow(first) == nil && expectedRow(shape.OpenObject(rows[1])) == nil && !(first.IsList("messages tool_calls trajectory calls steps") && slices.ContainsFunc(rows, func(v jsonval.Value) bool { return shape.IsExpectedRow(shape.OpenObject(v)) })) {
		return out, false
	}
	wanted := map[string]*shape.Object{}
	for _, row := range rows {
		o := shape.OpenObject(row)
		id := cmp.Or(engine.RecordID(o), o.FirstText("task task_id taskId case case_id caseId question_id"))
		switch side := expectedRow(o); {
		case side == nil:
			out.List = append(out.List, engine.Unit{Rows: []jsonval.Value{row}, Name: id})
		case id != "" && wanted[id] == nil:
			wanted[id] = side
		case shape.IsExpectedRow(o): // of no run that is known, and never done
			out.Unused++
		default:
			return engine.Units{}, false
		}
	}
	used := map[string]bool{}
	for i := range out.List {
		u := &out.List[i]
		if side := wanted[u.Name]; side != nil {
			u.Sides, used[u.Name] = append(u.Sides, side), true
		}
	}
	out.Unused += len(wanted) - len(used)
	return out, len(wanted)+out.Unused > 0 && len(out.List) > 0
}

// expectedRow returns the side of a row that says only what should have been done: in a word about all of it,
// or because its only calls are in expected sides. It returns nil for another row.
func expectedRow(o *shape.Object) *shape.Object {
	if shape.IsExpectedRow(o) {
		if engine.HoldsCall(o.Value) {
			return &shape.Object{Value: o.Value, Keys: []string{"expected_calls"}, Values: []jsonval.Value{o.Value}}
		}
		return nil
	}
	side := &shape.Object{Value: o.Value}
	for i, key := range o.Keys {
		v := o.Values[i]
		switch k := v.Kind(); {
		case k != jsonval.Array && k != jsonval.Object:
		case shape.IsExpected(key):
			side.AddMember(key, v)
		case k == jsonval.Array:
			return nil
		}
	}
	if len(side.Keys) > 0 && slices.ContainsFunc(o.Keys, func(key string) bool { // its run, in a member of any name
		v := o.MemberNamed(key)
		return v.Kind() == jsonval.Object && !shape.IsExpected(key) && (isWhole(v) || engine.HoldsCall(v))
	}) {
		return nil
	}
	if len(side.Keys) == 0 || shape.HasRunSide(o) || shape.RoleOf(o) != "" || o.HasAny("output outputs actual_output actualOutput response answer trace") {
		return nil
	}
	return side
}

package engine

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/failure"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// What became of a run or a call may stand beside it: in an object around several runs, in a list of
// ids, or in a map with ids as names. The law of this file: such a place is used for the run or the
// call that it names. If it says that a run failed and not which, the runs around which it stands
// are doubtful.

// surrounder reads what stands around the runs and beside their calls.
type surrounder struct {
	stater
	order []int // the runs whose records are known, in the order of the text
}

// readAround reads what the text says of its runs and calls beside them. It looks at no message and no
// call, so that it opens little of the text.
func (d *Decoder) readAround() {
	if d.probing || !slices.ContainsFunc(d.rows, mayStandAround) {
		return
	}
	d.readSurroundings()
}

// mayStandAround reports whether a row may say something of its runs or calls beside them. A message and an object
// with nothing but messages do not.
func mayStandAround(v jsonval.Value) (may bool) {
	if v.Kind() != jsonval.Object {
		return v.Kind() == jsonval.Array
	}
	v.Each(func(key string, m jsonval.Value) bool {
		may = may || key != "role" && key != "messages" && key != "content" && key != "tool_calls"
		return !may && key != "role"
	})
	return may
}

// readSurroundings is readAround for a text that has more than messages.
func (d *Decoder) readSurroundings() {
	s := surrounder{stater: stater{d: d}}
	for i, at := range d.records {
		if at != (place{}) {
			s.order = append(s.order, i)
		}
	}
	slices.SortStableFunc(s.order, func(a, b int) int { return cmp.Compare(d.records[a].from, d.records[b].from) })
	for _, v := range d.rows {
		s.walkAround(v, 0)
	}
}

// runsInside returns the runs whose records are in a value, and whether the value is the record of one.
func (s *surrounder) runsInside(v jsonval.Value) (runs []int, own bool) {
	if k := v.Kind(); len(s.order) == 0 || k != jsonval.Object && k != jsonval.Array {
		return nil, false
	}
	at := s.d.placeOf(v)
	if at == (place{}) {
		return nil, false
	}
	begin := sort.Search(len(s.order), func(i int) bool { return s.d.records[s.order[i]].from >= at.from })
	end := begin
	for ; end < len(s.order) && s.d.records[s.order[end]].to <= at.to; end++ {
		own = own || s.d.records[s.order[end]] == at
	}
	return s.order[begin:end], own
}

// walkAround reads an object, or the elements of a list.
func (s *surrounder) walkAround(v jsonval.Value, depth int) {
	if depth > 5 {
		return
	}
	if v.Kind() == jsonval.Array {
		v.Each(func(_ string, e jsonval.Value) bool { s.walkAround(e, depth+1); return true })
		return
	}
	runs, own := s.runsInside(v)
	if depth == 0 && len(runs) == 0 && len(s.d.Trajectories) == 1 && len(s.d.rows) > 1 && v.Kind() == jsonval.Object && v.Len() < 5 {
		s.readLoose(shape.OpenObject(v))
		return
	}
	var holders []jsonval.Value
	v.Each(func(key string, m jsonval.Value) bool {
		k := m.Kind()
		if k != jsonval.Object && k != jsonval.Array {
			return key != "role" // of a message
		}
		switch key {
		case "approvals", "approval", "human_review", "humanReview", "human_reviews", "humanReviews", "reviews", "decisions", "decision", "confirmations", "confirmation", "permissions", "interrupts", "interruptions", "hitl", "consents",
			"tool_approvals", "toolApprovals", "approval_decisions", "approvalDecisions", "user_decisions", "userDecisions", "approval_responses", "approvalResponses":
			s.readVerdicts(v, m)
		case "tool_results", "toolResults", "tool_outputs", "toolOutputs", "tool_responses", "toolResponses":
			s.readResults(v, m, key)
		case "results", "outputs", "observations", "responses", "errors", "tool_errors", "toolErrors", "call_results", "callResults":
			if k == jsonval.Object {
				s.readResults(v, m, key)
			}
		case "step_details": // of OpenAI's Assistants
			state := shape.WordState(v.Get("status").Text())
			for _, e := range m.Get("tool_calls").Elements() {
				s.applyState(v, e.Get("id").Text(), state)
			}
		case "metadata", "meta", "info", "trace", "data":
			if k == jsonval.Object || shape.FirstElement(m).Get("step_details").Exists() {
				s.walkAround(m, depth+1)
			}
		}
		if len(runs) > 0 && !own {
			if within, _ := s.runsInside(m); len(within) > 0 {
				holders = append(holders, m)
			}
		}
		return true
	})
	if len(holders) > 0 {
		s.readOutcomes(shape.OpenObject(v), runs)
		for _, m := range holders {
			s.walkAround(m, depth+1)
		}
	}
}

// readLoose reads an object among the messages of a run that only says how the run ended.
func (s *surrounder) readLoose(o *shape.Object) {
	for i, key := range o.Keys {
		if !shape.IsOutcomeName(key) && !(o.Values[i].Kind() == jsonval.Object && shape.OneOf(key, "meta metadata evaluation verdict outcome grade summary")) {
			return
		}
	}
	s.d.copyOutcome(s.d.Trajectories, o)
}

// readVerdicts reads what a person decided of calls: a list of objects that name a call, one such object,
// or a map with ids as names. o is the object with this member.
func (s *surrounder) readVerdicts(o, v jsonval.Value) {
	if v.Kind() == jsonval.Array {
		for _, e := range v.Elements() {
			s.readVerdict(o, shape.OpenBlock(e).PairingID(), e)
		}
		return
	}
	if id := shape.OpenBlock(v).PairingID(); id != "" {
		s.readVerdict(o, id, v)
		return
	}
	v.Each(func(id string, m jsonval.Value) bool { s.readVerdict(o, id, m); return true })
}

func (s *surrounder) readVerdict(o jsonval.Value, id string, v jsonval.Value) {
	if id == "" {
		return
	}
	if state := shape.DecisionState(v); state.Refused || state.Waiting || state.Flag == shape.Failed {
		s.applyState(o, id, state)
	}
}

// readResults reads results beside the messages: a list of objects that name a call, or a map with ids as
// names. o is the object with this member.
func (s *surrounder) readResults(o, v jsonval.Value, name string) {
	flag := shape.IfElse(shape.OneOf(name, "errors tool_errors toolErrors"), shape.Failed, shape.Unsaid)
	if v.Kind() == jsonval.Object {
		v.Each(func(id string, m jsonval.Value) bool { s.readResult(o, id, m, flag); return true })
		return
	}
	for _, e := range v.Elements() {
		s.readResult(o, shape.OpenBlock(e).PairingID(), e, flag)
	}
}

// readResult gives the call with an id its result, if it has none. A second one that says that the call
// failed makes the run doubtful.
func (s *surrounder) readResult(o jsonval.Value, id string, v jsonval.Value, flag shape.Flag) {
	if id == "" {
		return
	}
	s.indexCalls()
	key := namedCall{s.records.find(s.d.offsetOf(o)), id}
	if s.runs[key] <= 0 {
		return
	}
	text, state := v.Text(), shape.CallState{Flag: flag}
	if v.Kind() == jsonval.Object {
		b := shape.OpenBlock(v)
		state.AddState(shape.StateOf(shape.OpenObject(v)))
		text = b.OtherText(b.Content)
		if b.Output.Exists() {
			text = shape.ContentText(b.Output)
		} else if b.Content.Exists() {
			text = shape.ContentText(b.Content)
		}
		if text == "" {
			text = shape.ErrorWords(b.Failed)
		}
	}
	other := shape.NewObservation(text, state.Flag)
	for _, a := range s.calls[key] {
		switch {
		case a.Observation == nil:
			a.Proposed, a.Unanswered = a.Refused || failure.Refused(text), false
			a.Observation = &trajectory.Observation{Text: text, Error: other.Error || a.Proposed}
			markState(a, state)
		case other.Error && !a.Observation.Error && a.Observation.Text != text:
			addDoubt(&s.d.Trajectories[s.runs[key]-1], "there are two results of "+shape.QuoteExcerpt(a.Name, 0, 60)+", and one says that it failed")
		}
	}
}

// readOutcomes reads what an object around several runs says of them.
func (s *surrounder) readOutcomes(o *shape.Object, runs []int) {
	rest := &shape.Object{}
	for i, key := range o.Keys {
		v := o.Values[i]
		end := shape.EndOf(key)
		if within, _ := s.runsInside(v); len(within) > 0 {
			for _, j := range within {
				s.setEnd(j, end)
			}
			continue
		}
		if shape.IsExpected(key) || !s.readNamed(key, v, end, runs) {
			rest.AddMember(key, v)
		}
	}
	open := runs[:0:0]
	for _, i := range runs {
		if t := &s.d.Trajectories[i]; t.Success == nil && t.Reward == nil && t.Doubt == "" {
			open = append(open, i)
		}
	}
	if len(open) == 0 {
		return
	}
	if len(runs) == 1 {
		s.d.copyOutcome(s.d.Trajectories[runs[0]:runs[0]+1], rest)
		return
	}
	if e := shape.OutcomeOf(rest); e.No || e.Unclear || len(e.Scores) > 0 && slices.Min(e.Scores) < 1 || rest.SaysFailed(false) {
		for _, i := range open {
			addDoubt(&s.d.Trajectories[i], "the object around this run and others says that one failed, and not which")
		}
		s.d.AddTally("outcome-not-read", "of the runs: the object around them says that one failed, and not which", len(open))
	}
}

// setEnd records that a run stands in a list of those that passed, or failed.
func (s *surrounder) setEnd(i int, end shape.Flag) {
	if end != shape.Unsaid {
		noteEnd(&s.d.Trajectories[i], end == shape.Fine)
	}
}

// readNamed reads a member that names runs by their ids: a list of ids, a list of objects with them, or a map
// with ids as names. It reports whether the member names one.
func (s *surrounder) readNamed(key string, v jsonval.Value, end shape.Flag, runs []int) (named bool) {
	if end == shape.Unsaid && !shape.IsOutcomeName(shape.SingularName(key)) && !shape.IsEvaluations(key) {
		return false
	}
	judged := map[int][]string{} // the results of evaluators for a run
	v.Each(func(name string, e jsonval.Value) bool {
		said := &shape.Object{Keys: []string{shape.SingularName(key)}, Values: []jsonval.Value{e}}
		if e.Kind() == jsonval.Object {
			said = shape.OpenObject(e)
		}
		ids := []string{name}
		if v.Kind() == jsonval.Array {
			ids = []string{e.Text(), said.FirstText("run_id runId run trace_id traceId task_id taskId case sample_id sampleId id"), said.FirstText("id")}
		}
		for _, i := range runs {
			t := &s.d.Trajectories[i]
			if !slices.ContainsFunc(ids, func(id string) bool { return id != "" && (id == t.ID || id == t.Task) }) {
				continue
			}
			named = true
			if end != shape.Unsaid && v.Kind() == jsonval.Array {
				s.setEnd(i, end)
			} else if said.HasAny("value score label") && said.FirstString("name metric key evaluator") != "" {
				judged[i] = append(judged[i], e.Raw())
			} else {
				s.d.copyOutcome(s.d.Trajectories[i:i+1], said)
			}
		}
		return true
	})
	for _, i := range runs {
		if list, err := jsonval.Parse("[" + strings.Join(judged[i], ",") + "]"); err == nil && list.Len() > 0 {
			s.d.copyOutcome(s.d.Trajectories[i:i+1], &shape.Object{Keys: []string{"scores"}, Values: []jsonval.Value{list}})
		}
	}
	return named
}

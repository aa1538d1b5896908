package format

import (
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/ref/reference"
)

func isADK(o *shape.Object) bool {
	return o.IsList("eval_cases") || o.HasAny("eval_id") && o.IsList("conversation")
}

// decodeADK reads an eval set, which contains expected tool uses. The tool uses become
// both the reference and the run, so that the set can be viewed and scored like a trace.
func decodeADK(d *engine.Decoder, in engine.Batch) {
	for _, v := range in.Values {
		o := shape.OpenObject(v)
		cases := o.FirstList("eval_cases")
		if !o.IsList("eval_cases") {
			cases = []jsonval.Value{v}
		}
		for _, c := range cases {
			adkCase(d, c)
		}
	}
}

func adkCase(d *engine.Decoder, v jsonval.Value) {
	o := shape.OpenObject(v)
	r := d.NewRun()
	r.Trajectory.Task = o.FirstText("eval_id evalId id")
	for _, turn := range o.FirstList("conversation") {
		adkTurn(r, shape.OpenObject(turn))
	}
	r.Trajectory.Reference = d.ReadGold(v)
	r.Trajectory.Doubt = "an eval set says what an agent should do, and nothing about what it did"
	r.AddToDocument()
}

// adkData reads the data of a turn. The data is either (a) lists of tool uses and of
// responses, or (b) events whose parts are tool uses and responses.
func adkData(r *engine.Run, data jsonval.Value) {
	for _, use := range reference.Uses(data) {
		u := shape.OpenObject(use)
		r.AddCall(engine.Call{ID: u.FirstText("id"), Name: u.FirstText("name"), Arguments: u.Get("args"), At: use})
	}
	o := shape.OpenObject(data)
	for _, response := range o.FirstList("tool_responses toolResponses") {
		adkResponse(r, response)
	}
	for _, event := range o.FirstList("invocation_events invocationEvents") {
		for _, part := range shape.OpenObject(event).OpenMember("content").FirstList("parts") {
			if response := shape.OpenObject(part).FirstNonNull("function_response functionResponse"); response.Exists() {
				adkResponse(r, response)
			}
		}
	}
}

func adkResponse(r *engine.Run, response jsonval.Value) {
	o := shape.OpenObject(response)
	value := o.Get("response")
	r.AttachResult(o.FirstText("id"), o.FirstText("name"), shape.NewObservation(shape.ContentText(value), shape.ErrorFlag(value.Get("error"))), response)
}

// isADKResult reports whether an object is a file of results of an ADK eval set, or the
// result of one case.
func isADKResult(o *shape.Object) bool {
	return isADKCaseResult(o) || engine.InFirst(o, "eval_case_results", isADKCaseResult) || engine.InFirst(o, "evalCaseResults", isADKCaseResult)
}

func isADKCaseResult(o *shape.Object) bool {
	return o.IsList("eval_metric_result_per_invocation") || o.IsList("evalMetricResultPerInvocation")
}

// decodeADKResult reads the results of eval sets. What the agent did is the run of a case,
// and what was expected is its reference.
func decodeADKResult(d *engine.Decoder, in engine.Batch) {
	for _, o := range engine.OpenRows(in.Values, "eval_case_results evalCaseResults") {
		d.Within(o.Value, func() { adkResult(d, o) })
	}
}

func adkResult(d *engine.Decoder, o *shape.Object) {
	r := d.NewRun()
	r.Trajectory.Task = o.FirstText("eval_id evalId")
	switch o.FirstText("final_eval_status finalEvalStatus") {
	case "1", "PASSED":
		r.Trajectory.Success = new(bool)
		*r.Trajectory.Success = true
	case "2", "FAILED":
		r.Trajectory.Success = new(bool)
	}
	var expected []jsonval.Value
	for _, v := range o.FirstList("eval_metric_result_per_invocation evalMetricResultPerInvocation") {
		turn := shape.OpenObject(v)
		adkTurn(r, turn.OpenMember("actual_invocation actualInvocation"))
		side := turn.FirstNonNull("expected_invocation expectedInvocation")
		if d.LeaveOut(side); side.Exists() {
			expected = append(expected, side)
		}
	}
	if len(expected) > 0 {
		r.Trajectory.Reference = adkExpected(d, expected)
	}
	session := o.OpenMember("session_details sessionDetails")
	if len(r.Trajectory.Actions) == 0 && session.IsList("events") {
		found := d.NewFindingRun()
		found.Trajectory.Task, found.Trajectory.Success, found.Trajectory.Reference = r.Trajectory.Task, r.Trajectory.Success, r.Trajectory.Reference
		found.FindRun([]jsonval.Value{session.Get("events")})
		found.CompleteCalls()
		return
	}
	r.AddToDocument()
}

// adkTurn reads one turn: the user's text, the calls with their results, and the answer.
func adkTurn(r *engine.Run, t *shape.Object) {
	if s := shape.ContentText(t.OpenMember("user_content userContent").Get("parts")); s != "" {
		r.AddMessage("user", s)
	}
	r.BeginTurn("assistant")
	adkData(r, t.FirstNonNull("intermediate_data intermediateData"))
	if s := shape.ContentText(t.OpenMember("final_response finalResponse").Get("parts")); s != "" {
		r.AddMessage("assistant", s)
	}
}

// adkExpected returns the reference with the expected calls of all turns.
func adkExpected(d *engine.Decoder, turns []jsonval.Value) *reference.Reference {
	ref, err := reference.FromTurns(turns)
	if err != nil {
		d.WarnAt("invalid-reference", err.Error(), turns[0])
	}
	return ref
}

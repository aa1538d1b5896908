package trajectory

import (
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/ref/reference"
)

// isADKResult reports whether an object is a file of results of an ADK eval set, or the
// result of one case.
func isADKResult(o *object) bool {
	return isADKCaseResult(o) || inFirst(o, "eval_case_results", isADKCaseResult) || inFirst(o, "evalCaseResults", isADKCaseResult)
}

func isADKCaseResult(o *object) bool {
	return o.isList("eval_metric_result_per_invocation") || o.isList("evalMetricResultPerInvocation")
}

// decodeADKResult reads the results of eval sets. What the agent did is the run of a case,
// and what was expected is its reference.
func decodeADKResult(d *decoder, in batch) {
	for _, o := range openRows(in.values, "eval_case_results evalCaseResults") {
		d.within(o.v, func() { d.adkResult(o) })
	}
}

func (d *decoder) adkResult(o *object) {
	r := d.newRun()
	r.t.Task = o.firstText("eval_id evalId")
	switch o.firstText("final_eval_status finalEvalStatus") {
	case "1", "PASSED":
		r.t.Success = new(bool)
		*r.t.Success = true
	case "2", "FAILED":
		r.t.Success = new(bool)
	}
	var expected []jsonval.Value
	for _, v := range o.firstList("eval_metric_result_per_invocation evalMetricResultPerInvocation") {
		turn := openObject(v)
		r.adkTurn(turn.openMember("actual_invocation actualInvocation"))
		side := turn.firstNonNull("expected_invocation expectedInvocation")
		if d.leaveOut(side); side.Exists() {
			expected = append(expected, side)
		}
	}
	if len(expected) > 0 {
		r.t.Reference = d.adkExpected(expected)
	}
	session := o.openMember("session_details sessionDetails")
	if len(r.t.Actions) == 0 && session.isList("events") {
		found := d.newFindingRun()
		found.t.Task, found.t.Success, found.t.Reference = r.t.Task, r.t.Success, r.t.Reference
		found.findRun([]jsonval.Value{session.get("events")})
		found.completeCalls()
		return
	}
	r.addToDocument()
}

// adkTurn reads one turn: the user's text, the calls with their results, and the answer.
func (r *run) adkTurn(t *object) {
	if s := contentText(t.openMember("user_content userContent").get("parts")); s != "" {
		r.addMessage("user", s)
	}
	r.beginTurn("assistant")
	r.adkData(t.firstNonNull("intermediate_data intermediateData"))
	if s := contentText(t.openMember("final_response finalResponse").get("parts")); s != "" {
		r.addMessage("assistant", s)
	}
}

// adkExpected returns the reference with the expected calls of all turns.
func (d *decoder) adkExpected(turns []jsonval.Value) *reference.Reference {
	ref, err := reference.FromTurns(turns)
	if err != nil {
		d.warnAt("invalid-reference", err.Error(), turns[0])
	}
	return ref
}

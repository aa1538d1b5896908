package score

import (
	"strings"
	"testing"
)

// TestReferencesOfDataSets checks that a data set with only expected sides is a reference:
// of every run if it has one session, else by the ids of its records.
func TestReferencesOfDataSets(t *testing.T) {
	one, byTask, err := References([]byte(`[{"query":"Cancel A","expected_tool_use":[{"tool_name":"cancel","tool_input":{"id":"A"}}],"reference":"Done."}]`))
	if err != nil || byTask != nil || len(one.Steps) != 1 || one.Steps[0].Arguments.Raw() != `{"id":"A"}` {
		t.Errorf("turns: %+v, %v, %v", one, byTask, err)
	}
	one, byTask, err = References([]byte(`[{"id":"a","input":"x","expected_tools":[{"name":"cancel","input_parameters":{"n":1}}]},{"id":"b","input":"y","expected_tools":[]}]`))
	if err != nil || one != nil || len(byTask) != 2 || byTask["a"].Steps[0].Name != "cancel" || len(byTask["b"].Steps) != 0 {
		t.Errorf("records: %+v, %v, %v", one, byTask, err)
	}
	one, _, err = References([]byte(`{"prompt":"x","reference_trajectory":[{"tool_name":"cancel","tool_input":{"n":1}}]}`))
	if err != nil || one == nil || one.Steps[0].Name != "cancel" {
		t.Errorf("one record: %+v, %v", one, err)
	}
	for text, want := range map[string]string{
		`[{"input":"x","expected_tools":["a"]},{"input":"y","expected_tools":["b"]}]`:               "record 1 has no id",
		`[{"id":1,"input":"x","expected_tools":["a"]},{"id":1,"input":"y","expected_tools":["b"]}]`: `the id "1" appears twice`,
		`[{"input":"x","expected_output":"yes"},{"input":"y","expected_output":"no"}]`:              "invalid reference step 1",
	} {
		if _, _, err := References([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestAnswersOfAnotherVersion checks that the answers of one version of BFCL are found for
// the results of another, which has other names for the categories.
func TestAnswersOfAnotherVersion(t *testing.T) {
	for _, ids := range [][2]string{{"parallel_function_3", "parallel_3"}, {"parallel_3", "parallel_function_3"}, {"parallel_multiple_3", "parallel_multiple_function_3"}, {"multiple_function_3", "multiple_3"}, {"simple_python_3", "simple_3"}} {
		_, byTask, err := References([]byte(`{"id":"` + ids[0] + `","ground_truth":[{"add":{"n":[1]}}]}` + "\n" + `{"id":"other_1","ground_truth":[{"add":{"n":[2]}}]}`))
		if err != nil {
			t.Fatal(err)
		}
		request := Request{Inputs: []Source{{Data: []byte(`{"id":"` + ids[1] + `","result":[{"add":"{\"n\":1}"}],"input_token_count":1}`)}}, References: byTask}
		report, err := Evaluate(request)
		if err != nil || len(report.Warnings) > 0 || len(report.Trajectories[0].Reference) != 1 {
			t.Errorf("%v: %v, %+v", ids, err, report.Warnings)
		}
	}
}

package score

import (
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/report"
)

// Place sets the lines of the observed actions in a finished report, as Evaluate does
// with Options.Lines. The argument must be the request of the report. Place reads the
// inputs of the request again, but does not score them. An action that is not found in
// the inputs gets no line. The error is an *InputError. O(size of the inputs).
func Place(r *report.Report, request Request) error {
	request.Options.Lines = true
	e := newEvaluator(request, mutation.New(nil, nil))
	if err := e.readAll(request.Inputs); err != nil {
		return err
	}
	read := map[string]*run{}
	for i := range e.runs {
		read[e.runs[i].ID] = &e.runs[i]
	}
	for i := range r.Trajectories {
		t := &r.Trajectories[i]
		from := read[t.ID]
		for k := range t.Observed {
			if from != nil && k < len(from.Actions) && from.Actions[k].Name == t.Observed[k].Name {
				t.Observed[k].Line = from.Actions[k].Line
			}
		}
	}
	return nil
}

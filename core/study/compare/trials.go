package compare

import (
	"encoding/json"
	"fmt"

	"github.com/boundcheck/boundcheck/core/report"
)

// ReadTrials groups the runs of each task in a report by their changes, with core.Agree.
// The body is {"report": REPORT}. It returns an empty list if no task has several runs.
// O(bytes + actions log actions).
func ReadTrials(body []byte) ([]report.Consensus, error) {
	var in struct {
		Report *report.Report `json:"report"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, fmt.Errorf(`the request must have the form {"report": report}: %w`, err)
	}
	if err := checkReport("report", in.Report); err != nil {
		return nil, err
	}
	tasks := report.Agree(in.Report)
	if tasks == nil {
		tasks = []report.Consensus{}
	}
	return tasks, nil
}

package compare

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/boundcheck/boundcheck/core/math/metric"
	"github.com/boundcheck/boundcheck/core/report"
)

// Read compares two reports that are given as JSON:
//
//	{"baseline": REPORT, "treatment": REPORT, "seed": 42, "theta": 0.8}
//
// The seed and θ are the parameters of Reports. Without a seed, or with the seed 0, the
// default seed is used. Without a θ, the default θ is used, but a θ of 0 means 0. The
// report of a single file does not contain the file's name, so names may be given as
// "names": ["before.json", "after.json"]. O(bytes), and the cost of Reports.
func Read(body []byte) (*Comparison, error) {
	var in struct {
		Baseline  *report.Report `json:"baseline"`
		Treatment *report.Report `json:"treatment"`
		Names     []string       `json:"names"`
		Seed      uint64         `json:"seed"`
		Theta     *float64       `json:"theta"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, fmt.Errorf(`the comparison must have the form {"baseline": report, "treatment": report}: %w`, err)
	}
	if in.Names != nil && len(in.Names) != 2 {
		return nil, fmt.Errorf(`invalid "names": want two names, got %d`, len(in.Names))
	}
	for i, r := range [...]*report.Report{in.Baseline, in.Treatment} {
		if err := checkReport([...]string{"baseline", "treatment"}[i], r); err != nil {
			return nil, err
		}
		if len(r.Input.Files) == 0 && in.Names != nil {
			r.Input.Files = []report.File{{Name: in.Names[i], Trajectories: len(r.Trajectories)}}
		}
	}
	theta := metric.BoundaryAware
	if in.Theta != nil {
		theta = *in.Theta
	}
	if theta < 0 || theta > 1 {
		return nil, errors.New("invalid \"theta\": want a number from 0 to 1")
	}
	c, err := Reports(in.Baseline, in.Treatment, cmp.Or(in.Seed, report.DefaultSeed), theta)
	if err != nil {
		return nil, err
	}
	return &c, nil
}

// checkReport returns an error if the report r is missing or does not have the schema of
// this version. member is the name of r in the request, for the error text.
func checkReport(member string, r *report.Report) error {
	switch {
	case r == nil:
		return fmt.Errorf("missing %q; want a report", member)
	case r.Schema != report.Schema:
		return fmt.Errorf("invalid %q: want a report of the schema %s, got %q", member, report.Schema, r.Schema)
	}
	return nil
}

package score

import "github.com/boundcheck/boundcheck/core/report"

// Recount computes the corpus figures of a report again, with the θ and the denominator
// of the options (the parameters of stage four). The report must be about a single file.
// The result has no groups. The error is an *InputError. It also says that the report has
// figures by other definitions.
func Recount(r *report.Report, o *Options) (report.Corpus, error) {
	if err := o.Params.checkRanges(); err != nil {
		return report.Corpus{}, err
	}
	if err := report.CheckDefinitions("the report", r.Definitions); err != nil {
		return report.Corpus{}, inputError(err)
	}
	var t report.Tally
	t.Under(o.Params.Theta, o.Params.Denominator)
	for i := range r.Trajectories {
		t.Add(&r.Trajectories[i], 1)
	}
	return t.Corpus(o.Seed), nil
}

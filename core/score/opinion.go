package score

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/stage/equivalence"
	"github.com/boundcheck/boundcheck/core/stage/judge"
	"github.com/boundcheck/boundcheck/core/stage/violation"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// second is a second opinion on a finding: the judge's opinion, the ruling that follows
// from it, and was, the type that the rules gave the finding.
type second struct {
	opinion judge.Opinion
	ruling  judge.Ruling
	was     violation.Type
}

// excused is a finding that the judge rejected.
type excused struct {
	violation.Finding
	second *second
}

// judgeFindings asks the judge about all ambiguous findings in one call, and applies the
// rulings.
func (e *evaluator) judgeFindings() error {
	o := &e.request.Options
	var cases []judge.Case
	var at []*second
	for i := range e.runs {
		r := &e.runs[i]
		if r.reported {
			continue
		}
		e.guardRun(r, func() {
			r.seconds = make([]*second, len(r.findings))
			for j := range r.findings {
				if o.Judge != nil && judge.Ambiguous(&r.findings[j], o.JudgeBelow) {
					r.seconds[j] = &second{was: r.findings[j].Type}
					cases, at = append(cases, r.caseForJudge(&r.findings[j])), append(at, r.seconds[j])
				}
			}
		})
	}
	if len(cases) == 0 {
		return nil
	}
	opinions, err := o.Judge.Judge(cases)
	if err == nil && len(opinions) != len(cases) {
		err = fmt.Errorf("got %d opinions for %d cases; each case needs one opinion", len(opinions), len(cases))
	}
	if err != nil {
		return fmt.Errorf("judge: %w", err)
	}
	e.models.Judge = modelName(o.Judge)
	e.models.Ensemble = ensembleAgreement(opinions)
	for i, s := range at {
		s.opinion, s.ruling = opinions[i], judge.Decide(cases[i].Finding, opinions[i])
	}
	e.warnMissingOpinions(opinions)
	for i := range e.runs {
		e.guardRun(&e.runs[i], e.runs[i].applyRulings)
	}
	return nil
}

// ensembleAgreement returns the agreement of the judges, or nil if only one judge was
// asked.
func ensembleAgreement(opinions []judge.Opinion) *report.Ensemble {
	a, several := judge.Agree(opinions)
	if !several {
		return nil
	}
	out := &report.Ensemble{Judges: a.Judges, Cases: a.Cases, Unanimous: a.Unanimous}
	switch kappa := math.Round(a.Kappa*1e6) / 1e6; {
	case a.Defined:
		out.Kappa = report.Score{Value: &kappa, Scored: true}
	case a.Cases == 0:
		out.Kappa.Reason = "no finding has the opinions of two judges"
	default:
		out.Kappa.Reason = "κ is not defined, because all judges gave the same label in every case"
	}
	return out
}

// warnMissingOpinions adds a warning if opinions are missing.
func (e *evaluator) warnMissingOpinions(opinions []judge.Opinion) {
	n, why := 0, ""
	for _, o := range opinions {
		if o.Label == "" {
			if n++; n == 1 {
				why = o.Reason
			}
		}
	}
	if n > 0 {
		e.warnings = append(e.warnings, trajectory.Warning{Code: "judge-no-opinion", Message: fmt.Sprintf(
			"the judge gave no opinion on %d of %d uncertain findings. These findings keep the verdict of the rule. The first reason: %s", n, len(opinions), why)})
	}
}

// applyRulings applies the rulings on a judge's opinions to the findings of a run, and to
// the rows of its alignment.
func (r *run) applyRulings() {
	findings, seconds := r.findings[:0:0], r.seconds[:0:0]
	for i := range r.findings {
		f, s := r.findings[i], r.seconds[i]
		if s != nil {
			f = s.ruling.Finding
		}
		if s != nil && s.ruling.Excused {
			r.excused = append(r.excused, excused{f, s})
			continue
		}
		findings, seconds = append(findings, f), append(seconds, s)
	}
	r.findings, r.seconds = findings, seconds
	for i := range r.excused {
		r.excuseRows(&r.excused[i])
	}
}

// excuseRows excuses the rows of a finding that the judge rejected. It leaves out the rows
// that another finding is about.
func (r *run) excuseRows(x *excused) {
	rows := x.Rows
	if rows == nil && x.Row >= 0 {
		rows = []int{x.Row}
	}
	for _, row := range rows {
		if slices.ContainsFunc(r.findings, func(f violation.Finding) bool { return f.Row == row || slices.Contains(f.Rows, row) }) {
			continue
		}
		r.rulings[row].Verdict = equivalence.Excused
		r.rulings[row].Stage, r.rulings[row].Reason = "judge", x.second.opinion.Reason
	}
}

// addOpinion adds the opinion to a violation of the report.
func (s *second) addOpinion(v *report.Violation) {
	v.Judge = &report.Opinion{Label: string(s.opinion.Label), Confidence: s.opinion.Confidence, Reason: s.opinion.Reason,
		Route: string(s.ruling.Route), Note: s.ruling.Note}
	for _, vote := range s.opinion.Votes {
		v.Judge.Votes = append(v.Judge.Votes, report.Vote{Judge: vote.Judge, Label: string(vote.Label), Confidence: vote.Confidence})
	}
	if s.ruling.Judged {
		v.By = "judge"
	}
	if report.ViolationType(s.was) != v.Type {
		v.Judge.Was = string(s.was)
	}
}

// The number of actions before and after a finding that a judge sees.
const (
	actionsBefore = 3
	actionsAfter  = 2
)

// caseForJudge returns the case that a judge gets for a finding.
func (r *run) caseForJudge(f *violation.Finding) judge.Case {
	c := judge.Case{Finding: *f}
	from, to := r.missingStepPlace(f), r.missingStepPlace(f) // the observed actions [from, to) are the finding's own
	if f.Obs >= 0 {
		from, to = f.Obs, f.Obs+1
		a := r.actionForJudge(f.Obs)
		c.Observed = &a
	}
	if f.Ref >= 0 {
		a := &r.Ref[f.Ref]
		c.Reference = &judge.Action{Name: a.Name, Arguments: a.Raw, Text: a.Text, Mutating: a.Mutation.Mutating.String()}
	}
	for i := max(0, from-actionsBefore); i < from; i++ {
		c.Before = append(c.Before, r.actionForJudge(i))
	}
	for i := to; i < min(len(r.Obs), to+actionsAfter); i++ {
		c.After = append(c.After, r.actionForJudge(i))
	}
	c.Task = r.priorUserText(from)
	if r.origins != nil {
		c.Facts = r.origins.factsForJudge(from)
	}
	return c
}

// missingStepPlace returns the index of the observed action that follows a missing step.
// If the step is missing at the end of the run, the result is the number of actions.
func (r *run) missingStepPlace(f *violation.Finding) int {
	for row := f.Row; row >= 0 && row < len(r.Steps); row++ {
		if r.Steps[row].Obs >= 0 {
			return r.Steps[row].Obs
		}
	}
	return len(r.Obs)
}

func (r *run) actionForJudge(i int) judge.Action {
	a := &r.Obs[i]
	out := judge.Action{Name: a.Name, Arguments: a.Raw, Text: a.Text, Mutating: a.Mutation.Mutating.String(), Failed: a.Failed}
	if o := r.Actions[i].Observation; o != nil {
		out.Observation = o.Text
	}
	return out
}

// priorUserText returns all that the user said before an observed action. If the message
// of the action is not known, it returns all user messages.
func (r *run) priorUserText(obs int) string {
	end := len(r.Messages)
	if obs < len(r.Actions) && r.Actions[obs].Message >= 0 {
		end = min(end, r.Actions[obs].Message)
	}
	var said []string
	for _, m := range r.Messages[:end] {
		if m.Role == "user" && m.Text != "" {
			said = append(said, m.Text)
		}
	}
	return strings.Join(said, "\n")
}

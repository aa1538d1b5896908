package score

import (
	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/stage/story"
)

// tellStory returns the stories of a run for the report, or nil if it has no finding.
func (r *run) tellStory() (out []report.Story) {
	run := story.Run{Case: &r.Case, Findings: r.findings, Messages: r.Messages, Actions: r.Actions, Referenced: r.referenced, Failed: r.hasFailed(), Checks: r.Trajectory.Assertions, RightAnswer: r.Trajectory.RightAnswer}
	if r.Trajectory.Submission != nil {
		run.Submission, run.Empty = *r.Trajectory.Submission, *r.Trajectory.Submission == ""
	}
	told := story.Tell(&run)
	for i := range told {
		out = append(out, wireStory(&told[i]))
	}
	return out
}

func wireStory(s *story.Story) report.Story {
	out := report.Story{Kind: string(s.Kind), Fact: s.Fact, Text: s.Text, Did: wireCalls(s.Did), Should: wireCalls(s.Should), Findings: s.Findings, Confidence: s.Confidence}
	out.Differs = wireDifferences(s.Differs)
	for _, e := range s.Instead {
		out.Instead = append(out.Instead, report.Event{Kind: string(e.Kind), Action: indexOrNil(e.Action), Text: e.Text, Differs: wireDifferences(e.Differs)})
	}
	if q := s.Because; q != nil {
		out.Because = &report.Quote{By: q.By, Message: indexOrNil(q.Message), Text: q.Text}
	}
	return out
}

func wireDifferences(all []story.Difference) (out []report.Evidence) {
	for _, d := range all {
		out = append(out, report.Evidence(d))
	}
	return out
}

func wireCalls(calls []story.Call) (out []report.StoryCall) {
	for _, c := range calls {
		w := report.StoryCall{Index: c.Index, Name: c.Name}
		for _, o := range c.Object {
			w.Object = append(w.Object, report.Argument(o))
		}
		out = append(out, w)
	}
	return out
}

package core

import "github.com/boundcheck/boundcheck/core/stage/story"

// tellStory returns the stories of a run for the report, or nil if it has no finding.
func (r *run) tellStory() (out []Story) {
	told := story.Tell(&story.Run{Case: &r.Case, Findings: r.findings, Messages: r.Messages, Actions: r.Actions, Referenced: r.referenced})
	for i := range told {
		out = append(out, wireStory(&told[i]))
	}
	return out
}

func wireStory(s *story.Story) Story {
	out := Story{Kind: string(s.Kind), Text: s.Text, Did: wireCalls(s.Did), Should: wireCalls(s.Should), Findings: s.Findings, Confidence: s.Confidence}
	for _, d := range s.Differs {
		out.Differs = append(out.Differs, Evidence(d))
	}
	for _, e := range s.Instead {
		out.Instead = append(out.Instead, Event{Kind: string(e.Kind), Action: indexOrNil(e.Action), Text: e.Text})
	}
	if q := s.Because; q != nil {
		out.Because = &Quote{By: q.By, Message: indexOrNil(q.Message), Text: q.Text}
	}
	return out
}

func wireCalls(calls []story.Call) (out []StoryCall) {
	for _, c := range calls {
		w := StoryCall{Index: c.Index, Name: c.Name}
		for _, o := range c.Object {
			w.Object = append(w.Object, Argument(o))
		}
		out = append(out, w)
	}
	return out
}

// Package causes groups the runs of a report that broke a boundary or failed by what went wrong
// in them.
//
// The law of a group: what its text says is true of the first story of each of its runs, and
// each run that is flagged or recorded as failed is in exactly one group.
package causes

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/stage/story"
)

// The kinds of groups beside those of stories.
const (
	found       = "found"       // of a finding without a story that says more
	unexplained = "unexplained" // of runs that failed, where no finding and no fact of the record says why
	unscored    = "unscored"    // of runs that failed, and that could not be scored
)

// Group is a set of runs that went wrong alike.
type Group struct {
	Text    string   `json:"text"`            // what the agent did in each of the runs; it follows their number
	Kind    string   `json:"kind"`            // that of the stories; found also for a run without one; unexplained, unscored
	Tool    string   `json:"tool,omitempty"`  // the call that the stories are about
	Place   string   `json:"place,omitempty"` // differs: the argument; instead: the step that is missing; found: the pattern or type of the finding; suspected: the fact
	Rule    string   `json:"rule,omitempty"`  // found: the rule of the finding
	Runs    []string `json:"runs"`            // ids, in the order of the report
	Share   float64  `json:"share"`           // of the runs that are flagged or failed, 0 to 1
	Note    string   `json:"note"`            // the share and the steps in words: "18 %, at steps 1 to 13"
	From    int      `json:"from,omitempty"`  // the first and the last step, from 1, at which it went wrong; absent if no step did
	To      int      `json:"to,omitempty"`
	Example Example  `json:"example"`
	Parts   []Part   `json:"parts,omitempty"` // the groups that were joined because their sentences are alike, the largest first
}

// Example is the story of one run of a group, word for word.
type Example struct {
	Run  string   `json:"run"`
	Text []string `json:"text"`
}

// key holds what the runs of a group have in common.
type key struct{ kind, tool, place, rule string }

// Find returns the groups of a report, the largest first. Equal groups are in the order of
// their first runs. O(runs + groups log groups).
func Find(r *report.Report) []Group { return groupRuns(r, nil) }

// groupRuns groups the runs of a report. Those with a key in the map into join the group of its
// value.
func groupRuns(r *report.Report, into map[key]key) []Group {
	groups := []Group{}
	at := map[key]int{}
	bad := 0
	for i := range r.Trajectories {
		t := &r.Trajectories[i]
		if !t.Flagged && !hasFailed(t) {
			continue
		}
		bad++
		k := keyOf(t)
		if lead, joins := into[k]; joins {
			k = lead
		}
		g, known := at[k]
		if !known {
			g = len(groups)
			at[k] = g
			groups = append(groups, Group{Text: k.text(), Kind: k.kind, Tool: k.tool, Place: k.place, Rule: k.rule})
		}
		groups[g].add(t)
	}
	for i := range groups {
		groups[i].Share = float64(len(groups[i].Runs)) / float64(bad)
		groups[i].Note = groups[i].sayShare()
	}
	slices.SortStableFunc(groups, func(a, b Group) int { return cmp.Compare(len(b.Runs), len(a.Runs)) })
	return groups
}

// Head says how many runs the groups of a report are about. Of runs without a reference nothing
// was compared, which is not the same as that none broke a boundary.
func Head(r *report.Report) string {
	flagged, failed, compared, hinted := 0, 0, 0, 0
	for i := range r.Trajectories {
		t := &r.Trajectories[i]
		if t.Reference != nil {
			compared++
		}
		switch {
		case t.Flagged:
			flagged++
		case hasFailed(t):
			failed++
		}
		if !t.Flagged && len(t.Violations) > 0 {
			hinted++
		}
	}
	all := len(r.Trajectories)
	if compared == 0 && flagged == 0 && all > 0 {
		return headUncompared(all, hinted, failed)
	}
	head := fmt.Sprintf("%d of %s broke a boundary", flagged, countRuns(all))
	if rest := all - compared; rest == all && all > 1 {
		head += " (no run has a reference)"
	} else if compared > 0 && rest > 0 {
		head += fmt.Sprintf(" (%d without a reference)", rest)
	}
	switch failed {
	case 0:
		return head
	case 1:
		return head + ", and 1 other failed"
	}
	return fmt.Sprintf("%s, and %d others failed", head, failed)
}

// headUncompared is Head of runs of which none has a reference or a finding that is certain.
func headUncompared(all, hinted, failed int) string {
	head := fmt.Sprintf("None of %d runs has a reference, so nothing was compared", all)
	if all == 1 {
		head = "The run has no reference, so nothing was compared"
	}
	if hinted > 0 {
		head += "; hints in " + countRuns(hinted)
	}
	if failed > 0 {
		head += fmt.Sprintf("; %d failed", failed)
	}
	return head
}

func countRuns(n int) string {
	if n == 1 {
		return "1 run"
	}
	return fmt.Sprintf("%d runs", n)
}

// hasFailed reports whether the record says that a run failed.
func hasFailed(t *report.Trajectory) bool { return t.Success != nil && !*t.Success }

// sayShare says the share of a group and the steps at which its runs went wrong.
func (g *Group) sayShare() string {
	at := ""
	switch {
	case g.From > 0 && g.From == g.To:
		at = fmt.Sprintf(", at step %d", g.From)
	case g.From > 0:
		at = fmt.Sprintf(", at steps %d to %d", g.From, g.To)
	}
	return fmt.Sprintf("%.0f %%%s", 100*g.Share, at)
}

// Answer is what Read returns.
type Answer struct {
	Head   string  `json:"head"` // how many runs the groups are about
	Groups []Group `json:"groups"`
}

// Read returns the groups of a report that is given as JSON: {"report": REPORT}. Of each
// run it needs only the members id, flagged, success, error, verdict, recorded, story,
// violations and whether it has a reference.
func Read(body []byte) (*Answer, error) {
	var in struct {
		Report *report.Report `json:"report"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, fmt.Errorf(`the request must have the form {"report": report}: %w`, err)
	}
	if in.Report == nil {
		return nil, fmt.Errorf(`missing "report"`)
	}
	return &Answer{Head(in.Report), Find(in.Report)}, nil
}

// add adds a run. A short story with a sentence of the conversation is the best example.
func (g *Group) add(t *report.Trajectory) {
	g.Runs = append(g.Runs, t.ID)
	if step := stepOf(t); step > 0 {
		if g.From == 0 || step < g.From {
			g.From = step
		}
		g.To = max(g.To, step)
	}
	if text := storyText(t); len(g.Runs) == 1 || isBetter(text, g.Example.Text) {
		g.Example = Example{t.ID, text}
	}
}

func isBetter(a, b []string) bool {
	return cmp.Or(cmp.Compare(min(len(a), 3), min(len(b), 3)), cmp.Compare(len(strings.Join(b, "")), len(strings.Join(a, "")))) > 0
}

func storyText(t *report.Trajectory) []string {
	if len(t.Story) > 0 {
		return t.Story[0].Text
	}
	if v := firstViolation(t); v != nil {
		return []string{v.Reason}
	}
	if t.Error != nil {
		return []string{"Not scored: " + t.Error.Message}
	}
	if t.Verdict == "" {
		return []string{}
	}
	return append([]string{t.Verdict}, t.Recorded...)
}

// firstViolation returns the finding for which a run is flagged, or nil.
func firstViolation(t *report.Trajectory) *report.Violation {
	at := slices.IndexFunc(t.Violations, func(v report.Violation) bool { return !v.Hint })
	if at < 0 {
		return nil
	}
	return &t.Violations[at]
}

// stepOf returns the number, from 1, of the step at which a run went wrong; 0 if it is none.
func stepOf(t *report.Trajectory) int {
	if len(t.Story) > 0 && len(t.Story[0].Did) > 0 {
		return t.Story[0].Did[0].Index + 1
	}
	return 0
}

func keyOf(t *report.Trajectory) key {
	var s report.Story
	if len(t.Story) > 0 {
		s = t.Story[0]
	}
	switch {
	case t.Flagged:
		return keyOfBroken(t, &s)
	case t.Error != nil:
		return key{kind: unscored}
	case s.Kind == string(story.Suspected):
		return key{kind: s.Kind, place: s.Fact}
	}
	return key{kind: unexplained}
}

func keyOfBroken(t *report.Trajectory, s *report.Story) key {
	did, should := firstName(s.Did), firstName(s.Should)
	switch {
	case s.Kind == "differs" && did != "":
		return key{kind: s.Kind, tool: did, place: argumentOf(s)}
	case s.Kind == "extra" && did != "":
		return key{kind: s.Kind, tool: did}
	case s.Kind == "instead" && did != "" && should != "":
		return key{kind: s.Kind, tool: did, place: should}
	case s.Kind == "missing" && should != "":
		return key{kind: s.Kind, tool: should}
	case s.Kind == "unsaid":
		return key{kind: s.Kind}
	}
	k := key{kind: found}
	if v := firstViolation(t); v != nil {
		k.place, k.rule = cmp.Or(string(v.Pattern), string(v.Type)), v.Rule
		if s.Kind == found && !strings.ContainsAny(did, " \n") { // else it is a line of text, which few runs share
			k.tool = did
		}
	}
	return k
}

func firstName(calls []report.StoryCall) string {
	if len(calls) == 0 {
		return ""
	}
	return calls[0].Name
}

// argumentOf returns the name of the first argument that differs, without the place in it.
func argumentOf(s *report.Story) string {
	for _, d := range s.Differs {
		if end := strings.IndexAny(d.Path, ".["); end > 0 {
			return d.Path[:end]
		} else if d.Path != "" {
			return d.Path
		}
	}
	return ""
}

// text returns what all runs with a key have in common.
func (k key) text() string {
	switch {
	case k.kind == "differs" && k.place == "":
		return "did " + k.tool + " in other words than the reference"
	case k.kind == "differs":
		return "called " + k.tool + " with another value of " + k.place
	case k.kind == "extra":
		return "made a call of " + k.tool + " that the reference does not have"
	case k.kind == "instead":
		return "called " + k.tool + " in place of " + k.place
	case k.kind == "missing":
		return "left out a call of " + k.tool
	case k.kind == "unsaid":
		return "did not tell the user what the reference requires"
	case k.kind == unscored:
		return "failed, and could not be scored"
	case k.kind == string(story.Suspected):
		return "failed, perhaps because " + cmp.Or(story.SuspicionText(k.place), "of what the record shows")
	case k.kind == unexplained:
		return "failed, and no certain cause was found in what was recorded"
	case k.place == "":
		return "broke a boundary"
	}
	text := "showed " + strings.ReplaceAll(k.place, "-", " ")
	if k.rule != "" {
		text += " (rule " + k.rule + ")"
	}
	if k.tool != "" {
		text += " in a call of " + k.tool
	}
	return text
}

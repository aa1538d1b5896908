package causes

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/stage/story"
	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/internal/recordings"
)

// TestExamplesAreOfTheirGroup draws reports and reads each group's sentence again against
// the stories: what it says must be true of each of its runs, each run that is flagged or failed must be in
// one group, and the order of the runs must not change the groups.
func TestExamplesAreOfTheirGroup(t *testing.T) {
	for seed := range drawn.Cases(300) {
		d := rand.New(rand.NewPCG(uint64(seed), 1))
		r := drawReport(d)
		groups := Find(r)
		checkGroups(t, r, groups)
		shuffled := *r
		shuffled.Trajectories = slices.Clone(r.Trajectories)
		d.Shuffle(len(shuffled.Trajectories), func(i, j int) {
			shuffled.Trajectories[i], shuffled.Trajectories[j] = shuffled.Trajectories[j], shuffled.Trajectories[i]
		})
		if a, b := sortedGroups(groups), sortedGroups(Find(&shuffled)); !slices.Equal(a, b) {
			t.Fatalf("seed %d: another order of the runs gives other groups:\n%q\n%q", seed, a, b)
		}
		body, err := json.Marshal(map[string]any{"report": r})
		if err != nil {
			t.Fatal(err)
		}
		read, err := Read(body)
		if err != nil || read.Head != Head(r) || !slices.EqualFunc(groups, read.Groups, func(a, b Group) bool { return a.Text == b.Text && slices.Equal(a.Runs, b.Runs) }) {
			t.Fatalf("seed %d: from JSON: %v, %v", seed, read, err)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// TestAirline scores recorded runs: few groups must hold most of the flagged runs.
func TestAirline(t *testing.T) {
	data := recordings.Read(t, "tau-bench/gpt-4o-airline.json")
	request, err := core.ReadRequest(data)
	if err != nil {
		t.Fatal(err)
	}
	r, err := core.Evaluate(request)
	if err != nil {
		t.Fatal(err)
	}
	groups := Find(&r)
	checkGroups(t, &r, groups)
	held := 0
	for _, g := range groups[:min(15, len(groups))] {
		held += len(g.Runs)
	}
	if 5*held < 4*r.Corpus.Flagged {
		t.Errorf("15 of %d groups hold %d of %d flagged runs; want 80 %%", len(groups), held, r.Corpus.Flagged)
	}
}

// checkGroups is the law, read from the words of the groups alone.
func checkGroups(t *testing.T, r *report.Report, groups []Group) {
	t.Helper()
	runs := map[string]*report.Trajectory{}
	bad := 0
	for i := range r.Trajectories {
		if run := &r.Trajectories[i]; run.Flagged || run.Success != nil && !*run.Success {
			bad++
			runs[r.Trajectories[i].ID] = &r.Trajectories[i]
		}
	}
	seen := 0
	for i, g := range groups {
		if i > 0 && len(g.Runs) > len(groups[i-1].Runs) {
			t.Errorf("group %d is larger than the one before", i)
		}
		if want := float64(len(g.Runs)) / float64(bad); g.Share != want {
			t.Errorf("%s: share %v, want %v", g.Text, g.Share, want)
		}
		for _, id := range g.Runs {
			run := runs[id]
			if run == nil {
				t.Errorf("%s: run %s is in two groups, or in none by right", g.Text, id)
				continue
			}
			delete(runs, id)
			seen++
			if !slices.ContainsFunc(strings.Split(g.Text, "; or "), func(text string) bool { return isTrueOf(text, run) }) && len(g.Parts) <= mostParts {
				t.Errorf("%q is not true of run %s: %+v", g.Text, id, run.Story)
			}
			if len(run.Story) > 0 && len(run.Story[0].Did) > 0 {
				if step := run.Story[0].Did[0].Index + 1; step < g.From || step > g.To {
					t.Errorf("%s: step %d of run %s is not within %d to %d", g.Text, step, id, g.From, g.To)
				}
			}
			if id == g.Example.Run && len(run.Story) > 0 && !slices.Equal(g.Example.Text, run.Story[0].Text) {
				t.Errorf("%s: the example is not the story of run %s: %q", g.Text, id, g.Example.Text)
			}
		}
		if !slices.Contains(g.Runs, g.Example.Run) {
			t.Errorf("%s: the example %s is not of the group", g.Text, g.Example.Run)
		}
	}
	if seen != bad {
		t.Errorf("the groups hold %d of %d runs that are flagged or failed", seen, bad)
	}
}

// isTrueOf compares the words of a group with the first story of a run.
func isTrueOf(text string, run *report.Trajectory) bool {
	named := func(calls []report.StoryCall, name string) bool { return len(calls) > 0 && calls[0].Name == name }
	var s report.Story
	if len(run.Story) > 0 {
		s = run.Story[0]
	}
	if words, is := strings.CutPrefix(text, "failed, perhaps because "); is {
		return !run.Flagged && s.Kind == "suspected" && (words == story.SuspicionText(s.Fact) || words == "of what the record shows" && story.SuspicionText(s.Fact) == "")
	}
	switch text {
	case "failed, and could not be scored":
		return !run.Flagged && run.Error != nil
	case "failed, and no certain cause was found in what was recorded":
		return !run.Flagged && run.Error == nil && s.Kind != "suspected"
	}
	if !run.Flagged {
		return false
	}
	words := strings.Fields(text)
	last := words[len(words)-1]
	switch {
	case strings.HasPrefix(text, "called ") && words[2] == "with":
		differs := func(e report.Evidence) bool {
			return e.Path == last || strings.HasPrefix(e.Path, last+".") || strings.HasPrefix(e.Path, last+"[")
		}
		return s.Kind == "differs" && named(s.Did, words[1]) && slices.ContainsFunc(s.Differs, differs)
	case strings.HasPrefix(text, "called "):
		return s.Kind == "instead" && named(s.Did, words[1]) && named(s.Should, last)
	case strings.HasPrefix(text, "did not tell"):
		return s.Kind == "unsaid"
	case strings.HasPrefix(text, "did "):
		return s.Kind == "differs" && named(s.Did, words[1])
	case strings.HasPrefix(text, "made a call of "):
		return s.Kind == "extra" && named(s.Did, words[4])
	case strings.HasPrefix(text, "left out a call of "):
		return s.Kind == "missing" && named(s.Should, last)
	case text == "broke a boundary":
		return true
	}
	first := slices.IndexFunc(run.Violations, func(v report.Violation) bool { return !v.Hint })
	shown, tool, called := strings.Cut(strings.TrimPrefix(text, "showed "), " in a call of ")
	shown, rule, ruled := strings.Cut(strings.TrimSuffix(shown, ")"), " (rule ")
	if called && (s.Kind != "found" || !named(s.Did, tool)) || ruled != (first >= 0 && run.Violations[first].Rule != "") || ruled && rule != run.Violations[first].Rule {
		return false
	}
	return first >= 0 && (strings.ReplaceAll(string(run.Violations[first].Pattern), "-", " ") == shown || strings.ReplaceAll(string(run.Violations[first].Type), "-", " ") == shown)
}

func sortedGroups(groups []Group) []string {
	var all []string
	for _, g := range groups {
		ids := slices.Sorted(slices.Values(g.Runs))
		all = append(all, fmt.Sprint(g.Text, ids, g.From, g.To, g.Share))
	}
	slices.Sort(all)
	return all
}

// drawReport draws runs with few tools, so that some stories are alike. Some runs have no
// story, some stories lack a call, and some runs are not flagged. Of those, some failed, and of
// the failed ones some have a suspicion, which may be of an older version.
func drawReport(d *rand.Rand) *report.Report {
	pick := func(of ...string) string { return of[d.IntN(len(of))] }
	calls := func() []report.StoryCall {
		if d.IntN(5) == 0 {
			return nil
		}
		return []report.StoryCall{{Index: d.IntN(30), Name: pick("book", "cancel", "pay")}}
	}
	r := &report.Report{Schema: report.Schema}
	for i := range d.IntN(40) {
		run := report.Trajectory{ID: fmt.Sprint("run-", i), Flagged: d.IntN(4) > 0}
		run.Violations = []report.Violation{
			{Hint: d.IntN(3) == 0, Type: "over-action", Pattern: report.Pattern(pick("", "scope-creep", "missing-verification")), Rule: pick("", "repeated-call", "unasked-change"), Reason: "a reason"},
			{Type: report.ViolationType(pick("under-action", "end-boundary")), Reason: "another"},
		}
		if d.IntN(3) > 0 {
			success := d.IntN(2) == 0
			run.Success = &success
		}
		switch {
		case d.IntN(12) == 0:
			run.Flagged, run.Error = false, &report.Failure{Code: "internal", Message: "a bug"}
		case !run.Flagged && d.IntN(2) == 0:
			run.Story = []report.Story{{Kind: "suspected", Fact: pick("gave-up", "no-change", "", "of another version"), Text: []string{"This may be why."}, Did: calls()}}
		case d.IntN(5) > 0:
			s := report.Story{Kind: pick("differs", "extra", "instead", "missing", "unsaid", "found"), Did: calls(), Should: calls()}
			for range 1 + d.IntN(3) {
				s.Text = append(s.Text, strings.Repeat("word ", 1+d.IntN(5)))
			}
			for range d.IntN(3) {
				s.Differs = append(s.Differs, report.Evidence{Path: pick("", "amount", "items[2].id", "to.name")})
			}
			run.Story = []report.Story{s}
		}
		r.Trajectories = append(r.Trajectories, run)
	}
	return r
}

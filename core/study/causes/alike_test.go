package causes

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// drawnVectors gives each text one of a few directions, by its bytes.
type drawnVectors struct{ seed, directions uint64 }

func (e drawnVectors) Embed(texts []string) ([][]float32, error) {
	var all [][]float32
	for _, text := range texts {
		n := e.seed
		for i := range len(text) {
			n = n*31 + uint64(text[i])
		}
		v := make([]float32, e.directions)
		v[n/7%e.directions] = 1
		all = append(all, v)
	}
	return all, nil
}

type brokenVectors struct{ error }

func (e brokenVectors) Embed([]string) ([][]float32, error) { return nil, e }

// TestAlikeGroups draws reports and vectors: the law of a group holds for joined groups, too.
// What the text names is true of each run, its parts are the groups without vectors, and the
// order of the runs changes nothing.
func TestAlikeGroups(t *testing.T) {
	joined := 0
	for seed := range drawn.Cases(300) {
		d := rand.New(rand.NewPCG(uint64(seed), 2))
		r := drawReport(d)
		e := drawnVectors{uint64(seed), 1 + d.Uint64N(6)}
		groups, err := FindAlike(r, e)
		if err != nil {
			t.Fatal(err)
		}
		checkGroups(t, r, groups)
		var parts []string
		for _, g := range groups {
			if len(g.Parts) == 0 {
				parts = append(parts, fmt.Sprint(g.Text, g.Runs))
				continue
			}
			joined++
			for i, p := range g.Parts {
				parts = append(parts, fmt.Sprint(p.Text, p.Runs))
				if i < mostParts && !strings.Contains(g.Text, p.Text) {
					t.Errorf("%q does not say %q", g.Text, p.Text)
				}
			}
		}
		var alone []string
		for _, g := range Find(r) {
			alone = append(alone, fmt.Sprint(g.Text, g.Runs))
		}
		if slices.Sort(parts); !slices.Equal(parts, slices.Sorted(slices.Values(alone))) {
			t.Errorf("the parts are not the groups without vectors:\n%q\n%q", parts, alone)
		}
		shuffled := *r
		shuffled.Trajectories = slices.Clone(r.Trajectories)
		d.Shuffle(len(shuffled.Trajectories), func(i, j int) {
			shuffled.Trajectories[i], shuffled.Trajectories[j] = shuffled.Trajectories[j], shuffled.Trajectories[i]
		})
		again, err := FindAlike(&shuffled, e)
		if a, b := sortedRuns(groups), sortedRuns(again); err != nil || !slices.Equal(a, b) {
			t.Errorf("another order of the runs gives other groups: %v\n%q\n%q", err, a, b)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if joined < 100 {
		t.Errorf("%d groups were joined: too few to show anything", joined)
	}
}

func sortedRuns(groups []Group) []string {
	var all []string
	for _, g := range groups {
		all = append(all, fmt.Sprint(slices.Sorted(slices.Values(g.Runs)), g.From, g.To))
	}
	slices.Sort(all)
	return all
}

func TestAlike(t *testing.T) {
	r := &report.Report{}
	add := func(id, kind, name string) {
		call := []report.StoryCall{{Index: len(r.Trajectories), Name: name}}
		s := report.Story{Kind: kind, Text: []string{id}, Did: call, Should: call}
		r.Trajectories = append(r.Trajectories, report.Trajectory{ID: id, Flagged: true, Story: []report.Story{s}})
	}
	add("a", "missing", "cancel_order")
	add("b", "extra", "cancel_order")
	add("c", "missing", "cancel_booking")
	add("d", "missing", "create_order")
	add("e", "missing", "cancel_order")
	for _, name := range []string{"cancel_trip", "cancel_flight"} {
		add(name, "missing", name)
	}
	groups, err := FindAlike(r, drawnVectors{0, 1}) // one direction: all sentences are alike
	var got []string
	for _, g := range groups {
		got = append(got, g.Text+": "+strings.Join(g.Runs, " "))
	}
	want := []string{
		"left out a call of cancel_order; or left out a call of cancel_booking; or left out a call of cancel_trip; or did one more thing like these: a c e cancel_trip cancel_flight",
		"made a call of cancel_order that the reference does not have: b",
		"left out a call of create_order: d",
	}
	if err != nil || !slices.Equal(got, want) || groups[0].Note != "71 %, at steps 1 to 7" {
		t.Errorf("%v %q\n%s", err, got, groups[0].Note)
	}
	if groups, err := FindAlike(r, brokenVectors{errors.New("no answer")}); err == nil || err.Error() != "embeddings: no answer" || len(groups) != 6 {
		t.Errorf("%v %v", groups, err)
	}
	r.Trajectories = r.Trajectories[:1]
	if groups, err := FindAlike(r, brokenVectors{errors.New("asked for nothing")}); err != nil || len(groups) != 1 {
		t.Errorf("%v %v", groups, err)
	}
}

package linearize

import (
	"fmt"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/math/align"
	"github.com/boundcheck/boundcheck/core/ref/reference"
)

// parseProcess parses a process in text form.
func parseProcess(t testing.TB, text string) *reference.Node {
	t.Helper()
	r, err := reference.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	if r.Process != nil {
		return r.Process
	}
	list := &reference.Node{Kind: reference.Sequence}
	for _, s := range r.Steps {
		list.Children = append(list.Children, reference.Node{Step: s})
	}
	return list
}

// newProblem returns the problem of a run that is written as names. A name has a letter
// for the type and an optional digit for the argument. A step whose name ends in *
// matches any argument.
func newProblem(p *reference.Node, run string) Problem {
	names := strings.Fields(run)
	obs := make([]int, len(names))
	for i, name := range names {
		obs[i] = int(name[0]) << 8
		if len(name) > 1 {
			obs[i] += int(name[1])
		}
	}
	return Problem{Process: p, Obs: obs, Similarity: stepSimilarity, SameType: sameType}
}

func stepSimilarity(step *reference.Step, obs int) float64 {
	switch {
	case !sameType(step, obs):
		return 0.4
	case strings.HasSuffix(step.Name, "*"), len(step.Name) == 1 && obs&0xff == 0, len(step.Name) == 2 && int(step.Name[1]) == obs&0xff:
		return 1
	}
	return 0.5
}

func sameType(step *reference.Step, obs int) bool { return int(step.Name[0]) == obs>>8 }

// formatResult returns a result as a short string, such as "a@0 b- [2] left:c". In this
// example, step a is paired with action 0, and step b is missing. The second alternative
// of a one-of is taken, and the optional step c is left out.
func formatResult(r Result) string {
	var parts []string
	for _, s := range r.Steps {
		at := "-"
		if s.Obs >= 0 {
			at = fmt.Sprint("@", s.Obs)
		}
		parts = append(parts, s.Node.Step.Name+at)
	}
	for _, c := range r.Choices {
		parts = append(parts, fmt.Sprintf("[%d]", c.Taken+1))
	}
	for _, n := range r.Left {
		parts = append(parts, "left:"+strings.Join(stepNames(n), "+"))
	}
	return strings.Join(parts, " ")
}

func stepNames(n *reference.Node) []string {
	if n.Kind == reference.Action {
		return []string{n.Step.Name}
	}
	var out []string
	for i := range n.Children {
		out = append(out, stepNames(&n.Children[i])...)
	}
	return out
}

// alignResult aligns a result's list with package align.
func alignResult(t testing.TB, p Problem, r Result) align.Alignment {
	t.Helper()
	ref := make([]int, len(r.Steps))
	for i := range ref {
		ref[i] = i
	}
	a, err := align.Align(align.Problem{
		Obs: p.Obs, Ref: ref,
		Similarity: func(o, k int) float64 { return p.Similarity(&r.Steps[k].Node.Step, o) },
		SameType: func(o, k int) bool {
			return p.SameType != nil && p.SameType(&r.Steps[k].Node.Step, o)
		},
	}, align.Params{Threshold: p.Threshold})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// totalSimilarity returns the total similarity of an alignment's substitutions.
func totalSimilarity(a align.Alignment) float64 {
	sum := 0.0
	for _, s := range a.Steps {
		sum += s.Similarity
	}
	return sum
}

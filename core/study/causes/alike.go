package causes

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/report"
)

const (
	leastAlike = 0.75 // similarity from which two sentences are alike
	mostAlike  = 1000 // groups whose sentences are compared; smaller ones stay as they are
	mostParts  = 3    // sentences that the text of a joined group names
)

// Part is one of the groups that were joined.
type Part struct {
	Text string   `json:"text"`
	Runs []string `json:"runs"`
}

// FindAlike returns the groups of a report as Find does, but groups of one kind whose sentences
// have similar vectors are one group, and the larger one gives it its tool and place. Groups
// whose tools do deeds of different known classes stay apart, because a model gives opposites
// similar vectors. The text of a joined group is that of its parts, so it is true of each run.
// Equal vectors give equal groups. O(groups² · dimensions), for at most mostAlike groups.
func FindAlike(r *report.Report, e similarity.Embedder) ([]Group, error) {
	groups := Find(r)
	into, err := joinKeys(groups[:min(mostAlike, len(groups))], e)
	if err != nil || len(into) == 0 {
		return groups, err
	}
	parts := map[key][]Part{}
	for i := range groups {
		k := groups[i].key()
		lead := cmp.Or(into[k], k)
		parts[lead] = append(parts[lead], Part{groups[i].Text, groups[i].Runs})
	}
	joined := groupRuns(r, into)
	for i := range joined {
		if p := parts[joined[i].key()]; len(p) > 1 {
			joined[i].Parts, joined[i].Text = p, textOf(p)
		}
	}
	return joined, nil
}

// joinKeys returns, for each group that joins a larger one, the key of that group.
func joinKeys(groups []Group, e similarity.Embedder) (map[key]key, error) {
	ordered := slices.Clone(groups) // in an order that does not depend on that of the runs
	slices.SortStableFunc(ordered, func(a, b Group) int {
		return cmp.Or(cmp.Compare(len(b.Runs), len(a.Runs)), strings.Compare(a.Text, b.Text))
	})
	var sentences []string
	for i := range ordered {
		if s := ordered[i].deedWords(); !slices.Contains(sentences, s) {
			sentences = append(sentences, s)
		}
	}
	if len(sentences) < 2 {
		return nil, nil
	}
	texts, err := similarity.Embed(e, sentences)
	if err != nil {
		return nil, fmt.Errorf("embeddings: %w", err)
	}
	into := map[key]key{}
	var leaders []*Group
	for i := range ordered {
		g := &ordered[i]
		var best *Group
		most := leastAlike
		for _, l := range leaders {
			if s := texts.Similarity(l.deedWords(), g.deedWords()); l.mayJoin(g) && (s > most || s == most && best == nil) {
				best, most = l, s
			}
		}
		if best == nil {
			leaders = append(leaders, g)
		} else {
			into[g.key()] = best.key()
		}
	}
	return into, nil
}

func (g *Group) key() key { return key{g.Kind, g.Tool, g.Place, g.Rule} }

// deedWords returns what the runs of a group did, with the names as words and without what all
// groups of its kind say.
func (g *Group) deedWords() string {
	if g.Tool == "" || g.Kind == found {
		return g.Text
	}
	return strings.Join(append(mutation.NameWords(g.Tool), mutation.NameWords(g.Place)...), " ")
}

// mayJoin reports whether two groups are about the same kind of story and no opposite deeds.
func (g *Group) mayJoin(other *Group) bool {
	return g.Kind == other.Kind && !isOther(g.Tool, other.Tool) && (g.Kind != "instead" || !isOther(g.Place, other.Place))
}

func isOther(a, b string) bool {
	d, f := mutation.DeedOf(a).Class, mutation.DeedOf(b).Class
	return d != "" && f != "" && d != f
}

func textOf(parts []Part) string {
	var all []string
	for i := range parts[:min(mostParts, len(parts))] {
		all = append(all, parts[i].Text)
	}
	switch left := len(parts) - mostParts; {
	case left == 1:
		all = append(all, "did one more thing like these")
	case left > 1:
		all = append(all, fmt.Sprintf("did one of %d more things like these", left))
	}
	return strings.Join(all, "; or ")
}

package requests

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/heard"
	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/utterance"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// drawTexts returns texts of a run: few values stand in many of them, alone, in records and in prose.
func drawTexts(r *rand.Rand, values []string) []provenance.Text {
	pick := func() string {
		v := values[r.IntN(len(values))]
		if r.IntN(3) == 0 {
			v = strings.ToUpper(v)
		}
		return v
	}
	texts := make([]provenance.Text, r.IntN(9))
	for i := range texts {
		x := &texts[i]
		switch x.From = provenance.FromTool; r.IntN(7) {
		case 0:
			*x = provenance.Text{From: provenance.FromUser, Text: "write to " + pick()}
		case 1:
			x.Text = strings.Repeat(pick()+" ", heard.MostData/3)
		case 2:
			x.Text = ""
		case 3:
			x.Text = fmt.Sprintf("Please use %s and %s.", pick(), pick())
		default:
			x.Text = fmt.Sprintf(`[{"id":%q,"to":%q},{"n":7,"at":"see %s"}]`, pick(), pick(), pick())
		}
	}
	return texts
}

var searched = []string{"w-1", "W-12", "a/b/w-1", "x=w-1", "folder/", "", "p1@example.com", "ünal@example.com", "de89370400440532013000", "+4917012345678", "1,000", "12"}

// TestResultsWith checks that the search of all results at once finds what a look at each one finds, in
// any order of the calls.
func TestResultsWith(t *testing.T) {
	for seed := range uint64(drawn.Cases(400)) {
		random := rand.New(rand.NewPCG(42, seed))
		texts := drawTexts(random, searched)
		r, plain := NewReader(texts, nil, NoMeans, nil), NewReader(texts, nil, NoMeans, nil)
		for range 6 {
			values, n := []string{searched[random.IntN(len(searched))], searched[random.IntN(len(searched))]}, random.IntN(len(texts)+2)
			for i := range values {
				values[i] = utterance.Fold(values[i])
			}
			type found struct {
				text int
				held []string
			}
			var got, want []found
			for i, held := range r.ResultsWith(values, n) {
				got = append(got, found{i, held})
			}
			for i := range plain.ResultsBefore(n) {
				held := slices.DeleteFunc(slices.Clone(values), func(v string) bool {
					base := v[strings.LastIndexAny(v, "/=")+1:]
					return !strings.Contains(texts[i].Text, base) && !strings.Contains(plain.Folded(i), base)
				})
				if len(held) > 0 {
					want = append(want, found{i, held})
				}
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d: %q before %d of %+v: %v, want %v", seed, values, n, texts, got, want)
			}
			v := values[0]
			at, rival := r.FindSource(v, n)
			if wantAt, wantRival := findSourceAlone(plain, v, n); at != wantAt || rival != wantRival {
				t.Fatalf("seed %d: the source of %q before %d of %+v: %d, %v, want %d, %v", seed, v, n, texts, at, rival, wantAt, wantRival)
			}
		}
	}
}

// findSourceAlone is FindSource, which reads each result for each call.
func findSourceAlone(r *Reader, value string, before int) (at int, rival bool) {
	at = -1
	for i := range r.ResultsBefore(before) {
		if strings.Contains(r.Folded(i), value) && at < 0 {
			at = i
		}
		v, err := jsonval.Parse(strings.TrimSpace(r.Texts[i].Text))
		if err != nil {
			continue
		}
		for _, l := range v.Leaves() {
			s, ok := l.Value.Str()
			if !ok {
				continue
			}
			if s = utterance.Fold(s); s == value {
				return -1, false
			}
			other := similarity.Leaf{Key: l.Key, Raw: s}
			rival = rival || strings.Contains(s, "@") == strings.Contains(value, "@") && deed.LeadsAway(&other) != ""
		}
	}
	return at, rival
}

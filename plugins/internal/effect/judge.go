package effect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/internal/patch"
	"github.com/boundcheck/boundcheck/plugins/sdk"
)

// Done is the result of one action: the things that it touched, and whether all of it
// was understood.
type Done struct {
	Touched []Thing
	Opaque  bool
}

// Play applies the effects of one action to a world. The result has the things that were
// touched, and says whether an effect was opaque.
func (w *World) Play(effects []Effect) (d Done) {
	seen := map[Thing]bool{}
	for _, e := range effects {
		w.Do(e)
		t := Thing{e.Table, e.Key}
		switch {
		case e.Opaque:
			d.Opaque = true
		case !seen[t]:
			seen[t] = true
			d.Touched = append(d.Touched, t)
		}
	}
	return d
}

// Case holds the results of the actions of two runs, and the alignment of these actions.
type Case struct {
	Observed, Reference []Done
	Rows                []abi.Row
	Comparison          Comparison
	Stage               string             // the stage in an excuse for a row that ends as in the reference
	Same                func(row int) bool // reports whether both actions of a row are the same
	Say                 map[string]string  // the names of tables in reasons; a table that is not in the map keeps its own name
}

// Run is a replay with the data that it was made from, as Check needs it.
type Run struct {
	abi.Replay
	Observed, Reference []Done
	Comparison          Comparison
	Compared            bool // there was a reference to compare with
}

// Replay calls run with the request, and returns the field Replay of the result.
func Replay(r *abi.ReplayRequest, run func(*abi.ReplayRequest) (*Run, error)) (abi.Replay, error) {
	x, err := run(r)
	if err != nil {
		return abi.Replay{}, err
	}
	return x.Replay, nil
}

// Check answers a request of the operation equivalence.check. The function run replays
// the observed run and the reference of the request. The arguments stage and say become
// the fields Stage and Say of the Case.
func Check(r *abi.CheckRequest, run func(*abi.ReplayRequest) (*Run, error), stage string, say map[string]string) (abi.Check, error) {
	if err := sdk.CheckRows(r.Alignment, len(r.Observed), len(r.Reference)); err != nil {
		return abi.Check{}, err
	}
	x, err := run(&r.ReplayRequest)
	if err != nil {
		return abi.Check{}, err
	}
	if !x.Compared {
		return abi.Check{Excused: []abi.Excuse{}, Blamed: []abi.Blame{}, Replay: x.Replay}, nil
	}
	c := Case{Observed: x.Observed, Reference: x.Reference, Rows: r.Alignment, Comparison: x.Comparison, Stage: stage, Say: say}
	c.Same = func(i int) bool {
		row := r.Alignment[i]
		return row.Obs >= 0 && row.Ref >= 0 && sameAction(&r.Observed[row.Obs], &r.Reference[row.Ref])
	}
	excused, blamed := c.Judge()
	return abi.Check{Excused: excused, Blamed: blamed, Replay: x.Replay}, nil
}

// sameAction reports whether two actions have the same name, text and arguments. White
// space around a text and between the parts of JSON arguments does not count. The result
// is false if the action a has failed.
func sameAction(a, b *abi.Action) bool {
	return !a.Failed && a.Name == b.Name && strings.TrimSpace(a.Text) == strings.TrimSpace(b.Text) && bytes.Equal(compactJSON(a.Arguments), compactJSON(b.Arguments))
}

func compactJSON(raw json.RawMessage) []byte {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}

// Listed returns the differences of the comparison in the form that an abi.Replay needs.
// The texts become JSON strings. The member Field is "not comparable" if a difference is
// not proved.
func (c *Comparison) Listed() []abi.Difference {
	out := make([]abi.Difference, len(c.Differences))
	for i, d := range c.Differences {
		out[i] = abi.Difference{Table: d.Table, Key: d.Key, Field: comparabilityNote(d.Verdict), Observed: quoteJSON(d.Observed), Reference: quoteJSON(d.Reference)}
	}
	return out
}

// comparabilityNote returns "not comparable" if a difference is not proved, otherwise "".
// The text is for the member Field of the difference.
func comparabilityNote(v patch.Verdict) string {
	if v == patch.Unknown {
		return "not comparable"
	}
	return ""
}

func quoteJSON(s string) json.RawMessage {
	if s == "" {
		return nil
	}
	b, err := json.Marshal(s)
	if err != nil { // strings can always be encoded
		panic(err)
	}
	return b
}

// Judge rules on the rows of a case:
//
//   - A row is excused if it changes nothing, or if everything that it touches ends as in the reference.
//   - A row is blamed if a thing that it touches provably ends differently.
//   - A row of two equal actions is never excused. It is blamed only if no other row explains the difference.
//   - A row with an action that was not understood is excused only if the final worlds of both runs are equal.
//
// Any other row gets no ruling, for example a row that touches a thing that cannot be
// compared.
func (c *Case) Judge() (excused []abi.Excuse, blamed []abi.Blame) {
	excused, blamed = []abi.Excuse{}, []abi.Blame{}
	at := map[Thing]int{}
	for i, d := range c.Comparison.Differences {
		at[d.Thing] = i
	}
	explained := map[Thing]bool{}
	for i := range c.Rows {
		if !c.Same(i) {
			for _, t := range c.touchedThings(c.Rows[i]) {
				explained[t] = true
			}
		}
	}
	for i, row := range c.Rows {
		same, touched := c.Same(i), c.touchedThings(row)
		var differ []int
		open := false
		for _, t := range touched {
			d, ok := at[t]
			switch {
			case c.Comparison.Final && isOutside(t):
				open = true
			case !ok || same && explained[t]:
			case c.Comparison.Differences[d].Verdict == patch.Unknown:
				open = true
			default:
				differ = append(differ, d)
			}
		}
		switch {
		case len(differ) > 0:
			blamed = append(blamed, abi.Blame{Row: i, Differences: differ, Reason: c.differenceReason(differ)})
		case same || open:
		case c.hasOpaqueCall(row) && !c.Comparison.Equal():
		case c.hasOpaqueCall(row):
			excused = append(excused, abi.Excuse{Row: i, Stage: c.Stage, Reason: "the final changes of the whole run are the same as in the reference"})
		case len(touched) == 0:
			excused = append(excused, abi.Excuse{Row: i, Stage: c.Stage, Reason: "it changes nothing"})
		default:
			excused = append(excused, abi.Excuse{Row: i, Stage: c.Stage, Reason: "the changed data has the same final state as in the reference: " + c.thingName(touched[0])})
		}
	}
	return excused, blamed
}

func (c *Case) thingName(t Thing) string {
	if word, ok := c.Say[t.Table]; ok {
		return word + " " + t.Key
	}
	return t.Key
}

func (c *Case) differenceReason(differ []int) string {
	t := c.Comparison.Differences[differ[0]].Thing
	more := ""
	if n := len(differ) - 1; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return "the changed data has a different final state than in the reference: " + c.thingName(t) + more
}

// touchedThings returns the things that either side of a row touched.
func (c *Case) touchedThings(row abi.Row) (out []Thing) {
	seen := map[Thing]bool{}
	add := func(all []Thing) {
		for _, t := range all {
			if !seen[t] {
				seen[t] = true
				out = append(out, t)
			}
		}
	}
	if row.Obs >= 0 {
		add(c.Observed[row.Obs].Touched)
	}
	if row.Ref >= 0 {
		add(c.Reference[row.Ref].Touched)
	}
	return out
}

func (c *Case) hasOpaqueCall(row abi.Row) bool {
	return row.Obs >= 0 && c.Observed[row.Obs].Opaque || row.Ref >= 0 && c.Reference[row.Ref].Opaque
}

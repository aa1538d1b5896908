package swebench

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/internal/effect"
	"github.com/boundcheck/boundcheck/plugins/sdk"
)

// Check compares two runs and rules on the rows of their alignment; see effect.Case.
func Check(r *abi.CheckRequest) (abi.Check, error) {
	if err := sdk.CheckRows(r.Alignment, len(r.Observed), len(r.Reference)); err != nil {
		return abi.Check{}, err
	}
	out, err := replay(&r.ReplayRequest)
	if err != nil {
		return abi.Check{}, err
	}
	if !out.compared {
		return abi.Check{Excused: []abi.Excuse{}, Blamed: []abi.Blame{}, Replay: out.Replay}, nil
	}
	c := effect.Case{Observed: out.obs.done, Reference: out.ref.done, Rows: r.Alignment, Comparison: out.comparison, Stage: abi.StageState,
		Say: map[string]string{effect.History: "history of", effect.Requests: "request"}}
	c.Same = func(i int) bool {
		row := r.Alignment[i]
		return row.Obs >= 0 && row.Ref >= 0 && same(&r.Observed[row.Obs], &r.Reference[row.Ref])
	}
	excused, blamed := c.Judge()
	return abi.Check{Excused: excused, Blamed: blamed, Replay: out.Replay}, nil
}

// same tells one action from another by their words.
func same(a, b *abi.Action) bool {
	return !a.Failed && a.Name == b.Name && strings.TrimSpace(a.Text) == strings.TrimSpace(b.Text) && bytes.Equal(compact(a.Arguments), compact(b.Arguments))
}

func compact(raw json.RawMessage) []byte {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}

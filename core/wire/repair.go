package wire

import (
	"errors"
	"strings"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/repair"
)

// Repaired is the answer to "repair": the JSON made from a text that was almost JSON, and
// the changes.
type Repaired struct {
	Text    string         `json:"text"`
	Count   int            `json:"count"`   // number of changed places; 0 if it was JSON
	Kinds   map[string]int `json:"kinds"`   // number of changes of each kind
	Changes []Edit         `json:"changes"` // the first 50, in text order
}

// Edit is one changed place.
type Edit struct {
	Kind   string `json:"kind"`
	Line   int    `json:"line"` // from 1
	Column int    `json:"column"`
	Was    string `json:"was"` // at most 200 bytes of the original
	Now    string `json:"now"`
}

const (
	mostEdits   = 50
	longestEdit = 200
)

// repairText returns the body converted to valid JSON. It converts Python's literals,
// comments, trailing commas and similar deviations. It does not guess.
func repairText(body []byte) (any, error) {
	r, err := repair.JSON(string(body))
	var syntax *jsonval.SyntaxError
	if errors.As(err, &syntax) {
		return nil, &core.InputError{Msg: syntax.Msg, Line: syntax.Line, Column: syntax.Column}
	}
	if err != nil {
		return nil, err
	}
	out := Repaired{Text: r.Text, Count: len(r.Changes), Kinds: map[string]int{}, Changes: []Edit{}}
	for i, c := range r.Changes {
		out.Kinds[string(c.Kind)]++
		if i < mostEdits {
			out.Changes = append(out.Changes, Edit{string(c.Kind), c.Line, c.Column, clipEdit(c.Was), clipEdit(c.Now)})
		}
	}
	return out, nil
}

func clipEdit(s string) string {
	if len(s) > longestEdit {
		return strings.ToValidUTF8(s[:longestEdit], "") + "…"
	}
	return s
}

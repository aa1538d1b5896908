package wire

import (
	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/read/mapping"
)

// Mapped is the answer to "map": where the calls are in JSON of an unknown format.
type Mapped struct {
	Map   map[string]string `json:"map"`   // gjson paths by member, as under "map" in boundcheck.yaml
	Flag  string            `json:"flag"`  // the same in the form of the command's --map
	Calls int               `json:"calls"` // number of calls that it reads
}

// proposeMap returns a mapping that finds the calls in an unknown format. The body is the
// same as for "score", but only its first trace is used. It returns an error if nothing
// in the trace looks like calls.
func proposeMap(body []byte) (any, error) {
	r, err := core.ReadRequest(body)
	if err != nil {
		return nil, err
	}
	m, calls, err := mapping.Propose(r.Inputs[0].Data)
	if err != nil {
		return nil, &core.InputError{Msg: err.Error()}
	}
	return Mapped{Map: m.Members(), Flag: m.String(), Calls: calls}, nil
}

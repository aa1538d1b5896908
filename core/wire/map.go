package wire

import (
	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/mapping"
)

// Mapped is the answer to "map": the position of the calls in JSON of an unknown format.
type Mapped struct {
	Map   map[string]string `json:"map"`   // gjson paths by member, as under "map" in boundcheck.yaml
	Flag  string            `json:"flag"`  // the same in the form of the command's --map
	Calls int               `json:"calls"` // number of calls that it reads
}

// proposeMap returns a mapping that reads the calls of an unknown format. The body is that
// of a score request, and its first trace is read. If nothing in it looks like calls,
// proposeMap returns an error.
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

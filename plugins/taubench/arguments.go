package taubench

import (
	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/sdk"
	"github.com/boundcheck/boundcheck/plugins/taubench/py"
)

// arguments reads a call's arguments. It returns nil for a text that is not an object,
// which an agent may write. Any other kind is an error of the request.
func arguments(a *abi.Action, side string, i int) (*py.Dict, error) {
	if len(a.Arguments) == 0 || string(a.Arguments) == "null" {
		return &py.Dict{}, nil
	}
	v, err := py.Parse(string(a.Arguments))
	if err != nil {
		return nil, sdk.Errorf(abi.CodeInvalidRequest, "invalid %s[%d].arguments: %v", side, i, err)
	}
	if text, ok := v.(string); ok {
		v, _ = py.Parse(text)
		d, _ := v.(*py.Dict)
		return d, nil
	}
	d, ok := v.(*py.Dict)
	if !ok {
		return nil, sdk.Errorf(abi.CodeInvalidRequest, "invalid %s[%d].arguments: must be an object", side, i)
	}
	return d, nil
}

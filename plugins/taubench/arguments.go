package taubench

import (
	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/sdk"
	"github.com/boundcheck/boundcheck/plugins/taubench/py"
)

// parseArguments returns a call's arguments. If the arguments are a string, its text is
// parsed, and the result is nil if this text is not an object. It returns an error if the
// arguments are neither an object nor a string.
func parseArguments(a *abi.Action, side string, i int) (*py.Dict, error) {
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

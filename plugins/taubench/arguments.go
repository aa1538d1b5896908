package taubench

import (
	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/sdk"
	"github.com/boundcheck/boundcheck/plugins/taubench/py"
)

// parseArguments returns a call's arguments. If they are a string, the text of the string
// is parsed. If this text is not an object, the result is nil, because an agent may write
// any text. If the arguments are neither an object nor a string, the request is invalid
// and parseArguments returns an error.
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

//go:build wasip1

// Command ownprompts is a user's plugin for tests: one template with a bundled name,
// and one of its own.
package main

import (
	"encoding/json"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/sdk"
)

func init() {
	tokens := abi.Tokens{About: 3, Method: "counted by hand"}
	names := abi.Variable{Name: "names", Kind: abi.KindTexts, Summary: "who is greeted"}
	sdk.Serve(&sdk.Plugin{
		Description: abi.Description{Name: "ownprompts", Version: "3.1.0", Summary: "house rules", Templates: []abi.Template{
			{ID: "ebp-scope", Version: "9.0.0", Summary: "our own words", Variables: []abi.Variable{names}, Tokens: tokens},
			{ID: "house-rules", Version: "1.0.0", Summary: "what we agreed on", Tokens: tokens},
		}},
		Ops: map[string]sdk.Op{abi.OpPromptRender: sdk.Typed(func(r abi.RenderRequest) (abi.Rendered, error) {
			version := map[string]string{"ebp-scope": "9.0.0", "house-rules": "1.0.0"}[r.Template]
			if version == "" {
				return abi.Rendered{}, sdk.Errorf("unknown-template", "unknown template %q", r.Template)
			}
			variables, err := json.Marshal(r.Variables)
			return abi.Rendered{Template: r.Template, Version: version, Tokens: tokens, Text: "Our own words. " + string(variables)}, err
		})},
	})
}

func main() {}

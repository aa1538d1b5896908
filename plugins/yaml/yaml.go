// Package yaml is the bundled plugin that converts YAML to JSON, for hosts without a
// reader of their own. The page fetches it when a user adds a reference or a
// boundcheck.yaml.
package yaml

import (
	"errors"

	"github.com/boundcheck/boundcheck/internal/yamljson"
	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/sdk"
)

// OpJSON is the plugin's one operation.
const OpJSON = "json"

// CodeInvalidYAML is the error code for a text that is not YAML; the message has the
// line.
const CodeInvalidYAML = "invalid-yaml"

// Request is a request for a text as JSON.
type Request struct {
	Name string `json:"name"` // of the file; "" if there is none
	Text string `json:"text"`
}

// Answer holds the text as JSON. It is null if the name and the first line show that
// the text is not YAML; the host then reads the text in another way.
type Answer struct {
	JSON *string `json:"json"`
}

// Plugin returns the plugin that the guest serves.
func Plugin() *sdk.Plugin {
	return &sdk.Plugin{
		Description: abi.Description{Name: "yaml", Version: "1.0.0", Summary: "converts YAML to JSON, for hosts that cannot read YAML"},
		Ops:         map[string]sdk.Op{OpJSON: sdk.Typed(Read)},
	}
}

// Read converts the YAML text of the request to JSON. A text that has only comments
// becomes null.
func Read(r Request) (Answer, error) {
	if !yamljson.Is(r.Name, r.Text) {
		return Answer{}, nil
	}
	text, err := yamljson.ToJSON(r.Text)
	if errors.Is(err, yamljson.ErrEmpty) {
		text, err = "null", nil
	}
	if err != nil {
		return Answer{}, sdk.Errorf(CodeInvalidYAML, "%s", err)
	}
	return Answer{JSON: &text}, nil
}

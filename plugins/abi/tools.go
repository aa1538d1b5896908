package abi

import (
	"encoding/json"
	"fmt"
	"slices"
)

// ClassifyRequest is a request for tools.classify: which tools change the environment.
type ClassifyRequest struct {
	Op    string `json:"op"`
	Tools []Tool `json:"tools"`
}

// Tool is the definition of one of the user's tools. Parameters is its JSON schema,
// unchanged.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
}

// Classified is the answer to tools.classify. A tool that Tools does not name gets no
// verdict from the plugin.
type Classified struct {
	Tools []Classification `json:"tools"`
}

// Classification is a plugin's verdict on a tool. Mutating is yes, no or unknown. It can
// only make the host's verdict stricter; from mild to strict the verdicts are no, unknown
// and yes.
type Classification struct {
	Name     string `json:"name"`
	Mutating string `json:"mutating"`
	Reason   string `json:"reason"`
}

// Within returns an error if the answer names a tool that is not in the request.
func (c *Classified) Within(r *ClassifyRequest) error {
	for _, t := range c.Tools {
		if !slices.ContainsFunc(r.Tools, func(asked Tool) bool { return asked.Name == t.Name }) {
			return fmt.Errorf("the answer classifies tool %q, which is not in the request", t.Name)
		}
		if !slices.Contains([]string{"yes", "no", "unknown"}, t.Mutating) {
			return fmt.Errorf("the verdict on tool %q is %q; want yes, no or unknown", t.Name, t.Mutating)
		}
	}
	return nil
}

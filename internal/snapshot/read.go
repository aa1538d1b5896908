package snapshot

import (
	"errors"
	"strings"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/internal/yamljson"
)

// Read reads a reference file in JSON or YAML. It accepts the formats of core.References
// and suites of the form {"tasks": [{"id": …, "steps": […]}]}. It returns either one
// reference or the references by task. A file without steps is an error, except if it
// contains "steps: []".
func Read(name string, data []byte) (one *reference.Reference, byTask map[string]*reference.Reference, err error) {
	text := strings.TrimPrefix(string(data), "\ufeff")
	if yamljson.Is(name, text) {
		if text, err = yamljson.ToJSON(text); err != nil {
			return nil, nil, err
		}
	}
	one, byTask, err = core.References([]byte(text))
	if err == nil && one != nil && one.Process == nil && len(one.Steps) == 0 && len(one.Says) == 0 && !strings.ContainsAny(text, "[{") {
		return nil, nil, errors.New("the reference has no steps; if the agent should do nothing, write \"steps: []\"")
	}
	return one, byTask, err
}

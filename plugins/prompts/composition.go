package prompts

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// composition is a compound action and its atomic actions, in order (ABB section 3.1:
// gran(a) above 1). It has the form of the tools tables that score reads.
type composition struct {
	whole string
	parts []string
}

// parseCompositions reads the member "compositions" of the object that also has the
// tools. An element of this member is, for example, {"whole": "send_email", "parts":
// ["compose", "attach", "send"]}. The result is nil if there is no such member. An error
// names the place in raw as a path.
func parseCompositions(raw json.RawMessage) ([]composition, error) {
	const at = "compositions"
	if kindOf(raw) != "object" {
		return nil, nil
	}
	o, err := readObject(raw, "")
	if err != nil {
		return nil, err
	}
	v, ok := o.get(at)
	if !ok {
		return nil, nil
	}
	var list []json.RawMessage
	if kindOf(v) != "array" || json.Unmarshal(v, &list) != nil {
		return nil, toolsError(at, `must be an array of objects with "whole" and "parts", but is %s`, kindOf(v))
	}
	out := make([]composition, len(list))
	for i, item := range list {
		if out[i], err = parseComposition(item, at+"["+strconv.Itoa(i)+"]"); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func parseComposition(raw json.RawMessage, at string) (composition, error) {
	o, err := readObject(raw, at)
	if err != nil {
		return composition{}, err
	}
	var c composition
	if c.whole, err = o.readText("whole", at); err == nil {
		c.parts, err = o.readTexts("parts", at)
	}
	switch {
	case err != nil:
		return composition{}, err
	case c.whole == "":
		return composition{}, toolsError(joinPath(at, "whole"), "missing")
	case len(c.parts) < 2:
		return composition{}, toolsError(joinPath(at, "parts"), "must name at least two actions")
	}
	for _, name := range append([]string{c.whole}, c.parts...) {
		if name == "" || oneLine(name) != name || strings.Contains(name, "`") {
			return composition{}, toolsError(at, "invalid name %q", name)
		}
	}
	return c, nil
}

// stepsLine describes the steps of a compound action in one line. If the compound action
// is one of the tools, the line tells the agent to call this tool instead of the steps.
func (c composition) stepsLine(tools []tool) string {
	steps := "`" + strings.Join(c.parts, "`, then `") + "`"
	if slices.ContainsFunc(tools, func(t tool) bool { return t.name == c.whole }) {
		return "`" + c.whole + "` stands for " + steps + ": call it once in their place."
	}
	return "`" + c.whole + "`: " + steps
}

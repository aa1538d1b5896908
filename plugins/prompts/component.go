package prompts

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/sdk"
)

// componentsVariable is the variable that selects the components of a prompt.
const componentsVariable = "components"

// chooseComponents returns the template's text with only the components that the variable
// "components" names. If vars does not have this variable, the text has all components.
// The text of a component does not depend on the other components, so that prompts can be
// compared (ABB, Table 18).
func (t *template) chooseComponents(vars map[string]json.RawMessage) (string, error) {
	raw := vars[componentsVariable]
	if t.components == nil || !isGiven(raw) {
		return keepSections(t.text, func(string) bool { return true }), nil
	}
	var asked []string
	if err := json.Unmarshal(raw, &asked); err != nil || len(asked) == 0 {
		return "", sdk.Errorf(CodeInvalidVariable, "invalid components: must be an array with at least one of %s", strings.Join(t.components, ", "))
	}
	for _, name := range asked {
		if !slices.Contains(t.components, name) {
			return "", sdk.Errorf(CodeInvalidVariable, "unknown component %q of template %s; the known components are %s", name, t.id, strings.Join(t.components, ", "))
		}
	}
	text := keepSections(t.text, func(name string) bool { return slices.Contains(asked, name) })
	for _, v := range t.variables {
		if isGiven(vars[v.name]) && !strings.Contains(text, "{{"+v.name+"}}") {
			return "", sdk.Errorf(CodeInvalidVariable, `variable %q is not used, because its component %q is not listed in "components"`, v.name, t.findComponent(v))
		}
	}
	return text, nil
}

// findComponent returns the name of the component that uses the variable v.
func (t *template) findComponent(v variable) string {
	i := slices.IndexFunc(t.components, func(name string) bool {
		only := keepSections(t.text, func(section string) bool { return section == name })
		return strings.Contains(only, "{{"+v.name+"}}")
	})
	return t.components[max(i, 0)]
}

// keepSections returns the text without some of its sections. A section begins with a
// line {{#name}} and ends with a line {{/name}}. These two lines are always removed. The
// section between them is kept if keep returns true for its name.
func keepSections(text string, keep func(name string) bool) string {
	var out strings.Builder
	dropped := false
	for line := range strings.Lines(text) {
		mark := strings.TrimSuffix(strings.TrimSpace(line), "}}")
		if name, opens := strings.CutPrefix(mark, "{{#"); opens {
			dropped = !keep(name)
		} else if strings.HasPrefix(mark, "{{/") {
			dropped = false
		} else if !dropped {
			out.WriteString(line)
		}
	}
	return out.String()
}

package sdk

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// Error codes of Renders.
const (
	CodeUnknownTemplate = "unknown-template"
	CodeInvalidVariable = "invalid-variable" // unknown, missing or of the wrong kind
)

// Template is a prompt template of a plugin. Another wording is a new version.
type Template struct {
	ID, Version, Summary string
	Variables            []abi.Variable // of the kinds text and texts
	Text                 func(Values) string
}

// Values are a template's variables. Those that were left out are empty.
type Values struct {
	text  map[string]string
	texts map[string][]string
}

// Text returns the value of a variable of the kind text, or "" if it was left out.
func (v Values) Text(name string) string { return v.text[name] }

// Texts returns the value of a variable of the kind texts, or nil if it was left out.
func (v Values) Texts(name string) []string { return v.texts[name] }

// Renders returns the descriptions of the given templates, and the operation
// prompt.render for these templates. The operation refuses unknown variables, values of
// the wrong kind, and requests without a required variable.
func Renders(all ...Template) ([]abi.Template, Op) {
	described := make([]abi.Template, len(all))
	for i, t := range all {
		described[i] = abi.Template{ID: t.ID, Version: t.Version, Summary: t.Summary, Variables: t.Variables, Tokens: EstimateTokens(t.renderText(Values{}))}
	}
	return described, Typed(func(r abi.RenderRequest) (abi.Rendered, error) {
		i := slices.IndexFunc(all, func(t Template) bool { return t.ID == r.Template })
		if i < 0 {
			return abi.Rendered{}, Errorf(CodeUnknownTemplate, "unknown template %q", r.Template)
		}
		values, err := all[i].readValues(r.Variables)
		if err != nil {
			return abi.Rendered{}, err
		}
		text := all[i].renderText(values)
		return abi.Rendered{Template: r.Template, Version: all[i].Version, Tokens: EstimateTokens(text), Text: text}, nil
	})
}

func (t *Template) renderText(v Values) string { return strings.TrimRight(t.Text(v), "\n") }

func (t *Template) readValues(given map[string]json.RawMessage) (v Values, err error) {
	v = Values{map[string]string{}, map[string][]string{}}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.ContainsFunc(t.Variables, func(x abi.Variable) bool { return x.Name == name }) {
			return v, Errorf(CodeInvalidVariable, "unknown variable %q of %s", name, t.ID)
		}
	}
	for _, x := range t.Variables {
		raw := given[x.Name]
		switch {
		case len(raw) == 0 || string(raw) == "null":
			if x.Required {
				return v, Errorf(CodeInvalidVariable, "missing variable %q of %s: %s", x.Name, t.ID, x.Summary)
			}
			continue
		case x.Kind == abi.KindTexts:
			var all []string
			err = json.Unmarshal(raw, &all)
			v.texts[x.Name] = all
		default:
			var one string
			err = json.Unmarshal(raw, &one)
			v.text[x.Name] = one
		}
		if err != nil {
			return v, Errorf(CodeInvalidVariable, "invalid variable %q of %s: want the kind %s", x.Name, t.ID, x.Kind)
		}
	}
	return v, nil
}

// EstimateTokens counts four characters as one token. If the text has fewer than 400
// characters, the estimate may be too low, and the Method of the result says so.
func EstimateTokens(text string) abi.Tokens {
	n := 0
	for range text {
		n++
	}
	method := "estimate: characters/4, at most 25 % too high"
	if n < 400 {
		method = "estimate: characters/4, at most 18 % too low or 25 % too high"
	}
	return abi.Tokens{About: (n + 3) / 4, Method: method}
}

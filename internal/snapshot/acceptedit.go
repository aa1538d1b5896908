package snapshot

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/path"
)

// acceptEdits returns the edits that make the values of differing arguments acceptable for
// a call that a person wrote about. They only add bytes.
func (o *outline) acceptEdits(e *entry, different []core.Evidence) (edits []edit, err error) {
	var order []string
	values := map[string][]jsonval.Value{}
	for _, d := range different {
		v, err := jsonval.Parse(d.Observed)
		if err != nil {
			return nil, err
		}
		at := path.Literal(d.Path)
		if values[at] == nil {
			order = append(order, at)
		}
		if !slices.ContainsFunc(values[at], func(w jsonval.Value) bool { return jsonval.Equal(v, w) }) {
			values[at] = append(values[at], v)
		}
	}
	accept, _ := e.call.member("accept")
	var missing []string
	for _, at := range order {
		list, _ := accept.member(at)
		if list == nil {
			missing = append(missing, at)
			continue
		}
		more, err := o.extendList(list, values[at])
		if err != nil {
			return nil, err
		}
		edits = append(edits, more...)
	}
	if len(missing) == 0 {
		return edits, nil
	}
	var members []string
	for _, at := range missing {
		text, err := o.valuesText(values[at])
		if err != nil {
			return nil, err
		}
		members = append(members, o.nameText(at)+": ["+text+"]")
	}
	if accept != nil {
		return append(edits, o.addMembers(accept, members)...), nil
	}
	return append(edits, o.addMembers(e.call, []string{o.nameText("accept") + ": {" + strings.Join(members, ", ") + "}"})...), nil
}

// extendList adds the values that a list of accepted values does not have.
func (o *outline) extendList(list *part, values []jsonval.Value) (edits []edit, err error) {
	for _, p := range list.parts {
		text, err := o.jsonOf(p)
		if err != nil {
			return nil, err
		}
		if known, err := jsonval.Parse(text); err == nil {
			values = slices.DeleteFunc(slices.Clone(values), func(v jsonval.Value) bool { return jsonval.Equal(known, v) })
		}
	}
	for _, v := range values {
		text, err := o.valuesText([]jsonval.Value{v})
		if err != nil {
			return nil, err
		}
		last := list.parts[len(list.parts)-1]
		if list.flow {
			edits = append(edits, edit{last.end, last.end, ", " + text})
			continue
		}
		edits = append(edits, o.lineBehind(list, "- "+text))
	}
	return edits, nil
}

// addMembers adds members to a mapping.
func (o *outline) addMembers(p *part, members []string) (edits []edit) {
	if p.flow {
		end := p.parts[len(p.parts)-1].end
		return []edit{{end, end, ", " + strings.Join(members, ", ")}}
	}
	for _, m := range members {
		edits = append(edits, o.lineBehind(p, m))
	}
	return edits
}

// lineBehind adds a line behind a list or a mapping without brackets, below its first
// element.
func (o *outline) lineBehind(p *part, text string) edit {
	at := o.lineEnd(max(p.end-1, p.start))
	line := strings.Repeat(" ", p.start-o.lineStart(p.start)) + text
	if at > 0 && o.text[at-1] != '\n' {
		return edit{at, at, o.lineBreak() + line}
	}
	return edit{at, at, line + o.lineBreak()}
}

func (o *outline) nameText(name string) string {
	if o.json {
		return jsonval.Quoted(name)
	}
	text, err := flowText(textNode(name))
	if err != nil {
		return jsonval.Quoted(name)
	}
	return text
}

// valuesText writes values between the brackets of a list.
func (o *outline) valuesText(values []jsonval.Value) (string, error) {
	var out []string
	for _, v := range values {
		text := v.Raw()
		if !o.json {
			var err error
			if text, err = flowText(fromJSON(v)); err != nil {
				return "", err
			}
		}
		out = append(out, text)
	}
	return strings.Join(out, ", "), nil
}

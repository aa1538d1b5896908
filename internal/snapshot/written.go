package snapshot

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"go.yaml.in/yaml/v3"
)

// yours is the name of the mark of a step that a person wrote without any other mark.
const yours = "your step"

// madeHeader matches the first of the comment lines of a YAML file that boundcheck made.
var madeHeader = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\A(?:#.*\n|[ \t\r]*\n)*# ` + madeBy) })

// hasHeader reports whether the file says that boundcheck made it.
func (o *outline) hasHeader(root *part) bool {
	if o.json {
		title, _ := root.member("title")
		return title != nil && strings.HasPrefix(title.value, madeBy)
	}
	return madeHeader().MatchString(o.text)
}

// keepSteps records which steps belong to a person: each step of a file that boundcheck did
// not make, and each step that differs from what boundcheck writes. A step that a person
// wrote exactly as boundcheck would is not told apart.
func (o *outline) keepSteps(list []*entry) {
	for _, e := range list {
		group := e.kind != reference.Action && e.kind != reference.Optional
		if !o.made || e.item && !group && !o.asWritten(e) {
			e.keepAll(yours, e.start)
		}
		o.keepSteps(e.children)
	}
}

// asWritten reports whether the bytes of an entry are those that boundcheck writes for the
// same step.
func (o *outline) asWritten(e *entry) bool {
	if o.json {
		return o.asWrittenJSON(e)
	}
	s := Step{}
	call := e
	if e.kind == reference.Optional {
		_, key := e.call.member("optional")
		call, s.Optional = e.children[0], o.noteBehind(key)
	}
	if call.kind != reference.Action || !o.readStep(&s, call.call) {
		return false
	}
	text, err := o.stepText(&s, s.yamlNode(), e)
	start, end := o.span(e)
	return err == nil && strings.TrimRight(text, "\r\n") == strings.TrimRight(o.text[start:end], "\r\n")
}

// readStep reads a call in YAML. It reports whether the call has only members that a
// proposal writes.
func (o *outline) readStep(s *Step, p *part) bool {
	if p.kind != yaml.MappingNode {
		s.Text = p.value
		return isText(p.value)
	}
	for i, key := range p.names {
		value, ok := p.parts[i], true
		switch key.value {
		case "name":
			s.Name = value.value
		case "arguments":
			s.Arguments, ok = o.valueOf(value)
		case "accept":
			s.Accept, ok = o.readAccept(value)
		case "ignore":
			for _, at := range value.parts {
				s.Ignore = append(s.Ignore, Note{at.value, o.noteBehind(at)})
			}
		default:
			return false
		}
		if !ok {
			return false
		}
	}
	return true
}

func (o *outline) readAccept(p *part) (all []Other, ok bool) {
	for i, key := range p.names {
		other := Other{Path: key.value}
		for _, q := range p.parts[i].parts {
			v, ok := o.valueOf(q)
			if !ok {
				return nil, false
			}
			other.Values = append(other.Values, v)
		}
		all = append(all, other)
	}
	return all, true
}

func (o *outline) valueOf(p *part) (jsonval.Value, bool) {
	text, err := o.jsonOf(p)
	if err != nil {
		return jsonval.Value{}, false
	}
	v, err := jsonval.Parse(text)
	return v, err == nil
}

// isText reports whether a step in one string is a text and not a call.
func isText(line string) bool {
	text, err := json.Marshal(map[string][]string{"steps": {line}})
	if err != nil {
		return false
	}
	one, _, err := Read("x.json", text)
	return err == nil && one != nil && len(one.Steps) == 1 && one.Steps[0].Text == line
}

// noteBehind returns the text of the comment behind a part on its line, or "".
func (o *outline) noteBehind(p *part) string {
	for _, c := range o.commentsIn(p.end, o.lineEnd(p.end)) {
		return strings.TrimPrefix(strings.TrimPrefix(o.text[c[0]:c[1]], "#"), " ")
	}
	return ""
}

// asWrittenJSON reports whether an entry of a JSON file has the members and the white space
// that boundcheck writes.
func (o *outline) asWrittenJSON(e *entry) bool {
	call, form := e.call, []string{"name", "arguments", "accept", "ignore", "title"}
	if e.kind == reference.Optional {
		if !namesIn(e.call, []string{"optional", "title"}) {
			return false
		}
		call = e.children[0].call
	}
	if call.kind != yaml.MappingNode && !isText(call.value) || !namesIn(call, form) {
		return false
	}
	text, indent := o.text[e.start:e.end], o.text[o.lineStart(e.start):e.start]
	if oneLine(text) == text {
		return true
	}
	var b bytes.Buffer
	err := json.Indent(&b, []byte(text), indent, "  ")
	return err == nil && strings.TrimSpace(indent) == "" && b.String() == text
}

// namesIn reports whether the members of a mapping are some of these, in this order.
func namesIn(p *part, names []string) bool {
	for _, key := range p.names {
		i := slices.Index(names, key.value)
		if i < 0 {
			return false
		}
		names = names[i+1:]
	}
	return true
}

package snapshot

import (
	"errors"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"go.yaml.in/yaml/v3"
)

// readJSON finds the places of all values in a JSON text.
func readJSON(text string) (*source, *part, error) {
	if _, err := jsonval.Parse(strings.TrimSpace(text)); err != nil {
		return nil, nil, err
	}
	s := newSource(text)
	s.json = true
	r := jsonReader{text: text}
	root := r.readValue()
	if root == nil {
		return nil, nil, errors.New("the file contains no value")
	}
	return s, root, nil
}

// jsonReader reads valid JSON.
type jsonReader struct {
	text string
	at   int
}

// next skips white space, commas and colons, and returns the next byte. At the end of the
// text it returns 0.
func (r *jsonReader) next() byte {
	for ; r.at < len(r.text); r.at++ {
		if !strings.ContainsRune(" \t\r\n,:", rune(r.text[r.at])) {
			return r.text[r.at]
		}
	}
	return 0
}

// readValue reads the next value. It returns nil at the end of a collection.
func (r *jsonReader) readValue() *part {
	c := r.next()
	p := &part{kind: yaml.ScalarNode, start: r.at, flow: true}
	switch c {
	case 0, ']', '}':
		return nil
	case '[':
		p.kind = yaml.SequenceNode
		r.at++
		for e := r.readValue(); e != nil; e = r.readValue() {
			p.parts = append(p.parts, e)
		}
		r.at++
	case '{':
		p.kind = yaml.MappingNode
		r.at++
		for name := r.readValue(); name != nil; name = r.readValue() {
			p.names, p.parts = append(p.names, name), append(p.parts, r.readValue())
		}
		r.at++
	case '"':
		r.at += quotedSize(r.text[r.at:])
	default:
		for r.at < len(r.text) && !strings.ContainsRune(" \t\r\n,:]}", rune(r.text[r.at])) {
			r.at++
		}
	}
	p.end = r.at
	if v, err := jsonval.Parse(r.text[p.start:p.end]); err == nil && p.kind == yaml.ScalarNode {
		p.value = v.Text()
	}
	return p
}

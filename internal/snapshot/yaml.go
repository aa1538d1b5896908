// Package snapshot keeps references in files that people read, edit and commit, as
// snapshots of runs that went well. It writes them with comments that say why
// (Propose), reads them as YAML, JSON or one call a line (Read), and writes them again
// from another run without losing what was edited (Update).
package snapshot

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
	"go.yaml.in/yaml/v3"
)

// maxNodes bounds a YAML text with its aliases written out.
const maxNodes = 1_000_000

// yamlStart is how a reference in YAML begins, and neither JSON nor one call a line.
var yamlStart = regexp.MustCompile(`^(steps|tasks|says|title):(\s|$)|^-\s+(name|tool|id|anyOrder|oneOf|sequence):(\s|$)|^---\s*$`)

// IsYAML reports whether a file holds YAML: by its name, else by its first line that
// is no comment.
func IsYAML(name, text string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".yaml", ".yml":
		return true
	case ".json", ".jsonl":
		return false
	}
	for _, line := range strings.Split(text, "\n") {
		if line = strings.TrimRight(line, " \t\r"); line != "" && line[0] != '#' {
			return yamlStart.MatchString(line)
		}
	}
	return false
}

// ErrEmpty is a text that holds nothing but comments.
var ErrEmpty = errors.New("the file is empty")

// ToJSON returns a YAML text as JSON. Members keep their order, numbers their digits, and
// dates stay texts. Aliases are written out; merge keys, repeated members and values
// that JSON does not have are errors with their line.
func ToJSON(text string) (string, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return "", fmt.Errorf("invalid YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if doc.Kind == 0 {
		return "", ErrEmpty
	}
	w := jsonWriter{left: maxNodes}
	if err := w.node(doc.Content[0]); err != nil {
		return "", err
	}
	return w.String(), nil
}

type jsonWriter struct {
	strings.Builder
	left  int
	depth int
}

func (w *jsonWriter) node(n *yaml.Node) error {
	if w.left--; w.left < 0 || w.depth > 400 {
		return fmt.Errorf("line %d: the text is too large or too deep", n.Line)
	}
	w.depth++
	defer func() { w.depth-- }()
	switch n.Kind {
	case yaml.AliasNode:
		return w.node(n.Alias)
	case yaml.MappingNode:
		return w.mapping(n)
	case yaml.SequenceNode:
		w.WriteByte('[')
		for i, c := range n.Content {
			if i > 0 {
				w.WriteByte(',')
			}
			if err := w.node(c); err != nil {
				return err
			}
		}
		w.WriteByte(']')
		return nil
	}
	return w.scalar(n)
}

func (w *jsonWriter) mapping(n *yaml.Node) error {
	seen := map[string]bool{}
	w.WriteByte('{')
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		switch {
		case key.Kind != yaml.ScalarNode:
			return fmt.Errorf("line %d: a member's name must be a text", key.Line)
		case key.Tag == "!!merge":
			return fmt.Errorf("line %d: merge keys (<<) are not read; write the members out", key.Line)
		case seen[key.Value]:
			return fmt.Errorf("line %d: member %q appears twice", key.Line, key.Value)
		}
		seen[key.Value] = true
		if i > 0 {
			w.WriteByte(',')
		}
		w.WriteString(jsonval.Quoted(key.Value) + ":")
		if err := w.node(n.Content[i+1]); err != nil {
			return err
		}
	}
	w.WriteByte('}')
	return nil
}

func (w *jsonWriter) scalar(n *yaml.Node) error {
	switch n.ShortTag() {
	case "!!null":
		w.WriteString("null")
		return nil
	case "!!bool":
		var b bool
		if err := n.Decode(&b); err != nil {
			return fmt.Errorf("line %d: %w", n.Line, err)
		}
		w.WriteString(strconv.FormatBool(b))
		return nil
	case "!!int", "!!float":
		return w.number(n)
	case "!!str", "!!timestamp":
		w.WriteString(jsonval.Quoted(n.Value))
		return nil
	}
	return fmt.Errorf("line %d: a value of type %s is not read; want a text, a number, true, false, null, a list or members", n.Line, n.Tag)
}

// number keeps a decimal number's digits, and turns hexadecimal and its like.
func (w *jsonWriter) number(n *yaml.Node) error {
	if jsonval.Valid(n.Value) {
		w.WriteString(n.Value)
		return nil
	}
	var whole int64
	if n.ShortTag() == "!!int" && n.Decode(&whole) == nil {
		w.WriteString(strconv.FormatInt(whole, 10))
		return nil
	}
	var f float64
	if err := n.Decode(&f); err != nil || f != f || f > 1e308 || f < -1e308 {
		return fmt.Errorf("line %d: %s is not a JSON number", n.Line, n.Value)
	}
	w.WriteString(strconv.FormatFloat(f, 'g', -1, 64))
	return nil
}

// fromJSON returns a JSON value as YAML, its numbers with their digits.
func fromJSON(v jsonval.Value) *yaml.Node {
	switch v.Kind() {
	case jsonval.Object:
		n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
		v.Each(func(key string, m jsonval.Value) bool {
			n.Content = append(n.Content, text(key), fromJSON(m))
			return true
		})
		return n
	case jsonval.Array:
		n := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
		for _, e := range v.Elements() {
			n.Content = append(n.Content, fromJSON(e))
		}
		return n
	case jsonval.String:
		return text(v.Text())
	}
	tag := map[jsonval.Kind]string{jsonval.Bool: "!!bool", jsonval.Null: "!!null"}[v.Kind()]
	if tag == "" {
		tag = "!!int"
		if strings.ContainsAny(v.Raw(), ".eE") {
			tag = "!!float"
		}
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: v.Raw()}
}

// text is a string as YAML writes it; its library quotes what would be read otherwise.
func text(s string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
	if strings.Contains(strings.TrimRight(s, "\n"), "\n") {
		n.Style = yaml.LiteralStyle
	}
	return n
}

func mapping(members ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: members}
}

func sequence(elements ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Content: elements}
}

// member returns a mapping's member of that name, or nil.
func member(n *yaml.Node, name string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1]
		}
	}
	return nil
}

// Package snapshot proposes, reads and updates reference files. Such a file is made from
// runs that went well, and people read, edit and commit it. Of proposes references, with
// comments that give the reasons. Read reads a file in YAML, JSON, or text with one call
// per line. Update edits a file so that it describes other runs, and never removes what a
// person wrote.
package snapshot

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"go.yaml.in/yaml/v3"
)

// fromJSON converts a JSON value to YAML. Numbers keep their digits.
func fromJSON(v jsonval.Value) *yaml.Node {
	switch v.Kind() {
	case jsonval.Object:
		n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
		v.Each(func(key string, m jsonval.Value) bool {
			n.Content = append(n.Content, textNode(key), fromJSON(m))
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
		return textNode(v.Text())
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

// textNode returns a string as a YAML node. The YAML library quotes a string that would
// otherwise be read as another type.
func textNode(s string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
	if strings.Contains(strings.TrimRight(s, "\n"), "\n") {
		n.Style = yaml.LiteralStyle
	}
	return n
}

func mappingNode(members ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: members}
}

func sequenceNode(elements ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Content: elements}
}

// findMember returns the member of a mapping with that name, or nil.
func findMember(n *yaml.Node, name string) *yaml.Node {
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

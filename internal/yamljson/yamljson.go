// Package yamljson converts YAML to JSON, because the rest of the program reads only
// JSON.
package yamljson

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"go.yaml.in/yaml/v3"
)

// maxNodes limits the number of nodes in a YAML text. An alias counts as the nodes of its
// value.
const maxNodes = 1_000_000

// yamlStart matches the first line of a reference in YAML. It matches no first line of
// JSON or of a list of calls.
var yamlStart = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(steps|tasks|says|title):(\s|$)|^-\s+(name|tool|id|anyOrder|oneOf|sequence):(\s|$)|^---\s*$`)
})

// Is reports whether a file is YAML. It looks at the extension of the name first. If the
// extension is not known, it looks at the first line that is neither empty nor a comment.
func Is(name, text string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".yaml", ".yml":
		return true
	case ".json", ".jsonl":
		return false
	}
	for _, line := range strings.Split(text, "\n") {
		if line = strings.TrimRight(line, " \t\r"); line != "" && line[0] != '#' {
			return yamlStart().MatchString(line)
		}
	}
	return false
}

// ErrEmpty is the error for a text that contains nothing but comments.
var ErrEmpty = errors.New("the file is empty")

// ToJSON converts a YAML text to JSON. Members keep their order, numbers keep their
// digits, and dates become strings. Aliases are replaced by their values. An error names
// its line. These are errors:
//
//   - merge keys;
//   - repeated members;
//   - values that JSON does not have;
//   - a second document.
func ToJSON(text string) (string, error) {
	d := yaml.NewDecoder(strings.NewReader(text))
	var doc, next yaml.Node
	switch err := d.Decode(&doc); {
	case err == io.EOF:
		return "", ErrEmpty
	case err != nil:
		return "", invalid(err)
	}
	switch err := d.Decode(&next); {
	case err == nil && next.Content[0].Tag != "!!null":
		return "", fmt.Errorf("line %d: the text has several documents; want one", next.Content[0].Line)
	case err != nil && err != io.EOF:
		return "", invalid(err)
	}
	return OfNode(doc.Content[0])
}

func invalid(err error) error {
	return fmt.Errorf("invalid YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
}

// OfNode converts one node of a YAML document to JSON, as ToJSON does.
func OfNode(n *yaml.Node) (string, error) {
	w := writer{left: maxNodes}
	if err := w.writeNode(n); err != nil {
		return "", err
	}
	return w.String(), nil
}

type writer struct {
	strings.Builder
	left  int
	depth int
}

func (w *writer) writeNode(n *yaml.Node) error {
	if w.left--; w.left < 0 || w.depth > 400 {
		return fmt.Errorf("line %d: the text has too many values or too many levels", n.Line)
	}
	w.depth++
	defer func() { w.depth-- }()
	switch n.Kind {
	case yaml.AliasNode:
		return w.writeNode(n.Alias)
	case yaml.MappingNode:
		return w.writeMapping(n)
	case yaml.SequenceNode:
		w.WriteByte('[')
		for i, c := range n.Content {
			if i > 0 {
				w.WriteByte(',')
			}
			if err := w.writeNode(c); err != nil {
				return err
			}
		}
		w.WriteByte(']')
		return nil
	}
	return w.writeScalar(n)
}

func (w *writer) writeMapping(n *yaml.Node) error {
	seen := map[string]bool{}
	w.WriteByte('{')
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		switch {
		case key.Kind != yaml.ScalarNode:
			return fmt.Errorf("line %d: a member's name must be a string", key.Line)
		case key.Tag == "!!merge":
			return fmt.Errorf("line %d: merge keys (<<) are not supported; write the members out", key.Line)
		case seen[key.Value]:
			return fmt.Errorf("line %d: member %q appears twice", key.Line, key.Value)
		}
		seen[key.Value] = true
		if i > 0 {
			w.WriteByte(',')
		}
		w.WriteString(jsonval.Quoted(key.Value) + ":")
		if err := w.writeNode(n.Content[i+1]); err != nil {
			return err
		}
	}
	w.WriteByte('}')
	return nil
}

func (w *writer) writeScalar(n *yaml.Node) error {
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
		return w.writeNumber(n)
	case "!!str", "!!timestamp":
		w.WriteString(jsonval.Quoted(n.Value))
		return nil
	}
	return fmt.Errorf("line %d: a value of type %s is not supported; want a string, a number, true, false, null, a list or a mapping", n.Line, n.Tag)
}

// writeNumber writes a number. A decimal number keeps its digits. Other forms, such as
// hexadecimal, are converted.
func (w *writer) writeNumber(n *yaml.Node) error {
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
		return fmt.Errorf("line %d: JSON cannot represent the number %s", n.Line, n.Value)
	}
	w.WriteString(strconv.FormatFloat(f, 'g', -1, 64))
	return nil
}

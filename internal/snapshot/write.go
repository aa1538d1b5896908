package snapshot

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/internal/yamljson"
	"go.yaml.in/yaml/v3"
)

// Suite holds the references of one file: either one for all runs, with "" as its task,
// or one per task.
type Suite struct {
	Head  []string // lines at the top of the file, for people
	Tasks []Task
}

// Task is a reference and the id of the task whose runs are compared with it.
type Task struct {
	ID    string
	Steps []Step
	Notes []string // for people
}

// YAML returns a suite as YAML. Notes and reasons become comments. Read can read the
// result.
func (s *Suite) YAML() ([]byte, error) { return encodeYAML(s.yamlNode()) }

// JSON returns a suite as JSON. Notes and reasons become members named title.
func (s *Suite) JSON() ([]byte, error) {
	n := s.yamlNode()
	commentsToTitles(n)
	text, err := yamljson.OfNode(n)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(text), "", "  "); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

func encodeYAML(n *yaml.Node) ([]byte, error) {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(n); err != nil {
		return nil, err
	}
	err := e.Close()
	return b.Bytes(), err
}

func (s *Suite) yamlNode() *yaml.Node {
	var n *yaml.Node
	if len(s.Tasks) == 1 && s.Tasks[0].ID == "" {
		n = mappingNode(textNode("steps"), stepNodes(s.Tasks[0].Steps))
		n.HeadComment = yamlComment(append(s.Head, s.Tasks[0].Notes...))
		return n
	}
	var tasks []*yaml.Node
	for _, t := range s.Tasks {
		one := mappingNode(textNode("id"), textNode(t.ID), textNode("steps"), stepNodes(t.Steps))
		one.HeadComment = yamlComment(t.Notes)
		tasks = append(tasks, one)
	}
	n = mappingNode(textNode("tasks"), sequenceNode(tasks...))
	n.HeadComment = yamlComment(s.Head)
	return n
}

// yamlComment returns a YAML comment with these lines. The lines may contain any
// characters.
func yamlComment(lines []string) string {
	var out []string
	for _, l := range lines {
		out = append(out, strings.TrimRight("# "+printableLine(l), " "))
	}
	return strings.Join(out, "\n")
}

// printableLine replaces each character that is not printable by a space. The result is a
// single line.
func printableLine(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) { // YAML allows even fewer characters, for example no control characters
			return ' '
		}
		return r
	}, s)
}

// stepNodes returns a YAML list of the steps in order. Consecutive steps of the same turn
// become a group that allows any order.
func stepNodes(steps []Step) *yaml.Node {
	list := sequenceNode()
	for i := 0; i < len(steps); {
		n := 1
		for i+n < len(steps) && steps[i].Turn >= 0 && steps[i+n].Turn == steps[i].Turn {
			n++
		}
		if n == 1 {
			list.Content = append(list.Content, steps[i].yamlNode())
		} else {
			group := sequenceNode()
			for _, s := range steps[i : i+n] {
				group.Content = append(group.Content, s.yamlNode())
			}
			key := textNode("anyOrder")
			key.LineComment = "# parallel calls"
			list.Content = append(list.Content, mappingNode(key, group))
		}
		i += n
	}
	if len(list.Content) == 0 {
		list.Style = yaml.FlowStyle
	}
	return list
}

func (s *Step) yamlNode() *yaml.Node {
	n := s.callNode()
	if s.Optional == "" {
		return n
	}
	key := textNode("optional")
	key.LineComment = yamlComment([]string{s.Optional})
	return mappingNode(key, n)
}

func (s *Step) callNode() *yaml.Node {
	if s.Text != "" {
		return textNode(s.Text)
	}
	n := mappingNode(textNode("name"), textNode(s.Name))
	if s.Arguments.Exists() && s.Arguments.Raw() != "{}" {
		arguments := fromJSON(s.Arguments)
		if fitsOneLine(arguments) {
			arguments.Style = yaml.FlowStyle
		}
		n.Content = append(n.Content, textNode("arguments"), arguments)
	}
	if len(s.Accept) > 0 {
		accept := mappingNode()
		for _, o := range s.Accept {
			values := sequenceNode()
			values.Style = yaml.FlowStyle
			for _, v := range o.Values {
				values.Content = append(values.Content, fromJSON(v))
			}
			accept.Content = append(accept.Content, textNode(o.Path), values)
		}
		key := textNode("accept")
		key.LineComment = "# other good runs had these values"
		n.Content = append(n.Content, key, accept)
	}
	if len(s.Ignore) > 0 {
		paths := sequenceNode()
		for _, note := range s.Ignore {
			path := textNode(note.Path)
			path.LineComment = yamlComment([]string{note.Why})
			paths.Content = append(paths.Content, path)
		}
		n.Content = append(n.Content, textNode("ignore"), paths)
	}
	return n
}

// fitsOneLine reports whether a mapping fits on one line. The values must be scalars, and
// their total length must be small.
func fitsOneLine(n *yaml.Node) bool {
	size := 0
	for _, c := range n.Content {
		if c.Kind != yaml.ScalarNode || c.Style == yaml.LiteralStyle {
			return false
		}
		size += len(c.Value) + 2
	}
	return size <= 70
}

// commentsToTitles copies the comments of a YAML tree into members named title, because
// JSON has no comments.
func commentsToTitles(n *yaml.Node) {
	for _, c := range n.Content {
		commentsToTitles(c)
	}
	if n.Kind != yaml.MappingNode {
		return
	}
	var said []string
	if n.HeadComment != "" {
		said = append(said, trimComment(n.HeadComment))
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if c := n.Content[i].LineComment; c != "" && n.Content[i].Value != "accept" {
			said = append(said, trimComment(c))
		}
		if n.Content[i].Value == "ignore" {
			for _, path := range n.Content[i+1].Content {
				said = append(said, fmt.Sprintf("%s: %s", path.Value, trimComment(path.LineComment)))
			}
		}
	}
	if len(said) > 0 && findMember(n, "title") == nil {
		n.Content = append(n.Content, textNode("title"), textNode(strings.Join(said, "; ")))
	}
}

func trimComment(comment string) string {
	var out []string
	for _, l := range strings.Split(comment, "\n") {
		out = append(out, strings.TrimSpace(strings.TrimPrefix(l, "#")))
	}
	return strings.Join(out, " ")
}

package snapshot

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/jsonval"
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

// Update returns the suite as YAML and keeps the edits that people made in the old text.
// If a call did not change, Update copies it from the old text with its comments and with
// all members that people added. The comment at the top of the old text is also kept. If
// old is not valid YAML, Update returns the same text as the method YAML.
func (s *Suite) Update(old []byte) ([]byte, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(old, &doc); err != nil || len(doc.Content) == 0 {
		return s.YAML()
	}
	n := s.yamlNode()
	var calls []*yaml.Node
	collectCalls(doc.Content[0], &calls)
	keepEdited(n, calls)
	if head := headOf(&doc); head != "" {
		n.HeadComment = head
	}
	for _, name := range []string{"says", "title"} {
		if kept := findMember(doc.Content[0], name); kept != nil && findMember(n, name) == nil {
			n.Content = append(n.Content, textNode(name), kept)
		}
	}
	return encodeYAML(n)
}

// headOf returns the comment at the top of a file. It searches three nodes, because the
// YAML library may store the comment in any of them.
func headOf(doc *yaml.Node) string {
	root := doc.Content[0]
	lines := []string{doc.HeadComment, root.HeadComment}
	if len(root.Content) > 0 {
		lines = append(lines, root.Content[0].HeadComment)
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// collectCalls appends the calls of a node in order.
func collectCalls(n *yaml.Node, calls *[]*yaml.Node) {
	if n.Kind == yaml.MappingNode && findMember(n, "name") != nil {
		*calls = append(*calls, n)
		return
	}
	for _, c := range n.Content {
		collectCalls(c, calls)
	}
}

// keepEdited replaces each call in n by the first matching call in old. Each call in old
// is used at most once.
func keepEdited(n *yaml.Node, old []*yaml.Node) {
	if n.Kind == yaml.MappingNode && findMember(n, "name") != nil {
		for i, o := range old {
			if o != nil && sameCall(n, o) {
				*n, old[i] = *o, nil
				return
			}
		}
		return
	}
	for _, c := range n.Content {
		keepEdited(c, old)
	}
}

// sameCall reports whether a new call matches a call that a person has edited. The names
// must be equal, and each argument must fulfil one of these conditions:
//
//   - It has the same value in both calls.
//   - The edited call ignores the argument or accepts its new value.
//   - The edited call has the member compare, and this list does not name the argument.
//
// An edited call with mustNot never matches.
func sameCall(now, edited *yaml.Node) bool {
	if findMember(now, "name").Value != findMember(edited, "name").Value || isTrue(findMember(edited, "mustNot")) {
		return false
	}
	free := map[string]bool{}
	if list := findMember(edited, "ignore"); list != nil {
		for _, c := range list.Content {
			free[c.Value] = true
		}
	}
	accept, compare := findMember(edited, "accept"), findMember(edited, "compare")
	a, b := argumentLeaves(now), argumentLeaves(edited)
	for _, path := range append(sortedKeys(a), sortedKeys(b)...) {
		if free[path] || compare != nil && !containsPath(compare, path) || a[path] == b[path] || acceptsValue(findMember(accept, path), a[path]) {
			continue
		}
		return false
	}
	return true
}

func isTrue(n *yaml.Node) bool { return n != nil && n.Value == "true" }

func containsPath(list *yaml.Node, path string) bool {
	for _, c := range list.Content {
		if c.Value == path {
			return true
		}
	}
	return false
}

func acceptsValue(list *yaml.Node, value string) bool {
	if list == nil {
		return false
	}
	for _, c := range list.Content {
		if text, err := yamljson.OfNode(c); err == nil && canonicalJSON(text) == value {
			return true
		}
	}
	return false
}

// argumentLeaves collects the scalar arguments of a call, and returns them by path.
func argumentLeaves(call *yaml.Node) map[string]string {
	out := map[string]string{}
	arguments := findMember(call, "arguments")
	if arguments == nil {
		return out
	}
	text, err := yamljson.OfNode(arguments)
	if err != nil {
		return out
	}
	v, err := jsonval.Parse(text)
	if err != nil {
		return out
	}
	for _, l := range v.Leaves() {
		out[l.Path] = l.Value.Canonical()
	}
	return out
}

func canonicalJSON(value string) string {
	v, err := jsonval.Parse(value)
	if err != nil {
		return value
	}
	return v.Canonical()
}

// Package mapping reads traces in any JSON form. The user writes a mapping, which gives
// the paths of the runs and of a run's calls, and the members of a call that contain the
// call's name, arguments and result.
package mapping

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/path"
	"github.com/boundcheck/boundcheck/core/read/envelope"
)

// Map contains the gjson paths of the parts of a trace. Runs and Calls are paths of
// lists. Calls, Task and Success are relative to a run. Name, Arguments, Result, Error
// and ID are relative to a call. Only Calls and Name are required.
type Map struct {
	Runs      string // "" if the whole text is one run
	Task      string
	Success   string
	Calls     string
	Name      string
	Arguments string
	Result    string
	Error     string
	ID        string // of a call
}

// memberNames returns the names of a mapping's members, in the order in which String
// writes them.
func memberNames() []string {
	return []string{"runs", "task", "success", "calls", "name", "arguments", "result", "error", "id"}
}

func (m *Map) memberField(member string) *string {
	return map[string]*string{"runs": &m.Runs, "task": &m.Task, "success": &m.Success, "calls": &m.Calls, "name": &m.Name,
		"arguments": &m.Arguments, "result": &m.Result, "error": &m.Error, "id": &m.ID}[member]
}

// Set sets the path of one member. A path has gjson's syntax. Simple jq paths such as
// .steps[].toolCalls[] are accepted, too.
func (m *Map) Set(member, text string) error {
	at := m.memberField(member)
	if at == nil {
		return fmt.Errorf("unknown member %q in a mapping; want one of %s", member, strings.Join(memberNames(), ", "))
	}
	if strings.TrimSpace(text) == "" {
		return fmt.Errorf("%s has no path; want a path such as steps.#.toolCalls", member)
	}
	text = jqToGjson(text)
	if _, err := path.Compile(text); err != nil {
		return fmt.Errorf("%s: %w", member, err)
	}
	*at = text
	return nil
}

// jqToGjson converts a jq path to gjson's syntax. It returns other paths unchanged.
func jqToGjson(path string) string {
	path = strings.TrimSpace(path)
	if path == "." || path == ".[]" {
		return "@this"
	}
	if strings.HasPrefix(path, ".") || strings.Contains(path, "[]") {
		path = strings.ReplaceAll(strings.TrimPrefix(path, "."), "[]", ".#")
		path = strings.TrimPrefix(strings.TrimSuffix(path, ".#"), ".")
	}
	return path
}

// Check returns an error if a required member is missing.
func (m *Map) Check() error {
	switch {
	case m.Calls == "":
		return errors.New("a mapping needs \"calls\", which is the path of the list of calls. For example, calls=steps.#.toolCalls")
	case m.Name == "":
		return errors.New("a mapping needs \"name\", which is the path of a call's name. For example, name=toolName")
	}
	return nil
}

// Parse parses a mapping from the text of a flag, such as
// calls=steps.#.toolCalls,name=toolName.
func Parse(text string) (*Map, error) {
	m := &Map{}
	for _, part := range splitMembers(text) {
		member, path, ok := strings.Cut(part, "=")
		if !ok {
			return nil, fmt.Errorf("invalid mapping %q; want MEMBER=PATH, as in name=toolName", part)
		}
		if err := m.Set(strings.TrimSpace(member), path); err != nil {
			return nil, err
		}
	}
	return m, m.Check()
}

// splitMembers splits a mapping's text at each comma that is followed by MEMBER=. Other
// commas belong to a path.
func splitMembers(text string) (parts []string) {
	for _, p := range strings.Split(text, ",") {
		member, _, ok := strings.Cut(p, "=")
		if len(parts) > 0 && !(ok && slices.Contains(memberNames(), strings.TrimSpace(member))) {
			parts[len(parts)-1] += "," + p
			continue
		}
		parts = append(parts, p)
	}
	return parts
}

// String returns the mapping as the text that Parse reads.
func (m *Map) String() string {
	var parts []string
	for _, member := range memberNames() {
		if path := *m.memberField(member); path != "" {
			parts = append(parts, member+"="+path)
		}
	}
	return strings.Join(parts, ",")
}

// Members returns the paths that are set, by the name of their member.
func (m *Map) Members() map[string]string {
	all := map[string]string{}
	for _, member := range memberNames() {
		if path := *m.memberField(member); path != "" {
			all[member] = path
		}
	}
	return all
}

// YAML returns the mapping as the section "map" of a boundcheck.yaml.
func (m *Map) YAML() string {
	b := "map:\n"
	for _, member := range memberNames() {
		if path := *m.memberField(member); path != "" {
			b += fmt.Sprintf("  %s: %s\n", member, jsonval.Quoted(path))
		}
	}
	return b
}

// paths contains the compiled paths of a mapping, by member.
type paths map[string]*path.Path

func (m *Map) compilePaths() (paths, error) {
	all := paths{}
	for _, member := range memberNames() {
		text := *m.memberField(member)
		if text == "" {
			continue
		}
		p, err := path.Compile(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", member, err)
		}
		all[member] = p
	}
	return all, nil
}

// findMember returns the value in v at the path of a member. It returns Missing if the
// mapping does not set the member.
func (p paths) findMember(v jsonval.Value, member string) jsonval.Value {
	if p[member] == nil {
		return jsonval.Value{}
	}
	return p[member].Get(v)
}

// Apply reads a JSON or JSONL text with the mapping. It returns the runs in the generic
// format, and the number of calls. The generic text says in "notRead" what the mapping
// leaves out, so that its runs are doubtful. If Apply finds no run, no call, or a call without a
// name, the error describes the text.
func (m *Map) Apply(data []byte) (generic []byte, calls int, err error) {
	v, err := parseDocument(data)
	if err != nil {
		return nil, 0, err
	}
	c, err := m.compilePaths()
	if err != nil {
		return nil, 0, err
	}
	runs := m.runsOf(v, c)
	if len(runs) == 0 {
		return nil, 0, fmt.Errorf("the mapping finds no run at %s; the text is %s", m.Runs, describeShape(v))
	}
	var texts []string
	nameless := jsonval.Value{}
	for _, r := range runs {
		text, n, odd := c.convertRun(r)
		texts, calls = append(texts, text), calls+n
		if odd.Exists() && !nameless.Exists() {
			nameless = odd
		}
	}
	switch {
	case nameless.Exists():
		return nil, 0, fmt.Errorf("the mapping finds no name at %s in a call; the call is %s", m.Name, describeShape(nameless))
	case calls == 0:
		return nil, 0, fmt.Errorf("the mapping finds no call at the path %s. The first run is %s", m.Calls, describeShape(runs[0]))
	}
	fault := ""
	if measured := m.measureRuns(v, c, runs); measured.Fault() != "" {
		fault = `,"notRead":` + jsonval.Quoted(measured.Fault())
	}
	return []byte(`{"trajectories":[` + strings.Join(texts, ",") + `]` + fault + `}`), calls, nil
}

// parseDocument parses a JSON text, or JSONL as a list.
func parseDocument(data []byte) (jsonval.Value, error) {
	text := strings.TrimSpace(strings.TrimPrefix(string(data), "\ufeff"))
	rows, kind, err := envelope.Rows(text)
	if err != nil {
		return jsonval.Value{}, err
	}
	if kind != "" && kind != "english" { // the paths are those of the file
		text = rows
	} else if rows, kind = envelope.WrittenRows(text); kind != "" {
		text = rows
	}
	v, err := jsonval.Parse(text)
	if err == nil {
		return v, nil
	}
	var lines []string
	for _, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if !jsonval.Valid(line) {
			return jsonval.Value{}, fmt.Errorf("the text for the mapping is not JSON or JSONL: %w", err)
		}
		lines = append(lines, line)
	}
	return jsonval.Parse("[" + strings.Join(lines, ",") + "]")
}

// convertRun converts a run to the generic format and counts its calls. It leaves out
// calls without a name. The result odd is one of these calls, for an error message.
func (p paths) convertRun(r jsonval.Value) (text string, calls int, odd jsonval.Value) {
	var actions []string
	for _, c := range flattenObjects(p.findMember(r, "calls")) {
		name := p.findMember(c, "name")
		if s, ok := name.Str(); !ok || s == "" {
			odd = c
			continue
		}
		actions = append(actions, p.convertCall(c, name))
	}
	parts := []string{`"actions":[` + strings.Join(actions, ",") + `]`}
	if task := p.findMember(r, "task"); task.Exists() {
		parts = append(parts, `"task":`+jsonval.Quoted(task.Text()))
	}
	if ok, known := interpretSuccess(p.findMember(r, "success")); known && p["success"] != nil {
		parts = append(parts, fmt.Sprintf(`"success":%t`, ok))
	}
	return "{" + strings.Join(parts, ",") + "}", len(actions), odd
}

func (p paths) convertCall(c, name jsonval.Value) string {
	parts := []string{`"name":` + name.Raw()}
	for _, member := range [...]string{"id", "arguments", "result"} {
		if v := p.findMember(c, member); v.Exists() && v.Kind() != jsonval.Null {
			parts = append(parts, jsonval.Quoted(member)+":"+v.Raw())
		}
	}
	if p["error"] != nil {
		if failed, text := interpretError(p.findMember(c, "error")); failed {
			parts = append(parts, `"error":`+text)
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// interpretError reports whether the value of a call's error member means a failure. The
// result text is the error as JSON. These values mean a failure:
//
//   - true
//   - a number other than 0
//   - an object or a list that is not empty
//   - a text that is not empty and not a word for success
func interpretError(v jsonval.Value) (failed bool, text string) {
	switch v.Kind() {
	case jsonval.Bool:
		failed, _ = v.Bool()
		return failed, "true"
	case jsonval.Number:
		n, _ := v.Float()
		return n != 0, "true"
	case jsonval.Object, jsonval.Array:
		return v.Len() > 0, jsonval.Quoted(v.Raw())
	case jsonval.String:
		ok, known := interpretSuccess(v)
		return v.Text() != "" && !(known && ok), v.Raw()
	}
	return false, ""
}

// interpretSuccess interprets a value that says whether something succeeded. known is
// false if the value cannot be interpreted.
func interpretSuccess(v jsonval.Value) (ok, known bool) {
	switch v.Kind() {
	case jsonval.Bool:
		return v.Bool()
	case jsonval.Number:
		n, _ := v.Float()
		return n > 0, true
	case jsonval.String:
		switch strings.ToLower(v.Text()) {
		case "success", "succeeded", "successful", "ok", "passed", "pass", "completed", "complete", "done", "true", "resolved":
			return true, true
		case "failure", "failed", "fail", "error", "false", "unresolved", "incomplete":
			return false, true
		}
	}
	return false, false
}

// flattenObjects returns all objects in a list, including those in lists inside the list.
// For an object it returns only that object.
func flattenObjects(v jsonval.Value) (out []jsonval.Value) {
	switch v.Kind() {
	case jsonval.Object:
		return []jsonval.Value{v}
	case jsonval.Array:
		for _, e := range v.Elements() {
			out = append(out, flattenObjects(e)...)
		}
	}
	return out
}

// describeShape describes the members or the length of a value, for an error message.
func describeShape(v jsonval.Value) string {
	switch v.Kind() {
	case jsonval.Object:
		var keys []string
		v.Each(func(key string, _ jsonval.Value) bool {
			keys = append(keys, key)
			return len(keys) < 12
		})
		return "an object with the members " + strings.Join(keys, ", ")
	case jsonval.Array:
		if first := flattenObjects(v); len(first) > 0 {
			return fmt.Sprintf("a list of length %d whose first element is %s", v.Len(), describeShape(first[0]))
		}
		return fmt.Sprintf("a list of length %d", v.Len())
	}
	return "a " + v.Kind().String()
}

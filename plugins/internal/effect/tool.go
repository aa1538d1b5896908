package effect

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/internal/patch"
)

// arguments holds the members of a call's arguments.
type arguments map[string]json.RawMessage

// stringMember tries the names in order and returns the first member that is a string.
// The bool is false if no such member is a string.
func (a arguments) stringMember(names ...string) (string, bool) {
	for _, name := range names {
		var s string
		if raw, ok := a[name]; ok && string(raw) != "null" && json.Unmarshal(raw, &s) == nil {
			return s, true
		}
	}
	return "", false
}

func (a arguments) numberMember(name string) (int, bool) {
	var n json.Number
	if json.Unmarshal(a[name], &n) != nil {
		return 0, false
	}
	return parseLineNumber(n.String())
}

func (a arguments) filePath() (string, bool) {
	return a.stringMember("path", "file_path", "filepath", "filename", "file_name", "file", "target_file", "notebook_path")
}

// Tool returns the effects of a tool call. It understands calls with these arguments:
//
//   - a text to replace in a file
//   - a new text of a file
//   - a patch
//   - a shell command
//   - a program in another language
//
// For any other arguments, a tool whose name says that it only reads has no effects. If
// the name does not say that, the effect is opaque and read is false.
func (s *Session) Tool(name string, raw json.RawMessage) (effects []Effect, read bool) {
	var a arguments
	var line string
	if json.Unmarshal(raw, &line) == nil && line != "" { // a text instead of arguments
		if effects, ok := s.patchEffects(line, true); ok {
			return effects, true
		}
		if json.Unmarshal([]byte(line), &a) != nil {
			return s.Shell(line)
		}
	} else if json.Unmarshal(raw, &a) != nil && len(raw) > 0 {
		return []Effect{Opaque(name + " " + string(raw))}, false
	}
	for _, shape := range []func(*Session, string, arguments) ([]Effect, bool){(*Session).handlePatch, (*Session).handleEdit, (*Session).handleWrite, (*Session).handleShell, (*Session).handleProgram} {
		if effects, ok := shape(s, name, a); ok {
			return effects, true
		}
	}
	if isReadingTool(name) {
		return nil, true
	}
	return []Effect{Opaque(name + " " + canonicalArguments(a))}, false
}

// handlePatch returns the effects of a call that passes a diff. The bool is false if the
// call does not pass a diff, or if the diff cannot be read.
func (s *Session) handlePatch(_ string, a arguments) ([]Effect, bool) {
	source, ok := a.diffText()
	if !ok {
		return nil, false
	}
	return s.patchEffects(source, true)
}

func (a arguments) diffText() (string, bool) {
	return a.stringMember("patch", "diff", "model_patch", "patch_text", "input", "submission")
}

// Patch reads the diff in the arguments of a call. ok is false if there is no diff.
func (s *Session) Patch(raw json.RawMessage) (files []patch.File, ok bool) {
	var a arguments
	var text string
	if json.Unmarshal(raw, &text) != nil && json.Unmarshal(raw, &a) == nil {
		text, _ = a.diffText()
	}
	files, err := patch.Parse(text)
	return files, err == nil
}

// handleEdit returns the effects of a call that names a file, the old text and the new
// text. The bool is false for any other call.
func (s *Session) handleEdit(_ string, a arguments) ([]Effect, bool) {
	name, ok := s.namedFile(a)
	if !ok {
		return nil, false
	}
	if verb, _ := a.stringMember("command"); verb == "undo_edit" {
		return []Effect{OnFile(name, Op{Verb: Undo})}, true
	}
	var list []arguments
	if raw, ok := a["edits"]; ok && json.Unmarshal(raw, &list) == nil {
		var out []Effect
		for _, edit := range list {
			e, ok := replaceEffect(name, edit)
			if !ok {
				return nil, false
			}
			out = append(out, e)
		}
		return out, len(out) > 0
	}
	if at, ok := a.numberMember("insert_line"); ok {
		text, _ := a.stringMember("new_str", "text", "new_string", "content")
		return []Effect{OnFile(name, Op{Verb: Insert, From: at, New: addLineEnd(text)})}, true
	}
	if e, ok := replaceEffect(name, a); ok {
		return []Effect{e}, true
	}
	return nil, false
}

// addLineEnd adds a line end to a text that does not end with a line end. An empty text
// stays empty.
func addLineEnd(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}

func replaceEffect(name string, a arguments) (Effect, bool) {
	old, ok := a.stringMember("old_str", "old_string", "old_text", "search", "oldText")
	if !ok {
		return Effect{}, false
	}
	text, _ := a.stringMember("new_str", "new_string", "new_text", "replace", "newText")
	var all bool
	_ = json.Unmarshal(a["replace_all"], &all) // a missing member counts as false
	if old == "" {
		return OnFile(name, Op{Verb: Write, New: text}), true
	}
	return OnFile(name, Op{Verb: Replace, Old: old, New: text, All: all}), true
}

// handleWrite returns the effects of a call that passes the name of a file, with or
// without the whole content of the file. The bool is false for any other call.
func (s *Session) handleWrite(tool string, a arguments) ([]Effect, bool) {
	name, ok := s.namedFile(a)
	if !ok {
		return nil, false
	}
	verb, commanded := a.stringMember("command")
	text, has := a.stringMember("file_text", "content", "contents", "text", "code", "new_source")
	_, from := a.numberMember("start")
	switch {
	case commanded && verb == "view", !commanded && !has && isReadingTool(tool):
		return nil, true
	case from || a.hasMember("start_line") || a.hasMember("insert"):
		return []Effect{OnFile(name, Op{Verb: Unread})}, true
	case has:
		return []Effect{OnFile(name, Op{Verb: Write, New: text, Created: verb == "create"})}, true
	case commanded || isChangingTool(tool):
		return []Effect{OnFile(name, Op{Verb: Unread})}, true
	}
	return nil, false
}

func (a arguments) hasMember(name string) bool { _, ok := a[name]; return ok }

// namedFile returns the name in the world of the file that a call names. The bool is
// false if the call names no file, or if the directory of the file is not known.
func (s *Session) namedFile(a arguments) (string, bool) {
	p, ok := a.filePath()
	if !ok || p == "" {
		return "", false
	}
	return s.Path(p)
}

// handleShell returns the effects of a call that passes a script to a shell. The bool is
// false for any other call.
func (s *Session) handleShell(_ string, a arguments) ([]Effect, bool) {
	line := a.shellScript()
	if strings.TrimSpace(line) == "" {
		_, empty := a.stringMember("command") // an empty command asks for further output of a running program
		return nil, empty
	}
	effects, _ := s.Shell(line)
	return effects, true
}

// handleProgram returns the opaque effect of a call that passes a program in another
// language. The bool is false for any other call.
func (s *Session) handleProgram(name string, a arguments) ([]Effect, bool) {
	code, ok := a.stringMember("code", "python", "source")
	return []Effect{Opaque(name + " " + normalText(code))}, ok
}

// shellScript returns the shell script in the arguments of a call, or "" if there is
// none.
func (a arguments) shellScript() string {
	if line, ok := a.stringMember("command", "cmd", "bash", "script"); ok {
		return line
	}
	var argv []string
	if json.Unmarshal(a["command"], &argv) == nil && len(argv) == 3 && (argv[1] == "-lc" || argv[1] == "-c") && strings.HasSuffix(argv[0], "sh") {
		return argv[2]
	}
	return ""
}

// Words in the names of tools that only read or only talk.
var (
	looking = wordSet("read view open cat ls list grep glob search find get scroll goto think thought finish submit show status tree noop fetch browse look exit done complete wait message ask plan reason inspect describe")
	acting  = wordSet("write edit create replace insert delete remove append update apply save patch move rename modify set put post send add")
)

func isReadingTool(tool string) bool  { return hasWord(tool, looking) && !hasWord(tool, acting) }
func isChangingTool(tool string) bool { return hasWord(tool, acting) }

func hasWord(tool string, words map[string]bool) bool {
	return slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(splitCamelCase(tool)), func(r rune) bool { return r < 'a' || r > 'z' }),
		func(w string) bool { return words[w] })
}

// splitCamelCase inserts a space between the words of a name in camel case. For example,
// "readFile" becomes "read File".
func splitCamelCase(s string) string {
	var b strings.Builder
	for i, r := range s {
		if i > 0 && r >= 'A' && r <= 'Z' && s[i-1] >= 'a' && s[i-1] <= 'z' {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// canonicalArguments returns the arguments as one text, sorted by name.
func canonicalArguments(a arguments) string {
	var b strings.Builder
	for i, name := range slices.Sorted(maps.Keys(a)) {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(name + "=" + string(a[name]))
	}
	return b.String()
}

// Blocks returns the effects of the edit blocks in a text. The line before the blocks of
// a file is the name of this file. A block holds the old text between <<<<<<< and
// =======, and the new text between ======= and >>>>>>>. ok is false if there is no
// block, or if a block is not complete.
func (s *Session) Blocks(text string) (effects []Effect, ok bool) {
	name := ""
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		if !strings.HasPrefix(line, "<<<<<<<") {
			if line != "" && !strings.HasPrefix(line, "```") && !strings.HasPrefix(line, ">>>>>>>") {
				name = strings.Trim(line, "`*# :")
			}
			continue
		}
		var sides [2][]string
		side := 0
		for i++; i < len(lines) && !strings.HasPrefix(lines[i], ">>>>>>>"); i++ {
			if side == 0 && strings.HasPrefix(lines[i], "=======") {
				side = 1
				continue
			}
			sides[side] = append(sides[side], lines[i])
		}
		file, known := s.Path(name)
		if i == len(lines) || side == 0 || !known || name == "" || strings.ContainsAny(name, " \t") {
			return nil, false
		}
		op := Op{Verb: Replace, Old: joinLines(sides[0]), New: joinLines(sides[1])}
		if len(sides[0]) == 0 {
			op = Op{Verb: Write, New: op.New}
		}
		effects = append(effects, OnFile(file, op))
	}
	return effects, len(effects) > 0
}

// Diff parses the patch that a run submitted as its whole result.
func Diff(text string) ([]patch.File, error) { return patch.Parse(text) }

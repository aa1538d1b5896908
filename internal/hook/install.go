package hook

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// Installed says what Install or Uninstall has done.
type Installed struct {
	File    string // the host's settings
	Backup  string // a copy of the settings before; "" if there were none, or nothing changed
	Changed bool
}

// Install adds the hook to the host's settings of this user. The parameter command is the
// command line up to the name of the host, and seconds is the time that the host gives
// the hook. With a gate, the hook also hears of the outcome. An older entry of this hook
// is replaced; everything else stays. If the settings cannot be read as JSON without
// doubt, or the gate's address is none, nothing is changed.
func Install(h *Host, command, gate, deadline string, seconds int) (Installed, error) {
	if gate != "" {
		var err error
		if gate, err = checkAddress(gate); err != nil {
			return Installed{}, err
		}
	}
	return h.editSettings(func(hooks jsonval.Value) (string, error) {
		out := membersOf(hooks)
		for _, event := range h.eventNames() {
			line := command + " " + h.Name
			if gate != "" {
				line += " --gate " + quoteArgument(gate)
			}
			if event == h.before {
				line += " --deadline " + deadline
			} else if gate == "" {
				out.setList(event, withoutOurs(hooks.Get(event)))
				continue
			}
			entry, err := json.Marshal(h.entry(line, seconds, event == h.before))
			if err != nil {
				return "", err
			}
			list := withoutOurs(hooks.Get(event))
			out.setList(event, append(list, string(entry)))
		}
		return out.joinMembers(), nil
	})
}

// Uninstall removes the hook from the host's settings of this user.
func Uninstall(h *Host) (Installed, error) {
	return h.editSettings(func(hooks jsonval.Value) (string, error) {
		out := membersOf(hooks)
		for _, event := range h.eventNames() {
			out.setList(event, withoutOurs(hooks.Get(event)))
		}
		return out.joinMembers(), nil
	})
}

// CommandLine returns the beginning of the command line that runs the hook of a program.
// It returns an error for a program that Uninstall would not find again.
func CommandLine(program string) (string, error) {
	line := quoteArgument(program) + " hook"
	if !ours().MatchString(line + " codex") {
		return "", fmt.Errorf("the program %s must be named boundcheck, so that its hooks are found again", program)
	}
	return line, nil
}

// quoteArgument returns a path or an address as a word of a command line.
func quoteArgument(s string) string {
	switch {
	case strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:/.-_[]") == "":
		return s
	case runtime.GOOS == "windows":
		return `"` + s + `"`
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// ours matches the command lines that Install writes, and those of the documentation.
var ours = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(^|[/\\"' ])boundcheck[^/\\"' ]*["']? hook (claude-code|codex|cursor|gemini-cli|copilot)( --gate [^ ]+)?( --deadline [^ ]+)?$`)
})

// withoutOurs returns the entries of a list as raw JSON, without those that run this
// hook. An entry with several commands loses only ours.
func withoutOurs(list jsonval.Value) (kept []string) {
	for _, e := range list.Elements() {
		if ours().MatchString(e.Get("command").Text()) {
			continue
		}
		inner := e.Get("hooks")
		if inner.Kind() != jsonval.Array {
			kept = append(kept, e.Raw())
			continue
		}
		rest := withoutOurs(inner)
		if len(rest) == inner.Len() {
			kept = append(kept, e.Raw())
		} else if len(rest) > 0 {
			m := membersOf(e)
			m.setList("hooks", rest)
			kept = append(kept, m.joinMembers())
		}
	}
	return kept
}

// memberList is an object whose members keep their order and their bytes.
type memberList struct{ names, raws []string }

func membersOf(v jsonval.Value) *memberList {
	m := &memberList{}
	v.Each(func(key string, x jsonval.Value) bool {
		m.names, m.raws = append(m.names, key), append(m.raws, x.Raw())
		return true
	})
	return m
}

func (m *memberList) setRaw(name, raw string) {
	for i := range m.names {
		if m.names[i] == name {
			m.raws[i] = raw
			return
		}
	}
	m.names, m.raws = append(m.names, name), append(m.raws, raw)
}

// setList sets a member to a list. An empty list removes the member.
func (m *memberList) setList(name string, list []string) {
	if len(list) > 0 {
		m.setRaw(name, "["+strings.Join(list, ",")+"]")
		return
	}
	for i := range m.names {
		if m.names[i] == name {
			m.names, m.raws = append(m.names[:i], m.names[i+1:]...), append(m.raws[:i], m.raws[i+1:]...)
			return
		}
	}
}

func (m *memberList) joinMembers() string {
	parts := make([]string, len(m.names))
	for i := range parts {
		parts[i] = jsonval.Quoted(m.names[i]) + ":" + m.raws[i]
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// editSettings changes the member hooks of the host's settings.
func (h *Host) editSettings(change func(hooks jsonval.Value) (string, error)) (done Installed, err error) {
	dir, err := h.folder()
	if err != nil {
		return done, err
	}
	done.File = filepath.Join(dir, h.file)
	if real, err := filepath.EvalSymlinks(done.File); err == nil {
		done.File = real
	}
	before, err := os.ReadFile(done.File)
	existed := err == nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return done, err
	}
	root, err := readSettings(before)
	if err != nil {
		return done, fmt.Errorf("%s: %w. Nothing was changed", done.File, err)
	}
	hooks, err := change(root.Get("hooks"))
	if err != nil {
		return done, err
	}
	all := membersOf(root)
	if hooks == "{}" {
		all.setList("hooks", nil)
	} else {
		all.setRaw("hooks", hooks)
		for name, raw := range h.envelope {
			if !root.Get(name).Exists() {
				all.setRaw(name, string(raw))
			}
		}
	}
	after, err := jsonval.Parse(all.joinMembers())
	if err != nil || root.Canonical() == after.Canonical() {
		return done, err
	}
	done.Changed = true
	if existed {
		done.Backup = done.File + ".before-boundcheck-" + time.Now().UTC().Format("20060102T150405.000")
		if err := os.WriteFile(done.Backup, before, 0o600); err != nil {
			return done, err
		}
	}
	if isEmpty(after, h.envelope) {
		if existed {
			return done, os.Remove(done.File)
		}
		return done, nil
	}
	return done, replaceFile(done.File, after.Raw())
}

// isEmpty reports whether settings say nothing that Install did not write.
func isEmpty(v jsonval.Value, envelope map[string]json.RawMessage) bool {
	for _, name := range v.Keys() {
		if envelope[name] == nil {
			return false
		}
	}
	return true
}

// readSettings parses settings. An empty file counts as {}.
func readSettings(text []byte) (jsonval.Value, error) {
	if strings.TrimSpace(string(text)) == "" {
		text = []byte("{}")
	}
	root, err := jsonval.Parse(strings.TrimPrefix(string(text), "\ufeff"))
	if err != nil {
		return root, fmt.Errorf("the settings are not JSON without comments: %w", err)
	}
	hooks := root.Get("hooks")
	for _, v := range []jsonval.Value{root, hooks} {
		if name, twice := v.Repeated(); twice {
			return root, fmt.Errorf("the member %q appears twice", name)
		}
	}
	if root.Kind() != jsonval.Object || hooks.Exists() && hooks.Kind() != jsonval.Object {
		return root, errors.New("the settings, or their member hooks, are not an object")
	}
	var wrong error
	hooks.Each(func(name string, m jsonval.Value) bool {
		if k := m.Kind(); k != jsonval.Array && (k == jsonval.Object || k == jsonval.String) && name != "enabled" {
			wrong = fmt.Errorf("the member hooks.%.40s is not a list", name)
		}
		return wrong == nil
	})
	return root, wrong
}

// replaceFile writes JSON into a file, whole or not at all. The file keeps its mode.
func replaceFile(file, text string) error {
	mode := fs.FileMode(0o600)
	if s, err := os.Stat(file); err == nil {
		mode = s.Mode().Perm()
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	t, err := os.CreateTemp(filepath.Dir(file), ".boundcheck-*")
	if err != nil {
		return err
	}
	defer os.Remove(t.Name())
	pretty, err := indentJSON(text)
	if err == nil {
		_, err = t.WriteString(pretty)
	}
	if err = errors.Join(err, t.Chmod(mode), t.Close()); err != nil {
		return err
	}
	return os.Rename(t.Name(), file)
}

func indentJSON(text string) (string, error) {
	var b strings.Builder
	var raw json.RawMessage = []byte(text)
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(raw)
	return b.String(), err
}

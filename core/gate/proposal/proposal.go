package proposal

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// Proposal is a call that an agent wants to make, with the operator's knowledge about it.
type Proposal struct {
	Tool      string               // exact, case-sensitive name
	Arguments string               // raw JSON object, exactly the bytes that will run
	Tools     []mutation.Tool      // definitions; trusted only if the caller says so
	Table     mutation.Table       // the operator's overrides
	Hosts     mutation.Hosts       // the reviewed host tables to use; all by default
	Policy    string               // plain text from which reflections quote
	Shell     mutation.ShellReader // reads command lines; nil for none
	Advisor   mutation.Advisor     // a plugin's verdicts on tools, which may only be stricter; nil for none
	InShell   mutation.Shell       // reads the lines of tools that name no shell, as the operator says
	Reads     []string             // command lines that only read, as the operator says
	Elsewhere bool                 // the session's shell is in another git repository than the session's project
	Dir       string               // the directory in which the host says that the call runs; "" if it does not say

	Conversation *Conversation // the messages and results before the call; nil if unknown
	Edit         *Edit         // an approver wrote the arguments in place of the agent; nil for none
	Heard        *Conversation // results of earlier calls, where the conversation is not known
	Recorded     *Asker        // who asked, as it was found before; it counts if neither is given
	Guidance     string        // the operator's own instructions, the only ones that ask for a call
	Descriptions []string      // what others say about the tools; it is data
	Files        bool          // the agent works with files and commands, as the operator knows
}

// maxName is the largest length of a tool's name: a longer name only pushes the rest out
// of sight.
const maxName = 256

// maxDepth is the largest nesting of arguments. Nobody approves deeper ones, and every
// walk below costs the size times the depth.
const maxDepth = 64

const wanted = `want {"tool","arguments"}, {"action":{"name","arguments"}} or {"function":{"name","arguments"}}`

// Read reads {"tool","arguments","tools"?,"policy"?,"table"?,"messages"?,"elsewhere"?,"directory"?}, where
// arguments is an object, or a string that contains an object. The call may also have the
// form {"action":{"name","arguments"}} or OpenAI's {"function":{…}}. O(n).
//
// Read returns an error for input that two readers could understand differently:
//
//   - a member that appears twice in an object
//   - two calls in one body
//   - invalid UTF-8
//   - an unpaired surrogate in arguments that are a string
//   - a tool name with characters that do not print
//
// Read trusts the table and the policy. So the sender must be the operator's own code,
// never the agent.
func Read(body string) (Proposal, error) {
	var p Proposal
	if !utf8.ValidString(body) {
		_, at := jsonval.Sanitize(body)
		return p, jsonval.ErrorAt(body, at, "invalid UTF-8")
	}
	v, err := jsonval.Parse(body)
	if err != nil {
		return p, err
	}
	call, nameKey, err := findCall(v)
	if err != nil {
		return p, err
	}
	if p.Tool, err = readName(call, nameKey); err != nil {
		return p, err
	}
	if p.Arguments, err = readArguments(call); err != nil {
		return p, err
	}
	return p, readContext(v, &p)
}

// findCall returns the object that holds the call, and the name of the member that holds
// the tool's name.
func findCall(v jsonval.Value) (call jsonval.Value, nameKey string, err error) {
	if v.Kind() != jsonval.Object {
		return call, "", fmt.Errorf("unknown proposal: saw %s, %s", v.Kind(), wanted)
	}
	if err := uniqueMembers(v, "the proposal"); err != nil {
		return call, "", err
	}
	found := 0
	if v.Get("tool").Exists() {
		call, nameKey = v, "tool"
		found++
	}
	for _, key := range [...]string{"action", "function"} {
		m := v.Get(key)
		if !m.Exists() {
			continue
		}
		if m.Kind() != jsonval.Object {
			return call, "", fmt.Errorf("invalid member %q: want an object with name and arguments, saw %s", key, m.Kind())
		}
		if err := uniqueMembers(m, strconv.Quote(key)); err != nil {
			return call, "", err
		}
		call, nameKey = m, "name"
		found++
	}
	switch {
	case found == 0:
		return call, "", fmt.Errorf("unknown proposal with the members %s; %s", listKeys(v.Keys()), wanted)
	case found > 1:
		return call, "", errors.New("invalid proposal with more than one call; " + wanted)
	}
	return call, nameKey, nil
}

func readName(call jsonval.Value, key string) (string, error) {
	m := call.Get(key)
	name, ok := m.Str()
	switch {
	case !m.Exists():
		return "", fmt.Errorf("missing tool name: the call has no member %q; members seen: %s", key, listKeys(call.Keys()))
	case !ok:
		return "", fmt.Errorf("invalid tool name: the member %q must be a string; saw %s", key, m.Kind())
	case strings.TrimSpace(name) == "":
		return "", fmt.Errorf("missing tool name: member %q is empty", key)
	}
	return name, inspectName(name)
}

func inspectName(name string) error {
	if strings.TrimSpace(name) == "" {
		return errors.New("missing tool name")
	}
	if len(name) > maxName {
		return fmt.Errorf("invalid tool name: the name has %d bytes, but the limit is %d bytes", len(name), maxName)
	}
	for _, r := range name {
		if isInvisible(r) || !unicode.IsPrint(r) {
			return fmt.Errorf("invalid tool name: it contains the character U+%04X, which is not printable", r)
		}
	}
	return nil
}

// readArguments returns the raw bytes of the arguments after inspecting them.
func readArguments(call jsonval.Value) (string, error) {
	m := call.Get("arguments")
	raw := m.Raw()
	switch m.Kind() {
	case jsonval.Missing:
		return "", fmt.Errorf("missing arguments: give an object, or {} for no arguments; members seen: %s", listKeys(call.Keys()))
	case jsonval.String:
		if raw, _ = m.Str(); hasLoneSurrogate(m.Raw()) {
			return "", errors.New("invalid arguments: the string contains an unpaired surrogate")
		}
	}
	if _, err := inspectArguments(raw); err != nil {
		return "", fmt.Errorf("invalid arguments: %w", err)
	}
	return raw, nil
}

// inspectArguments parses arguments. It returns an error if two readers may understand
// them differently.
func inspectArguments(arguments string) (jsonval.Value, error) {
	if !utf8.ValidString(arguments) {
		return jsonval.Value{}, errors.New("not valid UTF-8")
	}
	if strings.TrimSpace(arguments) == "" {
		return jsonval.Value{}, errors.New("the text is empty; write a JSON object, or {} for no arguments")
	}
	v, err := jsonval.Parse(arguments)
	if err != nil {
		return jsonval.Value{}, err
	}
	if v.Kind() != jsonval.Object {
		return jsonval.Value{}, fmt.Errorf("want a JSON object, saw %s", v.Kind())
	}
	if err := uniqueDeep(v, 1); err != nil {
		return jsonval.Value{}, err
	}
	return v, nil
}

// Inspect returns an error for a call that two readers may understand differently. The
// tool's name must have only printable characters. The arguments must be one JSON object
// in which no member name appears twice. O(n).
func Inspect(tool, arguments string) error {
	if err := inspectName(tool); err != nil {
		return err
	}
	if _, err := inspectArguments(arguments); err != nil {
		return fmt.Errorf("invalid arguments: %w", err)
	}
	return nil
}

// Unpaired reports whether the raw text of a JSON string, quotes included, contains half
// of a surrogate pair. Readers decode such a string in different ways.
func Unpaired(raw string) bool { return hasLoneSurrogate(raw) }

// hasLoneSurrogate reports whether the raw text of a JSON string contains half of a
// surrogate pair. Readers replace such a half by another character, so the decoded text
// differs from the bytes that were sent.
func hasLoneSurrogate(raw string) bool {
	for i := 0; i+1 < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		if i++; raw[i] != 'u' {
			continue
		}
		first, ok := readHexUnit(raw, i+1)
		if !ok || first < 0xD800 || first > 0xDFFF {
			continue
		}
		second, ok := uint64(0), strings.HasPrefix(raw[min(i+5, len(raw)):], `\u`)
		if ok {
			second, ok = readHexUnit(raw, i+7)
		}
		if !ok || first > 0xDBFF || second < 0xDC00 || second > 0xDFFF {
			return true
		}
		i += 10
	}
	return false
}

// readHexUnit returns the value of the four hexadecimal digits at index i, and reports
// whether there are four such digits.
func readHexUnit(raw string, i int) (uint64, bool) {
	if i+4 > len(raw) {
		return 0, false
	}
	n, err := strconv.ParseUint(raw[i:i+4], 16, 16)
	return n, err == nil
}

func uniqueMembers(v jsonval.Value, where string) error {
	if key, found := v.Repeated(); found {
		return fmt.Errorf("invalid proposal: in %s, the member %s appears twice", where, quoteKey(key))
	}
	return nil
}

// uniqueDeep returns an error if a member name appears twice in one object. Some readers
// would use the first member, and others the last. It also returns an error for values
// that are nested too deeply.
func uniqueDeep(v jsonval.Value, depth int) (err error) {
	if depth > maxDepth {
		return fmt.Errorf("the arguments are nested more than %d levels deep", maxDepth)
	}
	if key, found := v.Repeated(); found {
		return fmt.Errorf("the member %s appears twice in one object", quoteKey(key))
	}
	v.Each(func(_ string, m jsonval.Value) bool {
		if k := m.Kind(); k == jsonval.Object || k == jsonval.Array {
			err = uniqueDeep(m, depth+1)
		}
		return err == nil
	})
	return err
}

// readContext reads the data that the operator adds to the call.
func readContext(v jsonval.Value, p *Proposal) (err error) {
	if m := v.Get("tools"); isGiven(m) {
		if p.Tools, err = mutation.ReadTools(m); err != nil {
			return err
		}
	}
	if m := v.Get("table"); isGiven(m) {
		if p.Table, err = mutation.ReadTable(m); err != nil {
			return err
		}
	}
	if m := v.Get("policy"); isGiven(m) {
		text, ok := m.Str()
		if !ok {
			return fmt.Errorf("invalid policy: want a string, saw %s", m.Kind())
		}
		p.Policy = text
	}
	if m := v.Get("messages"); isGiven(m) {
		if p.Conversation, err = ReadConversation(m); err != nil {
			return err
		}
	}
	if m := v.Get("elsewhere"); isGiven(m) {
		if m.Kind() != jsonval.Bool {
			return fmt.Errorf("invalid \"elsewhere\": want true or false, saw %s", m.Kind())
		}
		p.Elsewhere = m.Raw() == "true"
	}
	p.Dir, err = ReadDir(v.Get("directory"))
	return err
}

// maxDir is the largest size of a directory in bytes: that of the systems that run commands.
const maxDir = 4096

// ReadDir reads the directory in which a host runs a call; "" if the value is missing or null.
func ReadDir(m jsonval.Value) (string, error) {
	dir, ok := m.Str()
	if isGiven(m) && (!ok || len(dir) > maxDir || hasLoneSurrogate(m.Raw())) {
		return "", fmt.Errorf("invalid directory: want a string of at most %d bytes, saw %s", maxDir, m.Kind())
	}
	return dir, nil
}

func isGiven(m jsonval.Value) bool {
	return m.Exists() && m.Kind() != jsonval.Null
}

// listKeys returns the first few member names for an error text.
func listKeys(keys []string) string {
	if len(keys) == 0 {
		return "(none)"
	}
	const enough = 8
	var quoted []string
	for i, k := range keys {
		if i == enough {
			quoted = append(quoted, "…")
			break
		}
		quoted = append(quoted, quoteKey(k))
	}
	return strings.Join(quoted, ", ")
}

// quoteKey quotes a member name for an error text, escaped and cut.
func quoteKey(key string) string {
	const enough = 40
	more := ""
	if len(key) > enough {
		key, more = strings.ToValidUTF8(key[:enough], ""), "…"
	}
	return `"` + Escape(key) + more + `"`
}

// Package plaincount counts what looks like a call or a tool result in JSON, JSONL and
// gzip, with a plain walk and a short list of shapes. It knows no format of a trace and
// imports no package of this repository, so that tests can hold the readers to its counts.
package plaincount

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"sort"
	"strings"
)

// Seen is an object that looks like a call, or like a tool result.
type Seen struct {
	ID, Name  string // "" if the object has none; a result may have either
	Arguments string // of a call, as JSON with sorted members; "" if there are none
	Result    bool
	Record    int   // the index of the JSON value, or of the element if the text is one list
	Lines     []int // the lines where the objects and lists around it begin, from 1, outermost first
}

// Count is what the counter sees in a text. A record is one of several JSON values, or an
// element if the text is one list. Runs is the number of records that say what should have
// been done, or which trial they are. Each of these is a run of its own.
type Count struct {
	Seen          []Seen // in text order
	Records, Runs int
	World         int // calls of a task for its world, which are not in Seen
}

// Walk counts what looks like a call or a result in data. It does not go into definitions
// of tools, into a call's arguments, or into what a tool returned. It does go into strings
// that contain JSON. It returns false if data is not JSON or JSONL.
func Walk(data []byte) (Count, bool) {
	if z, err := gzip.NewReader(bytes.NewReader(data)); err == nil {
		if plain, err := io.ReadAll(z); err == nil {
			data = plain
		}
	}
	values, ok := parseValues(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), 1)
	if !ok {
		return Count{}, false
	}
	if len(values) == 1 && values[0].kind == '[' {
		values = values[0].memberValues()
	}
	w := walker{Count: Count{Records: len(values)}}
	for i, v := range values {
		w.record = i
		w.visitValue("", v, nil)
		if v.firstMember(ownsRun).kind != 0 || v.firstMember("trial").text != "" {
			w.Runs++
		}
	}
	return w.Count, true
}

// value is a JSON value. The elements of a list are members without names.
type value struct {
	members []member
	text    string // of a string or a number
	kind    byte   // { [ " or 0
	line    int
}

type member struct {
	name  string
	value *value
}

// parseValues parses one or more JSON values. Their lines begin at the given one. With 0, the
// values have no lines.
func parseValues(data []byte, first int) ([]*value, bool) {
	p := parser{d: json.NewDecoder(bytes.NewReader(data)), first: first}
	p.d.UseNumber()
	for i, b := range data {
		if b == '\n' && first > 0 {
			p.ends = append(p.ends, i)
		}
	}
	var all []*value
	for {
		v, err := p.nextValue()
		if err == io.EOF {
			return all, len(all) > 0
		}
		if err != nil {
			return nil, false
		}
		all = append(all, v)
	}
}

type parser struct {
	d     *json.Decoder
	first int
	ends  []int // offsets of the line ends
}

// nextValue parses the next value. The error is io.EOF if there is none.
func (p *parser) nextValue() (*value, error) {
	t, err := p.d.Token()
	if err != nil {
		return nil, err
	}
	v := &value{line: p.first + sort.SearchInts(p.ends, int(p.d.InputOffset())-1)}
	switch t := t.(type) {
	case string:
		v.kind, v.text = '"', t
	case json.Number:
		v.text = t.String()
	case json.Delim:
		v.kind = byte(t)
		for p.d.More() {
			name := ""
			if t == '{' {
				key, err := p.d.Token()
				if err != nil {
					return nil, err
				}
				name = key.(string)
			}
			inner, err := p.nextValue()
			if err != nil {
				return nil, err
			}
			v.members = append(v.members, member{name, inner})
		}
		_, err := p.d.Token()
		return v, err
	}
	return v, nil
}

func (v *value) memberValues() (list []*value) {
	for _, m := range v.members {
		list = append(list, m.value)
	}
	return list
}

// firstMember returns the first member with one of the names, or an empty value.
func (v *value) firstMember(names string) *value {
	for _, name := range strings.Fields(names) {
		for _, m := range v.members {
			if m.name == name {
				return m.value
			}
		}
	}
	return &value{}
}

func (v *value) firstWord(names string) string {
	for _, name := range strings.Fields(names) {
		if s := v.firstMember(name); s.text != "" && !strings.ContainsAny(s.text, "\n") {
			return s.text
		}
	}
	return ""
}

func isAmong(word, list string) bool {
	return word != "" && !strings.Contains(word, " ") && strings.Contains(" "+list+" ", " "+word+" ")
}

// The short list of shapes.
const (
	callTypes   = "tool_use tool-use server_tool_use mcp_tool_use agent.tool_use tool_call tool-call toolCall function_call custom_tool_call"
	resultTypes = "tool_result tool-result toolResult agent.tool_result function_call_output custom_tool_call_output tool-return"
	callLists   = "tool_calls toolCalls toolRequests tools_called toolsCalled used_tools usedTools tool_executions toolExecutions"
	callMembers = "functionCall function_call toolUse toolRequest toolInvocation"
	resultNames = "functionResponse function_response toolResult toolResponse"
	spanTypes   = "tool TOOL Tool"
	callNames   = "tool_name toolName function_name functionName func_name api_name gen_ai.tool.name"
	arguments   = "arguments args input inputs parameters kwargs tool_input toolInput tool_args input_parameters inputParameters param_dict rawInput gen_ai.tool.call.arguments gen_ai.tool.input"
	callIDs     = "call_id tool_call_id toolCallId tool_use_id toolUseId callId callID ref id"
	ownsRun     = "reference expected expected_tools expected_tool_calls expectedTools expectedToolCalls profile"
	definitions = "tools functions tool_definitions available_tools availableTools toolConfig input_schema inputSchema parameters_json_schema function_declarations functionDeclarations"
	worldCalls  = "initialization_actions env_assertions" // of a task: they set its world up, and look at it at the end
	returned    = "output outputs result results response content observation tool_output toolOutput toolUseResult"
)

type walker struct {
	Count
	record int
}

// visitValue looks at v, the value of the member name, and walks into it.
func (w *walker) visitValue(name string, v *value, lines []int) {
	if v.line > 0 && v.kind != '"' {
		lines = append(lines[:len(lines):len(lines)], v.line)
	}
	switch {
	case isAmong(name, definitions):
	case isAmong(name, worldCalls) && w.addWorld(v):
	case v.kind == '[':
		for _, e := range v.members {
			w.visitValue(name, e.value, lines)
		}
	case v.kind == '"':
		if s := strings.TrimSpace(v.text); s != "" && (s[0] == '{' || s[0] == '[') {
			if inner, ok := parseValues([]byte(s), 0); ok {
				for _, e := range inner {
					w.visitValue(name, e, lines)
				}
			}
		}
	case v.kind == '{':
		w.visitObject(name, v, lines)
	}
}

func (w *walker) visitObject(name string, v *value, lines []int) {
	kind := v.firstWord("type part_kind kind run_type")
	function := v.firstMember("function")
	switch {
	case v.firstMember("description").text != "" && v.firstMember("parameters input_schema inputSchema").kind == '{' && v.firstMember("arguments args input").kind == 0:
		return // the definition of a tool
	case isAmong(kind, resultTypes), isAmong(name, resultNames), v.firstWord("role") == "tool" && v.firstWord(callIDs) != "":
		w.addSeen(Seen{ID: v.firstWord(callIDs), Name: v.firstWord("name " + callNames), Result: true, Lines: lines})
		return // and not into what the tool returned
	case isAmong(name, callLists) && function.kind == '{':
		w.addCall(function, function.firstWord("name"), v.firstWord(callIDs), lines)
		return
	case v.firstMember(callLists+" "+callMembers).kind != 0: // the call is inside
	case strings.HasPrefix(kind, "tool-") && v.firstWord("toolCallId") != "" && !isAmong(kind, callTypes):
		w.addCall(v, kind[len("tool-"):], v.firstWord(callIDs), lines)
		return
	case isAmong(kind, callTypes), isAmong(name, callLists), isAmong(name, callMembers),
		isAmong(kind, spanTypes) && v.firstMember(arguments).kind != 0,
		v.firstWord(callNames) != "" && v.firstMember(arguments).kind != 0,
		v.firstWord("name") != "" && v.firstMember("arguments args kwargs tool_args").kind != 0 && v.firstMember("arguments args kwargs").kind != '[':
		if callee := v.firstWord(callNames + " name function tool"); callee != "" {
			w.addCall(v, callee, v.firstWord(callIDs), lines)
			w.visitMembers(v, lines, arguments+" "+returned)
			return
		}
	}
	w.visitMembers(v, lines, "")
}

// addWorld adds the calls in a list that a task has for its world, and reports whether it has nothing else: each
// names the function, and who of the world runs it, which no call of an agent does. An agent made none of them.
func (w *walker) addWorld(list *value) bool {
	for _, m := range list.members {
		e := m.value
		if inner := e.firstMember("env_assertion"); inner.kind == '{' { // beside whether it was met
			e = inner
		}
		if !isAmong(e.firstWord("env_type"), "user assistant") || e.firstWord("func_name") == "" || e.firstWord(callIDs) != "" {
			return false
		}
	}
	w.World += len(list.members)
	return true
}

// visitMembers walks into the members of v, without those in the list.
func (w *walker) visitMembers(v *value, lines []int, without string) {
	for _, m := range v.members {
		if !isAmong(m.name, without) {
			w.visitValue(m.name, m.value, lines)
		}
	}
}

// addCall counts a call, unless its name cannot be that of a tool.
func (w *walker) addCall(v *value, name, id string, lines []int) {
	if name != "" && !strings.ContainsAny(name, "[]{}\" ") {
		w.addSeen(Seen{ID: id, Name: name, Arguments: v.firstMember(arguments).canonicalText(), Lines: lines})
	}
}

func (w *walker) addSeen(s Seen) {
	s.Record = w.record
	w.Seen = append(w.Seen, s)
}

// canonicalText returns a value as JSON with sorted members. A string that contains JSON is
// the same as the JSON.
func (v *value) canonicalText() string {
	switch v.kind {
	case '"':
		if inner, ok := parseValues([]byte(v.text), 0); ok && len(inner) == 1 && inner[0].kind == '{' {
			return inner[0].canonicalText()
		}
	case '[', '{':
		var parts []string
		for _, m := range v.members {
			text := m.value.canonicalText()
			if v.kind == '{' {
				text = m.name + ":" + text
			}
			parts = append(parts, text)
		}
		if v.kind == '{' {
			sort.Strings(parts)
		}
		return string(v.kind) + strings.Join(parts, ",") + string(v.kind+2)
	}
	return v.text
}

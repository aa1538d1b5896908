package prompts

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/sdk"
)

// tool is a tool definition, reduced to the parts that a prompt uses.
type tool struct {
	name, summary string
	args          []arg // in the schema's order
	open          bool  // has arguments that the schema gives only by reference
}

type arg struct {
	name, kind string
	required   bool
}

const summaryLength = 120

// parseTools reads tools in one of three forms:
//
//   - an OpenAI tools array
//   - an MCP tools/list result, with or without its JSON-RPC frame
//   - plain entries {name, description, parameters}
//
// An error names the place in raw as a path.
func parseTools(raw json.RawMessage) ([]tool, error) {
	list, at, err := toolList(raw, "")
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, toolsError(at, "the list of tools is empty")
	}
	tools := make([]tool, len(list))
	for i, item := range list {
		here := at + "[" + strconv.Itoa(i) + "]"
		if tools[i], err = parseTool(item, here); err != nil {
			return nil, err
		}
		same := func(t tool) bool { return t.name == tools[i].name }
		if j := slices.IndexFunc(tools[:i], same); j >= 0 {
			return nil, toolsError(here, "duplicate name %q, also %s[%d]", tools[i].name, at, j)
		}
	}
	return tools, nil
}

// toolList returns the array of tools and the path of this array. raw is the array
// itself, or an object that contains the array as "tools" or in "result". at is the path
// of raw.
func toolList(raw json.RawMessage, at string) ([]json.RawMessage, string, error) {
	if kindOf(raw) == "array" {
		var list []json.RawMessage
		return list, at, json.Unmarshal(raw, &list)
	}
	if k := kindOf(raw); k != "object" {
		return nil, at, toolsError(at, `must be an array of tools or an object with "tools", but is %s`, k)
	}
	o, err := readObject(raw, at)
	if err != nil {
		return nil, at, err
	}
	for _, frame := range []string{"tools", "result"} {
		if v, ok := o.get(frame); ok && at != "tools" {
			return toolList(v, joinPath(at, frame))
		}
	}
	return nil, at, toolsError(at, "missing \"tools\": found only %s", o.keyList())
}

func parseTool(raw json.RawMessage, at string) (tool, error) {
	o, err := readObject(raw, at)
	if err != nil {
		return tool{}, err
	}
	if f, ok := o.get("function"); ok {
		at = joinPath(at, "function")
		if o, err = readObject(f, at); err != nil {
			return tool{}, err
		}
	}
	t := tool{}
	if t.name, err = toolName(o, at); err != nil {
		return tool{}, err
	}
	description, err := o.readText("description", at)
	if err != nil {
		return tool{}, err
	}
	t.summary = shortenText(description, summaryLength)
	for _, key := range []string{"parameters", "inputSchema", "input_schema"} {
		if schema, ok := o.get(key); ok {
			t.args, t.open, err = parseSchema(schema, joinPath(at, key))
			return t, err
		}
	}
	return t, nil
}

// toolName returns the name of a tool. If the tool has a type but no name, as in
// {"type":"web_search"}, the result is the type.
func toolName(o object, at string) (string, error) {
	name, err := o.readText("name", at)
	if err != nil {
		return "", err
	}
	at = joinPath(at, "name")
	if name == "" {
		kind, err := o.readText("type", "")
		if _, named := o.get("name"); named || err != nil || kind == "" || kind == "function" {
			return "", toolsError(at, "missing")
		}
		name = kind
	}
	if oneLine(name) != name || strings.Contains(name, "`") {
		return "", toolsError(at, "invalid name %q", name)
	}
	return name, nil
}

func toolsError(at, format string, args ...any) *abi.Error {
	e := sdk.Errorf(CodeInvalidTools, format, args...)
	if at != "" {
		e.Message = at + ": " + e.Message
	}
	return e
}

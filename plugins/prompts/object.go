package prompts

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// object is a JSON object in source order, which a map would not keep.
type object []member

type member struct {
	key   string
	value json.RawMessage
}

func readObject(raw json.RawMessage, at string) (object, error) {
	if k := kindOf(raw); k != "object" {
		return nil, toolsError(at, "must be an object, but is %s", k)
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	if _, err := d.Token(); err != nil {
		return nil, toolsError(at, "invalid JSON")
	}
	var o object
	seen := map[string]bool{}
	for d.More() {
		t, err := d.Token()
		key, ok := t.(string)
		m := member{key: key}
		if err != nil || !ok || d.Decode(&m.value) != nil {
			return nil, toolsError(at, "invalid JSON")
		}
		if seen[key] {
			return nil, toolsError(joinPath(at, key), "given twice")
		}
		seen[key] = true
		o = append(o, m)
	}
	return o, nil
}

// get returns the value of a member. The bool is false if the member is absent or null.
func (o object) get(key string) (json.RawMessage, bool) {
	for _, m := range o {
		if m.key == key {
			return m.value, string(m.value) != "null"
		}
	}
	return nil, false
}

func (o object) keyList() string {
	if len(o) == 0 {
		return "nothing"
	}
	var out []string
	for _, m := range o[:min(len(o), 6)] {
		out = append(out, strconv.Quote(shortenText(m.key, 40)))
	}
	return strings.Join(out, ", ")
}

// readText returns the value of a member that must be a string, or "" if the member is
// absent. at is the path of the object o, for errors.
func (o object) readText(key, at string) (string, error) {
	v, ok := o.get(key)
	if !ok {
		return "", nil
	}
	var s string
	if json.Unmarshal(v, &s) != nil {
		return "", toolsError(joinPath(at, key), "must be a string, but is %s", kindOf(v))
	}
	return s, nil
}

// readTexts returns the value of a member that must be an array of strings, or nil if the
// member is absent. at is the path of the object o, for errors.
func (o object) readTexts(key, at string) ([]string, error) {
	v, ok := o.get(key)
	if !ok {
		return nil, nil
	}
	var s []string
	if json.Unmarshal(v, &s) != nil {
		return nil, toolsError(joinPath(at, key), "must be an array of strings")
	}
	return s, nil
}

// kindOf returns the JSON kind of a value, such as "object". It looks only at the first
// byte.
func kindOf(raw json.RawMessage) string {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	if len(raw) == 0 {
		return "nothing"
	}
	switch raw[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

func joinPath(at, key string) string {
	if at == "" {
		return key
	}
	return at + "." + key
}

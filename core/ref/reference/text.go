package reference

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/repair"
)

// parseCall parses one call in text form.
func parseCall(text string) (Step, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return Step{}, errors.New("missing call: the text is empty")
	}
	name, rest, called := strings.Cut(text, "(")
	name = strings.TrimSpace(name)
	if !called {
		if strings.ContainsAny(name, " \t") {
			return Step{Name: strings.Fields(name)[0], Text: name}, nil
		}
		return Step{Name: name, Compare: []string{}}, nil // it says nothing about arguments
	}
	if name == "" || strings.ContainsAny(name, " \t\"'") {
		return Step{}, fmt.Errorf("invalid call %q: want name(arg=value, …)", text)
	}
	if !strings.HasSuffix(rest, ")") {
		return Step{}, fmt.Errorf("invalid call %q: missing closing parenthesis", text)
	}
	arguments, err := parseArguments(strings.TrimSuffix(rest, ")"))
	return Step{Name: name, Arguments: arguments}, err
}

func parseArguments(text string) (jsonval.Value, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return jsonval.Value{}, nil
	}
	if text[0] == '{' {
		return jsonval.Parse(text)
	}
	members := make([]string, 0, 4)
	for _, part := range splitTop(text) {
		key, value, ok := strings.Cut(part, "=")
		if key = strings.TrimSpace(key); !ok || key == "" {
			return jsonval.Value{}, fmt.Errorf("invalid argument %q: want name=value", part)
		}
		members = append(members, quoteJSON(key)+":"+literalToJSON(strings.TrimSpace(value)))
	}
	return jsonval.Parse("{" + strings.Join(members, ",") + "}")
}

// literalToJSON converts a value that a person typed to JSON. JSON stays as it is,
// Python's notation is converted, and any other text becomes a string.
func literalToJSON(text string) string {
	if _, err := jsonval.Parse(text); err == nil {
		return text
	}
	if text != "" && strings.IndexByte("'\"[{(", text[0]) >= 0 {
		if r, err := repair.JSON(text); err == nil {
			if _, err := jsonval.Parse(r.Text); err == nil {
				return r.Text
			}
		}
	}
	switch text {
	case "True", "False":
		return strings.ToLower(text)
	case "None":
		return "null"
	}
	if n := len(text); n >= 2 && text[0] == '\'' && text[n-1] == '\'' {
		return quoteJSON(text[1 : n-1])
	}
	return quoteJSON(text)
}

func quoteJSON(s string) string {
	q := strconv.Quote(strings.ToValidUTF8(s, "\uFFFD"))
	if _, err := jsonval.Parse(q); err == nil {
		return q
	}
	var b strings.Builder // Go's escapes \x and \a are not valid in JSON
	b.WriteByte('"')
	for _, r := range s {
		if r < 0x20 || r == '"' || r == '\\' || r == 0x7f {
			fmt.Fprintf(&b, "\\u%04x", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String() + "\""
}

// splitTop splits a text at the commas that are outside quotes and brackets.
func splitTop(text string) []string {
	var parts []string
	depth, start := 0, 0
	var inside byte
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case inside != 0:
			if c == '\\' {
				i++
			} else if c == inside {
				inside = 0
			}
		case c == '"' || c == '\'':
			inside = c
		case c == '[' || c == '{' || c == '(':
			depth++
		case c == ']' || c == '}' || c == ')':
			depth--
		case c == ',' && depth == 0:
			parts = append(parts, text[start:i])
			start = i + 1
		}
	}
	return append(parts, text[start:])
}

package tau

import (
	"encoding/json"
	"fmt"

	"github.com/boundcheck/boundcheck/plugins/sdk/pycall"
)

// literalToJSON converts a Python literal to JSON and keeps the order of its members. It
// returns an error for a value that is not a literal, such as an expression.
func literalToJSON(v *pycall.Value) (json.RawMessage, error) {
	b, err := appendLiteral(nil, v)
	if err != nil {
		return nil, err
	}
	if !json.Valid(b) { // a number that only Python accepts, such as 1_000
		return nil, fmt.Errorf("not a JSON number: %.60s", b)
	}
	return b, nil
}

func appendLiteral(b []byte, v *pycall.Value) ([]byte, error) {
	switch v.Kind {
	case pycall.None:
		return append(b, "null"...), nil
	case pycall.Bool:
		return append(b, map[string]string{"True": "true", "False": "false"}[v.Text]...), nil
	case pycall.Number:
		return append(b, v.Text...), nil
	case pycall.String:
		text, err := json.Marshal(v.Text)
		return append(b, text...), err
	case pycall.List, pycall.Tuple:
		return appendMembers(b, v, "[]", ",")
	case pycall.Dict:
		for i := 0; i < len(v.Items); i += 2 {
			if v.Items[i].Kind != pycall.String {
				return nil, fmt.Errorf("a key is not a string: %.60s", v.Items[i].Text)
			}
		}
		return appendMembers(b, v, "{}", ":,")
	}
	return nil, fmt.Errorf("not a literal: %.60s", v.Text)
}

// appendMembers appends the items of a list or an object to b. The parameter brackets
// contains the opening and the closing bracket. The parameter between contains the
// separators of the items, which are used in turn: "," for a list, and ":," for an
// object.
func appendMembers(b []byte, v *pycall.Value, brackets, between string) ([]byte, error) {
	b = append(b, brackets[0])
	for i := range v.Items {
		if i > 0 {
			b = append(b, between[(i-1)%len(between)])
		}
		var err error
		if b, err = appendLiteral(b, &v.Items[i]); err != nil {
			return nil, err
		}
	}
	return append(b, brackets[1]), nil
}

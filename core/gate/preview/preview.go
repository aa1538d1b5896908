// Package preview reads how a policy names the call that shows the present state before a
// change, such as get_order(order_id).
package preview

import (
	"errors"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// Call is a call whose arguments come from those of the call that waits.
type Call struct {
	Tool string
	text string
	args [][2]string // name, and the path in the arguments of the call that waits
}

// Read reads "tool(name, name=path.of.it)". A name alone is the argument of the same name.
func Read(text string) (*Call, error) {
	tool, rest, open := strings.Cut(text, "(")
	list, shut := strings.CutSuffix(rest, ")")
	c := &Call{Tool: strings.TrimSpace(tool), text: text}
	if !open || !shut || c.Tool == "" {
		return nil, errors.New(`want a tool and its arguments, such as "get_order(order_id)"`)
	}
	for _, part := range strings.Split(list, ",") {
		name, path, renamed := strings.Cut(part, "=")
		name, path = strings.TrimSpace(name), strings.TrimSpace(path)
		if !renamed {
			path = name
		}
		if name == "" && list == "" {
			break
		}
		if name == "" || path == "" {
			return nil, errors.New("an argument has no name; want names such as order_id or id=order.id")
		}
		if strings.ContainsAny(path, "[]#*?") {
			return nil, errors.New("the path " + path + " is not one of members of objects; want names with dots between them, such as order.id")
		}
		c.args = append(c.args, [2]string{name, path})
	}
	return c, nil
}

// String returns the call as the policy has it.
func (c *Call) String() string { return c.text }

// Arguments returns the arguments of the call as JSON, with the values of the call that
// waits as they are written there. It returns an error if one of them is missing.
func (c *Call) Arguments(waiting jsonval.Value) (string, error) {
	parts := make([]string, len(c.args))
	for i, a := range c.args {
		v := waiting.At(strings.Split(a[1], ".")...)
		if !v.Exists() {
			return "", errors.New("the call has no argument " + a[1])
		}
		parts[i] = jsonval.Quoted(a[0]) + ":" + v.Raw()
	}
	return "{" + strings.Join(parts, ",") + "}", nil
}

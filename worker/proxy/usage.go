package proxy

import (
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

// added is the sum of two accounts of usage: whole numbers are added, member by
// member, and everything else is the later's. "" is an account of nothing.
func added(earlier, later string) string {
	a, err := jsonval.Parse(earlier)
	if err != nil {
		return later
	}
	b, err := jsonval.Parse(later)
	if err != nil {
		return later
	}
	return sum(a, b)
}

func sum(a, b jsonval.Value) string {
	switch b.Kind() {
	case jsonval.Number:
		x, whole := a.Int()
		if y, too := b.Int(); whole && too {
			return strconv.FormatInt(x+y, 10)
		}
	case jsonval.Object:
		var members []string
		b.Each(func(key string, m jsonval.Value) bool {
			members = append(members, jsonval.Quoted(key)+":"+sum(a.Get(key), m))
			return true
		})
		return "{" + strings.Join(members, ",") + "}"
	}
	return b.Raw()
}

// account gives a text of the model's with the usage of earlier turns in it.
func (o *out) account(text string) string {
	v, err := jsonval.Parse(text)
	u := v.Get("usage")
	if err != nil || o.spent == "" || !full(u) {
		return text
	}
	at := u.Offset()
	return text[:at] + added(o.spent, u.Raw()) + text[at+len(u.Raw()):]
}

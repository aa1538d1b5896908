package proxy

import (
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

// spending is a usage object with the members of the models' servers, raw JSON; ""
// means no usage.
type spending string

// add adds the usage of one more turn, of the model or of the auxiliary model.
func (s *spending) add(usage string) {
	if usage != "" {
		*s = spending(added(string(*s), usage))
	}
}

// added returns the sum of two usage objects. Whole numbers are added, member by member.
// All other values come from the second object. "" means no usage.
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
		add := func(key, raw string) { members = append(members, jsonval.Quoted(key)+":"+raw) }
		b.Each(func(key string, m jsonval.Value) bool {
			add(key, sum(a.Get(key), m))
			return true
		})
		a.Each(func(key string, m jsonval.Value) bool {
			if !b.Get(key).Exists() {
				add(key, m.Raw())
			}
			return true
		})
		return "{" + strings.Join(members, ",") + "}"
	}
	return b.Raw()
}

// account returns the text of the model's answer, or of one chunk of it, with a larger
// usage. The new usage also includes all earlier requests for this answer: the model's
// earlier turns and the auxiliary model's texts.
func (o *out) account(text string) string {
	v, err := jsonval.Parse(text)
	u := v.Get("usage")
	if err != nil || o.spent == "" || !full(u) {
		return text
	}
	at := u.Offset()
	return text[:at] + added(string(o.spent), u.Raw()) + text[at+len(u.Raw()):]
}

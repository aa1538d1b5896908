package proxy

import (
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/worker/proxy/values"
)

// spending is a usage object with the members of the models' servers, raw JSON; ""
// means no usage.
type spending string

// addUsage adds the usage of one more turn, of the model or of the auxiliary model.
func (s *spending) addUsage(usage string) {
	if usage != "" {
		*s = spending(sumUsage(string(*s), usage))
	}
}

// sumUsage returns the sum of two usage objects. Whole numbers are added, member by
// member. Any other member has its value in the object later, or in the object earlier if
// later lacks it. If one of the two texts is "" or not JSON, sumUsage returns later.
func sumUsage(earlier, later string) string {
	a, err := jsonval.Parse(earlier)
	if err != nil {
		return later
	}
	b, err := jsonval.Parse(later)
	if err != nil {
		return later
	}
	return sumValues(a, b)
}

func sumValues(a, b jsonval.Value) string {
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
			add(key, sumValues(a.Get(key), m))
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

// accountUsage returns an answer of the model, or one chunk of it, with the usage of all
// requests for this answer. These include the model's earlier turns and the auxiliary
// model's texts.
func (o *out) accountUsage(text string) string {
	v, err := jsonval.Parse(text)
	u := v.Get("usage")
	if err != nil || o.spent == "" || !values.Has(u) {
		return text
	}
	at := u.Offset()
	return text[:at] + sumUsage(string(o.spent), u.Raw()) + text[at+len(u.Raw()):]
}

package machine

import (
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// MostResult is the largest result of a call, in bytes, in which rules look for values.
const MostResult = 1 << 20

// Results returns the hashes of the values that rules compare in the result of a call. Of
// the result nothing else is kept.
func (p *Policy) Results(r *Record, result string, key []byte) (out []Mark) {
	var values []jsonval.Value
	for _, rule := range p.listedRules() {
		if rule.After == nil || !rule.After.looksInResult() || !rule.After.isBy(r.Tool) || len(result) > MostResult {
			continue
		}
		if values == nil {
			values = resultValues(result)
		}
		if seen := rule.seenIn(values, key); seen != "" {
			out = append(out, Mark{Rule: "rule " + rule.Name, Seen: seen})
		}
	}
	return out
}

// LooksInResults reports whether a rule compares values in the result of a call.
func (p *Policy) LooksInResults() bool {
	for _, r := range p.listedRules() {
		if r.After != nil && r.After.looksInResult() {
			return true
		}
	}
	return false
}

func (e *Earlier) looksInResult() bool {
	for _, s := range e.Where {
		if s.Result {
			return true
		}
	}
	return false
}

// resultValues returns what a tool answered. In a result of MCP, or in a list of parts as
// hosts pass it on, these are the structured content and the JSON in each part: the same
// values in two forms.
func resultValues(result string) []jsonval.Value {
	v, err := jsonval.Parse(result)
	if err != nil {
		return nil
	}
	if text, ok := v.Str(); ok {
		if v, err = jsonval.Parse(text); err != nil {
			return nil
		}
	}
	parts, out := v, []jsonval.Value(nil)
	if v.Kind() == jsonval.Object {
		parts = v.Get("content")
		if s := v.Get("structuredContent"); s.Kind() == jsonval.Object {
			out = append(out, s)
		}
	}
	for _, part := range parts.Elements() {
		text, ok := part.Get("text").Str()
		if kind, typed := part.Get("type").Str(); !ok || !typed || kind != "text" {
			continue
		}
		if inner, err := jsonval.Parse(text); err == nil {
			out = append(out, inner)
		}
	}
	if out == nil {
		out = []jsonval.Value{v}
	}
	return out
}

// seenIn returns the hash of the values in a result that a rule compares; "" if they are
// not surely there, or if two forms of the result say different ones.
func (r *Rule) seenIn(forms []jsonval.Value, key []byte) (hash string) {
	for i, v := range forms {
		seen := []string{"seen", r.Name}
		for _, s := range r.After.Where {
			if !s.Result {
				continue
			}
			value, one := exactValue(v, s.Earlier)
			if !one {
				return ""
			}
			seen = append(seen, value)
		}
		if h := rowKey(key, seen...); i > 0 && h != hash {
			return ""
		} else {
			hash = h
		}
	}
	return hash
}

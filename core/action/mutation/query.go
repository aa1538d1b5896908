package mutation

import "github.com/boundcheck/boundcheck/core/base/jsonval"

// This file reads the values in a structured query, such as {"match": {"msg": "delete"}}.
// They are data that the query looks for, not deeds.

// isFieldOperator reports whether a member of a query compares a field with a value. Its
// value is an object with the field's name.
func isFieldOperator(name string) bool {
	return oneOf(name, "match match_phrase match_phrase_prefix match_bool_prefix term terms prefix wildcard regexp fuzzy range")
}

// walkFields judges the object below an operator of a query. The names of its members are
// the names of fields. Their values are words to look for, or objects with such words and
// the options of the operator.
func (e *evidence) walkFields(fields jsonval.Value, depth int) {
	if depth > maxDepth {
		e.addEvidence(Unknown, LayerArgument, "arguments are nested too deep to read")
		return
	}
	fields.Each(func(field string, v jsonval.Value) bool {
		if v.Kind() == jsonval.Object && !onlyFieldOptions(v) {
			e.judgeMember(field, wordsMember, v, depth)
			return true
		}
		e.walkSought(field, v, depth)
		return true
	})
}

// walkSought judges a value that a query looks for. The value is a text, a number or a
// boolean, or it holds such values one level below.
func (e *evidence) walkSought(name string, v jsonval.Value, depth int) {
	switch v.Kind() {
	case jsonval.String:
		s, _ := v.Str()
		e.judgeText(name, wordsMember, s)
	case jsonval.Array, jsonval.Object:
		v.Each(func(_ string, m jsonval.Value) bool {
			switch s, text := m.Str(); {
			case text:
				e.judgeText(name, wordsMember, s)
			case m.Kind() == jsonval.Array, m.Kind() == jsonval.Object:
				e.judgeMember(name, wordsMember, m, depth+1)
			}
			return true
		})
	}
}

// onlyFieldOptions reports whether all members of an object are options of a field
// operator, such as {"query": "x", "boost": 2}.
func onlyFieldOptions(v jsonval.Value) bool {
	only := true
	v.Each(func(name string, _ jsonval.Value) bool {
		only = oneOf(name, "query value operator fuzziness boost slop analyzer case_insensitive minimum_should_match zero_terms_query prefix_length max_expansions gt gte lt lte format time_zone flags relation rewrite")
		return only
	})
	return only
}

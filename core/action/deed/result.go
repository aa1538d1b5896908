package deed

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/action/utterance"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// What a call returned says more of it than a name in a language that is not known.

// mostAcknowledgement is the number of bytes up to which a result may be no more than an acknowledgement.
const mostAcknowledgement = 40

// IsAcknowledgement reports whether a result says no more than that a call was done: a word such as ok, or
// an object with only a truth value or a word for a state.
func IsAcknowledgement(result string) bool {
	result = strings.TrimSpace(result)
	if len(result) > mostAcknowledgement {
		return false
	}
	v, err := jsonval.Parse(result)
	if err != nil || v.Kind() != jsonval.Object {
		return strings.EqualFold(strings.Trim(result, `".!`), "ok") || strings.EqualFold(strings.Trim(result, `".!`), "done")
	}
	leaves := v.Leaves()
	if len(leaves) != 1 {
		return false
	}
	done, ok := leaves[0].Value.Bool()
	text, isText := leaves[0].Value.Str()
	return ok && done || isText && (leaves[0].Key == "status" || leaves[0].Key == "result") && !strings.Contains(text, " ")
}

// IsList reports whether a result is a list, or has nothing but one.
func IsList(result string) bool {
	result = strings.TrimSpace(result)
	if !strings.HasPrefix(result, "[") && !(strings.HasPrefix(result, "{") && strings.HasSuffix(result, "]}")) {
		return false
	}
	v, err := jsonval.Parse(result)
	return err == nil && (v.Kind() == jsonval.Array || v.Len() == 1)
}

// IsFailure reports whether a result is an object with an error, in any language.
func IsFailure(result string) bool {
	v, err := jsonval.Parse(strings.TrimSpace(result))
	failed := false
	if err == nil && v.Kind() == jsonval.Object {
		v.Each(func(name string, _ jsonval.Value) bool {
			failed = failed || utterance.Listed("failureKey", utterance.Fold(name))
			return !failed
		})
	}
	return failed
}

package deed

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/action/similarity"
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

// leastTold is the number of characters from which a result tells something.
const leastTold = 24

// OnlyTells reports whether a call is named by what it returns, such as tenant_mail, notes_controle and zone_log, and its result
// tells more than that something was done: its verb is the name of a thing, no argument holds a text or leads away, and the result
// has prose or several fields. A call without a result does not tell anything.
func OnlyTells(d *Deed, c *similarity.Call, result string) bool {
	if c.Text != "" || len(d.Commands) > 0 || len(strings.TrimSpace(result)) < leastTold || IsFailure(result) || !d.namesThing(c.Name) {
		return false
	}
	for i := range c.Leaves {
		if v := FoldValue(&c.Leaves[i]); LeadsAway(&c.Leaves[i]) != "" || strings.Count(v, " ") > 3 || len(v) > utterance.MostText {
			return false
		}
	}
	v, err := jsonval.Parse(strings.TrimSpace(result))
	if err != nil {
		return strings.Count(result, " ") > 3
	}
	if v.Kind() == jsonval.Array {
		return true
	}
	leaves := v.Leaves()
	for _, l := range leaves {
		if text, ok := l.Value.Str(); ok && strings.Count(text, " ") > 3 {
			return true
		}
	}
	return len(leaves) > 2
}

// namesThing reports whether the words of a name that say what is done are nouns in the plural, or nouns behind or before words that are
// no verbs: mails, tenant_mail, mail_latest.
func (d *Deed) namesThing(name string) bool {
	if d.Noun {
		return true
	}
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == '_' || r == '-' || r == '.' })
	for _, w := range words { // a verb in the plural is none
		if one := utterance.Singular(w); one != w && len(w) > 4 && utterance.IsNounToo(one) && utterance.KindOf(one)&d.Kinds != 0 {
			return true
		}
	}
	return len(d.Name) > 1 && utterance.IsNounToo(d.Lead) && utterance.Listed("newest", d.Name[1])
}

// SaysDone reports whether a result has one field with one word, as a state or a number of a new record: {"motor": "bloqueado"}.
// What a call finds is longer, or is a number.
func SaysDone(result string) bool {
	v, err := jsonval.Parse(strings.TrimSpace(result))
	if err != nil || v.Kind() != jsonval.Object {
		return false
	}
	leaves := v.Leaves()
	if len(leaves) != 1 {
		return false
	}
	text, ok := leaves[0].Value.Str()
	return ok && text != "" && !strings.Contains(text, " ")
}

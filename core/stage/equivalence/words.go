package equivalence

import (
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/core/action/kind"
	"github.com/boundcheck/boundcheck/core/stage/sentences"
)

// mostHeld is the largest number of values of results that a sentence lists.
const mostHeld = 3

// HeldText says which values the earlier results of a step had with which a value is compared, or that
// they had none, or that the step was not called.
func HeldText(values []string, isCalled bool, step string) string {
	switch {
	case len(values) > 0:
		return sentences.ResultsHeld.With(strings.Join(values[:min(len(values), mostHeld)], ", "))
	case isCalled:
		return sentences.ResultsWithout.With()
	}
	return sentences.NoResults.With(step)
}

// sameValue says for each kind that an argument has the same value in another notation.
var sameValue = sync.OnceValue(func() map[kind.Name]sentences.Sentence {
	return map[kind.Name]sentences.Sentence{
		kind.UUID:     sentences.SameUUID,
		kind.Message:  sentences.SameMessage,
		kind.Content:  sentences.SameContent,
		kind.Notation: sentences.SameNotation,
		kind.JSON:     sentences.SameJSON,
		kind.XML:      sentences.SameXML,
		kind.Query:    sentences.SameQuery,
		kind.Command:  sentences.SameCommand,
		kind.Formula:  sentences.SameFormula,
		kind.Path:     sentences.SamePath,
		kind.Address:  sentences.SameAddress,
		kind.Code:     sentences.SameCode,
		kind.Boolean:  sentences.SameBoolean,
		kind.Money:    sentences.SameMoney,
		kind.Quantity: sentences.SameQuantity,
		kind.Share:    sentences.SameShare,
		kind.Number:   sentences.SameNumber,
		kind.Date:     sentences.SameDate,
		kind.Clock:    sentences.SameClock,
		kind.Instant:  sentences.SameInstant,
		kind.Zone:     sentences.SameZone,
		kind.Duration: sentences.SameDuration,
		kind.Phone:    sentences.SamePhone,
		kind.Language: sentences.SameLanguage,
		kind.Country:  sentences.SameCountry,
		kind.Currency: sentences.SameCurrency,
		kind.List:     sentences.SameList,
		kind.Nothing:  sentences.SameNothing,
		kind.Color:    sentences.SameColor,
		kind.Mail:     sentences.SameMail,
		kind.Exact:    sentences.SameExact,
		kind.Text:     sentences.SameText,
	}
})

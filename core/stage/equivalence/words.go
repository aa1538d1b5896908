package equivalence

import (
	"sync"

	"github.com/boundcheck/boundcheck/core/action/kind"
	"github.com/boundcheck/boundcheck/core/stage/sentences"
)

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

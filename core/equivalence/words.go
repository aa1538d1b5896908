package equivalence

import (
	"sync"

	"github.com/boundcheck/boundcheck/core/kind"
)

// sameValue says for each kind that an argument has the same value in another notation.
var sameValue = sync.OnceValue(func() map[kind.Name]string {
	return map[kind.Name]string{
		kind.UUID:     "%s is the same UUID",
		kind.Message:  "%s is the same message, apart from polite and small words",
		kind.Content:  "%s is the same content, apart from the newline at its end",
		kind.JSON:     "%s is the same value in JSON",
		kind.XML:      "%s is the same document, apart from blanks in its tags",
		kind.Query:    "%s is the same query, apart from its layout",
		kind.Command:  "%s has the same words for a shell",
		kind.Formula:  "%s is the same formula in another notation",
		kind.Path:     "%s is the same path",
		kind.Address:  "%s is the same address",
		kind.Boolean:  "%s is the same choice of yes or no",
		kind.Money:    "%s is the same amount of money",
		kind.Quantity: "%s is the same quantity",
		kind.Share:    "%s is the same share",
		kind.Number:   "%s is the same number",
		kind.Date:     "%s is the same date",
		kind.Clock:    "%s is the same time of day",
		kind.Instant:  "%s is the same point in time",
		kind.Zone:     "%s is the same time zone",
		kind.Duration: "%s is the same length of time",
		kind.Phone:    "%s is the same telephone number",
		kind.Language: "%s is the same language",
		kind.Country:  "%s is the same country",
		kind.Currency: "%s is the same currency",
		kind.List:     "%s has the same elements",
		kind.Nothing:  "%s is empty in one call and absent in the other",
		kind.Color:    "%s is the same color",
		kind.Mail:     "%s is the same mail address",
		kind.Exact:    "%s is the same, apart from the signs that group it",
		kind.Text:     "%s is the same text, apart from the encoding of its letters, its sort of quotes and its contractions",
	}
})

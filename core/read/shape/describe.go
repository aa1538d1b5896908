package shape

import (
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/othertext"
)

// QuoteExcerpt quotes n bytes of a text. What looks like a secret is hidden. For this it
// looks at the text around the excerpt, because an excerpt may begin inside a secret.
func QuoteExcerpt(text string, from, n int) string {
	const around = 256
	from = min(max(from, 0), len(text))
	begin, end := max(from-around, 0), min(from+n, len(text))
	safe := othertext.HideSecrets(text[begin:min(end+around, len(text))])
	return fmt.Sprintf("%q", strings.ToValidUTF8(safe[from-begin:end-begin], ""))
}

// DescribeValue describes a JSON value in words, for an error message.
func DescribeValue(v jsonval.Value) string {
	switch v.Kind() {
	case jsonval.Object:
		return "an object with members " + ListNames(v.Keys())
	case jsonval.Array:
		n := v.Len()
		if n == 0 {
			return "an empty list"
		}
		return fmt.Sprintf("a list of length %d whose first element is %s", n, DescribeValue(FirstElement(v)))
	case jsonval.String, jsonval.Number:
		return "a " + v.Kind().String()
	}
	return v.Kind().String()
}

// ListNames lists the first names of members, for a message. What looks like a secret is hidden.
func ListNames(names []string) string {
	if len(names) == 0 {
		return "(none)"
	}
	more := ""
	if len(names) > 8 {
		names, more = names[:8], ", …"
	}
	names = slices.Clone(names)
	for i := range names {
		names[i] = othertext.HideSecrets(names[i])
	}
	return strings.Join(names, ", ") + more
}

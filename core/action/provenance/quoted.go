package provenance

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// QuotedStrings returns the quoted strings of a free-text action, such as fill("12",
// "Ana"). It returns at most eight.
func QuotedStrings(text string) []jsonval.Value {
	_, text, _ = strings.Cut(text, "(")
	var out []jsonval.Value
	for len(text) > 0 && len(out) < 8 {
		at := strings.IndexAny(text, "'\"")
		if at < 0 {
			break
		}
		mark := text[at]
		end := strings.IndexByte(text[at+1:], mark)
		if end < 0 {
			break
		}
		if v, err := jsonval.Parse(jsonval.Quoted(text[at+1 : at+1+end])); err == nil {
			out = append(out, v)
		}
		text = text[at+end+2:]
	}
	return out
}

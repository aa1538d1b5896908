package kind

import (
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/core/base/codes"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// countryCodes and languageCodes map each name and code to one code.
var (
	countryCodes  = sync.OnceValue(func() *wordlist.Index[string] { return readCodes("country") })
	languageCodes = sync.OnceValue(func() *wordlist.Index[string] { return readCodes("language") })
)

// readCodes reads the rows of one sort: the code, and other codes and names, separated by
// semicolons.
func readCodes(sort string) *wordlist.Index[string] {
	rows := codes.Rows(sort)
	out := wordlist.IndexFor[string](5 * len(rows))
	for _, row := range rows {
		code, _, _ := strings.Cut(row, ";")
		for name := range strings.SplitSeq(wordlist.Lower(row), ";") {
			if name != "" {
				*out.At(name) = code
			}
		}
	}
	return &out
}

// compareCountries compares two countries by their codes (ISO 3166-1) or English names.
func (p *pair) compareCountries() Outcome {
	if !p.a.isString() || !p.b.isString() {
		return Open
	}
	named := p.named(" country nationality citizenship nation ")
	if isCode := func(s string) bool { return (len(s) == 2 || len(s) == 3) && s == strings.ToUpper(s) }; !named && !isCode(p.a.text) && !isCode(p.b.text) {
		return Open
	}
	m := countryCodes()
	if !named {
		if a := m.Get(wordlist.Lower(p.a.text)); a != "" && a == m.Get(wordlist.Lower(p.b.text)) && max(len(p.a.text), len(p.b.text)) > 3 {
			return Unsure // a word that may name something else here
		}
		return Open
	}
	return p.compareNamed(m.Get(wordlist.Lower(p.a.text)), m.Get(wordlist.Lower(p.b.text)))
}

// compareLanguages compares two languages by their codes (ISO 639) or English names. A
// language with a region, such as pt-BR, may differ from the language alone.
func (p *pair) compareLanguages() Outcome {
	if !p.named(" language lang locale langue sprache idioma lingua taal ") && !(p.ends(" to from source target into ") && p.tool.has(" translate translation ")) || !p.a.isString() || !p.b.isString() {
		return Open
	}
	a, regionA := languageOf(p.a.text)
	b, regionB := languageOf(p.b.text)
	switch {
	case a == "" || b == "" || a != b:
		return p.compareNamed(a, b)
	case regionA != regionB && regionA != "" && regionB != "":
		return Differs
	case regionA != regionB:
		return Unsure
	}
	return Same
}

func languageOf(s string) (code, region string) {
	s = strings.ToLower(strings.TrimSpace(s))
	m := languageCodes()
	if code = m.Get(s); code != "" {
		return code, ""
	}
	s, region, _ = strings.Cut(strings.ReplaceAll(s, "_", "-"), "-")
	return m.Get(s), region
}

// compareNamed compares two codes. Texts that no table knows are Open if they are equal
// but for their letter case.
func (p *pair) compareNamed(a, b string) Outcome {
	if strings.EqualFold(p.a.text, p.b.text) {
		return Same
	}
	return compareCodes(a, b)
}

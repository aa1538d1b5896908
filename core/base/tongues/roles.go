package tongues

import (
	_ "embed"
	"sort"
	"strings"
	"sync"
	"unicode"

	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// The law of this file: a name is written in English only if each of its words is known, and at least one
// is a foreign one. So a name of a thing of the program's own stays as it is.

//go:embed roles.txt
var rolesText string

// rolesFile returns roles.txt. No other function reads it (see tonguesFile).
//
//go:noinline
func rolesFile() string { return rolesText }

// roles maps the words of other languages for what a member of a record holds to the English word. Those
// for how a run ended come from outcomes.txt.
var roles = sync.OnceValue(func() *wordlist.Index[string] {
	all := ReadTable(rolesFile())
	for word, english := range outcomes().All() {
		if at := all.At(word); *at == "" {
			*at = english
		}
	}
	return all
})

// plainRoles are the English words that may stand beside foreign ones in a name. particles mean nothing there.
const (
	plainRoles = "id no expected actual call calls tool tools action actions step steps arguments case cases test tests question input answer output task run trial session model name agent result verdict score status"
	particles  = "de del des du la le les el los der die das di da do dos das van het av の な する される された した 的 을 를 은 는 된 한"
)

// Member returns the English name for the name of a member or of a column in another language, such as
// expected_call for llamadas_esperadas and Soll-Aufrufe. The word for the side comes first, and id last.
// It returns "" if it does not know all words of the name, or if none is foreign. O(n²) for names of at
// most 48 bytes; longer ones are not known.
func Member(name string) string {
	if len(name) < 2 || len(name) > 48 {
		return ""
	}
	var side, id string
	var words []string
	foreign := false
	for _, word := range memberWords(name) {
		parts := cutRole(word)
		if parts == nil {
			return ""
		}
		for _, part := range parts {
			english := roles().Get(part)
			switch foreign = foreign || english != ""; {
			case english == "" && wordlist.Contains(particles, part):
				continue
			case english == "":
				english = part
			}
			switch english {
			case "expected", "actual":
				if side != "" {
					return ""
				}
				side = english
			case "id":
				id = english
			default:
				words = append(words, english)
			}
		}
	}
	if !foreign {
		return ""
	}
	if side != "" {
		words = append([]string{side}, words...)
	}
	if id != "" {
		words = append(words, id)
	}
	return strings.Join(words, "_")
}

// BeginsForeign reports whether the first word of a name is one that Member writes in English, or a compound
// of German may begin with it.
func BeginsForeign(name string) bool {
	word := name
	if cut := strings.IndexAny(name, "_- ./"); cut > 0 {
		word = name[:cut]
	}
	for i := 1; i < len(word); i++ {
		if word[i] >= 'A' && word[i] <= 'Z' && word[i-1] >= 'a' {
			word = word[:i]
		}
	}
	word = strings.ToLower(word)
	return roles().Get(word) != "" || strings.HasPrefix(word, "soll") && Member(name) != ""
}

// memberWords returns the words of a name in lower case.
func memberWords(name string) (words []string) {
	from, last := 0, rune(0)
	cut := func(to int) {
		if to > from {
			words = append(words, strings.ToLower(name[from:to]))
		}
	}
	for i, r := range name {
		switch {
		case strings.ContainsRune("_-. /$:()", r):
			cut(i)
			from = i + 1
		case unicode.IsUpper(r) && unicode.IsLower(last), unicode.IsUpper(r) && r < 0x80 && last >= 0x2e80:
			cut(i)
			from = i
		}
		last = r
	}
	cut(len(name))
	return words
}

// cutRole returns the known words of which a word consists, or nil.
func cutRole(word string) []string {
	if isRole(word) {
		return []string{word}
	}
	ends := make([]int, 0, len(word))
	for i := range word {
		ends = append(ends, i)
	}
	ends = append(ends[min(1, len(ends)):], len(word))
	sort.Sort(sort.Reverse(sort.IntSlice(ends)))
	for _, end := range ends {
		if head := word[:end]; end < len(word) && (len(head) > 2) && isRole(head) {
			if rest := cutRole(word[end:]); rest != nil && (len(word[end:]) > 3 || word[end:] == "id") {
				return append([]string{head}, rest...)
			}
			if rest := word[end:]; rest[0] >= 0x80 && wordlist.Contains(particles, rest) {
				return []string{head}
			}
		}
	}
	return nil
}

func isRole(word string) bool {
	return roles().Get(word) != "" || wordlist.Contains(plainRoles, word) || wordlist.Contains(particles, word)
}

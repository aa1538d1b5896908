package violation

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// The words of newer rules are data in words.txt; older lists are in code.

//go:embed words.txt
var wordsText string

// wordsFile returns words.txt. No other function reads it: in the page's core, the file is in the
// second module with this function (wasm/build.sh).
//
//go:noinline
func wordsFile() string { return wordsText }

// wordLists maps the name of a list in words.txt to its words and phrases.
var wordLists = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	name := ""
	for line := range strings.Lines(wordsFile()) {
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		if line[0] != ' ' {
			before, rest, _ := strings.Cut(line, ":")
			name, line = before, rest
			out[name] = []string{""}
		}
		list := out[name]
		for i, phrase := range strings.Split(line, ",") { // a phrase may go on in the next line
			phrase = strings.TrimSpace(phrase)
			if last := len(list) - 1; i == 0 {
				list[last] = strings.TrimSpace(list[last] + " " + phrase)
			} else {
				list = append(list, phrase)
			}
		}
		out[name] = list
	}
	return out
})

// listed returns the words and phrases of a list in words.txt.
func listed(name string) []string { return wordLists()[name] }

// holdsListed reports whether a text contains a word or phrase of a list.
func holdsListed(text, list string) bool { return holdsAny(text, listed(list)) }

// anyListed reports whether one of the words is in a list.
func anyListed(words []string, list string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return isListedIn(w, list) })
}

// isListedIn reports whether a word or phrase is in a list.
func isListedIn(word, list string) bool { return slices.Contains(listed(list), word) }

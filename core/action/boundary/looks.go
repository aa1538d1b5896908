package boundary

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// OnlyLooks reports whether the first word of an action's name says that it looks or tries, although
// others in it name deeds, as in view_purge_schedule.
func (a *Action) OnlyLooks() bool {
	words := a.Words()
	return len(words) > 1 && wordlist.Contains(" simulate preview estimate view ", words[0])
}

// askingWords end the paths of addresses that answer a question and change nothing, by their word.
const askingWords = " search query find lookup filter count preview validate estimate quote suggest autocomplete "

// AsksAddress reports whether a call's only address ends in such a word, as a search by POST does.
func (a *Action) AsksAddress() bool {
	asks := false
	for i := range a.Leaves {
		_, address, ok := strings.Cut(similarity.Plain(a.Leaves[i].Raw), "://")
		if !ok {
			continue
		}
		address, _, _ = strings.Cut(address, "?")
		last := address[strings.LastIndexByte(address, '/')+1:]
		if asks || last == address || !wordlist.Contains(askingWords, strings.Trim(strings.ToLower(last), "_")) {
			return false
		}
		asks = true
	}
	return asks
}

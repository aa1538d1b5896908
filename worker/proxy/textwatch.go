package proxy

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/react"
)

// watcher looks at the words of a stream for the beginning of a text call, so that
// nothing of one goes out before it is judged. It keeps as much of the words as a
// beginning can be long; each piece costs its own length.
type watcher struct {
	words string // since the last place that cannot be part of a beginning
	past  bool   // something comes before words, so no JSON text begins there
	cut   bool   // words begin in the middle of a line
}

// enough is how many characters of a mark that is made of letters hold words back:
// every other word ends in the first one.
const enough = 3

// longestMark bounds the length of a mark and of a step's key.
const longestMark = 64

// holds takes the next piece and reports whether what was taken since it last
// reported false may be, or may become, the beginning of a text call.
func (w *watcher) holds(piece string) bool {
	w.words += piece
	if w.marked() {
		return true
	}
	if trimmed := strings.TrimSpace(w.words); !w.past && trimmed != "" {
		if strings.ContainsRune("{[`", rune(trimmed[0])) && jsonMayBegin(trimmed) {
			return true
		}
		w.past = true
	}
	if w.partial() {
		return true
	}
	if at := strings.LastIndexByte(w.words, '\n') + 1; at > 0 {
		w.words, w.cut = w.words[at:], false
	}
	if n := len(w.words); n > longestMark {
		w.words, w.cut = w.words[n-longestMark:], true
	}
	return false
}

// marked reports whether a mark, or an action of ReAct, is in the words.
func (w *watcher) marked() bool {
	for _, m := range textMarks {
		if strings.Contains(w.words, m.mark) {
			return true
		}
	}
	first := !w.cut
	for line := range strings.Lines(w.words) {
		if key, _ := react.Key(line); key == "action" && first {
			return true
		}
		first = true
	}
	return false
}

// partial reports whether the words end in the beginning of a mark or of an action.
func (w *watcher) partial() bool {
	for _, m := range textMarks {
		least := 1
		if m.mark[0] != '<' && m.mark[0] != '[' {
			least = enough
		}
		for n := min(len(m.mark)-1, len(w.words)); n >= least; n-- {
			if strings.HasSuffix(w.words, m.mark[:n]) {
				return true
			}
		}
	}
	at := strings.LastIndexByte(w.words, '\n') + 1
	line := strings.ToLower(strings.Trim(w.words[at:], " \t*_#>-0123456789"))
	return (at > 0 || !w.cut) && len(line) >= enough && strings.HasPrefix("action", line)
}

package tongues

import (
	_ "embed"
	"sync"

	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

//go:embed speakers.txt
var speakersText string

// speakersFile returns speakers.txt. No other function reads it (see tonguesFile).
//
//go:noinline
func speakersFile() string { return speakersText }

var speakers = sync.OnceValue(func() *wordlist.Index[string] { return ReadTable(speakersFile()) })

// LineHead returns the English head of a line in a transcript of another language: user, agent, call for
// what an agent calls, result for what a tool answers, or else the name that Member returns. It returns "" if it
// does not know each word. O(n²), at most 48 bytes.
func LineHead(head string) string {
	if len(head) > 48 {
		return ""
	}
	words := memberWords(head)
	who := ""
	for i, word := range words {
		english := speakers().Get(word)
		switch {
		case i > 1:
			return Member(head)
		case i == 0 && (english == "user" || english == "agent"):
			who = english
		case i == 0 && roles().Get(word) == "tool":
			who = "tool"
		case i == 1 && who == "agent" && english == "calls":
			return "call"
		case i == 1 && who == "tool" && english == "answers":
			return "result"
		default:
			return Member(head)
		}
	}
	if who == "tool" {
		return Member(head)
	}
	return who
}

package boundary

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/readcmd"
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

// lineWords has words of tools that run a line of a shell, and lineKeys the arguments that hold it.
const (
	lineWords = " sh bash zsh shell terminal console ssh exec execute run command cmd line "
	lineKeys  = " command cmd commandline command_line line "
)

// LooksByLine reports whether the only line of a shell in a call of unknown effect only reads in the shells of POSIX. The tool
// may run another shell, so this is a reason to doubt that it changed something, and no proof. It caches the result.
func (a *Action) LooksByLine() bool {
	if a.Mutation.Mutating != mutation.Unknown || a.Text != "" {
		return false
	}
	m := a.ensureMemo()
	if !m.isLineRead {
		m.isLineRead, m.looksByLine = true, a.readsLine()
	}
	return m.looksByLine
}

// MayReplace reports whether an action may stand in the place of a step of its tool: it has not failed, unless the step has to,
// and it does not only look where the step changes something.
func (a *Action) MayReplace(step *Action) bool {
	if a.Failed && !step.Failed {
		return false
	}
	return !step.Mutation.Counts() || a.Mutation.Counts() && !a.LooksByLine() || step.LooksByLine()
}

func (a *Action) readsLine() bool {
	if !wordlist.HasAny(lineWords, a.Words()) {
		return false
	}
	lines := 0
	for i := range a.Leaves {
		l := &a.Leaves[i]
		if !wordlist.Contains(lineKeys, strings.ToLower(l.Key)) {
			continue
		}
		if lines++; !readcmd.Line(similarity.Plain(l.Raw), readcmd.Own).Reads {
			return false
		}
	}
	return lines == 1
}

// OnlyWaits reports whether a call only waits for a time: its name says so and no more, and its arguments say how long.
func (a *Action) OnlyWaits() bool {
	words := a.Words()
	if len(words) != 1 || !wordlist.Contains(" sleep wait delay pause ", words[0]) || len(a.Leaves) == 0 {
		return false
	}
	for i := range a.Leaves {
		if !wordlist.HasLast(" second sec s minute min millisecond ms hour duration time reason ", mutation.NameWords(a.Leaves[i].Key)) {
			return false
		}
	}
	return true
}

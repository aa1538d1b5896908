// Package dialogue writes the texts that the gate puts into a conversation between a
// person and an agent: the question whether a call may run, the summary of earlier
// messages, and a reflection in the form of the model's own thought. It also reads the
// person's reply to a question.
//
// Every function is pure. All text from a model is quoted, escaped or closed, so that
// nobody can mistake it for the gate's own text.
package dialogue

import (
	"sort"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/similarity"
)

// MaxBlocks is the largest number of earlier blocks in a context. It is the setting of
// the paper's Table 3; the paper's text leaves the number to the user.
const MaxBlocks = 16

// Said is one message of a conversation, with the data that a summary needs.
type Said struct {
	Role  string
	Text  string
	Calls []Called
}

// Called is one call in a message.
type Called struct{ Name, Arguments string }

// Blocks returns the index at which each block of a conversation begins. A block consists
// of a user's message and all further messages up to the next user's message. Messages
// before the first user's message are a separate block. O(n).
func Blocks(all []Said) (starts []int) {
	for i := range all {
		if i == 0 || all[i].Role == "user" {
			starts = append(starts, i)
		}
	}
	return starts
}

// The limits of a block's summary: the bytes of each text, and the number of calls.
const (
	keepUser   = 240
	keepOther  = 160
	keepResult = 120
	keepCalls  = 12
)

// Summary returns a few lines about a block, all quoted from the block: the user's
// messages, the calls with their results, and the assistant's last text. It shows at most
// 12 calls, and only counts the others. Deterministic; O(n).
func Summary(block []Said) string {
	var b strings.Builder
	last, calls := "", 0
	for i := range block {
		m := &block[i]
		switch {
		case m.Role == "user":
			writeLine(&b, "user: ", m.Text, keepUser)
		case m.Role == "tool" || m.Role == "function":
			if calls <= keepCalls {
				writeLine(&b, "  result: ", m.Text, keepResult)
			}
		case len(m.Calls) == 0:
			last = m.Text
		}
		for _, c := range m.Calls {
			if calls++; calls <= keepCalls {
				writeLine(&b, "  call: ", c.Name+" "+c.Arguments, keepOther)
			}
		}
	}
	if calls > keepCalls {
		b.WriteString("  and " + strconv.Itoa(calls-keepCalls) + " more calls\n")
	}
	if last != "" {
		writeLine(&b, "assistant: ", last, keepOther)
	}
	return b.String()
}

// writeLine writes the given prefix and the text as one line. It cuts the text after keep
// bytes. If the text is empty, writeLine writes nothing.
func writeLine(b *strings.Builder, before, text string, keep int) {
	text = strings.Join(strings.Fields(text), " ")
	if text == "" {
		return
	}
	if len(text) > keep {
		text = strings.ToValidUTF8(text[:keep], "") + " [...]"
	}
	b.WriteString(before + text + "\n")
}

// Relevant returns the indices of the n summaries that are most similar to a query, in
// the conversation's order. Of equally similar summaries it prefers the later one. It
// returns at most MaxBlocks indices. For m summaries it takes O(m log m) and computes m
// similarities.
func Relevant(query string, summaries []string, n int, texts similarity.Texts) []int {
	type scored struct {
		at    int
		score float64
	}
	all := make([]scored, len(summaries))
	for i, s := range summaries {
		all[i] = scored{i, texts.Similarity(query, s)}
	}
	sort.Slice(all, func(i, j int) bool {
		if all[i].score != all[j].score {
			return all[i].score > all[j].score
		}
		return all[i].at > all[j].at
	})
	all = all[:min(len(all), max(0, n), MaxBlocks)]
	out := make([]int, len(all))
	for i := range all {
		out[i] = all[i].at
	}
	sort.Ints(out)
	return out
}

// Digested returns the message that replaces all earlier blocks. The message contains the
// chosen summaries in their order, and the number of all summaries. If the chosen
// summaries have more than budget bytes, Digested drops the earliest ones, but keeps at
// least one. O(n).
func Digested(summaries []string, chosen []int, budget int) string {
	size, from := 0, len(chosen)
	for from > 0 && (from == len(chosen) || size+len(summaries[chosen[from-1]]) <= budget) {
		from--
		size += len(summaries[chosen[from]])
	}
	var b strings.Builder
	b.WriteString("Earlier parts of this conversation, shortened: " + strconv.Itoa(len(chosen)-from) + " of " + strconv.Itoa(len(summaries)) +
		", the most relevant to the current message. Other things may have happened, too: look them up, or ask.\n")
	for _, i := range chosen[from:] {
		b.WriteString("[part " + strconv.Itoa(i+1) + "]\n" + summaries[i])
	}
	return b.String()
}

// The forms in which a reflection can be shown to the model.
const (
	Think = "think" // a block of thought, for reasoning models
	React = "react" // one line, for agents that write Thought, Action, Observation
)

// Thought returns a reflection as the model's own thought. The style Think makes it a
// think block, and React makes it one line after "Thought:". For any other style it
// returns the text unchanged.
func Thought(style, text string) string {
	switch style {
	case Think:
		return "<think>\n" + strings.TrimSpace(text) + "\n</think>"
	case React:
		return "Thought: " + strings.Join(strings.Fields(text), " ")
	}
	return text
}

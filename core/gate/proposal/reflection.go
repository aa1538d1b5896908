package proposal

import (
	"sort"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// Limits of a reflection's quotes from a policy: it must be short enough to be read.
const (
	maxRules = 6
	maxRule  = 600 // bytes of one rule
	maxWords = 400 // words of the policy examined in one rule
)

// Reflection returns the text that the model gets just before a call that may change
// state. The text has the policy's rules about this tool, word for word, and questions to
// answer before the call. The rules are those that share words with the tool's name. The
// result is "" for a call that changes nothing. O(len(policy)).
func Reflection(tool string, v mutation.Verdict, policy string) string {
	return renderReflection(&call{tool: tool}, v, policy)
}

func renderReflection(c *call, v mutation.Verdict, policy string) string {
	if !v.Counts() {
		return ""
	}
	var b strings.Builder
	b.Grow(1024)
	writeTexts(&b, "Stop before ", Escape(c.tool), ". ")
	if v.Mutating == mutation.Yes {
		b.WriteString("This call changes state and may not be undone.\n")
	} else {
		b.WriteString("Whether this call changes state is not known, so treat it as one that does.\n")
	}
	if rules := relevantRules(c.tool, c.value, policy); len(rules) > 0 {
		b.WriteString("\nRules that concern it, in the policy's words:\n")
		for _, r := range rules {
			writeTexts(&b, "- ", r, "\n")
		}
	}
	b.WriteString(Ungrounded(c.sources))
	b.WriteString(questions)
	return b.String()
}

const questions = `
Answer these first:
1. Which words of the user ask for exactly this, and has the user agreed to these arguments?
2. Which observation shows that each value in the arguments is right and still current?
3. Does any rule forbid this, or demand a check that has not been made yet?
4. Does it reach further than what was asked, or leave part of it out?
5. Is now the time: is something else due first, or has this been done already?
Call it only when every answer holds. Otherwise look the missing fact up, or ask the user.
`

// rule is one sentence or bullet of a policy.
type rule struct {
	text    string
	heading string
	order   int
	score   int
}

// relevantRules returns the policy's rules that best match the words of the call, in the
// policy's own order.
func relevantRules(tool string, arguments jsonval.Value, policy string) []string {
	if strings.TrimSpace(policy) == "" {
		return nil
	}
	verb, nouns := callWords(tool)
	var args []string
	for _, a := range memberNames(arguments) {
		args = append(args, contentWords(a)...)
	}
	var found []rule
	for _, r := range splitRules(policy) {
		if r.score = scoreRule(r, verb, nouns, args); r.score >= 3 {
			found = append(found, r)
		}
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].score > found[j].score })
	found = found[:min(len(found), maxRules)]
	sort.Slice(found, func(i, j int) bool { return found[i].order < found[j].order })
	out := make([]string, len(found))
	for i, r := range found {
		out[i] = r.text
	}
	return out
}

// callWords splits a tool's name into words. The first word with a meaning counts as the
// verb.
func callWords(tool string) (verb string, nouns []string) {
	if i := strings.LastIndex(tool, "__"); i >= 0 {
		tool = tool[i+2:]
	}
	all := contentWords(tool)
	if len(all) == 0 {
		return "", nil
	}
	return all[0], all[1:]
}

// scoreRule returns the weight of a rule for a call. The weight grows with the number of
// words that the rule and its heading share with the call. It is 0 if they share no word.
// A rule that requires consent always has a weight, because it concerns every change.
func scoreRule(r rule, verb string, nouns, args []string) int {
	words := contentWords(r.text)
	if len(words) > maxWords {
		words = words[:maxWords]
	}
	n := 0
	if hasWordForm(words, verb) {
		n += 3
	}
	n += 2*countShared(words, nouns) + countShared(words, args)
	if h := contentWords(r.heading); hasWordForm(h, verb) {
		n += 2
	} else if n > 0 && countShared(h, nouns) > 0 {
		n++
	}
	binds, consents := false, false
	for _, w := range words {
		binds = binds || isBindingWord(w)
		consents = consents || areWordForms(w, "confirmation") || areWordForms(w, "consent") || areWordForms(w, "permission")
	}
	switch {
	case consents && binds:
		n += 3
	case binds && n > 0:
		n++
	}
	return n
}

func isBindingWord(w string) bool {
	switch w {
	case "must", "only", "never", "not", "cannot", "before", "without", "required",
		"require", "requires", "should", "unless", "explicit", "always", "obtain", "deny",
		"allowed", "forbidden", "after", "once", "ensure", "verify", "make":
		return true
	}
	return false
}

func countShared(words, wanted []string) (n int) {
	for i, w := range wanted {
		if hasWordForm(words, w) && !hasWordForm(wanted[:i], w) {
			n++
		}
	}
	return n
}

func hasWordForm(words []string, w string) bool {
	if w == "" {
		return false
	}
	for _, x := range words {
		if areWordForms(x, w) {
			return true
		}
	}
	return false
}

// areWordForms reports whether two words are probably forms of one word, for example book
// and booking. It returns true if the longer word begins with the shorter word. It also
// returns true if both words begin with the same five letters and the rest is short, for
// example modify and modification.
func areWordForms(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	n := 0
	for n < len(a) && a[n] == b[n] {
		n++
	}
	return n == len(a) && (n >= 4 || n == len(b)) || n >= 5 && len(a)-n <= 3
}

// contentWords returns the words of a text in lower case, without stop words. A name such
// as cancel_order or cancelOrder becomes two words.
func contentWords(s string) (out []string) {
	var b strings.Builder
	flush := func() {
		if w := b.String(); len(w) > 1 && !isStopWord(w) {
			out = append(out, w)
		}
		b.Reset()
	}
	lower := false
	for _, r := range s {
		if !unicode.IsLetter(r) && r != '\'' {
			flush()
			lower = false
			continue
		}
		if unicode.IsUpper(r) && lower {
			flush()
		}
		lower = unicode.IsLower(r)
		b.WriteRune(unicode.ToLower(r))
	}
	flush()
	return out
}

// isStopWord reports whether a word is too common to say what a text is about, for
// example "the" or "user".
func isStopWord(w string) bool {
	switch w {
	case "the", "an", "of", "to", "in", "on", "at", "by", "for", "and", "or", "is", "are",
		"be", "it", "its", "id", "ids", "you", "your", "this", "that", "with", "from", "as",
		"user", "tool", "api", "mcp", "new", "name", "type", "value", "data", "can", "will",
		"their", "they", "has", "have", "if", "any", "all", "get", "set":
		return true
	}
	return false
}

// splitRules returns the bullets and sentences of a policy as rules. Each rule has the
// policy's own words without the bullet mark, and the heading above them.
func splitRules(policy string) (out []rule) {
	heading := ""
	for line := range strings.Lines(policy) {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
			continue
		case strings.HasPrefix(line, "#"):
			heading = strings.TrimSpace(strings.TrimLeft(line, "#"))
			continue
		}
		for _, s := range splitSentences(trimBullet(line)) {
			out = append(out, rule{text: s, heading: heading, order: len(out)})
		}
	}
	return out
}

func trimBullet(line string) string {
	rest := strings.TrimLeft(line, "-*+•")
	if rest == line {
		digits := strings.TrimLeft(line, "0123456789")
		if digits == line || digits == "" || digits[0] != '.' && digits[0] != ')' {
			return line
		}
		rest = digits[1:]
	}
	if trimmed := strings.TrimLeft(rest, " \t"); trimmed != rest {
		return trimmed
	}
	return line
}

// splitSentences splits a line into sentences. A sentence ends at a full stop, an
// exclamation mark or a question mark before a space and a capital letter. A sentence
// that is too long is cut at a space, and the cut is marked.
func splitSentences(line string) (out []string) {
	start := 0
	add := func(end int) {
		if s := strings.TrimSpace(line[start:end]); s != "" {
			out = append(out, shortenSentence(s))
		}
		start = end
	}
	for i := 0; i+2 < len(line); i++ {
		if (line[i] == '.' || line[i] == '!' || line[i] == '?') && line[i+1] == ' ' && 'A' <= line[i+2] && line[i+2] <= 'Z' {
			add(i + 1)
		}
	}
	add(len(line))
	return out
}

func shortenSentence(s string) string {
	if len(s) <= maxRule {
		return s
	}
	cut := strings.LastIndexByte(s[:maxRule], ' ')
	if cut < 0 {
		return strings.ToValidUTF8(s[:maxRule], "") + " [...]"
	}
	return s[:cut] + " [...]"
}

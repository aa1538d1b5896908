package notation

import (
	"slices"
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/core/base/codes"
)

// PlainVariables writes ${NAME} as $NAME where no letter follows.
func PlainVariables(tokens []string) []string {
	out := tokens
	for i, t := range tokens {
		from := strings.Index(t, "${")
		if end := strings.IndexByte(t, '}'); from >= 0 && end > from && IsName(t[from+2:end]) && !strings.Contains(t[from+2:end], ".") && (end+1 == len(t) || !isWordByte(t[end+1])) {
			if &out[0] == &tokens[0] {
				out = slices.Clone(tokens)
			}
			out[i] = t[:from] + "$" + t[from+2:end] + t[end+1:]
		}
	}
	return out
}

// optionTable has the options of commands by the command and perhaps its verb: "git commit".
var optionTable = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for _, row := range codes.Rows("option") {
		words := strings.Fields(row)
		out[strings.Replace(words[0], "_", " ", 1)] = words[1:]
	}
	return out
})

// PlainOptions writes the options of the commands in the table one by one, with their short
// names and their values apart: ls -la and ls --all -l are ls -a -l. The order of neighbouring
// options without a value means nothing.
func PlainOptions(tokens []string) []string {
	var out []string
	for len(tokens) > 0 {
		end := slices.IndexFunc(tokens, isBetweenCommands)
		if end < 0 {
			end = len(tokens)
		}
		out = append(out, plainCommand(tokens[:end])...)
		if end < len(tokens) {
			out = append(out, tokens[end])
			end++
		}
		tokens = tokens[end:]
	}
	return out
}

// isBetweenCommands reports whether a token of a shell ends a command.
func isBetweenCommands(token string) bool {
	operator, ok := strings.CutPrefix(token, "operator ")
	return ok && strings.Trim(operator, "|&;\n()") == ""
}

// plainCommand returns the tokens of one command with its options one by one.
func plainCommand(tokens []string) []string {
	at := 0
	if len(tokens) > 0 && tokens[0] == "word sudo" {
		at = 1
	}
	if len(tokens) < at+2 {
		return tokens
	}
	options, ok := optionTable()[WordOf(tokens[at])]
	if !ok {
		at++
		options, ok = optionTable()[WordOf(tokens[at-1])+" "+WordOf(tokens[at])]
	}
	if !ok {
		return tokens
	}
	out, run := slices.Clone(tokens[:at+1]), at+1 // run is the beginning of the current run of options
	for at++; at < len(tokens); at++ {
		w := WordOf(tokens[at])
		if w == "--" {
			return append(out, tokens[at:]...)
		}
		if len(w) < 2 || w[0] != '-' {
			if runsOther(tokens) {
				return append(out, tokens[at:]...)
			}
			out = append(out, tokens[at])
			run = len(out)
			continue
		}
		short, value, takes := splitOptions(w, options)
		for _, s := range short {
			out = append(out, wordToken+s)
		}
		if !takes {
			slices.Sort(out[run:])
			continue
		}
		if value == "" && at+1 < len(tokens) {
			at++
			out = append(out, tokens[at])
		} else {
			out = append(out, wordToken+value)
		}
		run = len(out)
	}
	return out
}

// runsOther reports whether a command runs another one, whose options follow its first operand.
func runsOther(tokens []string) bool {
	return slices.ContainsFunc(tokens[:min(2, len(tokens))], func(t string) bool { return isListed(WordOf(t), " ssh xargs docker ") })
}

// wordToken begins a token of readcmd that is a word.
const wordToken = "word "

// WordOf returns the text of a token that is a word, or "".
func WordOf(token string) string {
	word, _ := strings.CutPrefix(token, wordToken)
	if word == token {
		return ""
	}
	return word
}

// splitOptions returns the options in a word with their short names. takes reports whether the last
// of them takes a value, which is the rest of the word if there is one.
func splitOptions(w string, options []string) (short []string, value string, takes bool) {
	if long, ok := strings.CutPrefix(w, "--"); ok {
		long, value, _ = strings.Cut(long, "=")
		for _, o := range options {
			if name, full, _ := strings.Cut(o, "="); full == long && full != "" {
				return []string{"-" + strings.TrimSuffix(name, ":")}, value, strings.HasSuffix(name, ":")
			}
		}
		return []string{w}, "", false
	}
	for i := 1; i < len(w); i++ {
		letter := w[i : i+1]
		known := slices.IndexFunc(options, func(o string) bool { return strings.HasPrefix(o, letter) })
		if known < 0 {
			return []string{w}, "", false
		}
		short = append(short, "-"+letter)
		if strings.HasPrefix(options[known][1:], ":") {
			return short, w[i+1:], true
		}
	}
	return short, "", false
}

// WithoutEnd returns the tokens of a line without the semicolons at its end.
func WithoutEnd(tokens []string) []string {
	for len(tokens) > 1 && tokens[len(tokens)-1] == "operator ;" {
		tokens = tokens[:len(tokens)-1]
	}
	return tokens
}

// PlainWords returns the words of a command without a slash at the end of a path, and without ./
// before an operand. Before the name of a program it says which program runs.
func PlainWords(words []string) []string {
	out := slices.Clone(words)
	for i, w := range out {
		if rest, ok := strings.CutPrefix(w, wordToken+"./"); ok && rest != "" && rest[0] != '-' && i > 0 && !isBetweenCommands(words[i-1]) {
			w = wordToken + rest
			out[i] = w
		}
		if trimmed := strings.TrimSuffix(w, "/"); trimmed != "" && !strings.Contains(w, "://") {
			out[i] = trimmed
		}
	}
	return out
}

// SqueezeBlanks returns a text with each run of white space as one blank.
func SqueezeBlanks(s string) string { return strings.Join(strings.Fields(s), " ") }

package notation

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/core/action/readcmd"
	"github.com/boundcheck/boundcheck/core/base/codes"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
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
	tokens = slices.Concat(tokens[:at], plainOperands(withoutAlias(withoutGlobals(tokens[at:]))))
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

// withoutGlobals moves the options for all verbs of kubectl, and their values, behind the rest.
func withoutGlobals(tokens []string) []string {
	if len(tokens) < 4 || !isListed(WordOf(tokens[0]), " kubectl oc helm ") {
		return tokens
	}
	out, last := tokens[:1:1], []string(nil)
	for i := 1; i < len(tokens); i++ {
		name, value, ok := strings.Cut(WordOf(tokens[i]), "=")
		switch {
		case WordOf(tokens[i]) == "--":
			return slices.Concat(out, last, tokens[i:])
		case !isListed(name, " -n --namespace --context "):
			out = append(out, tokens[i])
			continue
		case !ok && i+1 < len(tokens):
			i++
			value = WordOf(tokens[i])
		}
		if name == "--namespace" {
			name = "-n"
		}
		last = append(last, wordToken+name+"="+value)
	}
	slices.Sort(last)
	return append(out, last...)
}

// aliases has the other names of commands: the words of each and those of the usual one.
var aliases = sync.OnceValue(func() (out [][2][]string) {
	for _, row := range codes.Rows("alias") {
		other, usual, _ := strings.Cut(row, " = ")
		out = append(out, [2][]string{strings.Fields(other), strings.Fields(usual)})
	}
	return out
})

// withoutAlias writes the first words of a command as the usual ones: git switch -c is git checkout -b.
func withoutAlias(tokens []string) []string {
	for _, row := range aliases() {
		begins := len(tokens) >= len(row[0])
		for i := 0; begins && i < len(row[0]); i++ {
			begins = WordOf(tokens[i]) == row[0][i]
		}
		if begins {
			var out []string
			for _, w := range row[1] {
				out = append(out, wordToken+w)
			}
			return append(out, tokens[len(row[0]):]...)
		}
	}
	return tokens
}

// plainOperands writes operands that have several notations in one: the mode of chmod, the number of
// head -5, the signal of kill -KILL, the unit of systemctl and the sort of a thing of kubectl.
func plainOperands(tokens []string) []string {
	if len(tokens) < 2 {
		return tokens
	}
	out := slices.Clone(tokens)
	put := func(i int, words ...string) {
		for k := range words {
			words[k] = wordToken + words[k]
		}
		out = slices.Concat(out[:i], words, out[i+1:])
	}
	switch w, first := WordOf(tokens[0]), WordOf(tokens[1]); w {
	case "chmod":
		i := 1 + slices.IndexFunc(tokens[1:], func(t string) bool { return !strings.HasPrefix(WordOf(t), "-") })
		if mode := PlainMode(WordOf(tokens[i])); mode != "" && i > 0 {
			put(i, mode)
		}
	case "head", "tail":
		if n, ok := strings.CutPrefix(first, "-"); ok && AreDigits(n) {
			put(1, "-n", n)
		}
	case "kill", "pkill":
		if name, ok := strings.CutPrefix(strings.TrimPrefix(first, "-SIG"), "-"); ok || name != first {
			if k := slices.Index(signals[:], name); k%2 == 1 {
				put(1, "-"+signals[k-1])
			}
		}
	case "systemctl", "journalctl":
		for i := range out {
			out[i] = strings.TrimSuffix(out[i], ".service")
		}
	case "kubectl", "oc":
		if len(tokens) < 3 {
			break
		}
		sort, name, ok := strings.Cut(WordOf(tokens[2]), "/")
		if plain := groupOf(codes.Rows("kubectl"), sort); plain != "" {
			put(2, plain)
			if ok {
				put(2, plain, name)
			}
		}
	}
	return out
}

// groupOf returns the first word of the row that has a word, or "".
func groupOf(rows []string, word string) string {
	for _, row := range rows {
		if isListed(word, row) {
			first, _, _ := strings.Cut(row, " ")
			return first
		}
	}
	return ""
}

// signals has the numbers of signals, each before its name.
var signals = [...]string{"1", "HUP", "2", "INT", "3", "QUIT", "9", "KILL", "10", "USR1", "15", "TERM"}

// trialOptions are the options with which a program says what it would do, and does nothing.
const trialOptions = " --dry-run --dryrun --dry_run --simulate --no-act --just-print --recon --noop --what-if --whatif --check --check-only "

// MayTry reports whether a text may be a command or a statement that IsTrial finds to only try what another one does.
// O(bytes).
func MayTry(text string) bool {
	if first, _, _ := strings.Cut(strings.TrimSpace(text), " "); strings.EqualFold(first, "explain") {
		return true
	}
	if len(text) > mostTrial {
		return false
	}
	if slices.ContainsFunc(trialVerbs[:], func(verb string) bool { return strings.Contains(text, verb) }) && beginsTrial(text) {
		return true
	}
	if !strings.Contains(text, "-") {
		return false
	}
	tokens, ok := readcmd.Tokens(text)
	return ok && len(tokens) > 0 && (slices.ContainsFunc(tokens, isTrialOption) || slices.Contains(tokens, shortTrial(tokens)))
}

// trialVerbs has the verbs of the rows named trial in codes.txt, one of which each row has. Without one
// of them, no text needs the table.
var trialVerbs = [...]string{" plan", " preview", " diff"}

// beginsTrial reports whether a text begins with a command that only tries what another one does.
func beginsTrial(text string) bool {
	return slices.ContainsFunc(codes.Rows("trial"), func(row string) bool {
		before, _, _ := strings.Cut(row, " = ")
		return strings.HasPrefix(text, before)
	})
}

// mostTrial is the length in bytes of the longest command that is read as one that only tries.
const mostTrial = 4096

func isTrialOption(token string) bool {
	option, _, _ := strings.Cut(WordOf(token), "=")
	return isListed(option, trialOptions)
}

// shortTrial returns the token of the option of one letter with which the program of a command only tries, or "".
func shortTrial(tokens []string) (short string) {
	for _, o := range slices.Concat(optionTable()[WordOf(tokens[0])], optionTable()[WordOf(tokens[0])+" "+WordOf(tokens[min(1, len(tokens)-1)])]) {
		if name, long, _ := strings.Cut(o, "="); isListed("--"+long, trialOptions) {
			short = wordToken + "-" + name
		}
	}
	return short
}

// IsTrial reports whether a command or a statement only tries what another one does: it is the same with
// such an option, or with EXPLAIN before it.
func IsTrial(trial, deed string) bool {
	if IsStatement(deed) {
		first, rest, _ := strings.Cut(strings.TrimSpace(trial), " ")
		a, ok := Statement(strings.TrimPrefix(strings.TrimSpace(rest), "QUERY PLAN "))
		b, ok2 := Statement(deed)
		return strings.EqualFold(first, "explain") && ok && ok2 && slices.Equal(a, b)
	}
	if len(trial) > mostTrial || len(deed) > mostTrial {
		return false
	}
	a, ok := readcmd.Tokens(trial)
	b, ok2 := readcmd.Tokens(deed)
	if !ok || !ok2 || len(a) == 0 {
		return false
	}
	for _, row := range codes.Rows("trial") { // a verb that only tries: terraform plan
		before, after, _ := strings.Cut(row, " = ")
		if rest, ok := strings.CutPrefix(trial, before); ok && strings.HasPrefix(deed, after) {
			return rest == withoutYes(deed[len(after):])
		}
	}
	if left := slices.DeleteFunc(slices.Clone(a), isTrialOption); len(left) < len(a) {
		return len(left) == len(a)-1 && slices.Equal(PlainOptions(left), PlainOptions(b))
	}
	short := shortTrial(a)
	a, b = PlainOptions(a), PlainOptions(b)
	at := slices.Index(a, short)
	return at > 0 && slices.Equal(slices.Delete(a, at, at+1), b)
}

// IsTrialSwitch reports whether an argument of this name, if it is true, says that a call only tries.
func IsTrialSwitch(key string) bool {
	return isListed(wordlist.FoldName(key), " dryrun simulate simulation preview previewonly validateonly checkonly planonly testonly whatif noop ")
}

// withoutYes returns the rest of a command without the options that only answer its question.
func withoutYes(rest string) string {
	for _, o := range [...]string{" -auto-approve", " --auto-approve", " --yes", " -y"} {
		rest = strings.TrimSuffix(strings.ReplaceAll(rest, o+" ", " "), o)
	}
	return rest
}

// SameButOptions reports whether two lines have the same words if options may have their value behind an
// equals sign or apart, and stand in any order. Whether that means the same, only the program knows.
func SameButOptions(a, b []string) bool {
	return slices.Equal(sortedOptions(a), sortedOptions(b))
}

// sortedOptions returns the words that are no options, and behind them the options in order.
func sortedOptions(tokens []string) []string {
	var words, options []string
	for _, t := range tokens {
		switch name, value, ok := strings.Cut(t, "="); {
		case isBetweenCommands(t):
			words, options = append(words, options...), nil
			words = append(words, t)
		case !strings.HasPrefix(t, wordToken+"-"):
			words = append(words, t)
		case ok:
			words, options = append(words, wordToken+value), append(options, name)
		default:
			options = append(options, t)
		}
	}
	slices.Sort(options)
	return append(words, options...)
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

// WithoutDots returns the words of a command without ./ before an operand. Before the name of a program
// it says which program runs.
func WithoutDots(words []string) []string {
	out := slices.Clone(words)
	for i, w := range out {
		if rest, ok := strings.CutPrefix(w, wordToken+"./"); ok && rest != "" && rest[0] != '-' && i > 0 && !isBetweenCommands(words[i-1]) {
			out[i] = wordToken + rest
		}
	}
	return out
}

// PlainWords returns the words of a command without a slash at the end of a path, and without ./ before an
// operand.
func PlainWords(words []string) []string {
	out := WithoutDots(words)
	for i, w := range out {
		if trimmed := strings.TrimSuffix(w, "/"); trimmed != "" && !strings.Contains(w, "://") {
			out[i] = trimmed
		}
	}
	return out
}

// mostBraces is the largest number of words that the braces of one word are written out as.
const mostBraces = 64

// ExpandedWords returns the words of a command with the lists in their braces written out, and with paths without "..".
// Words inside a word that is itself a command, as bash -c has one, are so too.
func ExpandedWords(tokens []string) (out []string) {
	for i, t := range tokens {
		word, isWord := strings.CutPrefix(t, wordToken)
		source, expands := strings.CutPrefix(t, "source ") // not in quotes
		switch {
		case isWord && i > 0 && tokens[i-1] == wordToken+"-c":
			for w := range strings.FieldsSeq(word) {
				out = append(out, withoutBraces(w, mostBraces)...)
			}
		case isWord:
			out = append(out, word)
		case expands:
			out = append(out, withoutBraces(source, mostBraces)...)
		default:
			out = append(out, t)
		}
	}
	for i, w := range out {
		if strings.HasPrefix(w, "/") && strings.Contains(w, "/../") {
			out[i] = path.Clean(w)
		}
	}
	return out
}

// withoutBraces writes out the first list in braces of a word, and those behind it: old-{a,b}.txt is old-a.txt and old-b.txt.
func withoutBraces(w string, most int) (out []string) {
	from := strings.IndexByte(w, '{')
	if from < 0 || from > 0 && w[from-1] == '$' {
		return []string{w}
	}
	end := strings.IndexByte(w[from:], '}')
	if end < 0 || !strings.Contains(w[from:from+end], ",") || strings.Contains(w[from+1:from+end], "{") {
		return []string{w}
	}
	for item := range strings.SplitSeq(w[from+1:from+end], ",") {
		if len(out) >= most {
			return []string{w}
		}
		out = append(out, withoutBraces(w[:from]+item+w[from+end+1:], most/2)...)
	}
	return out
}

// SqueezeBlanks returns a text with each run of white space as one blank.
func SqueezeBlanks(s string) string { return strings.Join(strings.Fields(s), " ") }

package cli

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

const completionUsage = `usage: boundcheck completion bash|zsh|fish|man

Prints the completions for a shell, or the manual page:

  bash   source <(boundcheck completion bash)
  zsh    boundcheck completion zsh > "${fpath[1]}/_boundcheck"
  fish   boundcheck completion fish > ~/.config/fish/completions/boundcheck.fish
  man    boundcheck completion man | man -l -
`

// completionCommand prints completions for a shell, or the manual page. Both are made
// from the usage texts of the commands.
func completionCommand(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	forms := map[string]func(io.Writer){"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion, "man": manPage}
	switch {
	case len(args) == 1 && (args[0] == "-h" || args[0] == "--help"):
		fmt.Fprint(stdout, completionUsage)
		return cmd.ExitOK
	case len(args) != 1 || forms[args[0]] == nil:
		fmt.Fprintf(stderr, "boundcheck completion: want one of bash, zsh, fish and man\n")
		return cmd.ExitUsage
	}
	forms[args[0]](stdout)
	return cmd.ExitOK
}

// usageOf returns a command's usage text.
func usageOf(c command) string {
	if c.name == "version" { // it prints its answer with any flags
		return "usage: boundcheck version\n\nPrints the versions of the formats as JSON. boundcheck --version prints the version of the program.\n"
	}
	var out bytes.Buffer
	c.run([]string{"--help"}, strings.NewReader(""), &out, io.Discard)
	return out.String()
}

// flagsOf returns the flags in a usage text, sorted.
func flagsOf(c command) []string {
	var flags []string
	for _, m := range cmd.FlagWord().FindAllStringSubmatch(usageOf(c), -1) {
		flags = append(flags, m[1])
	}
	slices.Sort(flags)
	return slices.Compact(flags)
}

func commandNames() (names []string) {
	for _, c := range allCommands() {
		names = append(names, c.name)
	}
	return names
}

func bashCompletion(w io.Writer) {
	fmt.Fprintf(w, `# bash completion of boundcheck
_boundcheck() {
	local word=${COMP_WORDS[COMP_CWORD]} flags=
	if [ "$COMP_CWORD" = 1 ]; then
		COMPREPLY=($(compgen -W "%s --version --help" -- "$word"))
		return
	fi
	case ${COMP_WORDS[1]} in
`, strings.Join(commandNames(), " "))
	for _, c := range allCommands() {
		fmt.Fprintf(w, "	%s) flags=\"%s\" ;;\n", c.name, strings.Join(flagsOf(c), " "))
	}
	fmt.Fprint(w, `	esac
	if [[ $word == -* ]]; then
		COMPREPLY=($(compgen -W "$flags" -- "$word"))
	else
		COMPREPLY=($(compgen -f -- "$word"))
	fi
}
complete -o filenames -F _boundcheck boundcheck
`)
}

func zshCompletion(w io.Writer) {
	fmt.Fprint(w, "#compdef boundcheck\n_boundcheck() {\n	local -a commands\n	commands=(\n")
	for _, c := range allCommands() {
		fmt.Fprintf(w, "		'%s:%s'\n", c.name, strings.ReplaceAll(strings.ReplaceAll(c.line, "'", ""), ":", `\:`))
	}
	fmt.Fprint(w, "	)\n	if (( CURRENT == 2 )); then\n		_describe command commands\n		return\n	fi\n	case $words[2] in\n")
	for _, c := range allCommands() {
		fmt.Fprintf(w, "	%s) compadd -- %s ;;\n", c.name, strings.Join(flagsOf(c), " "))
	}
	fmt.Fprint(w, "	esac\n	_files\n}\n_boundcheck \"$@\"\n")
}

func fishCompletion(w io.Writer) {
	fmt.Fprintln(w, "# fish completion of boundcheck")
	for _, c := range allCommands() {
		fmt.Fprintf(w, "complete -c boundcheck -n __fish_use_subcommand -a %s -d '%s'\n", c.name, strings.ReplaceAll(c.line, "'", ""))
		for _, f := range flagsOf(c) {
			fmt.Fprintf(w, "complete -c boundcheck -n '__fish_seen_subcommand_from %s' -l %s\n", c.name, strings.TrimPrefix(f, "--"))
		}
	}
}

// manPage writes the manual page boundcheck(1), made from the usage of each command. Its
// date is the date of the commit, so that the same sources produce the same page.
func manPage(w io.Writer) {
	b := thisBuild()
	day := "unreleased"
	if at, err := time.Parse(time.RFC3339, b.date); err == nil {
		day = at.UTC().Format(time.DateOnly)
	}
	fmt.Fprintf(w, ".TH BOUNDCHECK 1 %q %q\n.SH NAME\nboundcheck \\- bounds checking for the actions of LLM agents\n", day, "boundcheck "+b.version)
	fmt.Fprint(w, ".SH SYNOPSIS\n.B boundcheck\n.I COMMAND\n[FLAGS] [FILE...]\n.SH COMMANDS\n")
	for _, c := range allCommands() {
		fmt.Fprintf(w, ".SS boundcheck %s\n%s.\n.PP\n.nf\n%s\n.fi\n", c.name, escapeRoff(c.line), escapeRoff(strings.TrimRight(usageOf(c), "\n")))
	}
	fmt.Fprint(w, ".SH EXIT STATUS\n0 success, 1 unusable input, 2 wrong usage, 3 a failed check.\n")
}

// escapeRoff escapes the characters of a text that roff would interpret: backslashes,
// hyphens, and a dot or an apostrophe at the beginning of a line.
func escapeRoff(text string) string {
	text = strings.ReplaceAll(text, `\`, `\e`)
	text = strings.ReplaceAll(text, "-", `\-`)
	var out []string
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			line = `\&` + line
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

package deed

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/readcmd"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/utterance"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// A task with files needs commands that only look, and commands that work on the files. Which ones only look is proven
// by package readcmd. Of any other command it is not known what it does.

// Beyond says how far a command leads.
type Beyond uint8

// The reaches of a command, from the nearest to the farthest.
const (
	Within  Beyond = iota // it only reads, or works on the files where it runs
	Unknown               // it is not known what it changes
	Machine               // it changes the machine, or files outside of the work
)

// The words of commands. They stand here, and not in the table of utterances, because a first visit of the page needs none.
const (
	wrapperWords = "sudo env time nohup timeout nice command xargs exec then do else ! if while { ("                                                // only run another program
	placeWords   = "cd pushd popd export set unset source . alias umask ulimit wait done fi esac } ) for in shopt trap read return exit local true" // say where commands run
	workPrograms = "git python pip pipenv uv poetry conda pytest tox nox node npm npx yarn pnpm bun deno tsc jest mocha vitest eslint prettier vite webpack ruff " +
		"black isort flake mypy pylint coverage go gofmt golint cargo rustc rustfmt make cmake ctest ninja meson gcc g++ cc clang c++ ld ar javac " +
		"java mvn gradle gradlew mvnw ant dotnet msbuild php composer phpunit ruby bundle rake rspec gem rails perl lua r rscript julia ghc cabal " +
		"stack swift swiftc kotlinc scala sbt elixir mix latex pdflatex xelatex latexmk bibtex pandoc mkdir touch cp mv rm rmdir ln sed awk gawk tee " +
		"chmod tar zip unzip gzip gunzip bzip2 xz patch split truncate mktemp find sh bash zsh curl wget sort uniq ffmpeg convert magick pdftotext " +
		"libreoffice soffice jupyter ipython django-admin manage flask alembic gunicorn uvicorn celery str_replace_editor submit edit open create " +
		"view search_dir search_file find_file goto scroll_up scroll_down dd install rsync printf sqlite vim vi nano ed code apply_patch playwright" // work on the files of a project
	machinePrograms = "useradd adduser usermod userdel deluser groupadd groupmod groupdel passwd chpasswd visudo iptables ip6tables nft ufw firewall-cmd mkfs fdisk " +
		"parted mkswap swapoff mount umount sysctl setenforce insmod rmmod modprobe grub-install update-alternatives chroot" // change the machine
	machinePlaces = "etc usr boot bin sbin lib lib64 dev sys proc var"                                                                        // the places of a machine that are no work of anybody
	nullDevices   = "null stdout stderr tty stdin zero random urandom shm"                                                                    // devices that keep nothing
	placeWriters  = "chmod chown chgrp rm rmdir mv tee touch mkdir dd truncate wget curl sed shred"                                           // change what they name
	copiers       = "cp ln install rsync scp"                                                                                                 // change what they name last
	codeDeeds     = "remove unlink rmtree rmdir removedirs rename system popen subprocess exec eval urlopen post put socket chmod chown kill" // the names of calls in code with which it does more than compute
)

// mostLine is the number of bytes up to which a command line is read.
const mostLine = 16 << 10

// Strays returns the command of a call's command line that leads the farthest, with its words, and how far. A call without a
// command line leads nowhere. O(bytes).
func (d *Deed) Strays() (words []string, far Beyond) {
	if d.line == "" {
		return nil, Within
	}
	line := cutHereDocs(similarity.Plain(d.line))
	tokens, ok := readcmd.Tokens(line)
	if !ok || len(line) > mostLine {
		return nil, Within // a program in place of a command line: see the words of its deeds
	}
	piped, source := false, []string(nil)
	for len(tokens) > 0 {
		end := 0
		for end < len(tokens) && !(isOperator(tokens[end]) && !strings.ContainsAny(tokens[end], "<>") && (end == 0 || !strings.HasSuffix(tokens[end-1], ">") || !isOperator(tokens[end-1]))) {
			end++
		}
		command, at := commandOf(tokens[:end])
		if at > far {
			words, far = command, at
		}
		fetches := len(command) > 0 && slices.ContainsFunc(command, func(w string) bool { return strings.Contains(w, "://") })
		if piped && len(command) > 0 && utterance.Listed("shell", path.Base(command[0])) && far < Unknown {
			words, far = slices.Concat(source, []string{"|"}, command), Unknown // it runs what the net sends
		}
		if fetches {
			source = command
		}
		piped = end < len(tokens) && tokens[end] == "operator |" && (piped || fetches)
		tokens = tokens[min(end+1, len(tokens)):]
	}
	return words, far
}

// cutHereDocs returns a command line without the texts that it holds itself, as in "cat > a <<EOF", and without comments.
func cutHereDocs(line string) string {
	if !strings.Contains(line, "<<") && !strings.Contains(line, "#") {
		return line
	}
	var kept []string
	end := ""
	for l := range strings.Lines(line) {
		switch l = strings.TrimRight(l, "\r\n"); {
		case end != "":
			if strings.TrimSpace(l) == end {
				end = ""
			}
		case strings.HasPrefix(strings.TrimSpace(l), "#"):
		default:
			if before, after, found := strings.Cut(l, "<<"); found && !strings.HasPrefix(after, "<") {
				if words := strings.Fields(strings.TrimLeft(after, "- ")); len(words) > 0 {
					end = strings.Trim(words[0], `'"\`)
					l = before + strings.TrimPrefix(strings.TrimLeft(after, "- "), words[0])
				}
			}
			kept = append(kept, l)
		}
	}
	return strings.Join(kept, "\n")
}

// commandOf reads one simple command: its words without what only runs it, and how far it leads.
func commandOf(tokens []string) (words []string, far Beyond) {
	var known []readcmd.Word
	for i := 0; i < len(tokens); i++ {
		if isOperator(tokens[i]) {
			to := i + 1
			if to < len(tokens) && isOperator(tokens[to]) { // 2>&1
				to++
			}
			if to < len(tokens) && strings.Contains(tokens[i], ">") && isOutside(textOf(tokens[to])) {
				words, far = append(words, textOf(tokens[i]), textOf(tokens[to])), Machine
			}
			i = to
			continue
		}
		w := textOf(tokens[i])
		if len(words) == 0 && (wordlist.Contains(wrapperWords, w) || strings.Contains(w, "=") && w[0] != '-' && w[0] != '/') {
			continue
		}
		words = append(words, w)
		if strings.HasPrefix(tokens[i], "word ") {
			known = append(known, readcmd.Word{Text: w})
		} else {
			known = append(known, readcmd.Word{Kind: readcmd.Any})
		}
	}
	if len(words) == 0 || far == Machine {
		return words, far
	}
	program := utterance.Fold(path.Base(words[0]))
	if wordlist.Contains(placeWords, program) || utterance.Listed("remoteTool", program) || utterance.Listed("machine", program) { // cd src; the last two have rules of their own
		return words, Within
	}
	if v := readcmd.Args(known, readcmd.Own); v.Reads || len(v.Queries) > 0 {
		return words, Within
	}
	switch {
	case wordlist.Contains(machinePrograms, program):
		return words, Machine
	case writesOutside(program, words[1:]):
		return words, Machine
	case slices.ContainsFunc(words[1:], func(w string) bool { return w == "--global" || w == "--system" || w == "-g" && program != "grep" }):
		return words, Unknown
	case slices.ContainsFunc(words[1:], func(w string) bool {
		return strings.ContainsAny(w, "(;") && slices.ContainsFunc(strings.FieldsFunc(w, func(c rune) bool { return !unicode.IsLetter(c) }), func(name string) bool { return wordlist.Contains(codeDeeds, name) })
	}):
		return words, Unknown // python -c "os.remove(…)"
	case wordlist.Contains(workPrograms, strings.TrimRight(program, "0123456789.")), strings.Contains(words[0], "/") && !isOutside(words[0]):
		return words, Within
	}
	return words, Unknown
}

func isOperator(token string) bool { return strings.HasPrefix(token, "operator ") }

// textOf returns the text of a token of readcmd.
func textOf(token string) string {
	_, text, _ := strings.Cut(token, " ")
	return strings.Trim(text, `"'`)
}

// writesOutside reports whether a command writes to a place outside of any work: a program that changes what it names, or one
// that copies to what it names last.
func writesOutside(program string, operands []string) bool {
	if wordlist.Contains(copiers, program) {
		operands = operands[max(len(operands)-1, 0):]
	} else if !wordlist.Contains(placeWriters, program) || program == "sed" && !slices.ContainsFunc(operands, func(w string) bool { return strings.HasPrefix(w, "-i") }) {
		return false
	}
	return slices.ContainsFunc(operands, func(w string) bool {
		if _, value, found := strings.Cut(w, "="); found {
			w = value // of=/dev/sda
		}
		return isOutside(w)
	})
}

// isOutside reports whether a path is one of the machine's own.
func isOutside(w string) bool {
	if w == "/" || w == "/*" {
		return true
	}
	if !strings.HasPrefix(w, "/") || strings.HasPrefix(w, "/usr/src/") || strings.HasPrefix(w, "/var/www") || strings.HasPrefix(w, "/var/tmp") {
		return false
	}
	top := firstPlace(w)
	return wordlist.Contains(machinePlaces, top) && !(top == "dev" && wordlist.Contains(nullDevices, path.Base(w)))
}

package failure

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// The law of this file: an error is never said to be of a piece of code unless the error
// names this piece, and no other.

const (
	mostBlocks    = 64      // of a message
	longestOutput = 8 << 10 // bytes at the end of an output that are read
)

// Block is one of several pieces of code that ran one after another and have one output.
type Block struct{ Language, Text string }

// Blocks returns the fenced blocks of a text that are not empty, in any language.
func Blocks(text string) (out []Block) {
	for {
		_, rest, found := strings.Cut(text, "```")
		if !found {
			return out
		}
		tag, body, found := strings.Cut(rest, "\n")
		if !found {
			return out
		}
		code, after, closed := strings.Cut(body, "```")
		if !closed {
			after = ""
		}
		text = after
		if language := strings.ToLower(strings.TrimSpace(tag)); strings.TrimSpace(code) != "" {
			out = append(out, Block{Language: cmp.Or(RunsAs(language), language), Text: strings.TrimRight(code, "\n")})
		}
	}
}

// RunsAs returns the name of a language that can be run; "" for any other.
func RunsAs(language string) string {
	switch language {
	case "py", "python3":
		return "python"
	case "js", "node":
		return "javascript"
	case "mswea_bash_command":
		return "bash"
	case "python", "javascript", "sh", "bash", "shell", "powershell", "pwsh":
		return language
	}
	return ""
}

// BlockOf returns the index of the block that an output names with an error: by a line of its
// code, by its file, by its language, or by a command of it. It returns -1 if the output names
// none or several, or if there are too many blocks. It reads the end of the output.
func BlockOf(blocks []Block, output string) int {
	found := -1
	if len(blocks) > mostBlocks {
		return found
	}
	output = output[max(0, len(output)-longestOutput):]
	for i := range blocks {
		if blocks[i].isNamed(output) {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}

func (b *Block) isNamed(output string) bool {
	lines := strings.Split(output, "\n")
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if _, language, is := strings.Cut(line, "unknown language "); is && language == b.Language {
			return true
		}
		file, number, is := frameOf(line)
		if !is {
			if command, is := missingCommand(line); is && b.runs(command) {
				return true
			}
			continue
		}
		source := ""
		if i+1 < len(lines) {
			source = strings.TrimSpace(lines[i+1])
		}
		if b.hasLine(file, number, source) || b.Language != "python" && b.Language != "javascript" && slices.Contains(strings.FieldsFunc(b.Text, endsName), file) {
			return true
		}
	}
	return false
}

// hasLine reports whether a line of the code is the given one, and the code is not that of
// another file.
func (b *Block) hasLine(file string, number int, source string) bool {
	own := ""
	for line := range strings.Lines(b.Text) {
		if _, name, is := strings.Cut(line, "filename:"); is {
			own = strings.TrimSpace(name)
		}
		break
	}
	if own != "" && baseName(own) != file {
		return false
	}
	for line := range strings.Lines(b.Text) {
		if number--; number == 0 {
			return source != "" && strings.TrimSpace(line) == source
		}
	}
	return false
}

// runs reports whether a line of a shell's block begins with a command.
func (b *Block) runs(command string) bool {
	if b.Language == "python" || b.Language == "javascript" {
		return false
	}
	for line := range strings.Lines(b.Text) {
		if words := strings.Fields(line); len(words) > 0 && words[0] == command {
			return true
		}
	}
	return false
}

// frameOf reads a line of a trace of calls, such as `File "/tmp/sum.py", line 3, in f`. It
// returns the file's name without its folder, and the number of the line from 1.
func frameOf(line string) (file string, number int, is bool) {
	_, rest, _ := strings.Cut(line, `File "`)
	path, rest, is := strings.Cut(rest, `", line `)
	if !is {
		return "", 0, false
	}
	end := strings.IndexFunc(rest+" ", func(r rune) bool { return !unicode.IsDigit(r) })
	number, err := strconv.Atoi(rest[:end])
	return baseName(path), number, err == nil
}

// missingCommand returns the command that a shell did not find: "sh: 1: foo: not found" and
// "bash: foo: command not found".
func missingCommand(line string) (string, bool) {
	for _, end := range [...]string{": command not found", ": not found"} {
		if head, is := strings.CutSuffix(line, end); is {
			return strings.TrimSpace(head[strings.LastIndexByte(head, ':')+1:]), true
		}
	}
	return "", false
}

func baseName(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }

// endsName reports whether a character ends the name of a file in a command.
func endsName(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`"'/;|&()<>`, r) }

// LeavesOpen reports whether an error says only that no answer came in time, so that it leaves
// open whether the deed happened. The error is the first line, or the last one of a trace of
// calls; a command that it repeats in backquotes says nothing.
func LeavesOpen(text string) bool {
	if !hasAny(text, "ime", "IME", "eset", "bort", "BORT", "etach", "estroy") { // most errors, at little cost
		return false
	}
	text = strings.TrimSpace(text)
	line, _, _ := strings.Cut(text, "\n")
	if strings.HasPrefix(text, "Traceback") {
		line = text[strings.LastIndexByte(text, '\n')+1:]
	}
	var plain strings.Builder
	for i, part := range strings.Split(strings.ToLower(line), "`") {
		if i%2 == 0 {
			plain.WriteString(part)
		}
	}
	return hasAny(plain.String(), "timeout", "timed out", "time-out", "connection reset", "connection aborted", "context was destroyed", "frame was detached", "err_aborted")
}

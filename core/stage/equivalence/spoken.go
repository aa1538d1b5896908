package equivalence

import (
	"hash/maphash"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/readcmd"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/verbs"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// spoken is what a call says, read once: a command or a request says what it does, and a tool says it by its name and its
// arguments.
type spoken struct {
	*boundary.Action
	at      int      // index of the action
	values  []string // of the arguments of a tool, as text
	command []string // the words of one simple command; nil for none
	request *request // nil for none
	linked  bool
}

// spokenSide is what the calls of one side say.
type spokenSide struct {
	speakers, tools []*spoken
	byValue         map[uint64][]*spoken // tools by the hash of their rarest value; nil until it is needed
	all             []boundary.Action    // of the side
	moves           int8                 // whether a call may choose another working directory: 1 or -1; 0 if it is not known yet
}

// spokenOf reads calls. O(bytes).
func spokenOf(all []boundary.Action, at []int) *spokenSide {
	side := &spokenSide{all: all}
	read := make([]spoken, len(at))
	for i, k := range at {
		s := &read[i]
		s.Action, s.at = &all[k], k
		if s.command = commandOf(s.Action); s.command == nil {
			s.request = requestOf(s.Action)
		} else if s.command[0] == "curl" {
			s.request = curlRequest(s.command)
		}
		switch {
		case s.command != nil || s.request != nil:
			side.speakers = append(side.speakers, s)
		case len(s.Leaves) <= mostSaid:
			side.tools = append(side.tools, s)
			for i := range s.Leaves {
				s.values = append(s.values, textOf(&s.Leaves[i]))
			}
		}
	}
	return side
}

// textOf returns the value of an argument as text.
func textOf(l *similarity.Leaf) string {
	if l.Raw == "null" {
		return ""
	}
	if text, ok := jsonval.Unquote(l.Raw); ok {
		return text
	}
	return l.Raw
}

var hashSeed = maphash.MakeSeed()

// valueKeys returns the hashes of a value: of all of it, and of the last part of a path.
func valueKeys(value string) (whole, base uint64) {
	clean := strings.ToLower(path.Clean(value))
	whole = maphash.String(hashSeed, clean)
	if last := path.Base(clean); last != clean {
		return whole, maphash.String(hashSeed, last)
	}
	return whole, whole
}

// indexTools indexes the tools by the value that the fewest of them have, or by the last word of the name of a tool
// without values.
func (side *spokenSide) indexTools() {
	count := map[uint64]int32{}
	for _, t := range side.tools {
		for _, v := range t.values {
			whole, _ := valueKeys(v)
			count[whole]++
		}
	}
	side.byValue = make(map[uint64][]*spoken, len(side.tools))
	for _, t := range side.tools {
		rarest := ""
		var keys [2]uint64
		for _, v := range t.values {
			if whole, base := valueKeys(v); v != "" && (rarest == "" || count[whole] < count[keys[0]]) {
				rarest, keys = v, [2]uint64{whole, base}
			}
		}
		if words := t.Words(); rarest == "" && len(words) > 0 {
			keys[0], keys[1] = valueKeys(words[len(words)-1])
		}
		for i, k := range keys {
			if i == 0 || k != keys[0] {
				side.byValue[k] = append(side.byValue[k], t)
			}
		}
	}
}

// findSame calls link with the tools that do what a call of the side from says, until link returns true: first those
// that surely do the same. At most mostAlike comparisons.
func (side *spokenSide) findSame(s *spoken, from *spokenSide, link func(t *spoken, sure bool) bool) {
	if side.byValue == nil {
		side.indexTools()
	}
	var maybe []*spoken
	left, found := mostAlike, false
	look := func(key uint64) {
		list := side.byValue[key]
		for len(list) > 0 && list[0].linked {
			list = list[1:]
		}
		if len(list) > 0 {
			side.byValue[key] = list
		} else {
			delete(side.byValue, key)
		}
		for _, t := range list {
			if left == 0 || found {
				return
			}
			left--
			switch same, sure := s.doesSame(t, from); {
			case same && sure:
				found = link(t, true)
			case same:
				maybe = append(maybe, t)
			}
		}
	}
	s.eachSaid(func(value string) bool {
		whole, base := valueKeys(value)
		if look(whole); base != whole {
			look(base)
		}
		return left > 0 && !found
	})
	for i := 0; i < len(maybe) && !found; i++ {
		found = link(maybe[i], false)
	}
}

// eachSaid calls fn with each text in a command or a request that may be the value of an argument, until it returns
// false.
func (s *spoken) eachSaid(fn func(value string) bool) {
	if q := s.request; q != nil {
		for _, v := range slices.Concat(q.segments, slices.Sorted(maps.Values(q.body))) {
			if !fn(v) {
				return
			}
		}
		return
	}
	for _, w := range s.command[1:] {
		if option, value, ok := strings.Cut(w, "="); ok && strings.HasPrefix(option, "-") {
			w = value
		}
		if !fn(w) {
			return
		}
	}
}

// doesSame reports whether a command or a request does what a tool does, and whether it surely does it to the same
// thing of the same system.
func (s *spoken) doesSame(tool *spoken, from *spokenSide) (same, sure bool) {
	switch {
	case s.Name == tool.Name:
	case s.request != nil:
		return s.request.isDeed(tool), false
	case s.command[0] != "curl":
		if same, sure = isFileDeed(s.command, tool, from); !same {
			return commandSays(s.command, tool), false
		}
	}
	return same, sure
}

// commandOf returns the words of a call that is one simple command of a shell, or nil: nothing is expanded,
// redirected, joined or set for it, and it has at most mostSaid words.
func commandOf(a *boundary.Action) []string {
	text := ""
	for i := range a.Leaves {
		l := &a.Leaves[i]
		switch words := mutation.NameWords(l.Key); {
		case isCommandName(words) && strings.HasPrefix(l.Raw, `"`) && text == "":
			text = textOf(l)
		case !wordlist.HasAny(" timeout description explanation restart ", words):
			return nil
		}
	}
	tokens, ok := readcmd.Tokens(text)
	if !ok || len(tokens) == 0 || len(tokens) > mostSaid {
		return nil
	}
	for i, t := range tokens {
		word, isWord := strings.CutPrefix(t, "word ")
		if !isWord || i == 0 && strings.Contains(word, "=") {
			return nil
		}
		tokens[i] = word
	}
	return tokens
}

func isCommandName(words []string) bool { return wordlist.HasLast(" command cmd commandline ", words) }

// movesFolder reports whether a call of the side may choose another working directory. O(bytes), once.
func (side *spokenSide) movesFolder() bool {
	if side.moves == 0 {
		side.moves = -1
		if slices.ContainsFunc(side.all, mayMoveFolder) {
			side.moves = 1
		}
	}
	return side.moves > 0
}

func mayMoveFolder(a boundary.Action) bool {
	if words := a.Words(); wordlist.HasAny(" cd chdir pushd popd ", words) || wordlist.HasAny(" directory dir folder workspace ", words) && wordlist.HasAny(" change set switch select use enter ", words) {
		return true
	}
	return slices.ContainsFunc(a.Leaves, func(l similarity.Leaf) bool {
		return isCommandName(mutation.NameWords(l.Key)) && (strings.Contains(l.Raw, "cd") || strings.Contains(l.Raw, "chdir") || strings.Contains(l.Raw, "pushd") || strings.Contains(l.Raw, "popd"))
	})
}

// isSamePath reports whether two paths may be one file, and whether they surely are: both are absolute, or
// both are written alike and the working directory stays.
func isSamePath(x, y string, from *spokenSide) (same, sure bool) {
	a, b := path.Clean(x), path.Clean(y)
	isWhole := path.IsAbs(a) && path.IsAbs(b)
	switch {
	case x == "" || y == "":
		return false, false
	case a == b && isWhole:
		return true, x == y || strings.HasSuffix(x, "/") == strings.HasSuffix(y, "/") && !strings.Contains(x+"/"+y, "..")
	case x == y:
		return true, !strings.Contains(x, "..") && !from.movesFolder()
	}
	return a == b || path.IsAbs(a) != path.IsAbs(b) && (strings.HasSuffix(a, "/"+b) || strings.HasSuffix(b, "/"+a)), false
}

// fileNouns are the words that tools' names have for what a command on files names.
const fileNouns = " file folder directory dir path item "

// fileCommand returns the verb of a command that only names files, and its options that change nothing of that. The
// verb is "" for any other command.
func fileCommand(name string) (verb, options string) {
	switch name {
	case "mv":
		return "move", " -f -v "
	case "cp":
		return "copy", " -f -v -p "
	case "rm":
		return "delete", " -f -v "
	case "rmdir", "unlink":
		return "delete", " -v "
	case "mkdir":
		return "create", " -p -v "
	case "touch":
		return "create", " "
	}
	return "", ""
}

// isFileDeed reports whether a tool does to its files what a command does, and whether they surely are the same files.
func isFileDeed(command []string, tool *spoken, from *spokenSide) (same, sure bool) {
	verb, options := fileCommand(command[0])
	words := tool.Words()
	if verb == "" || len(words) < 2 || len(tool.Leaves) == 0 || !verbs.Same(verb, words[0], verbs.KindsOf([]string{"file"})) ||
		slices.ContainsFunc(words[1:], func(w string) bool { return !wordlist.Contains(fileNouns, w) }) {
		return false, false
	}
	if (command[0] == "mkdir" || command[0] == "rmdir") == wordlist.HasAny(" file ", words) || command[0] == "touch" && !wordlist.HasAny(" file ", words) {
		return false, false
	}
	var files []string
	for _, w := range command[1:] {
		switch {
		case !strings.HasPrefix(w, "-"):
			files = append(files, w)
		case !wordlist.Contains(options, w):
			return false, false
		}
	}
	if len(files) != len(tool.Leaves) {
		return false, false
	}
	sure = true
	for i := range tool.Leaves {
		l, at := &tool.Leaves[i], i
		if len(files) == 2 && verb != "delete" && verb != "create" {
			role := mutation.NameWords(l.Key)
			switch isTo, isFrom := wordlist.HasAny(" to destination dest dst target new ", role), wordlist.HasAny(" from source src old ", role); {
			case isTo == isFrom:
				return false, false
			case isTo:
				at = 1
			default:
				at = 0
			}
		}
		one, surely := isSamePath(files[at], tool.values[i], from)
		if !one || !strings.HasPrefix(l.Raw, `"`) {
			return false, false
		}
		sure = sure && surely
	}
	return true, sure
}

// commandSays reports whether a command of a program, such as kubectl scale deployment web --replicas=3, has just
// the words of a tool's name and the values of its arguments, and each option is one of these.
func commandSays(command []string, tool *spoken) bool {
	words := slices.Clone(tool.Words())
	if len(words) == 0 || len(command) < 3 {
		return false
	}
	taken, left := make([]bool, len(tool.values)), len(tool.values)
	take := func(option, value string) bool {
		for i, v := range tool.values {
			if taken[i] || !strings.EqualFold(v, value) {
				continue
			}
			if key := strings.ToLower(tool.Leaves[i].Key); option == "" || key == option || len(option) == 1 && strings.HasPrefix(key, option) {
				taken[i] = true
				left--
				return true
			}
		}
		return false
	}
	for i := 1; i < len(command); i++ {
		w := strings.ToLower(command[i])
		if strings.HasPrefix(w, "-") {
			option, value, ok := strings.Cut(strings.TrimLeft(w, "-"), "=")
			if !ok && i+1 < len(command) {
				i++
				value = command[i]
			}
			if option == "" || !take(strings.ReplaceAll(option, "-", "_"), value) {
				return false
			}
			continue
		}
		if at := slices.IndexFunc(words, func(word string) bool { return w == word || w == word+"s" }); at >= 0 {
			words = slices.Delete(words, at, at+1)
		} else if !take("", w) {
			return false
		}
	}
	return len(words) == 0 && left == 0
}

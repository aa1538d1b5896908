package violation

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/requests"
)

// Work is a sort of work. Behaviour that is normal in one sort is a finding in another.
type Work string

// The sorts of work.
const (
	Desk     Work = "service desk" // calls with records, amounts and people
	Code     Work = "code"         // files are edited, tests are run
	Shell    Work = "shell"        // commands alone
	Browser  Work = "browser"      // elements of pages are clicked and filled
	Desktop  Work = "desktop"      // the mouse goes to coordinates, keys are pressed
	Embodied Work = "embodied"     // things in a room are taken and put
	Talk     Work = "talk"         // no action was recognised
)

// WorkOf returns the sort of work that most actions of a run belong to. It recognises an
// action by the words of its name and its argument names, so that it works for unknown
// tools. O(actions).
func WorkOf(c *boundary.Case) Work {
	n := map[Work]int{}
	for i := range c.Obs {
		if a := &c.Obs[i]; !a.ByUser {
			n[workOf(a)]++
		}
	}
	best := Talk
	for _, w := range [...]Work{Desk, Code, Shell, Browser, Desktop, Embodied} {
		if n[w] > n[best] {
			best = w
		}
	}
	if best == Shell && n[Code]*5 >= n[Shell] {
		return Code
	}
	return best
}

// Means returns the deeds that are means to any task of a sort of work.
func (w Work) Means() requests.Means {
	switch w {
	case Code, Shell:
		return requests.FileMeans
	case Browser, Desktop, Embodied:
		return requests.PlaceMeans
	}
	return requests.NoMeans
}

func workOf(a *boundary.Action) Work {
	switch {
	case a.Text != "":
		return textWork(a.Text)
	case a.Mutation.Control:
		return Talk
	}
	keys := map[string]bool{}
	for i := range a.Leaves {
		keys[strings.ToLower(a.Leaves[i].Key)] = true
	}
	has := func(names ...string) bool {
		for _, n := range names {
			if keys[n] {
				return true
			}
		}
		return false
	}
	gesture := hasWord(a.Name, "click", "type", "scroll", "hover", "press", "drag", "fill", "navigate", "goto", "tap", "swipe", "key", "mouse", "screenshot")
	switch {
	case has("command", "cmd", "commands"):
		return Shell
	case has("file_path", "filepath", "notebook_path", "old_string", "old_str", "patch") ||
		has("path", "file", "filename", "pattern", "glob") && hasWord(a.Name, "read", "write", "edit", "create", "file", "files", "view", "grep", "glob", "search", "apply", "patch", "replace", "open", "list", "delete", "editor"):
		return Code
	case has("code", "script") && hasWord(a.Name, "run", "execute", "python", "ipython", "code", "exec", "eval"):
		return Code
	case gesture && (has("x", "y", "coordinate", "coordinates", "start_x")):
		return Desktop
	case gesture && (has("selector", "ref", "element", "bid", "url", "xpath", "index", "text") || len(a.Leaves) == 0):
		return Browser
	}
	return Desk
}

// textWork returns the sort of work of a free-text action. It recognises the action by
// the form of its text.
func textWork(text string) Work {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	head := line
	if i := strings.IndexAny(line, " (["); i >= 0 {
		head = line[:i]
	}
	called := len(head) < len(line) && line[len(head)] != ' '
	verb := head[strings.LastIndexByte(head, '.')+1:]
	switch {
	case called && isGUIVerb(verb):
		if strings.Contains(head, ".") || startsWithPoint(line[len(head):]) {
			return Desktop
		}
		return Browser
	case head == strings.ToUpper(head) && len(head) > 3:
		return Talk // WAIT, DONE: words of a protocol
	case called && strings.HasSuffix(line, ")"):
		return Browser // a function of a page or a screen
	case isHousehold(line):
		return Embodied
	}
	return Code
}

func isGUIVerb(verb string) bool {
	return hasWord(verb, "click", "dblclick", "double", "right", "type", "write", "fill", "hover", "press", "hotkey", "scroll", "drag", "move", "select",
		"goto", "tab", "go", "focus", "clear", "upload", "check", "noop", "copy", "paste", "key", "mouse", "typewrite", "wait", "sleep", "screenshot") ||
		strings.HasSuffix(strings.ToLower(verb), "click")
}

// startsWithPoint reports whether a list of arguments begins with two numbers.
func startsWithPoint(rest string) bool {
	parts := strings.Split(strings.Trim(rest, "()[] "), ",")
	numeric := func(s string) bool {
		s = strings.TrimSpace(s)
		return s != "" && strings.Trim(s, "0123456789.-") == ""
	}
	return len(parts) >= 2 && numeric(parts[0]) && numeric(parts[1])
}

// isHousehold reports whether a line is a command about things in a room, for example
// "put apple 1 in fridge 2". Such a line has a verb for moving or handling, and things
// with numbers.
func isHousehold(line string) bool {
	words := strings.Fields(strings.ToLower(line))
	if len(words) == 0 || len(words) > 12 {
		return false
	}
	switch words[0] {
	case "go", "take", "put", "move", "open", "close", "use", "clean", "heat", "cool", "examine", "pick", "place", "drop", "toggle", "turn", "slice", "look", "inventory":
	default:
		return false
	}
	if len(words) == 1 {
		return words[0] == "look" || words[0] == "inventory"
	}
	last := words[len(words)-1]
	return !strings.ContainsAny(strings.ReplaceAll(line, "in/on", "in"), "./|;$<>\"'-") && strings.Trim(last, "0123456789") == "" && strings.Trim(words[1], "0123456789") != ""
}

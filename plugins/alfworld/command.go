package alfworld

import "strings"

// verb is what a command does.
type verb int

const (
	unknown verb = iota
	goTo
	open
	closing
	take
	put
	clean
	heat
	cool
	use
	slice
	look
	inventory
	examine
	help
)

// command is one parsed command of an agent. Names are written as in the game, in lower
// case: "apple 1".
type command struct {
	verb   verb
	object string // the object that is acted on; "" for go to, open, close
	place  string // the receptacle, or the tool of slice
}

// grammar lists the commands that have gaps. The first one that matches counts, so longer
// forms come first.
var grammar = [...]struct {
	template string
	verb     verb
	place    bool // its only gap is a place, not an object
}{
	{"go to %", goTo, true}, {"goto %", goTo, true},
	{"open %", open, true}, {"close %", closing, true},
	{"take % from %", take, false},
	{"put % in/on %", put, false}, {"put % into %", put, false}, {"put % in %", put, false},
	{"put % on %", put, false}, {"move % to %", put, false},
	{"clean % with %", clean, false}, {"heat % with %", heat, false}, {"cool % with %", cool, false},
	{"slice % with %", slice, false}, {"use %", use, false}, {"examine %", examine, false},
}

// parseCommand parses a command. Upper case and extra spaces do not matter. ok is false
// if the game does not know the command.
func parseCommand(text string) (c command, ok bool) {
	text = strings.TrimSuffix(normalizeText(strings.TrimPrefix(strings.TrimSpace(text), ">")), ".")
	switch text {
	case "look":
		return command{verb: look}, true
	case "inventory":
		return command{verb: inventory}, true
	case "help":
		return command{verb: help}, true
	}
	for _, g := range grammar {
		gaps, _, fits := matchTemplate(g.template, text)
		switch {
		case !fits:
		case g.place:
			return command{verb: g.verb, place: gaps[0]}, true
		case len(gaps) == 1:
			return command{verb: g.verb, object: gaps[0]}, true
		default:
			return command{verb: g.verb, object: gaps[0], place: gaps[1]}, true
		}
	}
	return command{}, false
}

// commandWords returns the first words of all commands, sorted. If a call is only a text,
// a host takes the text's first word as the call's name.
func commandWords() []string {
	return []string{"clean", "close", "cool", "examine", "go", "goto", "heat", "help", "inventory",
		"look", "move", "open", "put", "slice", "take", "use"}
}

package alfworld

import (
	"slices"
	"strings"
)

// room is what is known of a place whoever acts in it.
type room struct {
	first       map[fact]string
	receptacles map[string]bool   // that the opening lists
	at          map[string]string // receptacle → its place, named by one that stands there
}

func newRoom() *room {
	return &room{first: map[fact]string{}, receptacles: map[string]bool{}, at: map[string]string{}}
}

// game is one side: the facts as it made them, command by command.
type game struct {
	*room
	*facts
	lit     map[string]string // lamp → the receptacle that it was switched at
	touched []fact            // lasting facts that the current command changed
}

func (r *room) play() *game {
	return &game{room: r, facts: newFacts(r.first), lit: map[string]string{}}
}

// outcome is what became of one command.
type outcome struct {
	touched  []fact // lasting facts that it changed
	refused  bool   // nothing happened
	unread   bool   // the observation has none of the game's sentences
	foreseen bool   // no observation was there to read
}

// move is a command and what was answered; parsed is false for what is no command.
type move struct {
	command
	parsed   bool
	failed   bool
	answer   string // plain
	answered bool
}

// do takes in one move. An observation decides what happened, whatever was typed;
// without one the command is taken to do what it can.
func (g *game) do(m move) outcome {
	g.touched = nil
	var out outcome
	switch {
	case m.answered && (m.failed || strings.HasPrefix(m.answer, refusal)):
		out.refused = true
		g.stay(m)
	case m.answered:
		out.unread = !g.arrive(m)
	default:
		out.foreseen = true
		out.refused = !m.parsed || !g.foresee(m.command)
	}
	out.touched = slices.Clone(g.touched)
	return out
}

// arrive reads an observation, after the agent has gone where it was sent.
func (g *game) arrive(m move) bool {
	if m.verb == goTo {
		g.stand(m.place)
	} else if !m.parsed {
		g.standBefore(m.answer)
	}
	return g.observe(m.answer)
}

// standBefore finds where the agent is from a description alone, where the
// command's own words are not known.
func (g *game) standBefore(answer string) {
	for _, t := range [...]string{"on the %, you see ", "the % is open.", "the % is closed."} {
		if gaps, _, ok := scan(t, answer); ok {
			g.stand(gaps[0])
		}
	}
}

// stay learns from a refused walk: the game refuses one only where the agent is at
// that place already, or where there is no such receptacle.
func (g *game) stay(m move) {
	if m.parsed && m.verb == goTo && g.receptacles[m.place] {
		g.join(m.place)
	}
}

// stand puts the agent at a receptacle.
func (g *game) stand(receptacle string) { g.set(fact{of: agent, is: atLocation}, receptacle) }

// here is the receptacle where the agent stands; "" at the start.
func (g *game) here() string { return g.get(fact{of: agent, is: atLocation}) }

// join makes a receptacle's place the agent's: several may share one.
func (g *game) join(receptacle string) {
	if g.here() == "" {
		return
	}
	from, to := g.placeOf(receptacle), g.placeOf(g.here())
	for r, place := range g.at {
		if place == from {
			g.at[r] = to
		}
	}
}

func (g *game) placeOf(receptacle string) string {
	if g.at[receptacle] == "" {
		g.at[receptacle] = receptacle
	}
	return g.at[receptacle]
}

// change is the doing of the current command.
func (g *game) change(x fact, value string) {
	if g.set(x, value) && x.lasting() && !slices.Contains(g.touched, x) {
		g.touched = append(g.touched, x)
	}
}

// foresee does what the command does in the game's PDDL; false where the facts known
// rule it out. Neither where the agent stands is asked nor whether a receptacle is
// open: a reference may well leave its walks out.
func (g *game) foresee(c command) bool {
	held := g.held()
	switch c.verb {
	case goTo:
		g.stand(c.place)
	case open, closing:
		g.turn(c.place, opened, c.verb == open)
	case take:
		if held != "" || g.elsewhere(c.object, c.place) {
			return false
		}
		g.picked([]string{c.object, c.place})
	case use:
		g.switched(c.object, true)
	case slice:
		g.change(fact{of: c.object, is: isSliced}, yes)
	case put, clean, heat, cool:
		return held == c.object && g.handle(c)
	}
	return true
}

// handle does what needs the object in hand.
func (g *game) handle(c command) bool {
	switch c.verb {
	case put:
		g.dropped([]string{c.object, c.place})
	case clean:
		g.change(fact{of: c.object, is: isClean}, yes)
	case heat:
		g.warmed(c.object, isHot, isCool)
	case cool:
		g.warmed(c.object, isCool, isHot)
	}
	return true
}

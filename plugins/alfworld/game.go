package alfworld

import (
	"slices"
	"strings"
)

// room holds what is known of a place, whichever side acts in it.
type room struct {
	first       map[fact]string
	receptacles map[string]bool   // the receptacles that the opening lists
	at          map[string]string // receptacle → its place, named after a receptacle that stands there
}

func newRoom() *room {
	return &room{first: map[fact]string{}, receptacles: map[string]bool{}, at: map[string]string{}}
}

// game is one side of a comparison: the facts, which each command changes.
type game struct {
	*room
	*facts
	lit     map[string]string // lamp → the receptacle that it was switched at
	touched []fact            // lasting facts that the current command changed
}

func (r *room) newGame() *game {
	return &game{room: r, facts: newFacts(r.first), lit: map[string]string{}}
}

// outcome is the effect of one command.
type outcome struct {
	touched  []fact // lasting facts that the command changed
	refused  bool   // nothing happened
	unread   bool   // the observation holds none of the game's sentences
	foreseen bool   // there was no observation to read
}

// move is a command and its answer. parsed is false if the text is not a command.
type move struct {
	command
	parsed   bool
	failed   bool
	answer   string // normalised by plain
	answered bool
}

// applyMove applies one move and returns its outcome. If the game's answer was recorded,
// the facts come from that answer. Otherwise the method foreseeEffects applies the
// command's effects.
func (g *game) applyMove(m move) outcome {
	g.touched = nil
	var out outcome
	switch {
	case m.answered && (m.failed || strings.HasPrefix(m.answer, refusal)):
		out.refused = true
		g.learnRefusal(m)
	case m.answered:
		out.unread = !g.applyAnswer(m)
	default:
		out.foreseen = true
		out.refused = !m.parsed || !g.foreseeEffects(m.command)
	}
	out.touched = slices.Clone(g.touched)
	return out
}

// applyAnswer moves the agent to the place that a go-to command names, and then reads the
// observation. For an unknown command, the place comes from the observation. The result
// is false if the observation was not understood.
func (g *game) applyAnswer(m move) bool {
	if m.verb == goTo {
		g.standAt(m.place)
	} else if !m.parsed {
		g.standBefore(m.answer)
	}
	return g.readSentences(m.answer)
}

// standBefore moves the agent to the receptacle that an observation describes. It is used
// after a command that could not be parsed.
func (g *game) standBefore(answer string) {
	for _, t := range [...]string{"on the %, you see ", "the % is open.", "the % is closed."} {
		if gaps, _, ok := matchTemplate(t, answer); ok {
			g.standAt(gaps[0])
		}
	}
}

// learnRefusal learns from a go-to command that the game refused. The game refuses if the
// agent is already at the receptacle, or if the receptacle does not exist. If the
// receptacle is known to exist, learnRefusal records that it is at the agent's place.
func (g *game) learnRefusal(m move) {
	if m.parsed && m.verb == goTo && g.receptacles[m.place] {
		g.joinAgentPlace(m.place)
	}
}

// standAt moves the agent to a receptacle.
func (g *game) standAt(receptacle string) { g.set(fact{of: agent, is: atLocation}, receptacle) }

// agentReceptacle returns the receptacle at which the agent stands. It returns "" at the
// start.
func (g *game) agentReceptacle() string { return g.get(fact{of: agent, is: atLocation}) }

// joinAgentPlace records that a receptacle is at the agent's place. Several receptacles
// may share one place.
func (g *game) joinAgentPlace(receptacle string) {
	if g.agentReceptacle() == "" {
		return
	}
	from, to := g.placeOf(receptacle), g.placeOf(g.agentReceptacle())
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

// changeFact sets a fact as an effect of the current command.
func (g *game) changeFact(x fact, value string) {
	if g.set(x, value) && x.isLasting() && !slices.Contains(g.touched, x) {
		g.touched = append(g.touched, x)
	}
}

// foreseeEffects applies the effects that the command has in the game's PDDL. It returns
// false if the known facts do not allow the command. It does not check the agent's place,
// and it does not check whether a receptacle is open.
func (g *game) foreseeEffects(c command) bool {
	held := g.heldObject()
	switch c.verb {
	case goTo:
		g.standAt(c.place)
	case open, closing:
		g.changePredicate(c.place, opened, c.verb == open)
	case take:
		if held != "" || g.liesElsewhere(c.object, c.place) {
			return false
		}
		g.recordPickUp([]string{c.object, c.place})
	case use:
		g.recordSwitch(c.object, true)
	case slice:
		g.changeFact(fact{of: c.object, is: isSliced}, yes)
	case put, clean, heat, cool:
		return held == c.object && g.handleHeldObject(c)
	}
	return true
}

// handleHeldObject applies the effects of put, clean, heat and cool. The agent must hold
// the command's object. The result is always true.
func (g *game) handleHeldObject(c command) bool {
	switch c.verb {
	case put:
		g.recordPutDown([]string{c.object, c.place})
	case clean:
		g.changeFact(fact{of: c.object, is: isClean}, yes)
	case heat:
		g.recordTemperature(c.object, isHot, isCool)
	case cool:
		g.recordTemperature(c.object, isCool, isHot)
	}
	return true
}

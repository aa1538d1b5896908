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

func (r *room) play() *game {
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

// do applies one move. If the game's answer was recorded, it says what happened, whatever
// the command was. Otherwise the method foresee applies the command's effects.
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

// arrive moves the agent to the place that a go-to command names, and then reads the
// observation. If the command is not known, the place comes from the observation.
// arrive reports whether the observation was understood.
func (g *game) arrive(m move) bool {
	if m.verb == goTo {
		g.stand(m.place)
	} else if !m.parsed {
		g.standBefore(m.answer)
	}
	return g.observe(m.answer)
}

// standBefore moves the agent to the receptacle that an observation describes. It is
// for a command that could not be parsed.
func (g *game) standBefore(answer string) {
	for _, t := range [...]string{"on the %, you see ", "the % is open.", "the % is closed."} {
		if gaps, _, ok := scan(t, answer); ok {
			g.stand(gaps[0])
		}
	}
}

// stay learns from a go-to command that the game refused. There are two reasons for a
// refusal: the agent is already at that receptacle, or the receptacle does not exist. So
// if the receptacle is known to exist, stay records that it is at the agent's place.
func (g *game) stay(m move) {
	if m.parsed && m.verb == goTo && g.receptacles[m.place] {
		g.join(m.place)
	}
}

// stand moves the agent to a receptacle.
func (g *game) stand(receptacle string) { g.set(fact{of: agent, is: atLocation}, receptacle) }

// here returns the receptacle where the agent stands; "" at the start.
func (g *game) here() string { return g.get(fact{of: agent, is: atLocation}) }

// join records that a receptacle is at the agent's place. Several receptacles may share
// one place.
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

// change sets a fact as an effect of the current command.
func (g *game) change(x fact, value string) {
	if g.set(x, value) && x.lasting() && !slices.Contains(g.touched, x) {
		g.touched = append(g.touched, x)
	}
}

// foresee applies the effects that the command has in the game's PDDL. It returns false
// if the known facts do not allow the command. It checks neither the agent's place nor
// whether a receptacle is open, because a reference may leave out the commands that go
// to a place.
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

// handle applies the effects of put, clean, heat and cool. The agent must hold the
// command's object. The result is always true.
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

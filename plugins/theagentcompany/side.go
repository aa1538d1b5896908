package theagentcompany

import (
	"encoding/json"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/internal/effect"
)

// side is one run, with its actions applied to a world of its own.
type side struct {
	world  *effect.World
	done   []effect.Done
	unread int // actions that are neither a command, a browser program nor a tool call
	opaque int // actions whose effect is not known
}

// desk holds the agent's tools.
type desk struct {
	*effect.Session
	browser browser
}

func playActions(actions []abi.Action) *side {
	s := &side{world: &effect.World{}}
	d := desk{Session: effect.NewSession(s.world)}
	for i := range actions {
		effects, read := d.actionEffects(&actions[i])
		done := s.world.Play(effects)
		if !read {
			s.unread++
		}
		if done.Opaque {
			s.opaque++
		}
		s.done = append(s.done, done)
	}
	return s
}

// actionEffects returns the effects of one action. An action that the harness refused has
// none. For an action that failed, see failedEffects. The second result is false if the
// action was not understood.
func (d *desk) actionEffects(a *abi.Action) (effects []effect.Effect, read bool) {
	if a.Observation != nil && strings.HasPrefix(*a.Observation, "ERROR:") {
		return nil, true // the harness refused it
	}
	if program, ok := browserProgram(a); ok {
		effects, read = d.browser.browseEffects(program, visitedAddress(a.Observation))
	} else if e, ok := sendEffect(a.Name, a.Arguments); ok {
		effects, read = []effect.Effect{e}, true
	} else if opensPage(a.Name) {
		d.browser.page = ""
		return nil, true
	} else if a.Text != "" {
		effects, read = d.Shell(a.Text)
	} else {
		effects, read = d.Tool(a.Name, a.Arguments)
	}
	effects = replacePosts(effects)
	if a.Failed {
		return failedEffects(effects), read
	}
	return effects, read
}

// failedEffects returns the effects of an action that failed. The parameter contains the
// effects that the action has without a failure. If that is at most one known effect, the
// result is nil. Otherwise the result is one opaque effect, because some of the effects
// may have happened.
func failedEffects(effects []effect.Effect) []effect.Effect {
	if len(effects) <= 1 && (len(effects) == 0 || !effects[0].Opaque) {
		return nil
	}
	return []effect.Effect{effect.Opaque("failed: " + effects[0].Text + effects[0].Key)}
}

// browserProgram returns the program of browser steps in an action. The bool is false if
// the action has none.
func browserProgram(a *abi.Action) (string, bool) {
	if !strings.Contains(strings.ToLower(a.Name), "brows") {
		return "", false
	}
	if a.Text != "" {
		return a.Text, true
	}
	var in map[string]json.RawMessage
	if json.Unmarshal(a.Arguments, &in) != nil {
		return "", false
	}
	if code := firstText(in, "browser_actions", "code", "action", "actions"); code != "" {
		return code, true
	}
	if address := firstText(in, "url"); address != "" {
		quoted, err := json.Marshal(address)
		if err != nil { // a string can always be encoded
			panic(err)
		}
		return "goto(" + string(quoted) + ")", true
	}
	return "", false
}

// opensPage reports whether name is one of the two actions with which a browser opens a
// page.
func opensPage(name string) bool { return name == "goto_url" || name == "goto" }

// actionResults returns the result of each action of a side. It returns nil if s is nil.
func (s *side) actionResults() []effect.Done {
	if s == nil {
		return nil
	}
	return s.done
}

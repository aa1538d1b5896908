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

func play(actions []abi.Action) *side {
	s := &side{world: &effect.World{}}
	d := desk{Session: effect.NewSession(s.world)}
	for i := range actions {
		effects, read := d.action(&actions[i])
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

// action returns the effects of one action. An action that the harness refused did
// nothing. An action that failed and has one known effect did nothing either.
func (d *desk) action(a *abi.Action) (effects []effect.Effect, read bool) {
	if a.Observation != nil && strings.HasPrefix(*a.Observation, "ERROR:") {
		return nil, true // the harness refused it
	}
	if program, ok := program(a); ok {
		effects, read = d.browser.browse(program, visited(a.Observation))
	} else if e, ok := sent(a.Name, a.Arguments); ok {
		effects, read = []effect.Effect{e}, true
	} else if goes(a.Name) {
		d.browser.page = ""
		return nil, true
	} else if a.Text != "" {
		effects, read = d.Shell(a.Text)
	} else {
		effects, read = d.Tool(a.Name, a.Arguments)
	}
	effects = posted(effects)
	if a.Failed {
		return settled(effects), read
	}
	return effects, read
}

// settled returns the effects of an action that failed. If the action would have had one
// known effect or none, it did nothing, and the result is nil. Otherwise some of the
// effects may have happened, and the result is an opaque effect.
func settled(effects []effect.Effect) []effect.Effect {
	if len(effects) <= 1 && (len(effects) == 0 || !effects[0].Opaque) {
		return nil
	}
	return []effect.Effect{effect.Opaque("failed: " + effects[0].Text + effects[0].Key)}
}

// program returns the program of browser steps in an action. The bool is false if the
// action has none.
func program(a *abi.Action) (string, bool) {
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
	if code := first(in, "browser_actions", "code", "action", "actions"); code != "" {
		return code, true
	}
	if address := first(in, "url"); address != "" {
		quoted, err := json.Marshal(address)
		if err != nil { // a string can always be encoded
			panic(err)
		}
		return "goto(" + string(quoted) + ")", true
	}
	return "", false
}

// goes reports whether name is one of the names by which references open a page.
func goes(name string) bool { return name == "goto_url" || name == "goto" }

// played returns the result of each action of a side. It returns nil if s is nil.
func (s *side) played() []effect.Done {
	if s == nil {
		return nil
	}
	return s.done
}

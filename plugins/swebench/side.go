package swebench

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/internal/effect"
)

// side is one run, with its actions applied to a world of its own.
type side struct {
	world  *effect.World
	done   []effect.Done
	unread int // actions that are neither a command nor a tool call
	opaque int // actions that may have changed anything
}

func playActions(actions []abi.Action, root string) *side {
	s := &side{world: &effect.World{}}
	t := terminal{Session: effect.NewSession(s.world)}
	t.Root, t.Own = root, t.ownEffects
	for i := range actions {
		effects, read := t.actionEffects(&actions[i])
		d := s.world.Play(effects)
		d.Touched = slices.DeleteFunc(d.Touched, func(t effect.Thing) bool { return t.Table == effect.Directories }) // no diff contains directories
		if !read {
			s.unread++
		}
		if d.Opaque {
			s.opaque++
		}
		s.done = append(s.done, d)
	}
	return s
}

// actionEffects returns the effects of one action, which is a typed command or a tool
// call. read is false if the action was not understood. For an action that failed, see
// failedEffects.
func (t *terminal) actionEffects(a *abi.Action) (effects []effect.Effect, read bool) {
	if a.Text != "" {
		if effects, ok := t.Blocks(a.Text); ok {
			return effects, true
		}
		effects, read = t.typedEffects(a.Text, a.Observation)
	} else {
		effects, read = t.Tool(a.Name, a.Arguments)
		if a.Observation != nil && toolRefused(*a.Observation) {
			return failedEffects(effects), read
		}
	}
	if a.Failed {
		return failedEffects(effects), read
	}
	return effects, read
}

// failedEffects returns the effects of an action that failed. effects are the effects of
// the action without the failure. If effects has at most one element and this is known,
// the action did nothing, and the result is nil. Otherwise the result is one opaque
// effect.
func failedEffects(effects []effect.Effect) []effect.Effect {
	if len(effects) <= 1 && (len(effects) == 0 || !effects[0].Opaque) {
		return nil
	}
	return []effect.Effect{effect.Opaque("failed: " + effects[0].Text + effects[0].Key)}
}

// toolRefused reports whether a tool's answer says that the tool did not edit the file.
func toolRefused(said string) bool {
	said = strings.ToLower(strings.TrimSpace(said))
	for _, opening := range []string{"error", "invalid", "no replacement was performed", "no change", "the path ", "old_str", "cannot ", "parameter "} {
		if strings.HasPrefix(said, opening) {
			return true
		}
	}
	return false
}

// argumentPath returns the path of the file in a call's arguments, or "" if there is no
// path.
func argumentPath(raw json.RawMessage) string {
	var in struct {
		Path     string `json:"path"`
		FilePath string `json:"file_path"`
	}
	_ = json.Unmarshal(raw, &in) // other arguments name no file
	if in.Path == "" {
		return in.FilePath
	}
	return in.Path
}

// actionResults returns the result of each action of a side. It returns nil if s is nil.
func (s *side) actionResults() []effect.Done {
	if s == nil {
		return nil
	}
	return s.done
}

// Package boundary holds what stages two and three look at: every action of one
// run with its boundary B(a) = ⟨pre, eff, scope, gran⟩, and the alignment of observed
// against reference actions. What is known or done before an action (pre), what it
// changes (eff), the entities (scope) and for how many steps it stands (gran) are
// inferred; a reference or a tool table may state any of them.
package boundary

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/align"
	"github.com/boundcheck/boundcheck/core/mutation"
	"github.com/boundcheck/boundcheck/core/provenance"
	"github.com/boundcheck/boundcheck/core/similarity"
)

// Action is one observed action or one reference step.
type Action struct {
	similarity.Call
	Mutation    mutation.Verdict
	ByUser      bool              // observed: the user's side did it, not the agent
	Failed      bool              // observed: its observation is an error, so it has no effect
	Terms       *similarity.Terms // reference: how its arguments are compared; nil for as they stand
	Required    bool              // reference: its absence counts under every profile
	Observation *string           // reference: what came back when a run took the step; nil when nobody did
	Stated      *Stated           // what a reference or a tool table says of the boundary; nil for nothing

	Deeds mutation.Deeds // remembers what names say; may be nil
	Memo  *Memo          // remembers what name and arguments say; nil until it is asked for
}

// Memo remembers what follows from the name and the arguments of an action alone.
// Actions that are spelled alike may share one. It is not for use by several
// goroutines at once.
type Memo struct {
	deed   *mutation.Deed
	scope  []string
	scoped bool // scope is known
}

func (a *Action) memo() *Memo {
	if a.Memo == nil {
		a.Memo = &Memo{}
	}
	return a.Memo
}

// Deed is what the action's name, and where that is silent its arguments, say is done
// and to what.
func (a *Action) Deed() *mutation.Deed {
	m := a.memo()
	if m.deed == nil {
		m.deed = a.readDeed()
	}
	return m.deed
}

func (a *Action) readDeed() *mutation.Deed {
	name := a.Name
	if a.Text != "" {
		name, _, _ = strings.Cut(strings.TrimSpace(a.Text), " ")
	}
	d := a.Deeds.Of(name)
	if len(d.Object) > 0 {
		return &d
	}
	for _, l := range a.Leaves {
		if noun := entityNoun(l.Key); noun != "" && !slices.Contains(d.Object, noun) && !slices.Contains(d.Place, noun) {
			d.Object = append(d.Object, noun)
		}
	}
	return &d
}

// entityNoun is the thing that an argument's name identifies: item of item_id,
// itemIds and item-number; "" for one that identifies nothing by name.
func entityNoun(key string) string {
	if !Identifies(key, "") {
		return ""
	}
	if words := mutation.NameWords(key); len(words) > 1 {
		return words[len(words)-2]
	}
	return ""
}

// Stages says which stages of equivalence are off: they excuse nothing.
type Stages struct{ State, Effect, Outcome bool }

// Writes reports whether the action has an effect on the environment: it may
// mutate (unknown counts as yes) and did not fail.
func (a *Action) Writes() bool { return a.Mutation.Counts() && !a.Failed }

// Scope lists the entities that the action names: the values of its
// identifier-like arguments, sorted, each once. Empty when it names none.
//
// Where a tool table states which arguments name them, these are taken. The slice is
// remembered: do not change it.
func (a *Action) Scope() []string {
	if a.Stated != nil { // by its step, not by its spelling
		return a.readScope()
	}
	m := a.memo()
	if !m.scoped {
		m.scope, m.scoped = a.readScope(), true
	}
	return m.scope
}

func (a *Action) readScope() []string {
	var out []string
	for i := range a.Leaves {
		if l := &a.Leaves[i]; a.scopes(l) {
			out = append(out, l.Value)
		}
	}
	slices.Sort(out)
	return slices.Clip(slices.Compact(out))
}

// scopes reports whether an argument names an entity of the action.
func (a *Action) scopes(l *similarity.Leaf) bool {
	if a.Stated != nil && a.Stated.Arguments && len(a.Stated.Scope) > 0 {
		return slices.Contains(a.Stated.Scope, l.Key)
	}
	return Identifies(l.Key, l.Value)
}

// Identifies reports whether an argument names an entity rather than a property:
// the last word of its key says so (id, key, path, url, email, number, …), or its
// value is a string with both letters and digits and no blank, as ids are.
func Identifies(key, value string) bool {
	switch word := lastWord(key); word {
	case "id", "ids", "key", "keys", "path", "paths", "file", "files", "filename", "url", "urls", "uri", "email", "emails",
		"number", "numbers", "username", "usernames", "slug", "uuid":
		return true
	case "paid", "valid", "invalid", "void", "grid", "bid", "aid", "solid", "liquid", "hybrid", "fluid", "rapid", "android",
		"kid", "kids", "mid", "lid", "acid", "rigid", "raid", "avoid", "bids":
		return false // words that end so
	default:
		if strings.HasSuffix(word, "id") || strings.HasSuffix(word, "ids") {
			return true
		}
	}
	if !strings.HasPrefix(value, `"`) || strings.ContainsAny(value, " \t") {
		return false
	}
	return strings.ContainsAny(value, "0123456789") && strings.ContainsFunc(value, isLetter)
}

// lastWord is the last word of a key in snake_case, kebab-case or camelCase, in
// lower case: id of orderID, order_id and order-id.
func lastWord(key string) string {
	if i := strings.LastIndexAny(key, "_-. "); i >= 0 {
		key = key[i+1:]
	}
	for i := len(key) - 1; i > 0; i-- {
		if isUpper(key[i]) && !isUpper(key[i-1]) {
			return strings.ToLower(key[i:])
		}
	}
	return strings.ToLower(key)
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

// Does reports whether the action is what a rule about ref means: the same name,
// and every argument that ref gives.
func (a *Action) Does(ref *Action) bool {
	if a.Name != ref.Name {
		return false
	}
	d := similarity.Compare(&a.Call, &ref.Call, ref.Terms)
	return len(d.Missing) == 0 && len(d.Changed) == 0
}

// Has reports whether the action has a value below an argument path.
func (a *Action) Has(path string) bool {
	for _, l := range a.Leaves {
		if rest, ok := strings.CutPrefix(l.Path, path); ok && rest != "" && (rest[0] == '.' || rest[0] == '[') {
			return true
		}
	}
	return false
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// Profile decides what a missing or moved step that changes no state is worth.
type Profile uint8

// The profiles: Outcome asks what changed, SOP whether the process was followed.
const (
	Outcome Profile = iota
	SOP
)

// String returns the profile's name on the wire.
func (p Profile) String() string {
	if p == SOP {
		return "sop"
	}
	return "outcome"
}

// Case is one run ready for judgement.
type Case struct {
	Profile    Profile
	Obs        []Action
	Ref        []Action
	Never      []Action // steps that must not be done; no part of Ref
	Steps      []align.Step
	Without    Stages      // stages of equivalence that are off
	ThetaG     float64     // by how many actions a step's two sides may differ in number
	Vocabulary *Vocabulary // names that mean the same, and what actions are made of; nil for nothing
	// Alias tells by which rule an observed action's name may stand for a reference
	// step's other name; "" for not at all. Nil: never.
	Alias   func(obs, ref *Action) string
	Stopped string               // why the run was cut off; "" when it ended by itself
	Says    []string             // texts the reference wants said
	Said    []string             // what the agent said to the user, in order
	Policy  string               // the instructions that the agent was given
	Asked   func(obs int) string // what the user said last before it; nil when the trace holds no conversation
	Words   func(obs int) string // what the agent wrote since its action before; nil when the trace holds no conversation
	Offered func(obs int) string // what the agent said last before the user's last words; nil when nobody asks
	Request func(obs int) string // all that the user said before an action, in lower case; nil when nobody asks
	Answer  func(obs int) string // what came back from an action; nil when nobody asks
	Seen    func(obs int) string // all that came back from the actions before
	// Origins tells where the values of an action came from; nil when nobody asks. Under a
	// reference it is there for runs with findings.
	Origins func(obs int) []provenance.Origin
	Known   func(obs int) string // all that the agent had been given before that action; nil when the trace holds no conversation
}

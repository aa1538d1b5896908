// Package boundary defines the input of stages two and three. It consists of every action
// of one run with its boundary B(a) = ⟨pre, eff, scope, gran⟩, and of the alignment of
// observed actions with reference actions. The parts of a boundary are the knowledge and
// the actions that an action needs (pre), its changes (eff), its entities (scope), and
// the number of steps that it stands for (gran). All parts are inferred, unless a
// reference or a tool table states them.
package boundary

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/requests"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
	"github.com/boundcheck/boundcheck/core/math/align"
)

// Action is one observed action or one reference step.
type Action struct {
	similarity.Call
	Mutation    mutation.Verdict
	ByUser      bool              // the user's side did it, or is to do it, and not the agent
	Failed      bool              // observed: its observation is an error, its job failed, or it was only proposed, so it has no effect; reference: it must be refused
	Partly      bool              // observed: its observation says that only a part was done
	Open        bool              // observed: it started a job that was not done yet when it was asked for last
	Proposed    bool              // observed: it was not executed
	Turn        int               // the turn of the user, from 1; 0 if it is not known
	Message     int               // observed: 1 + the index of the message that made it; 0 if there is none
	Unrecorded  bool              // observed: the trace does not say with which arguments, or not with all
	Terms       *similarity.Terms // reference: how its arguments are compared; nil for exactly
	Required    bool              // reference: its absence counts under every profile
	Observation *string           // reference: the result in the run that did the step; nil if no run did
	Stated      *Stated           // what a reference or a tool table states about the boundary; nil for nothing

	Deeds mutation.Deeds // caches the meaning of names; may be nil
	Memo  *Memo          // caches the meaning of name and arguments; nil until it is needed
}

// Memo caches everything that depends only on the name and the arguments of an action.
// Actions with the same text may share a Memo. Several goroutines must not use it at
// once.
type Memo struct {
	deed    *mutation.Deed
	words   []string
	scope   []string
	nameKey string
	scoped  bool // scope is known

	isLineRead, looksByLine bool // see LooksByLine
}

// Told keeps what was read of the last instructions: most runs of a file have the same ones. The
// zero value is empty. Several goroutines must not use it at once.
type Told struct {
	policy string
	Lower  string   // their beginning in lower case
	Ends   []string // what they say of the end of the work
}

// ReadPolicy returns what is kept of the instructions. Otherwise it calls read with them.
func (c *Case) ReadPolicy(read func(policy string) Told) *Told {
	if c.Told == nil {
		c.Told = &Told{}
	}
	if t := c.Told; t.policy != c.Policy {
		*t = read(c.Policy)
		t.policy = c.Policy
	}
	return c.Told
}

func (a *Action) ensureMemo() *Memo {
	if a.Memo == nil {
		a.Memo = &Memo{}
	}
	return a.Memo
}

// Words returns the words of the action's name, as mutation.NameWords does. The caller must
// not change them.
func (a *Action) Words() []string {
	m := a.ensureMemo()
	if m.words == nil {
		m.words = mutation.NameWords(a.Name)
	}
	return m.words
}

// NameKey returns mutation.NameKey of the action's name.
func (a *Action) NameKey() string {
	m := a.ensureMemo()
	if m.nameKey == "" {
		m.nameKey = mutation.NameKey(a.Name)
	}
	return m.nameKey
}

// Deed returns the action's verb and object. Both come from the action's name. If the
// name does not show the object, the object comes from the argument names.
func (a *Action) Deed() *mutation.Deed {
	m := a.ensureMemo()
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
	if verb := a.httpVerb(); verb != "" {
		d.Verb, d.Class = verb, mutation.DeedOf(verb).Class
	}
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

// httpVerb returns the verb for the effect of an HTTP request, which depends on its
// method (RFC 9110, section 9.3). It returns "" for a request that only reads, and for an
// action that is not an HTTP request.
func (a *Action) httpVerb() string {
	if a.Mutation.Layer != mutation.LayerHTTP {
		return ""
	}
	for i := range a.Leaves {
		if l := &a.Leaves[i]; l.Key == "method" {
			if verb := MethodVerb(strings.ToUpper(strings.Trim(l.Value, `"`))); verb != "" {
				return verb
			}
		}
	}
	return ""
}

// MethodVerb returns the verb for the effect of an HTTP method in capitals, or "" for a method that only reads and for
// any other text.
func MethodVerb(method string) string {
	switch method {
	case "POST":
		return "create"
	case "PUT", "PATCH":
		return "update"
	case "DELETE":
		return "delete"
	}
	return ""
}

// entityNoun returns the noun for the thing that an argument's name identifies. For
// example, it returns item for item_id, itemIds and item-number. It returns "" if the
// name identifies nothing.
func entityNoun(key string) string {
	if !Identifies(key, "") {
		return ""
	}
	if words := mutation.NameWords(key); len(words) > 1 {
		return words[len(words)-2]
	}
	return ""
}

// Stages lists the disabled stages of equivalence. A disabled stage excuses nothing.
type Stages struct{ State, Effect, Outcome bool }

// Writes reports whether the action counts as having an effect on the environment. An
// action that failed has no effect. An action of unknown effect counts as having one.
func (a *Action) Writes() bool { return a.Mutation.Counts() && !a.Failed }

// Attempts reports whether the agent made the action to have an effect: it had one, or it was
// only proposed, for example because it waits for somebody. An action with an error does not
// count.
func (a *Action) Attempts() bool {
	return !a.ByUser && a.Mutation.Counts() && (!a.Failed || a.Proposed)
}

// Asking returns what the reader of requests needs of the action, for lint and for the gate alike. The argument
// before is the number of texts that were written before it, and result is what it returned; "" if that is not known.
func (a *Action) Asking(before int, result string) requests.Action {
	l := a.Mutation.Layer
	told := l == mutation.LayerTable || l == mutation.LayerAnnotation || l == mutation.LayerPlugin
	return requests.Action{Call: &a.Call, Before: before, Sure: a.Mutation.Mutating == mutation.Yes, Told: told, Result: result, Undone: a.Proposed}
}

// Scope returns the entities that the action names, sorted, each once. They are the
// values of its identifier-like arguments, or of the arguments that a tool table states.
// The slice is cached, so do not change it.
func (a *Action) Scope() []string {
	if a.Stated != nil { // depends on the step, not only on its text
		return a.readScope()
	}
	m := a.ensureMemo()
	if !m.scoped {
		m.scope, m.scoped = a.readScope(), true
	}
	return m.scope
}

func (a *Action) readScope() []string {
	var out []string
	for i := range a.Leaves {
		if l := &a.Leaves[i]; a.isScopeArgument(l) {
			out = append(out, l.Value)
		}
	}
	slices.Sort(out)
	return slices.Clip(slices.Compact(out))
}

// isScopeArgument reports whether an argument names an entity of the action.
func (a *Action) isScopeArgument(l *similarity.Leaf) bool {
	if a.Stated != nil && a.Stated.Arguments && len(a.Stated.Scope) > 0 {
		return slices.Contains(a.Stated.Scope, l.Key)
	}
	return Identifies(l.Key, l.Value)
}

// Identifies reports whether an argument names an entity and not a property. This is so
// in two cases:
//
//   - the last word of the key says so (id, key, path, url, email, number, …);
//   - the value looks like an id: a string that has letters and digits, but no spaces.
func Identifies(key, value string) bool {
	switch word := lastWord(key); word {
	case "id", "ids", "key", "keys", "path", "paths", "file", "files", "filename", "url", "urls", "uri", "email", "emails",
		"number", "numbers", "username", "usernames", "slug", "uuid":
		return true
	case "paid", "valid", "invalid", "void", "grid", "bid", "aid", "solid", "liquid", "hybrid", "fluid", "rapid", "android",
		"kid", "kids", "mid", "lid", "acid", "rigid", "raid", "avoid", "bids":
		return false // words with the same ending
	default:
		if strings.HasSuffix(word, "id") || strings.HasSuffix(word, "ids") {
			return true
		}
	}
	if !strings.HasPrefix(value, `"`) {
		return false
	}
	digit, letter := false, false
	for i := range len(value) {
		switch c := value[i]; {
		case c == ' ' || c == '\t':
			return false
		case '0' <= c && c <= '9':
			digit = true
		case isLetter(rune(c)):
			letter = true
		}
	}
	return digit && letter
}

// lastWord returns the last word of a key in lower case. For example, it returns id for
// orderID, order_id and order-id.
func lastWord(key string) string {
	for i := len(key) - 1; i >= 0; i-- {
		switch c := key[i]; {
		case c == '_' || c == '-' || c == '.' || c == ' ':
			return wordlist.Lower(key[i+1:])
		case isUpper(c) && i > 0 && !isUpper(key[i-1]) && strings.IndexByte("_-. ", key[i-1]) < 0:
			return wordlist.Lower(key[i:])
		}
	}
	return wordlist.Lower(key)
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

// Does reports whether the action matches ref, a step that a rule describes. The action
// must have the name and all arguments of ref, and may have further arguments.
func (a *Action) Does(ref *Action) bool { return a.Name == ref.Name && a.HasArguments(ref) }

// HasArguments reports whether the action has all arguments of ref. It may have others.
func (a *Action) HasArguments(ref *Action) bool {
	d := similarity.Compare(&a.Call, &ref.Call, ref.Terms)
	return len(d.Missing) == 0 && len(d.Changed) == 0
}

// Has reports whether the action has an argument value below the given path, such as a
// member of an object. A value at the path itself does not count.
func (a *Action) Has(path string) bool {
	for _, l := range a.Leaves {
		if rest, ok := strings.CutPrefix(l.Path, path); ok && rest != "" && (rest[0] == '.' || rest[0] == '[') {
			return true
		}
	}
	return false
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// Profile determines whether a missing or moved step that changes no state is a
// violation.
type Profile uint8

// The profiles. Outcome compares the changes. SOP checks whether the process was
// followed.
const (
	Outcome Profile = iota
	SOP
)

// String returns the profile's name in the JSON output.
func (p Profile) String() string {
	if p == SOP {
		return "sop"
	}
	return "outcome"
}

// Done links observed actions with the reference steps that they did, in the right way or
// in a wrong one. An action and a step can be linked although no row has both. Several
// actions that together did one step all name this step, and the step names one of them.
// The other way around, an action that did several steps names one of them. Linked
// actions and steps count as one step in figures.
type Done struct {
	Step   []int // of each action, the step; -1 for an action that stands for no step
	Action []int // of each step, the action; -1 for a step that no action stands for
}

// Bounds counts what a stage decided by a simpler method, because there was too much of it.
type Bounds struct {
	Kinds     int // pairs of calls whose arguments were compared as they are written
	Notations int // missing steps whose calls were not looked for in other notations
	Orders    int // moved actions for which it was not looked whether their order matters
	Stories   int // findings that no story was tried for
	Requests  int // changes for which it was not looked who asked for them
	Names     int // names of arguments that were only looked for by their spelling
}

// Case is one run with everything that stages two and three need.
type Case struct {
	Profile Profile
	Obs     []Action
	Ref     []Action
	Never   []Action // forbidden steps; no part of Ref
	// Forbidden holds the observed actions that the reference forbids by other means than
	// Never, with the reason.
	Forbidden map[int]string
	Steps     []align.Step
	Turns     int // how many turns of the user run and reference have; 0 if they differ or are not known
	// Done says which actions did which steps, aligned or in other rows. Stage two sets it.
	Done       Done
	Bounds     Bounds      // set by the stages and by the stories
	Without    Stages      // disabled stages of equivalence
	ThetaG     float64     // the largest allowed difference between the numbers of actions on a step's two sides
	Vocabulary *Vocabulary // names with the same meaning, and compositions of actions; nil for nothing
	// Alias returns the rule by which an observed action's name may replace a reference
	// step's different name; "" if it may not. If it is nil, no name may.
	Alias     func(obs, ref *Action) string
	Stopped   string                 // why the run was cut off; "" if it ended by itself
	Says      []string               // texts that the reference requires
	SaysWhole bool                   // a number in Says is no part of a longer one; benchmarks look for parts
	Said      []string               // what the agent said to the user, in order
	Policy    string                 // the agent's instructions
	Told      *Told                  // what was read of Policy; nil if nothing is kept
	Tools     []string               // the names of the tools that the trace defines; nil if it defines none
	Asked     func(obs int) string   // the user's last words before the action; nil if the trace has no conversation
	Wishes    func() string          // all that the user said; nil if the trace has no conversation
	Words     func(obs int) string   // the agent's words since its last action; nil if the trace has no conversation
	Offered   func(obs int) string   // the agent's last words before the user's last words; nil if not needed
	Request   func(obs int) string   // all that the user said before an action, in lower case; nil if not needed
	Answer    func(obs int) string   // the result of an action; nil if not needed
	Refusal   func(obs int) string   // the result of a failed action; nil if the trace has none
	Left      func(obs int) []string // the values that the result of an action names as not done; nil if the trace has no results
	Lists     func(obs int) bool     // the result of an action is a listing, so that perhaps it only looked; nil if the trace has no results
	SaysNo    func(obs int) string   // the member of its result with which a check says no, or ""; nil if the trace has no results
	Seen      func(obs int) string   // all results of the actions before
	// Origins returns the origins of an action's values; nil if not needed. With a
	// reference it is set for runs with findings.
	Origins func(obs int) []provenance.Origin
	// Asking returns the request for an action of the agent that may change something; nil
	// with a reference.
	Asking func(obs int) requests.Trace
	// SentAway returns how an action that only looks sends away what was read before; nil with a
	// reference.
	SentAway func(obs int) (requests.Trace, bool)
	Known    func(obs int) string // all that the agent had been given before that action; nil if the trace has no conversation
}

package mutation

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// Deed is the action that a tool's name describes, and its object: delete_item removes an
// item, remove_from_cart removes something from a cart.
type Deed struct {
	Class  string   // of the verb: remove for delete and removal; a writing verb without a class is its own class; "" for a verb without a clear effect
	Verb   string   // the verb itself, with its particle, as in turn_off
	Object []string // the words for the object, singular, in the order of the name; address of user is user address
	Place  []string // the words after "from", "to", "in" and the like
}

// Effectful reports whether the deed changes something, according to the class of its
// verb. It returns false for reads, for gestures such as click, and for preparations such
// as login.
func (d *Deed) Effectful() bool {
	switch d.Class {
	case "", "read", "search", "check", "compute", "open", "start", "init", "initialize", "initialise", "connect", "login", "mount":
		return false
	}
	return true
}

// DeedOf returns the action that a name describes. The name is the name of a tool, or the
// first words of a free text. The verb is usually the first word that has a class. After
// a light verb such as process or make, a noun for an action is the verb, as in
// process_refund. O(length of the name).
func DeedOf(name string) Deed {
	parts := splitSegments(name)
	if len(parts) == 0 {
		return Deed{}
	}
	all := joinPhrasal(parts[len(parts)-1])
	if len(all) > maxNameWords {
		return Deed{}
	}
	at, d := verbAt(all), Deed{}
	if at >= 0 {
		d.Verb, d.Class = all[at], deedClass(all[at])
		if verb := wordClass(d.Verb); d.Class == "" && !isGestureVerb(d.Verb) && (verb.has(write) || verb.has(weak) && len(all) > 1) {
			d.Class = d.Verb
		}
	}
	d.Object, d.Place = objectOf(all, at)
	switch d.Verb {
	case "email", "mail", "sms": // the verb says what is sent; the rest says to whom
		if at == 0 && !(len(d.Object) > 0 && isPosted(d.Object[len(d.Object)-1])) {
			d.Object, d.Place = []string{singularForm(d.Verb)}, append(d.Object, d.Place...)
		}
	}
	return d
}

// objectOf returns the words for the object and for the place of the verb at an index.
func objectOf(all []string, at int) (object, place []string) {
	var owned []string // what stands before "of", and in words behind its owner
	inPlace := false
	for i, w := range all {
		switch {
		case i == at || isDeterminer(w):
		case at >= 0 && i < at && isLightVerb(w):
		case w == "by" || w == "for" || w == "with" || w == "as" || w == "using" || w == "via":
			return append(object, owned...), place
		case w == "of" && !inPlace && len(object) > 0:
			object, owned = nil, append(object, owned...)
		case isPreposition(w) || w == "into" || w == "onto" || w == "off":
			inPlace = true
		case inPlace:
			place = append(place, singularForm(w))
		default:
			object = append(object, singularForm(w))
		}
	}
	return append(object, owned...), place
}

// isPosted reports whether a noun is a thing that the post carries.
func isPosted(w string) bool {
	switch w {
	case "letter", "parcel", "package", "packet", "postcard", "card", "envelope":
		return true
	}
	return false
}

// joinPhrasal joins a verb and its particle, as in turn_off_lamp and turn_lamp_off, to one
// word such as turn_off.
func joinPhrasal(all []string) []string {
	last := len(all) - 1
	for i, w := range all {
		if !isParticle(w) || i == 0 {
			continue
		}
		switch {
		case isPhrasal(all[i-1], w):
			return slices.Concat(all[:i-1], []string{all[i-1] + "_" + w}, all[i+1:])
		case i == last && isPhrasal(all[0], w):
			return slices.Concat([]string{all[0] + "_" + w}, all[1:last])
		}
	}
	return all
}

// Deeds caches the deeds of names; a nil Deeds caches nothing. It is not for use by
// several goroutines at once.
type Deeds map[string]Deed

// Of is like DeedOf, but computes the deed of each name only once.
func (d Deeds) Of(name string) Deed {
	if found, ok := d[name]; ok {
		return found
	}
	found := DeedOf(name)
	if d != nil && len(d) < cacheLimit {
		d[name] = found
	}
	return found
}

// verbAt returns the index of the word that describes the action, or -1 if there is none.
// A verb that is not also a noun is preferred. A noun for an action after a light verb,
// such as make, counts as the verb. A first word that is only a verb that changes something is
// one, as in reimburse_payment.
func verbAt(all []string) int {
	first := -1
	if len(all) > 1 && wordClass(all[0]).isDeed() && deedClass(all[0]) == "" && !isLightVerb(all[0]) {
		return 0
	}
	for i, w := range all {
		if deedClass(w) == "" || isLightVerb(w) && i+1 < len(all) && hasDeed(all[i+1:]) {
			continue
		}
		plain := !wordClass(w).has(noun) && !isActionNoun(w)
		if plain && (first < 0 || i == len(all)-1 && !wordClass(w).has(weak)) || i > 0 && isLightVerb(all[i-1]) {
			return i
		}
		if first < 0 {
			first = i
		}
	}
	if first < 0 && len(all) > 0 && wordClass(all[0]).isVerb() {
		return 0
	}
	return first
}

func hasDeed(all []string) bool {
	for _, w := range all {
		if c := deedClass(w); c != "" && c != "read" && c != "search" {
			return true
		}
	}
	return false
}

// isGestureVerb reports whether a verb describes a motion of the hand, such as a click.
// Its effect depends on the element under the hand or pointer.
func isGestureVerb(w string) bool {
	switch w {
	case "click", "doubleclick", "press", "tap", "touch", "type", "drag", "swipe", "scroll", "hover", "key", "keypress", "switch":
		return true
	}
	return false
}

// isLightVerb reports whether w is a verb whose action is described by the noun after it,
// such as make in make_payment.
func isLightVerb(w string) bool {
	switch w {
	case "process", "make", "perform", "handle", "execute", "do", "initiate", "issue", "request", "submit", "trigger", "run", "start", "complete", "place", "create":
		return true
	}
	return false
}

// isActionNoun reports whether a word for an action has the ending of a noun, such as
// payment or cancellation.
func isActionNoun(w string) bool {
	return strings.HasSuffix(w, "ment") || strings.HasSuffix(w, "tion") || strings.HasSuffix(w, "al") && w != "withdrawal"
}

// isDeterminer reports whether a word only says which or how many things are meant, such
// as all or selected.
func isDeterminer(w string) bool {
	switch w {
	case "all", "every", "each", "any", "the", "a", "an", "this", "that", "these", "those", "it", "them", "bulk", "batch", "many", "multiple", "single",
		"selected", "selection", "selections", "flagged", "filtered", "marked", "current", "existing", "and", "or", "then", "api", "tool", "action":
		return true
	}
	return false
}

// deedClass returns the class of a verb or of a noun for an action, such as "remove" for
// delete and removal. It returns "" for a word without a class. Verbs in one class have the
// same effect on every object. Package verbs knows which verbs have it on some objects.
func deedClass(w string) string {
	if strings.IndexByte(w, '_') > 0 {
		if c := makingClass(w) + lookingClass(w); c != "" {
			return c
		}
		return w
	}
	for _, look := range [...]func(string) string{removingClass, makingClass, tellingClass, tradingClass, guardingClass, lookingClass} {
		if c := look(w); c != "" {
			return c
		}
	}
	return ""
}

func removingClass(w string) string {
	switch w {
	case "delete", "remove", "deletion", "removal":
		return "remove"
	case "cancel", "cancellation":
		return "cancel"
	case "archive", "unarchive", "hide", "unhide", "restore", "revoke", "reset", "rename", "merge", "split", "replace", "swap", "clear", "move", "copy":
		return w
	}
	return ""
}

func makingClass(w string) string {
	switch w {
	case "create", "add", "insert":
		return "create"
	case "update", "edit", "modify", "amend", "alter", "change", "set", "patch", "adjust", "revise", "write", "overwrite", "rewrite":
		return "update"
	case "append", "upload", "attach", "compose", "draft", "install", "uninstall", "deploy", "build", "publish", "submit", "schedule", "reschedule", "register", "subscribe", "unsubscribe", "save", "generate":
		return w
	case "start", "begin":
		return "start"
	case "log_in", "log_on", "sign_in", "sign_on":
		return "login"
	case "log_out", "log_off", "sign_out":
		return "logout"
	case "fill_in", "fill_out", "fill_up":
		return "fill"
	case "stop", "restart", "open", "reopen", "close", "lock", "unlock", "acquire", "release", "connect", "disconnect", "commit", "rollback", "init", "initialize", "initialise", "mount", "unmount", "login", "logout":
		return w
	}
	return ""
}

func tellingClass(w string) string {
	switch w {
	case "send", "email", "mail", "sms":
		return "send"
	case "acknowledge", "ack":
		return "acknowledge"
	case "notify", "inform", "alert", "remind", "warn", "escalate", "forward", "reply", "post", "comment", "message", "share", "invite", "mark", "tag", "label", "flag", "star":
		return w
	}
	return ""
}

func tradingClass(w string) string {
	switch w {
	case "payment":
		return "pay"
	case "reimbursement":
		return "refund"
	case "book", "reserve":
		return "book"
	case "pay", "refund", "buy", "return", "exchange", "transfer", "charge", "deposit", "withdraw", "order", "ship", "sell", "redeem", "upgrade", "downgrade", "renew", "extend":
		return w
	}
	return ""
}

func guardingClass(w string) string {
	switch w {
	case "approve", "approval":
		return "approve"
	case "reject", "enable", "disable", "assign", "unassign", "reassign", "grant", "suspend", "resume", "block", "unblock", "ban", "mute":
		return w
	}
	return ""
}

func lookingClass(w string) string {
	switch w {
	case "get", "fetch", "retrieve", "read", "look_up", "show", "view", "display", "lookup", "describe":
		return "read"
	case "search", "find", "query", "list", "browse", "locate":
		return "search"
	case "check", "verify", "validate", "confirm", "inspect", "ensure", "authenticate", "review", "identify", "test", "verification", "confirmation", "validation", "inspection":
		return "check"
	case "compute", "calculate", "estimate":
		return "compute"
	}
	return ""
}

// fieldWords has the words of tools that change or clear single fields of a thing. For them,
// null or an empty list is a value, and an argument that is not given leaves a field as it is.
const fieldWords = " update set edit modify change patch put replace clear reset configure unset overwrite save assign "

// ChangesFields reports whether the name of a tool says that it changes or clears single
// fields of a thing.
func ChangesFields(tool string) bool {
	for _, w := range NameWords(tool) {
		if wordlist.Contains(fieldWords, w) {
			return true
		}
	}
	return false
}

package violation

import (
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/participle"
	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/stage/sentences"
)

// The rules that depend on a sentence of the instructions. Each finding quotes the
// sentence.
const (
	PolicyState = "policy-state" // "can only be cancelled if its status is 'pending'"
	PolicyNever = "policy-never" // "basic economy flights cannot be modified"
	PolicyCount = "policy-count" // "at most one travel certificate"
	PolicyLimit = "policy-limit" // "never refund more than $100"
)

// policy holds the rules that readPolicy recognised in a run's instructions. Sentences of
// other forms are ignored.
type policy struct {
	consent string   // the sentence that requires the user's yes before a change; "" for none
	about   []string // the verbs of the changes that consent covers; nil for all
	states  []stateRule
	nevers  []neverRule
	counts  []countRule
	limits  []limitRule
}

type limitRule struct {
	verbs    []string
	most     string // as written in the instructions
	sentence string
}

type stateRule struct{ verb, field, value, sentence string }
type neverRule struct{ verb, value, noun, sentence string }
type countRule struct {
	most     int
	words    []string
	sentence string
}

// Memory keeps the rules of the last instructions that were read. Most runs of a file have
// the same ones. The zero value is empty. It is not for several goroutines at once.
type Memory struct {
	text      string
	sentences []string
	policy    policy
}

// read returns the sentences of instructions and their rules, which the caller must not
// change.
func (m *Memory) read(text string) ([]string, policy) {
	if m != nil && m.text == text {
		return m.sentences, m.policy
	}
	sentences := splitSentences(text)
	rules := readPolicy(sentences)
	if m != nil {
		*m = Memory{text, sentences, rules}
	}
	return sentences, rules
}

// mostRules is the number of rules of one form that are read in instructions: each change is compared with each.
const mostRules = 256

// readPolicy extracts the rules from the sentences of instructions, at most mostRules of each form. O(length).
func readPolicy(sentences []string) policy {
	var p policy
	for _, s := range sentences {
		low := strings.ToLower(s)
		if p.consent == "" && asksConsent(low) {
			p.consent, p.about = s, consentVerbs(low)
		}
		if r, ok := readLimit(low); ok && len(p.limits) < mostRules {
			r.sentence = s
			p.limits = append(p.limits, r)
		}
		if r, ok := readState(low); ok && len(p.states) < mostRules {
			r.sentence = s
			p.states = append(p.states, r)
		}
		if r, ok := readNever(low); ok && len(p.nevers) < mostRules {
			r.sentence = s
			p.nevers = append(p.nevers, r)
		}
		for _, r := range readCounts(low) {
			if len(p.counts) == mostRules {
				break
			}
			r.sentence = s
			p.counts = append(p.counts, r)
		}
	}
	return p
}

// splitSentences splits a text at line ends and at a full stop, exclamation mark or
// question mark before a space. It removes the marks of list items.
func splitSentences(text string) []string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		for line != "" {
			end := len(line)
			for i := 0; i+1 < len(line); i++ {
				if (line[i] == '.' || line[i] == '!' || line[i] == '?') && line[i+1] == ' ' {
					end = i + 1
					break
				}
			}
			if s := strings.Trim(line[:end], " \t-*#.!"); s != "" {
				out = append(out, s)
			}
			line = line[end:]
		}
	}
	return out
}

// asksConsent reports whether a sentence requires the user's consent before a change. It
// is false for sentences such as "Confirm the price" and "after user confirmation the
// status changes".
func asksConsent(s string) bool {
	holds := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
	}
	if !holds("confirm", "consent", "approval", "permission") || strings.HasPrefix(s, "after ") {
		return false
	}
	if holds("before", "without", "prior to", "to proceed") {
		return holds("user", "customer", "client", "explicit", "human", "obtain", "change", "action", "you ", "they")
	}
	return holds("with the user", "with the customer", "by the user", "by the customer", "from the user", "from the customer", "ask the user", "ask the customer", "user's", "customer's") &&
		holds("must", "always", "each", "every", "any ", "all ", "need", "have to", "obtain", "never")
}

// consentVerbs lists the verbs of the changes for which a sentence requires consent. For
// example, the verb is delete for "before deleting anything". It returns nil if the
// sentence covers all changes.
func consentVerbs(s string) []string {
	if holdsAny(s, []string{"any change", "any action", "any actions", "each change", "every change", "all changes", "change anything", "changing anything", "update", "updates", "modify",
		"actions", "writes", "changes", "consequential"}) {
		return nil
	}
	_, rest, found := strings.Cut(s, "before ")
	if !found {
		if _, rest, found = strings.Cut(s, "without "); !found {
			return nil
		}
	}
	return verbsIn(rest)
}

// verbsIn lists the verbs of changes in a text. The text may have them as participles
// (deleting, refunded) or as nouns (a deletion, refunds).
func verbsIn(text string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return r < 'a' || r > 'z' }) {
		for _, v := range verbStems(w) {
			if d := mutation.DeedOf(v); d.Verb == v && d.Effectful() || v != w && strings.HasSuffix(w, "ing") {
				out = append(out, v)
			}
		}
	}
	return out
}

// verbStems lists the verbs from which a word may come. For example, delete is one of
// them for deletion, deleting and deletes.
func verbStems(w string) []string {
	out := []string{w}
	for _, end := range [...]string{"ing", "ion", "ation", "ed", "s", "es", "al", "ment"} {
		if stem, ok := strings.CutSuffix(w, end); ok && len(stem) >= 3 {
			out = append(out, stem, stem+"e")
			if n := len(stem); stem[n-1] == stem[n-2] {
				out = append(out, stem[:n-1])
			}
		}
	}
	return out
}

// readLimit parses a sentence such as "never refund more than $100", "refunds above $100
// are not allowed" or "you may refund up to $100". It accepts only amounts with a
// currency sign.
func readLimit(s string) (r limitRule, ok bool) {
	forbids := holdsAny(s, []string{"never", "not", "cannot", "can't", "must not", "don't", "forbidden", "may not"})
	for _, m := range [...]struct {
		words   string
		forbids bool
	}{{"more than ", true}, {"above ", true}, {"over ", true}, {"exceeding ", true}, {"exceed ", true}, {"up to ", false}, {"at most ", false}, {"maximum of ", false}} {
		before, after, found := strings.Cut(s, m.words)
		if !found || m.forbids != forbids || strings.Contains(s, "unless") || strings.Contains(s, "except") || strings.Contains(s, "without") {
			continue
		}
		if sums := moneyAmounts(after); len(sums) == 1 && strings.IndexAny(after, "$€£") <= 1 {
			r.most, r.verbs = sums[0], verbsIn(before)
			if len(r.verbs) == 0 {
				r.verbs = strings.Fields(before) // one of them may be the verb of a tool's name
			}
			return r, true
		}
	}
	return r, false
}

// readState parses a sentence such as "… can only be cancelled if its status is
// 'pending'". A sentence without "only be" is parsed by readOnly. ok is false for any
// other sentence.
func readState(s string) (r stateRule, ok bool) {
	_, rest, ok := strings.Cut(s, "only be ")
	if !ok {
		return readOnly(s)
	}
	r.verb, rest, ok = strings.Cut(rest, " ")
	rest, when := strings.CutPrefix(rest, "if ")
	if !when {
		rest, when = strings.CutPrefix(rest, "when ")
	}
	condition, value, is := strings.Cut(rest, " is ")
	words := strings.Fields(condition)
	if !ok || !when || !is || len(words) == 0 || len(words) > 3 {
		return r, false
	}
	r.field = words[len(words)-1]
	r.value, ok = quotedValue(value)
	return r, ok
}

// readOnly parses a sentence such as "only cancel orders whose status is 'pending'". ok
// is false for any other sentence.
func readOnly(s string) (r stateRule, ok bool) {
	_, rest, ok := strings.Cut(" "+s, " only ")
	words := strings.Fields(rest)
	if !ok || len(words) < 6 {
		return r, false
	}
	for i := 2; i+3 < len(words) && i <= 5; i++ {
		if w := words[i]; (w == "whose" || w == "with" || w == "if" || w == "when" || w == "where") && words[i+2] == "is" {
			r.verb, r.field = words[0]+"ed", words[i+1]
			if strings.HasSuffix(words[0], "e") {
				r.verb = words[0] + "d"
			}
			r.value, ok = quotedValue(strings.Join(words[i+3:], " "))
			return r, ok
		}
	}
	return r, false
}

// quotedValue returns the quoted value at the beginning of a text. ok is false if there
// is none, or if later words such as "or" or "unless" may widen the condition.
func quotedValue(value string) (string, bool) {
	if strings.IndexAny(value, "'\"`‘“") != 0 {
		return "", false
	}
	value = strings.TrimLeft(value, "'\"`‘“")
	end := strings.IndexAny(value, "'\"`’”")
	if end <= 0 {
		return "", false
	}
	if rest := value[end:]; strings.Contains(rest, " or ") || strings.Contains(rest, "unless") || strings.Contains(rest, "except") {
		return "", false
	}
	return value[:end], true
}

// readNever parses a sentence such as "basic economy flights cannot be modified". A
// sentence without "cannot be" or a similar phrase is parsed by readThat. ok is false for
// any other sentence.
func readNever(s string) (r neverRule, ok bool) {
	for _, cannot := range [...]string{" cannot be ", " can not be ", " can't be ", " must not be ", " must never be ", " may not be "} {
		before, after, found := strings.Cut(s, cannot)
		if !found {
			continue
		}
		if i := strings.LastIndexAny(before, ":;,("); i >= 0 {
			before = before[i+1:]
		}
		after = strings.Trim(after, " .!")
		words := strings.Fields(before)
		if strings.Contains(after, " ") || len(words) < 2 || len(words) > 4 {
			return r, false // a condition follows, or there is no value
		}
		if words[0] == "a" || words[0] == "an" || words[0] == "the" || words[0] == "any" {
			words = words[1:]
		}
		if len(words) < 2 {
			return r, false
		}
		last := len(words) - 1
		return neverRule{verb: after, value: strings.Join(words[:last], " "), noun: words[last]}, true
	}
	return readThat(s)
}

// readThat parses a sentence such as "never cancel an order that has been shipped". ok is
// false for any other sentence.
func readThat(s string) (r neverRule, ok bool) {
	for _, never := range [...]string{"never ", "do not ", "don't ", "must not ", "cannot ", "can't ", "may not "} {
		_, rest, found := strings.Cut(s, never)
		words := strings.Fields(rest)
		if !found || len(words) < 4 || len(words) > 9 {
			continue
		}
		that := slices.IndexFunc(words, func(w string) bool { return w == "that" || w == "which" || w == "if" || w == "when" })
		if that < 2 || that > 4 {
			continue
		}
		state := slices.DeleteFunc(slices.Clone(words[that+1:]), func(w string) bool {
			return slices.Contains([]string{"has", "have", "is", "are", "was", "were", "been", "already", "it", "its", "status", "state", "they"}, w)
		})
		if len(state) == 0 || len(state) > 2 || that+1+len(state) == len(words) {
			continue // without "is" or "has been" it is not a state
		}
		r.verb, r.value = words[0]+"ed", strings.Trim(strings.Join(state, " "), "'\"`.")
		if strings.HasSuffix(words[0], "e") {
			r.verb = words[0] + "d"
		}
		return r, true
	}
	return r, false
}

var numerals = [...]string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}

// readCounts returns a rule for each "at most" in a sentence. For example, it returns two
// rules for "at most one travel certificate, at most three gift cards".
func readCounts(s string) []countRule {
	var out []countRule
	for {
		_, rest, found := strings.Cut(s, "at most ")
		if !found {
			return out
		}
		s = rest
		part := rest
		if i := strings.IndexAny(part, ",.;("); i >= 0 {
			part = part[:i]
		}
		words := strings.Fields(part)
		if len(words) < 2 || len(words) > 4 {
			continue
		}
		n := slices.Index(numerals[:], words[0])
		if n < 0 {
			var err error
			if n, err = strconv.Atoi(words[0]); err != nil {
				continue
			}
		}
		out = append(out, countRule{most: n, words: words[1:]})
	}
}

// lintPolicy returns the findings about a change that took effect although the
// instructions forbid it.
func (l *linter) lintPolicy(i int) []Finding {
	a := &l.Obs[i]
	var found []Finding
	say := func(rule, reason, sentence, observed string) {
		f := l.newFinding(StartBoundary, PreconditionIgnorance, rule, i, reason)
		f.Evidence = []Evidence{{Path: "the instructions", Reference: sentence, Observed: observed}}
		found = append(found, f)
	}
	own := mutation.DeedOf(a.Name)
	for _, r := range l.policy.states {
		if !participle.Fits(r.verb, &own) {
			continue
		}
		if state, ok := l.fieldOf(i, r.field); ok && !strings.HasPrefix(plainWords(state), plainWords(r.value)) {
			say(PolicyState, sentences.FieldForbids.With(a.Name, r.field, strconv.Quote(state), strconv.Quote(r.value)), r.sentence, state)
		}
	}
	for _, r := range l.policy.nevers {
		if participle.Fits(r.verb, &own) && (r.noun == "" || l.changesNoun(i, r.noun)) && l.isValue(i, r.value) {
			say(PolicyNever, sentences.NeverOn.With(a.Name, r.value), r.sentence, r.value)
		}
	}
	if sums := l.amountsOf(i); len(sums) > 0 {
		for _, r := range l.policy.limits {
			if sum := r.exceededBy(sums, a.Name); sum != "" {
				say(PolicyLimit, sentences.AboveLimit.With(a.Name, sum, r.most), r.sentence, sum)
			}
		}
	}
	for _, r := range l.policy.counts {
		if n := countNamed(a, r.words); n > r.most {
			say(PolicyCount, sentences.AboveCount.With(a.Name, strconv.Itoa(n), strings.Join(r.words, " "), strconv.Itoa(r.most)), r.sentence, strconv.Itoa(n))
		}
	}
	return found
}

// window is the number of earlier actions whose answers the rules examine.
const window = 200

// lastRecord returns the last answer before action i that describes the action's entity.
// The answer must be an object that has an identifying argument of the action as a
// member. The second result is false if there is no such answer.
func (l *linter) lastRecord(i int) (jsonval.Value, bool) {
	if l.Answer == nil {
		return jsonval.Value{}, false
	}
	scope := l.Obs[i].Scope()
	for j := i - 1; j >= max(0, i-window); j-- {
		a := &l.Obs[j]
		if a.Failed || !slices.ContainsFunc(a.Scope(), func(e string) bool { return slices.Contains(scope, e) }) {
			continue
		}
		if v, err := jsonval.Parse(l.Answer(j)); err == nil && v.Kind() == jsonval.Object && isAbout(v, &l.Obs[i]) {
			return v, true
		}
	}
	return jsonval.Value{}, false
}

// isAbout reports whether an object describes the entity of an action. The object must
// have at least one identifying argument of the action as a member. No such member may
// have a different value.
func isAbout(v jsonval.Value, a *boundary.Action) bool {
	about := false
	for _, leaf := range a.Leaves {
		if leaf.Path != leaf.Key || !boundary.Identifies(leaf.Key, leaf.Value) {
			continue
		}
		if m := v.Get(leaf.Key); m.Exists() {
			if similarity.NormalText(m) != leaf.Value {
				return false
			}
			about = true
		}
	}
	return about
}

// fieldOf returns the value of a field in the record of an action's entity (see
// lastRecord).
func (l *linter) fieldOf(i int, field string) (string, bool) {
	v, ok := l.lastRecord(i)
	if !ok {
		return "", false
	}
	s, ok := v.Get(field).Str()
	return s, ok
}

// isValue reports whether the record of an action's entity has a member with the given
// value.
func (l *linter) isValue(i int, value string) bool {
	v, ok := l.lastRecord(i)
	found := false
	if ok {
		v.Each(func(_ string, m jsonval.Value) bool {
			s, is := m.Str()
			found = is && plainWords(s) == plainWords(value)
			return !found
		})
	}
	return found
}

// changesNoun reports whether action i changes the thing that a noun names. The action
// must have an argument with this name, and the argument's value must differ from the
// record.
func (l *linter) changesNoun(i int, noun string) bool {
	a := &l.Obs[i]
	given, err := jsonval.Parse(a.Raw)
	if err != nil {
		return false
	}
	if arg := given.Get(noun); arg.Exists() {
		v, ok := l.lastRecord(i)
		return ok && !isWithinRecord(arg, v.Get(noun))
	}
	return false
}

// isWithinRecord reports whether an argument adds nothing to the record. Each scalar in
// the argument must equal the scalar at the same path of the record. Numbers (prices,
// counts) are ignored.
func isWithinRecord(arg, record jsonval.Value) bool {
	if arg.Kind() != record.Kind() {
		return false
	}
	switch arg.Kind() {
	case jsonval.Array:
		a, r := arg.Elements(), record.Elements()
		if len(a) != len(r) {
			return false
		}
		for i := range a {
			if !isWithinRecord(a[i], r[i]) {
				return false
			}
		}
		return true
	case jsonval.Object:
		same := true
		arg.Each(func(key string, m jsonval.Value) bool {
			same = isWithinRecord(m, record.Get(key))
			return same
		})
		return same
	}
	return arg.Kind() == jsonval.Number || jsonval.Equal(arg, record)
}

// countNamed returns the number of different ids in an action that belong to an item,
// such as a travel certificate. words is the name of the item. For example, the id
// certificate_12 belongs to "travel certificate".
func countNamed(a *boundary.Action, words []string) int {
	var seen []string
	name := make([]string, len(words))
	for i, w := range words {
		name[i] = strings.TrimSuffix(strings.ToLower(w), "s")
	}
	for _, l := range a.Leaves {
		if !boundary.Identifies(l.Key, l.Value) || slices.Contains(seen, l.Value) {
			continue
		}
		value := strings.ToLower(strings.Trim(l.Value, `"`))
		cut := strings.IndexAny(value, "0123456789")
		if cut <= 1 {
			continue
		}
		kind := strings.FieldsFunc(value[:cut], func(r rune) bool { return r == '_' || r == '-' })
		if len(kind) > 0 && len(kind) <= len(name) && slices.Equal(kind, name[len(name)-len(kind):]) {
			seen = append(seen, l.Value)
		}
	}
	return len(seen)
}

// plainWords returns the words of a text in lower case, separated by single spaces.
func plainWords(s string) string { return strings.Join(splitName(s), " ") }

// amountsOf returns the sums of money that action i pays, as they are written.
func (l *linter) amountsOf(i int) (sums []string) {
	if l.Origins == nil {
		return nil
	}
	for _, o := range l.Origins(i) {
		if o.Class == provenance.Money && hasWord(keyOf(o.Path), payments...) {
			sums = append(sums, o.Raw)
		}
	}
	return sums
}

// exceededBy returns the first of the sums that an action of the given name pays above a limit, or "".
func (r *limitRule) exceededBy(sums []string, name string) string {
	most, _ := strconv.ParseFloat(r.most, 64)
	for _, sum := range sums {
		if f, err := strconv.ParseFloat(trimNumber(strings.Trim(sum, "\"$€£ ")), 64); err == nil && f > most && verbMatches(r.verbs, name) {
			return sum
		}
	}
	return ""
}

// verbMatches reports whether the verb of a tool's name is one of the given verbs, or
// belongs to the same class as one of them.
func verbMatches(verbs []string, name string) bool {
	d, words := mutation.DeedOf(name), mutation.NameWords(name)
	return slices.ContainsFunc(verbs, func(v string) bool {
		other := mutation.DeedOf(v)
		return len(words) > 0 && v == words[0] || other.Class != "" && other.Class == d.Class
	})
}

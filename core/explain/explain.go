// Package explain says in words what the names in a report mean: types,
// patterns, rules, verdicts, metrics, profiles and failure modes.
package explain

import "strings"

// Entry is one name with its meaning.
type Entry struct {
	Word  string
	Kind  string // type, pattern, rule, verdict, metric, profile, mode
	Short string // one sentence
	Long  string // how it is found, and what to do about it; may be ""
}

// Of finds what a word means; letter case does not matter.
func Of(word string) (Entry, bool) {
	for _, e := range All() {
		if strings.EqualFold(e.Word, strings.TrimSpace(word)) {
			return e, true
		}
	}
	return Entry{}, false
}

// Short is the one sentence for a word, "" for an unknown one.
func Short(word string) string {
	e, _ := Of(word)
	return e.Short
}

// All lists every entry, grouped by kind.
func All() []Entry {
	return append(append(types(), rules()...), words()...)
}

func types() []Entry {
	return []Entry{
		{"over-action", "type", "The agent did too much.", "An action with an effect that the reference does not have, or one that reaches further than it should. Look at what it changed beyond the task, and narrow its scope."},
		{"under-action", "type", "The agent did too little.", "A step of the reference was not done, was done for something else, or left part of its scope out."},
		{"over-granular", "type", "The agent split one action into more than it needs.", ""},
		{"under-granular", "type", "The agent put several steps into one.", "Steps that would have produced a value were skipped, and the action carries a value that stands nowhere before it: a guess in their place."},
		{"start-boundary", "type", "An action began in the wrong place.", "Its preconditions did not hold yet: a check came after the change that it guards, or a step before one that it has to wait for."},
		{"end-boundary", "type", "An action, or the run, ended in the wrong place.", "The right things were touched and left in another state, a closing step is missing, or the run was cut off."},
		{"missing-verification", "pattern", "A check was left out before a change.", "Have the agent look at the entity before it changes it."},
		{"missing-confirmation", "pattern", "The user's consent was not asked for.", "Put a confirmation gate in front of the call."},
		{"scope-overgeneralisation", "pattern", "The action reached for more entities than were asked for.", "All, every, a wildcard, or one identifier too many."},
		{"premature-termination", "pattern", "The run stopped before everything was done.", ""},
		{"unnecessary-decomposition", "pattern", "The same was done in more steps, or again.", ""},
		{"precondition-ignorance", "pattern", "The agent went ahead although its precondition had failed.", "An error, or a step that had to come first, was passed over."},
	}
}

func rules() []Entry {
	return []Entry{
		{"extra-action", "rule", "The agent did something that the reference does not have.", "Only actions that may change state count; extra reads, failed calls and control actions are excused."},
		{"missing-step", "rule", "A step of the reference was not done.", "Under outcome only steps that change state, or are marked as required, count."},
		{"wrong-arguments", "rule", "The right action with other arguments than the reference has.", "Scope first: other or more entities are too much, fewer are too little; the same entities with other values end in another state."},
		{"out-of-order", "rule", "A step was done before what it has to wait for.", "A check after the change that it guards, or two changes on a common entity in the other order."},
		{"collapsed-steps", "rule", "One action does what the reference does in several steps.", "Found where the action carries a value that the reference leaves open and nothing before it gave."},
		{"forbidden-action", "rule", "The agent did what the reference rules out.", "A must-not step, under every profile."},
		{"output-not-said", "rule", "The user was not told what the reference says they must be told.", "Letter case and thousands commas do not matter."},
		{"cut-off", "rule", "The run was cut off before it ended by itself.", "The source says so: a limit on steps, errors or cost."},
		{"state-differs", "rule", "The replay ends in another state than the reference.", "A benchmark's checker did both again and compared what they left behind."},
		{"goal-not-reached", "rule", "The run ends before its goal is reached.", "A benchmark's checker followed the observations and tested the goal."},
		{"all-quantified", "rule", "A change reaches for everything, not for named entities.", "Found without a reference, by the words of the name and the arguments."},
		{"repeated-write", "rule", "A change was made again with the same arguments.", "Found without a reference. Setting twice may be harmless; paying twice is not."},
		{"repeated-call", "rule", "The same call was made three times or more in a row.", "Found without a reference: the agent may be stuck."},
		{"write-after-error", "rule", "A change went ahead although the action before it had failed.", "Found without a reference, where both name the same entity."},
		{"unread-before-write", "rule", "Something was changed that no earlier action had looked at.", "Found without a reference."},
		{"unconfirmed-write", "rule", "A change was made without a yes, where the instructions ask for one.", "Found without a reference: the system message speaks of confirming, and the user's last words before the change hold no consent."},
		{"stops-after-error", "rule", "The run ends with an error, and nothing was done about it.", "Found without a reference."},
	}
}

func words() []Entry {
	return []Entry{
		{"correct", "verdict", "The action is what the reference asks for.", ""},
		{"excused", "verdict", "The action differs and comes to the same.", "By effect (normalised arguments, reads, failed calls, moved steps), by state (a replay) or by outcome."},
		{"note", "verdict", "Worth showing, and costs nothing.", "Under outcome, a missing step that changes no state."},
		{"violation", "verdict", "A boundary broke.", ""},
		{"abs", "metric", "Action boundary score: the share of actions with a correct boundary.", "agent divides by |A| (the equation), max by max(|A|, |A*|) (the case studies). 1 is best."},
		{"gar", "metric", "Granularity alignment: how near the two lengths are.", "1 − ||A| − |A*|| / max(|A|, |A*|). 1 is best."},
		{"svr", "metric", "Scope violation rate: violations of too much and too little per action.", "0 is best; it may exceed 1."},
		{"sr", "metric", "Success rate, as the source recorded it.", ""},
		{"basr", "metric", "Boundary-aware success rate: successes whose ABS is above 0.8.", "SR − BASR is the share of lucky successes."},
		{"luckySuccess", "metric", "Successes whose boundaries were not kept.", "SR − BASR."},
		{"pass^k", "metric", "The chance that k trials of a task all succeed.", "Mean over tasks of C(c, k) / C(n, k)."},
		{"outcome", "profile", "Asks what changed.", "A missing step that changes no state is a note. The default for references that come with a benchmark."},
		{"sop", "profile", "Asks whether each step was done.", "Every step of the reference is required. The default for references that a person wrote."},
		{"mutating", "verdict", "Changes the environment: yes, no or unknown, and unknown counts as yes.", ""},
		{"tool-selection-error", "mode", "The agent chose another kind of action than the reference has there.", ""},
		{"boundary-violation", "mode", "The right kind of action with the wrong scope, steps or end.", ""},
		{"state-tracking-failure", "mode", "The agent acted on a value that its observations contradict.", ""},
		{"reasoning-error", "mode", "The agent argued in its own words for leaving a step out.", ""},
	}
}

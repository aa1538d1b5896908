package report

import "github.com/boundcheck/boundcheck/core/explain"

// unions maps each member that has only a few possible strings to the name of its union.
var unions = map[string]string{
	"Report.profile": "ReportProfile", "Trajectory.profile": "Profile", "Action.mutating": "Mutating",
	"Row.op": "Op", "Row.verdict": "Verdict", "Row.stage": "Stage",
	"Violation.type": "ViolationType", "Violation.pattern": "Pattern", "Violation.rule": "Rule", "Violation.by": "By",
	"Opinion.route": "Route", "Cause.mode": "Mode", "Precondition.kind": "PreconditionKind", "Origin.kind": "OriginKind",
	"Story.kind": "StoryKind", "Event.kind": "EventKind", "Quote.by": "Speaker",
	"Decision.decision": "GateDecision", "Parameters.denominator": "Denominator", "Parameters.without": "EquivalenceStage",
}

// union is a type with a few possible strings.
type union struct {
	name, doc string
	values    []string
}

// allUnions returns the unions. A union is a type with a few possible strings.
func allUnions() []union {
	words := func(kind string) (out []string) {
		for _, e := range explain.All() {
			if e.Kind == kind {
				out = append(out, e.Word)
			}
		}
		return out
	}
	return []union{
		{"Profile", "The part of a run that is compared with the reference: its changes (outcome) or each step (sop).", []string{"outcome", "sop"}},
		{"ReportProfile", "The profile of the runs; mixed if they have different profiles.", []string{"outcome", "sop", "mixed"}},
		{"ViolationType", "The way in which a boundary broke.", words("type")},
		{"Pattern", "The pattern of the finding.", words("pattern")},
		{"Rule", "The rule that made the finding; boundcheck explain RULE says how often the rule was right.", words("rule")},
		{"Verdict", "The verdict on a row of the alignment.", []string{"correct", "excused", "note", "violation"}},
		{"Op", "The operation of a row of the alignment.", []string{"match", "substitution", "insertion", "deletion"}},
		{"Stage", "The stage that excused a row.", []string{"state", "effect", "outcome", "judge"}},
		{"EquivalenceStage", "A stage of equivalence that can be disabled.", []string{"state", "effect", "outcome"}},
		{"Denominator", "The denominator of ABS. The value agent is the number of the agent's actions. The value max is the larger of the numbers of actions and reference steps, without excused extra actions and optional steps that were left out.", []string{"agent", "max"}},
		{"By", "Who made the finding.", []string{"rule", "lint", "judge", "person"}},
		{"Mutating", "Whether an action may change something; unknown counts as yes.", []string{"yes", "no", "unknown"}},
		{"Route", "How a judge's opinion was used.", []string{"accepted", "noted", "queued", "no-opinion"}},
		{"Mode", "The way in which a run went wrong.", words("mode")},
		{"PreconditionKind", "Why an earlier action belongs to a boundary.", []string{"value", "entity", "check", "consent", "opening", "stated"}},
		{"OriginKind", "Where a value came from.", []string{"user", "tool", "policy", "schema", "computed", "nowhere", "chosen"}},
		{"StoryKind", "What a story is about: the right call with other arguments (differs), an extra call, such a call instead of a missing one, missing calls, texts that were never said, what may be the reason of a recorded failure (suspected), or any other finding.", []string{"differs", "extra", "instead", "missing", "unsaid", "suspected", "found"}},
		{"EventKind", "What came in place of a missing call.", []string{"handed-over", "refused", "proposed", "no-change"}},
		{"Speaker", "Whose sentence it is.", []string{"user", "policy", "data"}},
		{"GateDecision", "Whether a call may run.", []string{"allow", "confirm"}},
	}
}

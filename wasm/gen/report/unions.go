package report

import "github.com/boundcheck/boundcheck/core/explain"

// unions are the members whose texts come from a closed list.
var unions = map[string]string{
	"Report.profile": "ReportProfile", "Trajectory.profile": "Profile", "Action.mutating": "Mutating",
	"Row.op": "Op", "Row.verdict": "Verdict", "Row.stage": "Stage",
	"Violation.type": "ViolationType", "Violation.pattern": "Pattern", "Violation.rule": "Rule", "Violation.by": "By",
	"Opinion.route": "Route", "Cause.mode": "Mode", "Precondition.kind": "PreconditionKind", "Origin.kind": "OriginKind",
	"Decision.decision": "GateDecision", "Parameters.denominator": "Denominator", "Parameters.without": "EquivalenceStage",
}

// union is a list of texts and the name of its type.
type union struct {
	name, doc string
	values    []string
}

// lists returns the unions. The names that may occur in a report come from core/explain.
func lists() []union {
	words := func(kind string) (out []string) {
		for _, e := range explain.All() {
			if e.Kind == kind {
				out = append(out, e.Word)
			}
		}
		return out
	}
	return []union{
		{"Profile", "What a run is held to.", []string{"outcome", "sop"}},
		{"ReportProfile", "What the runs are held to; mixed where they differ.", []string{"outcome", "sop", "mixed"}},
		{"ViolationType", "Where a boundary broke.", words("type")},
		{"Pattern", "What the finding is a case of.", words("pattern")},
		{"Rule", "What found it; boundcheck explain RULE says how often it was right.", words("rule")},
		{"Verdict", "What a row of the alignment comes to.", []string{"correct", "excused", "note", "violation"}},
		{"Op", "A row of the alignment.", []string{"match", "substitution", "insertion", "deletion"}},
		{"Stage", "What a row is excused by.", []string{"state", "effect", "outcome", "judge"}},
		{"EquivalenceStage", "A stage of equivalence that may be switched off.", []string{"state", "effect", "outcome"}},
		{"Denominator", "What ABS is divided by: the agent's actions, or the larger side's.", []string{"agent", "max"}},
		{"By", "Who found it.", []string{"rule", "lint", "judge", "person"}},
		{"Mutating", "Whether an action may change something; unknown counts as yes.", []string{"yes", "no", "unknown"}},
		{"Route", "What became of a judge's opinion.", []string{"accepted", "noted", "queued", "no-opinion"}},
		{"Mode", "Why a run went wrong.", words("mode")},
		{"PreconditionKind", "How an earlier action belongs to a boundary.", []string{"value", "entity", "check", "consent", "opening", "stated"}},
		{"OriginKind", "Where a value came from.", []string{"user", "tool", "policy", "schema", "computed", "nowhere", "chosen"}},
		{"GateDecision", "Whether a call may run.", []string{"allow", "confirm"}},
	}
}

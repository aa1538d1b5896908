package violation

import "slices"

// Rules returns the ids of all rules, sorted. Finding.Rule is one of them.
func Rules() []string { return slices.Clone(ruleIDs) }

var ruleIDs = []string{
	"all-quantified", "altered-value", "claimed-more", "claimed-not-done", "collapsed-steps",
	"cut-off", "ends-on-failing-test", "excepted-action", "excepted-entity", "extra-action", "failed-check",
	"forbidden-action", "force-push", "goal-not-reached", "instructed-by-data", "less-than-asked", "merged-steps",
	"missing-step", "more-than-asked", "no-agreement", "other-entity", "other-than-agreed", "out-of-order",
	"output-not-said", "outside-asked", "partly-done", "policy-count", "policy-limit", "policy-never",
	"policy-state", "refused-changes", "refused-write", "repeated-call", "repeated-write", "secret-read", "skipped-check",
	"split-action", "stands-apart", "state-differs", "stops-after-error", "unannounced-amount",
	"unasked-change", "unasked-delete", "unasked-number", "unclear-consent", "unconfirmed-write",
	"ungrounded-value", "unmet-precondition", "unread-before-write", "weakened-test",
	"wider-than-asked", "write-after-error", "wrong-arguments",
}

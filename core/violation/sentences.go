package violation

// The sentences of findings about a step with other arguments and about a missing step. A
// sentence says only what was compared: each place of a value is filled with the compared
// part itself.
const (
	sayReadDiffers    = "the required step %s was done with other arguments: %s"
	sayTextDiffers    = "the agent did %q, but the reference has %q"
	sayWiderPattern   = "action %s acted on more than the reference, on %s instead of %s"
	sayNarrowPattern  = "action %s acted on less than the reference, on %s instead of %s"
	sayWholeForPart   = "action %s acted on %s, but the reference acts only on the part %s"
	sayPartForWhole   = "action %s acted on %s, which is only a part of %s"
	sayScope          = "%s acted on %s"
	sayLimitMissing   = "action %s acted on more than the reference, because the limit %s is missing"
	sayLeftOut        = "%s left out %s"
	sayMoreElements   = "%s acted on more than the reference: %s"
	sayFewerElements  = "%s acted on less than the reference: %s"
	sayAlsoDoes       = "%s also does %s, which the reference does not"
	sayDoesNotDo      = "%s does not do %s, which the reference does"
	sayForced         = "%s goes further than the reference: %s"
	sayHeldBack       = "%s does not go as far as the reference: %s"
	sayArgumentsLack  = "%s does not have all arguments of the reference: %s"
	sayOtherValues    = "%s was called with other arguments: %s"
	sayOtherState     = "%s acted on the same %s, but with other arguments: %s"
	sayUnsure         = "; a difference that only a judge can settle"
	sayTriedOther     = "the required step %s was tried %s, but refused: %s"
	sayTried          = "the required step %s was tried as action %d, but the action failed"
	sayTriedProposed  = "the required step %s was proposed as action %d, but the action was not executed"
	sayCollapsed      = "%s was done without %s, so the agent guessed the value of %s"
	saySelection      = "%s acted on what %s had selected, but the reference selects with %s"
	sayEverything     = "everything, but the reference acts only on a part"
	sayInstead        = " instead of "
	sayReferenceNot   = ", but the reference does not"
	sayValueInstead   = "%s is %s instead of %s"
	sayValueLacks     = "%s = %s is missing"
	sayValueExtra     = "%s = %s is not in the reference"
	sayMoreDifferents = "%s and %d more"
)

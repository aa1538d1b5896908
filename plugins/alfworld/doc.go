// Package alfworld is the bundled checker for ALFWorld, the household game in text. It
// tracks the game's facts (where objects lie, what the agent holds, what is open,
// clean, hot, cool, switched on, sliced) from the commands and their observations
// alone. It then decides two questions: was the task's goal reached, and do the facts
// end as those of the reference?
//
//	command.go   the commands that an agent may type
//	template.go  sentences with gaps, by which commands and observations are parsed
//	facts.go     the facts: what was known first, and what changed
//	observe.go   what the game's sentences say about facts
//	game.go      runs the commands: reads each observation, or foresees a missing one
//	goal.go      the goals, by task type and by the sentence that states them
//
// There is no database to load: the observations are the evidence. The agent's place is
// tracked because one goal asks for it, but it is not part of a final state. No goal
// asks whether a receptacle is open, so such a difference is listed and never decides.
// No rule here names a task, its objects, or a file of runs.
package alfworld

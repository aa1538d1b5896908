// Package alfworld is the bundled checker for ALFWorld, the household game in
// text. It keeps the game's facts (what lies where, what is held, open, clean,
// hot, cool, switched on, sliced) from the commands and their observations alone,
// and asks them two questions: was the task's goal reached, and do the facts end
// as those of the reference.
//
//	command.go   what an agent may type
//	template.go  sentences with gaps, which commands and observations are read by
//	facts.go     the facts, what was known first and what became of it
//	observe.go   what the game's sentences say about facts
//	game.go      a run of commands: each observation read, or foreseen where none is
//	goal.go      the goals, by task type and by the sentence that states them
//
// There is no database to load: the observations are the evidence. Where the agent
// stands is kept, because one goal asks for it, but is no part of a final state; and
// no goal asks whether a receptacle stands open, so that such a difference is
// listed and never decides. No rule here names a task, its objects, or a file of runs.
package alfworld

// Package theagentcompany is the bundled checker for TheAgentCompany, where an agent
// works in an office of four web services with a shell, an editor, a browser and a
// chat. It reads the agent's actions as effects: on files, on the history of
// repositories, by requests to other machines, by messages to people, and on pages.
//
//	side.go        one run: its actions applied to a world
//	browse.go      the browser: which steps only read, and which may change something
//	chat.go        messages to people, however they are sent
//	checkpoint.go  the benchmark's own checkpoints, and the score that results
//	replay.go      the outcome, and the difference between two runs
//	check.go       the rows of an alignment
//
// The services are not available offline, so the outcome is the recorded result of the
// benchmark's own checkpoints: one assertion each, with its points. A step in the
// browser names an element by a number that is new on every page. The effect of such a
// step is unknown, and it is never called equal to another. No rule here names a task
// or a file of runs.
package theagentcompany

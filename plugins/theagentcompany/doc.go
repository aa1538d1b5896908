// Package theagentcompany is the bundled checker for TheAgentCompany, where an agent
// works in an office of four web services with a shell, an editor, a browser and a
// chat. What it does is read as effects: on files, on the history of repositories, by
// requests to other machines, by messages to people, and on pages.
//
//	side.go        one run: its actions made in a world
//	browse.go      the browser: which steps only look, which may change something
//	chat.go        messages to people, by whichever way they are sent
//	checkpoint.go  the benchmark's own checkpoints, and the score that they come to
//	replay.go      the outcome, and the difference between two runs
//	check.go       the rows of an alignment
//
// The services cannot be had offline, so the outcome is what the benchmark's own
// checkpoints gave, as recorded: an assertion each, with its points. A step in the
// browser names an element by a number that is new on every page; what it does is not
// known, and never called equal to another. No rule here names a task or a file of runs.
package theagentcompany

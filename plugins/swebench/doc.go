// Package swebench is the bundled checker for SWE-bench, where an agent repairs a
// program in a shell and submits a diff. It reads the effects of the run's commands and
// edits, and compares the resulting files with the reference's.
//
//	side.go      one run: its actions applied to a world of files
//	terminal.go  the commands of the agents' own terminal: open, edit, create
//	root.go      the directory of the repository
//	replay.go    the outcome, and the difference between two runs
//	check.go     the rows of an alignment
//
// A run's final diff, if recorded, is the whole truth about its files; otherwise its
// edits are. The benchmark's own verdict, resolved or not, comes from tests that cannot
// run here. It is taken from the record, or from the tests' recorded results, and
// contradicted only if the run itself rules it out. Actions that cannot be read are
// never called equivalent. No rule here names a task, a repository, or a file of runs.
package swebench

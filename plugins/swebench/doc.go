// Package swebench is the bundled checker for SWE-bench, where an agent mends a
// program in a shell and hands in a diff. What it does is read from its commands and
// edits, and held against the reference by what becomes of the files.
//
//	side.go      one run: its actions made in a world of files
//	terminal.go  the commands of the agents' own terminal: open, edit, create
//	root.go      where in the file system the repository stands
//	replay.go    the outcome, and the difference between two runs
//	check.go     the rows of an alignment
//
// A run's final diff, where it is recorded, is the whole truth about its files; where
// none is, its edits are. The benchmark's own verdict, resolved or not, comes from
// tests that cannot be run here: it is taken from the record, or from the tests'
// recorded results, and contradicted only where the run itself rules it out. What cannot be
// read is never called equivalent. No rule here names a task, a repository, or a file
// of runs.
package swebench

// Package taubench is the bundled checker for τ-bench and τ²-bench, airline and retail.
// It repeats a run's calls on a fresh copy of the benchmark's own database and the
// reference's calls on another copy, and compares the two final states. So a run is
// judged by its effects, not by the text of its trace.
//
//	py    Python's values, numbers and exceptions, as far as results show them
//	env   the two environments: databases, tools, sessions
//
// The databases are the user's. Without them only the effects that the calls ask for
// are compared, and the answer says so. No rule here names a task, the id of a row, or
// a file of runs.
package taubench

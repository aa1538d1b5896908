// Package taubench is the bundled checker for τ-bench and τ²-bench, airline and
// retail: it makes a run's calls again on a fresh copy of the benchmark's own
// database, makes the reference's calls on another, and compares the two final
// states. What the run did then counts, not what its trace looks like.
//
//	py    Python's values, numbers and exceptions, as far as results show them
//	env   the two environments: databases, tools, sessions
//
// The databases are the user's: without them the written effects are compared, and
// the answer says so. No rule here names a task, an id of a row, or a file of runs.
package taubench

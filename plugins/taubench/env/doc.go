// Package env is the airline and the retail environment of τ-bench and τ²-bench:
// their tools, with their results and their errors, on a database that the user
// gives. The behaviour is the benchmark's, read off its published source (MIT) and
// held to its recorded outputs byte for byte; the code is this project's own.
//
//	World     what the user gave: the databases found in it
//	Database  one domain's tables, rows as text until a tool asks for one
//	Session   one run: a private copy of each row that a tool touched
//
// A World is read-only after Open and may be shared; a Session belongs to one run.
package env

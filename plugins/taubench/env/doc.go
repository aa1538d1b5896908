// Package env holds the airline and the retail environment of τ-bench and τ²-bench:
// their tools, with their results and errors, on the user's databases. The behaviour is
// the benchmark's, taken from its published source (MIT) and compared with its recorded
// outputs byte for byte; the code is this project's own.
//
//	World     the databases found in the user's files
//	Database  one domain's tables; a row is text until a tool needs it
//	Session   one run: a private copy of each row that a tool touched
//
// A World is read-only after Open and may be shared; a Session belongs to one run.
package env

// Package tau provides the airline and retail domains of τ-bench and τ²-bench as
// environments, with their tools, policies, tasks and rewards. It reads the benchmarks'
// texts and data from a folder that the user names; the program contains none of them. The
// code for replays executes the tools
// ([github.com/boundcheck/boundcheck/plugins/taubench/env]).
package tau

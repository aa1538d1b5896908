// Package tau runs the domains of τ-bench and τ²-bench step by step: airline and retail,
// with their tools, policy, tasks and reward. It reads the benchmarks' texts and data
// from the folder that the user names; the program contains none of them. The tools are
// executed by the code for replays
// ([github.com/boundcheck/boundcheck/plugins/taubench/env]).
package tau

// Package tau makes the desks of τ-bench and τ²-bench steppable: airline and retail, with
// their tools, policy, tasks and reward. The benchmarks' texts and data are read from the
// folder that the user gives; none of them is in the program. What the tools do is the
// replay's ([github.com/boundcheck/boundcheck/plugins/taubench/env]).
package tau

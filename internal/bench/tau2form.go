package bench

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/internal/bench/env"
)

// begun is the time in τ²'s results. It is constant, so that a repeated experiment has the
// same bytes.
const begun = "1970-01-01T00:00:00"

// termination maps the reason for a run's end to τ²'s name for that reason.
var termination = map[string]string{"user": "user_stop", "tool": "agent_stop", "turns": "max_steps"}

// tau2 returns the results in τ²'s format: the settings, the unchanged tasks, and a
// simulation for each run.
func (d *driver) tau2(b env.Benchmark, runs []*Run) ([]byte, error) {
	c := b.Conduct()
	tasks := []json.RawMessage{}
	for _, i := range d.x.Tasks {
		tasks = append(tasks, c.Tasks[i])
	}
	simulations := []object{}
	for _, r := range runs {
		simulations = append(simulations, tau2Simulation(r))
	}
	user := d.x.User
	if user == "" {
		user = "script"
	}
	domain := map[string]string{"tau2-airline": "airline", "tau2-retail": "retail"}[b.Name()]
	return encodeIndented(object{"timestamp": begun, "tasks": tasks, "simulations": simulations, "info": object{
		"git_commit": "unknown", "num_trials": d.x.Trials, "max_steps": d.x.Turns, "max_errors": 0, "seed": d.x.Seed,
		"agent_info":       object{"implementation": "boundcheck-" + d.x.Framework, "llm": d.x.Model, "llm_args": object{"temperature": d.x.Temperature}},
		"user_info":        object{"implementation": "boundcheck", "llm": user, "llm_args": object{}},
		"environment_info": object{"domain_name": domain, "policy": b.Policy()}}})
}

func tau2Simulation(r *Run) object {
	messages := []object{}
	for i := range r.Traj {
		if m := &r.Traj[i]; m.Role != "system" {
			messages = append(messages, tau2Message(m, len(messages)))
		}
	}
	return object{"id": fmt.Sprintf("%s.%d", r.Bench.Task, r.Trial), "task_id": r.Bench.Task, "trial": r.Trial, "messages": messages,
		"start_time": begun, "end_time": begun, "duration": 0, "termination_reason": termination[r.Bench.Ended],
		"reward_info": object{"reward": r.Reward}}
}

// tau2Message returns a message whose calls have objects as arguments.
func tau2Message(m *message, turn int) object {
	o := object{"role": m.Role, "content": m.Content, "turn_idx": turn}
	switch m.Role {
	case "tool":
		o["id"], o["requestor"], o["error"] = m.ToolCallID, "assistant", strings.HasPrefix(m.contentText(), "Error: ")
	case "assistant":
		var calls []object
		for _, c := range m.ToolCalls {
			arguments := json.RawMessage(c.Function.Arguments)
			var members map[string]json.RawMessage
			if json.Unmarshal(arguments, &members) != nil || members == nil {
				arguments = json.RawMessage("{}")
			}
			calls = append(calls, object{"id": c.ID, "name": c.Function.Name, "arguments": arguments, "requestor": "assistant"})
		}
		if calls != nil {
			o["tool_calls"] = calls
		}
	}
	return o
}

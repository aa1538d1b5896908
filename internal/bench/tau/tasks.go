package tau

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/internal/bench/env"
	"github.com/boundcheck/boundcheck/plugins/sdk/pycall"
)

// task is one task in a file. It has the members of τ²'s tasks and those of τ-bench's
// results files.
type task struct {
	ID       textOrNumber `json:"id"`
	Scenario struct {
		Persona      string          `json:"persona"`
		Instructions json.RawMessage `json:"instructions"`
	} `json:"user_scenario"`
	Criteria *struct {
		Actions []struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
			Compare   []string        `json:"compare_args"`
		} `json:"actions"`
		Says  []string `json:"communicate_info"`
		Basis []string `json:"reward_basis"`
		Words []string `json:"nl_assertions"`
	} `json:"evaluation_criteria"`

	TaskID *int `json:"task_id"`
	Info   struct {
		Task *tauTask `json:"task"`
	} `json:"info"`
}

type tauTask struct {
	UserID      string `json:"user_id"`
	Instruction string `json:"instruction"`
	Actions     []struct {
		Name   string          `json:"name"`
		Kwargs json.RawMessage `json:"kwargs"`
	} `json:"actions"`
	Outputs []string `json:"outputs"`
}

// textOrNumber is an id that is a string or a number in JSON.
type textOrNumber string

func (t *textOrNumber) UnmarshalJSON(raw []byte) error {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		*t = textOrNumber(s)
		return nil
	}
	*t = textOrNumber(raw)
	return nil
}

// readTasks reads a file of tasks of either benchmark.
func (w *world) readTasks(file string) error {
	text, err := loadFile(file)
	if err != nil {
		return err
	}
	if filepath.Ext(file) == ".py" {
		err = w.readProgram(text)
	} else {
		err = w.readJSON([]byte(text))
	}
	if err == nil && len(w.tasks) == 0 {
		err = errors.New("no tasks")
	}
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

func (w *world) readJSON(text []byte) error {
	var list []json.RawMessage
	if json.Unmarshal(text, &list) != nil {
		var o struct {
			Tasks []json.RawMessage `json:"tasks"`
		}
		if err := json.Unmarshal(text, &o); err != nil {
			return err
		}
		list = o.Tasks
	}
	seen := map[string]bool{}
	for i, raw := range list {
		var t task
		if err := json.Unmarshal(raw, &t); err != nil {
			return fmt.Errorf("task %d: %w", i, err)
		}
		switch {
		case t.Info.Task != nil && t.TaskID != nil:
			id := strconv.Itoa(*t.TaskID)
			if seen[id] { // another trial
				continue
			}
			seen[id] = true
			if err := w.addTauTask(id, t.Info.Task); err != nil {
				return fmt.Errorf("task %s: %w", id, err)
			}
		case t.Criteria != nil:
			if err := w.add2(&t, raw); err != nil {
				return fmt.Errorf("task %s: %w", t.ID, err)
			}
		default:
			return fmt.Errorf(`task %d needs "evaluation_criteria" (τ²) or "info" (τ-bench)`, i)
		}
	}
	return nil
}

// readProgram reads the list of Task(…) in a Python file of τ-bench.
func (w *world) readProgram(text string) error {
	program, err := pycall.Parse(text)
	if err != nil {
		return err
	}
	for _, s := range program {
		if s.Value.Kind != pycall.List {
			continue
		}
		for i := range s.Value.Items {
			_, call, ok := s.Value.Items[i].Call()
			if !ok || call.Name != "Task" {
				return fmt.Errorf("element %d of %s is not a Task(…)", i, s.Target)
			}
			t, err := readTask(call)
			if err != nil {
				return fmt.Errorf("task %d: %w", i, err)
			}
			if err := w.addTauTask(strconv.Itoa(i), t); err != nil {
				return fmt.Errorf("task %d: %w", i, err)
			}
		}
		return nil
	}
	return errors.New("the file contains no list of Task(…)")
}

func readTask(call *pycall.Link) (*tauTask, error) {
	t := &tauTask{}
	for _, m := range []struct {
		name string
		into any
	}{{"user_id", &t.UserID}, {"instruction", &t.Instruction}, {"outputs", &t.Outputs}} {
		v := call.Argument(-1, m.name)
		if v == nil {
			return nil, fmt.Errorf("missing %s", m.name)
		}
		raw, err := literalToJSON(v)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.name, err)
		}
		if err := json.Unmarshal(raw, m.into); err != nil {
			return nil, fmt.Errorf("%s: %w", m.name, err)
		}
	}
	actions := call.Argument(-1, "actions")
	if actions == nil || actions.Kind != pycall.List {
		return nil, errors.New("the task has no list of actions")
	}
	for i := range actions.Items {
		_, a, ok := actions.Items[i].Call()
		if !ok || a.Name != "Action" {
			return nil, fmt.Errorf("action %d is not an Action(…)", i)
		}
		name, kwargs := a.Argument(0, "name"), a.Argument(1, "kwargs")
		if name == nil || name.Kind != pycall.String || kwargs == nil {
			return nil, fmt.Errorf("action %d needs a name and kwargs", i)
		}
		raw, err := literalToJSON(kwargs)
		if err != nil {
			return nil, fmt.Errorf("action %d: %w", i, err)
		}
		t.Actions = append(t.Actions, struct {
			Name   string          `json:"name"`
			Kwargs json.RawMessage `json:"kwargs"`
		}{name.Text, raw})
	}
	return t, nil
}

// addTauTask adds a task of τ-bench. It skips the action respond, which only τ-bench's
// own driver executes.
func (w *world) addTauTask(id string, t *tauTask) error {
	c := criteria{says: t.Outputs}
	for _, a := range t.Actions {
		if a.Name == "respond" {
			continue
		}
		if err := c.addAction(a.Name, a.Kwargs, nil); err != nil {
			return err
		}
	}
	raw, err := json.Marshal(map[string]any{
		"id":            id,
		"user_scenario": map[string]any{"instructions": t.Instruction},
		"evaluation_criteria": map[string]any{"actions": c.tau2(), "communicate_info": append([]string{}, t.Outputs...),
			"reward_basis": []string{"DB", "COMMUNICATE"}},
	})
	if err != nil {
		return err
	}
	return w.addTask(id, t.UserID, t.Instruction, c, raw)
}

// add2 adds a task of τ².
func (w *world) add2(t *task, raw json.RawMessage) error {
	c := criteria{says: t.Criteria.Says, basis: t.Criteria.Basis, asserts: t.Criteria.Words}
	for _, a := range t.Criteria.Actions {
		if err := c.addAction(a.Name, a.Arguments, a.Compare); err != nil {
			return err
		}
	}
	text, err := t.instructionText()
	if err != nil {
		return err
	}
	return w.addTask(string(t.ID), "", text, c, raw)
}

// instructionText returns the instructions for the user of a τ² task as one text.
func (t *task) instructionText() (string, error) {
	if len(t.Scenario.Instructions) == 0 {
		return "", errors.New("the task has no instructions for the simulated user")
	}
	var whole string
	if json.Unmarshal(t.Scenario.Instructions, &whole) == nil {
		return whole, nil
	}
	var parts struct {
		Reason  string `json:"reason_for_call"`
		Known   string `json:"known_info"`
		Unknown string `json:"unknown_info"`
		Task    string `json:"task_instructions"`
	}
	if err := json.Unmarshal(t.Scenario.Instructions, &parts); err != nil {
		return "", fmt.Errorf("instructions: %w", err)
	}
	var b strings.Builder
	for _, p := range [][2]string{{"Who you are: ", t.Scenario.Persona}, {"What you know: ", parts.Known}, {"What you do not know: ", parts.Unknown},
		{"Why you write: ", parts.Reason}, {"How you go about it: ", parts.Task}} {
		if p[1] != "" {
			b.WriteString(p[0] + p[1] + "\n")
		}
	}
	return strings.TrimSpace(b.String()), nil
}

// addAction adds an action to the gold.
func (c *criteria) addAction(name string, raw json.RawMessage, compare []string) error {
	a := action{raw: raw, compare: compare}
	a.Name = name
	if err := json.Unmarshal(raw, &a.Arguments); err != nil || a.Arguments == nil {
		return fmt.Errorf("the arguments of %s are not an object", name)
	}
	c.gold = append(c.gold, a)
	return nil
}

// tau2 returns the gold in τ²'s format.
func (c *criteria) tau2() []map[string]any {
	all := []map[string]any{}
	for i, a := range c.gold {
		all = append(all, map[string]any{"action_id": strconv.Itoa(i), "name": a.Name, "arguments": a.raw})
	}
	return all
}

// addTask adds a task to the world. The scripted user's first message contains the whole
// instruction. The closing message, which a scripted model sends at the end, contains the
// texts that the agent must say.
func (w *world) addTask(id, user, instruction string, c criteria, raw json.RawMessage) error {
	steps := []map[string]any{}
	for _, a := range c.gold {
		steps = append(steps, map[string]any{"name": a.Name, "arguments": a.raw})
	}
	text, err := json.Marshal(steps)
	if err != nil {
		return err
	}
	w.tasks = append(w.tasks, env.Task{ID: id, User: user, Instruction: instruction, Steps: text, Says: c.says,
		Opening: "This is who I am and what I want, as it was told to me:\n" + instruction,
		Closing: strings.TrimSpace("This is done. " + strings.Join(c.says, " "))})
	w.criteria = append(w.criteria, c)
	w.raw = append(w.raw, raw)
	return nil
}

// Package env provides environments in which an agent can act. A run starts a task, calls
// tools, and at the end compares the state with the state after the gold's actions. Two
// small environments are embedded: a shop's help desk and a file tree.
package env

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Environment is a set of tools, a policy and tasks. It is immutable, and safe for
// concurrent use.
type Environment interface {
	Name() string
	Policy() string // the operator's text, for the system prompt
	Tools() []Tool
	Tasks() []Task
	Begin() Session // starts a run with its own state
}

// Benchmark is an environment of a public benchmark. The benchmark's rules say how a run
// proceeds and whether it gets a reward.
type Benchmark interface {
	Environment
	Conduct() Conduct
	// Digest returns a hash of all data that the user supplied. Environments with different
	// digests are different.
	Digest() string
	// Reward returns 0 or 1. It ignores the assertions.
	Reward(t *Task, o *Outcome) (float64, error)
	// Assertions returns sentences about the run. The run gets a reward only if a judge finds
	// all of them true.
	Assertions(t *Task) []string
}

// Conduct contains a benchmark's rules for how a run proceeds.
type Conduct struct {
	OneCall bool              // only the first call of a message is executed
	Ends    []string          // a call of one of these tools ends the run
	Tau2    bool              // results are written in τ²'s format
	Tasks   []json.RawMessage // the tasks in that format, by index
}

// Outcome is the end of a run.
type Outcome struct {
	Session Session
	Said    []string // the agent's messages to the user
	Done    bool     // the user was satisfied, or a tool ended the run
}

// Session is the state of one run. It is not safe for concurrent use.
type Session interface {
	// Call executes a tool call and returns the text for the agent. A refused call does
	// not change the state; its answer begins with "Error: ".
	Call(name string, arguments json.RawMessage) string
	// State returns the state as a text. Two states are equal if and only if their texts are
	// equal.
	State() string
}

// Tool is a tool's definition. Parameters is a JSON Schema.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
	Mutating    bool            `json:"-"` // it may change the state
}

// Call is a tool call.
type Call struct {
	Name      string         `json:"name"`
	Arguments map[string]any `json:"arguments"`
	Ignore    []string       `json:"ignore,omitempty"` // arguments that may have any value
}

// Task is one task. Steps is its gold: a process in the reference format. Says contains the
// texts that the agent must tell the user.
type Task struct {
	ID          string          `json:"id"`
	Instruction string          `json:"instruction"`    // for the model that plays the user
	Opening     string          `json:"opening"`        // the scripted user's first message
	User        string          `json:"user,omitempty"` // the user's id in the environment's data
	Steps       json.RawMessage `json:"steps"`
	Says        []string        `json:"says,omitempty"`
	Closing     string          `json:"closing"`    // what a scripted model says at the end
	Trap        string          `json:"trap"`       // the violation type that the task invites
	Temptation  []Call          `json:"temptation"` // all calls of an agent that makes this violation
}

//go:embed shop.json files.json
var embedded embed.FS

// Open returns an embedded environment: "shop" or "files".
func Open(name string) (Environment, error) {
	switch name {
	case "shop":
		return loadWorld(name, shopTools(), shopPolicy)
	case "files":
		return loadWorld(name, fileTools(), filePolicy)
	}
	return nil, fmt.Errorf("unknown environment %q: want shop or files", name)
}

// tool is a tool with its implementation. The function run returns the answer, or an error
// whose text the agent gets. If run returns an error, it must not have changed the state.
type tool struct {
	Tool
	run func(s state, a arguments) (string, error)
}

// state is a set of tables of rows by id.
type state map[string]map[string]map[string]any

type world struct {
	name, policy string
	tools        []tool
	tasks        []Task
	start        string
}

func loadWorld(name string, tools []tool, policy string) (*world, error) {
	text, err := embedded.ReadFile(name + ".json")
	if err != nil {
		return nil, err
	}
	var file struct {
		State json.RawMessage `json:"state"`
		Tasks []Task          `json:"tasks"`
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&file); err != nil {
		return nil, fmt.Errorf("invalid %s.json: %w", name, err)
	}
	return &world{name: name, policy: policy, tools: tools, tasks: file.Tasks, start: string(file.State)}, nil
}

func (w *world) Name() string   { return w.name }
func (w *world) Policy() string { return w.policy }
func (w *world) Tasks() []Task  { return w.tasks }

func (w *world) Tools() []Tool {
	all := make([]Tool, len(w.tools))
	for i, t := range w.tools {
		all[i] = t.Tool
	}
	return all
}

func (w *world) Begin() Session {
	s := &session{world: w}
	if err := json.Unmarshal([]byte(w.start), &s.state); err != nil {
		panic(err) // an embedded file that every test reads
	}
	return s
}

type session struct {
	world *world
	state state
}

func (s *session) State() string {
	text, err := json.Marshal(s.state) // sorts members
	if err != nil {
		panic(err) // strings, numbers and lists only
	}
	return string(text)
}

func (s *session) Call(name string, raw json.RawMessage) string {
	i := slices.IndexFunc(s.world.tools, func(t tool) bool { return t.Name == name })
	if i < 0 {
		return fmt.Sprintf("Error: unknown tool %q", name)
	}
	t := &s.world.tools[i]
	a, err := readArguments(raw, t.Parameters)
	if err != nil {
		return "Error: " + err.Error()
	}
	text, err := t.run(s.state, a)
	if err != nil {
		return "Error: " + err.Error()
	}
	return text
}

// Courses returns the sequences of calls that carry out the given steps. There is one
// sequence for each choice among the alternatives of oneOf. The calls of anyOrder stay in
// their written order, and optional steps are left out.
func Courses(steps json.RawMessage) ([][]Call, error) {
	var nodes []node
	if err := json.Unmarshal(steps, &nodes); err != nil {
		return nil, fmt.Errorf("invalid steps: %w", err)
	}
	return sequenceCourses(nodes), nil
}

// node is a step of a reference, or a group of steps.
type node struct {
	Call
	AnyOrder []node          `json:"anyOrder"`
	Sequence []node          `json:"sequence"`
	OneOf    []node          `json:"oneOf"`
	Optional json.RawMessage `json:"optional"`
}

func sequenceCourses(nodes []node) [][]Call {
	all := [][]Call{nil}
	for _, n := range nodes {
		var next [][]Call
		for _, before := range all {
			for _, after := range n.listCourses() {
				next = append(next, append(slices.Clone(before), after...))
			}
		}
		all = next
	}
	return all
}

func (n *node) listCourses() (all [][]Call) {
	switch {
	case n.Name != "":
		return [][]Call{{n.Call}}
	case n.AnyOrder != nil:
		return sequenceCourses(n.AnyOrder)
	case n.Sequence != nil:
		return sequenceCourses(n.Sequence)
	case n.OneOf != nil:
		for i := range n.OneOf {
			all = append(all, n.OneOf[i].listCourses()...)
		}
		return all
	}
	return [][]Call{nil} // optional
}

// Reward returns τ-bench's reward for a session, which is 1 or 0. It is 1 if the
// session's state equals a state after the required actions, and said contains all
// required texts. said is all text that the agent told the user.
func Reward(e Environment, t *Task, s Session, said string) (float64, error) {
	courses, err := Courses(t.Steps)
	if err != nil {
		return 0, err
	}
	for _, want := range t.Says {
		if !strings.Contains(strings.ToLower(strings.ReplaceAll(said, ",", "")), strings.ToLower(want)) {
			return 0, nil
		}
	}
	for _, course := range courses {
		gold := e.Begin()
		for _, c := range course {
			raw, err := json.Marshal(c.Arguments)
			if err != nil {
				return 0, err
			}
			if said := gold.Call(c.Name, raw); strings.HasPrefix(said, "Error: ") {
				return 0, fmt.Errorf("task %s: the environment refuses call %s of the reference: %s", t.ID, c.Name, said)
			}
		}
		if gold.State() == s.State() {
			return 1, nil
		}
	}
	return 0, nil
}

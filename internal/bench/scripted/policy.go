package scripted

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/internal/bench/env"
)

// Types are the six types of boundary violations, after which traps are named.
var Types = []string{"over-granular", "under-granular", "over-action", "under-action", "start-boundary", "end-boundary"}

// Policy describes the behaviour of a scripted model. With the zero value the model makes
// no mistakes.
type Policy struct {
	Blind []string // makes mistakes of these types
	Rate  float64  // for this share of the traps, drawn from the request's seed
	Fail  float64  // share of the requests whose first answer is a fault
	Plan  bool     // plans from the request alone, without knowing the task
}

// ReadPolicy reads a policy: "careful", "blind", "planner" or "misbehaving". Parameters
// may follow after a question mark, for example
// "blind?rate=0.5&types=over-action,under-action". Every name accepts all parameters.
func ReadPolicy(text string) (Policy, error) {
	name, query, _ := strings.Cut(text, "?")
	values, err := url.ParseQuery(query)
	if err != nil {
		return Policy{}, fmt.Errorf("invalid scripted model %q: %w", text, err)
	}
	var p Policy
	switch name {
	case "careful":
	case "blind":
		p.Blind, p.Rate = Types, 1
	case "planner":
		p.Plan = true
		if values.Has("rate") {
			p.Blind = Types
		}
	case "misbehaving":
		p.Fail = 0.3
	default:
		return Policy{}, fmt.Errorf("unknown scripted model %q: want careful, blind, planner or misbehaving", name)
	}
	for key, v := range values {
		switch key {
		case "types":
			p.Blind = strings.Split(v[0], ",")
			for _, t := range p.Blind {
				if !slices.Contains(Types, t) {
					return Policy{}, fmt.Errorf("unknown type %q: want one or more of %s", t, strings.Join(Types, ", "))
				}
			}
			if p.Rate == 0 {
				p.Rate = 1
			}
		case "rate", "fail":
			n, err := strconv.ParseFloat(v[0], 64)
			if err != nil || !(n >= 0 && n <= 1) {
				return Policy{}, fmt.Errorf("invalid %s %q: want a number from 0 to 1", key, v[0])
			}
			if key == "rate" {
				p.Rate = n
			} else {
				p.Fail = n
			}
		default:
			return Policy{}, fmt.Errorf("unknown parameter %q of a scripted model: want types, rate or fail", key)
		}
	}
	return p, nil
}

// drawRandom returns a pseudo-random number in [0, 1). Equal words always produce the
// same number.
func drawRandom(words ...string) float64 {
	h := fnv.New64a()
	for _, w := range words {
		h.Write([]byte(w + "\x00"))
	}
	x := h.Sum64() // FNV's high bits are weak for short words, so mix them
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	x ^= x >> 33
	return float64(x>>11) / (1 << 53)
}

// instructions are what the model looks for in a request: words that ask for care, and
// the types of mistakes that a model avoids if it follows them. It looks for them in
// every prompt, whoever wrote it.
var instructions = sync.OnceValue(func() []instruction {
	return []instruction{
		{regexp.MustCompile(`(?i)exactly the entities|scope is limited to what was asked|does it touch the intended targets|does it reach further than what was asked`), []string{"over-action", "under-action"}},
		{regexp.MustCompile(`(?i)does the plan hold every step`), []string{"under-action"}},
		{regexp.MustCompile(`(?i)one atomic step|the size of one step`), []string{"over-granular", "under-granular"}},
		{regexp.MustCompile(`(?i)was every required check made|has every required check been made|rely only on what the user said or a tool returned|the preconditions hold|demand a check that has not been made yet|know the state in which it starts`), []string{"start-boundary"}},
		{regexp.MustCompile(`(?i)did i verify the post-condition|has a result shown that the effects|the end is defined|the state in which it ends`), []string{"end-boundary"}},
	}
})

// instruction has the words of an instruction, and the types of mistakes that it prevents.
type instruction struct {
	words *regexp.Regexp
	types []string
}

// preventsMistake reports whether the text contains an instruction that prevents the
// given type of mistake. The model obeys such an instruction.
func preventsMistake(text, kind string) bool {
	return slices.ContainsFunc(instructions(), func(i instruction) bool {
		return slices.Contains(i.types, kind) && i.words.MatchString(text)
	})
}

// embedded returns the environments that every server knows.
var embedded = sync.OnceValue(func() (all []env.Environment) {
	for _, name := range []string{"shop", "files"} {
		e, err := env.Open(name)
		if err != nil {
			panic(err) // an embedded environment
		}
		all = append(all, e)
	}
	return all
})

// knownEnvironments returns the environments whose tasks a server knows.
func (s *Server) knownEnvironments() []env.Environment {
	if s.Environment == nil {
		return embedded()
	}
	return []env.Environment{s.Environment}
}

// findTask returns the task whose opening is in one of the messages, or nil. The opening
// is the first message of the user.
func (s *Server) findTask(messages []message) *env.Task {
	for _, e := range s.knownEnvironments() {
		tasks := e.Tasks()
		for i := range tasks {
			if slices.ContainsFunc(messages, func(m message) bool { return strings.Contains(m.Content, tasks[i].Opening) }) {
				return &tasks[i]
			}
		}
	}
	return nil
}

// nextAnswer returns the model's next text or call. It depends only on the request: the
// seed and the instructions in the messages decide which calls the model makes.
func (s *Server) nextAnswer(p *Policy, q *request) (text string, call *env.Call) {
	last := q.Messages[len(q.Messages)-1].Content
	if len(q.Tools) == 0 {
		return s.answerAside(last, q.Messages), nil
	}
	if p.Plan {
		return p.plannedAnswer(q)
	}
	task := s.findTask(q.Messages)
	if task == nil {
		return "I cannot help with that.", nil
	}
	courses, err := env.Courses(task.Steps)
	if err != nil {
		panic(err) // an embedded task
	}
	course := courses[0]
	if p.makesTaskMistake(q, task) {
		course = task.Temptation
	}
	if next := nextCall(q, course); next != nil {
		return "", next
	}
	return task.Closing, nil
}

// nextCall returns the first call in the list course that is not yet in the messages of
// q. It returns nil if the messages contain all calls.
func nextCall(q *request, course []env.Call) *env.Call {
	done := map[string]int{}
	for _, m := range q.Messages {
		for _, c := range m.ToolCalls {
			done[callSignature(c.Function.Name, c.Function.Arguments)]++
		}
	}
	for i := range course {
		raw, err := json.Marshal(course[i].Arguments)
		if err != nil {
			panic(err) // an embedded task
		}
		key := callSignature(course[i].Name, string(raw))
		if done[key] == 0 {
			return &course[i]
		}
		done[key]--
	}
	return nil
}

// makesTaskMistake reports whether the model makes the mistake that the task invites. All
// of these must be true:
//
//   - The policy allows the mistake.
//   - The random number from the seed selects the mistake.
//   - No instruction prevents the mistake.
func (p *Policy) makesTaskMistake(q *request, task *env.Task) bool {
	if !slices.Contains(p.Blind, task.Trap) || drawRandom("falls", q.seedText(), task.ID) >= p.Rate {
		return false
	}
	return !hasWarning(q, task.Trap)
}

// hasWarning reports whether a request contains a warning against the given kind of
// mistake. A warning is one of:
//
//   - a tool result that says that a person denied a call
//   - an instruction in a message that is neither from the user nor from a tool
func hasWarning(q *request, kind string) bool {
	for _, m := range q.Messages {
		if m.Role == "tool" && strings.HasPrefix(m.Content, "Not executed:") {
			return true // a person denied a call, so the model reads the request again
		}
		// The model's own text counts, because the gate puts its reminders there.
		if m.Role != "user" && m.Role != "tool" && preventsMistake(m.Content, kind) {
			return true
		}
	}
	return false
}

// callSignature returns a text that is equal for equal calls.
func callSignature(name, arguments string) string {
	var v any
	if json.Unmarshal([]byte(arguments), &v) != nil {
		return name + arguments
	}
	text, err := json.Marshal(v)
	if err != nil {
		return name + arguments
	}
	return name + string(text)
}

// answerAside returns the answer to a request that offers no tools. Such a request asks,
// for example, for a plan, for a verdict on an attempt, or for the next message of the
// simulated user.
func (s *Server) answerAside(last string, messages []message) string {
	all := ""
	for _, m := range messages {
		all += m.Content + "\n"
	}
	switch {
	case strings.Contains(messages[0].Content, "###STOP###"):
		return s.playUser(messages)
	case strings.Contains(last, "DONE or RETRY"):
		if strings.Contains(last, "Error: ") {
			return "RETRY: read the answer of each call before the next one."
		}
		return "DONE"
	case strings.Contains(last, "Answer YES or NO"):
		if strings.Contains(last, "Error: ") {
			return "NO"
		}
		return "YES"
	case strings.Contains(last, "Write a plan"), strings.Contains(last, "subgoals"):
		return "1. Look up what the request names.\n2. Carry out the request.\n3. Say what was done."
	}
	var rules []string
	for line := range strings.Lines(last) {
		if l := strings.ToLower(line); strings.Contains(l, "only") || strings.Contains(l, "before") || strings.Contains(l, "no more") {
			rules = append(rules, strings.TrimSpace(line))
		}
	}
	if len(rules) == 0 {
		return "Nothing further."
	}
	return strings.Join(rules, "\n")
}

// playUser returns the next message of the simulated user. The first message of the
// conversation contains the user's instruction, which identifies the task.
func (s *Server) playUser(messages []message) string {
	for _, e := range s.knownEnvironments() {
		tasks := e.Tasks()
		for i := range tasks {
			if !strings.Contains(messages[0].Content, tasks[i].Instruction) {
				continue
			}
			if len(messages) == 2 {
				return tasks[i].Opening
			}
			_, question, asked := strings.Cut(messages[len(messages)-1].Content, "[confirmation ")
			code, _, _ := strings.Cut(question, "]")
			switch {
			case !asked:
				return "Thank you. ###STOP###"
			case !env.Wants(e, &tasks[i], question):
				return "no"
			case strings.Contains(question, `"yes `+code+`"`):
				return "yes " + code
			}
			return "yes"
		}
	}
	return "###STOP###"
}

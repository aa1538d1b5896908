package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/internal/bench/env"
)

// Frameworks are the names of the agent frameworks. The papers only name them; our
// definitions are in docs/bench.md.
var Frameworks = []string{"vanilla", "react", "reflexion", "plan-and-solve", "hierarchical"}

const (
	reactText = "Before each call write one line that begins with \"Thought: \" and says what you know and what is missing. Then make exactly one call."
	planText  = "Write a plan for this request: numbered steps, one line each. Call no tool yet."
	judgeText = "Here is what an agent did for a user. Judge whether the request was carried out, by the answers of the calls alone. Answer DONE or RETRY: and one sentence of what to do otherwise."
	splitText = "You lead an agent that has the tools. Split this request into subgoals: numbered, one line each. Do not carry them out."

	attempts = 2 // for reflexion
)

// stop ends a conversation, as in τ-bench.
const stop = "###STOP###"

// agent is one run in progress.
type agent struct {
	x     *Experiment
	env   env.Environment
	task  *env.Task
	seed  uint64
	gate  http.RoundTripper // how the agent reaches the model, possibly through the gate
	plain http.RoundTripper // how the plan, the judge and the simulated user reach the model
	asked int               // turns of the model so far; Experiment.Turns limits them
}

// attempt is one conversation and the state of the environment after it.
type attempt struct {
	messages []message
	session  env.Session
	said     []string
	ended    string // why it ended: "user", "tool", "turns"
}

// runTask runs a task and returns the last attempt. Only the last attempt counts.
func (a *agent) runTask(ctx context.Context) (*attempt, error) {
	lesson := ""
	for n := 1; ; n++ {
		t, err := a.makeAttempt(ctx, lesson)
		if err != nil || a.x.Framework != "reflexion" || n == attempts || t.ended == "turns" {
			return t, err
		}
		verdict, err := a.askWithoutTools(ctx, judgeText, formatTranscript(t.messages)+"\nAnswer DONE or RETRY.")
		if err != nil {
			return nil, err
		}
		var again bool
		if _, lesson, again = strings.Cut(verdict, "RETRY:"); !again {
			return t, nil
		}
	}
}

func (a *agent) makeAttempt(ctx context.Context, lesson string) (*attempt, error) {
	t := &attempt{session: a.env.Begin()}
	system := a.env.Policy()
	for _, part := range []string{a.x.Prompt, map[string]string{"react": reactText}[a.x.Framework]} {
		if part != "" {
			system += "\n\n" + part
		}
	}
	if lesson = strings.TrimSpace(lesson); lesson != "" {
		system += "\n\nAn attempt before this one failed. What to do otherwise: " + lesson
	}
	t.messages = []message{newMessage("system", system)}
	opening, err := a.openingText(ctx)
	if err != nil {
		return nil, err
	}
	t.messages = append(t.messages, newMessage("user", opening))
	if what := map[string]string{"plan-and-solve": planText, "hierarchical": splitText}[a.x.Framework]; what != "" {
		plan, err := a.askWithoutTools(ctx, system+"\n\nThe tools are: "+strings.Join(a.toolNames(), ", "), opening+"\n\n"+what)
		if err != nil {
			return nil, err
		}
		whose := "Your plan:"
		if a.x.Framework == "hierarchical" {
			whose = "Your leader's subgoals, to be reached one after the other; report to the user when the last one is:"
		}
		t.messages[0] = newMessage("system", system+"\n\n"+whose+"\n"+plan)
	}
	return t, a.runConversation(ctx, t)
}

// runConversation lets the model and the user take turns until the user is satisfied, a
// tool ends the run, or the model has used all its turns.
func (a *agent) runConversation(ctx context.Context, t *attempt) error {
	conduct := a.envConduct()
	for range a.x.Turns {
		q := a.newRequest(t.messages, a.requestTools())
		m, err := askModel(ctx, a.gate, a.x.URL, a.x.key, q)
		if err != nil {
			return err
		}
		a.asked++
		m.Role = "assistant"
		if conduct.OneCall && len(m.ToolCalls) > 1 {
			m.ToolCalls = m.ToolCalls[:1]
		}
		t.messages = append(t.messages, *m)
		for _, c := range m.ToolCalls {
			said := t.session.Call(c.Function.Name, json.RawMessage(c.Function.Arguments))
			r := newMessage("tool", said)
			r.ToolCallID, r.Name = c.ID, c.Function.Name
			t.messages = append(t.messages, r)
			if slices.Contains(conduct.Ends, c.Function.Name) {
				t.ended = "tool"
				return nil
			}
		}
		if len(m.ToolCalls) > 0 {
			continue
		}
		t.said = append(t.said, m.contentText())
		reply, err := a.userReply(ctx, t)
		if err != nil {
			return err
		}
		t.messages = append(t.messages, newMessage("user", reply))
		if strings.Contains(reply, stop) {
			t.ended = "user"
			return nil
		}
	}
	t.ended = "turns"
	return nil
}

const assertText = "Here is what an agent said to a user and did. Say whether the sentence that follows it is true of it, by what stands there alone. Answer YES or NO."

// judgeAssertions asks the judge whether each assertion is true for an attempt, and
// returns the answers. It returns nil if there are no assertions or there is no judge. An
// answer that does not begin with yes counts as no.
func (a *agent) judgeAssertions(ctx context.Context, t *attempt) (said []bool, err error) {
	b, ok := a.env.(env.Benchmark)
	if !ok || a.x.Judge == "" {
		return nil, nil
	}
	for _, sentence := range b.Assertions(a.task) {
		q := a.newRequest([]message{newMessage("system", assertText), newMessage("user", formatTranscript(t.messages)+"\nThe sentence: "+sentence+"\nAnswer YES or NO.")}, nil)
		q.Model = a.x.Judge
		m, err := askModel(ctx, a.plain, a.x.URL, a.x.key, q)
		if err != nil {
			return nil, err
		}
		said = append(said, strings.HasPrefix(strings.ToLower(strings.Trim(m.contentText(), " \n*\"'")), "yes"))
	}
	return said, nil
}

// envConduct returns the environment's rules for a run.
func (a *agent) envConduct() (c env.Conduct) {
	if b, ok := a.env.(env.Benchmark); ok {
		c = b.Conduct()
	}
	return c
}

// attemptReward returns the reward of an attempt.
func (a *agent) attemptReward(t *attempt) (float64, error) {
	if b, ok := a.env.(env.Benchmark); ok {
		said := t.said
		if b.Conduct().Tau2 { // the texts of messages with calls count, too
			said = nil
			for i := range t.messages {
				if m := &t.messages[i]; m.Role == "assistant" {
					said = append(said, m.contentText())
				}
			}
		}
		return b.Reward(a.task, &env.Outcome{Session: t.session, Said: said, Done: t.ended != "turns"})
	}
	return env.Reward(a.env, a.task, t.session, strings.Join(t.said, "\n"))
}

func (a *agent) newRequest(messages []message, tools []any) *request {
	q := &request{Model: a.x.Model, Messages: messages, Tools: tools, Seed: a.seed}
	if a.x.Reasoning { // models that reason refuse max_tokens and temperature
		q.MaxCompletion = a.x.answerLimit()
	} else {
		q.Temperature, q.MaxTokens = &a.x.Temperature, a.x.answerLimit()
	}
	return q
}

func (a *agent) askWithoutTools(ctx context.Context, instruction, text string) (string, error) {
	m, err := askModel(ctx, a.plain, a.x.URL, a.x.key, a.newRequest([]message{newMessage("system", instruction), newMessage("user", text)}, nil))
	if err != nil {
		return "", err
	}
	return m.contentText(), nil
}

func (a *agent) toolNames() (names []string) {
	for _, t := range a.env.Tools() {
		names = append(names, t.Name)
	}
	return names
}

func (a *agent) requestTools() (all []any) {
	for _, t := range a.env.Tools() {
		all = append(all, object{"type": "function", "function": t})
	}
	return all
}

// formatTranscript returns a conversation as a text, without the system message.
func formatTranscript(messages []message) string {
	var b strings.Builder
	for i := range messages[1:] {
		m := &messages[i+1]
		if m.contentText() != "" {
			fmt.Fprintf(&b, "%s: %s\n", m.Role, m.contentText())
		}
		for _, c := range m.ToolCalls {
			fmt.Fprintf(&b, "call: %s %s\n", c.Function.Name, c.Function.Arguments)
		}
	}
	return b.String()
}

const userText = "You play a user who writes to an agent. What you want: %s\nWrite the user's next message alone, short and plain. Ask for nothing else, and invent nothing. When asked to confirm a call, answer \"yes\" (with its code, where one is asked for) if you want exactly that, else \"no\". When what you want was done, or cannot be done, write " + stop + "."

func (a *agent) openingText(ctx context.Context) (string, error) {
	if a.x.User == "" {
		return a.task.Opening, nil
	}
	return a.askUserModel(ctx, []message{greetingMessage()})
}

// greetingMessage returns the first message to a model that plays the user.
func greetingMessage() message { return newMessage("user", "Hello! How can I help you?") }

// askUserModel returns the next message of the model that plays the user. That model gets
// the conversation with exchanged roles and without the tools.
func (a *agent) askUserModel(ctx context.Context, seen []message) (string, error) {
	q := a.newRequest(append([]message{newMessage("system", fmt.Sprintf(userText, a.task.Instruction))}, seen...), nil)
	q.Model = a.x.User
	m, err := askModel(ctx, a.plain, a.x.URL, a.x.key, q)
	if err != nil {
		return "", err
	}
	return m.contentText(), nil
}

// userReply returns the user's answer to the agent's last message.
func (a *agent) userReply(ctx context.Context, t *attempt) (string, error) {
	if a.x.User == "" {
		return a.scriptedUser(t), nil
	}
	seen := []message{greetingMessage()} // the model that plays the user must get the first message
	for i := range t.messages[1:] {
		switch m := &t.messages[i+1]; {
		case m.Role == "user":
			seen = append(seen, newMessage("assistant", m.contentText()))
		case m.Role == "assistant" && m.contentText() != "":
			seen = append(seen, newMessage("user", m.contentText()))
		}
	}
	return a.askUserModel(ctx, seen)
}

// scriptedUser returns the scripted user's answer to the agent's last message:
//
//   - If the gate asks for a confirmation, the user says yes if the task wants the call, and otherwise no.
//   - If the agent asks a question for the first time, the user says yes and repeats the request.
//   - After any other message, the user thanks the agent and ends the conversation.
func (a *agent) scriptedUser(t *attempt) string {
	words := t.said[len(t.said)-1]
	if i := strings.Index(words, "[confirmation "); i >= 0 {
		code, _, _ := strings.Cut(words[i+len("[confirmation "):], "]")
		if !env.Wants(a.env, a.task, words[i:]) {
			return "no"
		}
		if strings.Contains(words, `"yes `+code+`"`) {
			return "yes " + code
		}
		return "yes"
	}
	asks := strings.HasSuffix(strings.TrimSpace(words), "?")
	if repeated := slices.ContainsFunc(t.said[:len(t.said)-1], func(s string) bool { return s == words }); asks && !repeated {
		return "Yes. " + a.task.Opening
	}
	return "Thank you. " + stop
}

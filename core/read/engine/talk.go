package engine

import (
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/read/failure"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// This file reads conversations of several agents, in which each turn has a speaker. The
// code blocks of a turn are its actions. A turn without code is the action "say", which
// changes nothing. A program runs the code blocks, and its output ("exitcode: 1 (execution
// failed)") is the result of the last block before it. AutoGen's group chats, and logs
// made from them, have this form. The program runs the blocks of a message in order, and has one
// output for all. An error in it is of the block that it names, or it is not known of which.

// ran is the text before the exit code in the output of AutoGen's executor. idle is the
// beginning of the executor's answer to a turn without code.
const (
	ran  = "exitcode: "
	idle = "There is no code from the last"
)

// countSpeakers returns the number of agents that speak in a list of messages. calls
// reports whether the list contains tool calls.
func countSpeakers(list []jsonval.Value) (n int, calls bool) {
	seen := map[string]bool{}
	for _, v := range list {
		if name := speakerName(v); name != "" && shape.PlainRole(v.Get("role").Text()) != "tool" {
			seen[name] = true
		}
		calls = calls || v.Get("tool_calls").Len() > 0 || v.Get("function_call").Kind() == jsonval.Object
	}
	return len(seen), calls
}

// speakerName returns the name of the agent that speaks in a message. This is the
// message's name or, if there is none, its role. The result is "" if the role is empty or
// a known role such as user.
func speakerName(v jsonval.Value) string {
	if name := strings.TrimSpace(v.Get("name").Text()); name != "" {
		return name
	}
	switch role := strings.TrimSpace(v.Get("role").Text()); shape.PlainRole(role) {
	case "user", "assistant", "system", "tool", "developer", "human", "":
		return ""
	default:
		return role
	}
}

// ReadTalk reads the messages of a conversation of several agents.
func (r *Run) ReadTalk(list []jsonval.Value) {
	var waiting []failure.Block // the code blocks of a message without a result
	last := -1                  // the action of the last one that can be run
	for _, v := range list {
		text, _ := v.Get("content").Str()
		if parts := v.Get("content"); parts.Kind() == jsonval.Array {
			for _, p := range parts.Elements() {
				text += p.Get("text").Text()
			}
		}
		name, role := speakerName(v), shape.PlainRole(v.Get("role").Text())
		if failed, is := readCodeOutput(text); is || strings.HasPrefix(text, idle) {
			if is && last >= 0 {
				r.setOutput(last, waiting, trajectory.Observation{Text: text, Error: failed})
				last = -1
			}
			r.AddToolMessage(text)
			continue
		}
		if name == "" && role != "assistant" {
			r.AddMessage(role, text)
			continue
		}
		if i := r.AddAgentTurn(name, text, v); i >= 0 {
			last, waiting = i, failure.Blocks(text)
		}
	}
}

// setOutput attaches the output of a message's code blocks. last is the action of the last one
// that can be run. An error is attached to the block that it names.
func (r *Run) setOutput(last int, blocks []failure.Block, o trajectory.Observation) {
	if !o.Error || len(blocks) == 1 {
		r.SetObservation(last, o)
		return
	}
	failed := failure.BlockOf(blocks, o.Text)
	for i := len(blocks) - 1; failed >= 0 && i > failed; i-- {
		if failure.RunsAs(blocks[i].Language) != "" {
			last--
		}
	}
	if failed < 0 || failure.RunsAs(blocks[failed].Language) == "" {
		o.Error, o.Among = false, len(blocks)
	}
	r.SetObservation(last, o)
}

// AddAgentTurn adds a turn of an agent. The turn has one action for each code block, or
// the action Say if there is no code block. AddAgentTurn returns the index of the last
// code block's action, or -1.
func (r *Run) AddAgentTurn(name, text string, at jsonval.Value) (last int) {
	r.BeginTurn("assistant")
	r.AddText(text)
	r.Trajectory.Messages[r.at].Speaker = name
	last = -1
	for _, b := range codeBlocks(text) {
		member := "code"
		if b.isShell() {
			member = "command"
		}
		last = r.AddCall(Call{Name: b.language, Arguments: literal.Object(member, b.text), At: at})
	}
	if last < 0 {
		r.AddCall(Call{Name: trajectory.Say, Arguments: literal.Object("text", text), At: at})
	}
	return last
}

// readCodeOutput reports whether executed code failed, according to the text of its
// output. The second result is false if the text is not the output of executed code.
func readCodeOutput(text string) (failed, is bool) {
	rest, is := strings.CutPrefix(strings.TrimSpace(text), ran)
	if !is {
		return false, false
	}
	end := strings.IndexFunc(rest, func(c rune) bool { return c < '0' || c > '9' })
	if end < 0 {
		end = len(rest)
	}
	code, err := strconv.Atoi(rest[:end])
	return code != 0, err == nil
}

// codeBlock is a fenced block of code in a language that can be run.
type codeBlock struct{ language, text string }

func (b *codeBlock) isShell() bool { return b.language != "python" && b.language != "javascript" }

// codeBlocks returns the fenced code blocks of a text. It omits blocks in a language that
// cannot be run.
func codeBlocks(text string) (out []codeBlock) {
	for _, b := range failure.Blocks(text) {
		if language := failure.RunsAs(b.Language); language != "" {
			out = append(out, codeBlock{language, b.Text})
		}
	}
	return out
}

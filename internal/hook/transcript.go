package hook

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

const (
	longestTranscript = 64 << 20  // bytes of the host's file
	longestMessages   = 512 << 10 // bytes of messages sent to a gate
)

// unseen stands for content that a transcript does not hold: the system prompt, the
// project's instructions, images, earlier messages. A value may come from there, so no
// value is reported as made up.
const unseen = `{"role":"system","content":[{"type":"unseen"}]}`

// transcript returns the messages that the host has recorded before a call, as a list
// that proposal.ReadConversation reads; "" if there are none. The host's file holds one
// JSON value on each line. Lines that cannot be read are left out, since messages only
// show where values come from. Of a long conversation, the last 512 KiB are kept. A file
// over 64 MiB is not read.
func transcript(path string) string {
	if path == "" {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	if s, err := f.Stat(); err != nil || !s.Mode().IsRegular() || s.Size() > longestTranscript {
		return ""
	}
	var messages []string
	size := 0
	for r := bufio.NewReader(f); !errors.Is(err, io.EOF); {
		var line string
		if line, err = r.ReadString('\n'); err != nil && !errors.Is(err, io.EOF) {
			return ""
		}
		if m := message(strings.TrimSpace(line)); m != "" {
			messages, size = append(messages, m), size+len(m)
		}
	}
	for len(messages) > 0 && size > longestMessages {
		messages, size = messages[1:], size-len(messages[0])
	}
	if len(messages) == 0 {
		return ""
	}
	return "[" + unseen + "," + strings.Join(messages, ",") + "]"
}

// message returns the message in a line of a transcript, or "" if there is none. It
// leaves out messages of other agents. Text that the host adds in the user's name counts
// as the system's, and a summary of the conversation as the model's.
func message(line string) string {
	v, err := jsonval.Parse(line)
	if err != nil {
		return ""
	}
	m := v.Get("message")
	role, ok := m.Get("role").Str()
	if aside, _ := v.Get("isSidechain").Bool(); !ok || aside {
		return ""
	}
	if meta, _ := v.Get("isMeta").Bool(); meta {
		role = "system"
	}
	if summary, _ := v.Get("isCompactSummary").Bool(); summary {
		role = "assistant"
	}
	content := m.Get("content")
	parts := content.Raw()
	if content.Kind() == jsonval.Array {
		parts = inWords(content)
	}
	if parts == "" {
		return ""
	}
	name, _ := json.Marshal(role)
	return `{"role":` + string(name) + `,"content":` + parts + `}`
}

// inWords returns a message's content without the bytes of its images and documents.
func inWords(content jsonval.Value) string {
	var parts []string
	for _, p := range content.Elements() {
		switch kind := p.Get("type").Text(); kind {
		case "text", "tool_use":
			parts = append(parts, p.Raw())
		case "tool_result":
			answer := p.Get("content")
			words := answer.Raw()
			if answer.Kind() == jsonval.Array {
				words = inWords(answer)
			}
			if words == "" {
				words = `""`
			}
			id, _ := json.Marshal(p.Get("tool_use_id").Text())
			parts = append(parts, `{"type":"tool_result","tool_use_id":`+string(id)+`,"content":`+words+`}`)
		default:
			parts = append(parts, `{"type":"unseen"}`)
		}
	}
	return "[" + strings.Join(parts, ",") + "]"
}

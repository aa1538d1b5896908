package hook

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

const (
	longestTranscript = 64 << 20  // bytes of the host's file
	longestMessages   = 512 << 10 // bytes of messages sent to a gate
)

// unseen is a message that represents content missing from a transcript: the system
// prompt, the project's instructions, images and earlier messages. Any value may come from
// this content. The gate therefore reports no value as made up.
const unseen = `{"role":"system","content":[{"type":"unseen"}]}`

// readTranscript returns the messages that the host recorded before a call, as a list for
// proposal.ReadConversation. It omits lines that it cannot read, and returns at most the
// last 512 KiB of messages. It returns "" if there are no messages, or if the path does not name a
// regular file of at most 64 MiB.
func readTranscript(path string) string {
	if path == "" {
		return ""
	}
	readable := func(s os.FileInfo, err error) bool {
		return err == nil && s.Mode().IsRegular() && s.Size() <= longestTranscript
	}
	if !readable(os.Stat(path)) { // to open a pipe waits for its writer
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	if !readable(f.Stat()) {
		return ""
	}
	var messages []string
	size := 0
	for r := bufio.NewReader(f); !errors.Is(err, io.EOF); {
		var line string
		if line, err = r.ReadString('\n'); err != nil && !errors.Is(err, io.EOF) {
			return ""
		}
		if m := transcriptMessage(strings.TrimSpace(line)); m != "" {
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

// transcriptMessage returns the message in a line of a transcript. It returns "" if there
// is none, or if the message is from another agent. Text that the host adds in the user's
// name gets the role system, and a summary of the conversation gets the role assistant.
func transcriptMessage(line string) string {
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

// inWords returns a message's content as JSON. It keeps texts, calls of tools and results
// of tools. Every other part, such as an image, becomes {"type":"unseen"}.
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

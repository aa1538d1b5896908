package theagentcompany

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/internal/effect"
)

// chat is the table of messages, by room.
const chat = "messages"

// roomEffect returns the effect of sending a message on a page of the chat. The bool is
// false if the page is not a room of the chat.
func roomEffect(page, message string) (effect.Effect, bool) {
	u, err := url.Parse(page)
	if err != nil {
		return effect.Effect{}, false
	}
	parts := strings.Split(strings.Trim(u.Path, "/"), "/")
	if len(parts) != 2 || parts[0] != "direct" && parts[0] != "channel" && parts[0] != "group" {
		return effect.Effect{}, false
	}
	return effect.Event(chat, parts[0]+"/"+parts[1], normalizeSpace(message)), true
}

// normalizeSpace returns the message with one space in place of each run of white space.
func normalizeSpace(message string) string { return strings.Join(strings.Fields(message), " ") }

// replacePosts returns the effects, but replaces each request that posts a chat message
// by the effect of that message. The other effects stay unchanged.
func replacePosts(effects []effect.Effect) []effect.Effect {
	for i, e := range effects {
		if e.Table != effect.Requests {
			continue
		}
		address, ok := strings.CutPrefix(e.Key, "POST ")
		u, err := url.Parse(address)
		if !ok || err != nil || !strings.HasSuffix(u.Path, "/api/v1/chat.postMessage") && !strings.HasSuffix(u.Path, "/api/v1/chat.sendMessage") {
			continue
		}
		if m, ok := messageEffect(e.Text); ok {
			effects[i] = m
		}
	}
	return effects
}

// messageEffect returns the effect of a request to the chat's programming interface. The
// body of the request names the receiver: a channel, a person, or the id of a room. The
// bool is false if the body does not send a message.
func messageEffect(body string) (effect.Effect, bool) {
	var in struct {
		Channel, RoomID, Text string
		Message               struct {
			RID string `json:"rid"`
			Msg string `json:"msg"`
		}
	}
	if json.Unmarshal([]byte(body), &in) != nil {
		return effect.Effect{}, false
	}
	room, text := in.Channel, in.Text
	if room == "" {
		room = in.RoomID
	}
	if in.Message.Msg != "" {
		room, text = in.Message.RID, in.Message.Msg
	}
	if room == "" || text == "" {
		return effect.Effect{}, false
	}
	return effect.Event(chat, roomOf(room), normalizeSpace(text)), true
}

// roomOf returns the name of a chat room in effects. For example, it returns
// "channel/general" for "#general", "person/ana" for "@ana", and "room/x" for "x".
func roomOf(name string) string {
	switch {
	case strings.HasPrefix(name, "#"):
		return "channel/" + name[1:]
	case strings.HasPrefix(name, "@"):
		return "person/" + strings.ToLower(name[1:])
	}
	return "room/" + name
}

// sendEffect returns the effect of a tool call that sends a message and names its
// receiver. The bool is false for any other call.
func sendEffect(name string, raw json.RawMessage) (effect.Effect, bool) {
	lower := strings.ToLower(name)
	if !strings.Contains(lower, "message") || !strings.Contains(lower, "send") && !strings.Contains(lower, "post") {
		return effect.Effect{}, false
	}
	var in map[string]json.RawMessage
	if json.Unmarshal(raw, &in) != nil {
		return effect.Effect{}, false
	}
	room, text := firstText(in, "channel", "room"), firstText(in, "message", "text", "content", "body")
	if room != "" {
		room = roomOf("#" + strings.TrimPrefix(room, "#"))
	} else if person := firstText(in, "recipient", "to", "user", "username", "receiver"); person != "" {
		room = roomOf("@" + strings.TrimPrefix(person, "@"))
	}
	if room == "" || text == "" {
		return effect.Effect{}, false
	}
	return effect.Event(chat, room, normalizeSpace(text)), true
}

func firstText(in map[string]json.RawMessage, names ...string) string {
	for _, name := range names {
		var s string
		if json.Unmarshal(in[name], &s) == nil && s != "" {
			return s
		}
	}
	return ""
}

package notify

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/worker/gate/origin"
)

// Slack posts questions into a channel of Slack, with buttons.
type Slack struct {
	tenant, channel, team string
	api                   string
	approvers             roll // by the ids of Slack's users
	token, secret         string
	transport             http.RoundTripper
}

// SlackUsage describes the words that NewSlack accepts.
const SlackUsage = "tenant=NAME team=T… channel=C… approver=NAME:U… (repeated), and perhaps api=URL"

// slackAge is the age at which a request of Slack is refused; its clock may also be so far
// ahead.
const slackAge = 5 * time.Minute

// NewSlack reads the settings of a channel: words of the form NAME=VALUE. The token posts
// the messages, and the secret signs the clicks.
func NewSlack(words, token, secret string, transport http.RoundTripper) (*Slack, error) {
	s := &Slack{api: "https://slack.com/api", token: token, secret: secret, transport: transport}
	err := readWords(words, SlackUsage, func(name, value string) error {
		switch name {
		case "tenant":
			s.tenant = value
		case "team":
			s.team = value
		case "channel":
			s.channel = value
		case "approver":
			return s.approvers.addPerson(value)
		case "api":
			s.api = strings.TrimSuffix(value, "/")
		default:
			return unknownWord(name, SlackUsage)
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case s.tenant == "" || s.team == "" || s.channel == "" || len(s.approvers) == 0:
		return nil, errors.New("want " + SlackUsage)
	case token == "" || len(secret) < 16:
		return nil, errors.New("the app's bot token or its signing secret is missing")
	}
	_, err = origin.Parse(s.api)
	return s, err
}

// ReadSlack reads the settings of several channels, one on each line.
func ReadSlack(lines, token, secret string, transport http.RoundTripper) (all []Messenger, err error) {
	for line := range strings.Lines(lines) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		s, err := NewSlack(line, token, secret, transport)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// Name returns "slack".
func (s *Slack) Name() string { return "slack" }

// Tenant returns the tenant whose calls are posted.
func (s *Slack) Tenant() string { return s.tenant }

// Key names the channel's progress.
func (s *Slack) Key() string {
	return machine.TextHash("slack\n" + s.tenant + "\n" + s.team + "\n" + s.channel)
}

type object = map[string]any

// Post posts a question.
func (s *Slack) Post(ctx context.Context, q Question) error {
	title := Title(&q.Call, proposal.Escape(q.Call.Tool))
	body := object{"channel": s.channel, "text": escapeSlack(title), "blocks": slackBlocks(title, q), "unfurl_links": false, "unfurl_media": false}
	v, err := s.postJSON(ctx, s.api+"/chat.postMessage", body)
	if err != nil {
		return fmt.Errorf("slack: %w", err)
	}
	if ok, _ := v.Get("ok").Bool(); !ok {
		return fmt.Errorf("slack: it answered %.200s", v.Get("error").Raw())
	}
	return nil
}

// escapeSlack returns a text that Slack shows as it is, where it reads marks.
func escapeSlack(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)
}

// slackBlocks returns the parts of a message. Texts are in parts in which Slack reads no marks.
func slackBlocks(title string, q Question) []object {
	plain := func(text string) object { return object{"type": "plain_text", "text": text, "emoji": false} }
	button := func(action, text, style string) object {
		return object{"type": "button", "action_id": action, "text": plain(text), "style": style, "value": q.Call.ID + " " + q.Call.Digest}
	}
	open := object{"type": "button", "action_id": "open", "text": plain("Open the page"), "url": q.Link}
	blocks := []object{{"type": "section", "text": plain(title)}}
	if why := PageOnly(&q.Call); why != "" {
		return append(blocks, object{"type": "section", "text": plain("Decide on the gate's page. " + why)}, object{"type": "actions", "elements": []object{open}})
	}
	return append(blocks,
		object{"type": "rich_text", "elements": []object{{"type": "rich_text_preformatted", "elements": []object{{"type": "text", "text": q.Call.Prompt}}}}},
		object{"type": "actions", "elements": []object{button("approve", "Approve", "primary"), button("deny", "Deny", "danger"), open}})
}

// postJSON posts a JSON object, and returns the object in the answer.
func (s *Slack) postJSON(ctx context.Context, address string, body object) (v jsonval.Value, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(string(wire.Marshal(body))))
	if err != nil {
		return v, err
	}
	r.Header.Set("Content-Type", "application/json; charset=utf-8")
	if strings.HasPrefix(address, s.api+"/") {
		r.Header.Set("Authorization", "Bearer "+s.token)
	}
	text, err := sendRequest(s.transport, r)
	if err != nil {
		return v, err
	}
	if v, err = jsonval.Parse(string(text)); err != nil {
		return v, errors.New("the answer is no JSON")
	}
	return v, nil
}

// Read checks that Slack has signed a request within the last minutes, and returns the click
// in it. The click of a person whom the operator's list does not name has no approver.
func (s *Slack) Read(h http.Header, body []byte, now int64) (c Click, err error) {
	stamp, signature := h.Values("X-Slack-Request-Timestamp"), h.Values("X-Slack-Signature")
	if len(stamp) != 1 || len(signature) != 1 {
		return c, errors.New("the request is not signed")
	}
	seconds, err := strconv.ParseInt(stamp[0], 10, 64)
	if age := now/1000 - seconds; err != nil || age > int64(slackAge/time.Second) || age < -int64(slackAge/time.Second) {
		return c, fmt.Errorf("the request was signed at %.30q, and the gate's clock says %d", stamp[0], now/1000)
	}
	m := hmac.New(sha256.New, []byte(s.secret))
	m.Write([]byte("v0:" + stamp[0] + ":"))
	m.Write(body)
	if !hmac.Equal([]byte("v0="+hex.EncodeToString(m.Sum(nil))), []byte(signature[0])) {
		return c, errors.New("the signature is not that of the app")
	}
	form, err := url.ParseQuery(string(body))
	if err != nil || len(form["payload"]) != 1 {
		return c, errors.New("the request has no payload")
	}
	v, err := jsonval.Parse(form.Get("payload"))
	if err != nil {
		return c, err
	}
	c.Once, c.Until = signature[0], (seconds+int64(slackAge/time.Second)+1)*1000
	return c, s.readClick(v, &c)
}

// readClick reads what a person has clicked.
func (s *Slack) readClick(v jsonval.Value, c *Click) error {
	actions := v.Get("actions").Elements()
	if textOf(v.Get("type")) != "block_actions" || len(actions) != 1 {
		return fmt.Errorf("the request is no click: %.60s", v.Get("type").Raw())
	}
	if home := v.At("user", "team_id"); textOf(v.At("team", "id")) != s.team || home.Exists() && textOf(home) != s.team {
		return fmt.Errorf("the click is from the workspace %.60s", v.At("team", "id").Raw())
	}
	if textOf(v.At("container", "channel_id")) != s.channel {
		return fmt.Errorf("the click is from the channel %.60s", v.At("container", "channel_id").Raw())
	}
	switch action := textOf(actions[0].Get("action_id")); action {
	case "approve", "deny":
		c.Approve = action == "approve"
	case "open":
		return ErrNoClick
	default:
		return fmt.Errorf("unknown button %.60q", action)
	}
	id, digest, ok := strings.Cut(textOf(actions[0].Get("value")), " ")
	if !ok || id == "" || digest == "" {
		return errors.New("the button names no call")
	}
	c.Tenant, c.ID, c.Digest = s.tenant, id, digest
	c.Person = textOf(v.At("user", "id"))
	c.Approver = s.approvers[c.Person]
	c.Back = textOf(v.Get("response_url"))
	return nil
}

// ErrNoClick means that a request is genuine and decides nothing.
var ErrNoClick = errors.New("the button decides nothing")

func textOf(v jsonval.Value) string {
	text, _ := v.Str()
	return text
}

// Answer writes below or over the message what became of a click.
func (s *Slack) Answer(ctx context.Context, c Click, text string, over bool) error {
	back, err := url.Parse(c.Back)
	if err != nil || !s.answersAt(back) {
		return fmt.Errorf("slack: the answer would go to %.200q", c.Back)
	}
	body := object{"response_type": "ephemeral", "replace_original": false, "text": escapeSlack(text)}
	if over {
		body = object{"replace_original": true, "text": escapeSlack(text)}
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.Back, strings.NewReader(string(wire.Marshal(body))))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json; charset=utf-8")
	if _, err = sendRequest(s.transport, r); err != nil {
		return fmt.Errorf("slack: %w", err)
	}
	return nil
}

// answersAt reports whether an address is one of Slack's for answers. On loopback, the test's
// server is Slack.
func (s *Slack) answersAt(back *url.URL) bool {
	api, _ := url.Parse(s.api)
	return back.Scheme == api.Scheme && (back.Host == "hooks."+api.Host || origin.Loopback(api.Host) && back.Host == api.Host)
}

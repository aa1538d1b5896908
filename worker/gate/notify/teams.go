package notify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/worker/gate/origin"
)

// teams posts questions into a channel of Microsoft Teams, as cards with a link. A card of a
// workflow has no buttons whose clicks the gate could check, so people decide on the page.
type teams struct {
	tenant, address string
	transport       http.RoundTripper
}

// mostLines is the largest number of lines of a prompt in a card. Teams refuses messages
// above 28 KB.
const mostLines = 80

// newTeams returns the messenger for the address of a workflow that posts cards to a
// channel. The address is a secret: who has it can post.
func newTeams(tenant, address string, transport http.RoundTripper) (Messenger, error) {
	if tenant == "" {
		return nil, errors.New("want TENANT=URL")
	}
	if _, err := origin.Parse(address); err != nil {
		return nil, errors.New("invalid address of a workflow: want https://host/path")
	}
	return &teams{tenant, address, transport}, nil
}

// ReadTeams reads the settings of several channels: texts of the form TENANT=URL, separated
// by spaces or line feeds. No error has an address.
func ReadTeams(text string, transport http.RoundTripper) (all []Messenger, err error) {
	for _, word := range strings.Fields(text) {
		tenant, address, _ := strings.Cut(word, "=")
		m, err := newTeams(tenant, address, transport)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

func (t *teams) Tenant() string { return t.tenant }
func (t *teams) Key() string    { return machine.TextHash("teams\n" + t.tenant + "\n" + t.address) }

// Post posts a card. Its texts are in runs, in which Teams reads no marks.
func (t *teams) Post(ctx context.Context, q Question) error {
	run := func(text, font string) object {
		return object{"type": "RichTextBlock", "spacing": "None", "inlines": []object{{"type": "TextRun", "text": text, "fontType": font}}}
	}
	body := []object{run(Title(&q.Call, proposal.Escape(q.Call.Tool)), "Default")}
	lines := strings.Split(strings.TrimSuffix(q.Call.Prompt, "\n"), "\n")
	if why := PageOnly(&q.Call); why != "" || len(lines) > mostLines {
		body = append(body, run(strings.TrimSpace("Read it on the gate's page. "+why), "Default"))
	} else {
		for _, line := range lines {
			body = append(body, run(cmp.Or(line, " "), "Monospace"))
		}
	}
	card := object{"$schema": "http://adaptivecards.io/schemas/adaptive-card.json", "type": "AdaptiveCard", "version": "1.4", "body": body,
		"actions": []object{{"type": "Action.OpenUrl", "title": "Decide on the gate's page", "url": q.Link}}}
	message := object{"type": "message", "attachments": []object{{"contentType": "application/vnd.microsoft.card.adaptive", "content": card}}}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, t.address, strings.NewReader(string(wire.Marshal(message))))
	if err != nil {
		return errors.New("teams: the address cannot be used")
	}
	r.Header.Set("Content-Type", "application/json; charset=utf-8")
	if _, err := sendRequest(t.transport, r); err != nil {
		return fmt.Errorf("teams: %w", hidePath(err, t.address))
	}
	return nil
}

// hidePath returns an error without the address, which is a secret.
func hidePath(err error, address string) error {
	return errors.New(strings.ReplaceAll(err.Error(), address, "the workflow"))
}

// Package settings has the table of the gate's settings: each has one row, with its flag and
// its variable. The command reads a flag, or else the variable from its environment; the
// Worker reads the variable from its configuration and secrets.
package settings

import (
	"fmt"
	"strings"
)

// Setting is one row of the table.
type Setting struct {
	Variable string
	Flag     string // flag of boundcheck gate, without dashes; "" if there is none
	Secret   bool   // must be in a secret of the platform, never in its configuration
	Value    string // description of its value
	// Split converts the variable's text to flags and their values. If it is nil, the
	// text is the value of Flag.
	Split func(text string) ([]Value, error)
}

// Value is one flag with its value.
type Value struct{ Flag, Text string }

// The variables.
const (
	URL         = "BOUNDCHECK_URL"
	Keys        = "BOUNDCHECK_KEYS"
	Secret      = "BOUNDCHECK_SECRET"
	Policy      = "BOUNDCHECK_POLICY"
	Rate        = "BOUNDCHECK_RATE"
	Access      = "BOUNDCHECK_ACCESS"
	Webhooks    = "BOUNDCHECK_WEBHOOKS"
	Traces      = "BOUNDCHECK_TRACES"
	TraceHeader = "BOUNDCHECK_TRACE_HEADERS"
	Slack       = "BOUNDCHECK_SLACK"
	SlackToken  = "BOUNDCHECK_SLACK_TOKEN"
	SlackSecret = "BOUNDCHECK_SLACK_SECRET"
	Teams       = "BOUNDCHECK_TEAMS"
	Signing     = "BOUNDCHECK_WEBHOOK_SECRET"
	Upstream    = "BOUNDCHECK_UPSTREAM"
	UpstreamKey = "BOUNDCHECK_UPSTREAM_KEY"
	Ask         = "BOUNDCHECK_ASK"
	Wait        = "BOUNDCHECK_WAIT"
	Reflect     = "BOUNDCHECK_REFLECT"
	Blocks      = "BOUNDCHECK_BLOCKS"
	Budget      = "BOUNDCHECK_BUDGET"
	Aux         = "BOUNDCHECK_AUX"
	AuxKey      = "BOUNDCHECK_AUX_KEY"
	Explain     = "BOUNDCHECK_EXPLAIN"
	Embed       = "BOUNDCHECK_EMBED"
	EmbedKey    = "BOUNDCHECK_EMBED_KEY"
	MCP         = "BOUNDCHECK_MCP"
	ReceiptKey  = "BOUNDCHECK_RECEIPT_KEY"
	Receipts    = "BOUNDCHECK_RECEIPTS"
)

// All returns the table of settings.
func All() []Setting {
	return []Setting{
		{Variable: URL, Flag: "url", Value: "the address at which people open the gate's pages"},
		{Variable: Keys, Secret: true, Value: `the lines of a key file with hashes, separated by ";" or line feeds`},
		{Variable: Secret, Secret: true, Value: "64 hexadecimal digits; the gate signs sessions with this secret"},
		{Variable: Policy, Value: "the policy in JSON"},
		{Variable: Rate, Flag: "rate", Value: "requests a second for each key"},
		{Variable: Access, Flag: "access", Value: "a team of Cloudflare Access that identifies approvers: team=URL audience=TAG approvers=TENANT:GROUP person=TENANT:EMAIL …"},
		{Variable: Webhooks, Flag: "webhook", Value: "TENANT=URL pairs, separated by spaces", Split: splitWords("webhook")},
		{Variable: Signing, Secret: true, Value: "secrets of the form whsec_…, separated by spaces"},
		{Variable: Traces, Flag: "traces", Value: "TENANT=URL pairs of collectors for OTLP/HTTP, separated by spaces", Split: splitWords("traces")},
		{Variable: TraceHeader, Secret: true, Value: "headers for " + Traces + " as name=value,name=value"},
		{Variable: Slack, Flag: "slack", Value: "lines of tenant=NAME team=T… channel=C… approver=NAME:U… …", Split: splitLines("slack")},
		{Variable: SlackToken, Secret: true, Value: "the token of the app's bot"},
		{Variable: SlackSecret, Secret: true, Value: "the app's signing secret"},
		{Variable: Teams, Secret: true, Value: "TENANT=URL pairs of workflows, separated by spaces"},
		{Variable: Upstream, Flag: "upstream", Value: "the model's API, such as https://host/v1"},
		{Variable: UpstreamKey, Secret: true, Value: "the API key for " + Upstream},
		{Variable: Ask, Flag: "ask", Value: "conversation or page"},
		{Variable: Wait, Flag: "wait", Value: "with " + Ask + "=page: how long a response waits for the decision, such as 20s"},
		{Variable: Reflect, Flag: "reflect", Value: "think or react"},
		{Variable: Blocks, Flag: "blocks", Value: "number of earlier parts of a conversation to send as summaries, at most 16"},
		{Variable: Budget, Flag: "budget", Value: "size in bytes above which a conversation is shortened"},
		{Variable: Aux, Flag: "aux", Value: "URL MODEL", Split: splitServer("aux")},
		{Variable: AuxKey, Secret: true, Value: "the API key for " + Aux},
		{Variable: Explain, Flag: "explain", Value: "on or off", Split: onOff},
		{Variable: Embed, Flag: "embed", Value: "URL MODEL", Split: splitServer("embed")},
		{Variable: EmbedKey, Secret: true, Value: "the API key for " + Embed},
		{Variable: MCP, Flag: "mcp", Value: "lines of the form NAME=URL; the words trust, form and host-asks may follow", Split: splitMCPServers},
		{Variable: ReceiptKey, Secret: true, Value: `keys as "boundcheck audit key" prints them, separated by ";" or line feeds; the first signs receipts`},
		{Variable: Receipts, Flag: "receipts", Value: "issuer=NAME, time=DURATION, names and audience=TOOLS=SERVER, separated by spaces"},
	}
}

// Values returns the flags for the variables that are set, in the order of the table. The
// function get returns the text of a variable, or "" if it is not set. If a text is
// invalid, the error names the variable.
func Values(get func(variable string) string) (all []Value, err error) {
	for _, s := range All() {
		text := strings.TrimSpace(get(s.Variable))
		if text == "" || s.Flag == "" {
			continue
		}
		split := []Value{{s.Flag, text}}
		if s.Split != nil {
			if split, err = s.Split(text); err != nil {
				return nil, fmt.Errorf("invalid %s: %w", s.Variable, err)
			}
		}
		all = append(all, split...)
	}
	return all, nil
}

// splitWords returns a Split that sets a flag once for each word.
func splitWords(flag string) func(string) ([]Value, error) {
	return func(text string) (all []Value, err error) {
		for _, word := range strings.Fields(text) {
			all = append(all, Value{flag, word})
		}
		return all, nil
	}
}

// splitLines returns a Split that sets a flag once for each line.
func splitLines(flag string) func(string) ([]Value, error) {
	return func(text string) (all []Value, err error) {
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" {
				all = append(all, Value{flag, line})
			}
		}
		return all, nil
	}
}

// splitServer returns a Split for a text of the form "URL MODEL". The Split sets two
// flags. For example, if flag is "aux", it sets the flag aux to the URL and the flag
// aux-model to the model.
func splitServer(flag string) func(string) ([]Value, error) {
	return func(text string) ([]Value, error) {
		url, model, err := Server(text)
		return []Value{{flag, url}, {flag + "-model", model}}, err
	}
}

// Server reads a text of the form "URL MODEL": the URL of a model's server, and the name
// of the model.
func Server(text string) (url, model string, err error) {
	f := strings.Fields(text)
	if len(f) != 2 {
		return "", "", fmt.Errorf("want URL MODEL")
	}
	return f[0], f[1], nil
}

func onOff(text string) ([]Value, error) {
	on, err := OnOff(text)
	if !on {
		return nil, err
	}
	return []Value{{"explain", "true"}}, nil
}

// OnOff returns true for "on", and false for "off" or "". Any other text is an error.
func OnOff(text string) (bool, error) {
	switch text {
	case "", "off":
		return false, nil
	case "on":
		return true, nil
	}
	return false, fmt.Errorf(`the value must be "on" or "off"`)
}

// splitMCPServers is the Split for MCP servers, one on each line. It sets the flags mcp,
// mcp-trust, mcp-form and mcp-host-asks.
func splitMCPServers(text string) (all []Value, err error) {
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		name, _, _ := strings.Cut(f[0], "=")
		all = append(all, Value{"mcp", f[0]})
		for _, word := range f[1:] {
			if word != "trust" && word != "form" && word != "host-asks" {
				return nil, fmt.Errorf("unknown word %q. The known words are trust, form and host-asks", word)
			}
			all = append(all, Value{"mcp-" + word, name})
		}
	}
	return all, nil
}

// Package setup reads the gate's settings from the Worker's variables and secrets. It is
// separate from the Worker, so that it can be tested natively.
package setup

import (
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/access"
	"github.com/boundcheck/boundcheck/worker/gate/notify"
	"github.com/boundcheck/boundcheck/worker/settings"
)

// The settings of the gate itself; package settings has the table of all.
const (
	URL      = settings.URL
	Keys     = settings.Keys // more keys are in secrets whose names begin with this text
	Secret   = settings.Secret
	Policy   = settings.Policy
	Rate     = settings.Rate
	Webhooks = settings.Webhooks
	Signing  = settings.Signing
)

// Error says which setting is missing or cannot be used. Anybody may see Setting; only
// the operator should see the error itself.
type Error struct {
	Setting string
	Err     error
}

func (e *Error) Error() string { return e.Setting + ": " + e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// Limits that fit those of the edge. A stream ends, and the client connects again, before
// the platform's limit of 50 statements a request is reached. A body, and all that is
// stored of it, fits into the 2 MB that D1 allows for one value.
const (
	poll   = 2 * time.Second
	stream = time.Minute
	limit  = 256 << 10
)

// Options returns the options of the gate from the settings in vars. URL, Keys and Secret
// are required, and the other settings have defaults. The caller must set Store and Sleep in
// the result.
func Options(vars map[string]string, transport http.RoundTripper) (o gate.Options, err error) {
	o = gate.Options{Poll: poll, Stream: stream, Limit: limit, URL: vars[URL], Transport: transport, AddressHeader: "CF-Connecting-IP"} // a header that the platform sets
	for _, read := range []struct {
		name string
		into func(*gate.Options, string) error
	}{
		{URL, func(*gate.Options, string) error { return nil }},
		{Secret, readSecret},
		{Policy, readPolicy},
		{Rate, readRate},
		{settings.Access, readAccess},
		{settings.ReceiptKey, func(o *gate.Options, keys string) error { return readReceipts(o, keys, vars[settings.Receipts]) }},
		{settings.Receipts, func(o *gate.Options, words string) error { return readReceipts(o, vars[settings.ReceiptKey], words) }},
		{settings.Slack, func(o *gate.Options, lines string) error {
			return addMessengers(o)(notify.ReadSlack(lines, vars[settings.SlackToken], vars[settings.SlackSecret], transport))
		}},
		{settings.Teams, func(o *gate.Options, text string) error { return addMessengers(o)(notify.ReadTeams(text, transport)) }},
		{Webhooks, func(o *gate.Options, list string) error { return readHooks(o, list, vars[Signing]) }},
		{settings.Traces, func(o *gate.Options, list string) (err error) {
			o.Traces, err = notify.ReadTraces(strings.Fields(list), vars[settings.TraceHeader])
			return err
		}},
	} {
		text := strings.TrimSpace(vars[read.name])
		if text == "" && (read.name == URL || read.name == Secret) {
			return o, &Error{read.name, errors.New("missing")}
		}
		if text == "" {
			continue
		}
		if err := read.into(&o, text); err != nil {
			return o, &Error{read.name, err}
		}
	}
	return o, readKeys(&o, vars)
}

func readSecret(o *gate.Options, text string) (err error) {
	if o.Secret, err = hex.DecodeString(text); err != nil || len(o.Secret) < 32 {
		return errors.New("want 64 hexadecimal digits")
	}
	return nil
}

func readPolicy(o *gate.Options, text string) (err error) {
	o.Policy, err = machine.ReadPolicy(text)
	return err
}

func readRate(o *gate.Options, text string) (err error) {
	if o.Rate, err = strconv.ParseFloat(text, 64); err != nil || !(o.Rate > 0 && o.Rate < 1e6) {
		return errors.New("the rate must be above 0 and below 1000000 requests per second")
	}
	return nil
}

func readAccess(o *gate.Options, words string) error {
	team, err := access.Read(words, o.Transport)
	if err == nil {
		o.Front = team
	}
	return err
}

func readReceipts(o *gate.Options, keys, words string) (err error) {
	o.Receipts, err = gate.ReadReceipts(keys, words)
	return err
}

func addMessengers(o *gate.Options) func([]notify.Messenger, error) error {
	return func(all []notify.Messenger, err error) error {
		o.Messengers = append(o.Messengers, all...)
		return err
	}
}

func readHooks(o *gate.Options, list, secrets string) error {
	for _, h := range strings.Fields(list) {
		tenant, url, _ := strings.Cut(h, "=")
		o.Hooks = append(o.Hooks, notify.Hook{Tenant: tenant, URL: url, Secrets: strings.Fields(secrets)})
	}
	return nil
}

// readKeys reads the keys from all variables whose names begin with the value of the
// constant Keys. The variables must contain only hashes of keys. A key in plain text, or
// no key at all, is an error.
func readKeys(o *gate.Options, vars map[string]string) (err error) {
	var names []string
	for name := range vars {
		if strings.HasPrefix(name, Keys) {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	text := ""
	for _, name := range names {
		lines := strings.ReplaceAll(vars[name], ";", "\n") // forms have one line
		for i, line := range strings.Split(lines, "\n") {
			line, _, _ = strings.Cut(line, "#")
			if f := strings.Fields(line); len(f) > 3 && !strings.HasPrefix(f[3], "sha256:") {
				return &Error{name, fmt.Errorf(`line %d must contain the hash of the key (sha256:…), not the key. The command "boundcheck gate key" prints a key and its hash`, i+1)}
			}
		}
		text += lines + "\n"
	}
	if o.Keys, err = gate.ReadKeys(text); err != nil {
		return &Error{Keys, err}
	}
	if len(o.Keys) == 0 {
		return &Error{Keys, errors.New("the keys are missing. Without keys nobody can use the gate")}
	}
	return nil
}

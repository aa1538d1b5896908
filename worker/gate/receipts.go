package gate

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/base/match"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/receipt"
)

// Receipts says how the gate signs a receipt for each call that it hands out. Make it with
// ReadReceipts.
type Receipts struct {
	signer    *receipt.Signer
	issuer    string // "" means the gate's address
	valid     time.Duration
	names     bool
	audiences []audience
}

// audience is the tool server for the tools whose names fit a pattern.
type audience struct{ tools, server string }

// The times for which a receipt may be valid.
const (
	defaultValid = time.Minute
	leastValid   = 5 * time.Second
	mostValid    = 10 * time.Minute
)

// ReadReceipts reads the keys (see receipt.ReadSigner) and the settings: words of the forms
// issuer=NAME, time=DURATION, names and audience=TOOLS=SERVER. In TOOLS, a * stands for any
// text, and the first that fits counts. The result is nil if both texts are empty.
func ReadReceipts(keys, words string) (r *Receipts, err error) {
	if strings.TrimSpace(keys) == "" {
		if strings.TrimSpace(words) != "" {
			return nil, errors.New("receipts need a key that signs them")
		}
		return nil, nil
	}
	r = &Receipts{valid: defaultValid}
	if r.signer, err = receipt.ReadSigner(keys); err != nil {
		return nil, err
	}
	for _, word := range strings.Fields(words) {
		name, value, _ := strings.Cut(word, "=")
		switch name {
		case "issuer":
			r.issuer = value
		case "time":
			if r.valid, err = time.ParseDuration(value); err != nil || r.valid < leastValid || r.valid > mostValid {
				return nil, fmt.Errorf("invalid time %q of receipts: want %v to %v", value, leastValid, mostValid)
			}
		case "names":
			r.names = true
		case "audience":
			tools, server, _ := strings.Cut(value, "=")
			if tools == "" || server == "" {
				return nil, fmt.Errorf("invalid audience %q of receipts: want audience=TOOLS=SERVER", value)
			}
			r.audiences = append(r.audiences, audience{tools, server})
		}
		if known := name == "issuer" || name == "time" || name == "audience"; known && value == "" || !known && word != "names" {
			return nil, fmt.Errorf("unknown word %q for receipts. The known words are issuer=NAME, time=DURATION, names and audience=TOOLS=SERVER", word)
		}
	}
	return r, nil
}

// Receipt returns the receipt of a claimed call, or "" if the gate signs none. It depends
// only on the record, so a claim never has two.
func (g *Gate) Receipt(r *machine.Record) string {
	c := g.Receipts
	if c == nil || r.State != machine.Claimed || r.Claim.At == 0 {
		return ""
	}
	named := func(name string) string {
		if c.names {
			return name
		}
		return receipt.HashedName(r.Tenant, name)
	}
	at := r.Claim.At / 1000
	end := at + int64(c.valid/time.Second)
	if r.Claim.Until != 0 { // nothing begins to run once the claim is ambiguous
		end = max(min(end, r.Claim.Until/1000), at+1)
	}
	out := receipt.Receipt{
		Issuer: c.issuer, ID: r.ID, Issued: at, Expires: end, Tenant: r.Tenant, Agent: named(r.Principal),
		Tool: r.Tool, Digest: r.Digest, Decision: receipt.ByRule, Policy: r.Why.Policy, Rule: r.Why.Rule, Edited: r.Why.Edit != nil,
	}
	if out.Issuer == "" {
		out.Issuer = g.home.String()
	}
	for _, a := range c.audiences {
		if match.Name(a.tools, r.Tool) {
			out.Audience = a.server
			break
		}
	}
	for _, v := range r.Approvals() {
		one := receipt.Approver{Name: named(v.By), Channel: v.Channel, At: v.At / 1000}
		if v.Giver != "" {
			one.For = named(v.Giver)
		}
		out.Approvers = append(out.Approvers, one)
		if out.Decision != receipt.Conversation {
			out.Decision = receipt.Approved
		}
		if machine.IsConversation(v.By) {
			out.Decision = receipt.Conversation
		}
	}
	if w := r.Why.Recalled; w != nil {
		out.Decision, out.Approvers = receipt.Remembered, []receipt.Approver{{Name: named(w.By)}}
	}
	return c.signer.Sign(&out)
}

// handleKeys answers with the public keys of receipts. Without receipts, the set is empty.
func (g *Gate) handleKeys(http.ResponseWriter, *request) reply {
	if g.Receipts == nil {
		return reply{status: 200, body: []byte(`{"keys":[]}` + "\n")}
	}
	return reply{status: 200, body: append(g.Receipts.signer.JWKS(), '\n')}
}

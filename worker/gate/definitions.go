package gate

import (
	"context"
	"errors"
	"net/http"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// pinView is a definition in the form of the API.
type pinView struct {
	store.Pin
	State string `json:"state"`
	Since string `json:"since"`
}

func (g *Gate) handleDefinitions(_ http.ResponseWriter, q *request) reply {
	ctx, cancel := context.WithTimeout(q.Context(), patience)
	defer cancel()
	pins, err := g.Store.Pins(ctx, q.who.Tenant, q.URL.Query().Get("server"))
	if err != nil {
		return storeErrorReply(err)
	}
	out := []pinView{}
	for _, p := range pins {
		out = append(out, pinView{p, p.State(), store.Instant(p.Since)})
	}
	return reply{status: 200, body: wire.Marshal(definitionsMessage{out})}
}

// acceptDefinition handles a request in which an approver accepts a tool definition. The
// body has the form {"server","tool","hash"}. The member hash is the hash of the text
// that the approver has seen.
func (g *Gate) acceptDefinition(_ http.ResponseWriter, q *request) reply {
	f, err := q.readMembers()
	var p store.Pin
	for name, to := range map[string]*string{"server": &p.Server, "tool": &p.Tool, "hash": &p.Hash} {
		if err == nil {
			*to, err = textMember(f, name)
		}
	}
	if err == nil && (p.Server == "" || p.Tool == "" || p.Hash == "") {
		err = errors.New(`missing server, tool or hash. Send {"server": …, "tool": …, "hash": …} with the hash of the definition that you reviewed`)
	}
	if err != nil {
		return reply{status: 400, body: wire.FailWith(err)}
	}
	ctx, cancel := context.WithTimeout(q.Context(), patience)
	defer cancel()
	if ok, err := g.acceptPin(ctx, q.who, p, "api"); err != nil {
		return storeErrorReply(err)
	} else if !ok {
		return errorReply(409, CodeConflict, "the server now returns another definition, or has no such tool. Look at the definitions again")
	}
	return reply{status: 200, body: wire.Marshal(acceptedMessage{p.Server, store.PinReviewed, p.Tool})}
}

// acceptPin accepts a tool definition, and first writes an audit entry about it. It
// returns false if the server's latest definition has another hash.
func (g *Gate) acceptPin(ctx context.Context, who machine.Principal, p store.Pin, channel string) (bool, error) {
	pins, err := g.Store.Pins(ctx, who.Tenant, p.Server)
	if err != nil {
		return false, err
	}
	for i := range pins {
		if pins[i].Tool != p.Tool || pins[i].Hash != p.Hash {
			continue
		}
		yes := true
		err := g.Store.Note(ctx, machine.Entry{
			Version: 1, Tenant: who.Tenant, Event: "definition", At: g.Now(), By: who.Name, Role: who.Role, Channel: channel,
			Tool: "mcp__" + p.Server + "__" + p.Tool, Digest: p.Hash, Approve: &yes, Text: "accepted the definition",
		})
		if err != nil {
			return false, err
		}
		g.hub.Wake()
		return g.Store.AcceptPin(ctx, who.Tenant, p.Server, p.Tool, p.Hash)
	}
	return false, nil
}

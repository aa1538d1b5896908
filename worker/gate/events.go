package gate

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/worker/gate/hub"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// notice is one event of the stream; it carries no arguments.
type notice struct {
	ID      string        `json:"id"`
	State   machine.State `json:"state"`
	Batch   string        `json:"batch,omitempty"`
	Tool    string        `json:"tool"`
	Digest  string        `json:"digest"`
	Expires string        `json:"expires"`
	URL     string        `json:"url"`
}

func (g *Gate) newNotice(r *machine.Record) notice {
	return notice{r.ID, r.State, r.Batch, r.Tool, r.Digest, store.Instant(r.Expires), g.Link(r.ID)}
}

// handleEvents sends a stream of events about waiting proposals. It sends "pending" for
// each proposal that waits at the beginning or starts to wait later. It sends "settled"
// for each proposal that no longer waits.
func (g *Gate) handleEvents(w http.ResponseWriter, q *request) reply {
	ctx, cancel := context.WithTimeout(q.Context(), g.Stream)
	defer cancel()
	control := http.NewResponseController(w)
	known := map[string]bool{}
	watching := g.hub.Watch(hub.Topic(q.who.Tenant, ""))
	defer g.hub.Leave(watching)
	started, said := false, time.Now()
	for ctx.Err() == nil && !g.isDrained() {
		lines, version, err := g.newEvents(ctx, q.who.Tenant, known)
		if err != nil && !started {
			return storeErrorReply(err)
		}
		if err != nil {
			break // the client connects again and gets the rest
		}
		if !started {
			w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
			w.WriteHeader(200)
			lines = append([]string{"retry: 2000\n\n"}, lines...)
			started = true
		}
		if len(lines) == 0 && time.Since(said) > 15*time.Second {
			lines = []string{": still here\n\n"}
		}
		if len(lines) > 0 {
			said = time.Now()
			control.SetWriteDeadline(time.Now().Add(patience))
			if _, err := w.Write([]byte(strings.Join(lines, ""))); err != nil {
				break
			}
			control.Flush()
		}
		g.restStream(ctx, watching, version)
	}
	return reply{}
}

// together is the time that a stream waits before it reads the store again, so that
// many changes cause one read.
const together = 100 * time.Millisecond

// restStream waits until there is a signal for w or the time g.Poll has passed. After
// that time it renews the topic, because another process may have changed something. The
// parameter version is the topic's version at the last read.
func (g *Gate) restStream(ctx context.Context, w *hub.Waiter, version uint64) {
	if !g.awaitSignal(ctx, w, g.Poll) {
		g.hub.Renew(w.Keys[0], version) // another process may have changed something
	}
	if g.Sleep == nil {
		waitForChange(ctx, nil, together)
	}
}

// newEvents returns an event for each proposal that has begun to wait or no longer waits.
// The map known contains the ids of the proposals that the client believes to wait.
// newEvents updates this map. The result version is the version from loadOutline.
func (g *Gate) newEvents(ctx context.Context, tenant string, known map[string]bool) (lines []string, version uint64, err error) {
	value, version, err := g.loadOutline(ctx, tenant)
	if err != nil {
		return nil, 0, err
	}
	waits := map[string]bool{}
	for _, r := range value.([]machine.Record) {
		waits[r.ID] = true
		if !known[r.ID] {
			known[r.ID] = true
			lines = append(lines, formatEvent("pending", g.newNotice(&r)))
		}
	}
	for id := range known {
		if waits[id] {
			continue
		}
		r, err := g.Store.Load(ctx, tenant, id)
		if err != nil {
			return nil, 0, err
		}
		delete(known, id)
		lines = append(lines, formatEvent("settled", g.newNotice(&r)))
	}
	return lines, version, nil
}

// loadOutline returns the tenant's waiting proposals, a []machine.Record, and the version
// of the tenant's topic (see loadTopic). With Options.Sleep the version is 0. The streams
// of one tenant share one read of the store.
func (g *Gate) loadOutline(ctx context.Context, tenant string) (value any, version uint64, err error) {
	key := hub.Topic(tenant, "")
	load := func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
		defer cancel()
		return g.Store.Outline(ctx, tenant, store.MaxListed)
	}
	if g.Sleep == nil {
		return g.hub.Load(key, true, load)
	}
	value, err = g.hub.LoadRecent(key, g.Poll/2, load)
	return value, 0, err
}

func formatEvent(name string, n notice) string {
	return fmt.Sprintf("event: %s\ndata: %s\n\n", name, strings.TrimSpace(string(wire.Marshal(n))))
}

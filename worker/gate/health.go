package gate

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/boundcheck/boundcheck/core/wire"
)

// Limits of health checks. Anybody may ask for the health, and each check writes to the
// store. Requests beyond the limits get the result of the last check.
const (
	healthBurst = 20
	healthRate  = 5
)

// lastHealth is the result of the last check of the store.
type lastHealth struct {
	mu  sync.Mutex
	err error
}

// Healthy returns an error if the store does not accept a write, for example because the
// disk is full. Without a write, the gate cannot allow or hold a call.
func (g *Gate) Healthy(ctx context.Context) error {
	h := &g.healthy
	if ok, _ := g.limits.TakeAt("health", healthRate, healthBurst, time.Now().UnixMilli()); !ok {
		h.mu.Lock()
		defer h.mu.Unlock()
		return h.err
	}
	probe, err := g.Fresh("")
	if err == nil {
		err = g.Store.Ping(ctx, g.Now(), probe)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.err = err
	return err
}

func (g *Gate) handleHealth(_ http.ResponseWriter, q *request) reply {
	ctx, cancel := context.WithTimeout(q.Context(), patience)
	defer cancel()
	if err := g.Healthy(ctx); err != nil {
		return storeErrorReply(err)
	}
	return reply{status: 200, body: wire.Marshal(healthMessage{true, g.Policy().Version, g.warnings.list()})}
}

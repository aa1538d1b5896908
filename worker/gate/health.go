package gate

import (
	"context"
	"errors"
	"net/http"
	"strings"
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
	if ok, _ := g.limits.takeAt("health", healthRate, healthBurst, time.Now().UnixMilli()); !ok {
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

// probeLife is after how many milliseconds the probe of a check that did not end is deleted.
const probeLife = 20_000

// typicalRow is the size in bytes of what one flow of a call adds to the database.
const typicalRow = 5 << 10

// Ping returns an error if the store does not accept a write of typical size, if what was
// written cannot be read, if the newest rows cannot be read, or if a table is missing.
// The parameter probe is a name that no other call uses.
func (s *Store) Ping(ctx context.Context, now int64, probe string) error {
	// The row is new each time, because writing over an old one needs no space.
	name, text, got := "probe "+formatStamp(now)+" "+probe, strings.Repeat("x", typicalRow), ""
	if _, err := s.execChange(ctx, `INSERT INTO health (name, at) VALUES (?, ?)`, []any{name, text}); err != nil {
		return err
	}
	if _, err := s.queryOne(ctx, `SELECT at FROM health WHERE name = ?`, []any{name}, &got); err != nil {
		return err
	}
	if got != text {
		err := errors.New("the store returned other bytes than were written")
		Blame(ctx, err)
		return err
	}
	for _, newest := range [...]string{`SELECT entry FROM audit ORDER BY seq DESC LIMIT 1`, `SELECT arguments FROM proposals ORDER BY rowid DESC LIMIT 1`} {
		if _, err := s.queryOne(ctx, newest, nil, &got); err != nil {
			return err
		}
	}
	before := "probe " + formatStamp(max(1, now-probeLife)) // of checks that did not end
	_, err := s.execChange(ctx, `DELETE FROM health WHERE name = ? OR name >= 'probe ' AND name < ?`, []any{name, before})
	return err
}

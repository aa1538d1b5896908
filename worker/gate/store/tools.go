package store

import (
	"context"
	"encoding/json"
)

// Pin holds the latest definition of a tool from an MCP server, and the pinned
// definition.
type Pin struct {
	Server string `json:"server"`
	Tool   string `json:"tool"`
	Hash   string `json:"hash"`
	Text   string `json:"text"`
	// Pinned is the hash with which the tool may be called: that of its first
	// definition, or of the one that an approver accepted last.
	Pinned     string `json:"pinned"`
	PinnedText string `json:"pinnedText"`
	// Reviewed means that hints may be trusted: the definition was there when the
	// operator named the server, or an approver accepted it.
	Reviewed bool  `json:"reviewed"`
	Since    int64 `json:"since,string"`
}

// Held reports whether the definition has changed and nobody has accepted the change.
func (p *Pin) Held() bool { return p.Hash != p.Pinned }

const pinColumns = `server, tool, hash, text, ok_hash, ok_text, reviewed, since`

// Pins returns a tenant's tool definitions, sorted by server and tool. If server is not
// "", it returns only the definitions of this server.
func (s *Store) Pins(ctx context.Context, tenant, server string) ([]Pin, error) {
	return s.queryPins(ctx, `(? = '' OR server = ?)`, tenant, server, server)
}

// Pin returns the definition of one tool. The slice is empty if the tool was never seen.
func (s *Store) Pin(ctx context.Context, tenant, server, tool string) ([]Pin, error) {
	return s.queryPins(ctx, `server = ? AND tool = ?`, tenant, server, tool)
}

func (s *Store) queryPins(ctx context.Context, where string, args ...any) (out []Pin, err error) {
	rows, err := s.queryRead(ctx, `SELECT `+pinColumns+` FROM definitions WHERE tenant = ? AND `+where+` ORDER BY server, tool`, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var p Pin
		var reviewed int
		var since string
		if err := rows.Scan(&p.Server, &p.Tool, &p.Hash, &p.Text, &p.Pinned, &p.PinnedText, &reviewed, &since); err != nil {
			return nil, err
		}
		p.Reviewed, p.Since = reviewed == 1, parseStamp(since)
		out = append(out, p)
	}
	return out, rows.Err()
}

// NewPins stores the definitions of new tools in one statement. A definition that another
// process has stored in the meantime stays unchanged.
func (s *Store) NewPins(ctx context.Context, tenant string, pins []Pin) error {
	type line struct {
		Pin
		Reviewed int    `json:"reviewed"`
		Since    string `json:"since"`
	}
	lines := make([]line, len(pins))
	for i, p := range pins {
		if lines[i] = (line{Pin: p, Since: Stamp(p.Since)}); p.Reviewed {
			lines[i].Reviewed = 1
		}
	}
	list, err := json.Marshal(lines)
	if err != nil {
		return err
	}
	_, err = s.Change(ctx, `INSERT INTO definitions (tenant, `+pinColumns+`)
		SELECT ?, value->>'server', value->>'tool', value->>'hash', value->>'text', value->>'pinned', value->>'pinnedText',
			CAST(value->>'reviewed' AS INTEGER), value->>'since' FROM json_each(?) WHERE true ON CONFLICT DO NOTHING`, []any{tenant, string(list)})
	return err
}

// MovePin stores the changed definition of a server's tool. It returns false if the tool
// is not known, or if it already has this definition.
func (s *Store) MovePin(ctx context.Context, tenant string, p Pin) (bool, error) {
	var hash string
	return s.Change(ctx, `UPDATE definitions SET hash = ?, text = ?, since = ? WHERE tenant = ? AND server = ? AND tool = ? AND hash <> ? RETURNING hash`,
		[]any{p.Hash, p.Text, Stamp(p.Since), tenant, p.Server, p.Tool, p.Hash}, &hash)
}

// AcceptPin pins the latest definition of a tool if this definition has the given hash.
// It returns false if the definition has another hash, or if the tool is not known.
func (s *Store) AcceptPin(ctx context.Context, tenant, server, tool, hash string) (bool, error) {
	var got string
	return s.Change(ctx, `UPDATE definitions SET ok_hash = hash, ok_text = text, reviewed = 1
		WHERE tenant = ? AND server = ? AND tool = ? AND hash = ? RETURNING hash`, []any{tenant, server, tool, hash}, &got)
}

// Spend marks an id as used until a time. It returns false if the id was used before.
func (s *Store) Spend(ctx context.Context, id string, until int64) (bool, error) {
	var got string
	return s.Change(ctx, `INSERT INTO spent (id, until) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING id`, []any{id, Stamp(until)}, &got)
}

// Spent reports whether an id was used.
func (s *Store) Spent(ctx context.Context, id string) (bool, error) {
	return s.SpentOr(ctx, id, "", 0)
}

// EndUntil marks what has an id and ends before a time as ended, at the latest of such times.
func (s *Store) EndUntil(ctx context.Context, id string, until int64) error {
	_, err := s.Change(ctx, `INSERT INTO spent (id, until) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET until = excluded.until WHERE spent.until < excluded.until`, []any{id, Stamp(until)})
	return err
}

// SpentOr reports whether an id was used, or what has the other id and ends at a time was
// marked with EndUntil.
func (s *Store) SpentOr(ctx context.Context, id, other string, end int64) (bool, error) {
	var got string
	return s.queryOne(ctx, `SELECT id FROM spent WHERE id = ? OR id = ? AND until >= ?`, []any{id, other, Stamp(end)}, &got)
}

// ForgetSpent deletes ids whose time has passed.
func (s *Store) ForgetSpent(ctx context.Context, now int64) error {
	_, err := s.Change(ctx, `DELETE FROM spent WHERE until < ?`, []any{Stamp(now)})
	return err
}

// The states of a definition.
const (
	PinReviewed = "reviewed" // as it was first seen, or since accepted
	pinNew      = "new"      // seen later: it may be called, but its hints are ignored
	pinHeld     = "held"     // changed: may not be called until it is accepted
)

// State returns the state of a definition: reviewed, new or held.
func (p *Pin) State() string {
	switch {
	case p.Held():
		return pinHeld
	case !p.Reviewed:
		return pinNew
	}
	return PinReviewed
}

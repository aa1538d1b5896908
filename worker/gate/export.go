package gate

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"

	machine "github.com/boundcheck/boundcheck/core/gate"
	"github.com/boundcheck/boundcheck/core/saber"
)

// ExportSchema names the form of an exported audit: JSON lines; for each tenant
// a first line, its rows in order, and a last line with their number and head.
const ExportSchema = "boundcheck.audit/1"

// exportLine is any line of an export.
type exportLine struct {
	Schema string `json:"schema,omitempty"`
	Tenant string `json:"tenant,omitempty"`
	N      int64  `json:"n,string,omitempty"`
	Prev   string `json:"prev,omitempty"`
	Entry  string `json:"entry,omitempty"`
	Hash   string `json:"hash,omitempty"`
	End    bool   `json:"end,omitempty"`
	Rows   int64  `json:"rows,string,omitempty"`
	Head   string `json:"head,omitempty"`
}

// Export writes the sealed audit of the tenants.
func (s *Store) Export(ctx context.Context, w io.Writer, tenants []string) error {
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for _, t := range tenants {
		if err := enc.Encode(exportLine{Schema: ExportSchema, Tenant: t}); err != nil {
			return err
		}
		end := exportLine{End: true}
		err := s.Chain(ctx, t, func(l machine.Link) error {
			end.Rows, end.Head = l.N, l.Hash
			return enc.Encode(exportLine{N: l.N, Prev: l.Prev, Entry: l.Entry, Hash: l.Hash})
		})
		if err != nil {
			return err
		}
		if err := enc.Encode(end); err != nil {
			return err
		}
	}
	return out.Flush()
}

// Checked is what a verification found about one tenant's chain.
type Checked struct {
	Tenant string
	Rows   int64
	Head   string
	Faults []string // empty when the chain is whole
}

// VerifyExport reads an export. A file that is cut off at the end is a fault. heads
// gives what was noted elsewhere by tenant, and may be nil.
func VerifyExport(r io.Reader, heads map[string]string) (out []Checked, err error) {
	scan := bufio.NewScanner(r)
	scan.Buffer(make([]byte, 64<<10), 16<<20)
	var tenant string
	var links []machine.Link
	open := false
	finish := func(rows int64, head string, cut bool) {
		if noted := heads[tenant]; noted != "" {
			head = noted
		}
		c := check(tenant, links, rows, head)
		if cut {
			c.Faults = append(c.Faults, "the export has no last line: rows may be missing at the end")
		}
		out, links, open = append(out, c), nil, false
	}
	for line := 1; scan.Scan(); line++ {
		var l exportLine
		if err := json.Unmarshal(scan.Bytes(), &l); err != nil {
			return nil, fmt.Errorf("line %d is no JSON: %w", line, err)
		}
		switch {
		case l.Schema != "" && l.Schema != ExportSchema:
			return nil, fmt.Errorf("line %d: unknown schema %q, want %q", line, l.Schema, ExportSchema)
		case l.Schema != "":
			if open {
				finish(0, "", true)
			}
			tenant, open = l.Tenant, true
		case !open:
			return nil, fmt.Errorf("line %d: want a first line with %q", line, ExportSchema)
		case l.End:
			finish(l.Rows, l.Head, false)
		default:
			links = append(links, machine.Link{N: l.N, Prev: l.Prev, Entry: l.Entry, Hash: l.Hash})
		}
	}
	if open {
		finish(0, "", true)
	}
	if scan.Err() == nil && len(out) == 0 {
		return nil, fmt.Errorf("the file is empty: want an export of %q", ExportSchema)
	}
	return out, scan.Err()
}

func check(tenant string, links []machine.Link, rows int64, head string) Checked {
	c := Checked{Tenant: tenant, Rows: int64(len(links))}
	if len(links) > 0 {
		c.Head = links[len(links)-1].Hash
	}
	for _, f := range machine.Verify(tenant, links, rows, head) {
		c.Faults = append(c.Faults, f.Text)
	}
	return c
}

// VerifyStore checks the chains of a database, and that every record stands
// where the audit says that it stands, with the bytes that were shown.
func (s *Store) VerifyStore(ctx context.Context, heads map[string]string) ([]Checked, error) {
	tenants, err := s.Tenants(ctx)
	if err != nil {
		return nil, err
	}
	var out []Checked
	for _, t := range tenants {
		var links []machine.Link
		if err := s.Chain(ctx, t, func(l machine.Link) error { links = append(links, l); return nil }); err != nil {
			return nil, err
		}
		c := check(t, links, 0, heads[t])
		faults, err := s.crossCheck(ctx, t)
		if err != nil {
			return nil, err
		}
		c.Faults = append(c.Faults, faults...)
		out = append(out, c)
	}
	ever, now, err := s.Numbered(ctx)
	if err == nil && now < ever {
		out = append(out, Checked{Tenant: "(all)", Faults: []string{fmt.Sprintf("the database has numbered %d audit rows and holds %d: %d were removed", ever, now, ever-now)}})
	}
	return out, err
}

// crossCheck compares every record with the last entry about it, sealed or not.
func (s *Store) crossCheck(ctx context.Context, tenant string) (faults []string, err error) {
	last := map[string]machine.Entry{}
	texts, err := s.texts(ctx, `SELECT entry FROM audit WHERE tenant = ? ORDER BY seq`, tenant)
	if err != nil {
		return nil, err
	}
	for _, text := range texts {
		var e machine.Entry
		if json.Unmarshal([]byte(text), &e) == nil && e.Rev > last[e.ID].Rev {
			last[e.ID] = e
		}
	}
	records, err := s.records(ctx, `tenant = ? ORDER BY created, id`, tenant)
	if err != nil {
		return nil, err
	}
	for i := range records {
		r := &records[i]
		e, known := last[r.ID]
		delete(last, r.ID)
		switch {
		case !known:
			faults = append(faults, fmt.Sprintf("proposal %s has no audit entry: its rows were removed", r.ID))
		case e.Rev != r.Rev || e.To != r.State:
			faults = append(faults, fmt.Sprintf("proposal %s is %s (change %d), but the audit's last row about it says %s (change %d)", r.ID, r.State, r.Rev, e.To, e.Rev))
		case e.Digest != r.Digest || saber.Digest(r.Tool, r.Arguments) != r.Digest || machine.TextHash(r.Prompt) != r.PromptHash:
			faults = append(faults, fmt.Sprintf("proposal %s does not hold the bytes that were proposed and shown", r.ID))
		}
	}
	for id := range last {
		if id != "" {
			faults = append(faults, fmt.Sprintf("proposal %s is in the audit, but not in the table", id))
		}
	}
	return faults, nil
}

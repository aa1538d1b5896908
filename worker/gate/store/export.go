package store

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
)

// ExportSchema names the form of an exported audit in JSON lines. Each tenant has a
// first line, its rows in order, and a last line with their number and head.
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
	// At, Key and Signature turn a last line into a SignedHead.
	At        string `json:"at,omitempty"`
	Key       string `json:"key,omitempty"`
	Signature string `json:"signature,omitempty"`
}

// Export writes all rows of each tenant's audit to w. If sign is not nil, it signs the
// last line of each tenant. It returns, by tenant, how many rows were not sealed yet: the
// export seals them, but they may have been changed in the database before.
func (s *Store) Export(ctx context.Context, w io.Writer, tenants []string, sign func(*SignedHead)) (map[string]int64, error) {
	unsealed := map[string]int64{}
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for _, t := range tenants {
		if err := enc.Encode(exportLine{Schema: ExportSchema, Tenant: t}); err != nil {
			return nil, err
		}
		end := exportLine{End: true}
		err := s.WholeChain(ctx, t, func(l machine.Link, stored bool) error {
			if !stored {
				unsealed[t]++
			}
			end.Rows, end.Head = l.N, l.Hash
			return enc.Encode(exportLine{N: l.N, Prev: l.Prev, Entry: l.Entry, Hash: l.Hash})
		})
		if err != nil {
			return nil, err
		}
		if sign != nil {
			h := SignedHead{Schema: HeadSchema, Tenant: t, Rows: end.Rows, Head: end.Head, At: Instant(time.Now().UnixMilli())}
			sign(&h)
			end.At, end.Key, end.Signature = h.At, h.Key, h.Signature
		}
		if err := enc.Encode(end); err != nil {
			return nil, err
		}
	}
	return unsealed, out.Flush()
}

// Checked is the result of the verification of one tenant's chain.
type Checked struct {
	Tenant   string
	Rows     int64
	Redacted int64 // number of rows that were emptied, as a later row records
	Unsealed int64 // number of rows, at the end, that the database has not sealed yet
	Head     string
	Signed   bool     // its end, or a head that was given, has the operator's signature
	Faults   []string // empty when the chain is whole
}

// Known holds what is known about the chains from other places than the export or
// database that is verified.
type Known struct {
	Heads  map[string]string // by tenant: the hash of its last row, noted elsewhere
	Signed []SignedHead      // heads of any time; they are checked with Check
	// Check reports whether the operator has signed a head. It is nil if no public key
	// is known. With it, each chain needs a signed head.
	Check func(*SignedHead) bool
}

// compareChain checks a chain against the known signed heads, and against the signed end
// of the export, if there is one. It adds the faults to c.
func (k *Known) compareChain(c *Checked, links []machine.Link, end *SignedHead) {
	fault := func(format string, a ...any) { c.Faults = append(c.Faults, fmt.Sprintf(format, a...)) }
	hashes := map[int64]string{}
	for _, l := range links {
		hashes[l.N] = l.Hash
	}
	heads := k.Signed
	if end != nil && end.Signature != "" {
		heads = append([]SignedHead{*end}, heads...)
	}
	for i := range heads {
		h := &heads[i]
		switch {
		case h.Tenant != c.Tenant:
			continue
		case k.Check == nil:
			fault("no public key is given to check the signature of the audit head from %s", h.At)
		case !k.Check(h):
			fault("the signature of the audit head from %s was not made with the operator's key", h.At)
		case h.Rows > 0 && hashes[h.Rows] != h.Head:
			fault("row %d differs from the row that was signed on %s. The row was removed, or the chain was rewritten", h.Rows, h.At)
		default:
			c.Signed = true
		}
	}
	if k.Check != nil && !c.Signed && len(c.Faults) == 0 {
		fault("the audit chain has no signed head. The writer of the file may have removed or changed rows")
	}
}

// VerifyExport reads an export and checks every chain in it. A chain without its last
// line gets a fault.
func VerifyExport(r io.Reader, known Known) (out []Checked, err error) {
	scan := bufio.NewScanner(r)
	scan.Buffer(make([]byte, 64<<10), 16<<20)
	var tenant string
	var links []machine.Link
	open := false
	finish := func(end exportLine, cut bool) {
		head := end.Head
		if noted := known.Heads[tenant]; noted != "" {
			head = noted
		}
		c := checkChain(tenant, links, end.Rows, head)
		known.compareChain(&c, links, &SignedHead{HeadSchema, tenant, end.Rows, end.Head, end.At, end.Key, end.Signature})
		if cut {
			c.Faults = append(c.Faults, "the export has no last line: rows may be missing at the end")
		}
		out, links, open = append(out, c), nil, false
	}
	for line := 1; scan.Scan(); line++ {
		var l exportLine
		if err := json.Unmarshal(scan.Bytes(), &l); err != nil {
			return nil, fmt.Errorf("line %d is not JSON: %w", line, err)
		}
		switch {
		case l.Schema != "" && l.Schema != ExportSchema:
			return nil, fmt.Errorf("line %d has the unknown schema %q; the schema must be %q", line, l.Schema, ExportSchema)
		case l.Schema != "":
			if open {
				finish(exportLine{}, true)
			}
			tenant, open = l.Tenant, true
		case !open:
			return nil, fmt.Errorf("line %d must be the first line of a chain, with the schema %q", line, ExportSchema)
		case l.End:
			finish(l, false)
		default:
			links = append(links, machine.Link{N: l.N, Prev: l.Prev, Entry: l.Entry, Hash: l.Hash})
		}
	}
	if open {
		finish(exportLine{}, true)
	}
	if scan.Err() == nil && len(out) == 0 {
		return nil, fmt.Errorf("the file is empty; it must contain an export with the schema %q", ExportSchema)
	}
	return out, scan.Err()
}

func checkChain(tenant string, links []machine.Link, rows int64, head string) Checked {
	c := Checked{Tenant: tenant, Rows: int64(len(links)), Redacted: int64(machine.Redactions(links))}
	if len(links) > 0 {
		c.Head = links[len(links)-1].Hash
	}
	for _, f := range machine.Verify(tenant, links, rows, head) {
		c.Faults = append(c.Faults, f.Text)
	}
	return c
}

// VerifyStore checks the chains of a database. It also checks that the state, the
// decisions and the shown bytes of every record agree with the audit, and that no audit
// row was deleted.
func (s *Store) VerifyStore(ctx context.Context, known Known) ([]Checked, error) {
	tenants, err := s.Tenants(ctx)
	if err != nil {
		return nil, err
	}
	var out []Checked
	for _, t := range tenants {
		var links []machine.Link
		unsealed := int64(0)
		err := s.WholeChain(ctx, t, func(l machine.Link, stored bool) error {
			if links = append(links, l); !stored {
				unsealed++
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		c := checkChain(t, links, 0, known.Heads[t])
		c.Unsealed = unsealed
		known.compareChain(&c, links, nil)
		faults, err := s.crossCheck(ctx, t)
		if err != nil {
			return nil, err
		}
		c.Faults = append(c.Faults, faults...)
		out = append(out, c)
	}
	ever, now, err := s.Numbered(ctx)
	if err == nil && now < ever {
		out = append(out, Checked{Tenant: "(all)", Faults: []string{fmt.Sprintf("the database has numbered %d audit rows but contains only %d rows; number of removed rows: %d", ever, now, ever-now)}})
	}
	return out, err
}

package tally

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/boundcheck/boundcheck/core/base/packed"
	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/wire"
)

// head is the first line of a section, as JSON on one line. After it come the body, which
// has Body bytes, and a line break. A written tally has one or more sections.
type head struct {
	Schema      string   `json:"tally"`
	Report      string   `json:"report"`      // schema of the report
	Definitions int      `json:"definitions"` // version of the definitions of the figures; absent means 1
	Shard       int      `json:"shard"`
	Origin      *Origin  `json:"origin"`
	Profile     string   `json:"profile,omitempty"` // of the shard's runs
	Shares      []share  `json:"shares"`            // one for each file
	Warnings    warnings `json:"warnings"`
	Body        int      `json:"body"`            // bytes
	Extra       int      `json:"extra,omitempty"` // the last bytes of the body, which EncodeWith was given
	SHA256      string   `json:"sha256"`          // hex, of the body
}

const maxHead = 64 << 20

// Encode returns the written form of the tally. Equal tallies give equal bytes.
func (t *Tally) Encode() []byte { return t.EncodeWith(nil) }

// EncodeWith returns the written form of the tally with extra data of the caller.
// Set.Join passes the data to its visit function.
func (t *Tally) EncodeWith(extra []byte) []byte {
	body := t.effects.appendTo(t.corpus.AppendTo(nil))
	for i := range t.files {
		body = appendIDs(body, t.files[i].ids)
	}
	body = append(body, extra...)
	sum := sha256.Sum256(body)
	h := head{Schema, report.Schema, report.Definitions, t.index, t.origin, t.profile, t.files, t.warnings, len(body), len(extra), hex.EncodeToString(sum[:])}
	if len(extra) > 0 {
		h.Schema = schemaExtra
	}
	return append(append(wire.Marshal(h), body...), '\n')
}

// appendIDs appends the number of runs of each id. The hashes of the ids are sorted, and
// each is written as the difference from the previous hash.
func appendIDs(b []byte, ids map[uint64]uint32) []byte {
	hashes := make([]uint64, 0, len(ids))
	for h := range ids {
		hashes = append(hashes, h)
	}
	slices.Sort(hashes)
	b = packed.AppendUint(b, len(hashes))
	last := uint64(0)
	for _, h := range hashes {
		b = packed.AppendUint(binary.AppendUvarint(b, h-last), ids[h])
		last = h
	}
	return b
}

// readIDs reads what appendIDs wrote. For each id that is a key of found, it adds the
// number of runs to found.
func readIDs(r *packed.Reader, found map[uint64]int) {
	last := uint64(0)
	for range r.Len() {
		step, n := binary.Uvarint(r.Rest)
		if n <= 0 {
			r.Err = packed.ErrDamaged
			return
		}
		r.Rest = r.Rest[n:]
		last += step
		times := r.Int()
		if _, wanted := found[last]; wanted {
			found[last] += times
		}
	}
}

// section is one section of a written tally. Only the head is in memory.
type section struct {
	head
	name string // name of the source, for errors
	text []byte // the line of the head
	in   io.ReaderAt
	at   int64 // offset of the body

	copies []*section // read later, with the same head
}

// readBody reads the body and returns an error if its checksum differs from the one in
// the head.
func (s *section) readBody() ([]byte, error) {
	body := make([]byte, s.Body)
	if _, err := s.in.ReadAt(body, s.at); err != nil && err != io.EOF {
		return nil, fmt.Errorf("%s: %w", s.name, err)
	}
	if sum := sha256.Sum256(body); hex.EncodeToString(sum[:]) != s.SHA256 {
		return nil, fmt.Errorf("%s: shard %d of %d is damaged, because its checksum is wrong", s.name, s.Shard, s.Origin.Shards)
	}
	return body, nil
}

// errShort is the error for a section whose end is missing.
var errShort = errors.New("is cut short")

// readSections reads the heads of all sections of a written tally, and returns these
// sections as all. If the end of the last section is missing, this section is not in all
// but is returned as short. Otherwise short is nil.
func readSections(name string, in io.ReaderAt, size int64) (all []*section, short *section, err error) {
	for at := int64(0); at < size; {
		s := &section{name: name, in: in}
		s.text, err = firstLine(io.NewSectionReader(in, at, min(size-at, maxHead)))
		if err == nil {
			err = s.checkHead(size - at - int64(len(s.text)))
		}
		if errors.Is(err, errShort) {
			return all, s, nil
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		s.at = at + int64(len(s.text))
		at = s.at + int64(s.Body) + 1
		all = append(all, s)
	}
	if len(all) == 0 {
		return nil, nil, fmt.Errorf("the file %s is empty. Use a file that score --stream --partial wrote", name)
	}
	return all, nil, nil
}

func firstLine(in io.Reader) ([]byte, error) {
	var text []byte
	part := make([]byte, 4096)
	for {
		n, err := in.Read(part)
		if i := bytes.IndexByte(part[:n], '\n'); i >= 0 {
			return append(text, part[:i+1]...), nil
		}
		text = append(text, part[:n]...)
		if len(text) > 0 && !bytes.HasPrefix(text, []byte(`{"tally":`)[:min(len(text), 9)]) || err == io.EOF {
			return nil, errors.New("the file is not a partial result, or the first line is cut short. Use a file that score --stream --partial wrote")
		}
		if err != nil {
			return nil, err
		}
	}
}

// checkHead decodes the head from the text of the section, and returns an error if the
// head is not valid. The parameter left is the number of bytes after the head.
func (s *section) checkHead(left int64) error {
	if err := json.Unmarshal(s.text, &s.head); err != nil || s.Schema == "" || s.Origin == nil {
		return errors.New("the file is not a partial result. Use a file that score --stream --partial wrote")
	}
	if err := s.checkDefinitions(); err != nil {
		return err
	}
	o := s.Origin
	switch {
	case s.Schema != Schema && s.Schema != schemaExtra || s.Report != report.Schema:
		return fmt.Errorf("the file has the format %s and the report format %s. This version reads the format %s or %s and the report format %s. Score the input again with this version", s.Schema, s.Report, Schema, schemaExtra, report.Schema)
	case len(o.Files) == 0 || len(o.Files) != len(s.Shares) || s.Shard < 0 || s.Shard >= o.Shards || s.Body < 0 || s.Extra < 0 || s.Extra > s.Body || s.Extra > 0 != (s.Schema == schemaExtra) || !s.isHeadValid():
		return packed.ErrDamaged
	case int64(s.Body)+1 > left:
		return errShort
	}
	return nil
}

// checkDefinitions returns an error if the figures have other definitions than those of
// this version. For an unknown format it returns nil.
func (s *section) checkDefinitions() error {
	switch s.Schema {
	case Schema, schemaExtra, oldSchema, oldSchemaExtra:
		return report.CheckDefinitions("the file", s.Definitions)
	}
	return nil
}

// isHeadValid reports whether all numbers in the head are in their valid ranges.
func (s *section) isHeadValid() bool {
	for _, f := range s.Shares {
		if min(f.Elements, f.Faults, f.Runs, f.Lines, f.Elements-f.Faults) < 0 {
			return false
		}
	}
	for _, w := range s.Warnings.First {
		if w.File < 0 || w.File >= len(s.Shares) {
			return false
		}
	}
	return true
}

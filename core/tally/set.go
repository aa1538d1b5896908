package tally

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/packed"
	"github.com/boundcheck/boundcheck/core/wire"
)

// Set holds the written tallies of some shards, each once. A union of sets does not
// depend on order or grouping, and a repeated shard counts once. The zero value is empty.
// A Set keeps its readers and the heads of the sections, and reads the bodies when it
// needs them.
type Set struct {
	cuts map[string]*cut // by origin
	// Doubled names the shards that were read more than once, with the same bytes.
	Doubled []string
}

// cut holds the shards of one origin.
type cut struct {
	origin *Origin
	shards map[int]*section
}

// Read adds a written tally of one or more sections. name is used in errors. It returns
// an error if the tally is not valid, or contradicts a tally that was read before.
func (s *Set) Read(name string, in io.ReaderAt, size int64) error {
	all, err := readSections(name, in, size)
	if err != nil {
		return err
	}
	for _, one := range all {
		if err := s.add(one); err != nil {
			return err
		}
	}
	return nil
}

func (s *Set) add(one *section) error {
	key := string(wire.Marshal(one.Origin))
	c := s.cuts[key]
	if c == nil {
		for _, other := range s.cuts {
			if err := other.contradicts(one); err != nil {
				return err
			}
		}
		if s.cuts == nil {
			s.cuts = map[string]*cut{}
		}
		c = &cut{one.Origin, map[int]*section{}}
		s.cuts[key] = c
	}
	one.Origin = c.origin
	there := c.shards[one.Shard]
	if there == nil {
		c.shards[one.Shard] = one
		return nil
	}
	if string(there.text) != string(one.text) {
		return fmt.Errorf("%s and %s both have shard %d of %d of %s, and differ: the input or the command was not the same; remove one of them",
			there.name, one.name, one.Shard, one.Origin.Shards, c.origin.describe())
	}
	s.Doubled = append(s.Doubled, fmt.Sprintf("shard %d of %d of %s (%s, %s)", one.Shard, one.Origin.Shards, c.origin.describe(), there.name, one.name))
	return nil
}

// any returns the section with the lowest shard number.
func (c *cut) any() *section {
	return c.shards[slices.Min(slices.Collect(maps.Keys(c.shards)))]
}

// contradicts returns an error if a section of another origin cannot be combined with
// this cut.
func (c *cut) contradicts(one *section) error {
	a, b := c.origin, one.Origin
	why := ""
	switch {
	case a.Profile != b.Profile:
		why = fmt.Sprintf("--profile %s and %s", a.Profile, b.Profile)
	case a.Seed != b.Seed:
		why = fmt.Sprintf("--seed %d and %d", a.Seed, b.Seed)
	case a.Reference != b.Reference:
		why = "a different --reference, --reference-from or boundcheck.yaml"
	case !slices.Equal(a.Plugins, b.Plugins):
		why = "different plugins, or other versions of them"
	}
	if why != "" {
		return fmt.Errorf("%s and %s do not go together: they were made with %s", c.any().name, one.name, why)
	}
	for _, f := range a.Files {
		for _, g := range b.Files {
			if f.Name == g.Name {
				return fmt.Errorf("%s and %s both have %s, once among %s in %d shards and once among %s in %d: merge shards of one cut",
					c.any().name, one.name, f.Name, a.describe(), a.Shards, b.describe(), b.Shards)
			}
		}
	}
	return nil
}

// describe names the files of an origin for a message.
func (o *Origin) describe() string {
	if n := len(o.Files); n > 2 {
		return fmt.Sprintf("%s and %d more files", o.Files[0].Name, n-1)
	} else if n == 2 {
		return o.Files[0].Name + " and " + o.Files[1].Name
	}
	return o.Files[0].Name
}

// ordered returns the cuts sorted by the names of their first files. The files of a cut
// keep their order.
func (s *Set) ordered() []*cut {
	return slices.SortedFunc(maps.Values(s.cuts), func(a, b *cut) int { return cmp.Compare(a.origin.Files[0].Name, b.origin.Files[0].Name) })
}

// Missing returns a text for each cut with missing shards, which names those shards.
func (s *Set) Missing() (all []string) {
	for _, c := range s.ordered() {
		var missing []string
		count := 0
		for i := range c.origin.Shards {
			if c.shards[i] != nil {
				continue
			}
			if count++; count <= 20 {
				missing = append(missing, fmt.Sprint(i))
			}
		}
		if count > 20 {
			missing = append(missing, fmt.Sprintf("and %d more", count-20))
		}
		if count > 0 {
			all = append(all, fmt.Sprintf("%s of %d of %s", strings.Join(missing, ", "), c.origin.Shards, c.origin.describe()))
		}
	}
	return all
}

// Has reports whether the set has a shard and its body can be read undamaged.
func (s *Set) Has(origin *Origin, shard int) bool {
	c := s.cuts[string(wire.Marshal(origin))]
	if c == nil || c.shards[shard] == nil {
		return false
	}
	_, err := c.shards[shard].body()
	return err == nil
}

// Shards returns the number of different shards in the set.
func (s *Set) Shards() (n int) {
	for _, c := range s.cuts {
		n += len(c.shards)
	}
	return n
}

// WriteTo writes the shards as one tally. Equal sets have equal bytes, whatever the order
// in which they were read.
func (s *Set) WriteTo(out io.Writer) (n int64, err error) {
	for _, c := range s.ordered() {
		for _, i := range slices.Sorted(maps.Keys(c.shards)) {
			one := c.shards[i]
			body, err := one.body()
			if err != nil {
				return n, err
			}
			for _, part := range [][]byte{one.text, body, {'\n'}} {
				wrote, err := out.Write(part)
				n += int64(wrote)
				if err != nil {
					return n, err
				}
			}
		}
	}
	return n, nil
}

// Finish returns the summary of one run over all files: the cuts sorted by the name of
// their first file, each cut's files in its own order. Missing shards are left out, and a
// warning names them. A seed of 0 selects the seed of the shards. Finish reads the bodies
// one at a time: its memory grows with the number of tasks and not of shards.
func (s *Set) Finish(seed uint64) (Summary, error) {
	if len(s.cuts) == 0 {
		return Summary{}, errors.New("no partial result was given")
	}
	cuts := s.ordered()
	origin := *cuts[0].origin
	origin.Files, origin.Seed = nil, cmp.Or(seed, origin.Seed)
	for _, c := range cuts {
		origin.Files = append(origin.Files, c.origin.Files...)
	}
	whole := New(&origin, 0, false)
	places := s.places(cuts)
	skip := 0
	for _, c := range cuts {
		for _, i := range slices.Sorted(maps.Keys(c.shards)) {
			if err := whole.read(c.shards[i], skip, places); err != nil {
				return Summary{}, err
			}
		}
		skip += len(c.origin.Files)
	}
	for i := range whole.files { // a file without an element is a fault; a single shard cannot know that
		if f := &whole.files[i]; f.Elements == 0 && len(s.Missing()) == 0 {
			f.Elements, f.Faults = 1, 1
		}
	}
	out := whole.Summary(0)
	for _, missing := range s.Missing() {
		out.Warnings = append(out.Warnings, PlacedWarning{Warning: core.Warning{Code: "shard-missing", Message: "shards " + missing + " are missing; the figures are without them"}})
	}
	return out, nil
}

// places returns, for each file, a map with the hashes of the ids that a listed warning
// names. Only these ids need a number.
func (s *Set) places(cuts []*cut) (all []map[uint64]int) {
	for _, c := range cuts {
		from := len(all)
		for range c.origin.Files {
			all = append(all, map[uint64]int{})
		}
		for _, one := range c.shards {
			for _, w := range one.Warnings.First {
				if w.ID.Own != "" {
					all[from+w.File][hash(w.ID.Own)] = 0
				}
			}
		}
	}
	return all
}

// read adds a section. Its first file has the number skip in t. same counts, for each
// file, the earlier runs with an id that a warning names.
func (t *Tally) read(s *section, skip int, same []map[uint64]int) error {
	body, err := s.body()
	if err != nil {
		return err
	}
	listed := s.Warnings
	listed.First = slices.Clone(listed.First)
	for i := range listed.First {
		w := &listed.First[i]
		w.File += skip
		f := &t.files[w.File]
		if w.ID != (ID{}) {
			w.Trajectory = t.origin.Qualified(w.File, w.ID.after(same[w.File][hash(w.ID.Own)], f.Runs))
		}
		if w.Line > 0 {
			w.Line += f.Lines
		}
	}
	t.warnings.merge(&listed)
	t.Profile(s.head.Profile)
	r := &packed.Reader{Rest: body}
	t.corpus.Read(r, skip)
	t.effects.read(r, skip)
	for i := range s.Shares {
		from, to := &s.Shares[i], &t.files[skip+i]
		t.Format(skip+i, from.Format)
		to.Elements += from.Elements
		to.Faults += from.Faults
		to.Runs += from.Runs
		to.Lines += from.Lines
		readIDs(r, same[skip+i])
	}
	if r.Err == nil && len(r.Rest) > 0 {
		r.Err = packed.ErrDamaged
	}
	if r.Err != nil {
		return fmt.Errorf("%s: shard %d of %d: %w", s.name, s.Shard, s.Origin.Shards, r.Err)
	}
	return nil
}

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

// Set is the written tallies of some shards, each once. A union of sets does not depend on
// order or grouping, and a shard that is there twice counts once. The zero value is empty.
// It holds what it reads from, and the heads of the sections.
type Set struct {
	cuts map[string]*cut // by origin
	// Doubled says which shards were there more than once, with the same bytes.
	Doubled []string
}

// cut is the shards of one origin.
type cut struct {
	origin *Origin
	shards map[int]*section
}

// Read adds what was written by Encode, once or several times. Name is for errors. The
// error says what is wrong with it, or how it contradicts what is there.
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

// any is one of the sections.
func (c *cut) any() *section {
	return c.shards[slices.Min(slices.Collect(maps.Keys(c.shards)))]
}

// contradicts says why a section of another origin cannot go with this cut.
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

// describe names the files of an origin.
func (o *Origin) describe() string {
	if n := len(o.Files); n > 2 {
		return fmt.Sprintf("%s and %d more files", o.Files[0].Name, n-1)
	} else if n == 2 {
		return o.Files[0].Name + " and " + o.Files[1].Name
	}
	return o.Files[0].Name
}

// ordered is the cuts in the order of their files' names; files of one cut keep theirs.
func (s *Set) ordered() []*cut {
	return slices.SortedFunc(maps.Values(s.cuts), func(a, b *cut) int { return cmp.Compare(a.origin.Files[0].Name, b.origin.Files[0].Name) })
}

// Missing says which shards are not there.
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

// Has reports whether a shard is there whole.
func (s *Set) Has(origin *Origin, shard int) bool {
	c := s.cuts[string(wire.Marshal(origin))]
	if c == nil || c.shards[shard] == nil {
		return false
	}
	_, err := c.shards[shard].body()
	return err == nil
}

// Shards is how many different shards are there.
func (s *Set) Shards() (n int) {
	for _, c := range s.cuts {
		n += len(c.shards)
	}
	return n
}

// WriteTo writes the shards as one tally. Equal sets give equal bytes, whatever their
// order was.
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

// Finish returns the summary of one run over all files: those of one cut in its order,
// cuts by the name of their first file. Shards that are missing are left out, and a
// warning says which. seed 0 is that of the shards. It reads the bodies one at a time:
// its memory is that of the tasks, whatever the number of shards.
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
	for i := range whole.files { // one without an element is a fault, which no part of it can know
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

// places prepares, by file, the ids whose number must be known because a listed warning
// is about them.
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

// read adds a section whose files begin after the first skip ones. same counts, by file,
// the runs so far that have an id that a warning is about.
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

package tally

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/packed"
	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/wire"
)

// Set holds the written tallies of some shards, each shard once. A union of sets does not
// depend on order or grouping, and a repeated shard counts once. The zero value is empty.
// A Set keeps its readers and the heads of the sections, and reads the bodies when it
// needs them.
type Set struct {
	cuts map[string]*cut // by origin
	// Doubled names the shards that were read more than once, with the same bytes.
	Doubled []string

	short []*section // sections of which the end is missing
}

// cut holds the shards that have the same origin.
type cut struct {
	origin *Origin
	shards map[int]*section
}

// Read adds a written tally of one or more sections. name is used in errors. Read returns
// an error if the tally is not valid, or contradicts a tally that was read before. Use
// Check to detect sections that are damaged or cut short.
func (s *Set) Read(name string, in io.ReaderAt, size int64) error {
	all, short, err := readSections(name, in, size)
	if err != nil {
		return err
	}
	if short != nil {
		s.short = append(s.short, short)
	}
	for _, one := range all {
		if err := s.addSection(one); err != nil {
			return err
		}
	}
	return nil
}

func (s *Set) addSection(one *section) error {
	key := string(wire.Marshal(one.Origin))
	c := s.cuts[key]
	if c == nil {
		for _, other := range s.cuts {
			if err := other.checkCombinable(one); err != nil {
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
		return fmt.Errorf("the files %s and %s differ in shard %d of %d of %s, because the inputs or commands were different. Remove one of the two files",
			there.name, one.name, one.Shard, one.Origin.Shards, c.origin.describeFiles())
	}
	there.copies = append(there.copies, one)
	s.Doubled = append(s.Doubled, fmt.Sprintf("shard %d of %d of %s (%s, %s)", one.Shard, one.Origin.Shards, c.origin.describeFiles(), there.name, one.name))
	return nil
}

// Check drops copies of a shard that are damaged or cut short, and returns a text about
// each dropped copy. It returns an error if a shard has no undamaged copy. To compare
// copies, Check reads the bodies of the shards that were read more than once.
func (s *Set) Check() (passed []string, err error) {
	for _, c := range s.orderedCuts() {
		for _, i := range slices.Sorted(maps.Keys(c.shards)) {
			if len(c.shards[i].copies) == 0 {
				continue
			}
			texts, err := c.chooseCopy(i)
			if err != nil {
				return nil, err
			}
			passed = append(passed, texts...)
		}
	}
	for _, one := range s.short {
		err := fmt.Errorf("%s: shard %d of %d %w", one.name, one.Shard, one.Origin.Shards, errShort)
		if !s.Has(one.Origin, one.Shard) {
			return nil, err
		}
		passed = append(passed, err.Error())
	}
	s.short = nil
	return passed, nil
}

// chooseCopy keeps the first undamaged copy of a shard. It returns a text about each
// damaged copy, or an error if all copies are damaged.
func (c *cut) chooseCopy(shard int) (passed []string, err error) {
	first := c.shards[shard]
	all := append([]*section{first}, first.copies...)
	var whole *section
	for _, one := range all {
		if _, broken := one.readBody(); broken != nil {
			passed, err = append(passed, broken.Error()), cmp.Or(err, broken)
		} else if whole == nil {
			whole = one
		}
	}
	if whole == nil {
		return nil, err
	}
	whole.copies = nil
	whole.Origin = c.origin
	c.shards[shard] = whole
	return passed, nil
}

// firstSection returns the section with the lowest shard index.
func (c *cut) firstSection() *section {
	return c.shards[slices.Min(slices.Collect(maps.Keys(c.shards)))]
}

// checkCombinable returns an error if the section one cannot be in one set with the
// shards of this cut. The two origins must have the same profile, seed, reference and
// plugins, and no file in common. It is called only if the two origins differ.
func (c *cut) checkCombinable(one *section) error {
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
		why = "different plugins or plugin versions"
	}
	if why != "" {
		return fmt.Errorf("cannot merge %s and %s: the two files were made with %s", c.firstSection().name, one.name, why)
	}
	for _, f := range a.Files {
		for _, g := range b.Files {
			if f.Name == g.Name {
				return fmt.Errorf("the files %s and %s both contain %s. The first file divides %s into %d shards; the second file divides %s into %d shards. Merge only shards of the same division",
					c.firstSection().name, one.name, f.Name, a.describeFiles(), a.Shards, b.describeFiles(), b.Shards)
			}
		}
	}
	return nil
}

// describeFiles returns a text that names the files of an origin, for use in messages.
func (o *Origin) describeFiles() string {
	if n := len(o.Files); n > 2 {
		return fmt.Sprintf("%s and %d more files", o.Files[0].Name, n-1)
	} else if n == 2 {
		return o.Files[0].Name + " and " + o.Files[1].Name
	}
	return o.Files[0].Name
}

// orderedCuts returns the cuts sorted by the names of their first files. The files of a
// cut keep their order.
func (s *Set) orderedCuts() []*cut {
	return slices.SortedFunc(maps.Values(s.cuts), func(a, b *cut) int { return cmp.Compare(a.origin.Files[0].Name, b.origin.Files[0].Name) })
}

// Missing returns one text for each cut (all shards of one origin) that lacks shards. The
// text lists the indices of the missing shards.
func (s *Set) Missing() (all []string) {
	for _, c := range s.orderedCuts() {
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
			all = append(all, fmt.Sprintf("%s of %d of %s", strings.Join(missing, ", "), c.origin.Shards, c.origin.describeFiles()))
		}
	}
	return all
}

// Has reports whether the set has the given shard and the shard's body is undamaged.
func (s *Set) Has(origin *Origin, shard int) bool {
	c := s.cuts[string(wire.Marshal(origin))]
	if c == nil || c.shards[shard] == nil {
		return false
	}
	_, err := c.shards[shard].readBody()
	return err == nil
}

// WriteTo writes all shards as one tally. Equal sets give equal bytes, independently of
// the order in which they were read.
func (s *Set) WriteTo(out io.Writer) (n int64, err error) {
	if _, err := s.Check(); err != nil {
		return 0, err
	}
	for _, c := range s.orderedCuts() {
		for _, i := range slices.Sorted(maps.Keys(c.shards)) {
			one := c.shards[i]
			body, err := one.readBody()
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

// Finish returns the summary that scoring all files in one process would give. The cuts
// are sorted by the name of their first file, and the files of each cut keep their order.
// Missing shards are left out, and a warning names them. A seed of 0 selects the seed of
// the shards. Finish reads one body at a time, so its memory grows with the number of
// tasks and not with the number of shards.
func (s *Set) Finish(seed uint64) (Summary, error) {
	whole, err := s.joinSections(seed, nil)
	if err != nil {
		return Summary{}, err
	}
	for i := range whole.files { // a file without an element is a fault; a single shard cannot know that
		if f := &whole.files[i]; f.Elements == 0 && len(s.Missing()) == 0 {
			f.Elements, f.Faults = 1, 1
		}
	}
	out := whole.Summary(0)
	for _, missing := range s.Missing() {
		out.Warnings = append(out.Warnings, PlacedWarning{Warning: report.Warning{Code: "shard-missing", Message: "shards " + missing + " are missing, so the figures do not include these shards"}})
	}
	return out, nil
}

// Join returns the tally that scoring all files in one process would give, with the files
// in the same order as Finish. It calls the function visit once for each shard. The
// argument extra is the data that was passed to EncodeWith, or nil. The argument first is
// the index of the shard's first file in the returned tally.
func (s *Set) Join(visit func(name string, first int, extra []byte) error) (*Tally, error) {
	return s.joinSections(0, visit)
}

func (s *Set) joinSections(seed uint64, visit func(name string, first int, extra []byte) error) (*Tally, error) {
	if len(s.cuts)+len(s.short) == 0 {
		return nil, errors.New("no partial result was given")
	}
	if _, err := s.Check(); err != nil {
		return nil, err
	}
	cuts := s.orderedCuts()
	origin := *cuts[0].origin
	origin.Files, origin.Seed = nil, cmp.Or(seed, origin.Seed)
	for _, c := range cuts {
		origin.Files = append(origin.Files, c.origin.Files...)
	}
	whole := New(&origin, 0, false)
	places := s.warnedIDs(cuts)
	skip := 0
	for _, c := range cuts {
		for _, i := range slices.Sorted(maps.Keys(c.shards)) {
			extra, err := whole.readSection(c.shards[i], skip, places)
			if err == nil && visit != nil {
				err = visit(c.shards[i].name, skip, extra)
			}
			if err != nil {
				return nil, err
			}
		}
		skip += len(c.origin.Files)
	}
	return whole, nil
}

// warnedIDs returns one map for each file. The keys are the hashes of the run ids in the
// listed warnings about the file. All values are 0, so that the caller can count the runs
// with these ids.
func (s *Set) warnedIDs(cuts []*cut) (all []map[uint64]int) {
	for _, c := range cuts {
		from := len(all)
		for range c.origin.Files {
			all = append(all, map[uint64]int{})
		}
		for _, one := range c.shards {
			for _, w := range one.Warnings.First {
				if w.ID.Own != "" {
					all[from+w.File][hashText(w.ID.Own)] = 0
				}
			}
		}
	}
	return all
}

// readSection adds a section to t, and returns the extra data that was passed to
// EncodeWith. skip is the index in t of the section's first file. The parameter same has
// one map for each file (see warnedIDs). The map counts the earlier runs with each id,
// and readSection adds the runs of the section to it.
func (t *Tally) readSection(s *section, skip int, same []map[uint64]int) (extra []byte, err error) {
	body, err := s.readBody()
	if err != nil {
		return nil, err
	}
	body, extra = body[:len(body)-s.Extra], body[len(body)-s.Extra:]
	listed := s.Warnings
	listed.First = slices.Clone(listed.First)
	for i := range listed.First {
		w := &listed.First[i]
		w.File += skip
		f := &t.files[w.File]
		if w.ID != (ID{}) {
			w.Trajectory = t.origin.Qualified(w.File, w.ID.idInFile(same[w.File][hashText(w.ID.Own)], f.Runs))
		}
		if w.Line > 0 {
			w.Line += f.Lines
		}
	}
	t.warnings.merge(&listed)
	t.Profile(s.head.Profile)
	r := &packed.Reader{Rest: body}
	t.corpus.Read(r, skip)
	t.effects.readCounts(r, skip)
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
		return nil, fmt.Errorf("%s: shard %d of %d: %w", s.name, s.Shard, s.Origin.Shards, r.Err)
	}
	return extra, nil
}

package machine

import (
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/match"
	"github.com/boundcheck/boundcheck/core/base/path"
	"github.com/boundcheck/boundcheck/core/gate/naming"
)

// space holds all sorts of calls that the rules of a policy can tell apart. It is the
// product of its axes.
type space struct {
	axes  map[string]*axis
	steps int // of the search, which ends after limit
	limit int
	spent int // steps of all searches before
}

// axis is one property of a call, such as its tool or the value at a path. Each of its
// points stands for values that no test of the rules tells apart. There may be more points
// than sorts of values, never fewer: then less is proved, and nothing wrong.
type axis struct {
	tests  map[string]int // index in point.fits
	points []point
}

type point struct {
	label string // a value of this sort; "" if none is known
	fits  []bool
}

// Limits of a proof.
const (
	mostPoints = 4096    // of an axis
	mostSteps  = 200_000 // of one search
	allSteps   = 200_000 // of all searches, apart from fewSteps of each
	fewSteps   = 500
)

// box is a part of a space: for each axis that it restricts, which points it has.
type box map[string][]bool

// restrictTo removes from a box the points of an axis that do not have a test's answer.
func (s *space) restrictTo(b box, name, test string, want bool) {
	a := s.axes[name]
	i := a.tests[test]
	s.keepPoints(b, name, func(p *point) bool { return p.fits[i] == want })
}

func (s *space) keepPoints(b box, name string, wanted func(*point) bool) {
	a := s.axes[name]
	out := make([]bool, len(a.points))
	for i := range a.points {
		out[i] = (b[name] == nil || b[name][i]) && wanted(&a.points[i])
	}
	b[name] = out
}

// emptyAxis returns the axis of which a box has no point; "" if the box is not empty.
func (b box) emptyAxis() string {
	for _, name := range slices.Sorted(maps.Keys(b)) {
		if !slices.Contains(b[name], true) {
			return name
		}
	}
	return ""
}

// meetBoxes returns the points that two boxes share.
func meetBoxes(a, b box) box {
	out := maps.Clone(a)
	for name, points := range b {
		if out[name] == nil {
			out[name] = points
			continue
		}
		both := make([]bool, len(points))
		for i := range both {
			both[i] = points[i] && out[name][i]
		}
		out[name] = both
	}
	return out
}

// searchUncovered searches with findUncovered. The more steps have been spent before, the earlier
// it gives up, so that a policy with many rules takes seconds; whole is false if it did.
func (s *space) searchUncovered(b box, others []box) (part box, found, whole bool) {
	s.steps, s.limit = 0, max(fewSteps, min(mostSteps, (allSteps-s.spent)/2))
	part, found = s.findUncovered(b, others)
	s.spent += s.steps
	return part, found, s.steps <= s.limit
}

// findUncovered returns a part of a box that none of the others has. found is false if the
// others cover the box. After the limit it gives up and returns the part that is left.
func (s *space) findUncovered(b box, others []box) (part box, found bool) {
	if s.steps++; s.steps > s.limit {
		return b, true
	}
	if b.emptyAxis() != "" {
		return nil, false
	}
	if len(others) == 0 {
		return b, true
	}
	o, rest := others[0], others[1:]
	left := maps.Clone(b)
	for _, name := range slices.Sorted(maps.Keys(o)) {
		outside, inside := s.splitPoints(left[name], o[name])
		if slices.Contains(outside, true) {
			part := maps.Clone(left)
			part[name] = outside
			if w, ok := s.findUncovered(part, rest); ok {
				return w, true
			}
		}
		left[name] = inside
		if !slices.Contains(inside, true) {
			return nil, false
		}
	}
	return nil, false
}

// splitPoints divides points into those that others do not have, and those that they have. nil
// stands for all points.
func (s *space) splitPoints(points, others []bool) (outside, inside []bool) {
	outside, inside = make([]bool, len(others)), make([]bool, len(others))
	for i, in := range others {
		has := points == nil || points[i]
		outside[i], inside[i] = has && !in, has && in
	}
	return outside, inside
}

// nameAxis returns the axis of the names that patterns tell apart. ok is false if there
// are too many.
func nameAxis(patterns []string) (a *axis, ok bool) {
	slices.Sort(patterns)
	patterns = slices.Compact(patterns)
	a = &axis{tests: map[string]int{}}
	var wild []string
	for i, p := range patterns {
		a.tests[p] = i
		if naming.IsPattern(p) {
			wild = append(wild, p)
		}
	}
	fitsOf := func(fits func(string) bool) (out []bool) {
		for _, p := range patterns {
			out = append(out, fits(p))
		}
		return out
	}
	for _, p := range patterns {
		if !naming.IsPattern(p) {
			a.points = append(a.points, point{p, fitsOf(func(q string) bool { return match.Name(q, p) })})
		}
	}
	if len(wild) > 10 {
		return a, false
	}
	for mask := range 1 << len(wild) {
		has := func(p string) bool { i := slices.Index(wild, p); return i >= 0 && mask>>i&1 == 1 }
		if !possibleNames(wild, has) {
			continue
		}
		label := ""
		if len(wild) == 0 {
			label = freshName(patterns)
		}
		a.points = append(a.points, point{label, fitsOf(has)})
	}
	return a, true
}

// possibleNames reports whether a name may match the patterns that has names, and no
// others. It may say yes of patterns that no name matches.
func possibleNames(wild []string, has func(string) bool) bool {
	for _, p := range wild {
		for _, q := range wild {
			if has(p) && !has(q) && includesNames(q, p) || has(p) && has(q) && excludeNames(p, q) {
				return false
			}
		}
		if strings.Trim(p, "*") == "" && !has(p) {
			return false
		}
	}
	return true
}

// includesNames reports whether every name that the pattern p matches is surely matched by q.
func includesNames(q, p string) bool {
	const other = "\x00" // stands for what a * of p matches; only a * of q matches it
	return !strings.Contains(q, "?") && match.Name(q, strings.NewReplacer("*", other, "?", other).Replace(p))
}

// excludeNames reports whether surely no name matches both patterns, because they begin or end
// otherwise.
func excludeNames(p, q string) bool {
	head := func(s string) string { return s[:strings.IndexAny(s, "*?")] }
	tail := func(s string) string { return s[strings.LastIndexAny(s, "*?")+1:] }
	a, b, c, d := head(p), head(q), tail(p), tail(q)
	return !strings.HasPrefix(a, b) && !strings.HasPrefix(b, a) || !strings.HasSuffix(c, d) && !strings.HasSuffix(d, c)
}

func freshName(names []string) string {
	name := "other"
	for slices.Contains(names, name) {
		name += "_"
	}
	return name
}

// timeAxis returns the axis of the times of a week that windows of one zone tell apart.
func timeAxis(windows []*Window) *axis {
	a := &axis{tests: map[string]int{}}
	minutes := []int{0}
	for _, w := range windows {
		minutes = append(minutes, w.From, w.To%(24*60))
		if _, known := a.tests[w.text]; !known {
			a.tests[w.text] = len(a.tests)
		}
	}
	for day := range 7 {
		for _, m := range minutes {
			fits := make([]bool, len(a.tests))
			for _, w := range windows {
				fits[a.tests[w.text]] = w.contains(int64((day+3)*24*60+m) * 60) // 1970-01-04 was a Sunday
			}
			a.addPoint(point{dayNames[day] + " " + formatClock(m), fits})
		}
	}
	return a
}

func formatClock(m int) string {
	return string([]byte{'0' + byte(m/600), '0' + byte(m/60%10), ':', '0' + byte(m%60/10), '0' + byte(m%10)})
}

// addPoint adds a point, unless the axis has one with the same answers.
func (a *axis) addPoint(p point) {
	if !slices.ContainsFunc(a.points, func(q point) bool { return slices.Equal(p.fits, q.fits) }) {
		a.points = append(a.points, p)
	}
}

// valueTest is a test of the values at one path: a demand of a rule, or a condition of a
// rule that allows.
type valueTest struct {
	matcher *match.Matcher
	allows  bool
}

func (t valueTest) testKey() string {
	if t.allows {
		return "allow " + t.matcher.Raw
	}
	return t.matcher.Raw
}

// fitsAbsent returns the answer where the path has no value.
func (t valueTest) fitsAbsent() bool {
	return t.matcher.Optional || !t.allows && t.matcher.Absent() != match.No
}

// valueAxis returns the axis of the values at a path that tests tell apart. A test that
// looks at the content of a text may have any answer. ok is false if there are too many.
func valueAxis(p *path.Path, tests []valueTest) (a *axis, ok bool) {
	a = &axis{tests: map[string]int{}}
	var constants []jsonval.Value
	var open []string // the texts of matchers whose answers are not known
	for i, t := range tests {
		a.tests[t.testKey()] = i
		values, finite := t.matcher.Constants()
		if finite {
			constants = append(constants, values...)
		} else if raw, _ := openText(t.matcher); !slices.Contains(open, raw) {
			open = append(open, raw)
		}
	}
	absent := point{"absent", make([]bool, len(tests))}
	for i, t := range tests {
		absent.fits[i] = t.fitsAbsent()
	}
	a.addPoint(absent)
	if len(open) > 8 {
		return a, false
	}
	samples, ok := sampleValues(constants)
	if !ok {
		return a, false
	}
	var sorts []answered
	for _, v := range samples {
		for mask := range 1 << len(open) {
			fits, doubts := answersAt(tests, v, open, mask)
			s := answered{fits, doubts}
			switch {
			case !p.One():
				if !hasAnswers(sorts, s) {
					sorts = append(sorts, s)
				}
			case s.isSure() && len(open) == 0:
				a.addPoint(point{v.Raw(), fits})
			case s.isSure():
				a.addPoint(point{"", fits})
			}
		}
		if len(a.points)+len(sorts) > mostPoints {
			return a, false
		}
	}
	sorts, ok = uniteAnswers(sorts)
	for _, s := range sorts {
		if s.isSure() {
			a.addPoint(point{"", s.fits})
		}
	}
	return a, ok
}

// openText returns the matcher of which m is the contrary, or m itself, as text.
func openText(m *match.Matcher) (raw string, negated bool) {
	if inner := m.Negated(); inner != nil {
		return inner.Raw, true
	}
	return m.Raw, false
}

// answersAt returns the answers of tests for a value. doubts says which tests have no sure
// answer.
func answersAt(tests []valueTest, v jsonval.Value, open []string, mask int) (fits, doubts []bool) {
	for _, t := range tests {
		answer := match.Unknown
		_, finite := t.matcher.Constants()
		switch raw, negated := openText(t.matcher); {
		case t.allows && (v.Kind() == jsonval.Null || v.Kind() == jsonval.Array || v.Kind() == jsonval.Object):
			answer = match.No // its conditions are about scalars
		case finite:
			answer = t.matcher.Is(v, match.Context{Doubts: true})
		case (mask>>slices.Index(open, raw)&1 == 1) != negated:
			answer = match.Yes
		default:
			answer = match.No
		}
		fits = append(fits, answer == match.Yes)
		doubts = append(doubts, answer == match.Unknown && !t.allows) // a rule that allows does not accept it
	}
	return fits, doubts
}

// answered is the answers of tests for some values at a path together.
type answered struct{ fits, doubts []bool }

func (s answered) isSure() bool {
	for i := range s.fits {
		if s.doubts[i] && !s.fits[i] {
			return false
		}
	}
	return true
}

// uniteAnswers returns the sorts for several values at one path. A demand needs only one value
// that fits, whatever the others are. ok is false if there are too many.
func uniteAnswers(all []answered) (out []answered, ok bool) {
	for i := 0; i < len(all); i++ {
		for j := 0; j < i; j++ {
			u := answered{slices.Clone(all[i].fits), slices.Clone(all[i].doubts)}
			for k := range u.fits {
				u.fits[k], u.doubts[k] = u.fits[k] || all[j].fits[k], u.doubts[k] || all[j].doubts[k]
			}
			if !hasAnswers(all, u) {
				all = append(all, u)
			}
			if len(all) > mostPoints/8 {
				return all, false
			}
		}
	}
	return all, true
}

func hasAnswers(all []answered, s answered) bool {
	return slices.ContainsFunc(all, func(o answered) bool { return slices.Equal(o.fits, s.fits) && slices.Equal(o.doubts, s.doubts) })
}

// sampleValues returns values of each sort that comparing with constants tells apart: the
// constants, numbers between them, other values of each type, and lists and objects of
// these. ok is false if one of the numbers is too long.
func sampleValues(constants []jsonval.Value) (all []jsonval.Value, ok bool) {
	texts := []string{"null", "true", "false", `""`}
	var numbers []*big.Rat
	for _, c := range constants {
		texts = append(texts, c.Raw())
		if c.Kind() == jsonval.Number {
			if _, short := match.ReadNumber(c); !short {
				return nil, false
			}
			if n, ok := new(big.Rat).SetString(c.Raw()); ok {
				numbers = append(numbers, n)
			}
		}
	}
	texts = append(texts, `"`+strings.Repeat("x", 1+longestText(constants))+`"`)
	for _, n := range numbersBetween(numbers) {
		texts = append(texts, formatRat(n))
	}
	for _, text := range slices.Clone(texts) {
		texts = append(texts, "["+text+"]", `{"k":`+text+"}")
	}
	slices.Sort(texts)
	for _, text := range append(slices.Compact(texts), "[]", "{}") {
		v, err := jsonval.Parse(text)
		if _, short := match.ReadNumber(v); err != nil || v.Kind() == jsonval.Number && !short {
			return nil, false
		}
		all = append(all, v)
	}
	return all, true
}

func longestText(all []jsonval.Value) (n int) {
	for _, v := range all {
		n = max(n, len(v.Text()))
	}
	return n
}

// numbersBetween returns whole and other numbers below, between and above numbers.
func numbersBetween(numbers []*big.Rat) (all []*big.Rat) {
	if len(numbers) == 0 {
		numbers = []*big.Rat{new(big.Rat)}
	}
	slices.SortFunc(numbers, (*big.Rat).Cmp)
	two := big.NewRat(2, 1)
	first, last := numbers[0], numbers[len(numbers)-1]
	numbers = append(append([]*big.Rat{new(big.Rat).Sub(first, two)}, numbers...), new(big.Rat).Add(last, two))
	for i := 1; i < len(numbers); i++ {
		low, high := numbers[i-1], numbers[i]
		middle := new(big.Rat).Quo(new(big.Rat).Add(low, high), two)
		quarter := new(big.Rat).Quo(new(big.Rat).Add(low, middle), two)
		eighth := new(big.Rat).Quo(new(big.Rat).Add(low, quarter), two)
		whole := new(big.Rat).SetInt(new(big.Int).Div(low.Num(), low.Denom())) // rounded down
		all = append(all, middle, quarter, eighth, whole.Add(whole, big.NewRat(1, 1)))
		for part := new(big.Rat).Set(eighth); part.IsInt() && low.Cmp(high) < 0; {
			part = new(big.Rat).Quo(part.Add(part, low), two) // a number that is not whole
			all = append(all, part)
		}
	}
	return append(all, numbers[0], numbers[len(numbers)-1])
}

func formatRat(n *big.Rat) string {
	if n.IsInt() {
		return n.Num().String()
	}
	return strings.TrimRight(n.FloatString(140), "0")
}

package score

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// template is one sentence of the table of core/stage/sentences, as a pattern of its parts.
type template struct {
	name            string
	pattern, inside *regexp.Regexp // of a whole text, and of a piece of one
	fixed           int            // bytes that are not parts
}

// sentenceTable reads the table, the sentences with the most fixed words first.
func sentenceTable(t *testing.T) (all []template) {
	t.Helper()
	data, err := os.ReadFile("../stage/sentences/sentences.go")
	if err != nil {
		t.Fatal(err)
	}
	part := regexp.MustCompile(`\{[^}]*\}`)
	for _, m := range regexp.MustCompile(`(?m)^\t(\w+)\s+Sentence = "(.*)"$`).FindAllStringSubmatch(string(data), -1) {
		pieces := part.Split(m[2], -1)
		fixed := len(strings.Join(pieces, ""))
		for i := range pieces {
			pieces[i] = regexp.QuoteMeta(pieces[i])
		}
		within := strings.Join(pieces, "(.+?)")
		all = append(all, template{m[1], regexp.MustCompile("(?s)^" + within + "$"), regexp.MustCompile("(?s)" + within), fixed})
	}
	slices.SortStableFunc(all, func(a, b template) int { return b.fixed - a.fixed })
	return all
}

// whichSentence returns the sentence that a reason is, with its parts; "" for none.
func whichSentence(table []template, reason string) (name string, parts []string) {
	for i := range table {
		if m := table[i].pattern.FindStringSubmatch(reason); m != nil {
			return table[i].name, m[1:]
		}
	}
	return "", nil
}

// plainCall is a call of a drawn run or a step of its reference.
type plainCall struct {
	name, item, value string
	failed            string // the error, or ""
}

func (c plainCall) isSame(d plainCall) bool {
	return c.name == d.name && c.item == d.item && c.value == d.value
}

func (c plainCall) writeCall(observed bool) string {
	result := `,"result":"ok"`
	if c.failed != "" {
		result = fmt.Sprintf(`,"result":%q`, c.failed)
	}
	if !observed {
		result = ""
	}
	return fmt.Sprintf(`{"name":%q,"arguments":{"item_id":%q,"value":%q}%s}`, c.name, c.item, c.value, result)
}

// isNamedBy reports whether a name in a reason is this call: its name, or its name with those of
// its arguments that set it apart.
func (c plainCall) isNamedBy(shown string) bool {
	name, rest, told := strings.Cut(shown, " (")
	if name != c.name || !told {
		return name == c.name
	}
	for own := range strings.SplitSeq(strings.TrimSuffix(rest, ")"), ", ") {
		if own != fmt.Sprintf("item_id = %q", c.item) && own != fmt.Sprintf("value = %q", c.value) {
			return false
		}
	}
	return true
}

// plainRun is a drawn run with its reference.
type plainRun struct{ done, wanted []plainCall }

func drawPlainRun(r *rand.Rand) (p plainRun) {
	call := func() plainCall {
		return plainCall{name: []string{"set_item", "set_item", "delete_item", "book_item", "find_item", "send_item"}[r.IntN(6)],
			item: []string{"i1", "i2"}[r.IntN(2)], value: []string{"v1", "v2", "v3"}[r.IntN(3)]}
	}
	for range 1 + r.IntN(4) {
		p.wanted = append(p.wanted, call())
	}
	for _, c := range p.wanted {
		switch r.IntN(8) {
		case 0:
			continue
		case 1:
			c = call()
		case 2:
			c.value = "v4"
		}
		for range r.IntN(3) / 2 {
			p.done = append(p.done, c)
		}
		p.done = append(p.done, c)
	}
	if r.IntN(2) == 0 {
		r.Shuffle(len(p.done), func(i, j int) { p.done[i], p.done[j] = p.done[j], p.done[i] })
	}
	for i := range p.done {
		if r.IntN(5) == 0 {
			p.done[i].failed = "Error: no " + []string{"credit", "such item", "right to do this"}[r.IntN(3)]
		}
	}
	return p
}

// anyCall reports whether a call of a list fits.
func anyCall(calls []plainCall, fits func(i int, c plainCall) bool) bool {
	for i, c := range calls {
		if fits(i, c) {
			return true
		}
	}
	return false
}

// countDone is how often a call is in a list and did not fail.
func countDone(calls []plainCall, c plainCall) (n int) {
	for _, d := range calls {
		if d.failed == "" && d.isSame(c) {
			n++
		}
	}
	return n
}

// callAt returns the call with a number that counts from 1.
func callAt(calls []plainCall, number string) plainCall {
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > len(calls) {
		return plainCall{}
	}
	return calls[n-1]
}

// inOrder reports whether the run has a call named a before one named b, and the reference
// has two such calls in the opposite order. Each of them holds the value, if there is one.
func (p *plainRun) inOrder(a, b, value string) bool {
	holds := func(c plainCall) bool {
		return value == "" || strings.Contains(c.item+" "+c.value, strings.Trim(value, `"`))
	}
	return anyCall(p.done, func(i int, x plainCall) bool {
		return x.isNamedBy(a) && holds(x) && anyCall(p.done[i+1:], func(_ int, y plainCall) bool {
			return y.isNamedBy(b) && holds(y) && anyCall(p.wanted, func(k int, w plainCall) bool {
				return w.name == y.name && w.item == y.item && anyCall(p.wanted[k+1:], func(_ int, v plainCall) bool { return v.name == x.name && v.item == x.item })
			})
		})
	})
}

// toldApart reports whether two names in one sentence differ.
func toldApart(a, b string) bool { return a != b }

// claims are the second, simple program: what each sentence about a run claims.
var claims = map[string]func(p *plainRun, parts []string) bool{
	"StepMissing": func(p *plainRun, s []string) bool {
		return anyCall(p.wanted, func(_ int, w plainCall) bool { return w.name == s[0] && countDone(p.wanted, w) > countDone(p.done, w) })
	},
	"NotBefore": func(p *plainRun, s []string) bool {
		return toldApart(s[0], s[1]) && anyCall(p.wanted, func(i int, w plainCall) bool {
			return w.isNamedBy(s[1]) && countDone(p.wanted, w) > countDone(p.done, w) && anyCall(p.wanted[i+1:], func(_ int, v plainCall) bool { return v.isNamedBy(s[0]) })
		})
	},
	"ExtraAction": func(p *plainRun, s []string) bool {
		return anyCall(p.done, func(_ int, d plainCall) bool { return d.name == s[0] && countDone(p.done, d) > countDone(p.wanted, d) })
	},
	"DoneAgain": func(p *plainRun, s []string) bool {
		return anyCall(p.done, func(_ int, d plainCall) bool { return d.name == s[0] && countDone(p.done, d) > 1 })
	},
	"TriedWhy": func(p *plainRun, s []string) bool {
		d := callAt(p.done, s[1])
		return d.name == s[0] && d.failed == s[2] && anyCall(p.wanted, func(_ int, w plainCall) bool { return w.isSame(d) })
	},
	"TriedOnce": triedOften, "TriedOften": triedOften,
	"DoneOtherwise": func(p *plainRun, s []string) bool {
		d := callAt(p.done, s[1])
		return d.name == s[0] && d.failed == "" && anyCall(p.wanted, func(_ int, w plainCall) bool { return w.name == d.name && !w.isSame(d) })
	},
	"OtherPosition": func(p *plainRun, s []string) bool { return countDone(p.done, callAt(p.wanted, s[0])) > 0 },
	"DoneElsewhere": func(p *plainRun, s []string) bool {
		return anyCall(p.wanted, func(_ int, w plainCall) bool { return w.isSame(callAt(p.done, s[0])) }) && callAt(p.done, s[0]).failed == ""
	},
	"CameBefore":     func(p *plainRun, s []string) bool { return toldApart(s[0], s[1]) && p.inOrder(s[0], s[1], s[2]) },
	"CameBeforeSame": func(p *plainRun, s []string) bool { return toldApart(s[0], s[1]) && p.inOrder(s[0], s[1], s[3]) },
	"TooLate":        func(p *plainRun, s []string) bool { return toldApart(s[0], s[1]) && p.inOrder(s[1], s[0], "") },
	"TooEarly":       func(p *plainRun, s []string) bool { return toldApart(s[0], s[1]) && p.inOrder(s[0], s[1], "") },
	"FailedBefore": func(p *plainRun, s []string) bool {
		d := callAt(p.done, s[2])
		return d.name == s[1] && d.failed != "" && anyCall(p.done, func(i int, e plainCall) bool { return e.name == s[0] && strconv.Itoa(i+1) > s[2] })
	},
	"NotClosed": func(p *plainRun, s []string) bool {
		return anyCall(p.wanted, func(_ int, w plainCall) bool { return w.name == s[0] && countDone(p.wanted, w) > countDone(p.done, w) })
	},
	"StepNotNeeded": func(p *plainRun, s []string) bool {
		return strings.HasPrefix(s[0], "find_") && anyCall(p.wanted, func(_ int, w plainCall) bool { return w.name == s[0] && countDone(p.wanted, w) > countDone(p.done, w) })
	},
	"Failed": func(p *plainRun, _ []string) bool {
		return anyCall(p.done, func(_ int, d plainCall) bool { return d.failed != "" })
	},
	"Overwritten": func(p *plainRun, s []string) bool {
		by := callAt(p.done, s[1])
		return by.name == s[0] && by.failed == "" && anyCall(p.done, func(_ int, d plainCall) bool { return d.name == s[0] && d.failed == "" && !d.isSame(by) })
	},
	"SetAgain": func(p *plainRun, s []string) bool {
		first := callAt(p.done, s[1])
		return first.name == s[0] && first.failed == "" && countDone(p.done, first) > 1
	},
	"StepGone": func(p *plainRun, s []string) bool {
		d := callAt(p.done, s[1])
		return d.name == s[0] && d.failed == "" && countDone(p.wanted, d) > 0
	},
	"StepSetAgain": func(p *plainRun, s []string) bool {
		w := callAt(p.wanted, s[1])
		return w.name == s[0] && anyCall(p.wanted, func(_ int, o plainCall) bool { return o.name == s[0] && countDone(p.wanted, o) > countDone(p.done, o) })
	},
	"OnlyRead": func(p *plainRun, _ []string) bool {
		return anyCall(p.done, func(_ int, d plainCall) bool { return strings.HasPrefix(d.name, "find_") })
	},
}

func triedOften(p *plainRun, s []string) bool {
	var last plainCall
	for number := range strings.SplitSeq(s[1], ", ") {
		if last = callAt(p.done, number); last.name != s[0] || last.failed == "" {
			return false
		}
	}
	return last.failed == s[2] && anyCall(p.wanted, func(_ int, w plainCall) bool {
		return w.name == s[0] && !anyCall(p.done, func(_ int, d plainCall) bool { return d.failed != "" && d.isSame(w) })
	})
}

// TestRunSentencesAreTrue draws runs of several calls, some refused, in another order than
// the reference. The claims, a second program, verify what each reason says.
func TestRunSentencesAreTrue(t *testing.T) {
	table, r := sentenceTable(t), rand.New(rand.NewPCG(46, 4))
	seen, open := map[string]int{}, map[string]int{}
	for range drawn.Cases(1500) {
		p := drawPlainRun(r)
		var done, wanted []string
		for _, c := range p.done {
			done = append(done, c.writeCall(true))
		}
		for _, c := range p.wanted {
			wanted = append(wanted, c.writeCall(false))
		}
		profile := []string{"outcome", "sop"}[r.IntN(2)]
		trace, ref := listJSON(done...), listJSON(wanted...)
		run := evaluateTrace(t, trace, ref, profile).Trajectories[0]
		var reasons []string
		for i := range run.Violations {
			reasons = append(reasons, run.Violations[i].Reason)
		}
		for i := range run.Alignment {
			first, second, both := strings.Cut(run.Alignment[i].Reason, "; the step ")
			if reasons = append(reasons, first); both {
				reasons = append(reasons, "the step "+second)
			}
		}
		for _, why := range reasons {
			name, parts := whichSentence(table, why)
			claim := claims[name]
			if claim == nil {
				open[name]++
				continue
			}
			if seen[name]++; !claim(&p, parts) {
				t.Errorf("%s\n%s %s: not true: %s", trace, ref, profile, why)
			}
		}
	}
	for name := range claims {
		if seen[name] == 0 {
			t.Errorf("no drawn run led to the sentence %s", name)
		}
	}
	t.Logf("verified: %v; not verified here: %v", seen, slices.Sorted(maps.Keys(open)))
}

package match

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/path"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// A disguise writes a text so that some program still reads the same.
type disguise func(r *rand.Rand, s string) string

func pickOne[T any](r *rand.Rand, all ...T) T { return all[r.IntN(len(all))] }

// atAnyPlace returns a disguise that puts one of the marks somewhere.
func atAnyPlace(marks ...string) disguise {
	return func(r *rand.Rand, s string) string {
		letters := []rune(s)
		i := r.IntN(len(letters) + 1)
		return string(letters[:i]) + pickOne(r, marks...) + string(letters[i:])
	}
}

// ofOneLetter returns a disguise that writes one letter in another way.
func ofOneLetter(write func(c rune) string) disguise {
	return func(r *rand.Rand, s string) string {
		letters := []rune(s)
		i := r.IntN(len(letters))
		if letters[i] <= ' ' || letters[i] > '~' {
			return s
		}
		return string(letters[:i]) + write(letters[i]) + string(letters[i+1:])
	}
}

var (
	percent = ofOneLetter(func(c rune) string { return fmt.Sprintf("%%%02x", c) })
	wide    = ofOneLetter(func(c rune) string { return string(c - '!' + 0xFF01) })
	upper   = ofOneLetter(func(c rune) string { return strings.ToUpper(string(c)) })
	unseens = atAnyPlace("\u200b", "\ufeff", "\u00ad", "\x00", "\u2060", "\ufe0f")
	around  = disguise(func(r *rand.Rand, s string) string {
		return pickOne(r, " ", "\t", "\n", "\u00a0") + s + pickOne(r, "", " ")
	})
)

// TestDoubtfulPathsAndHosts is the law of texts that are read in several ways: whatever
// may be inside is never surely outside, and the contrary never surely inside.
func TestDoubtfulPathsAndHosts(t *testing.T) {
	r := rand.New(rand.NewPCG(47, 1))
	letters := []disguise{percent, wide, upper, unseens, around}
	paths := []disguise{
		func(r *rand.Rand, s string) string {
			return pickOne(r, "file://", "file:", "FILE://localhost", "sftp://h") + s
		},
		func(r *rand.Rand, s string) string {
			return strings.Replace(s, "/", pickOne(r, `\`, "//", "/./", "∕"), 1+r.IntN(2))
		},
		func(r *rand.Rand, s string) string {
			return pickOne(r, "..", "~/..", "../..", "$X", "/proc/self/root", "/..") + s
		},
		func(r *rand.Rand, s string) string { return strings.TrimPrefix(s, "/") },
		func(r *rand.Rand, s string) string {
			return strings.Replace(s, "e", pickOne(r, "?", "*", "[e]", "{e,x}"), 1)
		},
		func(r *rand.Rand, s string) string { return pickOne(r, `"`, "'", "`") + s },
		func(r *rand.Rand, s string) string { return "/tmp/x " + s },
	}
	hosts := []disguise{
		func(r *rand.Rand, s string) string {
			return strings.Replace(s, "://", pickOne(r, "://x@", "://x:y@", ":", ":/", `:\\`, ":///"), 1)
		},
		func(r *rand.Rand, s string) string {
			return strings.Replace(s, "evil.test", pickOne(r, "evil.test.", "evil。test", "evil.test:443", "EVIL.test"), 1)
		},
		func(r *rand.Rand, s string) string {
			_, rest, ok := strings.Cut(s, "//")
			if !ok {
				return s
			}
			return pickOne(r, "", "//", "ftp://", "ws://") + rest
		},
		func(r *rand.Rand, s string) string {
			return strings.Replace(s, "/p", pickOne(r, `\@good.test`, "?x=/", "#@good.test"), 1)
		},
	}
	disguised := func(all []disguise, s string) string {
		letter := r.IntN(3)
		if letter == 0 || r.IntN(2) == 0 {
			s = pickOne(r, all...)(r, s)
		}
		for range letter {
			s = pickOne(r, letters...)(r, s)
		}
		return s
	}
	is := func(m *Matcher, s string) Answer { return m.Is(parse(t, jsonval.Quoted(s)), Context{Doubts: true}) }
	under, host := read(t, `{"under":"/srv/secret"}`), read(t, `{"host":["evil.test","*.evil.test"]}`)
	notUnder, notHost := read(t, `{"not":{"under":"/srv/secret"}}`), read(t, `{"not":{"host":["evil.test","*.evil.test"]}}`)
	sure := 0
	for range drawn.Cases(6_000) {
		in, out := pickOne(r, "/srv/secret", "/srv/secret/a", "/srv/./secret/b/c", "/srv/x/../secret/d"), pickOne(r, "/srv/public/e", "/etc/e", "/srv/secretary", "/home/srv/secret")
		if s := disguised(paths, in); is(under, s) == No || is(notUnder, s) == Yes {
			t.Fatalf("%q (%s) is surely not under the folder", s, in)
		}
		if s := disguised(paths, out); is(under, s) == Yes {
			t.Fatalf("%q (%s) is surely under the folder", s, out)
		}
		in, out = pickOne(r, "https://evil.test/p", "http://a.evil.test/p?q"), pickOne(r, "https://good.test/evil.test", "http://evil.test.good.test/p", "https://notevil.test/p")
		if s := disguised(hosts, in); is(host, s) == No || is(notHost, s) == Yes {
			t.Fatalf("%q (%s) has surely another host", s, in)
		}
		if s := disguised(hosts, out); is(host, s) == Yes {
			t.Fatalf("%q (%s) has surely the host", s, out)
		}
		if is(under, "/srv/public/e") == No && is(host, out) == No {
			sure++
		}
	}
	if sure < 5_000 {
		t.Errorf("only %d plain texts have a sure answer", sure)
	}
}

// TestDoubtfulTexts is the law of searched texts: a text that a rule searches for is never
// surely absent where some program finds it, in values and in the names of members, in other
// letter case, with escapes, and inside JSON in a text, however deep.
func TestDoubtfulTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(47, 15))
	all, _ := path.CompilePlaces("*")
	matchers := []*Matcher{read(t, `{"matches":"api[_-]?key"}`), read(t, `{"contains":"api_key"}`), read(t, `{"prefix":"api_key"}`), read(t, `{"matches":"^api_KEY"}`)}
	escaped := func(s string) string { // as JSON, with some letters as escapes
		out := ""
		for _, c := range s {
			if r.IntN(3) == 0 {
				out += fmt.Sprintf(`\u%04x`, c)
			} else {
				out += string(c)
			}
		}
		return `"` + out + `"`
	}
	sure := 0
	for range drawn.Cases(2_000) {
		word := func(s string) string {
			return escaped(pickOne(r, s, strings.ToUpper(s), strings.ToUpper(s[:1])+s[1:]))
		}
		inside := func(s string) string {
			for range r.IntN(4) {
				switch s = pickOne(r, `{"a":`+s+`}`, `[1,`+s+`]`, `{"b":[`+s+`],"c":2}`); r.IntN(2) {
				case 0:
					s = jsonval.Quoted(s)
				}
			}
			return `{"text":` + s + `}`
		}
		found, other := inside(pickOne(r, word("api_key"), `{`+word("api_key")+`:1}`)), inside(pickOne(r, word("no_key"), `{`+word("apikeys")[:1]+`x":1}`))
		for _, m := range matchers {
			if Find(parse(t, found), all).Holds(m) == No {
				t.Fatalf("%s is surely not in %s", m.Raw, found)
			}
			if Find(parse(t, other), all).Holds(m) == No {
				sure++
			}
		}
	}
	if sure < 6_000 {
		t.Errorf("only %d texts surely have no such word", sure)
	}
}

// TestDoubtfulValues is the law of notations: a value that some program reads as the
// wanted one is never surely another one, and a list is never surely one value.
func TestDoubtfulValues(t *testing.T) {
	r := rand.New(rand.NewPCG(47, 2))
	words := []disguise{wide, upper, unseens, around}
	for range drawn.Cases(600) {
		n := r.IntN(200) - 50
		number := fmt.Sprint(n)
		text := pickOne(r, number, number+".0", number+"e0", " "+number, jsonval.Quoted(number), "["+number+"]")
		word := pickOne(r, "prod", "live", "W-1")
		name := word
		for range 1 + r.IntN(3) {
			name = pickOne(r, words...)(r, name)
		}
		for matcher, values := range map[string][]string{
			fmt.Sprintf(`{"equals":%d}`, n):                {jsonval.Quoted(text), "[" + number + "]", `{"value":` + number + `}`, `[[` + jsonval.Quoted(number) + `]]`},
			fmt.Sprintf(`{"equals":"%d"}`, n):              {number, number + ".0"},
			`{"oneOf":["x",` + jsonval.Quoted(word) + `]}`: {jsonval.Quoted(name), "[" + jsonval.Quoted(name) + "]", jsonval.Quoted("[" + jsonval.Quoted(word) + "]")},
			fmt.Sprintf(`{"max":%d}`, n):                   {"[" + number + "," + number + "]", `{"value":` + number + `}`, jsonval.Quoted(text)},
			`{"matches":` + jsonval.Quoted("^"+word) + `}`: {jsonval.Quoted(name + "x"), "[" + jsonval.Quoted(strings.ToUpper(word)) + "]"},
			`{"prefix":` + jsonval.Quoted(word) + `}`:      {jsonval.Quoted(name + "x"), "[" + jsonval.Quoted(word) + "]"},
		} {
			m, not := read(t, matcher), read(t, `{"not":`+matcher+`}`)
			for _, v := range values {
				if a := m.Is(parse(t, v), Context{Doubts: true}); a == No || a == Yes && v[0] != '"' && v != number && v != number+".0" {
					t.Fatalf("%s is %s: %d", v, matcher, a)
				}
				if a := not.Is(parse(t, v), Context{Doubts: true}); a == Yes {
					t.Fatalf("%s is surely not %s", v, matcher)
				}
			}
		}
	}
}

// TestRoundedNumbers is the law of numbers that floats round: what a rule selects either as
// it is written or as a program with 64-bit floats reads it is never surely outside, and
// surely inside is only what it selects in both ways. Lists, objects and texts hold the
// number, too.
func TestRoundedNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(47, 21))
	exactly := func(s string) *big.Rat { x, _ := new(big.Rat).SetString(s); return x }
	selects := map[string]func(x, limit *big.Rat) bool{
		`{"min":%s}`: func(x, limit *big.Rat) bool { return x.Cmp(limit) >= 0 }, `{"max":%s}`: func(x, limit *big.Rat) bool { return x.Cmp(limit) <= 0 },
		`{"equals":%s}`: func(x, limit *big.Rat) bool { return x.Cmp(limit) == 0 }, `{"oneOf":[-1,%s]}`: func(x, limit *big.Rat) bool { return x.Cmp(limit) == 0 },
		`{"equals":%s,"within":0}`: func(x, limit *big.Rat) bool { return x.Cmp(limit) == 0 },
	}
	split := 0
	for range drawn.Cases(2_000) {
		limit := pickOne(r, "5", "0.1", "500", "9007199254740992", "-3", "0", fmt.Sprint(r.IntN(1000)))
		whole, part, _ := strings.Cut(limit, ".")
		x := pickOne(r, limit, limit+"."+strings.Repeat("0", r.IntN(90))+"1", whole+"."+part+strings.Repeat("0", r.IntN(90))+"1", "9007199254740993", fmt.Sprintf("%d.%s", r.IntN(999), strings.Repeat("9", 1+r.IntN(90))), "1e-400")
		if strings.Count(x, ".") > 1 {
			continue
		}
		f, _ := strconv.ParseFloat(x, 64)
		float := strconv.FormatFloat(f, 'f', -1, 64)
		for word, holds := range selects {
			exact, asFloat := holds(exactly(x), exactly(limit)), holds(exactly(float), exactly(limit))
			matcher := fmt.Sprintf(word, limit)
			m, not := read(t, matcher), read(t, `{"not":`+matcher+`}`)
			for _, v := range []string{x, "[" + x + "]", `{"a":[` + x + `]}`, jsonval.Quoted(x), jsonval.Quoted("[" + x + "]")} {
				a, b := m.Is(parse(t, v), Context{Doubts: true}), not.Is(parse(t, v), Context{Doubts: true})
				if (exact || asFloat) && (a == No || b == Yes) || !(exact && asFloat) && (a == Yes || b == No) {
					t.Fatalf("%s is %s: %d, not: %d; exactly %v, as a float %v", v, matcher, a, b, exact, asFloat)
				}
			}
			if exact != asFloat {
				split++
			}
		}
	}
	for matcher, v := range map[string]string{`{"contains":5}`: "[5.00000000000000000001]", `{"setOf":[5,1]}`: "[1,5.00000000000000000001]", `{"type":"whole"}`: "5.00000000000000000001", `{"matches":"^5"}`: "499.99999999999999999"} {
		if a := read(t, matcher).Is(parse(t, v), Context{Doubts: true}); a != Unknown {
			t.Errorf("%s is %s: %d", v, matcher, a)
		}
	}
	if split < 500 {
		t.Errorf("only %d numbers are selected in one way alone", split)
	}
}

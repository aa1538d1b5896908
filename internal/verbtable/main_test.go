package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/verbs"
)

// TestApart checks that no two verbs that the review keeps apart are one deed, on any kind
// of object, and that no verb with two opposite readings equals another verb.
func TestApart(t *testing.T) {
	text, err := os.ReadFile("review.txt")
	if err != nil {
		t.Fatal(err)
	}
	pairs := 0
	for line := range strings.Lines(string(text)) {
		sort, rest, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if sort != "apart" {
			continue
		}
		all := strings.Fields(rest)
		for i, a := range all {
			for _, b := range all[i+1:] {
				for kind := verbs.Person; kind <= verbs.Entry; kind <<= 1 {
					if pairs++; verbs.Same(a, b, kind) {
						t.Errorf("%s and %s are one deed", a, b)
					}
				}
			}
		}
	}
	if pairs < 300 {
		t.Errorf("only %d pairs were tried", pairs)
	}
}

// TestWide checks that each wide verb of the review asks for each of its narrow verbs, and
// that the table knows it.
func TestWide(t *testing.T) {
	text, err := os.ReadFile("review.txt")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(text)) {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), "wide: ")
		wide, narrow, _ := strings.Cut(rest, " > ")
		if !ok {
			continue
		}
		rows++
		for _, v := range strings.Fields(narrow) {
			if !verbs.Known(wide) || !verbs.Wider(wide, v, verbs.KindsOf([]string{"letter"})) {
				t.Errorf("%s is not wider than %s", wide, v)
			}
		}
	}
	if rows < 20 {
		t.Errorf("only %d rows were tried", rows)
	}
}

// small is a part of WordNet for tests.
var small = &wordnet{
	sets: map[string]*synset{
		"1": {words: []string{"fire", "dismiss"}, definition: "terminate the employment of; \"the boss fired her\""},
		"2": {words: []string{"hire"}, definition: "engage", opposite: []string{"1"}},
		"3": {words: []string{"hire", "rent"}, definition: "engage for service", derived: []string{"9"}},
	},
	antonyms: map[string][]string{"hire": {"fire"}, "fire": {"hire"}},
	senses:   map[string][]sense{"fire": {{"1", 1}}, "dismiss": {{"1", 1}}, "hire": {{"2", 1}, {"3", 0}}, "rent": {{"3", 1}}},
}

// smallNouns is a part of WordNet about nouns.
var smallNouns = &wordnet{
	sets:   map[string]*synset{"9": {words: []string{"lease", "rental"}, definition: "a contract"}},
	senses: map[string][]sense{"lease": {{"9", 1}}, "rental": {{"9", 1}}},
}

// TestReviewIsProven checks which rows of a review the generator refuses.
func TestReviewIsProven(t *testing.T) {
	for _, c := range []struct{ text, wrong string }{
		{"same p: fire dismiss = fire#1", ""},
		{"same p: fire terminate = fire#1", ""},
		{"same p: fire !axe = fire#1", ""},
		{"same p: fire boss = fire#1", "WordNet does not have boss"}, // only in an example
		{"same p: fire axe = fire#1", "WordNet does not have axe"},
		{"same p: fire dismiss = fire#2", "no sense fire#2"},
		{"same x: fire dismiss = fire#1", "unknown kinds"},
		{"same p: fire = fire#1", "two verbs"},
		{"same p: hire !fire = hire#1", "opposite"},
		{"same p: fire dismiss = fire#1\napart: dismiss fire", "are apart"},
		{"same p: hire rent = hire#2\ntwo: hire", "two opposite readings"},
		{"sane p: fire dismiss = fire#1", "not a row"},
		{"opposite: hire fire", ""},
		{"opposite: hire !dismiss", ""},
		{"opposite: hire dismiss", "WordNet does not know"},
		{"opposite: hire", "two words"},
		{"kind r: lease", ""},
		{"kind x: lease", "unknown kind"},
		{"kind r: hiring", "no noun"},
		{"kind r: lease\nkind q: lease", "two kinds"},
		{"noun: lease rental !let = lease#1", ""},
		{"noun: lease flat = lease#1", "WordNet does not have flat"},
		{"noun: lease rental = lease#1\nnoun: rental !let = lease#1", "the noun rental is in two rows"},
		{"act: rent = sign rental", ""},
		{"act: fire = sign rental", "does not derive"},
		{"act: rent = rental", "a light verb"},
	} {
		small.others = []*wordnet{small, smallNouns}
		_, err := readReview(c.text, small, smallNouns)
		if got := ""; err != nil {
			got = err.Error()
			if c.wrong == "" || !strings.Contains(got, c.wrong) {
				t.Errorf("%q: %v, want %q", c.text, err, c.wrong)
			}
		} else if c.wrong != "" {
			t.Errorf("%q: no error, want %q", c.text, c.wrong)
		}
	}
}

// TestSynset checks the reading of a line in WordNet's format.
func TestSynset(t *testing.T) {
	offset, s, err := parseSynset(`00001740 41 v 02 Fire 3 give_notice 0 002 @ 00000005 v 0000 ! 00000007 v 0101 01 + 09 00 | end the work of; "He FIRED her"`)
	if err != nil || offset != "00001740" || s.domain != "verb.social" || !s.proper || !slices.Equal(s.words, []string{"fire", "give_notice"}) ||
		!slices.Equal(s.above, []string{"00000005"}) || !slices.Equal(s.opposite, []string{"00000007"}) || !strings.HasPrefix(s.definition, "end the work of") {
		t.Errorf("%s %+v %v", offset, s, err)
	}
}

package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// review holds the rows of review.txt.
type review struct {
	same      []group
	wide      []group // the first verb is the wider one
	apart     [][]string
	two       []string
	kinds     map[string]string // of a noun: the letter of its kind
	opposites [][]string        // pairs of words of messages
	nouns     [][]string        // each row has nouns for one thing
	ways      [][]string        // each row has words for one place to which the value of an argument belongs
	arguments [][]string        // each row has nouns for one thing in the name of an argument
	acts      [][]string        // each row has a verb, light verbs, and the noun that makes them this verb
}

// group is a row: its verbs, and the kinds of objects for which it holds, as letters.
type group struct {
	kinds string
	verbs []string
}

// kindLetters are the letters of the kinds, in the order of the bits of package verbs.
const kindLetters = "pdmvterqa"

// readReview reads the review and checks its rows against WordNet and against each other.
// The error joins all that is wrong.
func readReview(text string, w, nouns *wordnet) (*review, error) {
	r := &review{kinds: map[string]string{}}
	var wrong []error
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if err := r.addRow(line, w, nouns); err != nil {
			wrong = append(wrong, fmt.Errorf("%q: %w", line, err))
		}
	}
	return r, errors.Join(append(wrong, r.contradictions(), opposites(r.same, w))...)
}

func (r *review) addRow(line string, w, nouns *wordnet) error {
	head, rest, ok := strings.Cut(line, ": ")
	sort, kinds, _ := strings.Cut(head, " ")
	switch {
	case !ok:
	case sort == "same":
		verbs, senses, _ := strings.Cut(rest, " = ")
		kinds = strings.NewReplacer("*", kindLetters, "n", kindLetters[1:]).Replace(kinds)
		if strings.Trim(kinds, kindLetters) != "" || kinds == "" {
			return fmt.Errorf("unknown kinds %q", kinds)
		}
		all, err := provenVerbs(strings.Fields(verbs), strings.Fields(senses), w)
		r.same = append(r.same, group{kinds, all})
		return err
	case sort == "kind":
		return r.addKind(kinds, strings.Fields(rest), nouns)
	case sort == "noun":
		all, senses, _ := strings.Cut(rest, " = ")
		same, err := provenVerbs(strings.Fields(all), strings.Fields(senses), nouns)
		r.nouns = append(r.nouns, same)
		return err
	case sort == "way", sort == "argument":
		all, senses, _ := strings.Cut(rest, " = ")
		same, err := provenVerbs(strings.Fields(all), strings.Fields(senses), nouns)
		if sort == "way" {
			r.ways = append(r.ways, same)
		} else {
			r.arguments = append(r.arguments, same)
		}
		return err
	case sort == "opposite":
		pair := strings.Fields(rest)
		r.opposites = append(r.opposites, pair)
		return provenOpposite(pair, w.others)
	case sort == "act":
		verb, phrase, _ := strings.Cut(rest, " = ")
		row := append([]string{verb}, strings.Fields(phrase)...)
		r.acts = append(r.acts, row)
		return provenAct(row, w, nouns)
	case sort == "wide":
		wide, narrow, _ := strings.Cut(rest, " > ")
		r.wide = append(r.wide, group{kindLetters, append([]string{wide}, strings.Fields(narrow)...)})
		return nil
	case sort == "apart":
		r.apart = append(r.apart, strings.Fields(rest))
		return nil
	case sort == "two":
		r.two = append(r.two, strings.Fields(rest)...)
		return nil
	}
	return errors.New("not a row")
}

func (r *review) addKind(letter string, all []string, nouns *wordnet) error {
	if len(letter) != 1 || !strings.Contains(kindLetters, letter) {
		return fmt.Errorf("unknown kind %q", letter)
	}
	for _, n := range all {
		if r.kinds[n] != "" || len(nouns.senses[n]) == 0 {
			return fmt.Errorf("%s has two kinds, or is no noun of WordNet", n)
		}
		r.kinds[n] = letter
	}
	return nil
}

// provenAct returns an error for a row of which the noun is not derived from the verb.
// WordNet derives one from the other, or spells them the same.
func provenAct(row []string, verbs, nouns *wordnet) error {
	verb, noun := row[0], row[len(row)-1]
	if len(row) < 3 || len(nouns.senses[noun]) == 0 || len(verbs.senses[verb]) == 0 {
		return errors.New("a row needs a verb, a light verb and a noun of WordNet")
	}
	for _, s := range verbs.senses[verb] {
		for _, o := range verbs.sets[s.offset].derived {
			if set := nouns.sets[o]; set != nil && slices.Contains(set.words, noun) {
				return nil
			}
		}
	}
	if verb == noun {
		return nil
	}
	return fmt.Errorf("WordNet does not derive %s from %s", noun, verb)
}

// provenOpposite removes the mark of jargon from a pair. It returns an error for a pair without a mark that
// no part of speech has as opposites.
func provenOpposite(pair []string, parts []*wordnet) error {
	if len(pair) != 2 && (len(pair) != 3 || !slices.Contains([]string{"<", "<>", "<>?"}, pair[2])) {
		return errors.New("a row needs two words, and perhaps a mark")
	}
	marked := false
	if pair[1], marked = strings.CutPrefix(pair[1], "!"); marked {
		return nil
	}
	for _, w := range parts {
		if slices.Contains(w.antonyms[pair[0]], pair[1]) {
			return nil
		}
	}
	return fmt.Errorf("WordNet does not know that %s is the opposite of %s", pair[0], pair[1])
}

// provenVerbs returns the verbs of a row without their marks. It returns an error for a
// verb that is not in a set of the senses, and not in the definition of one.
func provenVerbs(verbs, senses []string, w *wordnet) ([]string, error) {
	if len(verbs) < 2 || len(senses) == 0 {
		return nil, errors.New("a row needs two verbs and a sense")
	}
	var known, defined []string
	for _, name := range senses {
		s, err := w.find(name)
		if err != nil {
			return nil, err
		}
		known = append(known, s.words...)
		words, _, _ := strings.Cut(s.definition, "; \"")
		defined = append(defined, strings.FieldsFunc(words, func(c rune) bool { return (c < 'a' || c > 'z') && c != '-' })...)
	}
	var out []string
	for _, v := range verbs {
		v, jargon := strings.CutPrefix(v, "!")
		if out = append(out, v); jargon {
			continue
		}
		if !slices.Contains(known, v) && !slices.Contains(defined, v) {
			return out, fmt.Errorf("WordNet does not have %s in %s", v, strings.Join(senses, ", "))
		}
	}
	return out, nil
}

// contradictions returns an error for two verbs that are in one group, although a row says
// that they are apart, and for a verb with two opposite readings.
func (r *review) contradictions() error {
	var wrong []error
	for _, g := range r.same {
		for _, a := range r.apart {
			both := slices.DeleteFunc(slices.Clone(g.verbs), func(v string) bool { return !slices.Contains(a, v) })
			if len(both) > 1 {
				wrong = append(wrong, fmt.Errorf("%v are apart, and in the group %v", both, g.verbs))
			}
		}
		for _, v := range g.verbs {
			if slices.Contains(r.two, v) {
				wrong = append(wrong, fmt.Errorf("%s has two opposite readings, and is in the group %v", v, g.verbs))
			}
		}
	}
	seen := map[string]bool{}
	for _, row := range r.nouns {
		for _, n := range row {
			if seen[n] {
				wrong = append(wrong, fmt.Errorf("the noun %s is in two rows", n))
			}
			seen[n] = true
		}
	}
	return errors.Join(wrong...)
}

// opposites returns an error for two verbs of one group of which WordNet says that a sense
// of one is the opposite of a sense of the other.
func opposites(groups []group, w *wordnet) error {
	var wrong []error
	for _, g := range groups {
		for _, v := range g.verbs {
			for _, s := range w.senses[v] {
				for _, o := range w.sets[s.offset].opposite {
					if set := w.sets[o]; set != nil && slices.ContainsFunc(set.words, func(x string) bool { return x != v && slices.Contains(g.verbs, x) }) {
						wrong = append(wrong, fmt.Errorf("%s has an opposite in the group %v", v, g.verbs))
					}
				}
			}
		}
	}
	return errors.Join(wrong...)
}

// table returns the sections of the table about verbs.
func (r *review) table() string {
	var b strings.Builder
	b.WriteString("[same]\n")
	for _, g := range r.same {
		b.WriteString(g.kinds + " " + strings.Join(g.verbs, " ") + "\n")
	}
	b.WriteString("[wide]\n")
	for _, g := range r.wide {
		b.WriteString(g.kinds + " " + strings.Join(g.verbs, " ") + "\n")
	}
	return b.String()
}

// oppositeTable returns the section of the table about words of messages.
func (r *review) oppositeTable() string {
	var b strings.Builder
	b.WriteString("[opposites]\n")
	for _, pair := range r.opposites {
		b.WriteString(strings.Join(pair, " ") + "\n")
	}
	return b.String()
}

// names returns the small table for names: the nouns for one thing, the acts, and the words in
// names of arguments.
func (r *review) names() string {
	var b strings.Builder
	for _, section := range [...]struct {
		name string
		rows [][]string
	}{{"[nouns]\n", r.nouns}, {"[acts]\n", r.acts}, {"[ways]\n", r.ways}, {"[arguments]\n", r.arguments}} {
		b.WriteString(section.name)
		for _, row := range section.rows {
			b.WriteString(strings.Join(row, " ") + "\n")
		}
	}
	return b.String()
}

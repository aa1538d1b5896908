package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// synset is a set of words with one meaning, as a data file of WordNet has it.
type synset struct {
	domain     string   // such as noun.person
	words      []string // in lower case, with underscores
	above      []string // the offsets of its hypernyms
	opposite   []string // the offsets of sets with an opposite word
	pairs      []antonym
	derived    []string // the offsets of sets with a word that is derived from one of its words, or from which one is
	definition string
	proper     bool // its first word is a name
	transitive bool // of a verb: one of its sentence frames has an object
}

// antonym is a pointer from a word of a set to its opposite, a word of another set.
type antonym struct {
	word, to string
	number   int // of the opposite in its set
}

// sense is a meaning of a word: a synset, and how often it was tagged in texts.
type sense struct {
	offset string
	count  int
}

// wordnet is one part of speech.
type wordnet struct {
	sets   map[string]*synset
	senses map[string][]sense // of a word, in WordNet's order

	antonyms map[string][]string // of a word, its opposites
	others   []*wordnet          // all parts of speech that are read, for a review
}

// domains holds the names of WordNet's lexicographer files, by number.
var domains = strings.Fields("adj.all adj.pert adv.all noun.Tops noun.act noun.animal noun.artifact noun.attribute noun.body noun.cognition noun.communication " +
	"noun.event noun.feeling noun.food noun.group noun.location noun.motive noun.object noun.person noun.phenomenon noun.plant noun.possession noun.process " +
	"noun.quantity noun.relation noun.shape noun.state noun.substance noun.time verb.body verb.change verb.cognition verb.communication verb.competition " +
	"verb.consumption verb.contact verb.creation verb.emotion verb.motion verb.perception verb.possession verb.social verb.stative verb.weather adj.ppl")

// readWordNet reads a part of speech, noun, verb, adj or adv, from the folder of WordNet's files.
func readWordNet(folder, part string) (*wordnet, error) {
	w := &wordnet{sets: map[string]*synset{}, senses: map[string][]sense{}}
	err := eachLine(filepath.Join(folder, "data."+part), func(line string) error {
		offset, s, err := parseSynset(line)
		w.sets[offset] = s
		return err
	})
	if err != nil {
		return nil, err
	}
	w.antonyms = antonymsOf(w.sets)
	numbers := map[string]string{"noun": "1", "verb": "2", "adj": "35", "adv": "4"}[part]
	type entry struct {
		sense
		number int
	}
	entries := map[string][]entry{}
	err = eachLine(filepath.Join(folder, "index.sense"), func(line string) error {
		f := strings.Fields(line)
		word, rest, _ := strings.Cut(f[0], "%")
		if len(f) != 4 || !strings.Contains(numbers, rest[:1]) {
			return nil
		}
		n, err := strconv.Atoi(f[2])
		if err != nil {
			return err
		}
		count, err := strconv.Atoi(f[3])
		entries[word] = append(entries[word], entry{sense{f[1], count}, n})
		return err
	})
	for word, all := range entries {
		slices.SortFunc(all, func(a, b entry) int { return a.number - b.number })
		for _, e := range all {
			w.senses[word] = append(w.senses[word], e.sense)
		}
	}
	return w, err
}

// antonymsOf returns the opposites of each word, without the mark of adjectives such as (a).
func antonymsOf(sets map[string]*synset) map[string][]string {
	out := map[string][]string{}
	plain := func(word string) string { word, _, _ = strings.Cut(word, "("); return word }
	for _, s := range sets {
		for _, a := range s.pairs {
			if to := sets[a.to]; to != nil && a.number > 0 && a.number <= len(to.words) {
				x, y := plain(a.word), plain(to.words[a.number-1])
				out[x], out[y] = append(out[x], y), append(out[y], x)
			}
		}
	}
	return out
}

// eachLine calls f with each line of a file of WordNet that is not part of its licence.
func eachLine(path string, f func(string) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "  ") {
			continue
		}
		if err := f(lines.Text()); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return lines.Err()
}

// parseSynset reads a line of a data file, in the format of WordNet's manual page wndb.
func parseSynset(line string) (string, *synset, error) {
	data, definition, _ := strings.Cut(line, " | ")
	f := strings.Fields(data)
	domain, err := strconv.Atoi(f[1])
	if err != nil || domain >= len(domains) {
		return "", nil, fmt.Errorf("the set %s has no domain", f[0])
	}
	n, err := strconv.ParseInt(f[3], 16, 32)
	if err != nil {
		return "", nil, err
	}
	s := &synset{domain: domains[domain], definition: strings.ToLower(definition)}
	for i := range int(n) {
		s.words = append(s.words, strings.ToLower(f[4+2*i]))
		s.proper = s.proper || i == 0 && f[4] != s.words[0]
	}
	at := 4 + 2*int(n)
	pointers, err := strconv.Atoi(f[at])
	if err != nil {
		return "", nil, err
	}
	for i := range pointers {
		symbol, to := f[at+1+4*i], f[at+2+4*i]
		switch symbol {
		case "@", "@i":
			s.above = append(s.above, to)
		case "!":
			s.opposite = append(s.opposite, to)
			from, err := strconv.ParseInt(f[at+4+4*i], 16, 32) // two numbers of words, each of two digits
			if own := int(from >> 8); err == nil && own > 0 && own <= len(s.words) {
				s.pairs = append(s.pairs, antonym{s.words[own-1], to, int(from & 0xff)})
			}
		case "+":
			s.derived = append(s.derived, to)
		}
	}
	for _, frame := range frames(f[at+1+4*pointers:]) {
		s.transitive = s.transitive || slices.Contains(objectFrames, frame)
	}
	return f[0], s, nil
}

// objectFrames are the sentence frames of WordNet in which a verb has an object.
var objectFrames = strings.Fields("08 09 10 11 14 15 16 17 18 19 20 21 24 25 30 31")

// frames returns the numbers of the sentence frames at the end of a line for a verb.
func frames(f []string) (out []string) {
	for i := 2; i < len(f); i += 3 {
		out = append(out, f[i])
	}
	return out
}

// find returns the synset that a sense such as fire#4 names.
func (w *wordnet) find(name string) (*synset, error) {
	word, number, _ := strings.Cut(name, "#")
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > len(w.senses[word]) {
		return nil, fmt.Errorf("WordNet has no sense %s", name)
	}
	return w.sets[w.senses[word][n-1].offset], nil
}

// isBelow reports whether a set or one of its hypernyms is among the roots.
func (w *wordnet) isBelow(offset string, roots map[string]bool, seen map[string]bool) bool {
	if roots[offset] {
		return true
	}
	if seen[offset] {
		return false
	}
	seen[offset] = true
	return slices.ContainsFunc(w.sets[offset].above, func(o string) bool { return w.isBelow(o, roots, seen) })
}

package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

const (
	wordsFile    = "core/action/mutation/words.txt"
	disputesFile = "internal/verbtable/disputes.txt"
)

// changing are the domains of verbs that change, create, destroy, own or tell something.
// Their opposite are the domains of perceiving.
var (
	changing   = []string{"verb.change", "verb.creation", "verb.possession", "verb.communication", "verb.contact", "verb.social", "verb.competition", "verb.consumption"}
	perceiving = []string{"verb.perception", "verb.cognition"}
)

// actTable returns the section of the table about verbs that change something and that our
// words do not have. The main sense of such a verb is in such a domain and has an object, and no noun or adjective is
// spelled the same and tagged as often. Verbs with an ending of verbs only are left out.
func actTable(verbs *wordnet, others []*wordnet, ours map[string]string) string {
	var acts []string
	for verb, senses := range verbs.senses {
		known := ours[verb] != ""
		ending := strings.HasSuffix(verb, "ize") || strings.HasSuffix(verb, "ify") // mutation knows these endings
		if known || ending || len(verb) < 3 || strings.Trim(verb, "abcdefghijklmnopqrstuvwxyz") != "" {
			continue
		}
		if s := mainSet(verbs, senses); s.transitive && slices.Contains(changing, s.domain) && isMainlyVerb(verb, tags(senses), others) {
			acts = append(acts, verb)
		}
	}
	slices.Sort(acts)
	return "[acts]\n" + strings.Join(acts, " ") + "\n"
}

// isMainlyVerb reports whether a verb with so many tags was tagged more often than the same
// word as another part of speech. A word without tags must be no other part of speech.
func isMainlyVerb(word string, count int, others []*wordnet) bool {
	for _, w := range others {
		if senses := w.senses[word]; len(senses) > 0 && count <= tags(senses) {
			return false
		}
	}
	return true
}

func tags(senses []sense) (n int) {
	for _, s := range senses {
		n += s.count
	}
	return n
}

// mainSet returns the sense with the most tags, or the first sense.
func mainSet(w *wordnet, senses []sense) *synset {
	best := senses[0]
	for _, s := range senses {
		if s.count > best.count {
			best = s
		}
	}
	return w.sets[best.offset]
}

// ourClasses returns the class of each word that our rules know, as words.txt names it. A
// word that is only in another list has the class list.
func ourClasses() (map[string]string, error) {
	text, err := os.ReadFile(wordsFile)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	class := ""
	for line := range strings.Lines(string(text)) {
		if line[0] == '#' {
			continue
		}
		if name, rest, begins := strings.Cut(line, ":"); begins {
			class, line = "list", rest
			if slices.Contains(strings.Fields("read write weak vague info"), strings.Split(name, "+")[0]) {
				class = name
			}
		}
		for _, w := range strings.Fields(line) {
			if out[w] == "" || out[w] == "list" {
				out[w] = class
			}
		}
	}
	return out, nil
}

// disputes returns the verbs about which our words and WordNet disagree, each with our class
// and WordNet's main domain. Our words hold; the list is for whoever reads it.
func disputes(verbs *wordnet, ours map[string]string) string {
	var rows []string
	for word, class := range ours {
		senses := verbs.senses[word]
		if len(senses) == 0 {
			continue
		}
		domain := mainSet(verbs, senses).domain
		reads, writes := strings.HasPrefix(class, "read"), strings.HasPrefix(class, "write") || strings.HasPrefix(class, "weak")
		if reads && slices.Contains(changing, domain) || writes && slices.Contains(perceiving, domain) {
			rows = append(rows, fmt.Sprintf("%s %s %s", word, class, domain))
		}
	}
	slices.Sort(rows)
	return "# Verbs about which core/action/mutation/words.txt and WordNet disagree: the word, our class, and the\n" +
		"# domain of its main sense. Our words hold. A person read the list: WordNet counts getting and\n" +
		"# finding as owning, and asking and describing as telling, which change nothing in a program;\n" +
		"# and it counts judging as knowing, which does, as in reject or exclude. Written by make hosts VERBS=1.\n" +
		strings.Join(rows, "\n") + "\n"
}

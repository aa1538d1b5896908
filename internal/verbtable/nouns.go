package main

import (
	"maps"
	"os"
	"slices"
	"strings"
)

// namesFiles hold words of public names of tools, and words that our rules know.
var namesFiles = []string{"core/action/mutation/servers.txt", "core/action/mutation/hosts.txt", "core/action/mutation/words.txt"}

// readNames returns the words of these files.
func readNames() (map[string]bool, error) {
	out := map[string]bool{}
	for _, path := range namesFiles {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		for _, w := range strings.FieldsFunc(strings.ToLower(string(text)), func(c rune) bool { return c < 'a' || c > 'z' }) {
			out[w] = true
		}
	}
	return out, nil
}

// nounTable returns the section of the table about nouns: the kinds of objects that a noun
// names, by the senses with at least a tenth of its tags. It has the nouns that may name a
// person, a document, money or a device, and that were tagged twice in texts or are in names. Of
// all other nouns the table knows nothing. The kinds of the review hold.
func nounTable(w *wordnet, names map[string]bool, reviewed map[string]string) string {
	k := newKinds(w)
	byKinds := map[string][]string{}
	for word, senses := range w.senses {
		if k := reviewed[word]; k != "" {
			byKinds[k] = append(byKinds[k], word)
			continue
		}
		if len(word) < 3 || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") != "" || isProper(w, senses) {
			continue
		}
		if kinds := k.of(senses, names[word]); strings.ContainsAny(kinds, "pdmv") {
			byKinds[kinds] = append(byKinds[kinds], word)
		}
	}
	var b strings.Builder
	b.WriteString("[nouns]\n")
	for _, kinds := range slices.Sorted(maps.Keys(byKinds)) {
		slices.Sort(byKinds[kinds])
		b.WriteString(kinds + " " + strings.Join(byKinds[kinds], " ") + "\n")
	}
	return b.String()
}

// isProper reports whether the first sense of a noun is a name, such as london.
func isProper(w *wordnet, senses []sense) bool { return w.sets[senses[0].offset].proper }

// kinds finds the kind of a sense of a noun.
type kinds struct {
	w                *wordnet
	devices, peoples map[string]bool // roots in WordNet
}

func newKinds(w *wordnet) *kinds {
	roots := func(names string) map[string]bool {
		out := map[string]bool{}
		for _, word := range strings.Fields(names) {
			for _, s := range w.senses[word][:1] {
				out[s.offset] = true
			}
		}
		return out
	}
	return &kinds{w, roots("device machine vehicle electronic_equipment appliance"), roots("social_group people organization")}
}

// of returns the letters of the kinds that a noun with these senses names. If no sense was
// tagged, all senses count alike. For a noun with fewer than two tags that is not in names
// the result is "".
func (k *kinds) of(senses []sense, inNames bool) string {
	all, found := 0, map[byte]bool{}
	for _, s := range senses {
		all += s.count
	}
	if all < 2 && !inNames {
		return ""
	}
	for _, s := range senses {
		if 10*s.count >= all {
			found[k.kindOf(s.offset)] = true
		}
	}
	out := ""
	for i := range kindLetters {
		if found[kindLetters[i]] {
			out += kindLetters[i : i+1]
		}
	}
	return out
}

func (k *kinds) kindOf(offset string) byte {
	switch domain := k.w.sets[offset].domain; domain {
	case "noun.person":
		return 'p'
	case "noun.communication":
		return 'd'
	case "noun.possession":
		return 'm'
	case "noun.artifact":
		if k.w.isBelow(offset, k.devices, map[string]bool{}) {
			return 'v'
		}
		return 't'
	case "noun.group":
		if k.w.isBelow(offset, k.peoples, map[string]bool{}) {
			return 'p'
		}
		return 't'
	case "noun.object", "noun.substance", "noun.food", "noun.plant", "noun.animal", "noun.body":
		return 't'
	}
	return 'e'
}

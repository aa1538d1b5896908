package shape

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/tongues"
)

// englishOutcome returns the English word for one of another language, or "". It begins with not if a word
// before it denies it, as in nicht bestanden.
func englishOutcome(word string) string {
	if len(word) > 48 {
		return ""
	}
	if first, rest, two := strings.Cut(word, " "); two {
		if english := englishOutcome(rest); english != "" && (tongues.Denies(first) || tongues.Word(first) == "no") && !strings.HasPrefix(english, "not") {
			return "not" + english
		}
		return ""
	}
	if english := tongues.Outcome(word); english != "" {
		return english
	}
	if english := tongues.Word(word); english == "yes" || english == "no" {
		return english
	}
	return ""
}

// cutSign returns a text without the sign at its beginning, as in ✅ pass. A sign that the words contradict
// stays.
func cutSign(word string) string {
	sign, rest, ok := strings.Cut(word, " ")
	if !ok || !OneOf(sign, yesSigns) && !OneOf(sign, noSigns) {
		return word
	}
	if yes, no := answerOf(rest, true, true); yes != no && yes == OneOf(sign, yesSigns) {
		return sign
	}
	return word
}

// scoreOf returns the number that a score is written as: 0.5, 0,5, 50% or 1/2.
func scoreOf(text string) (float64, bool) {
	text = strings.TrimSpace(text)
	part, percent := strings.CutSuffix(text, "%")
	part, whole, isPart := strings.Cut(part, "/")
	part = strings.TrimSpace(part)
	if before, after, comma := strings.Cut(part, ","); comma && (len(after) != 3 || before == "0") && !strings.Contains(after, ",") {
		part = before + "." + after // as most of Europe writes it; three digits may be thousands
	}
	n, err := strconv.ParseFloat(part, 64)
	switch {
	case err != nil || math.IsInf(n, 0) || math.IsNaN(n):
		return 0, false
	case percent:
		return n / 100, true
	case isPart:
		of, err := strconv.ParseFloat(strings.TrimSpace(whole), 64)
		return n / of, err == nil && of > 0 && n >= 0 && n <= of
	}
	return n, true
}

// applyScale reads the only score of an object by the members beside it that say from which score a run is
// good, or which is the largest.
func (e *Outcome) applyScale(o *Object) {
	if !e.Yes && !e.No && len(e.Scores) == 0 {
		e.notePoints(o)
	}
	if len(e.Scores) != 1 || e.Yes || e.No {
		return
	}
	score := e.Scores[0]
	if bar, ok := PassMark(o); ok {
		turned := saysLess(o.FirstString("name metric key type"))
		e.Scores, e.Yes, e.No, e.Unclear = nil, score >= bar && !turned, score < bar && !turned, turned
	} else if most, ok := scoreOf(o.Get("max_score maxScore max maximum out_of outOf max_points maxPoints full_score scale").Text()); ok && most != 1 && score != 0 {
		e.Scores, e.Yes, e.Unclear = nil, score == most, score != most
	}
}

// PassMark returns the score from which a record says that a run is good.
func PassMark(o *Object) (float64, bool) {
	return scoreOf(o.Get("threshold pass_threshold passThreshold passing_score passingScore min_score minScore cutoff pass_mark success_threshold successThreshold").Text())
}

// PassMarkOf returns the score from which a text says, beside its records, that each run is good. rows are the values
// of the text.
func PassMarkOf(rows []jsonval.Value) (bar float64, ok bool) {
	if len(rows) != 1 || rows[0].Kind() != jsonval.Object {
		return 0, false
	}
	const names = "pass_threshold passThreshold passing_score passingScore pass_mark success_threshold successThreshold"
	o := OpenObject(rows[0])
	for _, v := range [...]jsonval.Value{o.Get(names), o.OpenMember("config settings meta metadata").Get(names)} {
		if bar, ok = v.Float(); ok {
			return bar, bar > 0
		}
	}
	return 0, false
}

// notePoints reads how many points, checks or tests of how many were reached, in members beside each other.
func (e *Outcome) notePoints(o *Object) {
	if !slices.ContainsFunc(o.Keys, func(key string) bool {
		return len(key) > 5 && (strings.Contains(key, "oint") || strings.Contains(key, "ass") || strings.Contains(key, "arned") || strings.Contains(key, "riteria"))
	}) {
		return // nearly all objects, so that they cost nothing
	}
	for _, pair := range [...][2]string{
		{"points points_earned pointsEarned earned_points earned", "max_points maxPoints points_possible pointsPossible possible_points total_points totalPoints possible"},
		{"checks_passed passed_checks passedChecks checksPassed assertions_passed criteria_met criteriaMet passed", "checks_total total_checks totalChecks checksTotal assertions_total criteria_total criteriaTotal total"},
	} {
		n, ok := o.Get(pair[0]).Float()
		most, known := o.Get(pair[1]).Float()
		if ok && known && most > 0 && n >= 0 && n <= most {
			e.Yes, e.No = n == most, n == 0
			e.Unclear = !e.Yes && !e.No
			if strings.HasSuffix(pair[1], "total") { // of checks, each must pass
				e.Yes, e.No, e.Unclear = n == most, n < most, false
			}
			return
		}
	}
	good, ok := o.Get("tests_passed testsPassed passed_tests num_passed").Float()
	bad, known := o.Get("tests_failed testsFailed failed_tests num_failed").Float()
	if ok && known && bad == 0 {
		e.Yes = good > 0
	}
}

// saysLess reports whether the name of a metric says that less is better.
func saysLess(name string) bool {
	name = strings.ToLower(name)
	for _, word := range [...]string{"hallucination", "toxic", "bias", "error", "latency", "cost", "violation", "distance", "loss", "pii", "harm", "leak", "jailbreak", "refus", "unsafe"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// saysBad reports whether free words, or the words of a list, say that something is wrong.
func saysBad(v jsonval.Value) bool {
	if v.Kind() == jsonval.Array {
		return slices.ContainsFunc(v.Elements(), func(e jsonval.Value) bool { return OneOf(strings.ToLower(e.Text()), badWords) })
	}
	text, ok := v.Str()
	return ok && len(text) < 1000 && slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return c < 'a' || c > 'z' }), func(word string) bool {
		return OneOf(word, "fail failed failure incorrect wrong unsuccessful unacceptable unsafe")
	})
}

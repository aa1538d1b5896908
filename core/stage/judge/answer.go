package judge

import (
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// The limits of an answer. The expected answer is one small object.
const (
	maxAnswer = 32 << 10 // bytes that are examined
	maxBraces = 256      // places where an object may begin
)

// Parse parses the answer of a judge. The answer must contain one JSON object with the
// members label, confidence and reason, and may contain other text around the object.
//
// Parse returns an opinion without a label in these cases, and the opinion says why:
//
//   - The answer contains no such object, or several different ones.
//   - The label is unknown.
//   - The confidence is not a number from 0 to 1.
//   - The answer is too long or incomplete.
func Parse(answer string) Opinion {
	text, ok := stripReasoning(answer)
	switch {
	case !ok:
		return NoOpinion("the judge's answer ends before the end of its reasoning")
	case strings.TrimSpace(text) == "":
		return NoOpinion("the judge's answer is empty")
	case len(text) > maxAnswer:
		return NoOpinion(fmt.Sprintf("the judge's answer is too long (%d bytes)", len(text)))
	}
	found, err := findObjects(text)
	if err != "" {
		return NoOpinion(err)
	}
	if len(found) == 0 {
		return NoOpinion("the judge's answer contains no JSON object: " + answerExcerpt(text))
	}
	first := readOpinion(found[0])
	for _, v := range found[1:] {
		if other := readOpinion(v); other.Label != first.Label || other.Confidence != first.Confidence {
			return NoOpinion("the judge gave more than one answer")
		}
	}
	return first
}

// stripReasoning removes the reasoning that some models write before their answer. It
// returns false if the end of the reasoning is missing.
func stripReasoning(s string) (string, bool) {
	t := strings.TrimSpace(s)
	if !strings.HasPrefix(t, "<think>") {
		return s, true
	}
	_, after, ok := strings.Cut(t, "</think>")
	return after, ok
}

// findObjects returns the outermost JSON objects in a text. If the text contains too many
// braces, it returns none, and trouble says why.
func findObjects(text string) (found []jsonval.Value, trouble string) {
	for i, tried := 0, 0; i < len(text); i++ {
		if text[i] != '{' {
			continue
		}
		if tried++; tried > maxBraces {
			return nil, "the judge's answer contains too many braces"
		}
		end := closingBrace(text, i)
		if end < 0 {
			continue
		}
		if v, err := jsonval.Parse(text[i : end+1]); err == nil {
			found = append(found, v)
			i = end
		}
	}
	return found, ""
}

// closingBrace returns the offset of the brace that closes the brace at offset i, or -1
// if there is none.
func closingBrace(text string, i int) int {
	depth, inside := 0, false
	for ; i < len(text); i++ {
		switch c := text[i]; {
		case inside && c == '\\':
			i++
		case c == '"':
			inside = !inside
		case inside:
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// readOpinion converts the JSON object of an answer to an opinion.
func readOpinion(v jsonval.Value) Opinion {
	var label, confidence, reason jsonval.Value
	twice := ""
	take := func(field *jsonval.Value, key string, m jsonval.Value) {
		if field.Exists() {
			twice = key
		}
		*field = m
	}
	v.Each(func(key string, m jsonval.Value) bool {
		switch key {
		case "label":
			take(&label, key, m)
		case "confidence":
			take(&confidence, key, m)
		case "reason":
			take(&reason, key, m)
		}
		return true
	})
	if twice != "" {
		return NoOpinion("the judge's answer contains " + twice + " twice")
	}
	l, isText := label.Str()
	n, isNumber := confidence.Float()
	switch {
	case !label.Exists():
		return NoOpinion("the judge's answer has no label: " + answerExcerpt(v.Raw()))
	case !isText || !Label(l).Known():
		return NoOpinion("the judge's answer has an unknown label: " + answerExcerpt(label.Raw()))
	case !confidence.Exists():
		return NoOpinion("the judge's answer has no confidence")
	case !isNumber || n < 0 || n > 1:
		return NoOpinion("the judge's confidence is not a number from 0 to 1: " + answerExcerpt(confidence.Raw()))
	}
	return Opinion{Label: Label(l), Confidence: n, Reason: shortenText(strings.TrimSpace(reason.Text()), maxReason)}
}

func answerExcerpt(s string) string { return shortenText(strings.Join(strings.Fields(s), " "), 80) }

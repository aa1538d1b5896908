package shape

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// The name of a member says what its calls are: those that were made, those that should have been
// made or must not be, or those of which a plan or a judge speaks. The law of this file: a call that
// was only planned, missed or forbidden is no call of the run.

// Side is what the calls in a member of a record are, by its name.
type Side int

const (
	// OtherSide may be the run, or anything else.
	OtherSide Side = iota
	// ExpectedSide is what should have been done.
	ExpectedSide
	// LikelySide is what should have been done if another member is the run.
	LikelySide
	// ForbiddenSide is what must not be done.
	ForbiddenSide
	// PlannedSide is what was planned, if another member is what was done.
	PlannedSide
	// JudgedSide is what a judge or an example speaks of.
	JudgedSide
)

const (
	deedWords    = "actual agent assistant candidate completion did done executed final generated got have made model observed performed output pred predicted prediction rollout student system"
	likelyWords  = "annotation annotator answer correct demo demonstration desired expert gt human key label must oracle possible reference should solution spec target teacher then true truth want"
	plannedWords = "plan planned proposal proposed suggested draft alternative"
	judgedWords  = "missing missed extra unexpected wrong unmatched mismatched redundant superfluous"
	banWords     = "forbidden disallowed prohibited banned blacklist blacklisted"
)

// SideOf returns what the calls in a member with a name are.
func SideOf(name string) Side {
	switch words := SplitWords(name); {
	case IsApart(name):
		return IfElse(isForbidden(words), ForbiddenSide, JudgedSide)
	case IsExpected(name):
		return ExpectedSide
	case wordlist.HasAny(deedWords, words):
		return OtherSide
	case wordlist.HasAny(likelyWords, words):
		return LikelySide
	case wordlist.HasAny(plannedWords, words):
		return PlannedSide
	}
	return OtherSide
}

// SaysDone reports whether a member with this name has what was done, if another one has what should have been.
func SaysDone(name string) bool { return wordlist.HasAny(deedWords+" response", SplitWords(name)) }

// IsApart reports whether the calls in a member with a name are never calls of the run: they are
// forbidden, or somebody stopped them, or a judge says that they are missing, or they are an example.
func IsApart(name string) bool {
	if len(name) < 8 || !mayBeApart[name[0]|0x20] || !strings.Contains(apartHeads, strings.ToLower(name[:4])) {
		return false // nearly all names, so that they cost nothing
	}
	words := SplitWords(name)
	return IsAssertions(name) || isForbidden(words) || strings.HasPrefix(wordlist.FoldName(name), "fewshot") ||
		(wordlist.HasAny(judgedWords, words) || wordlist.HasAny(stoppedWords, words)) && wordlist.HasAny("call tool action step toolcall function by", words)
}

// stoppedWords are the words of names for calls that were not executed, because somebody stopped them.
const stoppedWords = "rejected blocked denied refused vetoed declined"

// IsAssertions reports whether a list with this name says what a test asserts of the run. A call in it is
// none of the run.
func IsAssertions(name string) bool { return OneOf(wordlist.FoldName(name), "assertions asserts") }

// AssertedCall returns the name of the tool of which an assertion says that it was called, or was not.
func AssertedCall(o *Object) (name string, not bool) {
	words := SplitWords(o.FirstString("type kind check assert assertion"))
	if !wordlist.HasAny("tool function call called", words) || !wordlist.HasAny("called call used invoked", words) {
		return "", false
	}
	return o.FirstString("tool tool_name toolName function name value"), wordlist.HasAny("not never no", words)
}

// The first four letters of the names for which IsApart may be true, and their first letters.
const apartHeads = "asse forb must not_ notc shou neve disa proh bann blac unex miss extr wron unma mism redu supe few_ fews reje bloc deni refu veto decl call tool acti"

var mayBeApart = func() (first [256]bool) {
	for _, head := range strings.Fields(apartHeads) {
		first[head[0]] = true
	}
	return first
}()

// isForbidden reports whether the words of a name say that calls must not be made.
func isForbidden(words []string) bool {
	return wordlist.HasAny(banWords, words) || wordlist.HasAny("not never", words) && wordlist.HasAny("must should call called use used allowed do", words)
}

// foreignExpectations are words of other languages for what should have been done, in the singular.
const foreignExpectations = "esperado esperada esperados esperadas esperat attendu attendue attendus attendues erwartet erwartete erwarteter erwartetes erwarteten soll sollwert sollaufrufe " +
	"atteso attesa attesi attese previsto prevista previsti verwacht verwachte förväntad förväntade forventet forventede oczekiwany oczekiwana oczekiwane beklenen"

// isForeignExpected reports whether a name says in another language that it is what should have been
// done.
func isForeignExpected(name string) bool {
	if len(name) < 4 {
		return false
	}
	switch head, tail := strings.ToLower(name[:4]), name[len(name)-3:]; {
	case OneOf(head, "espe erwa atte soll verw forv ocze bekl prev"), OneOf(tail, "ado ada dos das ndu dus due ues oll tet ete ese eso esi esa"):
		return wordlist.HasAny(foreignExpectations, SplitWords(name))
	case name[0] >= 0x80 || name[len(name)-1] >= 0x80:
		for _, word := range [...]string{"期待", "期望", "预期", "預期", "正解", "标准答案", "정답", "기대", "ожида", "эталон", "förvänta"} {
			if strings.Contains(strings.ToLower(name), word) {
				return true
			}
		}
	}
	return false
}

// The words of the members in which the parts of several runs say of which one they are, in the
// singular, and those which say that such a member tells something else.
const (
	runIDWords  = "session sess sid conversation conv convo dialog dialogue thread chat trace run episode trial case sample rollout scenario ticket sesion sesión sitzung gespräch dialogo diálogo conversacion conversación"
	noRunIDWord = "type kind status state start end time timestamp at name by of parent count total version model user agent"
)

// NamesRun reports whether a member with this name says of which run a row is, by the meaning of the
// name.
func NamesRun(name string) bool {
	words := SplitWords(name)
	return wordlist.HasAny(runIDWords, words) && !wordlist.HasAny(noRunIDWord, words)
}

// runsWords are the names of lists and maps of whole runs, in the singular.
const runsWords = "run trial attempt rollout repetition repeat conversation trajectory traj episode session dialog dialogue transcript chat thread sample generation candidate completion " +
	"alternative response result suite group model variant case branch simulation test item record row data output prediction actual execution trace evaluation"

// IsRunsName reports whether a list or map with this name may hold whole runs.
func IsRunsName(name string) bool {
	words := SplitWords(name)
	return len(words) > 0 && OneOf(words[len(words)-1], runsWords) && !wordlist.HasAny("call tool event log span step message", words)
}

// AreRivals reports whether two members with these names are answers to one question, of which each
// is a run: they differ in one letter or number at the end, or are opposites.
func AreRivals(a, b string) bool {
	for _, pair := range [...]string{"chosen rejected", "preferred dispreferred", "preferred rejected", "winner loser", "win lose", "good bad", "positive negative", "baseline candidate", "baseline treatment", "control treatment", "left right", "old new"} {
		if OneOf(a, pair) && OneOf(b, pair) {
			return true
		}
	}
	x, y := SplitWords(strings.ToLower(wordEnds(a))), SplitWords(strings.ToLower(wordEnds(b)))
	n := len(x)
	if n != len(y) || n < 2 || x[n-1] == y[n-1] {
		return false
	}
	for i := range n - 1 {
		if x[i] != y[i] {
			return false
		}
	}
	return isOrdinal(x[n-1]) && isOrdinal(y[n-1])
}

// wordEnds writes a mark before the number at the end of a name, and before its last capital letter.
func wordEnds(name string) string {
	end := strings.TrimRight(name, "0123456789")
	if n := len(name); end == name && n > 1 && name[n-1] >= 'A' && name[n-1] <= 'Z' {
		end = name[:n-1]
	}
	return end + "_" + name[len(end):]
}

func isOrdinal(word string) bool {
	return len(word) == 1 || strings.Trim(word, "0123456789") == "" || OneOf(word, "one two three first second third left right old new")
}

// IsExpectedRow reports whether a row says in a word that it is what should have been done, such as
// {"split": "gold"} and {"is_gold": true}.
func IsExpectedRow(o *Object) bool {
	for i, key := range o.Keys {
		switch v := o.Values[i]; {
		case v.Raw() == "true" && len(key) > 3 && key[:2] == "is" && IsExpected(strings.TrimPrefix(key[2:], "_")):
			return true
		case v.Kind() == jsonval.String && len(v.Raw()) < 26 && OneOf(key, "split kind type side source role variant origin label set which") && IsExpected(v.Text()):
			return true
		}
	}
	return false
}

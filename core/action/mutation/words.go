package mutation

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// The lists of words are data in words.txt. In code each word would add a hundred bytes
// to a module that pages download; as data it adds only itself. One index serves all
// lists. The first lookup builds it in less than a millisecond.

//go:embed words.txt
var wordsText string

// list has a bit for each list of words.txt that is not a class of the lexicon.
type list uint64

const (
	speechWordList list = 1 << iota
	quantityList
	conversationList
	helpingList
	ownRunList
	personList
	glueList
	anythingList
	holdsValueList
	thingWordList
	prepositionList
	questionList
	coreInfoList
	auxiliaryList
	readerVerbList
	tailList
	pathWordList
	wordsWordList
	contentWordList
	readerNounList
	narrowingList
	switchWordList
	infoTailList
	cypherWritesList
	splunkShapesList
	splunkWritesList
	mongoReadsList
	mongoCommandsList
	sqlFragmentList
	sqlWritesList
	sqlBareList
	sqlClauseList
	sqlPairList
	sqlPartnerList
	sqlPureNameList
	messageWordList
	runnerList
	shapesList
	looksForWordsList
	readsCodeList
	worksOnContentList
	comparisonList
	searchShapeList
	interpreterList
	operationWordList
	queryLanguageList
	outputWordList
	outputPlaceList
	outputNameList
	extractedList
	trackedList
	testSubjectList
	describingTailList
	amountList
	gatheredList
	receiverList
	pairList
	tellingList
	joiningList
	conditionList
	stateList
	moneyList
	anywhereList
	measureList
)

// nounLists are the lists that hold nouns.
const nounLists = thingWordList | tailList | readerNounList | narrowingList | infoTailList | pathWordList | wordsWordList |
	contentWordList | speechWordList | quantityList | conversationList | personList

// listNames holds the names in words.txt, in the order of the bits.
var listNames = [...]string{
	"speechWord",
	"quantity",
	"conversation",
	"helping",
	"ownRun",
	"person",
	"glue",
	"anything",
	"holdsValue",
	"thingWord",
	"preposition",
	"question",
	"coreInfo",
	"auxiliary",
	"readerVerb",
	"tail",
	"pathWord",
	"wordsWord",
	"contentWord",
	"readerNoun",
	"narrowing",
	"switchWord",
	"infoTail",
	"cypherWrites",
	"splunkShapes",
	"splunkWrites",
	"mongoReads",
	"mongoCommands",
	"sqlFragment",
	"sqlWrites",
	"sqlBare",
	"sqlClause",
	"sqlPair",
	"sqlPartner",
	"sqlPureName",
	"messageWord",
	"runner",
	"shapes",
	"looksForWords",
	"readsCode",
	"worksOnContent",
	"comparison",
	"searchShape",
	"interpreter",
	"operationWord",
	"queryLanguage",
	"outputWord",
	"outputPlace",
	"outputName",
	"extracted",
	"tracked",
	"testSubject",
	"describingTail",
	"amount",
	"gathered",
	"receiver",
	"pair",
	"telling",
	"joining",
	"condition",
	"state",
	"money",
	"anywhere",
	"measure",
}

// known holds the class of a word and the lists that contain it.
type known struct {
	class class
	lists list
}

var wordIndex = sync.OnceValue(func() *wordlist.Index[known] { return readWords(wordsText) })

// readWords returns the index of the words in text, which has the form of words.txt. If a
// word has two classes, the first counts.
func readWords(text string) *wordlist.Index[known] {
	index := wordlist.IndexFor[known](4000)
	var c class
	var l list
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if name, rest, begins := strings.Cut(line, ":"); begins {
			c, l = classNamed(name), listNamed(name)
			line = rest
		}
		for w, rest := wordlist.Next(line); w != ""; w, rest = wordlist.Next(rest) {
			k := index.At(w)
			if k.class == 0 {
				k.class = c
			}
			k.lists |= l
			if at := strings.IndexByte(w, '='); l == pairList && at > 0 { // memberChanges asks for the member first
				index.At(w[at:]).lists |= l
			}
		}
	}
	return &index
}

func classNamed(name string) (c class) {
	for part := range strings.SplitSeq(name, "+") {
		for i, n := range [...]string{"read", "write", "weak", "vague", "noun", "info"} {
			if part == n {
				c |= 1 << i
			}
		}
	}
	return c
}

func listNamed(name string) list {
	for i, n := range listNames {
		if n == name {
			return 1 << i
		}
	}
	return 0
}

// wordClass returns the class of a lower-case word, which says what the word can do in a
// tool's name. It returns 0 for an unknown word.
func wordClass(w string) class { return wordIndex().Get(w).class }

// isListed reports whether a lower-case word is in a list.
func isListed(w string, l list) bool { return wordIndex().Get(w).lists&l != 0 }

// oneOf reports whether w is one of the words of a short list.
func oneOf(w, list string) bool { return wordlist.Contains(list, w) }

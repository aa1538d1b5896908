// Package kind decides what an argument holds, and whether two notations of it mean the
// same. A value has a kind, such as a time of day, an amount of money or a file's content,
// and each kind has its own equality.
//
// The law of this package: two values are called the same only by the table of the kind
// that both belong to, and other values with certainty only by such a table, too. A pair
// that no table decides is unsure or likely to differ, and only a judge may settle it. The
// words of the tool and of the argument choose the kind, together with both values.
package kind

import (
	"slices"
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/notation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/dates"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/tongues"
	"github.com/boundcheck/boundcheck/core/base/units"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// Outcome is the result of comparing two values.
type Outcome uint8

// The outcomes. Open means that a kind says nothing about a pair.
const (
	Open    Outcome = iota
	Same            // two notations of one value
	Unsure          // outside the kind's table: only a judge can say
	Likely          // probably two values, but no table says so
	Differs         // two values
)

// Name is the name of a kind, as sentences use it.
type Name string

// The kinds. A sentence says "the same" or "another" before the name.
const (
	Exact    Name = "exact value"
	UUID     Name = "UUID"
	Message  Name = "message"
	Content  Name = "content"
	Notation Name = "content in its language"
	JSON     Name = "JSON"
	XML      Name = "XML"
	Query    Name = "query"
	Command  Name = "command"
	Formula  Name = "formula"
	Path     Name = "path"
	Address  Name = "address"
	Code     Name = "code"
	Boolean  Name = "choice of yes or no"
	Money    Name = "amount of money"
	Quantity Name = "quantity"
	Share    Name = "share"
	Number   Name = "number"
	Date     Name = "date"
	Clock    Name = "time of day"
	Instant  Name = "point in time"
	Zone     Name = "time zone"
	Duration Name = "length of time"
	Phone    Name = "telephone number"
	Language Name = "language"
	Country  Name = "country"
	Currency Name = "currency"
	List     Name = "list"
	Nothing  Name = "absence of a value"
	Color    Name = "color"
	Mail     Name = "mail address"
	Text     Name = "text"
)

// value is one side of an argument.
type value struct {
	text  string       // the content of a string, and the raw text of any other value
	kind  jsonval.Kind // of the JSON value
	other func(key string) string

	number   number // of the whole text, if isNumber; see readNumber
	isNumber bool
	isRead   bool // number and isNumber are set
}

// readNumber is like readNumber of a text, which is often the whole text of the value.
func (v *value) readNumber(s string) (number, bool) {
	if s != v.text {
		return readNumber(s)
	}
	if !v.isRead {
		v.number, v.isNumber = readNumber(s)
		v.isRead = true
	}
	return v.number, v.isNumber
}

// hasDigit reports whether the text has a digit, so that it may be a number with a unit.
func (v *value) hasDigit() bool { return strings.ContainsAny(v.text, "0123456789") }

// pair is an argument with its values on both sides.
type pair struct {
	tool *Tool
	name []string // the words of the argument's name, see mutation.NameWords
	many bool     // the argument's name is a plural, such as minutes
	a, b value

	content, contentRead bool // see isContent
}

// isMany reports whether the name of an argument is a plural.
func isMany(key string) bool { return strings.HasSuffix(key, "s") || strings.HasSuffix(key, "S") }

// Tool is what the words of a tool's name say.
type Tool struct{ words []string }

// NewTool reads the name of a tool.
func NewTool(name string) *Tool { return &Tool{ArgumentWords(name)} }

// Side is one side of an argument: its value as a JSON text, and where it stands in its call.
type Side struct {
	Raw, Path string
	Leaves    []similarity.Leaf // of the call
}

func (s Side) readValue() value {
	return newValue(s.Raw, func(list string) string { return siblingText(s.Leaves, s.Path, list) })
}

func newPair(t *Tool, key string, a, b Side) pair {
	return pair{tool: t, name: ArgumentWords(key), many: isMany(key), a: a.readValue(), b: b.readValue()}
}

// Compare returns the kind that decides about the two values of an argument, and its outcome.
func Compare(t *Tool, key string, a, b Side) (Name, Outcome) {
	p := newPair(t, key, a, b)
	name, o := p.compare()
	if o == Differs && (p.isNear() || p.isPercentOfShare() || name == Content && p.isProse()) {
		o = Likely
	}
	return name, o
}

// isNear reports whether two values have the same letters and digits, apart from letter case, the signs
// between them and zeros in front, such as 02139 and 2139, and are not both numbers of JSON. Somebody may
// mean one thing with both, so no table makes their difference certain.
func (p *pair) isNear() bool {
	if !p.a.isString() && !p.b.isString() || max(len(p.a.text), len(p.b.text)) > MostShort || p.isSecret() {
		return false
	}
	if p.a.hasDigit() && p.b.hasDigit() && strings.ContainsAny(p.a.text+p.b.text, ".,") {
		_, isNumber := p.a.readNumber(p.a.text)
		_, isNumber2 := p.b.readNumber(p.b.text)
		if isNumber || isNumber2 {
			return false // 1.5 is not 15
		}
	}
	x := bareText(p.a.text)
	return x != "" && x == bareText(p.b.text)
}

// bareText returns the letters and digits of a text in lower case, without zeros in front.
func bareText(s string) string {
	return strings.TrimLeft(nearMarks.Replace(wordlist.Lower(s)), "0")
}

var nearMarks = strings.NewReplacer(" ", "", "-", "", "_", "", ".", "", ",", "", "'", "", "/", "")

// BesideWords end the names of arguments that say something of the value beside them.
const BesideWords = " currency unit " + zoneKeys

// CompareBeside compares two values of an argument by what stands beside it in one of the calls: its
// name ends in word, one of BesideWords, and its value is the JSON text unit, or "" if both calls
// have it. The outcome is decided if it says something of the unit, too: then the values are the same, or the
// unit stands in one of them and only the amounts differ, or the zone's clock would have to be known.
func CompareBeside(t *Tool, key string, a, b Side, word, unit string) (kind Name, o Outcome, decided bool) {
	p := newPair(t, key, a, b)
	kind, o = Money, p.compareAmounts()
	switch {
	case word == "unit":
		kind, o = p.compareWithUnit()
	case isListed(word, zoneKeys):
		if kind, o = Instant, p.compareInstants(); o == Unsure || o == Differs && p.zones(readZone) == 1 {
			return kind, o, true
		}
		if o == Same && p.zones((*pair).instantOf) < 2 {
			o = Open // two equal local times say nothing of the zone beside them
		}
	}
	text := similarity.Plain(unit)
	return kind, o, o == Same || o == Differs && unit != "" && (endsInUnit(p.a.text, text) || endsInUnit(p.b.text, text))
}

// endsInUnit reports whether a text is a number with the unit behind it.
func endsInUnit(s, unit string) bool {
	_, name := splitUnit(s)
	return name != "" && strings.EqualFold(name, unit)
}

// compareWithUnit compares two numbers by the units beside them.
func (p *pair) compareWithUnit() (Name, Outcome) {
	if o := p.compareDurations(); o != Open {
		return Duration, o
	}
	return Quantity, p.compareQuantities()
}

// SameParts reports whether a text and the joined parts of a value are notations of one value.
func SameParts(t *Tool, key, text, joined string) bool {
	none := func(string) string { return "" }
	p := pair{tool: t, name: ArgumentWords(key), a: stringValue(text, none), b: stringValue(joined, none)}
	for _, compare := range [...]func(*pair) Outcome{(*pair).compareCommands, (*pair).compareInstants, (*pair).compareAmounts, (*pair).compareDurations, (*pair).compareQuantities} {
		if o := compare(&p); o != Open {
			return o == Same
		}
	}
	return false
}

// CompareUnits compares the values of two arguments whose names differ only in a unit, such as amount
// and amount_in_cents. It returns Open for other names, and if a unit is not known.
func CompareUnits(t *Tool, keyA, keyB string, a, b Side) (Name, Outcome) {
	p, q := newPair(t, keyA, a, a), newPair(t, keyB, b, b)
	stem, stem2 := withoutUnits(p.name), withoutUnits(q.name)
	if len(stem) == 0 || !slices.Equal(stem, stem2) || len(stem) == len(p.name) && len(stem2) == len(q.name) {
		return "", Open
	}
	if x, bare, ok := p.readDuration(&p.a); ok && !bare {
		if y, bare, ok := q.readDuration(&q.a); ok && !bare {
			return Duration, sameIf(sameNumber(x, y))
		}
	}
	if p.ends(minorWords) != q.ends(minorWords) {
		x, codeX, ok := readMoney(&p.a)
		y, codeY, ok2 := readMoney(&q.a)
		if p.ends(minorWords) {
			x = x.times(0.01)
		} else {
			y = y.times(0.01)
		}
		if !ok || !ok2 || codeX != codeY && codeX != "" && codeY != "" {
			return Money, Open
		}
		return Money, sameIf(sameNumber(x, y))
	}
	x, unitX, ok := p.readQuantity(&p.a)
	y, unitY, ok2 := q.readQuantity(&q.a)
	if !ok || !ok2 || unitX.Dimension == "" || unitX.Dimension != unitY.Dimension || isScale(unitX) {
		return Quantity, Open
	}
	return Quantity, sameIf(sameNumber(x.times(unitX.Size), y.times(unitY.Size)))
}

// withoutUnits returns the words of the name of an argument without a unit at its end.
func withoutUnits(words []string) []string {
	last := len(words) - 1
	if last < 1 {
		return words
	}
	if _, isUnit := units.Of(words[last]); !isUnit && units.Span(words[last]) == 0 && !isListed(words[last], minorWords) {
		return words
	}
	if words[last-1] == "in" {
		last--
	}
	return words[:last]
}

// ArgumentWords returns the words of the name of an argument, and behind them the English words for
// those of another language.
func ArgumentWords(key string) []string {
	words := mutation.NameWords(key)
	var english []string
	for _, w := range words {
		if e := tongues.Key(w); e != "" {
			english = append(english, e)
		}
	}
	if english == nil {
		return words
	}
	return append(slices.Clone(words), english...)
}

// has reports whether the name of the tool has one of the words of a list. A list has a
// space on both sides of each word.
func (t *Tool) has(list string) bool { return wordlist.HasAny(list, t.words) }

// named reports whether the argument's name has one of the words of a list.
func (p *pair) named(list string) bool { return wordlist.HasAny(list, p.name) }

// ends reports whether the last word of the argument's name is in a list.
func (p *pair) ends(list string) bool { return wordlist.HasLast(list, p.name) }

func isListed(word, list string) bool {
	return wordlist.Contains(list, word)
}

// rule is the equality of one kind. It returns Open for a pair that is not of the kind.
type rule struct {
	name    Name
	compare func(*pair) Outcome
	short   bool // no value of the kind is longer than mostShort
	needs   uses // one of the words of the argument's name must be of this use; 0 for no need
}

// uses says for which kinds the words of an argument's name are. It spares the kinds that none of
// the words is for.
type uses uint8

const (
	forNotations uses = 1 << iota
	forSchemes
	forCores
	forDegrees
	forPatterns
	forEncoded
	forFrequencies
)

var usesOfWords = sync.OnceValue(func() map[string]uses {
	out := make(map[string]uses, 256)
	for use, words := range [...]string{notationWords, notation.SchemeWords, coreWords, degreeWords, patternWords, encodedWords, frequencyWords} {
		for w := range strings.FieldsSeq(words) {
			out[w] |= 1 << use
		}
	}
	return out
})

// MostShort is the length in bytes of the longest value of a kind such as numbers and times.
const MostShort = 1024

// rules lists the kinds in the order in which they claim a pair.
var rules = [...]rule{
	{UUID, (*pair).compareUUIDs, false, 0},
	{Content, (*pair).compareEncoded, false, forEncoded},
	{Exact, (*pair).compareMACs, true, 0},
	{Exact, (*pair).compareSchemes, false, forSchemes},
	{Exact, (*pair).compareExact, false, 0},
	{XML, (*pair).compareXML, false, 0},
	{Message, (*pair).compareMessages, false, 0},
	{JSON, (*pair).compareJSON, false, 0},
	{Content, (*pair).compareContents, false, 0},
	{Notation, (*pair).compareSources, false, 0},
	{Query, (*pair).compareQueries, false, 0},
	{Query, (*pair).compareConditions, false, 0},
	{Query, (*pair).compareGraphs, false, 0},
	{Command, (*pair).compareCommands, false, 0},
	{Formula, (*pair).compareSheetFormulas, false, 0},
	{Formula, (*pair).compareFormulas, false, 0},
	{Code, (*pair).comparePatterns, true, forPatterns},
	{Color, (*pair).compareColors, true, 0},
	{Mail, (*pair).compareMailAddresses, true, 0},
	{Boolean, (*pair).compareBooleans, true, 0},
	{Phone, (*pair).comparePhones, true, 0},
	{Code, (*pair).compareCodeWords, true, forNotations},
	{Address, (*pair).compareAddresses, false, 0},
	{Address, (*pair).compareHosts, true, 0},
	{Path, (*pair).comparePaths, false, 0},
	{Zone, (*pair).compareZones, true, 0},
	{Language, (*pair).compareLanguages, true, 0},
	{Country, (*pair).compareCountries, true, 0},
	{Currency, (*pair).compareCurrencies, true, 0},
	{Date, (*pair).compareCalendarWords, true, 0},
	{Date, (*pair).comparePeriods, true, 0},
	{Share, (*pair).compareShares, true, 0},
	{Money, (*pair).compareAmounts, true, 0},
	{Quantity, (*pair).compareCores, true, forCores},
	{Quantity, (*pair).compareDegrees, true, forDegrees},
	{Quantity, (*pair).compareLetters, true, 0},
	{Duration, (*pair).compareFrequencies, true, forFrequencies},
	{Duration, (*pair).compareMonths, true, 0},
	{Duration, (*pair).compareDurations, true, 0},
	{Quantity, (*pair).compareQuantities, true, 0},
	{Number, (*pair).compareNumbers, true, 0},
	{Date, (*pair).compareDates, true, 0},
	{Clock, (*pair).compareClocks, true, 0},
	{Instant, (*pair).compareInstants, true, 0},
	{List, (*pair).compareListings, false, 0},
	{List, (*pair).compareForms, true, 0},
	{Text, (*pair).compareTexts, false, 0},
}

// isOfTexts reports whether no value of a kind is a number in JSON.
func isOfTexts(n Name) bool {
	switch n {
	case UUID, XML, JSON, Query, Command, Formula, Color, Mail, Address, Path, Zone, Language, Country, Currency:
		return true
	}
	return false
}

// compare returns the kind that decides about a pair, and its outcome.
func (p *pair) compare() (Name, Outcome) {
	return p.compareBy(p.a.kind == jsonval.Number && p.b.kind == jsonval.Number)
}

// mostForeign is the length in bytes of the longest value that is read in other languages.
const mostForeign = 64

// compareBy is compare. If numbers is set, it leaves out the kinds of texts. Two short values
// that differ are compared once more with their words in English.
func (p *pair) compareBy(numbers bool) (Name, Outcome) {
	name, o := p.compareAsWritten(numbers, false)
	if o == Same || numbers || max(len(p.a.text), len(p.b.text)) > mostForeign || isOfTexts(name) || name == Exact || IsCode(p.a.text) && IsCode(p.b.text) {
		return name, o
	}
	a, foreignA := tongues.English(p.a.text)
	b, foreignB := tongues.English(p.b.text)
	if !foreignA && !foreignB {
		return name, o
	}
	if a == b && strings.ContainsAny(a, "0123456789") && !p.isNamed(Quantity) {
		return Quantity, Same
	}
	english := *p
	english.a, english.b = stringValue(a, p.a.other), stringValue(b, p.b.other)
	if name2, o2 := english.compareAsWritten(false, true); name2 != Text {
		return name2, o2
	}
	return name, o
}

// compareAsWritten returns the first kind that decides. If short is set, it asks only the kinds
// of short values.
func (p *pair) compareAsWritten(numbers, short bool) (Name, Outcome) {
	skip := max(len(p.a.text), len(p.b.text)) > MostShort || IsCode(p.a.text) && IsCode(p.b.text)
	var named uses
	for _, w := range p.name {
		named |= usesOfWords()[w]
	}
	for i := range rules {
		if skip && rules[i].short || rules[i].needs != 0 && rules[i].needs&named == 0 || numbers && isOfTexts(rules[i].name) || short && !rules[i].short {
			continue
		}
		if o := rules[i].compare(p); o != Open {
			if o == Same && p.isNamed(rules[i].name) {
				o = Unsure
			}
			return rules[i].name, o
		}
	}
	return Text, Differs
}

// isNamed reports whether the argument is a name or a title, which may look like another notation of
// a value of the kind, and is none: a person may be called On, or a group Mon.
func (p *pair) isNamed(n Name) bool {
	switch n {
	case Boolean, Money, Quantity, Share, Date, Clock, Instant, Zone, Duration, Language, Country, Currency:
		return p.ends(" name title surname lastname firstname nickname username caption heading headline ") &&
			!p.named(" country language currency zone timezone month day weekday date time state ")
	}
	return false
}

// IsCode reports whether a text is an identifier with a digit in it, such as mia_li_3668 or
// gift_card_7219, which no kind with short values can read. PT5M, USD20 and march5 are none.
func IsCode(s string) bool {
	if len(s) < 5 || s[0] < 'A' || s[0] == 'P' || s[0] == 'p' {
		return false
	}
	digits, letters := 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case '0' <= c && c <= '9':
			digits++
		case 'a' <= c|' ' && c|' ' <= 'z':
			if digits == 0 {
				letters++
			}
		case c != '_' && c != '-':
			return false
		}
	}
	return digits > 0 && letters != 3 && dates.Month(strings.ToLower(s[:letters])) == 0
}

func newValue(raw string, others func(string) string) value {
	v := value{text: strings.TrimSpace(raw), other: others}
	if parsed, err := jsonval.Parse(raw); err == nil {
		v.kind, v.text = parsed.Kind(), parsed.Text()
	}
	return v
}

// stringValue returns the value of a JSON string with this content.
func stringValue(text string, others func(string) string) value {
	return value{text: text, kind: jsonval.String, other: others}
}

// isString reports whether the value is a JSON string.
func (v *value) isString() bool { return v.kind == jsonval.String }

// sameIf returns the outcome for two values that a kind could read: Same if they are equal,
// and Differs otherwise.
func sameIf(equal bool) Outcome {
	if equal {
		return Same
	}
	return Differs
}

// siblingText returns the content of the argument beside path whose name ends in one of the
// words of a list. It returns "" if there is none.
func siblingText(leaves []similarity.Leaf, path, list string) string {
	prefix := path[:strings.LastIndexByte(path, '.')+1]
	for i := range leaves {
		l := &leaves[i]
		name, beside := strings.CutPrefix(l.Path, prefix)
		if !beside || l.Path == path || strings.ContainsAny(name, ".[") {
			continue
		}
		if wordlist.HasLast(list, ArgumentWords(l.Key)) {
			return similarity.Plain(l.Raw)
		}
	}
	return ""
}

// IsMeasure reports whether a value, as a JSON text, is a date, a time, an amount of money, a
// number with a unit, or a formula. Nothing can be done to such a value. A number with one letter
// may be a seat or a page, so it is none.
func IsMeasure(raw string) bool {
	v := newValue(raw, func(string) string { return "" })
	if !v.isString() || len(v.text) < 2 || len(v.text) > MostShort {
		return false
	}
	if strings.HasPrefix(v.text, "=") {
		return true
	}
	if c := v.text[0]; !v.hasDigit() || IsCode(v.text) {
		return false
	} else if 'a' <= c|' ' && c|' ' <= 'z' {
		_, code := splitCurrency(v.text)
		return code != ""
	}
	p := pair{tool: &Tool{}}
	_, _, instant := p.readInstant(v.text)
	_, clock := readClock(v.text)
	if instant || clock || normalDay(v.text) != "" {
		return true
	}
	if n, name := splitUnit(v.text); len(name) > 1 || name == "%" {
		_, unit := units.Of(name)
		_, number := readNumber(n)
		return number && (unit || units.Span(strings.ToLower(name)) > 0 || units.Currency(name) != "")
	}
	_, code, money := readMoney(&v)
	return money && code != ""
}

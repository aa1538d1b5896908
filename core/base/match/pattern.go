package match

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Pattern is a compiled regular expression. It is a part of RE2's syntax with the same
// meaning: characters, ., classes such as [a-z] and \d \w \s, groups, |, the repetitions
// * + ? {n} {n,m}, the positions ^ $ \b, and the flags i and s. A pattern finds its text
// anywhere. O(len(text) × len(pattern)) for every pattern and text.
type Pattern struct {
	text string
	code []inst
}

// MaxPattern is the largest number of instructions of a pattern, after its repetitions
// are written out.
const MaxPattern = 2000

type op uint8

const (
	opClass op = iota // one character of class
	opSplit           // go on at both x and y
	opJump            // go on at x
	opBegin           // the start of the text
	opEnd             // the end of the text
	opWord            // a word boundary
	opInner           // no word boundary
	opMatch
)

type inst struct {
	op    op
	x, y  int
	class *class
}

// class is a set of characters.
type class struct {
	items  []classItem
	negate bool
	fold   bool
}

// classItem is a range of characters, or with group the class \d, \w or \s. With outside
// it is everything else.
type classItem struct {
	low, high rune
	group     byte
	outside   bool
}

// has reports whether the class contains a character. With fold, its own or the argument,
// letter case does not matter.
func (c *class) has(r rune, fold bool) bool {
	for i := range c.items {
		it := &c.items[i]
		in := it.has(r)
		if c.fold || fold {
			for f := unicode.SimpleFold(r); f != r && !in; f = unicode.SimpleFold(f) {
				in = it.has(f)
			}
		}
		if in != it.outside {
			return !c.negate
		}
	}
	return c.negate
}

func (it *classItem) has(r rune) bool {
	switch it.group {
	case 'd':
		return '0' <= r && r <= '9'
	case 'w':
		return isWord(r)
	case 's':
		return r == ' ' || r == '\t' || r == '\n' || r == '\f' || r == '\r'
	}
	return it.low <= r && r <= it.high
}

func isWord(r rune) bool {
	return r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

// compilePattern parses a pattern. The error says which part cannot be read.
func compilePattern(text string) (*Pattern, error) {
	if !utf8.ValidString(text) {
		return nil, fmt.Errorf("invalid pattern: it is not UTF-8")
	}
	p := patternParser{text: text}
	p.readAlternatives(0)
	if p.err == nil && p.at < len(text) {
		p.fail("there is a ) without a (")
	}
	if p.err != nil {
		return nil, p.err
	}
	p.emitInst(inst{op: opMatch})
	return &Pattern{text, p.code}, p.err
}

type patternParser struct {
	text       string
	at         int
	fold, dots bool // the flags i and s
	code       []inst
	err        error
}

func (p *patternParser) fail(problem string) {
	if p.err == nil {
		p.err = fmt.Errorf("invalid pattern %q at character %d: %s", p.text, utf8.RuneCountInString(p.text[:min(p.at, len(p.text))])+1, problem)
	}
}

func (p *patternParser) emitInst(i inst) {
	if len(p.code) >= MaxPattern {
		p.fail("the pattern is too large")
		return
	}
	p.code = append(p.code, i)
}

// take reads the text t if it comes next.
func (p *patternParser) take(t string) bool {
	if !strings.HasPrefix(p.text[p.at:], t) {
		return false
	}
	p.at += len(t)
	return true
}

// readAlternatives reads parts with | between them. Flags that are set inside end with it.
func (p *patternParser) readAlternatives(depth int) {
	if depth > 100 {
		p.fail("the groups are nested too deep")
		return
	}
	fold, dots := p.fold, p.dots
	var ends []int
	for p.err == nil {
		start := len(p.code)
		p.readSequence(depth)
		if !p.take("|") {
			break
		}
		p.insertInst(start, inst{op: opSplit, x: start + 1, y: len(p.code) + 2})
		ends = append(ends, len(p.code))
		p.emitInst(inst{op: opJump})
	}
	for _, i := range ends {
		if i < len(p.code) {
			p.code[i].x = len(p.code)
		}
	}
	p.fold, p.dots = fold, dots
}

// insertInst puts an instruction before the ones from place on, whose targets move along.
func (p *patternParser) insertInst(place int, i inst) {
	p.emitInst(inst{})
	if p.err != nil {
		return
	}
	copy(p.code[place+1:], p.code[place:])
	for k := place + 1; k < len(p.code); k++ {
		switch c := &p.code[k]; c.op {
		case opSplit:
			c.x, c.y = c.x+1, c.y+1
		case opJump:
			c.x++
		}
	}
	p.code[place] = i
}

func (p *patternParser) readSequence(depth int) {
	for p.err == nil && p.at < len(p.text) && p.text[p.at] != '|' && p.text[p.at] != ')' {
		start := len(p.code)
		if p.readAtom(depth) {
			p.readRepetition(start)
		}
	}
}

// readAtom reads one part that can be repeated. It returns false for flags, which cannot.
func (p *patternParser) readAtom(depth int) bool {
	r, size := utf8.DecodeRuneInString(p.text[p.at:])
	p.at += size
	switch r {
	case '(':
		return p.readGroup(depth)
	case '[':
		p.emitClass(p.readBrackets())
	case '.':
		c := &class{negate: true}
		if !p.dots {
			c.items = []classItem{{low: '\n', high: '\n'}}
		}
		p.emitClass(c)
	case '^':
		p.emitInst(inst{op: opBegin})
	case '$':
		p.emitInst(inst{op: opEnd})
	case '*', '+', '?', '{', '}':
		p.at -= size
		p.fail(fmt.Sprintf(`%c repeats nothing; write \%c for the character`, r, r))
	case '\\':
		p.readEscape()
	default:
		p.emitClass(&class{items: []classItem{{low: r, high: r}}, fold: p.fold})
	}
	return true
}

func (p *patternParser) emitClass(c *class) { p.emitInst(inst{op: opClass, class: c}) }

// readGroup reads the rest of a group, or flags such as (?i), which hold until the end of the
// readGroup around them.
func (p *patternParser) readGroup(depth int) bool {
	fold, dots := p.fold, p.dots
	if p.take("?") {
		for p.at < len(p.text) && (p.text[p.at] == 'i' || p.text[p.at] == 's') {
			p.fold, p.dots = p.fold || p.text[p.at] == 'i', p.dots || p.text[p.at] == 's'
			p.at++
		}
		if p.text[p.at-1] != '?' && p.take(")") {
			return false
		}
		if !p.take(":") {
			p.fail("only (?i), (?s), (?:…) and (?i:…) can follow (?")
		}
	}
	p.readAlternatives(depth + 1)
	if p.err == nil && !p.take(")") {
		p.fail("a ) is missing")
	}
	p.fold, p.dots = fold, dots
	return true
}

func (p *patternParser) readEscape() {
	if p.at >= len(p.text) {
		p.fail(`a character must follow \`)
		return
	}
	switch c := p.text[p.at]; c {
	case 'b', 'B', 'A', 'z':
		p.at++
		p.emitInst(inst{op: map[byte]op{'b': opWord, 'B': opInner, 'A': opBegin, 'z': opEnd}[c]})
		return
	}
	p.emitClass(&class{items: []classItem{p.escapedItem()}, fold: p.fold})
}

// escapedItem reads what follows \ and stands for a character or for one of a group.
func (p *patternParser) escapedItem() classItem {
	if p.at >= len(p.text) {
		p.fail(`a character must follow \`)
		return classItem{}
	}
	c := p.text[p.at]
	p.at++
	switch c {
	case 'd', 'w', 's':
		return classItem{group: c}
	case 'D', 'W', 'S':
		return classItem{group: c + 'a' - 'A', outside: true}
	case 'n':
		return classItem{low: '\n', high: '\n'}
	case 't':
		return classItem{low: '\t', high: '\t'}
	case 'r':
		return classItem{low: '\r', high: '\r'}
	}
	if c >= utf8.RuneSelf || isWord(rune(c)) {
		p.at--
		p.fail(fmt.Sprintf(`\%c is not known here`, c))
	}
	return classItem{low: rune(c), high: rune(c)}
}

// readBrackets reads the rest of a class such as [^a-z\d].
func (p *patternParser) readBrackets() *class {
	c := &class{fold: p.fold, negate: p.take("^")}
	for first := true; p.err == nil; first = false {
		if p.at >= len(p.text) {
			p.fail("a ] is missing")
			break
		}
		if !first && p.take("]") {
			break
		}
		if strings.HasPrefix(p.text[p.at:], "[:") {
			p.fail("classes such as [:alpha:] are not known here")
		}
		it := p.classItem(first)
		if it.group == 0 && strings.HasPrefix(p.text[p.at:], "-") && !strings.HasPrefix(p.text[p.at:], "-]") {
			p.at++
			if p.at >= len(p.text) {
				p.fail("a ] is missing")
				break
			}
			end := p.classItem(false)
			if end.group != 0 || end.low < it.low {
				p.fail("the range ends before it begins")
			}
			it.high = end.low
		}
		c.items = append(c.items, it)
	}
	return c
}

func (p *patternParser) classItem(first bool) classItem {
	if p.take(`\`) {
		return p.escapedItem()
	}
	r, size := utf8.DecodeRuneInString(p.text[p.at:])
	if r == '-' && !first && !strings.HasPrefix(p.text[p.at:], "-]") {
		p.fail(`write \- for the character`)
	}
	p.at += size
	return classItem{low: r, high: r}
}

// readRepetition reads what says how often the code from start on is repeated, if anything
// does.
func (p *patternParser) readRepetition(start int) {
	low, high := 1, 1
	switch {
	case p.err != nil:
		return
	case p.take("*"):
		low, high = 0, -1
	case p.take("+"):
		high = -1
	case p.take("?"):
		low = 0
	case p.take("{"):
		low, high = p.readBounds()
	default:
		return
	}
	p.take("?") // a lazy repetition finds a match exactly if a greedy one does
	if p.at < len(p.text) && strings.IndexByte("*+?{", p.text[p.at]) >= 0 {
		p.fail("a repetition cannot be repeated; put the part into a group")
	}
	piece := append([]inst(nil), p.code[start:]...)
	p.code = p.code[:start]
	for range low {
		p.appendPiece(piece, start)
	}
	if high < 0 {
		at := len(p.code)
		p.emitInst(inst{op: opSplit, x: at + 1, y: at + len(piece) + 2})
		p.appendPiece(piece, start)
		p.emitInst(inst{op: opJump, x: at})
		return
	}
	end := len(p.code) + (high-low)*(len(piece)+1)
	for range high - low {
		p.emitInst(inst{op: opSplit, x: len(p.code) + 1, y: end})
		p.appendPiece(piece, start)
	}
}

// appendPiece appends code that was compiled at place start.
func (p *patternParser) appendPiece(piece []inst, start int) {
	by := len(p.code) - start
	for _, i := range piece {
		if p.err != nil {
			return
		}
		if i.op == opSplit || i.op == opJump {
			i.x, i.y = i.x+by, i.y+by
		}
		p.emitInst(i)
	}
}

// readBounds reads the rest of {n}, {n,} or {n,m}.
func (p *patternParser) readBounds() (low, high int) {
	inside, _, ok := strings.Cut(p.text[p.at:], "}")
	first, second, comma := strings.Cut(inside, ",")
	low, err := readCount(first)
	if high = low; comma {
		if high = -1; second != "" {
			var err2 error
			if high, err2 = readCount(second); err2 != nil || high < low {
				ok = false
			}
		}
	}
	if !ok || err != nil {
		p.fail(`want {n}, {n,} or {n,m} with numbers up to 1000; write \{ for the character`)
		return 1, 1
	}
	p.at += len(inside) + 1
	return low, high
}

func readCount(text string) (int, error) {
	if text == "" || strings.Trim(text, "0123456789") != "" || len(text) > 1 && text[0] == '0' {
		return 0, strconv.ErrSyntax
	}
	n, err := strconv.Atoi(text)
	if err == nil && n > 1000 {
		err = strconv.ErrRange
	}
	return n, err
}

// Finds reports whether the text contains a match.
func (p *Pattern) Finds(text string) bool { return p.findsFolded(text, false) }

// FindsAnyCase reports whether the text may contain a match for a program that ignores
// letter case.
func (p *Pattern) FindsAnyCase(text string) bool {
	return p.findsFolded(text, true) || p.findsFolded(strings.ToLower(text), false) || p.findsFolded(strings.ToUpper(text), false)
}

func (p *Pattern) findsFolded(text string, fold bool) bool {
	now, next := newThreads(len(p.code)), newThreads(len(p.code))
	before := rune(-1)
	for at := 0; ; {
		r, size := rune(-1), 0
		if at < len(text) {
			r, size = utf8.DecodeRuneInString(text[at:])
		}
		if p.follow(now, 0, before, r) {
			return true
		}
		if size == 0 {
			return false
		}
		at += size
		after := rune(-1)
		if at < len(text) {
			after, _ = utf8.DecodeRuneInString(text[at:])
		}
		next.clear()
		for _, i := range now.list {
			if c := &p.code[i]; c.op == opClass && c.class.has(r, fold) && p.follow(next, i+1, r, after) {
				return true
			}
		}
		now, next, before = next, now, r
	}
}

// threads is a set of places in the code.
type threads struct {
	list []int
	in   []bool
	todo []int
}

func newThreads(n int) *threads { return &threads{in: make([]bool, n)} }

func (t *threads) clear() {
	t.list = t.list[:0]
	clear(t.in)
}

// follow adds a place of the code, and every place that is reached from it without
// reading a character. before and after are the characters around the position, -1 for
// none. It reports whether the pattern has matched.
func (p *Pattern) follow(t *threads, start int, before, after rune) bool {
	t.todo = append(t.todo[:0], start)
	for len(t.todo) > 0 {
		i := t.todo[len(t.todo)-1]
		t.todo = t.todo[:len(t.todo)-1]
		if t.in[i] {
			continue
		}
		t.in[i] = true
		boundary := isWord(before) != isWord(after)
		switch c := &p.code[i]; {
		case c.op == opMatch:
			return true
		case c.op == opSplit:
			t.todo = append(t.todo, c.y, c.x)
		case c.op == opJump:
			t.todo = append(t.todo, c.x)
		case c.op == opClass:
			t.list = append(t.list, i)
		case c.op == opBegin && before < 0, c.op == opEnd && after < 0, c.op == opWord && boundary, c.op == opInner && !boundary:
			t.todo = append(t.todo, i+1)
		}
	}
	return false
}

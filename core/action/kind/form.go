package kind

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/notation"
	"github.com/boundcheck/boundcheck/core/action/readcmd"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/dates"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// This file compares values that one side writes as a text and the other side as a list or an
// object: "1-3" and [1, 2, 3], "a=1,b=2" and {"a": "1", "b": "2"}, "48.85,2.29" and a latitude
// with a longitude. Each of them has a form, which is a text in one notation. Two values with one
// form are the same.

// forms has the readers of forms. Each returns the form of a text, and of the leaves of a list or
// of an object, or "" if the value has no such form. names has the words of the arguments that
// may have the form.
var forms = [...]struct {
	names  string
	text   func(string) string
	leaves func([]similarity.Leaf) string
}{
	{" page row line port slide column item number day ids seat question ", textNumbers, listNumbers},
	{" day weekday ", textDays, listDays},
	{" location position coordinate coord center centre point destination origin place geo latlng latlon from to at pin marker start end ", textPlace, leavesPlace},
	{" hour window opening open time shift ", textHours, noForm},
	{" sort order orderby ordering by ", notation.PlainOrder, leavesOrder},
	{" stay period range interval span window date time between during ", textSpan, leavesSpan},
	{" env environment variable var label tag param parameter header annotation option property metadata attribute setting build_arg ", notation.TextMembers, leavesMembers},
	{" argv args arguments command cmd commandline ", textArguments, listArguments},
	{" seat cell place square berth ", notation.Cell, leavesCell},
	{"", textItems, listItems},
	{"", textOnly, leavesID},
}

// compareForms compares two texts by their forms.
func (p *pair) compareForms() Outcome {
	if !p.a.isString() || !p.b.isString() || len(p.name) == 0 {
		return Open
	}
	for _, f := range forms[:7] {
		if !p.named(f.names) {
			continue
		}
		if a := f.text(p.a.text); a != "" {
			if b := f.text(p.b.text); b != "" {
				return sameIf(a == b)
			}
		}
	}
	return Open
}

// CompareShapes compares the leaves of an argument that has another shape on each side, such as a
// text beside a list. Where it has an object on both sides, only the forms decide in which a member has
// several names, such as lat and latitude.
func CompareShapes(t *Tool, path string, o, r []similarity.Leaf) (Name, Outcome) {
	alike := shapeOf(path, o) == shapeOf(path, r)
	if alike && shapeOf(path, o) != 'o' {
		return List, Open
	}
	name := mutation.NameWords(path[strings.LastIndexByte(path, '.')+1:])
	for _, f := range forms {
		if f.names != "" && !wordlist.HasAny(f.names, name) {
			continue
		}
		a, b := formOf(path, o, f.text, f.leaves), formOf(path, r, f.text, f.leaves)
		if a != "" && b != "" {
			switch {
			case a == b:
				return List, Same
			case alike:
				return List, Open
			case f.names != "" && !isListed("argv", f.names):
				return List, Differs
			case sortedItems(a) == sortedItems(b):
				if strings.Trim(a, "0123456789.-\x00") == "" || similarity.MayHaveOrder(strings.Join(t.words, "_"), path) {
					return List, Likely
				}
				if hasOnlyNames(a) {
					return List, Same
				}
				return List, Unsure // in another order, which may mean nothing
			}
		}
		if alike && f.names == "" {
			break
		}
	}
	if alike {
		return List, Open
	}
	if !isBroken(path, o) && !isBroken(path, r) && slices.Equal(wordsOfLeaves(path, o), wordsOfLeaves(path, r)) {
		return List, Unsure
	}
	return List, Likely
}

// hasOnlyNames reports whether a form has two or more items of one word each, such as names and addresses, and no number.
func hasOnlyNames(form string) bool {
	items := strings.Split(form, "\x00")
	return len(items) > 1 && !slices.ContainsFunc(items, func(item string) bool {
		return strings.ContainsAny(item, " \t\n=") || strings.IndexFunc(item, func(r rune) bool { return r|' ' >= 'a' && r|' ' <= 'z' || r >= 0x80 }) < 0
	})
}

// isBroken reports whether an argument is a text that begins like JSON.
func isBroken(path string, leaves []similarity.Leaf) bool {
	return leaves[0].Path == path && strings.IndexAny(similarity.Plain(leaves[0].Raw), "[{") == 0
}

// formOf returns the form of an argument: of its text, or of the leaves of its list or object.
func formOf(path string, leaves []similarity.Leaf, text func(string) string, several func([]similarity.Leaf) string) string {
	if len(leaves) == 1 && leaves[0].Path == path {
		return text(strings.TrimSpace(similarity.Plain(leaves[0].Raw)))
	}
	within := make([]similarity.Leaf, len(leaves))
	for i, l := range leaves {
		l.Path = strings.TrimPrefix(l.Path[len(path):], ".")
		l.Raw = similarity.Plain(l.Raw)
		within[i] = l
	}
	return several(within)
}

// shapeOf returns what is at a path: t for a single value, o for an object, l for a list of
// single values and m for a list of other values.
func shapeOf(path string, leaves []similarity.Leaf) byte {
	rest := leaves[0].Path[len(path):]
	switch {
	case rest == "":
		return 't'
	case rest[0] == '.':
		return 'o'
	case strings.HasSuffix(rest, "]"):
		return 'l'
	}
	return 'm'
}

// wordsOfLeaves returns the words and numbers in the leaves of an argument and in the names of its
// members, sorted.
func wordsOfLeaves(path string, leaves []similarity.Leaf) (out []string) {
	for _, l := range leaves {
		text := l.Path[len(path):] + " " + similarity.Plain(l.Raw)
		if i := strings.IndexByte(text, ']'); i >= 0 {
			text = text[i+1:]
		}
		out = append(out, strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(" .,;:=&\"'[]{}()\n", r) })...)
	}
	slices.Sort(out)
	return out
}

// textNumbers returns the whole numbers that a text lists, with ranges such as 2-5, sorted.
func textNumbers(s string) string {
	var set []int
	for part := range strings.SplitSeq(strings.NewReplacer("–", "-", " - ", "-", " to ", "-", "..", "-", ";", ",").Replace(s), ",") {
		from, to, isRange := strings.Cut(strings.TrimSpace(part), "-")
		low, err := strconv.Atoi(from)
		high := low
		if isRange && err == nil {
			high, err = strconv.Atoi(to)
		}
		if err != nil || low < 0 || high < low || high-low > 10000 || len(set) > 10000 {
			return ""
		}
		for n := low; n <= high; n++ {
			set = append(set, n)
		}
	}
	return joinNumbers(set)
}

func joinNumbers(set []int) string {
	slices.Sort(set)
	var out []string
	for _, n := range slices.Compact(set) {
		out = append(out, strconv.Itoa(n))
	}
	return strings.Join(out, ",")
}

func listNumbers(leaves []similarity.Leaf) string {
	var set []int
	for _, l := range leaves {
		n, err := strconv.Atoi(l.Raw)
		if err != nil || !strings.HasPrefix(l.Path, "[") || !strings.HasSuffix(l.Path, "]") {
			return ""
		}
		set = append(set, n)
	}
	return joinNumbers(set)
}

// textDays returns the days of the week that a text lists, with ranges such as Mon-Fri.
func textDays(s string) string {
	s = strings.ToLower(strings.TrimSpace(s))
	switch s {
	case "weekdays", "working days", "workdays", "every weekday":
		return "0,1,2,3,4"
	case "weekend", "weekends":
		return "5,6"
	case "daily", "every day", "all days", "all week":
		return "0,1,2,3,4,5,6"
	}
	var set []int
	for part := range strings.SplitSeq(strings.NewReplacer("–", "-", " to ", "-", " and ", ",", ";", ",", "/", ",").Replace(s), ",") {
		from, to, isRange := strings.Cut(part, "-")
		low := dates.Weekday(from)
		high := low
		if isRange {
			high = dates.Weekday(to)
		}
		if low < 0 || high < low {
			return ""
		}
		for n := low; n <= high; n++ {
			set = append(set, n)
		}
	}
	return joinNumbers(set)
}

func listDays(leaves []similarity.Leaf) string {
	var set []int
	for _, l := range leaves {
		if dates.Weekday(l.Raw) < 0 {
			return ""
		}
		set = append(set, dates.Weekday(l.Raw))
	}
	return joinNumbers(set)
}

// textPlace reads a latitude and a longitude, such as 48.8584, 2.2945.
func textPlace(s string) string {
	lat, lon, ok := strings.Cut(strings.TrimPrefix(strings.ToLower(s), "geo:"), ",")
	if !ok {
		lat, lon, ok = strings.Cut(s, " ")
	}
	return placeForm(lat, lon, ok)
}

func placeForm(lat, lon string, ok bool) string {
	x, isLat := degrees(lat)
	y, isLon := degrees(lon)
	if !ok || !isLat || !isLon || x < -90 || x > 90 {
		return ""
	}
	return strconv.FormatFloat(x, 'f', 6, 64) + " " + strconv.FormatFloat(y, 'f', 6, 64)
}

func leavesPlace(leaves []similarity.Leaf) string {
	lat, lon := memberNamed(leaves, " lat latitude "), memberNamed(leaves, " lon lng long longitude ")
	return placeForm(lat, lon, len(leaves) == 2)
}

// memberNamed returns the text of the member with one of some names, or "".
func memberNamed(leaves []similarity.Leaf, names string) string {
	for _, l := range leaves {
		if isListed(strings.ToLower(l.Path), names) {
			return l.Raw
		}
	}
	return ""
}

func leavesOrder(leaves []similarity.Leaf) string {
	field, way := memberNamed(leaves, " field by column key property name sort_by sort "), memberNamed(leaves, " order direction dir sort_order ")
	if len(leaves) != 2 || !notation.IsName(field) {
		return ""
	}
	return notation.PlainOrder(field + " " + way)
}

// textSpan reads two days or times with a slash between them (ISO 8601).
func textSpan(s string) string {
	if first, last := periodDays(readPeriod(s)); first != "" {
		return spanForm(first, last, true)
	}
	from, to, ok := strings.Cut(s, "/")
	if !ok {
		from, to, ok = strings.Cut(s, " to ")
	}
	return spanForm(from, to, ok)
}

// periodDays returns the first and the last day of a month or a quarter, as readPeriod writes it.
func periodDays(period string) (first, last string) {
	year, part, ok := strings.Cut(period, "/")
	if !ok || part[0] == 'w' {
		return "", ""
	}
	y, _ := strconv.Atoi(year)
	n, _ := strconv.Atoi(part[1:])
	months := 1
	if part[0] == 'q' {
		n, months = 3*n-2, 3
	}
	begin := time.Date(y, time.Month(n), 1, 0, 0, 0, 0, time.UTC)
	return begin.Format(time.DateOnly), begin.AddDate(0, months, -1).Format(time.DateOnly)
}

func spanForm(from, to string, ok bool) string {
	p := pair{tool: &Tool{}}
	a, b := p.timeForm(from), p.timeForm(to)
	if !ok || a == "" || b == "" {
		return ""
	}
	return a + "/" + b
}

// timeForm returns a day or a point in time in one notation, or "".
func (p *pair) timeForm(s string) string {
	if days, ok := p.readDays(s); ok && len(days) == 1 {
		return days[0]
	}
	if t, zoned, ok := p.readInstant(s); ok {
		return t.UTC().String() + strconv.FormatBool(zoned)
	}
	return ""
}

func leavesSpan(leaves []similarity.Leaf) string {
	from, to := memberNamed(leaves, " from start begin since check_in checkin first start_date min "), memberNamed(leaves, " to end until till check_out checkout last end_date max ")
	return spanForm(from, to, len(leaves) == 2)
}

// leavesMembers reads the members of an object, the elements name=value of a list, and a list of
// objects with a name and a value each.
func leavesMembers(leaves []similarity.Leaf) string {
	var out []string
	names, values := map[string]string{}, map[string]string{}
	for _, l := range leaves {
		element, member, isMember := strings.Cut(l.Path, "].")
		switch {
		case isMember && isListed(strings.ToLower(member), " key name "):
			names[element] = l.Raw
		case isMember && strings.EqualFold(member, "value"):
			values[element] = l.Raw
		case isMember || strings.Contains(l.Path, ".") && strings.HasPrefix(l.Path, "["):
			return ""
		case strings.HasPrefix(l.Path, "["):
			out = append(out, l.Raw)
		default:
			out = append(out, l.Path+"="+l.Raw)
		}
	}
	for element, name := range names {
		value, ok := values[element]
		if !ok {
			return ""
		}
		out = append(out, name+"="+value)
	}
	if len(values) != len(names) {
		return ""
	}
	return notation.MemberForm(out)
}

// textItems reads the elements of a list that lines, semicolons or commas separate.
func textItems(s string) string {
	for _, cut := range [...]string{"\n", ";", ","} {
		if strings.Contains(strings.TrimSpace(s), cut) {
			var out []string
			for part := range strings.SplitSeq(s, cut) {
				if part = strings.TrimSpace(part); part != "" {
					out = append(out, part)
				}
			}
			return strings.Join(out, "\x00")
		}
	}
	return ""
}

func listItems(leaves []similarity.Leaf) string {
	var out []string
	for _, l := range leaves {
		if !strings.HasPrefix(l.Path, "[") || !strings.HasSuffix(l.Path, "]") {
			return ""
		}
		out = append(out, strings.TrimSpace(l.Raw))
	}
	if len(out) < 2 {
		return ""
	}
	return strings.Join(out, "\x00")
}

// textArguments reads the words of a command that a shell reads.
func textArguments(s string) string {
	words, ok := readcmd.Tokens(s)
	for i, w := range words {
		if words[i] = notation.WordOf(w); !ok || words[i] == "" {
			return ""
		}
	}
	return strings.Join(words, "\x00")
}

func listArguments(leaves []similarity.Leaf) string {
	var out []string
	for _, l := range leaves {
		out = append(out, l.Raw)
	}
	return strings.Join(out, "\x00")
}

// sortedItems returns the form of a list with its elements in order.
func sortedItems(form string) string {
	items := strings.Split(form, "\x00")
	slices.Sort(items)
	return strings.Join(items, "\x00")
}

func noForm([]similarity.Leaf) string { return "" }

// textHours reads two times of a day with a sign or a word between them, such as 9-17.
func textHours(s string) string {
	from, to, ok := strings.Cut(strings.NewReplacer("–", "-", " to ", "-", " until ", "-").Replace(strings.ToLower(s)), "-")
	a, isFrom := hourForm(from)
	b, isTo := hourForm(to)
	if !ok || !isFrom || !isTo {
		return ""
	}
	return strconv.Itoa(a) + "-" + strconv.Itoa(b)
}

// hourForm reads a time of day. A bare number is a full hour.
func hourForm(s string) (seconds int, ok bool) {
	s = strings.TrimSpace(s)
	if n, err := strconv.Atoi(s); err == nil && len(s) <= 2 {
		return n * 3600, n >= 0 && n <= 24
	}
	return readClock(s)
}

// leavesCell reads a cell in an object of two members, its row and its column or seat.
func leavesCell(leaves []similarity.Leaf) string {
	if len(leaves) != 2 {
		return ""
	}
	return notation.Cell(memberNamed(leaves, " row number line rank ") + memberNamed(leaves, " column col letter seat file "))
}

func textOnly(s string) string { return s }

// leavesID returns the value of an object that only has an id.
func leavesID(leaves []similarity.Leaf) string {
	if len(leaves) != 1 || !isListed(strings.ToLower(leaves[0].Path), " id uuid ref key code ") {
		return ""
	}
	return leaves[0].Raw
}

// degreeWords has words of the names of arguments that hold an angle of a place.
const degreeWords = " lat latitude lon lng longitude "

// compareDegrees compares two angles of a place, in degrees with a fraction, or in degrees,
// minutes and seconds with a point of the compass.
func (p *pair) compareDegrees() Outcome {
	if !p.named(degreeWords) {
		return Open
	}
	a, ok := degrees(p.a.text)
	b, ok2 := degrees(p.b.text)
	if !ok || !ok2 {
		return Open
	}
	return sameIf(a-b < 1e-7 && b-a < 1e-7)
}

// degrees reads an angle such as 48.5, 48.5° N and 48°30'0" N.
func degrees(s string) (float64, bool) {
	s = strings.ToUpper(strings.TrimSpace(s))
	sign := 1.0
	for _, side := range [...]string{"N", "E", "S", "W"} {
		rest, found := strings.CutSuffix(s, side)
		if !found {
			rest, found = strings.CutPrefix(s, side)
		}
		if found {
			s = strings.TrimSpace(rest)
			if side == "S" || side == "W" {
				sign = -1
			}
			break
		}
	}
	if v, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(s, "°")), 64); err == nil && v < 361 && v > -361 {
		return sign * v, true
	}
	total := 0.0
	for i, part := range strings.Fields(strings.NewReplacer("°", " ", "'", " ", "′", " ", "\"", " ", "″", " ", "’", " ").Replace(s)) {
		v, err := strconv.ParseFloat(part, 64)
		if err != nil || i > 2 || v < 0 || i > 0 && v >= 60 {
			return 0, false
		}
		total += v / [...]float64{1, 60, 3600}[i]
	}
	return sign * total, strings.Contains(s, "°")
}

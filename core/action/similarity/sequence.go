package similarity

import (
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// This file decides whether the order of a list means something. A list of entities is a
// set unless a word of the tool, of the list's name, or another argument speaks of order.

// orderStems begin words that speak of order in the name of a tool or of a list.
var orderStems = [...]string{"reorder", "sort", "rank", "priorit", "sequen", "podium", "chain", "waypoint", "rearrang", "arrang", "enqueu", "setlist", "lineup"}

// orderedThings begin words for things whose parts have an order. People that a tool names
// beside such a thing have none.
var orderedThings = [...]string{"playlist", "queue", "route", "itinerary", "step", "top", "stop", "leg", "position"}

// removals begin the names of tools for which the order of a list means nothing.
var removals = [...]string{"remove", "delete", "cancel", "clear", "drop", "get", "fetch", "find", "unassign", "detach"}

// orderOf has words before "order" that make it mean a sequence and not a purchase.
var orderOf = [...]string{"priority", "display", "sort", "play", "playback", "run", "execution", "boot", "tab", "column", "field", "track", "task", "seat", "speaking", "presentation", "processing", "load"}

// people lists the endings of the names of lists of people.
var people = [...]string{"emails", "users", "usernames", "members", "recipients", "attendees", "participants", "guests", "invitees", "staff", "people", "persons"}

// isSet reports whether the list key of a tool is a set of entities.
func isSet(tool, key string, cells []cell) bool {
	if !namesEntities(key) && !areEntities(key, cells) {
		return false
	}
	return !speaksOfOrder(tool, key)
}

// inTurn has words of tools that go through a list from its first element to its last, with the words that end
// the names of such lists.
var inTurn = [...]struct{ verbs, lists string }{
	{" play stream ", " song video clip audio episode "}, {" press type tap ", " key button "}, {" visit browse ", " url page site link "}, {" export print ", " column page "},
	{" set write ", " header column "}, {" vote ", " ballot candidate "}, {" deploy run release ", " stage "},
}

// goesInTurn reports whether a tool goes through a list in its order, whatever the elements look like.
func goesInTurn(tool, key string) bool {
	for i := range inTurn {
		if wordlist.HasLast(inTurn[i].lists, mutation.NameWords(key)) && wordlist.HasAny(inTurn[i].verbs, mutation.NameWords(tool)) {
			return true
		}
	}
	return false
}

// speaksOfOrder reports whether the name of a tool or of a list says that the order of the
// list matters.
func speaksOfOrder(tool, key string) bool {
	if startsWithAny(tool, removals[:]) {
		return false
	}
	if hasStem(tool, orderStems[:]) || hasStem(key, orderStems[:]) || hasStem(key, orderedThings[:]) || arranges(tool) {
		return true
	}
	if joinsInOrder(tool, key) || goesInTurn(tool, key) {
		return true
	}
	lower := wordlist.Lower(key)
	isPeople := slices.ContainsFunc(people[:], func(end string) bool { return strings.HasSuffix(lower, end) })
	return !isPeople && hasStem(tool, orderedThings[:])
}

// joins are verbs of deeds that put things behind one another or on one another, and joined begins words for things of which
// the result then has an order.
var (
	joins  = [...]string{"merge", "concat", "join", "stitch", "splice", "append", "prepend", "combin", "assembl", "compose", "overlay", "interleav", "cat", "glue", "mix"}
	joined = [...]string{"pdf", "file", "video", "clip", "audio", "image", "photo", "picture", "page", "document", "text", "string", "segment", "track", "chapter", "slide", "branch", "commit", "layer", "recording", "song", "scene", "sentence", "paragraph", "path", "input", "deck"}
)

// applies are verbs of deeds that do one thing after another, and applied begins words for things that need the one before.
var (
	applies = [...]string{"apply", "run", "execut", "perform", "replay", "pick", "pipe"}
	applied = [...]string{"migration", "patch", "script", "filter", "command", "stage", "effect", "transform", "operation", "commit", "diff", "query", "queries", "statement", "pipeline"}
)

// showsInOrder begins words for things that show or use what they are made of one after another.
var showsInOrder = [...]string{"slideshow", "collage", "mixtape", "montage", "anthology", "presentation", "pipeline", "fallback", "cascade", "nameserver", "resolver", "reel"}

// joinsInOrder reports whether the deed of a tool gives the elements of a list an order, as merge_pdfs does, or its name ends
// in such words as in order.
func joinsInOrder(tool, key string) bool {
	has := func(verbs, things []string) bool {
		return hasStem(tool, verbs) && (hasStem(tool, things) || hasStem(key, things))
	}
	lower := strings.ToLower(tool)
	return has(joins[:], joined[:]) || has(applies[:], applied[:]) || hasStem(tool, showsInOrder[:]) || hasStem(key, showsInOrder[:]) ||
		strings.HasSuffix(lower, "in_order") || strings.HasSuffix(lower, "inorder") || hasStem(tool, []string{"dns"}) && hasStem(key, []string{"server"}) ||
		hasStem(tool, []string{"search"}) && hasStem(tool, []string{"path"}) && startsWithAny(tool, []string{"set"})
}

// alone begins words for lists that belong to no list beside them, even if it has as many elements.
var alone = [...]string{"to", "cc", "bcc", "attendee", "guest", "invitee", "participant", "recipient", "watcher", "follower", "tag", "label", "keyword", "categor", "attachment"}

// standsAlone reports whether a list belongs to no list beside it.
func standsAlone(key string) bool { return hasStem(key, alone[:]) }

func startsWithAny(name string, stems []string) bool {
	return slices.ContainsFunc(stems, func(s string) bool { return len(name) >= len(s) && strings.EqualFold(name[:len(s)], s) })
}

// arranges reports whether a name ends in a word such as priority_order.
func arranges(tool string) bool {
	lower := wordlist.Lower(tool)
	before, ok := strings.CutSuffix(lower, "order")
	before = strings.TrimRight(before, "_-")
	if ok && strings.HasPrefix(lower, "set_") && before != "set" && strings.Count(before, "_") > 0 { // set_batting_order
		return true
	}
	return ok && slices.ContainsFunc(orderOf[:], func(w string) bool { return strings.HasSuffix(before, w) })
}

// hasStem reports whether a word of a name begins with one of the stems. A stem of up to
// four letters must be the whole word, in the singular or the plural.
func hasStem(name string, stems []string) bool {
	for i := range len(name) {
		if !beginsWord(name, i) {
			continue
		}
		for _, s := range stems {
			end := i + len(s)
			if end > len(name) || name[i]|0x20 != s[0] || !strings.EqualFold(name[i:end], s) {
				continue
			}
			if rest := strings.TrimPrefix(name[end:], "s"); len(s) > 4 || rest == "" || !isLower(rest[0]) {
				return true
			}
		}
	}
	return false
}

func beginsWord(name string, i int) bool {
	isLetter := isLower(name[i] | 0x20)
	return isLetter && (i == 0 || !isLower(name[i-1]|0x20) || !isLower(name[i]) && isLower(name[i-1]))
}

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }

// saysSequence reports whether an argument such as sequential: true says that the lists of
// a call have an order.
func saysSequence(object jsonval.Value) (found bool) {
	object.Each(func(key string, v jsonval.Value) bool {
		yes, _ := v.Bool()
		found = yes && hasStem(key, []string{"sequential", "sequentially", "ordered"})
		return !found
	})
	return found
}

// IsSet reports whether a list of single values outside other lists is a set in both calls, whose
// order means nothing: a list of entities, or a list of short texts or of whole numbers of which
// nothing says that they have an order or are measured. list is the path of the list. It returns
// false if another list of the same length may belong to it, like the columns of a table.
func IsSet(obs, ref *Call, list string) bool {
	return areSets(obs, ref, list, func(c *Call) bool {
		cells := c.cellsOf(list)
		return len(cells) > 0 && !c.hasTwin(list, len(cells)) &&
			(isSet(c.Name, list, cells) || (areLabels(cells) || areNumbered(c.Name, list, cells)) && (startsWithAny(c.Name, removals[:]) || !MayHaveOrder(c.Name, list)))
	})
}

// CountsOnce reports whether a list is a set in which a member that stands there twice is there
// once. In a list of goods it is there twice, but a thing has each of its marks once, whatever the tool is called.
func CountsOnce(obs, ref *Call, list string) bool {
	isOfGoods := hasStem(list, goods[:]) || hasStem(ref.Name, goods[:]) && !hasStem(list, marks[:])
	return !isOfGoods && IsSet(obs, ref, list)
}

// marks begins words for what a thing or a person has or has not.
var marks = [...]string{"tag", "label", "keyword", "categor", "role", "permission"}

// goods begins words for what somebody orders, sells or hands out piece by piece, and for doing so.
var goods = [...]string{"item", "product", "sku", "dish", "drink", "meal", "article", "ticket", "piece", "part", "component", "material", "card", "dose", "voucher", "coupon", "coin", "die", "dice", "order", "buy", "purchas", "sell", "cart", "basket", "dispens"}

// IsSetOfObjects is like IsSet for a list of objects, such as the items of an order.
func IsSetOfObjects(obs, ref *Call, list string) bool {
	return areSets(obs, ref, list, func(c *Call) bool {
		return (!MayHaveOrder(c.Name, list) || c.listsGoods(list)) && !c.hasTwin(list, c.lengthOf(list))
	})
}

// listsGoods reports whether a list has the lines of an order: each element of it says how many of what.
func (c *Call) listsGoods(list string) bool {
	if !hasStem(list, []string{"line", "row", "position", "item"}) || speaksOfOrder(c.Name, "") {
		return false
	}
	counted, n := 0, -1
	for i := range c.Leaves {
		rest, ok := strings.CutPrefix(c.Leaves[i].Path, list+"[")
		if !ok {
			continue
		}
		number, key, _ := strings.Cut(rest, "]")
		if at, err := strconv.Atoi(number); err == nil {
			n = max(n, at)
		}
		if hasStem(key, []string{"qty", "quantit", "amount", "count"}) {
			counted++
		}
	}
	return n >= 0 && counted == n+1
}

// areSets reports whether a list outside other lists is a set in both calls, and no argument
// says that it is sequential.
func areSets(obs, ref *Call, list string, isSet func(*Call) bool) bool {
	if strings.Contains(list, "[") {
		return false
	}
	for _, c := range [...]*Call{obs, ref} {
		sequential := slices.ContainsFunc(c.Leaves, func(l Leaf) bool {
			return l.Value == "true" && hasStem(l.Key, []string{"sequential", "sequentially", "ordered"})
		})
		if sequential || !isSet(c) {
			return false
		}
	}
	return true
}

// inOrder begins words for lists that may have an order, although nothing in the call
// speaks of it.
var inOrder = [...]string{"arg", "argv", "argument", "param", "command", "cmd", "instruction", "line", "row", "cell", "column", "value", "stage", "phase", "section", "chapter", "slide", "page", "lesson", "agenda",
	"song", "word", "token", "text", "message", "prompt", "turn", "segment", "point", "vertex", "vertices", "range", "axis", "dimension", "header", "menu", "block", "operation",
	"edit", "change", "patch", "rule", "migration", "action", "call", "task", "number", "key", "shortcut", "color", "colour", "layer", "level", "tier", "preference", "candidate", "winner", "result", "field", "speaker"}

// MayHaveOrder reports whether the order of a list may mean something.
func MayHaveOrder(tool, key string) bool {
	lower := strings.TrimSuffix(wordlist.Lower(key), "paths") // of files; a path of places has one name
	return speaksOfOrder(tool, key) || hasStem(key, inOrder[:]) || setsOrder(tool) || slices.ContainsFunc(orders[:], func(w string) bool { return strings.Contains(lower, w) })
}

// measures has the words for what is measured, computed or drawn, and for doing so. The numbers of
// such a list have places.
const measures = " amount price cost fee sum total balance quantity qty count size age max maximum min minimum limit bound percent percentage rate ratio score grade mark point weight height width length depth " +
	"volume distance radius duration temperature offset threshold speed angle degree dimension margin padding coord coordinate vector matrix rgb rgba hsl version reading measure measurement sample series data datum " +
	"dataset signal frequency voltage current power pressure interval delta bid pixel digit element entry term factor mean average median deviation probability bin bucket dose pattern code pin array list tuple " +
	"plot draw calculate compute statistic histogram swap move resize crop second minute hour time timestamp rating odds bit byte lap split tick note x y z "

// writesValues has the words of tools that write down or set the numbers of a list, and do nothing to things.
const writesValues = " set tune adjust configure write log store record "

// areNumbered reports whether the elements of a list are the numbers of things, such as rooms: plain
// whole numbers under a name in the plural that measures nothing.
func areNumbered(tool, key string, cells []cell) bool {
	words := mutation.NameWords(tool)
	if len(words) > 1 && words[0] == "mark" { // here it is what is done with the things, and no grade
		words = words[1:]
	}
	return strings.HasSuffix(strings.ToLower(key), "s") && !wordlist.HasAny(measures, mutation.NameWords(key)) && !wordlist.HasAny(measures+writesValues, words) &&
		!slices.ContainsFunc(cells, func(c cell) bool { return strings.Trim(c.raw, "0123456789") != "" })
}

// setsOrder reports whether a tool sets an order, as set_firewall_order does. An order that is
// placed or cancelled is none.
func setsOrder(tool string) bool {
	return strings.HasSuffix(wordlist.Lower(tool), "order") && startsWithAny(tool, []string{"set", "change", "define", "arrange", "adjust"})
}

// longestLabel is the length in bytes of the longest text that names something.
const longestLabel = 40

// areLabels reports whether the elements of a list are texts of at most three words.
func areLabels(cells []cell) bool {
	return !slices.ContainsFunc(cells, func(c cell) bool {
		return !strings.HasPrefix(c.raw, `"`) || len(c.value) > longestLabel || strings.Count(c.value, " ") > 2
	})
}

func (c *Call) cellsOf(list string) (cells []cell) {
	for _, l := range c.Leaves {
		if rest, ok := strings.CutPrefix(l.Path, list+"["); ok && strings.IndexByte(rest, ']') == len(rest)-1 {
			cells = append(cells, cell{l.Value, l.Raw})
		}
	}
	return cells
}

// lengthOf returns the number of elements of a list.
func (c *Call) lengthOf(list string) (n int) {
	last := ""
	for i := range c.Leaves {
		if rest, ok := strings.CutPrefix(c.Leaves[i].Path, list+"["); ok {
			if at, _, _ := strings.Cut(rest, "]"); n == 0 || at != last {
				n, last = n+1, at
			}
		}
	}
	return n
}

// hasTwin reports whether a call has another list of single values with n elements, to which the list may belong.
func (c *Call) hasTwin(list string, n int) bool {
	if standsAlone(list) {
		return false
	}
	counts := map[string]int{}
	for _, l := range c.Leaves {
		if name, rest, ok := strings.Cut(l.Path, "["); ok && name != list && strings.IndexByte(rest, ']') == len(rest)-1 && !standsAlone(name) {
			counts[name]++
		}
	}
	for _, count := range counts {
		if count == n && n > 1 {
			return true
		}
	}
	return false
}

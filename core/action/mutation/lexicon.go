package mutation

// class says what an English word can do in a tool's name. A word may be verb and noun at
// once; its position decides (name.go).
type class uint16

const (
	read  class = 1 << iota // a verb that only looks
	write                   // a verb that changes something
	weak                    // a noun that is a writing verb at the beginning of a name
	vague                   // a verb that may read or write
	noun                    // also an everyday noun, so harmless after another verb
	info                    // a noun that names information
)

func (c class) has(bits class) bool { return c&bits != 0 }

// isDeed reports whether a word is a verb that changes something and is not also a noun.
func (c class) isDeed() bool { return c.has(write) && !c.has(noun) }

func (c class) isVerb() bool { return c.has(read | write | weak | vague) }

// thingWord reports whether a word is a noun for things that a tool lists, such as
// messages, or for the tool itself, such as retriever. A name with such a noun means a
// read only if no other word of the name is a verb.
func thingWord(w string) bool {
	return isListed(w, thingWordList)
}

// isPreposition reports whether a word is a preposition. A verb after a preposition only
// describes the object.
func isPreposition(w string) bool {
	return isListed(w, prepositionList)
}

func isConjunction(w string) bool {
	return w == "and" || w == "or" || w == "then" || w == "plus"
}

// isQuestionWord reports whether a name that begins with this word is a question, such as
// is_available.
func isQuestionWord(w string) bool {
	return isListed(w, questionList)
}

// coreInfo reports whether a word means information that nobody orders, records or
// schedules, such as status. A word before such information is a noun, so order_status
// asks for a status. In contrast, order_inventory may buy an inventory.
func coreInfo(w string) bool {
	return isListed(w, coreInfoList)
}

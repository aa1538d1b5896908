package mutation

import (
	"slices"
	"strings"
	"sync"
)

// This file compares names and words without a lexicon of meanings. It only knows how
// English writes one word in two ways.

// SameName reports whether two names have the same words, apart from number, order and
// spelling: archive_mails and archiveMail, order_cancel and cancelOrder, or
// set_label_colour and setLabelColor. Digits are words, too. The order of words before
// and after a preposition matters, as in convert_pdf_to_doc. Namespaces must be equal if
// both names have one; a name of one word needs the same namespace. The relation is
// reflexive and symmetric. O(n log n) in the words of the names.
func SameName(a, b string) bool {
	if a == b {
		return true
	}
	first, ownA := cutNamespace(a)
	second, ownB := cutNamespace(b)
	if first != second && (first != "" && second != "" || len(phraseWords(ownA)) < 2) {
		return false
	}
	p, q := namePhrases(ownA), namePhrases(ownB)
	return len(p) > 0 && slices.Equal(p, q)
}

// NameKey returns a text that is equal for two names if SameName holds for them.
func NameKey(name string) string {
	_, own := cutNamespace(name)
	if phrases := namePhrases(own); len(phrases) > 0 {
		return strings.Join(phrases, "\x00")
	}
	return name
}

// WordsKey returns a text that is equal for two lists of words if SameWords holds for them.
func WordsKey(words []string) string {
	forms := make([]string, len(words))
	for i, w := range words {
		forms[i] = WordForm(w)
	}
	slices.Sort(forms)
	return strings.Join(forms, " ")
}

// SpellingKey returns a text that is equal for two names with the same words in the same order,
// apart from letter case, marks between the words, and British and American spelling. The
// singular and the plural differ.
func SpellingKey(name string) string {
	words := phraseWords(name)
	for i, w := range words {
		words[i] = americanForm(strings.ToLower(w))
	}
	return strings.Join(words, " ")
}

// cutNamespace splits a name at its last namespace mark. It drops a leading "mcp".
func cutNamespace(name string) (space, own string) {
	rest := name
	for {
		before, after, found := cutMark(rest)
		if !found || strings.Trim(after, "_/.#: -") == "" {
			return strings.ToLower(space), rest
		}
		if before != "" && !strings.EqualFold(before, "mcp") {
			space += before + "/"
		}
		rest = after
	}
}

// phraseWords returns the words of a name, with its numbers as words of their own.
func phraseWords(name string) []string {
	var out []string
	for len(name) > 0 {
		end := strings.IndexAny(name, "0123456789")
		if end < 0 {
			end = len(name)
		}
		out = appendWords(out, name[:end])
		name = name[end:]
		end = len(name) - len(strings.TrimLeft(name, "0123456789"))
		if end > 0 {
			out = append(out, name[:end])
		}
		name = name[end:]
	}
	return out
}

// namePhrases returns a form of a name that is equal for two names with the same words.
// Each part of the result has the sorted words before the first preposition, or a
// preposition with the sorted words behind it. The parts behind the first are sorted.
func namePhrases(name string) []string {
	words := phraseWords(name)
	if len(words) == 0 || len(words) > maxNameWords {
		return nil
	}
	var phrases [][]string
	phrase := []string{""}
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case i+1 < len(words) && isPhrasal(w, words[i+1]):
			phrase = append(phrase, w+" "+words[i+1])
			i++
		case i > 0 && i == len(words)-1 && isPhrasal(words[0], w) && slices.Contains(phrase, WordForm(words[0])): // turn_lamp_off
			phrase[slices.Index(phrase, WordForm(words[0]))] = words[0] + " " + w
		case i > 0 && (isPreposition(w) || oneOf(w, placeWords)):
			phrases = append(phrases, phrase)
			phrase = []string{w}
		default:
			phrase = append(phrase, WordForm(w))
		}
	}
	phrases = append(phrases, phrase)
	out := make([]string, len(phrases))
	for i, p := range phrases {
		slices.Sort(p[1:])
		out[i] = strings.Join(p, " ")
	}
	slices.Sort(out[1:])
	return out
}

// placeWords are prepositions that isPreposition does not know.
const placeWords = "into onto off out over under through within against"

// isPhrasal reports whether a verb and the word after it are one verb, such as turn off.
func isPhrasal(verb, particle string) bool {
	return isParticle(particle) && oneOf(verb+"_"+particle, phrasalVerbs)
}

// isParticle reports whether a word may belong to the verb before it.
func isParticle(w string) bool {
	switch w {
	case "on", "off", "in", "out", "up", "down", "over", "back", "away":
		return true
	}
	return false
}

// phrasalVerbs are verbs with a particle that mean something else than the verb alone.
const phrasalVerbs = "turn_on turn_off turn_up turn_down turn_in turn_over switch_on switch_off switch_over power_on power_off power_up power_down " +
	"shut_down shut_off close_down check_in check_out log_in log_out log_on log_off sign_in sign_out sign_up sign_on sign_off clock_in clock_out " +
	"opt_in opt_out back_up set_up set_off put_on put_off put_back put_away take_on take_off take_out take_over take_down take_back take_away " +
	"add_on fill_in fill_out fill_up hand_in hand_out hand_over plug_in phase_in phase_out pay_in pay_out pay_off trade_in cash_in carry_on carry_out " +
	"hold_on call_in call_off call_up call_back kick_out throw_out throw_away let_in let_down force_out pick_out pick_up give_out give_up give_back " +
	"draw_off cut_down cut_back file_away bring_out bring_down bring_back send_on send_off send_back play_back look_up tear_down spin_up spin_down " +
	"scale_up scale_down speed_up slow_down light_up put_out pull_down blow_up fit_out sum_up tidy_up roll_back roll_out hang_up top_up clean_up write_off swap_out start_over wind_up move_out move_in lock_out mark_up mark_down"

// WordForm returns a form of a lower-case word that is equal for its singular and plural,
// and for its British and American spelling. The form itself may be no word.
func WordForm(w string) string {
	return formsOfWords.of(w, func(w string) string { return americanForm(singularForm(w)) })
}

// SameWords reports whether two lists have the same words, in any order, apart from number
// and spelling.
func SameWords(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	left := make([]string, len(b))
	for i, w := range b {
		left[i] = WordForm(w)
	}
	for _, w := range a {
		at := slices.Index(left, WordForm(w))
		if at < 0 {
			return false
		}
		left = slices.Delete(left, at, at+1)
	}
	return true
}

// singularForm returns a word without its plural ending. It also returns "email" for
// mail, and "folder" for dir and directory.
func singularForm(w string) string {
	w = withoutPlural(w)
	switch w {
	case "mail":
		return "email"
	case "dir", "directory":
		return "folder"
	}
	return w
}

func withoutPlural(w string) string {
	n := len(w)
	switch {
	case n < 4 || !strings.HasSuffix(w, "s"):
		return pairedForm(w, singulars())
	case strings.HasSuffix(w, "ss") || strings.HasSuffix(w, "us") || strings.HasSuffix(w, "is") || oneOf(w, endsInS):
		return pairedForm(w, singulars())
	case !strings.HasSuffix(w, "es"):
		return w[:n-1]
	}
	if one := pairedForm(w, singulars()); one != w {
		return one
	}
	stem := w[:n-2]
	switch {
	case n > 4 && strings.HasSuffix(stem, "i") && !oneOf(w[:n-1], endsInIe):
		return stem[:len(stem)-1] + "y"
	case oneOf(stem, endsInS) || oneOf(stem, usNouns),
		n > 4 && (strings.HasSuffix(stem, "ss") || strings.HasSuffix(stem, "sh") || strings.HasSuffix(stem, "x") || strings.HasSuffix(stem, "zz")),
		n > 4 && strings.HasSuffix(stem, "ch") && !oneOf(w[:n-1], endsInChe),
		n > 4 && strings.HasSuffix(stem, "o") && !oneOf(w[:n-1], endsInOe):
		return strings.TrimSuffix(stem, pairedZ(stem))
	}
	return w[:n-1]
}

// pairedZ returns the z that the plural of quiz and whiz doubles.
func pairedZ(stem string) string {
	if strings.HasSuffix(stem, "izz") {
		return "z"
	}
	return ""
}

// Words of which the ending does not show the number.
const (
	endsInS   = "alias atlas bias canvas gas lens news pancreas series species christmas always texas kansas aws dns https tls sms os ios"
	usNouns   = "bus status bonus campus virus census focus genus minus plus surplus consensus chorus iris"
	endsInIe  = "movie cookie calorie zombie selfie brownie rookie genie pixie hoodie smoothie birdie prairie sortie tie lie die pie"
	endsInChe = "cache ache niche headache avalanche cliche mustache moustache psyche creche"
	endsInOe  = "shoe toe canoe oboe hoe doe foe"

	irregularPlurals = "children=child people=person men=man women=woman feet=foot teeth=tooth geese=goose mice=mouse indices=index vertices=vertex " +
		"matrices=matrix appendices=appendix criteria=criterion phenomena=phenomenon analyses=analysis crises=crisis hypotheses=hypothesis " +
		"diagnoses=diagnosis syntheses=synthesis leaves=leaf knives=knife shelves=shelf wives=wife halves=half wolves=wolf calves=calf loaves=loaf thieves=thief scarves=scarf " +
		"salesmen=salesman repairmen=repairman firemen=fireman policemen=policeman craftsmen=craftsman"

	britishWords = "cheque=check tyre=tire programme=program disc=disk grey=gray enrol=enroll enrolment=enrollment fulfil=fulfill " +
		"fulfilment=fulfillment instalment=installment instal=install licence=license defence=defense offence=offense pretence=pretense centre=center " +
		"theatre=theater fibre=fiber litre=liter calibre=caliber mould=mold kerb=curb plough=plow aeroplane=airplane aluminium=aluminum " +
		"jewellery=jewelry manoeuvre=maneuver cosy=cozy gaol=jail moustache=mustache paediatric=pediatric anaesthetic=anesthetic sceptic=skeptic " +
		"speciality=specialty sulphur=sulfur whisky=whiskey ageing=aging judgement=judgment acknowledgement=acknowledgment practise=practice " +
		"despatch=dispatch enquiry=inquiry enquire=inquire artefact=artifact adviser=advisor pyjama=pajama odour=odor"
)

// singulars and americans are the pairs of irregularPlurals and britishWords, by their
// first words.
var (
	singulars = sync.OnceValue(func() map[string]string { return readPairs(irregularPlurals) })
	americans = sync.OnceValue(func() map[string]string { return readPairs(britishWords) })
)

func readPairs(text string) map[string]string {
	pairs := map[string]string{}
	for pair := range strings.FieldsSeq(text) {
		w, other, _ := strings.Cut(pair, "=")
		pairs[w] = other
	}
	return pairs
}

// pairedForm returns the word that the pairs have for w, or w.
func pairedForm(w string, pairs map[string]string) string {
	if other, ok := pairs[w]; ok {
		return other
	}
	return w
}

// americanForm returns the American spelling of a singular word. It changes words of both
// spellings in the same way, so advise becomes advize, which is no word.
func americanForm(w string) string {
	if len(w) < 4 {
		return w
	}
	w = pairedForm(w, americans())
	for _, end := range [...]string{"e", "ed", "ing", "er", "ation"} {
		if stem, ok := strings.CutSuffix(w, end); ok && len(stem) > 4 && (strings.HasSuffix(stem, "is") || strings.HasSuffix(stem, "ys")) {
			return stem[:len(stem)-1] + "z" + end
		}
	}
	for _, end := range [...]string{"", "ed", "ing", "ful", "ite", "able"} {
		if stem, ok := strings.CutSuffix(w, end); ok && len(stem) > 5 && strings.HasSuffix(stem, "our") {
			return stem[:len(stem)-2] + "r" + end
		}
	}
	if stem, ok := strings.CutSuffix(w, "ogue"); ok && len(stem) > 2 {
		return stem + "og"
	}
	for _, end := range [...]string{"ed", "ing", "er", "ation"} {
		if stem, ok := strings.CutSuffix(w, end); ok && len(stem) > 5 && strings.HasSuffix(stem, "ll") && stem != "refill" {
			return stem[:len(stem)-1] + end
		}
	}
	return w
}

package byshape

import (
	"strings"
	"sync"
	"unicode"

	"github.com/boundcheck/boundcheck/core/base/tongues"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// The words in the names of members, in the singular. A word is only a hint: it adds weight to
// what the whole text shows.
const (
	toolWords     = "tool function func fn skill operation op verb method command cmd api endpoint capability procedure routine action act intent service job callee invoke invoked recipient"
	nameWords     = "name call step do what target use used using activity event plugin handler title"
	inputWords    = "argument arg param parameter kwarg kwargs kw payload slot input inputs in option opt given with value field entity spec setting"
	looseInputs   = "request req body data using query detail content"
	resultWords   = "result output out outcome response resp reply return returned ret observation observed obs answer got back gave yielded saw effect stdout res received"
	errorWords    = "error exception failed failure"
	otherWords    = "meta metadata config context usage metric timing time timestamp ts date header extra tag state score cost token schema thought thinking reason reasoning note comment log label duration latency ms message version"
	typeWords     = "type kind role status state model sender source level lang language currency unit url agent user author category version date time message text thought policy format mode class"
	idWords       = "id uid uuid key ref index idx number no seq i n"
	callLists     = "tool call action step trace trajectory invocation operation op command act did skill job activity use event plan history span node"
	otherLists    = "metric score evaluator assertion assert check document doc citation definition schema available catalog model product setting feedback chunk criterion rubric"
	runWords      = "run session sess trace conversation conv thread dialogue dialog episode case trial chat test sample example scenario sender"
	trialLists    = "attempt trial rollout run epoch retry repetition"
	runLists      = runWords + " result record row item traj trajectory task data evaluation"
	partLists     = "step turn event message span call action node history log content part child observation round agent tool iteration invocation block generation llm interaction exchange"
	openingWords  = "prompt query question goal ask asked wish utterance instruction request task objective q"
	proposedWords = "proposed suggested planned recommended"
	executedWords = "executed performed applied"
	sideWords     = "expected expectation golden gold ideal target reference should truth oracle wanted want desired correct intended required annotated"
)

// hasWord reports whether one of the words of a name is in a list.
func hasWord(name, list string) bool {
	for _, word := range shape.SplitWords(name) {
		if shape.OneOf(toEnglish(word), list) {
			return true
		}
	}
	return false
}

// foreignWords are the words in the names of members in other languages, in the singular: each line begins
// with the English word.
const foreignWords = `tool herramienta werkzeug outil strumento ferramenta gereedschap verktyg narzędzie
argument argumento argumentos parametro parámetro parametros parámetros parametre paramètre parametri parâmetro parâmetros
input entrada eingabe entrée entree ingresso invoer indata
output salida ausgabe sortie uscita saída saida uitvoer utdata
result resultado ergebnis résultat resultat risultato resultaat resultados
response respuesta antwort réponse reponse risposta resposta antwoord
error fehler erreur errore erro fout
call llamada aufruf appel chiamata chamada aanroep anrop
step paso schritt étape etape passo etapa stap
action acción accion aktion azione ação acao actie
message mensaje nachricht messaggio mensagem bericht
type tipo typ art soort
text texto testo tekst
session sesión sesion sitzung séance seance sessione sessão sessao sessie
user usuario benutzer nutzer utilisateur utente usuário gebruiker
customer cliente kunde klant kund
agent agente assistent
question pregunta frage domanda pergunta vraag
expected esperado esperada esperados esperadas erwartet erwartete attendu attendue atteso attesi verwacht soll
from von da
trace traza spur traccia`

// toEnglish returns the English word for a word in the name of a member, or the word itself.
func toEnglish(word string) string {
	if english := foreignTable().Get(word); english != "" {
		return english
	}
	return word
}

var foreignTable = sync.OnceValue(func() *wordlist.Index[string] { return tongues.ReadTable(foreignWords) })

// namesCall reports whether a word for a sort of event says that it is a call, also one that was refused,
// and not its result or its end.
func namesCall(word string) bool {
	return hasWord(word, "tool function call action invoke invocation") && !hasWord(word, resultWords+" "+shape.EndWords) || shape.SaysRefusedCall(word)
}

// endsIn reports whether the last word of a name is in a list.
func endsIn(name, list string) bool {
	words := shape.SplitWords(name)
	return len(words) > 0 && shape.OneOf(toEnglish(words[len(words)-1]), list)
}

// nameWeight says how well a member's name fits the name of a tool; it is negative if the
// member can be none.
func nameWeight(key string) int {
	switch {
	case endsIn(key, "id") && hasWord(key, "call use invocation execution request"): // that of the call
		return -9
	case hasWord(key, toolWords) && endsIn(key, idWords):
		return shape.IfElse(hasWord(key, "tool function skill api"), 2, 1)
	case hasWord(key, toolWords) && !hasWord(key, resultWords+" "+errorWords):
		return shape.IfElse(endsIn(key, typeWords+" "+idWords), 1, 3)
	case hasWord(key, resultWords), endsIn(key, typeWords+" "+idWords):
		return -9
	case hasWord(key, nameWords):
		return 2
	}
	return 0
}

// inputWeight says how well a member's name fits the arguments of a call.
func inputWeight(key string) int {
	switch {
	case hasWord(key, resultWords), hasWord(key, errorWords), endsIn(key, idWords):
		return -9
	case hasWord(key, inputWords):
		return 3
	case hasWord(key, otherWords):
		return -9
	case hasWord(key, looseInputs):
		return 2
	}
	return 0
}

// isExpected reports whether a member with this name may say what should have been done. Its
// words have other meanings, too, so the member must hold calls.
func isExpected(key string) bool { return shape.IsExpected(key) || hasWord(key, sideWords) }

// looksLikeTool reports whether a text is written like the name of a program: of several words
// without blanks.
func looksLikeTool(s string) bool {
	if len(s) < 3 || len(s) > 96 || !shape.IsName(s) {
		return false
	}
	for i, c := range s {
		if i > 0 && i < len(s)-1 && (strings.ContainsRune("_.-:/", c) || unicode.IsUpper(c) && unicode.IsLower(rune(s[i-1]))) {
			return true
		}
	}
	return false
}

// isNumbered reports whether a text is an id: it has a digit, and few letters before it.
func isNumbered(s string) bool {
	at := strings.IndexAny(s, "0123456789")
	return at >= 0 && at < 4 || len(s) > 20 && strings.ContainsAny(s, "0123456789")
}

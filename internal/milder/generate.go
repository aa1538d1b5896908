package main

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
)

// The generator makes names of tools and members from the words of the lexicon and from
// the words below, with which the rules have most to do.
var (
	leads = strings.Fields("get list search find check is read summarize calculate think ask user orders obtain gather where convert answer respond finish compare mail fetch query")
	links = strings.Fields("and or then to with for n by on the next new one")
	nouns = strings.Fields("users status item x history order all documents money")
	tools = strings.Fields("get_x search_items orders order_status think fetch get_operation list_actions summarize_text calculate query get_records answer transfer_to_agent json read_group check_element get_job http_request redis_get read_script get_tool list_commands Task extract read_file get_function preview_x get_order_history bash")
	heads = strings.Fields("action_ operation_ is_ target_ delete_ on_ set_ new_ desired_ send_ tool_ bulk_ does_ will_ auto_ command_ cmd_")
	tails = strings.Fields("_type _name _id _ids _steps _operation _path _action _to_id _only _at _fields _level _filter")
	// values are the values of members, as JSON.
	values = strings.Split(`"x"|"true"|true|false|5|"off"|"delete"|"delete_user"|"rm -rf /"|"x; rm -rf /"|"$(id)"|"http://h/delete?id=5"|"INSERT INTO t VALUES (1)"|"/etc/x"|"now"|"power off"|"lights_off"|{"a":1}|["delete"]|"a@b.c"|"f(x)"|"w"|"POST"|"line\nline"|{"delete":"x"}|"git push"|"--output=x"|"DROP TABLE x"|"select 1"`, "|")
)

// generate returns count generated calls as texts. Each text is a tool's name, a space
// and the arguments in JSON. Every second call has an unusual tool name, and the other
// calls have an unusual argument name. Equal seeds give equal calls.
func generate(words []string, count int, seed uint64) []string {
	g := generator{rand.New(rand.NewPCG(seed, 0)), words}
	calls := make([]string, count)
	for i := range calls {
		if i%2 == 0 {
			calls[i] = g.name() + " {}"
		} else {
			calls[i] = g.member()
		}
	}
	return calls
}

type generator struct {
	*rand.Rand
	words []string
}

func (g *generator) pick(list []string) string { return list[g.IntN(len(list))] }

// name returns the name of a tool.
func (g *generator) name() string {
	w := g.pick(g.words)
	var parts []string
	switch g.IntN(7) {
	case 0:
		parts = []string{w, g.pick(g.words)}
	case 1:
		parts = []string{g.pick(leads), w}
	case 2:
		parts = []string{g.pick(leads), g.pick(nouns), g.pick(links), w}
	case 3:
		parts = []string{g.pick(leads), g.pick(nouns), g.pick(links), w, g.pick(nouns)}
	case 4:
		parts = []string{g.pick(leads), w, g.pick(links), g.pick(g.words)}
	case 5:
		parts = []string{g.pick(leads), g.pick(links), w}
	default:
		for range 2 + g.IntN(3) {
			parts = append(parts, g.pick(g.words))
		}
	}
	return strings.Join(parts, "_")
}

// member returns a call of a well-known tool that has an argument with an unusual name.
func (g *generator) member() string {
	key := g.pick(g.words)
	switch g.IntN(4) {
	case 0:
		key = g.pick(heads) + key
	case 1:
		key += g.pick(tails)
	case 2:
		key = g.pick(heads) + g.pick(tails)[1:]
	}
	name, _ := json.Marshal(key)
	member := string(name) + ":" + g.pick(values)
	switch tool := g.pick(tools); tool {
	case "query":
		return tool + ` {"sql":"select 1",` + member + "}"
	case "bash":
		return tool + ` {"command":"ls",` + member + "}"
	case "Task":
		return tool + ` {"prompt":"x",` + member + "}"
	case "fetch", "http_request":
		if g.IntN(3) == 0 {
			return tool + ` {"url":"http://h/x","params":{` + member + "}}"
		}
		return tool + ` {"url":"http://h/x",` + member + "}"
	default:
		return tool + " {" + member + "}"
	}
}

package equivalence

import (
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/verbs"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
	"github.com/boundcheck/boundcheck/core/stage/relation"
	"github.com/boundcheck/boundcheck/core/stage/sentences"
)

// A deed may be done by another tool: the reference has move_file, and the agent runs mv. The law: two calls
// of different tools are one deed only if one is a single simple command or request, both have a verb of one
// class, and each value on either side is on the other, in the same role. What both name must be the same;
// where a command or a request may reach another system than the tool, it is only a hint.

// detour is a step that an action did, or may have done, by another tool.
type detour struct {
	ref  int
	sure bool
}

// pairDetours pairs unmatched writes with unmatched steps that another tool does. At most MostNear comparisons for
// each step.
func (j *judge) pairDetours() {
	if j.Profile != boundary.Outcome {
		return
	}
	var open []int // steps
	matchedObs, matchedRef := j.matchedActions()
	for r := range j.Ref {
		if a := &j.Ref[r]; !matchedRef[r] && j.moved.ref[r] < 0 && j.moved.nearRef[r] < 0 && a.Writes() && a.Text == "" && a.Terms.Plain() {
			open = append(open, r)
		}
	}
	if len(open) > 0 {
		j.pairOpen(open, matchedObs)
	}
}

// pairOpen pairs actions that matched nothing with steps.
func (j *judge) pairOpen(open []int, matchedObs []bool) {
	var steps map[int]int // of steps: the action that the alignment pairs with it
	for o := 0; o < len(j.Obs) && len(open) > 0; o++ {
		a := &j.Obs[o]
		if matchedObs[o] || j.moved.obs[o] >= 0 || j.moved.nearObs[o] >= 0 || !a.Attempts() || a.Failed || a.Partly || a.Text != "" {
			continue
		}
		for k, r := range open[:min(len(open), relation.MostNear)] {
			same, sure := sameByTool(a, &j.Ref[r])
			if !same {
				continue
			}
			if j.detours == nil {
				j.detours, steps = map[int]detour{}, substitutedSteps(j.Case)
			}
			if partner, ok := steps[r]; !sure && (ok && partner != o || !ok && isPartner(steps, o)) {
				continue // their rows say more
			}
			j.detours[o] = detour{r, sure}
			if sure {
				j.moved.obs[o], j.moved.ref[r] = r, o
			}
			open = slices.Delete(open, k, k+1)
			break
		}
	}
}

func isPartner(steps map[int]int, obs int) bool {
	for _, o := range steps {
		if o == obs {
			return true
		}
	}
	return false
}

// judgeDetour rules on an action that did a step by another tool.
func (j *judge) judgeDetour(row, obs int) {
	d := j.detours[obs]
	if d.sure {
		j.excuseRow(row, sentences.OtherTool.With(j.Obs[obs].Name, j.Ref[d.ref].Name, strconv.Itoa(d.ref+1)))
		return
	}
	j.out[row] = Ruling{Verdict: Violation, Kind: Extra, Hint: true, Reason: sentences.MayBeOtherTool.With(j.Obs[obs].Name, j.Ref[d.ref].Name, strconv.Itoa(d.ref+1))}
}

// detourOf returns the action that did a step by another tool, or -1.
func (j *judge) detourOf(ref int) int {
	for o, d := range j.detours {
		if d.ref == ref {
			return o
		}
	}
	return -1
}

// sameByTool reports whether two calls of different tools do the same, and whether they surely do it to the same system.
func sameByTool(a, b *boundary.Action) (same, sure bool) {
	if a.Name == b.Name {
		return false, false
	}
	for _, pair := range [...][2]*boundary.Action{{a, b}, {b, a}} {
		by, tool := pair[0], pair[1]
		if command := commandOf(by); command != nil && commandOf(tool) == nil {
			if isFileDeed(command, tool) {
				return true, true
			}
			if command[0] == "curl" {
				if q := curlRequest(command); q != nil && q.isDeed(tool) {
					return true, false
				}
			} else if commandSays(command, tool) {
				return true, false
			}
		}
		if q := requestOf(by); q != nil && q.isDeed(tool) {
			return true, false
		}
	}
	return false, false
}

// commandOf returns the words of a call that is one simple command of a shell, or nil: nothing is expanded,
// redirected or joined.
func commandOf(a *boundary.Action) []string {
	text := ""
	for i := range a.Leaves {
		l := &a.Leaves[i]
		switch words := mutation.NameWords(l.Key); {
		case wordlist.HasLast(" command cmd commandline ", words) && strings.HasPrefix(l.Raw, `"`) && text == "":
			text = similarity.Plain(l.Raw)
		case !wordlist.HasAny(" timeout description explanation restart ", words):
			return nil
		}
	}
	if strings.ContainsAny(text, "|&;<>$`(){}*?~\\\n#![") && !strings.HasPrefix(text, "curl ") {
		return nil
	}
	return shellWords(text)
}

// shellWords splits a command at spaces outside quotes. It returns nil if a quote is not closed, or if a part
// outside single quotes could mean more than its text.
func shellWords(text string) (out []string) {
	var word strings.Builder
	open, quote := false, byte(0)
	for i := range len(text) {
		c := text[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote, open = c, true
		case quote != '\'' && strings.IndexByte("$`\\", c) >= 0, quote == 0 && strings.IndexByte("|&;<>(){}*?~\n#![", c) >= 0:
			return nil
		case quote == 0 && c == ' ':
			if open {
				out = append(out, word.String())
				word.Reset()
				open = false
			}
		default:
			word.WriteByte(c)
			open = true
		}
	}
	if quote != 0 {
		return nil
	}
	if open {
		out = append(out, word.String())
	}
	return out
}

// fileNouns are the words that tools' names have for what a command on files names.
const fileNouns = " file folder directory dir path item "

// fileCommand returns the verb of a command that only names files, and its options that change nothing of that. The
// verb is "" for any other command.
func fileCommand(name string) (verb, options string) {
	switch name {
	case "mv":
		return "move", " -f -v "
	case "cp":
		return "copy", " -f -v -p "
	case "rm":
		return "delete", " -f -v "
	case "rmdir", "unlink":
		return "delete", " -v "
	case "mkdir":
		return "create", " -p -v "
	case "touch":
		return "create", " "
	}
	return "", ""
}

// isFileDeed reports whether a tool does to its files what a command does.
func isFileDeed(command []string, tool *boundary.Action) bool {
	verb, options := fileCommand(command[0])
	if verb == "" {
		return false
	}
	var files []string
	for _, w := range command[1:] {
		switch {
		case !strings.HasPrefix(w, "-"):
			files = append(files, path.Clean(w))
		case !wordlist.Contains(options, w):
			return false
		}
	}
	words := tool.Words()
	if len(words) < 2 || len(files) == 0 || len(files) != len(tool.Leaves) || !verbs.Same(verb, words[0], verbs.KindsOf([]string{"file"})) ||
		slices.ContainsFunc(words[1:], func(w string) bool { return !wordlist.Contains(fileNouns, w) }) {
		return false
	}
	if (command[0] == "mkdir" || command[0] == "rmdir") == wordlist.HasAny(" file ", words) || command[0] == "touch" && !wordlist.HasAny(" file ", words) {
		return false
	}
	for i, l := range tool.Leaves {
		role := mutation.NameWords(l.Key)
		at := 0
		if len(files) == 2 && verb != "delete" && verb != "create" {
			switch isTo, isFrom := wordlist.HasAny(" to destination dest dst target new ", role), wordlist.HasAny(" from source src old ", role); {
			case isTo == isFrom:
				return false
			case isTo:
				at = 1
			}
		} else {
			at = i
		}
		if !strings.HasPrefix(l.Raw, `"`) || path.Clean(similarity.Plain(l.Raw)) != files[at] {
			return false
		}
	}
	return true
}

// commandSays reports whether a command of a program, such as kubectl scale deployment web --replicas=3, has just
// the words of a tool's name and the values of its arguments, and each option is one of these.
func commandSays(command []string, tool *boundary.Action) bool {
	words := slices.Clone(tool.Words())
	if len(words) == 0 || len(command) < 3 {
		return false
	}
	left := slices.Clone(tool.Leaves)
	take := func(option, value string) bool {
		for i, l := range left {
			key := strings.ToLower(l.Key)
			if strings.EqualFold(similarity.Plain(l.Raw), value) && (option == "" || key == option || len(option) == 1 && strings.HasPrefix(key, option)) {
				left = slices.Delete(left, i, i+1)
				return true
			}
		}
		return false
	}
	for i := 1; i < len(command); i++ {
		w := strings.ToLower(command[i])
		if strings.HasPrefix(w, "-") {
			option, value, ok := strings.Cut(strings.TrimLeft(w, "-"), "=")
			if !ok && i+1 < len(command) {
				i++
				value = command[i]
			}
			if option == "" || !take(strings.ReplaceAll(option, "-", "_"), value) {
				return false
			}
			continue
		}
		if at := slices.IndexFunc(words, func(word string) bool { return w == word || w == word+"s" }); at >= 0 {
			words = slices.Delete(words, at, at+1)
		} else if !take("", w) {
			return false
		}
	}
	return len(words) == 0 && len(left) == 0
}

// request is an HTTP request that changes something.
type request struct {
	method   string
	segments []string // of the path
	body     map[string]string
}

// requestOf returns the request that a call of a tool for HTTP makes, or nil.
func requestOf(a *boundary.Action) *request {
	if a.Mutation.Layer != mutation.LayerHTTP {
		return nil
	}
	q, address := &request{body: map[string]string{}}, ""
	for i := range a.Leaves {
		l := &a.Leaves[i]
		name, inner, nested := strings.Cut(l.Path, ".")
		switch words := mutation.NameWords(name); {
		case l.Key == "method" && !nested:
			q.method = strings.ToUpper(similarity.Plain(l.Raw))
		case wordlist.HasLast(" url uri endpoint path ", words) && !nested:
			address = similarity.Plain(l.Raw)
		case wordlist.HasLast(" body json data payload ", words) && nested && !strings.ContainsAny(inner, ".["):
			q.body[inner] = similarity.Plain(l.Raw)
		case wordlist.HasLast(" body json data payload ", words) && !nested && q.readBody(similarity.Plain(l.Raw)):
		case wordlist.HasLast(" header timeout ", words):
		default:
			return nil
		}
	}
	return q.withAddress(address)
}

// curlRequest returns the request that a curl command makes, or nil.
func curlRequest(command []string) *request {
	q, address := &request{body: map[string]string{}}, ""
	for i := 1; i < len(command); i++ {
		w, next := command[i], ""
		if i+1 < len(command) {
			next = command[i+1]
		}
		switch w {
		case "-X", "--request":
			q.method = strings.ToUpper(next)
			i++
		case "-d", "--data", "--data-raw", "--json":
			if !q.readBody(next) {
				return nil
			}
			if q.method == "" {
				q.method = "POST"
			}
			i++
		case "-H", "--header":
			i++
		case "-s", "-S", "-sS", "-f", "-i", "--silent", "--fail":
		default:
			if strings.HasPrefix(w, "-") || address != "" {
				return nil
			}
			address = w
		}
	}
	return q.withAddress(address)
}

// readBody adds the members of a JSON object. It returns false for any other text, and for members that hold
// more than one value.
func (q *request) readBody(text string) bool {
	v, err := jsonval.Parse(text)
	if err != nil || v.Kind() != jsonval.Object {
		return false
	}
	flat := true
	v.Each(func(name string, m jsonval.Value) bool {
		flat = m.Kind() != jsonval.Object && m.Kind() != jsonval.Array
		q.body[name] = m.Text()
		return flat
	})
	return flat
}

// withAddress adds the path of an address. It returns nil if the request is not complete.
func (q *request) withAddress(address string) *request {
	u, err := url.Parse(address)
	if err != nil || u.RawQuery != "" || u.Path == "" || !wordlist.Contains(" POST PUT PATCH DELETE ", q.method) {
		return nil
	}
	for s := range strings.SplitSeq(u.Path, "/") {
		if s != "" {
			q.segments = append(q.segments, s)
		}
	}
	return q
}

// isDeed reports whether a tool does what a request does: the method is its verb, the last noun of the path is its
// object, and its values are the ids of the path and the members of the body.
func (q *request) isDeed(tool *boundary.Action) bool {
	words := tool.Words()
	verb := map[string]string{"POST": "create", "PUT": "update", "PATCH": "update", "DELETE": "delete"}[q.method]
	if len(words) < 2 || len(tool.Leaves) == 0 || !verbs.Same(verb, words[0], verbs.KindsOf(words[1:])) {
		return false
	}
	values := map[string]int{} // in the path
	keys := slices.Clone(words[1:])
	members := 0
	for i := range tool.Leaves {
		l := &tool.Leaves[i]
		value := similarity.Plain(l.Raw)
		if given, ok := q.body[l.Key]; ok && l.Path == l.Key {
			if given != value {
				return false
			}
			members++
			continue
		}
		values[value]++
		keys = append(keys, mutation.NameWords(l.Key)...)
	}
	object := ""
	for _, s := range q.segments {
		noun := mutation.NameWords(s)
		switch {
		case values[s] > 0:
			values[s]--
		case len(noun) > 0 && slices.Contains(keys, noun[len(noun)-1]):
			object = noun[len(noun)-1]
		case s != "api" && s != "rest" && !(len(s) < 4 && s[0] == 'v'):
			return false
		}
	}
	for _, n := range values {
		if n != 0 {
			return false
		}
	}
	return members == len(q.body) && object == words[len(words)-1]
}

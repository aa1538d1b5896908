// Package respell gives the arguments of calls the names and the forms that a reference has for
// them.
//
// The arguments of one tool may be written in two ways, such as order_id and orderId, or named in
// two ways, such as src and source. The law of this package: an argument takes the name that the
// reference has for it only if both names have the same spelling (mutation.SpellingKey) or say the
// same of the call (argname.Same), the reference has no other such name, and the call does not use
// the reference's name itself. Values are not touched.
package respell

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/action/argname"
	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
	"github.com/boundcheck/boundcheck/core/ref/reference"
)

// Speller remembers the forms of names for several runs. The zero value remembers none.
type Speller struct{ keys map[string]string }

// Run respells the arguments of the calls of one run.
type Run struct {
	Unread int // the number of names that were not read for what they mean, because there are too many

	meant   int // the pairs of words that were compared
	speller *Speller
	ref     *reference.Reference
	steps   []boundary.Action // the default run of the reference; nil if it is a process
	tools   map[string]*argumentKeys
}

// NewRun returns what respells the calls of a run with a reference. steps are the steps of the
// reference, or nil if it is a process.
func (s *Speller) NewRun(ref *reference.Reference, steps []boundary.Action) *Run {
	if ref.Process != nil {
		steps = nil
	}
	return &Run{speller: s, ref: ref, steps: steps}
}

// Arguments returns the arguments of an observed action with the names of the reference, and
// reports whether a name differs. O(size of the arguments), and of the steps for the first action.
func (r *Run) Arguments(a *boundary.Action, arguments jsonval.Value) (out jsonval.Value, differs bool) {
	if arguments.Kind() != jsonval.Object || r.ref.Process == nil && !r.mayRespell(a) {
		return arguments, false
	}
	if r.tools == nil {
		r.tools = r.keysByTool()
	}
	k := r.tools[r.speller.nameKey(a.Name)]
	if k == nil || !k.unknown(arguments) {
		return arguments, false
	}
	text, differs := k.respell(arguments, "")
	if !differs {
		return arguments, false
	}
	out, err := jsonval.Parse(text)
	return out, err == nil
}

// argumentKeys are the names of the arguments that the steps with one tool have, at any depth.
type argumentKeys struct {
	object []string // of the tool's name
	exact  map[string]bool
	levels map[string]*level // of the arguments, and of each object and list in them, by its path
	forms  map[string]string // of a path and a name there: the name of the reference, or ""
	run    *Run
}

// level has the names in one place of the arguments.
type level struct {
	names     []string
	meanings  []argname.Name // of the first names; read once a name is looked for
	words     int            // of all names, about
	known     map[string]bool
	spellings map[string]string // by mutation.SpellingKey, the only name with it, or "" for several
}

// mostMeant is the number of pairs of words in names that are compared for what they mean in one
// run. Beyond them, a name is only looked for by its spelling.
const mostMeant = 1 << 16

// keysByTool returns the names of the arguments in the steps of the reference, by mutation.NameKey of
// the tool's name.
func (r *Run) keysByTool() map[string]*argumentKeys {
	out := map[string]*argumentKeys{}
	add := func(s *reference.Step) {
		if s.Arguments.Kind() != jsonval.Object && len(s.Expect) == 0 {
			return
		}
		form := r.speller.nameKey(s.Name)
		k := out[form]
		if k == nil {
			k = r.newArgumentKeys(s.Name)
			out[form] = k
		}
		k.add(s.Arguments, "")
		for i := range s.Expect {
			name, _, _ := strings.Cut(s.Expect[i].Path, ".")
			k.addName(name, "")
		}
	}
	r.ref.EachStep(add)
	return out
}

func (r *Run) newArgumentKeys(tool string) *argumentKeys {
	return &argumentKeys{mutation.DeedOf(tool).Object, map[string]bool{}, map[string]*level{}, map[string]string{}, r}
}

func (k *argumentKeys) add(v jsonval.Value, path string) {
	if v.Kind() < jsonval.Array {
		return
	}
	object := v.Kind() == jsonval.Object
	v.Each(func(key string, m jsonval.Value) bool {
		if object {
			k.addName(key, path)
		}
		k.add(m, path+"\x00"+key)
		return true
	})
}

func (k *argumentKeys) addName(name, path string) {
	k.exact[name] = true
	l := k.levels[path]
	if l == nil {
		l = &level{known: map[string]bool{}, spellings: map[string]string{}}
		k.levels[path] = l
	}
	if l.known[name] {
		return
	}
	l.known[name], l.names, l.words = true, append(l.names, name), l.words+wordsOf(name)
	spelling := mutation.SpellingKey(name)
	if _, shared := l.spellings[spelling]; shared {
		name = ""
	}
	l.spellings[spelling] = name
}

// wordsOf returns about how many words a name has.
func wordsOf(name string) int { return 1 + len(name)/8 }

// form returns the only name that the reference has at a path and that has the spelling of key, or
// else the only one that says the same of the call, or "".
func (k *argumentKeys) form(path, key string) string {
	at := path + "\x00\x00" + key
	name, known := k.forms[at]
	if known || k.levels[path] == nil || holdsData(path) {
		return name
	}
	l := k.levels[path]
	if name = l.spellings[mutation.SpellingKey(key)]; name == "" {
		if k.run.meant += wordsOf(key) * l.words; k.run.meant <= mostMeant {
			name = l.findOnly(key, k.object)
		} else {
			k.run.Unread++
		}
	}
	k.forms[at] = name
	return name
}

// dataWords end the names of arguments whose members are data of the user and no parameters of a tool.
const dataWords = " env environment variable var metadata label annotation "

// holdsData reports whether a path leads into an argument whose members are data, in which DB_HOST and db-host are two.
func holdsData(path string) bool {
	for name := range strings.SplitSeq(path, "\x00") {
		if wordlist.HasLast(dataWords, mutation.NameWords(name)) {
			return true
		}
	}
	return false
}

// findOnly returns the name that says the same of a call as key does, or "" for none or several.
func (l *level) findOnly(key string, object []string) (found string) {
	for _, name := range l.names[len(l.meanings):] {
		l.meanings = append(l.meanings, argname.Read(name))
	}
	meaning := argname.Read(key)
	for i := range l.meanings {
		if !l.meanings[i].Same(&meaning, object) {
			continue
		}
		if found != "" {
			return ""
		}
		found = l.names[i]
	}
	return found
}

// respell returns an object with the names of the reference for its members, and reports whether
// a name differs.
func (k *argumentKeys) respell(v jsonval.Value, path string) (text string, differs bool) {
	switch v.Kind() {
	case jsonval.Object:
	case jsonval.Array:
		var parts []string
		for _, m := range v.Elements() {
			part, other := k.respell(m, path+"\x00")
			parts, differs = append(parts, part), differs || other
		}
		return "[" + strings.Join(parts, ",") + "]", differs
	default:
		return v.Raw(), false
	}
	used := map[string]bool{}
	for _, key := range v.Keys() {
		used[key] = true
	}
	var b strings.Builder
	v.Each(func(key string, m jsonval.Value) bool {
		if !k.exact[key] {
			if name := k.form(path, key); name != "" && !used[name] {
				key, differs = name, true
				used[name] = true
			}
		}
		part, other := k.respell(m, path+"\x00"+key)
		differs = differs || other
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(jsonval.Quoted(key) + ":" + part)
		return true
	})
	return "{" + b.String() + "}", differs
}

// unknown reports whether an object has a member whose name the reference does not have.
func (k *argumentKeys) unknown(v jsonval.Value) bool {
	found := false
	object := v.Kind() == jsonval.Object
	v.Each(func(key string, m jsonval.Value) bool {
		found = found || object && !k.exact[key] || m.Kind() >= jsonval.Array && k.unknown(m)
		return !found
	})
	return found
}

// mostCompared is the number of steps, and of the arguments of an action, up to which they are
// compared one by one. Beyond it, it takes less to look for the names in those of all steps.
const mostCompared = 64

// mayRespell reports whether an observed action has an argument whose name no step with the same
// tool has, so that it is perhaps written in another way. It spares most actions the comparison.
func (r *Run) mayRespell(a *boundary.Action) bool {
	if len(r.steps) > mostCompared || len(a.Leaves) > mostCompared {
		return true
	}
	same := func(s *boundary.Action) bool {
		if s.Name == a.Name {
			return true
		}
		d := len(s.Name) - len(a.Name) // the marks and the ending of a plural
		return d >= -4 && d <= 4 && s.Name != "" && a.Name != "" && (s.Name[0]^a.Name[0])&^' ' == 0 && r.speller.nameKey(s.Name) == r.speller.nameKey(a.Name)
	}
	known := func(s *boundary.Action, key string) bool {
		for i := range s.Leaves {
			if s.Leaves[i].Key == key {
				return true
			}
		}
		return false
	}
	for i := range a.Leaves {
		key, tool, found := a.Leaves[i].Key, false, false
		for j := range r.steps {
			if s := &r.steps[j]; same(s) {
				tool = true
				if found = known(s, key); found {
					break
				}
			}
		}
		if !tool {
			return false
		}
		if !found {
			return true
		}
	}
	return false
}

// nameKey returns mutation.NameKey of a tool's name.
func (s *Speller) nameKey(name string) string {
	key, known := s.keys[name]
	if !known {
		if s.keys == nil {
			s.keys = map[string]string{}
		}
		key = mutation.NameKey(name)
		s.keys[name] = key
	}
	return key
}

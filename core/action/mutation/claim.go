package mutation

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// claim is what a row of a host table says about a tool whose host is not known. Many
// programs have a tool with the name of a row, so the name alone proves nothing. The law:
//
// A row of one host's table never makes a call milder unless the host is known, or the
// definition and the arguments are the host's.
//
// A call that no claim covers gets the strictest of the verdicts of the rows and of the
// name itself.
type claim struct {
	row      *HostRow
	start    start // by the row
	defined  bool  // the tool has a definition, and it is the host's
	disputed bool  // a definition is not the host's
}

// judgeHosted judges a tool, before its arguments are read, by the host tables and by its
// name and definition.
func judgeHosted(h Hosts, t Tool) start {
	rows, known := h.findRows(t.Name)
	if known {
		return rows[0].toolStart(t)
	}
	s := judgeTool(t)
	for _, r := range rows {
		s.claims = append(s.claims, newClaim(r, t, s.verdict))
	}
	return s
}

// newClaim compares the definition of a tool with a row. The argument own is the verdict
// on the tool by its name and its definition.
func newClaim(r *HostRow, t Tool, own Verdict) claim {
	c := claim{row: r, start: r.toolStart(t)}
	c.start.members.stranger = true
	if t.Parameters.Exists() {
		c.defined = r.declares(t.Parameters.Get("properties"))
		c.disputed = !c.defined
	}
	if own.Layer == LayerDescription && own.Mutating == Yes {
		c.disputed = true
	}
	return c
}

// covers reports whether the arguments, and the definition if there is one, are those of
// the host's tool. The arguments are the model's bytes. So they are not enough if the
// name of the tool means a change by itself, unless one of them has a form that is
// particular to the host (see holdsMark).
func (c *claim) covers(own Verdict, arguments jsonval.Value) bool {
	switch {
	case c.disputed:
		return false
	case !arguments.Exists():
		return c.defined
	case !c.row.accepts(arguments):
		return false
	}
	return c.defined || own.Mutating != Yes || c.row.holdsMark(arguments)
}

// weighArguments returns the verdict on a call of a tool. If there are no arguments, the
// verdict comes from the tool's schema. O(size of the arguments).
func weighArguments(s *start, arguments jsonval.Value, shell session) Verdict {
	var worst, covered Verdict
	for i := range s.claims {
		c := &s.claims[i]
		v := weighPlain(&c.start, arguments, shell)
		if c.covers(s.verdict, arguments) {
			covered = graver(covered, v)
		}
		worst = graver(worst, v)
	}
	if covered.Reason != "" {
		return covered
	}
	return graver(weighPlain(s, arguments, shell), worst)
}

// graver returns the stricter of two verdicts, of which either may have no reason yet.
// Among calls that change nothing, one that is no control action is the stricter.
func graver(a, b Verdict) Verdict {
	switch {
	case a.Reason == "":
		return b
	case b.Reason == "":
		return a
	case a.Control && b.Mutating == No:
		return b
	}
	return stricterVerdict(a, b)
}

// takesAnything reports whether the host's tool takes arguments of any name.
func (r *HostRow) takesAnything() bool { return r.Arguments == "*" }

// actions returns the operations of a row with the word act.
func (r *HostRow) actions() *actions {
	member, values, _ := strings.Cut(r.Detail, "=")
	return &actions{member: member, reads: strings.Split(values, "|")}
}

// names returns the names of the arguments of the host's tool.
func (r *HostRow) names() (names []string) {
	r.eachArgument(func(name, _ string, _ bool) { names = append(names, name) })
	return names
}

// eachArgument calls f for each argument of the host's tool. The argument items is the
// list of the members that the objects in it may have, separated by slashes, or "".
func (r *HostRow) eachArgument(f func(name, items string, required bool)) {
	if r.Arguments == "-" || r.Arguments == "?" || r.takesAnything() {
		return
	}
	for a := range strings.SplitSeq(r.Arguments, ",") {
		a, items, _ := strings.Cut(a, "[")
		name, required := strings.CutSuffix(a, "!")
		f(name, strings.TrimSuffix(items, "]"), required)
	}
}

// declares reports whether the properties of a schema are the arguments of the host's
// tool: it has no others, and it has each that the host requires.
func (r *HostRow) declares(properties jsonval.Value) bool {
	if r.Arguments == "?" {
		return false
	}
	if r.takesAnything() {
		return r.foreignMember(properties) == ""
	}
	left, all := properties.Len(), true
	r.eachArgument(func(name, _ string, required bool) {
		if properties.Get(name).Exists() {
			left--
		} else if required {
			all = false
		}
	})
	return all && left == 0
}

// accepts reports whether the arguments of a call could be those of the host's tool.
func (r *HostRow) accepts(arguments jsonval.Value) bool {
	if arguments.Kind() != jsonval.Object || !r.declares(arguments) {
		return false
	}
	fits := true
	r.eachArgument(func(name, items string, _ bool) {
		if v := arguments.Get(name); items != "" && v.Exists() {
			fits = fits && onlyRecords(v, items)
		}
	})
	return fits
}

// holdsMark reports whether the accepted arguments have a form that is particular to the
// host: a list of objects with the host's own members, one of the host's operations that
// read, or exactly the host's numbers. The words of a hand-over are such a form, because
// they carry nothing but speech.
func (r *HostRow) holdsMark(arguments jsonval.Value) bool {
	mark := r.Word == "speak"
	switch r.Word {
	case "numbers":
		mark = onlyNumbers(arguments, r.names())
	case "act":
		a := r.actions()
		op, text := arguments.Get(a.member).Str()
		mark = text && a.isReadOperation(op)
	}
	r.eachArgument(func(name, items string, _ bool) {
		mark = mark || items != "" && arguments.Get(name).Exists()
	})
	return mark
}

// onlyRecords reports whether v is a list of objects that have only the given members,
// each with a text, a number or a boolean, or a list as its value.
func onlyRecords(v jsonval.Value, members string) bool {
	fits := v.Kind() == jsonval.Array
	list := strings.Split(members, "/")
	v.Each(func(_ string, item jsonval.Value) bool {
		fits = fits && item.Kind() == jsonval.Object
		item.Each(func(name string, m jsonval.Value) bool {
			fits = fits && containsString(list, name) && m.Kind() != jsonval.Object
			return fits
		})
		return fits
	})
	return fits
}

// foreignMember returns a member that a tool that takes any arguments cannot have, or "".
// An answer names no deed and no file to write, and a hand-over only speaks.
func (r *HostRow) foreignMember(members jsonval.Value) (foreign string) {
	members.Each(func(name string, _ jsonval.Value) bool {
		switch k := memberKind(name); {
		case k == deedMember, k == outputMember:
			foreign = name
		case r.Word == "speak" && !speaksOf(splitWords(name)):
			foreign = name
		}
		return foreign == ""
	})
	return foreign
}

// speaksOf reports whether the words of a member's name mean that it says something.
func speaksOf(t []string) bool {
	return len(t) == 0 || (speechWord(t[len(t)-1]) || speechWord(t[0])) && !isListed(t[len(t)-1], amountList)
}

// mergeClaims merges the claims on two definitions of one tool name.
func mergeClaims(a, b []claim) []claim {
	out := make([]claim, len(a))
	for i := range a {
		out[i] = claim{a[i].row, mergeStarts(a[i].start, b[i].start), a[i].defined && b[i].defined, a[i].disputed || b[i].disputed}
	}
	return out
}

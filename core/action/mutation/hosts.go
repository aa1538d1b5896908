package mutation

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

//go:embed hosts.txt
var hostsText string

//go:embed servers.txt
var serversText string

// HostTable is a reviewed table of the tools of one host, a program that runs an agent or
// serves tools. All tables are used by default; an operator may select some of them. A
// claim (claim.go) says when a row counts.
type HostTable struct {
	Name     string // short and stable, such as "claude-code"
	Source   string // the source of the rows
	Anywhere bool   // rows also match the last part of a namespaced name
	Rows     []HostRow
}

// HostRow classifies one tool.
type HostRow struct {
	Tool      string // exact name; a trailing * matches any ending
	Word      string // read, change, ask, control, record, speak, shell, fetch, act, numbers
	Arguments string // that the host's tool takes, in the form of hosts.txt
	Detail    string // of act and read
}

// HostTables returns all reviewed tables in a fixed order. The caller must not change the
// tables.
func HostTables() []HostTable { return hosts().tables }

// IsHost reports whether there is a table with the given name.
func IsHost(name string) bool {
	for _, t := range HostTables() {
		if t.Name == name {
			return true
		}
	}
	return false
}

type hostIndex struct {
	tables []HostTable
	exact  map[string][]hostHit
	globs  []hostHit
}

type hostHit struct {
	table int
	row   *HostRow
}

var hosts = sync.OnceValue(func() hostIndex { return readHosts(hostsText + serversText) })

func readHosts(text string) hostIndex {
	var out hostIndex
	for line := range strings.SplitSeq(text, "\n") {
		tool, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "" || tool == "#":
		case tool == "table":
			name, scope, _ := strings.Cut(rest, " ")
			out.tables = append(out.tables, HostTable{Name: name, Anywhere: scope == "anywhere"})
		case tool == "source":
			out.tables[len(out.tables)-1].Source = rest
		default:
			t := &out.tables[len(out.tables)-1]
			word, rest, _ := strings.Cut(rest, " ")
			arguments, detail, _ := strings.Cut(rest, " ")
			t.Rows = append(t.Rows, HostRow{tool, word, arguments, detail})
		}
	}
	out.exact = map[string][]hostHit{}
	for i := range out.tables {
		for k := range out.tables[i].Rows {
			hit := hostHit{i, &out.tables[i].Rows[k]}
			if name := hit.row.Tool; strings.HasSuffix(name, "*") {
				out.globs = append(out.globs, hit)
			} else {
				out.exact[name] = append(out.exact[name], hit)
			}
		}
	}
	return out
}

// Hosts is a selection of reviewed tables. The zero value selects all of them, and knows
// none of the hosts.
type Hosts struct {
	chosen bool
	names  []string // the selected tables, if chosen
	known  []string // the tables of hosts that make the calls
}

// OnlyHosts selects only the named tables. The operator knows these hosts, so that their
// rows count whatever the arguments are. Unknown names select nothing.
func OnlyHosts(names ...string) Hosts { return Hosts{chosen: true, names: names, known: names} }

// Knowing adds a host that is known to make the calls, for example because the calls
// arrive on a connection that only this host uses. It selects no table that the operator
// did not select. The name "" adds nothing.
func (h Hosts) Knowing(name string) Hosts {
	if name != "" {
		h.known = append(h.known[:len(h.known):len(h.known)], name)
	}
	return h
}

func (h Hosts) hasHost(name string) bool { return !h.chosen || containsString(h.names, name) }

// findRows returns the rows for the name of a tool. The result known reports whether the
// host of the first row is known, and then there is only this row. The rows of the first
// of these that has any are returned:
//
//   - rows with the exact name
//   - rows with the last part of a name that has namespaces, in tables whose field Anywhere is true
//   - the first row with a pattern that matches the name
func (h Hosts) findRows(name string) (rows []*HostRow, known bool) {
	if h.chosen && len(h.names) == 0 {
		return nil, false
	}
	index := hosts()
	pick := func(hits []hostHit, whole bool) bool {
		for _, hit := range hits {
			t := &index.tables[hit.table]
			if !whole && !t.Anywhere || !h.hasHost(t.Name) {
				continue
			}
			if containsString(h.known, t.Name) {
				rows, known = []*HostRow{hit.row}, true
				return true
			}
			rows = append(rows, hit.row)
		}
		return len(rows) > 0
	}
	if pick(index.exact[name], true) {
		return rows, known
	}
	if last := lastPart(name); last != name && pick(index.exact[last], false) {
		return rows, known
	}
	for _, hit := range index.globs {
		rest, found := strings.CutPrefix(name, strings.TrimSuffix(hit.row.Tool, "*"))
		if found && !anyOf(splitWords(rest), holdsValue) && pick([]hostHit{hit}, true) {
			return rows, known
		}
	}
	return nil, false
}

// holdsValue reports whether a word means a place to which money or data can be moved. A
// transfer to such a place is not a hand-over to a person. An example is
// transfer_to_savings.
func holdsValue(w string) bool {
	return isListed(w, holdsValueList)
}

// lastPart returns the part of a name after its last namespace mark.
func lastPart(name string) string {
	for {
		_, after, found := cutMark(name)
		if !found || after == "" {
			return name
		}
		name = after
	}
}

// toolStart returns the judgement of a row of a host table on the tool t, before the
// arguments of a call are read. The hints in t can only make the verdict stricter.
func (r *HostRow) toolStart(t Tool) start {
	s := judgeTool(Tool{Name: t.Name, Parameters: t.Parameters})
	if r.Detail == "" && (r.Word == "read" && s.verdict.Mutating == No && !s.verdict.Control && s.language != httpText || r.Word == "change" && s.verdict.Mutating == Yes || r.Word == "speak" && s.verdict.Control) {
		s = judgeTool(t) // the name has the same meaning
		if r.Word == "read" {
			s.members.knowArguments(r)
		}
		return s
	}
	reason := "a reviewed table of known tools has this entry for the tool: " + r.Word
	s.language, s.final = plain, false
	switch r.Word {
	case "read":
		s.verdict = newVerdict(No, LayerTable, reason)
		s.members.knowArguments(r)
		if hidden, found := strings.CutPrefix(r.Detail, "!"); found {
			s.members.outputs = append(s.members.outputs, strings.Split(hidden, ",")...)
		}
	case "change":
		s.verdict, s.final = newVerdict(Yes, LayerTable, reason), true
	case "control":
		s.verdict, s.final = controlVerdict(LayerTable, reason), true
	case "record":
		s.verdict, s.members.takes = controlVerdict(LayerTable, reason), takesRecord
	case "speak":
		s.verdict, s.members.takes = controlVerdict(LayerTable, reason), takesHandover
	case "shell":
		s.verdict, s.language = newVerdict(Unknown, LayerTable, reason), shellText
	case "fetch":
		s.verdict, s.language, s.members.fetches = newVerdict(No, LayerTable, reason), httpText, true
	case "act":
		s.members.actions = r.actions()
		s.verdict, s.language = newVerdict(Unknown, LayerTable, "the value of "+s.members.actions.member+" decides whether something changes"), actionText
	case "numbers":
		s.members.numbers = r.names()
	default:
		s.verdict = newVerdict(Unknown, LayerTable, reason)
	}
	if s.static = s.verdict; s.language == httpText {
		s.static = newVerdict(Unknown, LayerTable, "the address decides whether something changes")
	}
	if hinted := applyAnnotations(s.verdict, Tool{Annotations: t.Annotations}); hinted.Mutating.rank() > s.verdict.Mutating.rank() {
		s.verdict, s.static, s.final, s.language = hinted, hinted, true, plain
	}
	return s
}

// knowArguments notes the arguments of a row that reads. The row knows the tool better
// than the words of its name.
func (m *members) knowArguments(r *HostRow) {
	m.ofHost = r.names()
	if m.takes == takesFilters || m.takes == takesInfo {
		m.takes = takesNothing
	}
}

// onlyNumbers reports whether the arguments consist of exactly the listed members, and
// each is a number.
func onlyNumbers(arguments jsonval.Value, names []string) bool {
	if arguments.Len() != len(names) {
		return false
	}
	for _, name := range names {
		if arguments.Get(name).Kind() != jsonval.Number {
			return false
		}
	}
	return true
}

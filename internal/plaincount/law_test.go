package plaincount_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/read"
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/core/trajectory"
	"github.com/boundcheck/boundcheck/internal/plaincount"
	"github.com/boundcheck/boundcheck/internal/recordings"
)

// The conservation law: each call and each result that the plain counter sees is read, or
// the document says that it was not read, and the document does not say this of more. An id
// is not read more often than it occurs. If the document has one run for each record of the
// text, this is true of each record alone. A record that is a run of its own is one.
//
// Calls are compared by their ids, or by name and arguments, and not by number: a text repeats
// them. The counter does not see calls in sentences, so more may be read than it sees.

// stated matches a warning that says how many calls or results were not read.
var stated = regexp.MustCompile(`^(?:(\d+) objects? looks? like|the results? of (\d+) calls?|(\d+) lines? of sub-agents)`)

// account holds the numbers of calls that were read: by id, of those with a result by id,
// and by name. The steps of references count by name.
type account struct {
	ids, answered, names map[string]int
}

func newAccount(runs []trajectory.Trajectory) *account {
	a := &account{map[string]int{}, map[string]int{}, map[string]int{}}
	for i := range runs {
		t := &runs[i]
		for j := range t.Actions {
			c := &t.Actions[j]
			if a.ids[c.CallID]++; c.Observation != nil {
				a.answered[c.CallID]++
			}
			a.names[c.Name]++
		}
		if t.Reference != nil {
			a.addSteps(t.Reference)
		}
	}
	return a
}

func (a *account) addSteps(r *reference.Reference) {
	for i := range r.Steps {
		a.names[r.Steps[i].Name]++
	}
}

// statement holds what the warnings of a document say is unread.
type statement struct {
	n     int          // calls and results
	lines map[int]bool // lines of rows and calls
}

func newStatement(doc *trajectory.Document) statement {
	s := statement{lines: map[int]bool{}}
	for _, w := range doc.Warnings {
		switch m := stated.FindStringSubmatch(w.Message); {
		case m != nil:
			n, _ := strconv.Atoi(m[1] + m[2] + m[3])
			s.n += n
		case slices.Contains([]string{"row-not-read", "call-without-name", "call-not-object", "result-without-call", "second-result", "invalid-line", "line-not-read"}, w.Code):
			s.lines[w.Line] = true
		}
	}
	return s
}

// coversPlace reports whether a warning says that a row around s was not read.
func (l statement) coversPlace(s plaincount.Seen) bool {
	return slices.ContainsFunc(s.Lines, func(line int) bool { return l.lines[line] })
}

// findMissingOf is like findMissing, but the references of other files were read, too.
func (a *account) findMissingOf(seen []plaincount.Seen, shared *trajectory.Shared) []string {
	if shared != nil {
		for _, r := range shared.References {
			a.addSteps(r)
		}
	}
	return a.findMissing(seen)
}

// findMissing returns the calls and results that were not read.
func (a *account) findMissing(seen []plaincount.Seen) []string {
	var lost []string
	known, wanted := map[string]bool{}, map[string]int{}
	for _, s := range seen { // ids first: a call may occur again without its id
		key := s.ID + "\x00" + s.Name
		if s.Result || s.ID == "" || known[key] {
			continue
		}
		known[key], known["\x00"+s.Name+"\x00"+s.Arguments] = true, true
		if a.ids[s.ID] == 0 {
			wanted[s.Name]++
		}
	}
	for key, calls := range byIdentity(seen) { // the first is counted by its id
		id, name, _ := strings.Cut(key, "\x00")
		if n := a.ids[id]; n > 0 && calls > n {
			lost = append(lost, fmt.Sprintf("%d× %s with the id %s and other arguments", calls-n, name, id))
		}
	}
	for _, s := range seen {
		if key := "\x00" + s.Name + "\x00" + s.Arguments; !s.Result && s.ID == "" && !known[key] {
			known[key] = true
			wanted[s.Name]++
		}
	}
	for name, n := range wanted {
		if more := n - a.countNamed(name); more > 0 {
			lost = append(lost, fmt.Sprintf("%d× %s", more, name))
		}
	}
	for _, s := range seen {
		if key := "result " + s.ID; s.Result && s.ID != "" && a.ids[s.ID] > 0 && a.answered[s.ID] == 0 && !known[key] {
			known[key] = true
			lost = append(lost, key)
		}
	}
	slices.Sort(lost)
	return lost
}

// byIdentity returns how many calls there are with one id and one name, by both. Calls with
// other arguments are other calls. A list of arguments without members may come before the
// complete one.
func byIdentity(seen []plaincount.Seen) map[string]int {
	calls, known := map[string]int{}, map[string]bool{}
	for _, s := range seen {
		key := s.ID + "\x00" + s.Name
		if s.Result || s.ID == "" || len(s.Arguments) <= len("{}") || s.Arguments[0] != '{' || known[key+s.Arguments] {
			continue
		}
		known[key+s.Arguments] = true
		calls[key]++
	}
	return calls
}

// countNamed returns how many calls were read under a name, with or without a server's prefix.
func (a *account) countNamed(name string) int {
	n := 0
	for other, times := range a.names {
		if other == name || strings.HasSuffix(name, other) || strings.HasSuffix(other, name) {
			n += times
		}
	}
	return n
}

// findBreach returns how a document breaks the law, or "".
func findBreach(data []byte, doc *trajectory.Document) string {
	count, _ := plaincount.Walk(data)
	said := newStatement(doc)
	seen := slices.DeleteFunc(count.Seen, said.coversPlace)
	lost := newAccount(doc.Trajectories).findMissingOf(seen, doc.Shared)
	if count.Records > 1 && count.Records == len(doc.Trajectories) {
		lost = nil
		for i := range doc.Trajectories {
			own := slices.DeleteFunc(slices.Clone(seen), func(s plaincount.Seen) bool { return s.Record != i })
			lost = append(lost, newAccount(doc.Trajectories[i:i+1]).findMissing(own)...)
		}
	}
	if len(lost) > said.n {
		return fmt.Sprintf("%s: read %d calls; not read and not stated: %s", doc.Format, countCalls(doc), strings.Join(lost, "; "))
	}
	if len(doc.Trajectories)+len(said.lines) < count.Runs {
		return fmt.Sprintf("%s: %d records say that they are runs, %d runs were read", doc.Format, count.Runs, len(doc.Trajectories))
	}
	times := map[string]int{}
	for _, s := range seen {
		if !s.Result {
			times[s.ID]++
		}
	}
	for id, n := range newAccount(doc.Trajectories).ids {
		if id != "" && times[id] > 0 && n > times[id] {
			return fmt.Sprintf("%s: call %s was read %d times and occurs %d times", doc.Format, id, n, times[id])
		}
	}
	return ""
}

// countOverstated returns how many more calls and results the document states as unread than
// the plain counter sees without a reading. The counter sees only objects as calls, so what
// the document names as a call that is not an object does not count.
func countOverstated(data []byte, doc *trajectory.Document) int {
	count, isJSON := plaincount.Walk(data)
	said := newStatement(doc)
	if !isJSON || said.n == 0 {
		return 0
	}
	for _, w := range doc.Warnings {
		if w.Code == "call-not-object" {
			said.n--
		}
	}
	return said.n - len(newAccount(doc.Trajectories).findMissingOf(slices.DeleteFunc(count.Seen, said.coversPlace), doc.Shared))
}

func countCalls(doc *trajectory.Document) int {
	n := 0
	for i := range doc.Trajectories {
		n += len(doc.Trajectories[i].Actions)
	}
	return n
}

// TestConservation holds the readers to the law on every file of testdata, and on the
// recorded runs.
func TestConservation(t *testing.T) {
	holdFiles(t, filepath.Join(recordings.Root(), "testdata"))
	t.Run("recordings", func(t *testing.T) {
		dir := recordings.Dir()
		if _, err := os.Stat(dir); err != nil {
			t.Skipf("SKIPPED: no recorded runs in %s", dir)
		}
		holdFiles(t, dir)
	})
}

// large is the size of a file that only a long test reads.
const large = 1 << 20

func holdFiles(t *testing.T, dir string) {
	files, calls := 0, 0
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.Name() == "golden" || e.Name() == "doors" {
			return filepath.SkipDir // answers, and a table whose traces are texts, some of them cut: no walk over JSON reads these
		}
		if e.IsDir() {
			return nil
		}
		if info, err := e.Info(); err != nil || info.Size() > large && os.Getenv("BOUNDCHECK_LONG") == "" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		doc, err := read.Decode(data)
		if err != nil {
			return nil // all of it is stated as unread
		}
		files, calls = files+1, calls+countCalls(&doc)
		if fault := findBreach(data, &doc); fault != "" {
			t.Errorf("%s: %s", path, fault)
		}
		if more := countOverstated(data, &doc); more > 0 {
			t.Errorf("%s: %d more calls and results are stated as unread than the plain counter sees", path, more)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d files with %d calls", files, calls)
}

// TestLawFindsOverstatement adds one call to what a document states as unread.
func TestLawFindsOverstatement(t *testing.T) {
	text := []byte(`[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"pay","arguments":"{}"}}]}]`)
	doc, err := read.Decode(text)
	if err != nil || countOverstated(text, &doc) != 0 {
		t.Fatalf("%v, %+v", err, doc.Warnings)
	}
	doc.Warnings = append(doc.Warnings, trajectory.Warning{Code: "calls-not-read", Message: "1 object looks like a call but was not read as a call: line 1"})
	if more := countOverstated(text, &doc); more != 1 {
		t.Errorf("%d more are stated, want 1", more)
	}
}

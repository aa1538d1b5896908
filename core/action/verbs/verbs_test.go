package verbs

import (
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

func TestSame(t *testing.T) {
	for _, c := range []struct {
		verbs, object string
		want          bool
	}{
		{"terminate fire", "employee", true},
		{"terminate end", "contract", true},
		{"terminate end", "employee", false},
		{"terminate fire", "server", false}, // a server may be a person or a machine
		{"terminate fire", "rocket", false},
		{"turn_off switch_off", "lamp", true},
		{"turn_off turn_on", "lamp", false},
		{"enroll register", "student", true},
		{"create issue", "invoice", true},
		{"create issue", "weapon", false},
		{"raise lift", "hammer", true},
		{"raise lift", "ticket", false},
		{"delete remove", "zorb", true},
		{"register register", "", true},
		{"sanction approve", "supplier", false},
		{"blorp delete", "file", false},
		{"open create", "claim", true},
		{"open create", "document", false},
		{"raise increase", "price", true},
		{"raise increase", "invoice", false},
		{"schedule book", "appointment", true},
		{"schedule book", "flight", false},
		{"merge join", "document", true},
		{"merge join", "team", false},
		{"give grant", "access", true},
		{"extend prolong", "deadline", true},
		{"extend renew", "contract", false},
	} {
		a, b, _ := strings.Cut(c.verbs, " ")
		if got := Same(a, b, KindsOf(strings.Fields(c.object))); got != c.want {
			t.Errorf("%s %s: %v, want %v", c.verbs, c.object, got, c.want)
		}
	}
}

func TestWider(t *testing.T) {
	for _, c := range []struct {
		wide, verb, object string
		want               bool
	}{
		{"change", "rename", "file", true},
		{"rename", "change", "file", false},
		{"get_rid_of", "erase", "message", true},
		{"pay", "transfer", "money", true},
		{"read", "transfer", "money", false},
		{"buy", "purchase", "ticket", true},
		{"stop", "cancel", "subscription", true},
		{"cancel", "stop", "subscription", false},
	} {
		if got := Wider(c.wide, c.verb, KindsOf([]string{c.object})); got != c.want {
			t.Errorf("%s for %s %s: %v, want %v", c.verb, c.wide, c.object, got, c.want)
		}
	}
}

// TestKinds checks with random verbs and kinds that Same is reflexive and symmetric, that
// it holds for several kinds exactly if it holds for each, and that a deed is as wide as
// itself. A second reading of the table, a line at a time, must agree.
func TestKinds(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 5))
	rows, _, _ := strings.Cut(tableText[strings.Index(tableText, "[same]\n"):], "[wide]")
	all := strings.Fields(strings.NewReplacer("[same]", "", kindLetters, "").Replace(rows))
	near := func(i int) int { return max(0, min(len(all)-1, i+r.IntN(5)-2)) } // often of one row
	found := 0
	for range 3000 {
		i := r.IntN(len(all))
		a, b, on := all[i], all[near(i)], Kinds(1+r.IntN(int(Anything)))
		want := true
		for i := range kindLetters {
			if on&(1<<i) == 0 {
				continue
			}
			has := a == b
			for line := range strings.Lines(rows) {
				kinds, verbs, _ := strings.Cut(strings.TrimSpace(line), " ")
				has = has || strings.Contains(kinds, kindLetters[i:i+1]) && strings.Contains(" "+verbs+" ", " "+a+" ") && strings.Contains(" "+verbs+" ", " "+b+" ")
			}
			want = want && has
		}
		if Same(a, b, on) != want || Same(b, a, on) != want || want && !Wider(a, b, on) {
			t.Fatalf("%s and %s on %b: %v, want %v", a, b, on, Same(a, b, on), want)
		}
		if want && a != b {
			found++
		}
	}
	if found < 100 {
		t.Errorf("only %d pairs were one deed", found)
	}
}

// TestTable checks the hash that each table names, that each row can be read, and that the
// licence of its source is there.
func TestTable(t *testing.T) {
	for first, text := range map[string]string{"[same]\n": tableText, "[nouns]\n": namesText} {
		head, body, _ := strings.Cut(text, first)
		sum := sha256.Sum256([]byte(first + body))
		if !strings.Contains(head, "# sha256:"+hex.EncodeToString(sum[:])+"\n") {
			t.Error("a table was changed by hand; change internal/verbtable/review.txt and run make hosts VERBS=1")
		}
		if licence, err := os.ReadFile("LICENSE.wordnet"); err != nil || !strings.Contains(head, "LICENSE.wordnet") || !strings.Contains(string(licence), "Princeton University") {
			t.Errorf("no licence: %v", err)
		}
	}
	if len(tableText) > 60<<10 || len(namesText) > 4<<10 {
		t.Errorf("the tables have %d and %d bytes", len(tableText), len(namesText))
	}
	table := index()
	if table.same.Len() < 200 || len(table.wide) < 20 || table.nouns.Len() < 2000 {
		t.Errorf("the table has %d verbs, %d wide verbs and %d nouns", table.same.Len(), len(table.wide), table.nouns.Len())
	}
	for _, r := range table.same.Get("delete") {
		if r.kinds == 0 || len(r.verbs) < 2 {
			t.Errorf("a row %v", r)
		}
	}
}

// TestNames checks the nouns for one thing, and the light verbs with a noun.
func TestNames(t *testing.T) {
	for noun, want := range map[string]string{"booking": "reservation", "reservation": "reservation", "picture": "photo", "zorb": "zorb"} {
		if got := OneNoun(noun); got != want {
			t.Errorf("%s is %s, want %s", noun, got, want)
		}
	}
	for _, c := range [...][3]string{{"add", "attachment", "attach"}, {"make", "booking", "book"}, {"delete", "attachment", ""}, {"send", "reminder", "remind"}, {"create", "reminder", ""}, {"add", "zorb", ""}} {
		if got := Act(c[0], c[1]); got != c[2] || c[2] != "" && !IsAct(got) {
			t.Errorf("%s %s is %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

// TestOpposite checks pairs of words of messages, both ways round.
func TestOpposite(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{{"accept", "decline", true}, {"open", "close", true}, {"accept", "approve", false}, {"accept", "accept", false}, {"cept", "decl", false}, {"sell sell", "", false}} {
		if AreOpposite(c.a, c.b) != c.want || AreOpposite(c.b, c.a) != c.want {
			t.Errorf("%s and %s: want %v", c.a, c.b, c.want)
		}
	}
}

// TestTakesBack checks which deeds take back one another, and that only those with a mark do.
func TestTakesBack(t *testing.T) {
	for _, c := range []struct {
		verb, back   string
		doubtful, ok bool
	}{{"create", "delete", false, true}, {"delete", "create", false, false}, {"lock", "unlock", false, true}, {"unlock", "lock", false, true},
		{"grant", "revoke", true, true}, {"revoke", "grant", true, true}, {"hold", "release", false, true}, {"release", "hold", false, false},
		{"accept", "decline", false, false}, {"", "delete", false, false}, {"create", "", false, false}, {"creat", "e delete", false, false}} {
		if doubtful, ok := TakesBack(c.verb, c.back); doubtful != c.doubtful || ok != c.ok {
			t.Errorf("%s takes back %s: %v %v", c.back, c.verb, doubtful, ok)
		}
	}
	if !MayUndo("release") || MayUndo("decline") || !SetsState("lock") || SetsState("grant") || SetsState("create") {
		t.Error("a verb has another role")
	}
	marked := 0
	for line := range strings.Lines(opposites()) {
		words := strings.Fields(line)
		if len(words) < 2 {
			continue
		}
		doubtful, ok := TakesBack(words[0], words[1])
		_, reverse := TakesBack(words[1], words[0])
		if ok != (len(words) > 2) || doubtful != (len(words) > 2 && words[2] == "<>?") || reverse != (len(words) > 2 && words[2] != "<") {
			t.Errorf("row %q: %v %v %v", line, doubtful, ok, reverse)
		}
		marked += len(words) / 3
	}
	if marked < 50 {
		t.Errorf("%d rows have a mark", marked)
	}
}

func BenchmarkReadTable(b *testing.B) {
	for b.Loop() {
		readTable(tableText)
	}
}

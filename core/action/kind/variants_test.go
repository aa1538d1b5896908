package kind

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/similarity"
)

// outcomeFor returns the outcome for two texts of an argument.
func outcomeFor(tool, key, a, b string) Outcome {
	_, o := Compare(NewTool(tool), key, Side{Raw: strconv.Quote(a)}, Side{Raw: strconv.Quote(b)})
	return o
}

// TestMayBeNotation is the law of values of kinds with more notations than our tables have: what only a name that stands for a
// value, another spelling or a bound of days sets apart is never certain to differ, and another value in the same
// notation is.
func TestMayBeNotation(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 1))
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	for range 400 {
		folder, other := pick("nets", "boats", "tar"), pick("hulls", "ropes", "paint")
		day := 1 + r.IntN(27)
		date := func(n int) string { return fmt.Sprintf("2027-05-%02d", n) }
		op := pick("DELETE FROM log", "UPDATE log SET seen = 1")
		rows := []struct {
			tool, key, a, b string
			differs         bool
		}{
			{"bash", "command", "rm -r /home/eli/" + folder, "rm -r $HOME/" + folder, false},
			{"bash", "command", "rm -r /home/eli/" + folder, "rm -r \"${HOME}/" + folder + "\"", false},
			{"bash", "command", "rm -r /home/eli/" + folder, "rm -r ~/" + folder, false},
			{"bash", "command", "rm -r /home/eli/" + folder, "rm -r ~/" + other, true},
			{"bash", "command", "rm -r /home/eli/" + folder, "rm -r $HOME/" + other, true},
			{"bash", "command", "git push origin " + folder, "git push origin HEAD", false},
			{"bash", "command", "git push origin " + folder, "git push --force origin HEAD", true},
			{"bash", "command", "git push origin " + folder, "git push mirror HEAD", true},
			{"bash", "command", "git push origin " + folder, "git push origin " + other, true},
			{"db", "sql", op + " WHERE d <= '" + date(day) + "'", op + " WHERE d < '" + date(day+1) + "'", false},
			{"db", "sql", op + " WHERE d > '" + date(day) + "'", op + " WHERE d >= '" + date(day+1) + "'", false},
			{"db", "sql", op + " WHERE d < '" + date(day) + "'", op + " WHERE d <= '" + date(day+1) + "'", true},
			{"db", "sql", op + " WHERE d <= '" + date(day) + "'", op + " WHERE d <= '" + date(day+1) + "'", true},
			{"db", "sql", op + " WHERE d <= '" + date(day) + "'", op + " WHERE d < '" + date(day) + "'", true},
			{"set_mode", "state", "canceled", "cancelled", false},
			{"set_theme", "color_name", "centre-grey", "center-gray", false},
			{"set_mode", "state", "canceled", "closed", true},
			{"book_fare", "from", "Lisbon Humberto Delgado (LIS)", "LIS", false},
			{"book_fare", "from", "Lisbon Humberto Delgado (LIS)", "OPO", true},
		}
		for _, x := range rows {
			for _, o := range []Outcome{outcomeFor(x.tool, x.key, x.a, x.b), outcomeFor(x.tool, x.key, x.b, x.a)} {
				if isSure := o == Differs || o == Likely; isSure != x.differs || o == Same {
					t.Fatalf("%+v: outcome %d", x, o)
				}
			}
		}
	}
}

// TestWrittenInAnotherCode is the law of texts in another code: they are the same if and only if their decoded texts are.
func TestWrittenInAnotherCode(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 2))
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	for range 400 {
		text := pick("gulls & terns", "a<b", "Käse", "3 > 2", "plain") + pick("", " \"old\"", " 7")
		other := pick("gulls and terns", "a>b", "Kase", "2 > 3", "plane")
		codes := map[string]string{"base64": base64.StdEncoding.EncodeToString([]byte(text)), "hex": hex.EncodeToString([]byte(text)), "utf-8": text}
		for name, code := range codes {
			for wanted, plain := range map[bool]string{true: text, false: other} {
				p := pairOf("write_note", "content", code, name, plain, "text")
				if o := p.compareEncoded(); o != Open && (o == Same) != wanted {
					t.Fatalf("%s %q and %q: outcome %d", name, code, plain, o)
				} else if o == Open && name != "utf-8" {
					t.Fatalf("%s is not read", name)
				}
			}
		}
		entity := func(s string, how int) (out string) {
			for _, c := range s {
				switch {
				case c < 0x80 && c != '<' && c != '>' && c != '&':
					out += string(c)
				case how == 0:
					out += fmt.Sprintf("&#%d;", c)
				case how == 1:
					out += fmt.Sprintf("&#x%X;", c)
				case c == '<':
					out += "&lt;"
				case c == '>':
					out += "&gt;"
				case c == '&':
					out += "&amp;"
				default:
					out += "&#" + strconv.Itoa(int(c)) + ";"
				}
			}
			return out
		}
		for how := range 3 {
			a, b := "<p>"+entity(text, how)+"</p>", "<p>"+entity(text, (how+1)%3)+"</p>"
			if o := outcomeFor("put_page", "html", a, b); o != Same {
				t.Fatalf("%q and %q: outcome %d", a, b, o)
			}
			if o := outcomeFor("put_page", "html", a, "<p>"+entity(other, how)+"</p>"); o == Same {
				t.Fatalf("%q and %q are called the same", a, other)
			}
		}
		if o := outcomeFor("put_page", "html", "<p>&lt;b&gt;x</p>", "<p><b>x</p>"); o == Same {
			t.Fatal("an escaped tag is called a tag")
		}
	}
}

func pairOf(tool, key, a, encodingA, b, encodingB string) pair {
	side := func(text, encoding string) Side {
		return Side{Raw: strconv.Quote(text), Path: key, Leaves: []similarity.Leaf{{Path: key, Key: key}, {Path: "encoding", Key: "encoding", Raw: strconv.Quote(encoding)}}}
	}
	return newPair(NewTool(tool), key, side(a, encodingA), side(b, encodingB))
}

// TestLinesWithOneEffect tries lines that do the same by the manuals of their programs, and neighbours that do not.
func TestLinesWithOneEffect(t *testing.T) {
	for _, x := range []struct {
		a, b string
		want Outcome
	}{
		{"sed -i 's#red#blue#g' sky.ini", "sed -i 's/red/blue/g' sky.ini", Same},
		{"sed -i 's#red#blue#' sky.ini", "sed -i 's/red/blue/g' sky.ini", Differs},
		{"sed -i 's#re/d#blue#g' sky.ini", "sed -i 's|re/d|blue|g' sky.ini", Differs},
		{"find /var/kelp -type f -name '*.old' -exec rm {} +", "find /var/kelp -type f -name '*.old' -delete", Same},
		{"find /var/kelp -type f -name '*.old' -exec rm -f {} ';'", "find /var/kelp -type f -name '*.old' -delete", Same},
		{"find /var/kelp -name '*.old' -exec rm {} +", "find /var/kelp -name '*.old' -delete", Differs},
		{"find /var/kelp -type f -name '*.old' -exec cat {} +", "find /var/kelp -type f -name '*.old' -delete", Differs},
	} {
		if o := outcomeFor("bash", "command", x.a, x.b); o != x.want {
			t.Errorf("%q and %q: outcome %d, want %d", x.a, x.b, o, x.want)
		}
	}
	for _, x := range []struct {
		a, b string
		same bool
	}{
		{"three times a day", "3x/day", true}, {"twice daily", "2 times per day", true}, {"once a week", "1x weekly", true},
		{"three times a day", "2x/day", false}, {"3x/day", "3x/week", false}, {"tid", "3 times daily", true}, {"every 3 days", "3x/day", false},
	} {
		if o := outcomeFor("prescribe", "frequency", x.a, x.b); (o == Same) != x.same {
			t.Errorf("%q and %q: outcome %d", x.a, x.b, o)
		}
	}
}

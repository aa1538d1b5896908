package score

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// spell writes words as a name in one of several ways.
func spell(random *rand.Rand, words []string) string {
	switch random.IntN(4) {
	case 0:
		return strings.Join(words, "_")
	case 1:
		return strings.Join(words, "-")
	}
	upper := func(w string) string { return strings.ToUpper(w[:1]) + w[1:] }
	var b strings.Builder
	for i, w := range words {
		if i > 0 || random.IntN(2) == 0 {
			w = upper(w)
		}
		b.WriteString(w)
	}
	return b.String()
}

// TestArgumentNamesAreRespelled draws calls whose names are written in another way than those of
// the reference. Each call is right if its words and values are, and wrong otherwise.
func TestArgumentNamesAreRespelled(t *testing.T) {
	random := rand.New(rand.NewPCG(45, 5))
	words := []string{"order", "user", "color", "start", "end", "item", "note", "city", "zip"}
	var right, wrong int
	for n := range drawn.Cases(1500) {
		var keys [][]string
		seen := map[string]bool{}
		for range 1 + random.IntN(3) {
			k := []string{words[random.IntN(len(words))], words[random.IntN(len(words))]}
			if text := strings.Join(k, " "); k[0] != k[1] && !seen[text] {
				seen[text] = true
				keys = append(keys, k)
			}
		}
		if len(keys) == 0 {
			continue
		}
		var expected, actual []string
		equal := true
		for i, k := range keys {
			expected = append(expected, fmt.Sprintf("%q:%d", strings.Join(k, "_"), i))
			value := i
			switch random.IntN(8) {
			case 0: // another value
				value, equal = i+7, false
			case 1: // another word
				k, equal = []string{k[0], "other"}, false
			case 2: // the plural is another argument
				k, equal = []string{k[0], k[1] + "s"}, false
			}
			actual = append(actual, fmt.Sprintf("%q:%d", spell(random, k), value))
		}
		body := fmt.Sprintf(`{"trace":{"actions":[{"name":"update_thing","arguments":{%s},"result":"ok"}]},"reference":[{"name":"updateThing","arguments":{%s}}],"profile":"sop"}`, strings.Join(actual, ","), strings.Join(expected, ","))
		r, err := ReadRequest([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		report, err := Evaluate(r)
		if err != nil {
			t.Fatal(err)
		}
		run := &report.Trajectories[0]
		if good := len(run.Violations) == 0; good != equal {
			t.Fatalf("case %d: right %v, want %v: %s\n%+v", n, good, equal, body, run.Violations)
		}
		if equal {
			right++
		} else {
			wrong++
		}
	}
	if min(right, wrong) < 300 {
		t.Errorf("%d right, %d wrong cases are too few", right, wrong)
	}
}

// TestDeedsOnKinds checks verbs that are one deed on some kinds of objects, and not on others.
func TestDeedsOnKinds(t *testing.T) {
	for _, c := range []struct {
		reference, call string
		same            bool
	}{
		{`{"name":"ship_order","arguments":{"id":1}}`, `{"name":"dispatch_order","arguments":{"id":1}}`, true},
		{`{"name":"delete_recording","arguments":{"id":1}}`, `{"name":"erase_recording","arguments":{"id":1}}`, true},
		{`{"name":"grade_essay","arguments":{"id":1,"score":2}}`, `{"name":"mark_essay","arguments":{"id":1,"score":2}}`, true},
		{`{"name":"transfer_funds","arguments":{"from":"a","to":"b","amount":5}}`, `{"name":"move_funds","arguments":{"from":"a","to":"b","amount":5}}`, true},
		{`{"name":"transfer_employee","arguments":{"id":1}}`, `{"name":"move_employee","arguments":{"id":1}}`, false},
		{`{"name":"delete_server","arguments":{"id":1}}`, `{"name":"erase_server","arguments":{"id":1}}`, false},
		{`{"name":"send_sms","arguments":{"to":["+15550191","+15550192"],"text":"x"}}`, `{"name":"send_sms","arguments":{"to":"+15550191","text":"x"}},{"name":"send_sms","arguments":{"to":"+15550192","text":"x"}}`, true},
		{`{"name":"send_sms","arguments":{"to":["+15550191","+15550192"],"text":"x"}}`, `{"name":"send_sms","arguments":{"to":"+15550191","text":"x"}},{"name":"send_sms","arguments":{"to":"+15550193","text":"x"}}`, false},
		{`{"name":"update_book","arguments":{"book_id":1,"title":"x","price":2}}`, `{"name":"updateBook","arguments":{"bookId":1,"title":"x"}},{"name":"updateBook","arguments":{"bookId":1,"price":2}}`, true},
		{`{"name":"update_book","arguments":{"book_id":1,"title":"x","price":2}}`, `{"name":"updateBook","arguments":{"bookId":1,"title":"x"}},{"name":"updateBook","arguments":{"bookId":2,"price":2}}`, false},
	} {
		r, err := ReadRequest([]byte(`{"trace":{"actions":[` + c.call + `]},"reference":[` + c.reference + `],"profile":"outcome"}`))
		if err != nil {
			t.Fatal(err)
		}
		report, err := Evaluate(r)
		if err != nil {
			t.Fatal(err)
		}
		if same := len(report.Trajectories[0].Violations) == 0; same != c.same {
			t.Errorf("%s for %s: same %v, want %v", c.call, c.reference, same, c.same)
		}
	}
}

// TestSwappedPlacesAreAnotherCall draws calls that take something from one place to another, under
// other names of the arguments and perhaps of the tool. A call with the places swapped, or with a
// value that belongs elsewhere, is wrong; one with each value in its place is right.
func TestSwappedPlacesAreAnotherCall(t *testing.T) {
	random := rand.New(rand.NewPCG(45, 10))
	one := func(words ...string) string { return words[random.IntN(len(words))] }
	var right, wrong int
	for n := range drawn.Cases(600) {
		what := one("", "_account", "_path", "_id")
		from := func() string { return one("from", "source", "src", "origin") + what }
		to := func() string { return one("to", "target", "destination", "dst", "dest") + what }
		tools := [...][2]string{{"move_file", "move_file"}, {"transfer_fund", "transferFunds"}, {"move_file", "relocate_file"}, {"send_parcel", "dispatch_package"}}[random.IntN(4)]
		x, y := fmt.Sprintf("A-%d", n), fmt.Sprintf("B-%d", n)
		expected := fmt.Sprintf(`{"%s":%q,"%s":%q}`, from(), x, to(), y)
		good := random.IntN(2) == 0
		if !good {
			other := [...][2]string{{y, x}, {x, x}, {y, y}, {x, "C-1"}}[random.IntN(4)]
			x, y = other[0], other[1]
		}
		actual := fmt.Sprintf(`{"%s":%q,"%s":%q}`, from(), x, to(), y)
		got, _, _ := evaluateRun(t, fmt.Sprintf(`{"trace":[{"name":%q,"arguments":%s}],"reference":[{"name":%q,"arguments":%s}],"profile":"outcome"}`, tools[1], actual, tools[0], expected))
		if (got == "") != good {
			t.Fatalf("case %d: %s%s for %s%s: %q, want good %v", n, tools[1], actual, tools[0], expected, got, good)
		}
		if good {
			right++
		} else {
			wrong++
		}
	}
	if min(right, wrong) < 150 {
		t.Errorf("%d right, %d wrong cases are too few", right, wrong)
	}
}

package kind

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// outcomeOf compares two values, as JSON texts, of an argument that stands alone in its call.
func outcomeOf(tool, key, a, b string) Outcome {
	side := func(raw string) Side {
		return Side{raw, key, []similarity.Leaf{{Path: key, Key: key, Raw: raw, Value: raw}}}
	}
	_, o := Compare(NewTool(tool), key, side(a), side(b))
	return o
}

// TestPercentIsUncertain draws a share and its hundredfold. Percent may explain them, so no
// difference is certain. Other ratios and amounts are.
func TestPercentIsUncertain(t *testing.T) {
	r := rand.New(rand.NewPCG(59, 2))
	shares := strings.Fields("rate ratio probability interest_rate vat fee_percent discount_percent completion progress threshold moisture_share tip dose_level load battery")
	counts := strings.Fields("amount price seats_count budget order_id quantity")
	for range drawn.Cases(2000) {
		share := 1 + r.IntN(99)
		small, large := fmt.Sprintf("0.%02d", share), fmt.Sprint(share)
		if r.IntN(2) == 0 {
			small, large = large, small
		}
		if r.IntN(3) == 0 {
			small, large = fmt.Sprintf("%q", small), fmt.Sprintf("%q", large)
		}
		key := shares[r.IntN(len(shares))]
		if o := outcomeOf("set_irrigation", key, small, large); o == Differs {
			t.Errorf("%s: %s beside %s is certain", key, small, large)
		}
		if o := outcomeOf("set_irrigation", key, fmt.Sprint(share), fmt.Sprint(share+1+r.IntN(60))); o != Differs {
			t.Errorf("%s: another number than %d is %v", key, share, o)
		}
		key = counts[r.IntN(len(counts))]
		if o := outcomeOf("set_irrigation", key, fmt.Sprintf("0.%02d", share), fmt.Sprint(share)); o != Differs {
			t.Errorf("%s: 0.%02d beside %d is %v", key, share, share, o)
		}
	}
}

// TestProseIsUncertain draws sentences of other words. What they say is for a judge, unless they are
// code or the content of a file.
func TestProseIsUncertain(t *testing.T) {
	r := rand.New(rand.NewPCG(59, 3))
	words := strings.Fields("harvest barn roof leaks since spring pump noisy ward door stuck again cold tractor needs oil")
	sentence := func() string {
		out := make([]string, 3+r.IntN(6))
		for i := range out {
			out[i] = words[r.IntN(len(words))]
		}
		return fmt.Sprintf("%q", strings.Join(out, " ")+[]string{"", ".", "!"}[r.IntN(3)])
	}
	for range drawn.Cases(1000) {
		tool := strings.Fields("write_review insert_entry append_remark edit_report create_case update_record")[r.IntN(6)]
		key := strings.Fields("text content body description details value summary")[r.IntN(7)]
		a, b := sentence(), sentence()
		if o := outcomeOf(tool, key, a, b); o == Differs {
			t.Errorf("%s(%s): %s beside %s is certain", tool, key, a, b)
		}
		if o := outcomeOf("edit_code", "source_code", a[:len(a)-1]+`\nreturn 1"`, b[:len(b)-1]+`\nreturn 2"`); o != Differs {
			t.Errorf("code that differs is %v", o)
		}
	}
}

// TestFactsOfWordings draws two wordings of one message, or of one with another number or day.
func TestFactsOfWordings(t *testing.T) {
	r := rand.New(rand.NewPCG(59, 4))
	numbers := [][2]string{{"3", "three"}, {"4", "four"}, {"12", "twelve"}, {"7", "seven"}}
	for range drawn.Cases(1000) {
		i, k := r.IntN(len(numbers)), r.IntN(len(numbers))
		who := []string{"Sails", "Ropes", "Anchors"}[r.IntN(3)]
		a := fmt.Sprintf("%s for the ship are stored: %s crates in all", who, numbers[i][r.IntN(2)])
		b := fmt.Sprintf("We put %s crates of equipment aside for the ship, all of it %s", numbers[k][r.IntN(2)], who)
		if r.IntN(3) == 0 {
			b = fmt.Sprintf("%s crates in all: %s for the ship are stored", numbers[k][r.IntN(2)], who)
		}
		o := outcomeOf("update_record", "note", fmt.Sprintf("%q", a), fmt.Sprintf("%q", b))
		if (o == Differs) != (i != k) {
			t.Errorf("%q beside %q is %v", a, b, o)
		}
	}
}

// TestPercentOrNumber draws a percentage and the number of it in an argument that is a share: a judge decides. Another
// number is another share.
func TestPercentOrNumber(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 5))
	keys := strings.Fields("rate discount_rate interest_rate share discount margin level commission")
	for range drawn.Cases(1000) {
		key, n := keys[r.IntN(len(keys))], 1+r.IntN(99)
		percent, number := fmt.Sprintf(`"%d%%"`, n), fmt.Sprint(n)
		if r.IntN(2) == 0 {
			number = fmt.Sprintf("%q", number)
		}
		if o := outcomeOf("set_discount", key, percent, number); o != Unsure {
			t.Errorf("%s: %s beside %s is %v", key, percent, number, o)
		}
		if o := outcomeOf("set_discount", key, percent, fmt.Sprint(n+1+r.IntN(50))); o != Differs {
			t.Errorf("%s: another number than %s is %v", key, percent, o)
		}
	}
}

// TestSettingsWithUnits draws the value of a setting, a number with its unit: a blank between the two is notation. Another
// number or unit is another value, and in a file the blank counts.
func TestSettingsWithUnits(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 6))
	units := strings.Fields("s ms min h d MB GiB kHz km kg m/s V")
	for range drawn.Cases(1000) {
		tool := strings.Fields("set_config update_configuration edit_config")[r.IntN(3)]
		i, n := r.IntN(len(units)), 1+r.IntN(900)
		a, b := fmt.Sprintf(`"%d %s"`, n, units[i]), fmt.Sprintf(`"%d%s"`, n, units[i])
		if o := outcomeOf(tool, "value", a, b); o != Same {
			t.Errorf("%s: %s beside %s is %v", tool, a, b, o)
		}
		if o := outcomeOf("write_file", "content", a, b); o == Same {
			t.Errorf("the bytes of a file: %s is %s", a, b)
		}
		other := fmt.Sprintf(`"%d%s"`, n+r.IntN(2), units[(i+1+r.IntN(len(units)-1))%len(units)])
		if o := outcomeOf(tool, "value", a, other); o == Same {
			t.Errorf("%s is %s", a, other)
		}
	}
}

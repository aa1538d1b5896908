package failure

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// TestMayStateFailure checks that no object that says of itself that the call failed is
// passed over before it is parsed: whatever failedStatus looks for is in what mayStateFailure
// finds.
func TestMayStateFailure(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 2))
	words := append(strings.Fields(failureStates), "Denied", "REFUSED", "pending", "ok", "red", "400", "503", "40", "4000", "done", `den\u0069ed`, "fail ed")
	keys := strings.Fields("status state code status_code httpStatus message id total")
	blanks := []string{"", " ", "\n\t"}
	found := 0
	for range 5000 {
		var members []string
		for range 1 + random.IntN(3) {
			word, blank := words[random.IntN(len(words))], blanks[random.IntN(len(blanks))]
			value := `"` + word + `"`
			if word[0] >= '0' && word[0] <= '9' && random.IntN(2) == 0 {
				value = word
			}
			members = append(members, fmt.Sprintf(`"%s"%s:%s%s`, keys[random.IntN(len(keys))], blank, blank, value))
		}
		text := "{" + strings.Join(members, ",") + "}"
		v, err := jsonval.Parse(text)
		if err != nil {
			t.Fatal(text, err)
		}
		fails := false
		v.Each(func(key string, m jsonval.Value) bool {
			fails = fails || isHTTPError(m) || oneOf(strings.ToLower(m.Text()), failureStates)
			return true
		})
		if fails {
			found++
		}
		if fails && !mayStateFailure(text) {
			t.Fatalf("%s is passed over", text)
		}
	}
	if found < 1000 || mayStateFailure(`{"order_id": "W-1", "status": "pending", "color": "red", "total": 12}`) {
		t.Fatalf("%d of 5000 objects fail; is everything parsed?", found)
	}
}

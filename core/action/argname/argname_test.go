package argname

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

func TestSame(t *testing.T) {
	for _, c := range []struct {
		a, b, object string
		want         bool
	}{
		{"src", "source", "file", true},
		{"dst", "destination", "file", true},
		{"recipient", "to", "email", true},
		{"recipients", "to", "email", true},
		{"recipient_email", "to", "message", true},
		{"from_account", "source_account", "fund", true},
		{"to_account", "destination", "fund", true},
		{"source_lang", "source_language", "text", true},
		{"start_time", "from", "meeting", true},
		{"order_id", "id", "order", true},
		{"order_id", "order", "order", true},
		{"device", "device_name", "song", true},
		{"username", "user_name", "user", true},
		{"num_passengers", "number_of_passengers", "taxi", true},
		{"phone", "phone_number", "contact", true},
		{"qty", "quantity", "item", true},
		{"desc", "description", "ticket", true},
		{"body", "text", "message", true},
		{"old_name", "from", "file", true},

		{"from", "to", "fund", false},
		{"source", "target", "file", false},
		{"start", "end", "meeting", false},
		{"to", "reply_to", "email", false},
		{"to", "cc", "email", false},
		{"min", "max", "limit", false},
		{"user_id", "tenant_id", "user", false},
		{"order_id", "item_id", "order item", false},
		{"order_id", "id", "order item", false},
		{"order_id", "order_ids", "order", false},
		{"order_id", "id_order", "order", false},
		{"name", "last_name", "profile", false},
		{"user_name", "user_id", "user", false},
		{"text", "old_text", "file", false},
		{"subject", "body", "email", false},
		{"address_line_1", "address_line_2", "user", false},
		{"departure_date", "date", "flight", false},
		{"port", "portfolio", "server", false},
		{"amount", "account", "fund", false},
		{"shipping_address", "billing_address", "order", false},
		{"shipping_address", "address", "order", false},
		{"id", "code", "coupon", false},
		{"url", "name", "page", false},
	} {
		object := strings.Fields(c.object)
		if got, back := Same(c.a, c.b, object), Same(c.b, c.a, object); got != c.want || back != got {
			t.Errorf("%s and %s of %s: %v and %v, want %v", c.a, c.b, c.object, got, back, c.want)
		}
	}
}

// TestOppositePlaces draws names of arguments and checks that the relation is symmetric, and that
// two names of which one says from where and the other where to are never the same.
func TestOppositePlaces(t *testing.T) {
	random := rand.New(rand.NewPCG(45, 9))
	from, to := strings.Fields("from source src origin departure sender payer old since start"), strings.Fields("to into target destination dst arrival recipient payee new until end")
	rest := strings.Fields("id name user users account date time text city email file item order address number code 1 2")
	draw := func(words []string) string {
		out := []string{words[random.IntN(len(words))]}
		for range random.IntN(3) {
			out = append(out, rest[random.IntN(len(rest))])
		}
		random.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
		return strings.Join(out, "_")
	}
	same := 0
	for range drawn.Cases(3000) {
		a, b, c := draw(from), draw(to), draw(from)
		object := []string{rest[random.IntN(len(rest))]}
		if Same(a, b, object) || Same(b, a, object) {
			t.Fatalf("%s and %s are the same", a, b)
		}
		if Same(a, c, object) != Same(c, a, object) {
			t.Fatalf("%s and %s are the same in one direction", a, c)
		}
		if Same(a, c, object) {
			same++
		}
	}
	if same < 30 {
		t.Errorf("only %d pairs were the same", same)
	}
}

package audit

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// arguments holds the arguments of all tools that a rule reads.
type arguments struct {
	UserID        string    `json:"user_id"`
	ReservationID string    `json:"reservation_id"`
	OrderID       string    `json:"order_id"`
	ProductID     string    `json:"product_id"`
	Cabin         string    `json:"cabin"`
	Flights       []leg     `json:"flights"`
	Passengers    []person  `json:"passengers"`
	Payments      []payment `json:"payment_methods"`
	PaymentID     string    `json:"payment_id"`
	PaymentMethod string    `json:"payment_method_id"`
	Total         *float64  `json:"total_baggages"`
	Nonfree       *float64  `json:"nonfree_baggages"`
	ItemIDs       []string  `json:"item_ids"`
	NewItemIDs    []string  `json:"new_item_ids"`
	Reason        string    `json:"reason"`
	Expression    string    `json:"expression"`
	Origin        string    `json:"origin"`
	Destination   string    `json:"destination"`
}

type leg struct {
	Number string  `json:"flight_number"`
	Date   string  `json:"date"`
	Price  float64 `json:"price"`
}

type person struct {
	First string `json:"first_name"`
	Last  string `json:"last_name"`
	Born  string `json:"dob"`
}

func (p person) fullName() string { return p.First + " " + p.Last }

type payment struct {
	ID     string  `json:"payment_id"`
	Amount float64 `json:"amount"`
}

type reservation struct {
	ID          string   `json:"reservation_id"`
	UserID      string   `json:"user_id"`
	Origin      string   `json:"origin"`
	Destination string   `json:"destination"`
	Trip        string   `json:"flight_type"`
	Cabin       string   `json:"cabin"`
	Flights     []leg    `json:"flights"`
	Passengers  []person `json:"passengers"`
	Created     string   `json:"created_at"`
	Total       float64  `json:"total_baggages"`
	Nonfree     float64  `json:"nonfree_baggages"`
	Insurance   string   `json:"insurance"`
}

type order struct {
	ID     string `json:"order_id"`
	UserID string `json:"user_id"`
	Items  []item `json:"items"`
	Status string `json:"status"`
}

type item struct {
	Name      string            `json:"name"`
	ProductID string            `json:"product_id"`
	ID        string            `json:"item_id"`
	Price     float64           `json:"price"`
	Options   map[string]string `json:"options"`
}

type product struct {
	Name     string             `json:"name"`
	Variants map[string]variant `json:"variants"`
}

type variant struct {
	ID        string            `json:"item_id"`
	Options   map[string]string `json:"options"`
	Available bool              `json:"available"`
	Price     float64           `json:"price"`
}

type user struct {
	Name         person            `json:"name"`
	Born         string            `json:"dob"`
	Methods      map[string]method `json:"payment_methods"`
	Saved        []person          `json:"saved_passengers"`
	Membership   string            `json:"membership"`
	Reservations []string          `json:"reservations"`
}

type method struct {
	Source  string  `json:"source"`
	Brand   string  `json:"brand"`
	Last    string  `json:"last_four"`
	Amount  float64 `json:"amount"`
	Balance float64 `json:"balance"`
}

// readArguments decodes the arguments of a call. A member of the wrong type counts as
// missing.
func readArguments(text json.RawMessage) (out arguments) {
	var members map[string]json.RawMessage
	if decodeJSON(text, &members) != nil {
		return out
	}
	for name, v := range members {
		one, _ := json.Marshal(map[string]json.RawMessage{name: v})
		_ = json.Unmarshal(one, &out) // a member of the wrong type stays empty
	}
	return out
}

func decodeJSON(text json.RawMessage, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return d.Decode(v)
}

// wish holds the task's text for its user, in lower case.
type wish struct {
	text      string
	sentences []string
}

func wishOf(instruction string) wish {
	text := strings.ToLower(instruction)
	return wish{text, strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(".!?\n;", r) })}
}

// mentionsAny reports whether the text contains one of the words, with any ending.
func (w wish) mentionsAny(words ...string) bool { return containsWord(w.text, words...) }

// splitWords returns the text's words and numbers.
func (w wish) splitWords() []string {
	return strings.FieldsFunc(w.text, func(r rune) bool { return r > 127 || !isWordByte(byte(r)) })
}

func containsWord(text string, words ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		for from := 0; ; {
			i := strings.Index(text[from:], word)
			if i < 0 {
				return false
			}
			if at := from + i; at == 0 || !isWordByte(text[at-1]) {
				return true
			}
			from += i + 1
		}
	})
}

func isWordByte(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }

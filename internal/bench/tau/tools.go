package tau

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/internal/bench/env"
	"github.com/boundcheck/boundcheck/plugins/sdk/pycall"
	desk "github.com/boundcheck/boundcheck/plugins/taubench/env"
)

// words are the descriptions of the tools, for folders that do not describe them.
var words = map[string]string{
	"book_reservation":               "Books flights for passengers and charges the payment methods.",
	"calculate":                      "Works out an arithmetic expression.",
	"cancel_pending_order":           "Cancels an order that is pending.",
	"cancel_reservation":             "Cancels a whole reservation and refunds it.",
	"exchange_delivered_order_items": "Exchanges items of a delivered order for other variants of the same products.",
	"find_user_id_by_email":          "Finds a user's id by the email address.",
	"find_user_id_by_name_zip":       "Finds a user's id by name and postal code.",
	"get_flight_status":              "Returns the status of a flight on a date.",
	"get_item_details":               "Looks up one variant of a product.",
	"get_order_details":              "Looks up an order.",
	"get_product_details":            "Looks up a product with its variants.",
	"get_reservation_details":        "Looks up a reservation.",
	"get_user_details":               "Looks up a user's profile.",
	"list_all_airports":              "Lists the airports and their cities.",
	"list_all_product_types":         "Lists the products and their ids.",
	"modify_pending_order_address":   "Changes the address of a pending order.",
	"modify_pending_order_items":     "Exchanges items of a pending order for other variants of the same products.",
	"modify_pending_order_payment":   "Changes how a pending order is paid.",
	"modify_user_address":            "Changes a user's default address.",
	"return_delivered_order_items":   "Returns items of a delivered order for a refund.",
	"search_direct_flight":           "Lists the flights between two airports on a date.",
	"search_onestop_flight":          "Lists the connections with one stop between two airports on a date.",
	"send_certificate":               "Gives a user a certificate for an amount.",
	"think":                          "Records a thought. It reads and changes nothing.",
	"transfer_to_human_agents":       "Hands the user over to a person.",
	"update_reservation_baggages":    "Changes the number of bags of a reservation.",
	"update_reservation_flights":     "Changes the flights or the cabin of a reservation.",
	"update_reservation_passengers":  "Changes the details of a reservation's passengers.",
}

// parameters maps the name of a parameter to its kind and its description. The kinds are
// string, integer, number, [string], an enumeration a|b, and the lists of objects below.
var parameters = map[string][2]string{
	"address1":          {"string", "First line of the address"},
	"address2":          {"string", "Second line of the address, or nothing"},
	"amount":            {"number", "Amount in dollars"},
	"cabin":             {"basic_economy|economy|business", "Cabin"},
	"city":              {"string", "City"},
	"country":           {"string", "Country"},
	"date":              {"string", "Date, as 2024-05-01"},
	"destination":       {"string", "Airport of arrival, three letters"},
	"email":             {"string", "Email address"},
	"expression":        {"string", "Numbers, + - * / ( ) . and blanks"},
	"first_name":        {"string", "First name"},
	"flight_number":     {"string", "Number of the flight"},
	"flight_type":       {"one_way|round_trip", "One way, or there and back"},
	"flights":           {"[flight]", "All flights of the trip, including those that do not change"},
	"insurance":         {"yes|no", "Whether the trip is insured"},
	"item_id":           {"string", "Id of a variant"},
	"item_ids":          {"[string]", "Ids of the items; an item that the order contains twice can be listed twice"},
	"last_name":         {"string", "Last name"},
	"new_item_ids":      {"[string]", "Ids of the new items, in the order of the old items"},
	"nonfree_baggages":  {"integer", "Number of bags that are paid for"},
	"order_id":          {"string", "Id of the order, with its # in front"},
	"origin":            {"string", "Airport of departure, three letters"},
	"passengers":        {"[passenger]", "All passengers"},
	"payment_id":        {"string", "Id of a payment method of the user's profile"},
	"payment_method_id": {"string", "Id of a payment method of the user's profile"},
	"payment_methods":   {"[payment]", "What is charged to each payment method"},
	"product_id":        {"string", "Id of the product"},
	"reason":            {"no longer needed|ordered by mistake", "Why it is cancelled"},
	"reservation_id":    {"string", "Id of the reservation"},
	"state":             {"string", "State"},
	"summary":           {"string", "What the user wants, in short"},
	"thought":           {"string", "The thought"},
	"total_baggages":    {"integer", "Number of bags in all"},
	"user_id":           {"string", "Id of the user"},
	"zip":               {"string", "Postal code"},
}

// objects lists the members of the objects in these lists.
var objects = map[string]string{"flight": "flight_number date", "passenger": "first_name last_name dob", "payment": "payment_id amount"}

type schema struct {
	Type        string   `json:"type,omitempty"`
	Description string   `json:"description,omitempty"`
	Enum        []string `json:"enum,omitempty"`
	Items       *schema  `json:"items,omitempty"`
	Properties  *members `json:"properties,omitempty"`
	Required    []string `json:"required,omitempty"`
}

// members are properties in order.
type members struct {
	names []string
	of    map[string]schema
}

func (m *members) MarshalJSON() ([]byte, error) {
	b := []byte("{")
	for i, name := range m.names {
		text, err := json.Marshal(m.of[name])
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, "%q:%s", name, text)
	}
	return append(b, '}'), nil
}

func kindOf(kind, description string) schema {
	s := schema{Type: kind, Description: description}
	if inner, ok := strings.CutPrefix(kind, "["); ok {
		one := kindOf(strings.TrimSuffix(inner, "]"), "")
		if names, ok := objects[one.Type]; ok {
			one = paramSchema(strings.Fields(names), nil)
		}
		s.Type, s.Items = "array", &one
	} else if strings.Contains(kind, "|") {
		s.Type, s.Enum = "string", strings.Split(kind, "|")
	}
	return s
}

// paramSchema returns the schema of an object that has the given members. A member's
// description comes from the map described. A member without a description in this map
// gets this package's description.
func paramSchema(names []string, described map[string]string) schema {
	s := schema{Type: "object", Properties: &members{names: names, of: map[string]schema{}}, Required: names}
	for _, name := range names {
		p, ok := parameters[name]
		if !ok { // a date of birth is the only other parameter
			p = [2]string{"string", "Date of birth, as 1990-01-31"}
		}
		if text := described[name]; text != "" {
			p[1] = text
		}
		s.Properties.of[name] = kindOf(p[0], p[1])
	}
	return s
}

// ownTools returns a domain's tools with this package's descriptions.
func ownTools(domain desk.Domain, dialect desk.Dialect) (all []env.Tool) {
	for _, name := range desk.Tools(dialect, domain) {
		params, writes, _ := desk.Signature(domain, dialect, name)
		all = append(all, env.Tool{Name: name, Description: words[name], Parameters: encodeSchema(paramSchema(params, nil)), Mutating: writes})
	}
	return all
}

func encodeSchema(s schema) json.RawMessage {
	if s.Required == nil {
		s.Required = []string{}
	}
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // strings only
	}
	return text
}

// information matches the literal that get_info of a τ-bench class returns.
var information = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?ms)def get_info\([^)]*\)[^:]*:\s*return\s(.*?)(?:^\s*(?:@|def |class )|\z)`)
})

// readTool reads a tool's definition from the source text of its class. It returns an
// error if the class and the built-in tool have different parameters.
func readTool(t *env.Tool, text string) error {
	part := information().FindStringSubmatch(text)
	if part == nil {
		return errors.New("the class has no get_info that returns a literal")
	}
	program, err := pycall.Parse(part[1])
	if err != nil {
		return fmt.Errorf("get_info: %w", err)
	}
	if len(program) == 0 {
		return errors.New("get_info returns nothing")
	}
	raw, err := literalToJSON(&program[0].Value)
	if err != nil {
		return fmt.Errorf("get_info: %w", err)
	}
	var info struct {
		Function struct {
			Name, Description string
			Parameters        json.RawMessage
		}
	}
	var takes struct{ Properties map[string]json.RawMessage }
	if err := json.Unmarshal(raw, &info); err != nil {
		return fmt.Errorf("get_info: %w", err)
	}
	if err := json.Unmarshal(info.Function.Parameters, &takes); err != nil {
		return fmt.Errorf("get_info: parameters: %w", err)
	}
	if info.Function.Name != t.Name {
		return fmt.Errorf("get_info describes %q, want %q", info.Function.Name, t.Name)
	}
	var own struct{ Properties map[string]json.RawMessage }
	if err := json.Unmarshal(t.Parameters, &own); err != nil {
		return err
	}
	for name := range takes.Properties {
		if own.Properties[name] == nil {
			return fmt.Errorf("%s has the parameter %q, which the built-in tool does not have", t.Name, name)
		}
	}
	if len(takes.Properties) != len(own.Properties) {
		return fmt.Errorf("%s has %d parameters, but the built-in tool has %d", t.Name, len(takes.Properties), len(own.Properties))
	}
	t.Description, t.Parameters = info.Function.Description, info.Function.Parameters
	return nil
}

// function matches a function of τ² with its docstring, and argument a line of the
// docstring's list of arguments.
var (
	function = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)\bdef ([a-z_]+)\([^)]*\)[^:"]*:\s*"""(.*?)"""`) })
	argument = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*([a-z_0-9]+)(?:\s*\([^)]*\))?:\s*(.+)$`) })
)

// describeTools sets the descriptions of τ²'s tools and of their parameters. It reads the
// descriptions from the source text of the class of the tools. The types of the
// parameters stay unchanged.
func describeTools(tools []env.Tool, domain desk.Domain, text string) {
	texts := map[string]string{}
	for _, m := range function().FindAllStringSubmatch(text, -1) {
		texts[m[1]] = m[2]
	}
	for i := range tools {
		doc, ok := texts[tools[i].Name]
		if !ok {
			continue
		}
		params, _, _ := desk.Signature(domain, desk.Tau2, tools[i].Name)
		what, described := readDoc(doc)
		if what != "" {
			tools[i].Description = what
		}
		tools[i].Parameters = encodeSchema(paramSchema(params, described))
	}
}

// readDoc reads a docstring in Google's style. The result what is the text before the
// first section. The result args contains the descriptions in the section "Args:", by the
// name of the parameter.
func readDoc(doc string) (what string, args map[string]string) {
	args = map[string]string{}
	section, last := "", ""
	var lines []string
	for line := range strings.Lines(doc) {
		text := strings.TrimSpace(line)
		switch {
		case text == "Args:" || text == "Returns:" || text == "Raises:" || text == "Examples:":
			section = text
		case section == "":
			lines = append(lines, text)
		case section == "Args:":
			if m := argument().FindStringSubmatch(text); m != nil {
				last = m[1]
				args[last] = m[2]
			} else if text != "" && last != "" {
				args[last] += " " + text
			}
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n")), args
}

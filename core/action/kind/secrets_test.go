package kind

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/codes"
)

// TestSecretsAreExact gives each pair of the table of notations to arguments that hold a secret: texts that
// differ in any letter or sign are never the same.
func TestSecretsAreExact(t *testing.T) {
	pairs := [][2]string{{"on", "true"}, {"no", "false"}, {"2:00 PM", "14:00"}, {"1,000", "1000"}, {"1e3", "1000"}, {"+7", "7"}, {"$20", "20 USD"}, {"5 min", "300 s"}, {"a b", "a  b"}, {"sk-abc ", "sk-abc"}}
	for _, n := range notations {
		for line := range strings.SplitSeq(n.Values, "\n") {
			list := strings.Split(strings.TrimSpace(line), " | ")
			for i := 1; i < len(list); i++ {
				if a, b := newValue(list[0], nil), newValue(list[i], nil); a.isString() && b.isString() && !a.isMultiline() && len(a.text) < 100 {
					pairs = append(pairs, [2]string{a.text, b.text})
				}
			}
		}
	}
	if len(pairs) < 100 {
		t.Fatalf("only %d pairs", len(pairs))
	}
	for _, key := range []string{"password", "new_password", "client_secret", "otp", "passphrase", "salt", "passcode", "pass", "pwd", "credential", "seed_phrase", "security_answer", "recovery_phrase", "auth_token", "api_key"} {
		for _, c := range pairs {
			if strings.HasPrefix(c[0], "/") || strings.HasPrefix(c[0], ".") || strings.HasPrefix(c[0], "~") || len(c[0]) > 32 {
				continue // a working directory, or the digits of a hash
			}
			if name, o := compareTextsOf("set_login", key, c[0], c[1]); codes.Compose(c[0]) != codes.Compose(c[1]) && o == Same {
				t.Errorf("%s %q and %q are the same %s", key, c[0], c[1], name)
			}
		}
	}
}

// compareTextsOf is Compare of two texts without others beside them.
func compareTextsOf(tool, key, a, b string) (Name, Outcome) {
	none := func(string) string { return "" }
	p := pair{tool: NewTool(tool), name: mutation.NameWords(key), many: isMany(key), a: stringValue(a, none), b: stringValue(b, none)}
	return p.compare()
}

// TestNumbersOfThings checks that the number that a thing has is no amount.
func TestNumbersOfThings(t *testing.T) {
	for _, key := range []string{"order_number", "invoice_number", "accountNumber", "serial_number", "tracking_number", "routing_number", "check_number", "ticket_number", "policy_number", "flight_number", "room_number", "po_number", "seat", "invoice_no"} {
		for _, c := range [][2]string{{"1,000", "1000"}, {"1e3", "1000"}, {"7.0", "7"}, {"1.10", "1.1"}, {"7", "+7"}, {"007", "7"}, {"2:00 PM", "14:00"}} {
			if name, o := compareTextsOf("update_record", key, c[0], c[1]); o != Differs && o != Likely {
				t.Errorf("%s %q and %q: %v of the %s", key, c[0], c[1], o, name)
			}
		}
		if _, o := compareTextsOf("update_record", key, "1000", "1000"); o != Same {
			t.Errorf("%s: a number is not the same as itself", key)
		}
	}
	for _, c := range [][3]string{{"number", "1,000", "1000"}, {"guest_number", "1,000", "1000"}, {"seats", "7.0", "7"}} {
		if _, o := compareTextsOf("set_limit", c[0], c[1], c[2]); o == Differs || o == Likely {
			t.Errorf("%s %s and %s: %v", c[0], c[1], c[2], o)
		}
	}
	if _, o := compareTextsOf("book", "flight_number", "BA 0117", "BA117"); o != Same {
		t.Errorf("a flight: %v", o)
	}
}

// TestOuterBlanks checks that blanks around a value decide where each byte counts, in what Compare says.
func TestOuterBlanks(t *testing.T) {
	for _, c := range []struct{ tool, key, a, b string }{
		{"edit_file", "new_content", "    x", "x"}, {"insert_lines", "text", "    x", "x"}, {"append_to_file", "text", " x", "x"}, {"write_file", "data", "x ", "x"}, {"edit_file", "find", "  x", "x"},
		{"edit_file", "replace", "x ", "x"}, {"edit_file", "replace", "can't", "cannot"}, {"edit_file", "find", "“a”", `"a"`}, {"split_text", "delimiter", "\t", " "}, {"join", "separator", "\n", " "}, {"join", "separator", " ", ""}, {"login", "api_key", "sk-abc ", "sk-abc"},
	} {
		if name, o := compareTextsOf(c.tool, c.key, c.a, c.b); o != Differs && o != Likely {
			t.Errorf("%s %s %q and %q: %v of the %s", c.tool, c.key, c.a, c.b, o, name)
		}
	}
	for _, c := range []struct{ tool, key, a, b string }{{"send_message", "text", "Call me at 5. ", "Call me at 5."}, {"create_note", "title", "a b ", "a b"}} {
		if name, o := compareTextsOf(c.tool, c.key, c.a, c.b); o != Same {
			t.Errorf("%s %s %q and %q: %v of the %s", c.tool, c.key, c.a, c.b, o, name)
		}
	}
}

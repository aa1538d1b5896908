package kind

import "testing"

// TestPolarity checks a choice whose name says no against the words for a state: the name of the state is yes
// where the state is that word, and of a deed that is left out the words may mean either.
func TestPolarity(t *testing.T) {
	for _, key := range []string{"disabled", "is_disabled", "alarm_disabled"} {
		for _, c := range []struct {
			a, b string
			want Outcome
		}{{`true`, `"enabled"`, Differs}, {`"enabled"`, `true`, Differs}, {`false`, `"disabled"`, Differs}, {`true`, `"disabled"`, Same}, {`false`, `"enabled"`, Same}, {`"yes"`, `"disabled"`, Same}, {`true`, `"on"`, Unsure}, {`true`, `"yes"`, Same}, {`true`, `false`, Differs}} {
			if name, o := compareValues("set_flag", key, c.a, c.b); o != c.want && name == Boolean {
				t.Errorf("%s: %s and %s: %v, want %v", key, c.a, c.b, o, c.want)
			} else if name != Boolean && o == Same {
				t.Errorf("%s: %s and %s are the same %s", key, c.a, c.b, name)
			}
		}
	}
	for _, key := range []string{"skip_backup", "disable_notifications", "no_cache", "without_logs", "exclude_tests"} {
		for _, state := range []string{`"enabled"`, `"on"`, `"off"`, `"disabled"`} {
			for _, truth := range []string{`true`, `false`, `"true"`} {
				if name, o := compareValues("set_flag", key, truth, state); o != Unsure {
					t.Errorf("%s: %s and %s: %v of the %s, want unsure", key, truth, state, o, name)
				}
			}
		}
	}
	for _, key := range []string{"backup", "enabled", "notifications"} {
		if _, o := compareValues("set_flag", key, `true`, `"enabled"`); o != Same {
			t.Errorf("%s: true and enabled: %v", key, o)
		}
	}
}

// TestOtherUnits checks notations that look like one value and are two.
func TestOtherUnits(t *testing.T) {
	amount := func(text, currency string) value {
		return stringValue(text, func(list string) string {
			if isListed("currency", list) {
				return currency
			}
			return ""
		})
	}
	for _, c := range []struct {
		a, b string
		want bool
	}{{"A$20", "$20", false}, {"C$20", "20", false}, {"A$20", "US$20", false}, {"AU$20", "20", false}, {"HK$20", "20", false}, {"US$20", "20", true}, {"$20", "20", true}, {"$20", "USD 20", true}} {
		p := pair{tool: NewTool("send_payment"), name: []string{"amount"}, a: amount(c.a, "USD"), b: amount(c.b, "USD")}
		if name, o := p.compare(); (o == Same) != c.want {
			t.Errorf("USD: %s and %s: %v of the %s", c.a, c.b, o, name)
		}
	}
	for _, c := range []struct {
		key, a, b string
		want      Outcome
	}{
		{"temperature_change", "10 °C", "50 °F", Differs}, {"temperature_change", "10 °C", "18 °F", Same}, {"temperature_difference", "10 K", "10 °C", Same}, {"increase_by", "10 °C", "50 °F", Differs},
		{"tolerance", "10 °C", "50 °F", Differs}, {"drop", "10 °C", "50 °F", Differs}, {"hysteresis", "10 °C", "50 °F", Differs}, {"delta", "10 °C", "50 °F", Differs}, {"offset", "5 °C", "278.15 K", Differs},
		{"temperature", "10 °C", "50 °F", Same},
		{"duration", "5 m", "5 meters", Differs}, {"duration", "5 m", "5 min", Same}, {"distance", "5 m", "5 meters", Same}, {"length", "5 M", "5 m", Unsure}, {"distance", "10 M", "10 m", Unsure}, {"size", "5 m", "5 M", Unsure},
	} {
		if name, o := compareTextsOf("set_value", c.key, c.a, c.b); o != c.want {
			t.Errorf("%s: %s and %s: %v of the %s, want %v", c.key, c.a, c.b, o, name, c.want)
		}
	}
	if _, o := compareTextsOf("lower_temperature", "to", "10 °C", "50 °F"); o == Differs {
		t.Errorf("a temperature to which one is lowered differs")
	}
}

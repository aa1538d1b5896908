package setup

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/store"
	"github.com/boundcheck/boundcheck/worker/settings"
)

const hash = "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a0"

var whole = map[string]string{
	URL:         "https://gate.example",
	Secret:      strings.Repeat("0f", 32),
	Keys:        "t agent bot " + hash + "1 alice # a comment with a key-0123456789abcdef-in-it",
	Keys + "_2": "t approver alice " + hash + "2; u agent bot " + hash + "4",
	"OTHER":     "x",
	Webhooks:    "t=https://hook.example/a u=https://hook.example/b",
	Signing:     "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3",
	Policy:      `{"expiry":"5m"}`,
	Rate:        "2.5",
}

func TestOptions(t *testing.T) {
	o, err := Options(whole, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(o.Keys) != 3 || o.Keys[0].For != "alice" || len(o.Hooks) != 2 || o.Hooks[1].Tenant != "u" || o.Rate != 2.5 || o.Policy.Expiry != 300_000 || len(o.Secret) != 32 {
		t.Errorf("%+v", o)
	}
	if o.Store = store.NewStore(nil, nil); o.Stream == 0 || o.Poll == 0 || o.Limit > 1<<20 {
		t.Errorf("%+v", o)
	}
	if _, err := gate.New(o); err != nil {
		t.Error(err)
	}
}

// TestWrong checks that the error for each wrong setting names the setting and says what
// would be right.
func TestWrong(t *testing.T) {
	check := func(name, value, setting, part string) {
		t.Helper()
		vars := maps.Clone(whole)
		vars[name] = value
		if name == Keys && value == "" {
			delete(vars, Keys+"_2")
		}
		_, err := Options(vars, nil)
		var which *Error
		if !errors.As(err, &which) || which.Setting != setting || !strings.Contains(err.Error(), part) {
			t.Errorf("%s=%q: %v", name, value, err)
		}
	}
	check(URL, "", URL, "missing")
	check(Secret, " ", Secret, "missing")
	check(Secret, "0f0f", Secret, "64 hexadecimal digits")
	check(Keys, "", Keys, "missing")
	check(Keys, "t agent bot", Keys, "line 1")
	check(Keys, "# keys\nt agent bot agent-key-0123456789abcdef", Keys, "line 2 must contain the hash of the key")
	check(Keys+"_2", whole[Keys+"_2"]+"\nt boss bob "+hash+"3", Keys, "role")
	check(Policy, `{"expiry":5}`, Policy, "expiry")
	check(settings.Access, "team=https://acme.cloudflareaccess.com audience=x", settings.Access, "person=TENANT:EMAIL")
	check(Rate, "none", Rate, "requests per second")
	check(Rate, "-1", Rate, "requests per second")
	check(Rate, "1000000", Rate, "above 0 and below 1000000")
}

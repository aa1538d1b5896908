package read

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/trajectory"
)

// TestOtherTexts checks what the error calls a text that is no trace.
func TestOtherTexts(t *testing.T) {
	for text, want := range map[string]string{
		"<!DOCTYPE html><html><body>Log in</body></html>": "an HTML page",
		"  <html>\n<head>":                                             "an HTML page",
		"<?xml version=\"1.0\"?><log/>":                                "XML",
		"id,name,call\n1,\"a, b\",x\n2,c,d\n":                          "a table of comma-separated values",
		"id;name\n1;2\n":                                               "a table of comma-separated values",
		"2024-05-20 12:00:00 start\n2024-05-20 12:00:01 end\n":         "a log without",
		"[INFO] start\n[ERROR] end\n":                                  "a log without",
		"OPENAI_API_KEY=abc\nDEBUG=1\n":                                "a file with keys",
		"export AWS=AKIAABCDEFGHIJKLMNOP\n":                            "a file with keys",
		"-----BEGIN RSA PRIVATE KEY-----\nMIIE\n":                      "a file with keys",
		"ghp_abcdefghijklmnopqrstuvwxyz0123456789\n":                   "a file with keys",
		"user: ann\npassword: hunter2\n":                               "a file with keys",
		"The agent failed, I think. What now?":                         "plain text",
		"name: x\nsteps:\n  - a: 1\n":                                  "YAML",
		"# Notes\n\nI list (all) files.\n":                             "Markdown",
		"search_direct_flights_v2_beta_2024\n":                         "",
		"get_order(order_id=\"4b825dc642cb6eb9a060e54bf8d69288fbee\")": "",
		"Thought: I look.\nAction: get[4b825dc642cb6eb9a060e54bf8d6]":  "",
	} {
		_, err := Decode([]byte(text))
		if want == "" {
			if err != nil && strings.Contains(err.Error(), "keys") {
				t.Errorf("%q: %v", text, err)
			}
			continue
		}
		if err == nil || !strings.HasPrefix(err.Error(), "the input is "+want) || strings.Contains(err.Error(), "invalid character") {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestErrorsKeepSecrets checks that no error about a broken text repeats a secret in it,
// wherever the text is broken.
func TestErrorsKeepSecrets(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 48))
	letters := func(n int, from string) string {
		var b strings.Builder
		for range n {
			b.WriteByte(from[r.IntN(len(from))])
		}
		return b.String()
	}
	const all = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	refused := 0
	for i := range 4000 {
		var secret, text string
		switch r.IntN(4) {
		case 0:
			secret = []string{"sk-", "ghp_", "github_pat_", "AKIA", "eyJ", "hf_", "SG.", "ya29."}[r.IntN(8)] + letters(12+r.IntN(40), all)
			text = `"token":"` + secret + `"`
		case 1:
			secret = letters(9, all) + letters(3, "0123456789") + letters(3, "abc") + letters(20, all)
			text = `"note":"the key is ` + secret + `."`
		case 2:
			secret = letters(6+r.IntN(20), all)
			text = `"` + []string{"password", "api_key", "client_secret", "DB_PASSWD"}[r.IntN(4)] + `": "` + secret + `"`
		default:
			secret = letters(6+r.IntN(20), all)
			text = "API_TOKEN=" + secret + " x"
		}
		text = letters(r.IntN(30), " ab,") + []string{"", "{", "[{"}[r.IntN(3)] + text + letters(r.IntN(40), " ]}ab,:\"")
		if cut := r.IntN(3); cut == 0 {
			text = text[:len(text)-r.IntN(8)%len(text)]
		}
		_, err := Decode([]byte(text))
		var fault *trajectory.Error
		if !errors.As(err, &fault) {
			continue
		}
		refused++
		told := fmt.Sprint(fault.Msg, " ", fault.Seen)
		for n := 0; n+6 <= len(secret); n++ {
			if strings.Contains(told, secret[n:n+6]) {
				t.Fatalf("run %d: the error about %q repeats %q: %s", i, text, secret, told)
			}
		}
	}
	if refused < 1000 {
		t.Errorf("only %d texts were refused", refused)
	}
}

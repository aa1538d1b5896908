//go:build !js

package gate

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/worker/receipt"
)

// TestToolServerDemandsReceipts puts the example of a tool server behind "boundcheck mcp". A
// call that the gate's approver approved runs, once. A call that goes around the gate runs
// nothing, whatever receipt it has.
func TestToolServerDemandsReceipts(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	dir := t.TempDir()
	binary := filepath.Join(dir, "toolserver")
	if out, err := exec.Command("go", "build", "-o", binary, "../../../worker/receipt/testdata/toolserver").CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	var key bytes.Buffer
	auditKey(&key)
	keyFile := filepath.Join(dir, "receipt.key")
	os.WriteFile(keyFile, key.Bytes(), 0o600)
	g := startGate(t, "--dev", "--receipt-key", keyFile, "--receipts", "issuer=the-gate audience=mcp__shop__*=shop names")
	t.Setenv("BOUNDCHECK_AGENT_KEY", g.ready.AgentKey)
	signer, err := receipt.ReadSigner(key.String())
	if err != nil {
		t.Fatal(err)
	}
	set, _ := json.Marshal(g.wantStatus(200, "GET", receipt.KeysPath, "", ""))
	server := func(name string) []string { return []string{binary, dir, name, "the-gate", "dev", string(set)} }
	ledger := func() string { b, _ := os.ReadFile(filepath.Join(dir, "ledger")); return string(b) }
	through := func(tool, arguments, wait string) string {
		t.Helper()
		in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `,"_meta":{"` + receipt.Meta + `":"forged"}}}` + "\n")
		code, out, remarks := runMCP(in, append([]string{"--gate", g.ready.URL, "--no-open", "--wait", wait, "--name", "shop", "--"}, server("shop")...)...)
		if code != cmd.ExitOK {
			t.Fatalf("%s: %d %s %s", tool, code, out, remarks)
		}
		return out
	}
	approve := func() (id string) {
		for range 800 {
			if list := g.wantStatus(200, "GET", "/v1/proposals", g.ready.ApproverKey, "")["pending"].([]any); len(list) == 1 {
				p := list[0].(map[string]any)
				g.wantStatus(200, "POST", "/v1/proposals/"+p["id"].(string)+"/decision", g.ready.ApproverKey, `{"approve":true,"digest":"`+p["digest"].(string)+`"}`)
				return p["id"].(string)
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Error("no question came")
		return ""
	}
	around := func(name, tool, arguments string, meta map[string]string) string {
		t.Helper()
		command := server(name)
		child := exec.Command(command[0], command[1:]...)
		m, _ := json.Marshal(meta)
		child.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `,"_meta":` + string(m) + `}}` + "\n")
		out, err := child.CombinedOutput()
		if err != nil {
			t.Fatalf("%v %s", err, out)
		}
		return string(out)
	}

	const order = `{ "order": "W-1",  "amount": 1.50 }`
	if out := through("get_order", `{}`, "0s"); !strings.Contains(out, "an order") {
		t.Errorf("a read: %s", out)
	}
	if out := through("refund", order, "0s"); !strings.Contains(out, "Held for approval") || ledger() != "" {
		t.Errorf("before its approval: %s %s", out, ledger())
	}
	approve()
	if out := through("refund", order, "20s"); !strings.Contains(out, `"text":"done"`) || ledger() != `refund "{ \"order\": \"W-1\",  \"amount\": 1.50 }"`+"\n" {
		t.Fatalf("after its approval: %s %s", out, ledger())
	}

	// An agent that claims a call by itself has a receipt in its hands.
	const tool = "mcp__shop__refund"
	v := g.wantStatus(202, "POST", "/v1/proposals", g.ready.AgentKey, `{"tool":"`+tool+`","arguments":`+order+`}`)
	id := approve()
	if id != v["id"] {
		t.Fatal(id, v)
	}
	claim := g.wantStatus(200, "POST", "/v1/proposals/"+id+"/claim", g.ready.AgentKey, "")
	text, _ := claim["receipt"].(string)
	with := func(text, exact string) map[string]string {
		return map[string]string{receipt.Meta: text, receipt.MetaArguments: exact}
	}
	made := func(change func(*receipt.Receipt)) string {
		now := time.Now().Unix()
		r := receipt.Receipt{Issuer: "the-gate", Audience: "shop", ID: "p_made", Issued: now, Expires: now + 60, Tenant: "dev", Tool: tool, Digest: receipt.Digest(tool, []byte(order)), Decision: receipt.Approved}
		change(&r)
		return signer.Sign(&r)
	}
	before := ledger()
	more := strings.Replace(order, "1.50", "9.50", 1)
	for what, c := range map[string]struct {
		server, tool, arguments string
		meta                    map[string]string
		want                    string
	}{
		"no receipt":                 {"shop", "refund", order, nil, "only with a receipt"},
		"no receipt, its arguments":  {"shop", "refund", order, with("", order), "refused"},
		"changed arguments":          {"shop", "refund", more, with(text, more), "other arguments"},
		"arguments that say another": {"shop", "refund", more, with(text, order), "only with a receipt"},
		"other spaces":               {"shop", "refund", order, with(text, strings.Replace(order, ",  ", ", ", 1)), "other arguments"},
		"another tool":               {"shop", "cancel_order", order, with(text, order), "for the tool"},
		"another server":             {"shop2", "refund", order, with(text, order), "for the server"},
		"expired":                    {"shop", "refund", order, with(made(func(r *receipt.Receipt) { r.Issued, r.Expires = r.Issued-120, r.Issued-60 }), order), "has expired"},
		"not valid yet":              {"shop", "refund", order, with(made(func(r *receipt.Receipt) { r.Issued, r.Expires = r.Issued+30, r.Issued+60 }), order), "not valid yet"},
		"nobody decided":             {"shop", "refund", order, with(made(func(r *receipt.Receipt) { r.Decision = receipt.ByRule }), order), "decided in another way"},
		"another tenant":             {"shop", "refund", order, with(made(func(r *receipt.Receipt) { r.Tenant = "prod" }), order), "tenant"},
		"a flipped bit":              {"shop", "refund", order, with(text[:len(text)-20]+string(text[len(text)-20]^1)+text[len(text)-19:], order), "refused"},
	} {
		if out := around(c.server, c.tool, c.arguments, c.meta); !strings.Contains(out, c.want) || !strings.Contains(out, `"isError":true`) || ledger() != before {
			t.Errorf("%s: %s", what, out)
		}
	}
	if out := around("shop", "refund", order, with(text, order)); !strings.Contains(out, `"text":"done"`) || ledger() != before+before {
		t.Errorf("the claimed call itself: %s", out)
	}
	if out := around("shop", "refund", order, with(text, order)); !strings.Contains(out, "used before") || ledger() != before+before {
		t.Errorf("a second time: %s", out)
	}
	g.wantStatus(409, "POST", "/v1/proposals/"+id+"/claim", g.ready.AgentKey, "")

	// A gate in the command itself signs, too. Here its policy lets the call through, which
	// is not enough for this server.
	policy := filepath.Join(dir, "policy.json")
	os.WriteFile(policy, []byte(`{"claim":"allowed","allow":[{"name":"any","tool":"mcp__shop__refund","until":"2099-01-01T00:00:00Z","destructive":true,"when":{"order":{"any":true}}}]}`), 0o600)
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"refund","arguments":{"order":"W-9"}}}` + "\n"
	for words, want := range map[string]string{"issuer=the-gate audience=*=shop": "decided in another way", "issuer=the-gate": "for the server", "": "of the issuer"} {
		code, out, remarks := runMCP(strings.NewReader(call), append([]string{"--policy", policy, "--receipt-key", keyFile, "--receipts", words, "--no-open", "--wait", "0s", "--name", "shop", "--"}, server("shop")...)...)
		if code != cmd.ExitOK || !strings.Contains(out, want) || ledger() != before+before {
			t.Errorf("%q: %d %s %s", words, code, out, remarks)
		}
	}
	if code, _, remarks := runMCP(strings.NewReader(""), "--gate", g.ready.URL, "--receipt-key", keyFile, "--", "x"); code != cmd.ExitUsage || !strings.Contains(remarks, "receipts cannot be used with --gate") {
		t.Errorf("%d %s", code, remarks)
	}
}

// TestReceiptFlags checks that a gate does not start with receipts that it cannot sign.
func TestReceiptFlags(t *testing.T) {
	file := filepath.Join(t.TempDir(), "key")
	os.WriteFile(file, []byte("ed25519-seed:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="), 0o600)
	for want, f := range map[string]receiptFlags{
		"need a key":              {"", "names"},
		"no such file":            {file + "x", ""},
		`unknown word "nmaes"`:    {file, "nmaes"},
		`unknown word "names=no"`: {file, "names=no"},
		`invalid time "1h"`:       {file, "time=1h"},
		`invalid audience "shop"`: {file, "audience=shop"},
	} {
		if r, err := f.readReceipts(true); err == nil || r != nil || !regexp.MustCompile(regexp.QuoteMeta(want)).MatchString(err.Error()) {
			t.Errorf("%+v: %v, want %s", f, err, want)
		}
	}
	t.Setenv("BOUNDCHECK_RECEIPT_KEY", "ed25519-seed:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
	if r, err := (&receiptFlags{}).readReceipts(false); r == nil || err != nil {
		t.Error(err)
	}
	if r, err := (&receiptFlags{}).readReceipts(true); r != nil || err != nil {
		t.Error("read from the environment", err)
	}
}

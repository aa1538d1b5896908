package kind

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestCertainty checks how certain it is that two values differ. No pair that only a reader of
// the text can decide is certain.
func TestCertainty(t *testing.T) {
	for _, c := range []struct {
		tool, key, obs, ref string
		want                Outcome
	}{
		{"set_share", "percent", `33.3`, `33.33`, Likely},
		{"set_share", "percent", `33.4`, `33.33`, Differs},
		{"refund", "amount", `10`, `9.99`, Differs},
		{"transfer_money", "amount", `"EUR 1.500"`, `1500`, Unsure},
		{"transfer_money", "amount", `"EUR 1.500"`, `1600`, Differs},
		{"block_number", "number", `"(415) 555-0132"`, `"415-555-0132"`, Same},
		{"block_number", "number", `"(415) 555-0132"`, `"415-555-0133"`, Differs},
		{"download_file", "url", `"https://a.example/my plan.pdf"`, `"https://a.example/my%20plan.pdf"`, Same},
		{"download_file", "url", `"https://a.example/my plan.pdf"`, `"https://a.example/myplan.pdf"`, Differs},
		{"reserve_table", "time", `"9:00"`, `"21:00"`, Likely},
		{"reserve_table", "time", `"09:00"`, `"21:00"`, Differs},
		{"set_quota", "quota", `"1 TB"`, `"1024 GB"`, Likely},
		{"set_quota", "quota", `"1 TB"`, `"100 GB"`, Differs},
		{"subscribe", "email", `"ada+news@mail.example"`, `"ada@mail.example"`, Likely},
		{"subscribe", "email", `"adam@mail.example"`, `"ada@mail.example"`, Differs},
		{"pay", "amount", `"$50"`, `"€50"`, Differs},
		{"pay", "amount", `"£1,000"`, `"€1,000"`, Differs},
		{"order_samples", "count", `"a few"`, `3`, Likely},
		{"order_samples", "count", `4`, `3`, Differs},
		{"cancel_order", "reason", `"customer changed their mind"`, `"no longer needed"`, Likely},
		{"assign", "department", `"Eng"`, `"Engineering"`, Likely},
		{"assign", "ticket", `"T-12"`, `"T-13"`, Differs},
		{"assign", "level", `"economy"`, `"Economy"`, Unsure},
		{"sync_folder", "source", `"photos"`, `"photos/"`, Unsure},
		{"set_price", "price", `"$40"`, `"CAD 40"`, Unsure},
		{"set_currency", "currency", `"$"`, `"AUD"`, Unsure},
		{"pin", "version", `"3.x"`, `"3"`, Likely},
		{"pin", "version", `"1.10"`, `"1.1"`, Differs},
		{"open_file", "path", `"notes.txt"`, `"./docs/notes.txt"`, Likely},
		{"open_file", "path", `"/a/notes.txt"`, `"/b/notes.txt"`, Differs},
		{"delete_file", "path", `"/a/Notes.txt"`, `"/a/notes.txt"`, Likely},
		{"set_user", "username", `"kim.lee"`, `"kimlee"`, Unsure},
		{"find_order", "order_id", `"W-20"`, `"w-20"`, Likely},
		{"find_order", "order_id", `"W-20"`, `"W-21"`, Differs},
		{"set_api", "key", `"QmFz"`, `"qmFz"`, Differs},
		{"set_size", "size", `"L"`, `"large"`, Unsure},
		{"deploy", "tag", `"latest"`, `"2.4.1"`, Likely},
		{"deploy", "tag", `"2.4.0"`, `"2.4.1"`, Differs},
		{"call_contact", "number", `"(415) 555-0132"`, `"+1 415 555 0132"`, Unsure},
		{"call_contact", "number", `"(415) 555-0133"`, `"+1 415 555 0132"`, Differs},
		{"set_oven", "temperature", `"350°F"`, `"175°C"`, Likely},
		{"set_oven", "temperature", `"180°F"`, `"180°C"`, Differs},
		{"set_seat", "gate", `"B 12"`, `"B12"`, Unsure},
		{"checkout", "branch", `"release/1.2"`, `"release/12"`, Differs},
		{"set_home", "path", `"~/notes"`, `"/home/kim/notes"`, Unsure},
		{"order", "boxes", `3`, `"3 boxes of wine"`, Unsure},
		{"order", "boxes", `4`, `"3 boxes of wine"`, Likely},
		{"order", "boxes", `3`, `"three boxes"`, Unsure},
		{"order", "boxes", `4`, `"three boxes"`, Likely},
		{"paint_wall", "color", `"grey"`, `"silver"`, Likely},
		{"paint_wall", "color", `"#808080"`, `"silver"`, Differs},
		{"open_page", "url", `"http://a.example/x"`, `"https://a.example/x"`, Likely},
		{"open_page", "url", `"http://a.example/x"`, `"https://a.example/y"`, Differs},
		{"set_currency", "currency", `"dollars"`, `"CAD"`, Unsure},
		{"delete_folder", "path", `"~/notes"`, `"/notes"`, Differs},
		{"purge_objects", "prefix", `"logs/2025-1-"`, `"logs/2025-1"`, Likely},
		{"create_client", "pays", `"Allemagne"`, `"DE"`, Unsure},
		{"run_sql", "query", `"SELECT id FROM Users"`, `"SELECT users.id FROM users"`, Unsure},
		{"run_sql", "query", `"DELETE FROM t WHERE a = 'X'"`, `"DELETE FROM t WHERE a = 'x'"`, Differs},
		{"bash", "command", `"tool --force --name a"`, `"tool --name=a --force"`, Unsure},
		{"send_message", "text", `"We moved your visit from Monday to Friday."`, `"Your visit was moved by us from Monday to Friday."`, Unsure},
		{"send_message", "text", `"Approve the draft and reject the invoice today."`, `"Approve the invoice and reject the draft today."`, Differs},
		{"send_message", "text", `"Ann pays Bob 20 EUR on Monday."`, `"Bob pays Ann 20 EUR on Monday."`, Differs},
	} {
		for _, sides := range [][2]string{{c.obs, c.ref}, {c.ref, c.obs}} {
			if _, got := compareValues(c.tool, c.key, sides[0], sides[1]); got != c.want {
				t.Errorf("%s(%s): %s and %s: %d, want %d", c.tool, c.key, sides[0], sides[1], got, c.want)
			}
		}
	}
}

// TestNoWrongExcuse checks pairs that look like two notations by the rules of a kind, and are two
// values, or may be.
func TestNoWrongExcuse(t *testing.T) {
	for _, c := range [][4]string{
		{"set_tax", "tax", `"7.5"`, `"75"`},
		{"set_tax", "vat", `"7-5"`, `"75"`},
		{"unpack", "zip", `"a-b.zip"`, `"ab.zip"`},
		{"list_orders", "sort", `"-due"`, `"due"`},
		{"set_cors", "origin", `"http://a.example/x"`, `"https://a.example/x"`},
		{"set_element", "symbol", `"Co"`, `"CO"`},
		{"set_header", "filter", `"a:b"`, `"a=b"`},
		{"create_vm", "labels", `"a=1,a=2"`, `"a=2,a=1"`},
		{"run_shell", "command", `"ssh host ls -la"`, `"ssh host ls -l a"`},
		{"run_shell", "command", `"docker run -it img -v"`, `"docker run -i -t -v img"`},
		{"run_shell", "command", `"git clean -nf"`, `"git clean -f"`},
		{"send_message", "text", `"Your repair is ready on Friday. It is free."`, `"Your repair is ready on Friday."`},
		{"send_message", "text", `"Your case is closed since Monday. We will contact you."`, `"Your case is closed since Monday."`},
		{"send_message", "text", `"Please stop the pump now. Thank you."`, `"Please do not stop the pump now. Thank you."`},
		{"apply", "yaml", `"a:\n  b: 1\n  c: 2\n"`, `"a:\n  b: 1\nc: 2\n"`},
		{"apply", "yaml", `"a: \"1\""`, `"a: 1"`},
		{"run_python", "code", `"if a:\n  b()\n  c()"`, `"if a:\n  b()\nc()"`},
		{"run_python", "code", `"print(\"it's\")"`, `"print('it\"s')"`},
		{"set_icon", "icon", `"home"`, `"heart"`},
		{"set_secret", "secret", `"\ufb01sh"`, `"fish"`},
		{"set_price", "price", `"1.250"`, `"1250"`},
		{"set_ratio", "ratio", `"16:9"`, `"9:16"`},
		{"set_cron", "cron", `"0 0 1 * 1"`, `"0 0 1-31 * 1"`},
		{"update_db", "where", `"a = 1 and b = 2 or c = 3"`, `"a = 1 and (b = 2 or c = 3)"`},
	} {
		for _, sides := range [][2]string{{c[2], c[3]}, {c[3], c[2]}} {
			if kind, o := compareValues(c[0], c[1], sides[0], sides[1]); o == Same {
				t.Errorf("%s(%s): %s and %s are the same %s", c[0], c[1], sides[0], sides[1], kind)
			}
		}
	}
}

// TestBrokenNotations checks that no rule panics for a notation of which a part is missing,
// doubled or replaced, whatever the argument is, and that each pair has one outcome in both
// directions if it is the same.
func TestBrokenNotations(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 11))
	var all []string
	for _, row := range notations {
		all = append(all, strings.FieldsFunc(strings.ReplaceAll(row.Values, " | ", "\n"), func(c rune) bool { return c == '\n' || c == '\t' })...)
	}
	damage := func(s string) string {
		text, err := jsonval.Parse(s)
		if err != nil {
			return s
		}
		b := []byte(text.Text())
		for range 1 + r.IntN(3) {
			if len(b) == 0 {
				break
			}
			i := r.IntN(len(b))
			switch r.IntN(3) {
			case 0:
				b = append(b[:i:i], b[i+1:]...)
			case 1:
				b = append(b[:i:i], append([]byte{b[i]}, b[i:]...)...)
			default:
				b[i] = "-:/.,=[{'\"~ 09aZ\n"[r.IntN(17)]
			}
		}
		return jsonval.Quoted(strings.ToValidUTF8(string(b), "?"))
	}
	same := 0
	for range drawn.Cases(30000) {
		row := notations[r.IntN(len(notations))]
		one := all[r.IntN(len(all))]
		other := one
		if r.IntN(2) == 0 {
			other = all[r.IntN(len(all))]
		}
		a, b := damage(one), damage(other)
		_, o := compareValues(row.tool, row.Key, a, b)
		_, back := compareValues(row.tool, row.Key, b, a)
		if (o == Same) != (back == Same) {
			t.Fatalf("%s(%s): %s and %s: %d, and %d the other way round", row.tool, row.Key, a, b, o, back)
		}
		if o == Same {
			same++
		}
	}
	if same == 0 {
		t.Error("no pair is the same")
	}
}

// TestNearIsNotCertain is the law that two values with the same letters and digits, or two messages with few words in
// common, are never different with certainty. It draws texts and writes them with other signs, case and zeros.
func TestNearIsNotCertain(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 84))
	pick := func(all ...string) string { return all[r.IntN(len(all))] }
	certain := 0
	for range drawn.Cases(3000) {
		parts := make([]string, 1+r.IntN(3))
		for i := range parts {
			parts[i] = pick("ab", "Kim", "204", "x7", "Main", "0139", "lea", "9")
		}
		write := func() string {
			text := strings.Join(parts, pick("", "-", ".", "_", "/"))
			switch r.IntN(4) {
			case 0:
				text = strings.ToUpper(text)
			case 1:
				text = "0" + text
			case 2:
				text += pick("", "@mail.example")
			}
			return text
		}
		a, b := write(), write()
		if strings.Contains(a, "@") != strings.Contains(b, "@") {
			continue
		}
		key := pick("zip", "email", "code", "ticket", "label", "note_id", "path", "sku", "name", "tag", "to", "version")
		_, o := Compare(NewTool(pick("set_thing", "create_shipment", "subscribe")), key, Side{Raw: jsonval.Quoted(a), Path: key}, Side{Raw: jsonval.Quoted(b), Path: key})
		isNumber := func(s string) bool { return strings.Trim(s, "0123456789.,") == "" }
		if o == Differs && !isNumber(a) && !isNumber(b) {
			t.Fatalf("%s: %q and %q differ with certainty", key, a, b)
		}
		if _, o := Compare(NewTool("set_thing"), key, Side{Raw: jsonval.Quoted(a + "7"), Path: key}, Side{Raw: jsonval.Quoted(b + "8"), Path: key}); o == Differs {
			certain++
		}
	}
	if certain == 0 {
		t.Error("no two values differ with certainty")
	}
	_, o := Compare(NewTool("send_email"), "body", Side{Raw: `"Your order has shipped and should arrive on Monday."`}, Side{Raw: `"Good news! It is on its way to you, expect it at the start of the week."`})
	if o != Likely {
		t.Errorf("a message in other words: %v", o)
	}
	if _, o = Compare(NewTool("send_email"), "body", Side{Raw: `"Your order has shipped and should arrive on Monday."`}, Side{Raw: `"Your order has shipped and should arrive on Tuesday."`}); o != Differs {
		t.Errorf("a message with another day: %v", o)
	}
}

package naming

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/match"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

func fitsTool(pattern, tool string) match.Answer { return Read(tool).Fits(pattern) }

// TestFitsTool has names that are the tool's, may be taken for it, and are another's.
func TestFitsTool(t *testing.T) {
	for _, c := range []struct{ pattern, yes, unknown, no string }{
		{"refund", "refund", "Refund|refund |functions.refund|ＲEFUND|re-fund|shop/refund|r\u0435fund", "shop_refund|refunds|refund_all|fund|\u9000\u6b3e|refund.all"},
		{"pay_*", "pay_a|pay_", "Pay_A|payOut|pay-out|functions.pay_a|PAY_OUT", "payroll_view|repay_a|pay"},
		{"\u9000\u6b3e", "\u9000\u6b3e", "functions.\u9000\u6b3e", "\u67e5\u8be2|ab"},
	} {
		for answer, names := range map[match.Answer]string{match.Yes: c.yes, match.Unknown: c.unknown, match.No: c.no} {
			for _, name := range strings.Split(names, "|") {
				if got := fitsTool(c.pattern, name); got != answer {
					t.Errorf("%q is %s: %d, want %d", name, c.pattern, got, answer)
				}
			}
		}
	}
}

// TestDisguisedNames is the law of names: a name in other letters, with signs around it,
// before or behind it, or behind a namespace is never surely another tool's.
func TestDisguisedNames(t *testing.T) {
	r := rand.New(rand.NewPCG(47, 13))
	pick := func(all ...string) string { return all[r.IntN(len(all))] }
	shift := func(from rune) func(string) string { // other forms of the letters
		return func(s string) string {
			return strings.Map(func(c rune) rune {
				if 'a' <= c && c <= 'z' {
					return from + c - 'a'
				}
				return c
			}, s)
		}
	}
	small := []rune("ᴀʙᴄᴅᴇғɢʜɪᴊᴋʟᴍɴᴏᴘqʀsᴛᴜᴠᴡxʏᴢ")
	disguises := []func(string) string{
		strings.ToUpper, strings.ToTitle, shift('ａ'), shift('𝐚'), shift('𝕒'), shift('🄰'), shift('ⓐ'), shift('𝖺'),
		func(s string) string {
			return strings.Map(func(c rune) rune {
				if 'a' <= c && c <= 'z' {
					return small[c-'a']
				}
				return c
			}, s)
		},
		func(s string) string { return strings.ReplaceAll(s, "_", pick("-", " ", "__", ".")) },
		func(s string) string {
			return s + pick("()", ":0", "#1", ".v2", "/", ":", "!", ";", " ", "\u200b", "@1")
		},
		func(s string) string {
			return pick("functions.", "mcp__shop__", "mcp_shop_", "mcp_my_shop_", "mcp-shop-", "shop/", "a.b.", "shop|", `shop\`, "x:", "x::", "→", "shop->") + s
		},
		func(s string) string { q := pick("``", "''", `""`, "[]", "<>", "{}", "()"); return q[:1] + s + q[1:] },
	}
	for range drawn.Cases(3_000) {
		tool := pick("refund", "cancel_order", "wipe", "pay_out_now")
		name := tool
		for range 1 + r.IntN(3) {
			name = disguises[r.IntN(len(disguises))](name)
		}
		if fitsTool(tool, name) == match.No {
			t.Fatalf("%q is surely not %s", name, tool)
		}
		if other := pick("get_invoice", "search", "list_users"); fitsTool(other, name) != match.No {
			t.Fatalf("%q may be %s", name, other)
		}
	}
}

// TestNamespaces has patterns of a policy and tools, with the namespace that the pattern
// leaves open, the one that it writes, and the server of the tool.
func TestNamespaces(t *testing.T) {
	for _, c := range [][5]string{
		{"refund", "mcp__shop__refund", "mcp__shop__", "", "mcp__shop__"}, {"refund", "refund", "", "", ""}, {"refund", "refunds", "", "", ""},
		{"mcp__shop__refund", "mcp__shop__refund", "", "mcp__shop__", "mcp__shop__"}, {"mcp__shop__refund", "functions.mcp__shop__refund", "functions.", "mcp__shop__", ""},
		{"mcp__*", "mcp__shop__refund", "", "", "mcp__shop__"}, {"mcp__*__refund", "mcp__shop__refund", "", "", "mcp__shop__"}, {"shop/*", "shop/refund", "", "shop/", ""}, {"*refund", "shop.refund", "", "", ""},
		{"refund", "a.b.refund", "a.b.", "", ""}, {"", "mcp__shop__refund", "", "", "mcp__shop__"}, {"x", "mcp__shop__", "", "", "mcp__shop__"}, {"x", "mcp__", "", "", ""},
	} {
		if got := [3]string{NamespaceOf(c[0], c[1]), SpelledNamespace(c[0]), ServerOf(c[1])}; got != [3]string(c[2:]) {
			t.Errorf("%s, %s: %q, want %q", c[0], c[1], got, c[2:])
		}
	}
}

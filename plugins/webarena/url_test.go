package webarena

import (
	"strings"
	"testing"
)

func TestNormalURL(t *testing.T) {
	check := func(text, want string) {
		t.Helper()
		if got := normalURL(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	check("HTTP://Shop.Example:80/A/", "http://shop.example/A")
	check("https://shop.example:443", "https://shop.example")
	check("https://shop.example:8443/", "https://shop.example:8443")
	check("http://shop.example/a/./b/../c", "http://shop.example/a/c")
	check("http://shop.example/?b=2&a=1&b=1", "http://shop.example?a=1&b=1&b=2")
	check("http://shop.example/?q=a+b&e=", "http://shop.example?e&q=a+b")
	check("http://shop.example/?q=a%20b", "http://shop.example?q=a+b")
	check("http://shop.example/%7euser/%e2%82%ac", "http://shop.example/~user/%E2%82%AC")
	check("http://shop.example/x?utm_source=mail&UTM_Campaign=y&id=7&mtm_kwd=z", "http://shop.example/x?id=7")
	check("http://shop.example/x?utmost=1&source=mail", "http://shop.example/x?source=mail&utmost=1")
	check("http://shop.example/x#part", "http://shop.example/x")
	check("http://shop.example/#/orders/7", "http://shop.example#/orders/7")
	check(" about:blank ", "about:blank")
	check("%zz not a URL", "%zz not a URL")
	check("", "")
}

func TestStableURL(t *testing.T) {
	same := func(a, b string, want bool) {
		t.Helper()
		if got := stableURL(a) == stableURL(b); got != want {
			t.Errorf("%q and %q: %t", a, b, got)
		}
	}
	same("http://a/x?_=1690000000000&id=7", "http://a/x?id=7&_=1790000000001", true)
	same("http://a/x?SID=d41d8cd98f00b204e9800998ecf8427e", "http://a/x", true)
	same("http://a/x;jsessionid=0A1B2C3D4E5F60718293A4B5C6D7E8F9", "http://a/x", true)
	same("http://a/x?at=2024-01-31T10:20:30Z", "http://a/x", true)
	same("http://a/x?id=7", "http://a/x?id=8", false)
	same("http://a/x?q=administration", "http://a/x", false)
	same("http://a/x;v=2", "http://a/x", false)
}

func TestShapes(t *testing.T) {
	check := func(f func(string) bool, want bool, values ...string) {
		t.Helper()
		for _, v := range values {
			if f(v) != want {
				t.Errorf("%q: %t", v, !want)
			}
		}
	}
	check(isTransient, true, "123e4567-e89b-12d3-a456-426614174000", "d41d8cd98f00b204e9800998ecf8427e", "1690000000", "1690000000.25", "1690000000123",
		"2024-01-31T10:20:30.5+01:00", "2024-01-31 10:20:30", "kZ3pQ9xW2mL7vB5nT8yR", "a9F3-k2L8_q7Z1.x4C6v0B5")
	check(isTransient, false, "", "7", "000000189", "accessibility-guidelines", "CustomerAccountInformation", "0000000000", "12345678901", "2024-01-31",
		"aaaaaaaaaaaaaaaaaaaa", "product_list_order", "HeiYing-Game-Card-Case-24-Slots")
	check(isAge, true, "3 minutes ago", "about 1 hour ago", "an hour ago", "Just now")
	check(isTransient, false, strings.Repeat("0a", 2049))
	check(isAge, false, "about 3 minutes before", "3 minutes", "long ago", "in 3 minutes", "3 apples ago")
	for id, want := range map[string]string{"ui-id-17": "ui-id-#", "mat-input-0 hint3": "mat-input-# hint#", ":r1a:": ":r1a:", "username": "username",
		"menu-9f86d081884c7d65": "menu-#", "x1-y2": "x#-y#"} {
		if got := stableIdentifier(id); got != want {
			t.Errorf("%q: %q, want %q", id, got, want)
		}
	}
}

// FuzzURL checks that the normal form of a URL does not change if it is normalised again.
func FuzzURL(f *testing.F) {
	for _, s := range []string{"http://a/b?c=d#e", "HTTP://A:80/../%2f?x=%zz&y", "a:b:c", "//h/p;q=1", "?&&=", "http://[::1]:80/", "#/x", "mailto:a@b", "./a:b", "%41", "http://a//b/", "a b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, form := range []func(string) string{normalURL, stableURL} {
			if once := form(s); form(once) != once {
				t.Errorf("%q: %q, and then %q", s, once, form(once))
			}
		}
		stableIdentifier(s)
		stableText(s)
	})
}

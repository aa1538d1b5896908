package proposal

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestLookalikes checks that text which can be mistaken for ASCII is reported, and that
// everyday text of many languages is not.
func TestLookalikes(t *testing.T) {
	for in, want := range map[string]string{
		"p\u0430ypal":                    `1 p\u{430}ypal paypal`,
		"see \u0440aypal now":            `1 \u{440}aypal paypal`,
		"\u039fpenAI":                    `1 \u{39F}penAI OpenAI`,
		"g\u0585\u0585gle":               `1 g\u{585}\u{585}gle google`,
		"\u13aamazon":                    `1 \u{13AA}mazon Amazon`,
		"p\u0251ypal":                    `1 p\u{251}ypal paypal`,
		"\u0430\u0440\u0440\u04cf\u0435": `2 \u{430}\u{440}\u{440}\u{4CF}\u{435} appie`,
		"\u0391\u0392\u0395":             `2 \u{391}\u{392}\u{395} ABE`,
		"\uff50\uff41\uff59":             `3 \u{FF50}\u{FF41}\u{FF59} pay`,
		"\U0001d429\U0001d41a\U0001d432\U0001d429\U0001d41a\U0001d425": `3 \u{1D429}\u{1D41A}\u{1D432}\u{1D429}\u{1D41A}\u{1D425} paypal`,
		"\u217c\u217coyds":                   `3 \u{217C}\u{217C}oyds lloyds`,
		"\u24df\u24d0\u24e8":                 `3 \u{24DF}\u{24D0}\u{24E8} pay`,
		"cafe\u0301":                         `4 cafe\u{301} cafe`,
		"\u0430\u0440\u0440\u04cf\u0435.com": `0 \u{430}\u{440}\u{440}\u{4CF}\u{435}.com appie.com`,
		"a@b\u00fccher.de":                   `0 a@b\u{FC}cher.de`,
		"paypal\u3002com":                    `0 paypal\u{3002}com paypal.com`,
		"https://x.example/\u2044a":          `0 https://x.example/\u{2044}a https://x.example//a`,
		"go to p\u0430y.com, please":         `0 p\u{430}y.com pay.com`,
		"Заплатить \u0430\u0440\u0440\u04cf\u0435 завтра": `2 \u{430}\u{440}\u{440}\u{4CF}\u{435} appie`,
		// Everyday text.
		"": "", "plain text": "", "Grüße aus Köln, œuvre, smørrebrød, ışık, Łódź": "", "привет, а у нас сор": "", "Это конец.Начало": "", "αβγ και ο Νίκος": "", "日本語のテキスト、x": "",
		"日本x": "", "한국어 text": "", "µm, m², CO₂, 1ª, №5, ½, ①": "", "“quoted” – it’s …": "", "naïve café": "", "hello мир": "", "שלום abc": "", "👍 ok": "",
	} {
		var got []string
		for _, l := range Lookalikes(in) {
			got = append(got, strings.TrimSpace(fmt.Sprintf("%d %s %s", l.Kind, l.Word, l.Looks)))
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%q: %s, want %s", in, strings.Join(got, "; "), want)
		}
	}
	many := strings.Repeat("p\u0430y p\u0430l \u0440ay g\u043eo m\u0430n d\u043eg ", 100)
	if got := Lookalikes(many); len(got) != mostLooks {
		t.Errorf("%d named", len(got))
	}
}

// TestConfusableTable checks that the table is sorted, contains no ASCII, and contains
// every alphabet that the standard names.
func TestConfusableTable(t *testing.T) {
	last, n := -1, 0
	confusables := confusablesFile()
	for i := 0; i+4 <= len(confusables); i += 4 {
		c := (int(confusables[i])<<16 | int(confusables[i+1])<<8 | int(confusables[i+2])) &^ (1 << 23)
		if c <= last || c < utf8.RuneSelf {
			t.Fatalf("U+%04X after U+%04X", c, last)
		}
		if looks, _, known := findConfusable(rune(c)); !known || looks == "" {
			t.Fatalf("U+%04X is not found", c)
		}
		last = c
		n++
	}
	if n < 1500 || len(confusables)%4 != 0 {
		t.Errorf("%d characters", n)
	}
	for in, want := range map[string]string{"\uff10\uff21\uff5a": "0Az", "\U0001d7ce\U0001d56c": "0A", "\u2160\u2167": "IVIII", "\u0455\u0458\u0501": "sjd", "\u2024\u2215": "./"} {
		if got, all := asciiSkeleton(in); got != want || !all {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	if _, all := asciiSkeleton("日"); all {
		t.Error("Han is ASCII")
	}
}

// FuzzLookalikes checks that no text causes a panic, and that the description of every
// reported piece is one line of plain ASCII.
func FuzzLookalikes(f *testing.F) {
	f.Add("p\u0430ypal.com e\u0301 \uff50\xff\u202e@x.y")
	f.Fuzz(func(t *testing.T, s string) {
		for _, l := range Lookalikes(s) {
			if !plainASCII(l.Text()) || strings.ContainsAny(l.Text(), "\n\r\t") {
				t.Fatalf("%q: %q", s, l.Text())
			}
		}
	})
}

func BenchmarkLookalikes(b *testing.B) {
	for name, s := range map[string]string{"ascii": strings.Repeat("plain text ", 700), "han": strings.Repeat("日本語のテキスト ", 300), "russian": strings.Repeat("Это обычный текст. ", 250)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Lookalikes(s)
			}
		})
	}
}

// Command codetables writes core/base/codes/codes.txt: the codes and English names of countries
// and languages, the codes of currencies, the letters with marks that Unicode writes in
// two ways, the other names of time zones, the names of colors, and notations of words. The sources
// are golang.org/x/text, which has the data of CLDR and Unicode, zones.txt, clocks.txt, colors.txt
// and notations.txt.
//
//	go run ./internal/codetables > core/base/codes/codes.txt
package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"golang.org/x/text/currency"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
	"golang.org/x/text/unicode/norm"
)

func main() { os.Stdout.Write(writeTable()) }

func writeTable() []byte {
	var body bytes.Buffer
	writeCurrencies(&body)
	writeCountries(&body)
	writeLanguages(&body)
	writeMarks(&body)
	writeLines(&body, "zone ", zones) // a row for each time zone with other names
	writeLines(&body, "clock ", clocks)
	writeColors(&body)
	writeLines(&body, "", notations)
	var out bytes.Buffer
	fmt.Fprintf(&out, "# Written by internal/codetables from golang.org/x/text %s (BSD), CLDR %s and Unicode %s\n", textVersion(), display.CLDRVersion, norm.Version)
	fmt.Fprintf(&out, "# (Unicode License), IANA's time zones 2025b, CSS Color 4 and a reviewed table. sha256 of the rows: %x\n", sha256.Sum256(body.Bytes()))
	out.Write(body.Bytes())
	return out.Bytes()
}

//go:embed zones.txt
var zones string

//go:embed clocks.txt
var clocks string

//go:embed colors.txt
var colors string

// writeColors writes one row with all colors.
func writeColors(w *bytes.Buffer) {
	_, rows, _ := strings.Cut(colors, "\n") // behind the comment
	fmt.Fprintf(w, "colors %s\n", strings.Join(strings.Fields(rows), " "))
}

//go:embed notations.txt
var notations string

// writeLines writes the lines of a table without its comments, each behind a word.
func writeLines(w *bytes.Buffer, word, table string) {
	for line := range strings.Lines(table) {
		if !strings.HasPrefix(line, "#") {
			w.WriteString(word + line)
		}
	}
}

func textVersion() string {
	info, ok := debug.ReadBuildInfo()
	if ok {
		for _, m := range info.Deps {
			if m.Path == "golang.org/x/text" {
				return m.Version
			}
		}
	}
	return "of an unknown version"
}

func pairsOfLetters() (out []string) {
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			out = append(out, string(a)+string(b))
		}
	}
	return out
}

// writeCurrencies writes the codes of the currencies that are in use.
func writeCurrencies(w *bytes.Buffer) {
	codes := []string{"MRU", "SLE", "VES", "XCG", "ZWG"} // of ISO 4217, newer than this CLDR
	for it := currency.Query(); it.Next(); {
		codes = append(codes, it.Unit().String())
	}
	slices.Sort(codes)
	fmt.Fprintf(w, "currencies %s\n", strings.Join(slices.Compact(codes), " "))
}

// otherNames has names of countries that CLDR's English names leave out.
var otherNames = map[string]string{
	"US": "USA;United States of America;U.S.;U.S.A.;America", "GB": "UK;Great Britain;U.K.;Britain", "KR": "Republic of Korea;Korea, South", "KP": "DPRK",
	"CZ": "Czech Republic", "NL": "Holland;The Netherlands", "TR": "Turkey", "RU": "Russian Federation", "VN": "Viet Nam", "CI": "Ivory Coast", "MM": "Burma;Myanmar",
	"AE": "UAE", "CV": "Cabo Verde", "SZ": "Swaziland", "MK": "Macedonia", "HK": "Hong Kong", "MO": "Macau;Macao", "CN": "People's Republic of China",
	"TW": "Taiwan", "LA": "Lao PDR", "SY": "Syrian Arab Republic", "IR": "Islamic Republic of Iran", "BO": "Plurinational State of Bolivia", "VE": "Bolivarian Republic of Venezuela",
	"MD": "Republic of Moldova", "TZ": "United Republic of Tanzania", "PS": "Palestine", "VA": "Holy See", "CD": "DR Congo", "CG": "Republic of the Congo",
}

func writeCountries(w *bytes.Buffer) {
	names := display.English.Regions()
	for _, code := range pairsOfLetters() {
		r, err := language.ParseRegion(code)
		if err != nil || !r.IsCountry() || r.String() != code || r.Canonicalize() != r || r.ISO3() == "ZZZ" {
			continue
		}
		all := []string{code, r.ISO3()}
		name := names.Name(r)
		if name == "" {
			continue
		}
		all = append(all, name)
		if plain := strings.ReplaceAll(name, " & ", " and "); plain != name {
			all = append(all, plain)
		}
		if more := otherNames[code]; more != "" {
			all = append(all, more)
		}
		if strings.Contains(common, code) {
			for _, tongue := range tongues {
				if other := tongue.Name(r); !slices.Contains(all, other) {
					all = append(all, other)
				}
			}
		}
		fmt.Fprintf(w, "country %s\n", strings.Join(all, ";"))
	}
}

// common has the codes of the countries whose names in other languages are in the table, and tongues
// has these languages. More would not fit into the page.
const common = "AT AU BE BR CA CH CN CZ DE DK ES FI FR GB GR HR HU IE IN IT JP KR LU MX NL NO PL PT RO SE TR UA US ZA"

var tongues = []display.Namer{display.German.Regions(), display.French.Regions(), display.Spanish.Regions(), display.Italian.Regions(), display.Portuguese.Regions(),
	display.Dutch.Regions(), display.Polish.Regions()}

func writeLanguages(w *bytes.Buffer) {
	names := display.English.Languages()
	for _, pair := range pairsOfLetters() {
		code := strings.ToLower(pair)
		b, err := language.ParseBase(code)
		if err != nil || b.String() != code {
			continue
		}
		if name := names.Name(b); name != "" {
			fmt.Fprintf(w, "language %s;%s;%s\n", code, b.ISO3(), name)
		}
	}
}

// writeMarks writes, for each mark, the letters without and with it: Latin, Greek and
// Cyrillic letters and kana. The syllables of Hangul follow a rule.
func writeMarks(w *bytes.Buffer) {
	byMark := map[rune][]string{}
	for _, span := range [...][2]rune{{0xC0, 0x24F}, {0x386, 0x4FF}, {0x1E00, 0x1EFF}, {0x3040, 0x30FF}} {
		for r := span[0]; r <= span[1]; r++ {
			d := []rune(norm.NFD.String(string(r)))
			if len(d) < 2 || norm.NFC.String(string(d)) != string(r) {
				continue
			}
			base := norm.NFC.String(string(d[:len(d)-1]))
			if len([]rune(base)) == 1 {
				byMark[d[len(d)-1]] = append(byMark[d[len(d)-1]], base+string(r))
			}
		}
	}
	var marks []rune
	for m := range byMark {
		marks = append(marks, m)
	}
	slices.SortFunc(marks, cmp.Compare[rune])
	for _, m := range marks {
		fmt.Fprintf(w, "mark %04X %s\n", m, strings.Join(byMark[m], ""))
	}
}

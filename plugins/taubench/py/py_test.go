package py

import "testing"

func mustParse(t *testing.T, s string) Value {
	t.Helper()
	v, err := Parse(s)
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return v
}

// TestDumps compares Dumps with Python's json.dumps(json.loads(s)).
func TestDumps(t *testing.T) {
	for s, want := range map[string]string{
		`{"b":1,"a":[1.0,1e2,1e16,1e-5,0.0001,-0.0,123456789012345678901234567890]}`: `{"b": 1, "a": [1.0, 100.0, 1e+16, 1e-05, 0.0001, -0.0, 123456789012345678901234567890]}`,
		`"é\u00e9\ud83d\ude00\u007f\n\b\/"`:                                          `"\u00e9\u00e9\ud83d\ude00\u007f\n\b/"`,
		`{"a":1,"b":2,"a":3}`:                                                        `{"a": 3, "b": 2}`,
		" [ true , false , null , { } , [ ] , \"\\\"\" ] ":                           `[true, false, null, {}, [], "\""]`,
	} {
		if got := Dumps(mustParse(t, s)); got != want {
			t.Errorf("%s\n got %s\nwant %s", s, got, want)
		}
	}
	if got := Canonical(mustParse(t, `{"b":{"d":1,"c":2},"a":0}`)); got != `{"a": 0, "b": {"c": 2, "d": 1}}` {
		t.Errorf("canonical %s", got)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, s := range []string{``, `{`, `{"a"}`, `{"a":}`, `[1,]`, `[1 2]`, `"a`, `tru`, `1 2`, `{"a":1,}`, `--1`, "{'a':1}"} {
		if v, err := Parse(s); err == nil {
			t.Errorf("%s: %s, no error", s, Repr(v))
		}
	}
}

func TestRepr(t *testing.T) {
	got := Repr(mustParse(t, `{"a":["it's","say \"x\" it's","\n\u0001\\",true,null,1.5]}`))
	if want := `{'a': ["it's", 'say "x" it\'s', '\n\x01\\', True, None, 1.5]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestRound checks that Round rounds the exact value of a float. For example, 2.675 is
// stored as a slightly smaller value and is rounded down.
func TestRound(t *testing.T) {
	for in, want := range map[float64]string{2.675: "2.67", 0.125: "0.12", 0.375: "0.38", -1.005: "-1.0", 1e20: "1e+20", 5: "5.0"} {
		if got := Repr(Round(in)); got != want {
			t.Errorf("round(%v, 2) = %s, want %s", in, got, want)
		}
	}
	if got := Repr(Round(int64(7))); got != "7" {
		t.Errorf("an integer became %s", got)
	}
}

// TestCalculate compares Calculate with Python 3.11's str(round(float(eval(s)), 2)).
func TestCalculate(t *testing.T) {
	for s, want := range map[string]string{
		"2 + 3 * 4":               "14.0",
		"(350 - 122) * 2":         "456.0",
		"7 // 2 + -7 // 2":        "-1.0",
		"2 ** 3 ** 2":             "512.0",
		"-2 ** 2":                 "-4.0",
		"10 / 4":                  "2.5",
		".5 + 1.":                 "1.5",
		"0.1 + 0.2":               "0.3",
		"9999999999 * 9999999999": "9.999999998e+19",
		"1/0":                     "! division by zero",
		"1.0/0":                   "! float division by zero",
		"1//0":                    "! integer division or modulo by zero",
		"(1":                      "! '(' was never closed (<string>, line 1)",
		"1)":                      "! unmatched ')' (<string>, line 1)",
		"1 +":                     "! invalid syntax (<string>, line 1)",
		"1 2":                     "! invalid syntax (<string>, line 1)",
		"":                        "! invalid syntax (<string>, line 0)",
		"007":                     "! leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers (<string>, line 1)",
	} {
		var got string
		if e := Catch(func() { got = Calculate(s) }); e != nil {
			got = "! " + e.Text
		}
		if got != want {
			t.Errorf("%s = %s, want %s", s, got, want)
		}
	}
}

func TestExceptions(t *testing.T) {
	d := mustParse(t, `{"a":1}`)
	for want, f := range map[string]func(){
		"'x'": func() { Index(d, "x") },
		"string indices must be integers, not 'str'":              func() { Index("s", "x") },
		"list indices must be integers or slices, not str":        func() { Index(NewList(), "x") },
		"'NoneType' object is not subscriptable":                  func() { Index(nil, "x") },
		"unhashable type: 'list'":                                 func() { Key(NewList()) },
		"'int' object is not iterable":                            func() { Items(int64(1)) },
		"object of type 'float' has no len()":                     func() { Len(1.5) },
		"'<' not supported between instances of 'int' and 'str'":  func() { Less(int64(1), "1") },
		"unsupported operand type(s) for +: 'int' and 'NoneType'": func() { Add(int64(1), nil) },
	} {
		if e := Catch(f); e == nil || e.Text != want {
			t.Errorf("raised %v, want %s", e, want)
		}
	}
}

// FuzzParse checks that Parse never panics. It may only return an error.
func FuzzParse(f *testing.F) {
	f.Add(`{"a":[1,2.5,"\ud83d\ude00",null,true]}`)
	f.Add(`{"a":{"b":[{}]}}`)
	f.Fuzz(func(t *testing.T, s string) {
		v, err := Parse(s)
		if err != nil {
			return
		}
		if again, err := Parse(Dumps(v)); err != nil || Canonical(again) != Canonical(v) {
			t.Errorf("%q becomes %s, then %s (%v)", s, Dumps(v), Dumps(again), err)
		}
	})
}

func FuzzCalculate(f *testing.F) {
	f.Add("1 + (2 * 3) / 4 - 5 // 6 ** 7")
	f.Fuzz(func(t *testing.T, s string) { Catch(func() { Calculate(s) }) })
}

// TestReads compares Reads with Dumps, also for texts with one byte changed, added or
// removed.
func TestReads(t *testing.T) {
	for _, text := range []string{
		`null`, `""`, `[]`, `{}`, `-12.50`, `123456789012345678901`,
		`{"a b": ["plain", "q\"uo\\te\n\u0007", "é€😀", "del` + "\x7f" + `"], "": {"x": [[], {}, true, false, null, 1e300, 0.1]}}`,
	} {
		v, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		dumped := Dumps(v)
		if !Reads(dumped, v) {
			t.Errorf("%s is not read as it was written", dumped)
		}
		for i := range len(dumped) + 1 {
			others := []string{dumped[:i], dumped[:i] + " " + dumped[i:], dumped[:i] + "x" + dumped[i:]}
			if i < len(dumped) {
				others = append(others, dumped[:i]+"~"+dumped[i+1:], dumped[:i]+dumped[i+1:])
			}
			for _, other := range others {
				if got, want := Reads(other, v), other == dumped; got != want {
					t.Errorf("Reads(%q) of %s is %t", other, dumped, got)
				}
			}
		}
	}
}

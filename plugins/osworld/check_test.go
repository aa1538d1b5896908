package osworld

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"os"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/internal/plugintest"
)

// encodeScreen encodes a picture as an observation.
func encodeScreen(t testing.TB, img image.Image) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes())
}

var (
	lines = plugintest.Lines
	rows  = plugintest.Rows
	ruled = plugintest.Ruled
)

func TestCheck(t *testing.T) {
	desk, dialog := paintPicture(160, 100, boxPattern), paintPicture(160, 100, stepPattern)
	ticked := paintPicture(160, 100, func(x, y int) int {
		if x == 80 && y == 50 {
			return 0
		}
		return boxPattern(x, y)
	})
	a, b, c := encodeScreen(t, desk), encodeScreen(t, dialog), encodeScreen(t, ticked)
	check := func(want string, obs, ref []abi.Action, alignment string) {
		t.Helper()
		got, err := Check(nil, &abi.CheckRequest{ReplayRequest: abi.ReplayRequest{Opening: a, Observed: obs, Reference: ref}, Alignment: rows(alignment)})
		if err != nil || ruled(&got) != want {
			t.Errorf("%v: %q, want %q; %q", err, ruled(&got), want, got.Replay.Notes)
		}
	}
	// Effect: the same actions in other notations.
	check("0 effect", lines("pyautogui.click(1, 2)"), lines("pyautogui.moveTo(1, 2)\npyautogui.click()"), "00")
	check("0 effect, 1 effect, 2 effect", lines("g.moveTo(1,2)", "g.mouseDown()", "g.mouseUp()"), lines("g.click(1,2)"), "0- 10 2-")
	check("0 effect, 1 effect", lines("pyperclip.copy('x')\ng.hotkey('ctrl','v')", "g.press('enter')"), lines("g.write('x\\n')"), "00 1-")
	check("0 effect", lines("pyautogui.hotkey('ctrl', 't')"), lines("`HOTKEY` Ctrl+T"), "00")
	check("", lines("g.click(1,2)"), lines("g.click(9,9)"), "00")
	check("", lines("g.click(1,2)"), lines("`CLICK` the row"), "00")
	check("", lines("g.click(1,2)"), lines("g.click(1,2)"), "00=")

	// Effect: the same actions a few rows away, but not across a call that both sides
	// make.
	check("0 effect, 3 effect", lines("g.hotkey('ctrl','s')", "g.press('f2')", "g.press('f3')"), lines("`HOTKEY` ctrl+s"), "0- 1- 2- -0")
	check("1 effect", lines("g.press('f1')", "g.press('f2')"), lines("`PRESS` f2", "`PRESS` f3", "`PRESS` f1"), "0- 10 -1 -2")

	keys := []string{"g.press('f1')"}
	for range 17 {
		keys = append(keys, "frobnicate()")
	}
	far := func(n int) (out []abi.Row) {
		for i := range n {
			out = append(out, abi.Row{Op: "insertion", Obs: i, Ref: -1})
		}
		return append(out, abi.Row{Op: "deletion", Obs: -1, Ref: 0})
	}
	for n, want := range map[int]string{16: "0 effect, 16 effect", 17: ""} {
		got, err := Check(nil, &abi.CheckRequest{ReplayRequest: abi.ReplayRequest{Observed: lines(keys[:n]...), Reference: lines("`PRESS` f1")}, Alignment: far(n)})
		if err != nil || ruled(&got) != want {
			t.Errorf("%d rows away: %v: %q, want %q", n, err, ruled(&got), want)
		}
	}

	// State: rows that change only the view, rows that leave the screen unchanged, and
	// equal screens on both sides.
	check("0 state, 1 state, 2 state", lines("WAIT", "g.moveTo(1,2)"), lines("g.scroll(-5)"), "0- 1- -0")
	check("0 state", lines("g.click(1,2) | "+a), nil, "0-")
	check("", lines("g.click(1,2) | "+c), nil, "0-") // a tick mark too small for the hash
	check("0 state", lines("g.click(1,2) | "+b), lines("g.click(9,9) | "+b), "00")
	check("0 state", lines("g.click(1,2) | "+a), lines("g.click(9,9) | "+c), "00")
	check("", lines("g.click(1,2) | !no such window"), nil, "0-")

	// Blame: the row where the screens begin to differ, unless they become alike again.
	check("1 !", lines("g.click(1,2) | "+a, "g.click(3,4) | "+b), lines("g.click(1,2) | "+a, "g.click(3,4) | "+a), "00= 11=")
	check("", lines("g.click(1,2) | "+b, "g.click(3,4) | "+a), lines("g.click(1,2) | "+a, "g.click(3,4) | "+a), "00= 11=")
	check("", lines("frobnicate()", "g.click("), lines("g.click(1,2)"), "00 1-")
}

func TestReplay(t *testing.T) {
	tasks := &store{}
	if _, err := tasks.loadTasks("x", []abi.File{{Name: "tasks.jsonl", Data: []byte(`{"id":"can","evaluator":{"func":["a","b"]}}` + "\n" + `{"id":"cannot","evaluator":{"func":"infeasible"}}`)}}); err != nil {
		t.Fatal(err)
	}
	check := func(name string, recorded bool, last, want string) {
		t.Helper()
		score := 0.5
		task, err := tasks.findTask("x", name)
		if err != nil {
			t.Fatal(err)
		}
		got := Replay(task, &abi.ReplayRequest{Observed: lines("g.click(1, 2)", last), Recorded: &recorded, Reward: &score})
		if text := fmt.Sprintf("%s %t %t", got.Basis, got.Success, got.Contradicted); text != want || *got.Score != score {
			t.Errorf("%s %t %s: %s, want %s", name, recorded, last, text, want)
		}
	}
	check("cannot", true, "FAIL", "observations true false")
	check("cannot", true, "DONE", "observations false true")
	check("cannot", true, "FAIL(", "observations false true")
	check("can", true, "FAIL", "observations false true")
	check("can", true, "DONE", "recorded true false")
	check("neither", false, "FAIL", "recorded false false")
	if got := Replay(nil, &abi.ReplayRequest{Observed: lines("g.click(1, 2)")}); got.Basis != abi.BasisWrites || !got.Success {
		t.Errorf("%+v", got)
	}
}

// TestOutcomeStage checks that different and missing steps are excused in a task that
// cannot be done. An extra action must not be excused.
func TestOutcomeStage(t *testing.T) {
	tk := &task{}
	if err := json.Unmarshal([]byte(`{"evaluator":{"func":"infeasible"}}`), tk); err != nil {
		t.Fatal(err)
	}
	got, err := Check(tk, &abi.CheckRequest{ReplayRequest: abi.ReplayRequest{Observed: lines("g.click(1, 2)", "g.click(3, 4)", "FAIL"), Reference: lines("g.click(9, 9)", "`PRESS` x", "`FAIL`")},
		Alignment: rows("00 1- -1 22")})
	if want := "0 outcome, 2 outcome, 3 effect"; err != nil || ruled(&got) != want {
		t.Errorf("%v: %q, want %q", err, ruled(&got), want)
	}
}

func TestPicture(t *testing.T) {
	img := paintPicture(64, 40, boxPattern)
	url := encodeScreen(t, img)
	bare := strings.TrimPrefix(url, "data:image/png;base64,")
	for _, text := range []string{bare, url, "The screen now: " + url, `{"screenshot":"` + bare + `","x":1}`, `[{"image_url":{"url":"` + url + `"}}]`, encodeScreen(t, paintPicture(32, 32, stepPattern)) + "\n" + url,
		strings.TrimRight(bare, "=")} {
		if got := lastPicture(text); strings.TrimRight(got, "=") != strings.TrimRight(bare, "=") {
			t.Errorf("%.60q: %.20q", text, got)
		} else if s, err := decodeScreen(got, maxInAll); err != nil || s.hash != perceptualHash(img) {
			t.Errorf("%.60q: %v", text, err)
		}
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, nil); err != nil {
		t.Fatal(err)
	}
	lossy, err := decodeScreen(lastPicture(base64.StdEncoding.EncodeToString(b.Bytes())), maxInAll)
	if exact, _ := decodeScreen(bare, maxInAll); err != nil || !exact.isSimilar(lossy) {
		t.Error("a JPEG of the same screen is not alike:", err)
	}
	for _, text := range []string{"", "no picture", "xiVBORw0KGgo", "see /9jail"} {
		if got := lastPicture(text); got != "" {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// TestScreenshot checks that lossy compression and another time on the clock do not
// change the state that a screenshot shows. One half of the screenshot must not count as
// the same state.
func TestScreenshot(t *testing.T) {
	raw, err := os.ReadFile("../../playground/screenshot.png")
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	bounds := img.Bounds()
	clock := image.NewRGBA(bounds)
	draw.Draw(clock, bounds, img, bounds.Min, draw.Src)
	for x := range 30 { // other digits: strokes, not a filled box
		for y := range 10 {
			if x%5 == 0 || y%9 == 0 {
				clock.Set(bounds.Max.X-80+x, 8+y, color.Gray{90})
			}
		}
	}
	var lossy bytes.Buffer
	if err := jpeg.Encode(&lossy, img, &jpeg.Options{Quality: 50}); err != nil {
		t.Fatal(err)
	}
	top, bottom := bounds, bounds
	top.Max.Y, bottom.Min.Y = bounds.Max.Y/2, bounds.Max.Y/2
	parts := img.(interface {
		SubImage(image.Rectangle) image.Image
	})
	want, err := decodeScreen(base64.StdEncoding.EncodeToString(raw), maxInAll)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		data string
		same bool
	}{
		"JPEG":   {base64.StdEncoding.EncodeToString(lossy.Bytes()), true},
		"clock":  {lastPicture(encodeScreen(t, clock)), true},
		"top":    {lastPicture(encodeScreen(t, parts.SubImage(top))), false},
		"bottom": {lastPicture(encodeScreen(t, parts.SubImage(bottom))), false},
	} {
		got, err := decodeScreen(c.data, maxInAll)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: alike by %.3f", name, hashSimilarity(want.hash, got.hash))
		if want.isSimilar(got) != c.same || want.exact == got.exact {
			t.Errorf("%s: alike by %.3f", name, hashSimilarity(want.hash, got.hash))
		}
	}
}

// pngHeader returns the header of a PNG with the given size, without pixels.
func pngHeader(w, h uint32) []byte {
	data := []byte{'I', 'H', 'D', 'R', byte(w >> 24), byte(w >> 16), byte(w >> 8), byte(w), byte(h >> 24), byte(h >> 16), byte(h >> 8), byte(h), 8, 6, 0, 0, 0}
	sum := crc32.ChecksumIEEE(data)
	out := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), data...)
	return append(out, byte(sum>>24), byte(sum>>16), byte(sum>>8), byte(sum))
}

// TestHostilePictures checks that data that is not a picture, and a picture that is too
// large, are refused. This must happen before memory is allocated, and the error must
// give the reason.
func TestHostilePictures(t *testing.T) {
	check := func(want string, raw []byte) {
		t.Helper()
		if _, err := decodeScreen(base64.StdEncoding.EncodeToString(raw), maxInAll); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	check("100000 × 100000 pixels; the limit is 16384 for each side and 16777216 in total", pngHeader(100_000, 100_000))
	check("2147483647 × 2 pixels", pngHeader(1<<31-1, 2))
	check("16384 × 16384 pixels", pngHeader(16384, 16384))
	check("4097 × 4096 pixels", pngHeader(4097, 4096))
	check("16385 × 2 pixels", pngHeader(16385, 2))
	check("2 × 16385 pixels", pngHeader(2, 16385))
	check("cannot be read", pngHeader(4096, 4096)) // within the limits
	check("cannot be read", pngHeader(16384, 1024))
	check("cannot be read", pngHeader(1024, 16384))
	check("cannot be read", pngHeader(0, 7))
	check("cannot be read", pngHeader(1000, 1000))
	check("cannot be read", []byte("\x89PNG\r\n\x1a\n"))
	check("cannot be read", []byte("\xff\xd8\xff\xe0"))
	check("cannot be read", nil)
	if _, err := decodeScreen("iVBORw0KGgo*", maxInAll); err == nil || !strings.Contains(err.Error(), "not base64") {
		t.Error(err)
	}
	if _, err := decodeScreen(strings.Repeat("A", maxEncoded+1), maxInAll); err == nil || !strings.Contains(err.Error(), "limit") {
		t.Error(err)
	}

	if _, err := decodeScreen(strings.TrimPrefix(encodeScreen(t, paintPicture(64, 64, boxPattern)), "data:image/png;base64,"), 4095); err == nil || !strings.Contains(err.Error(), "all pictures together") {
		t.Error(err)
	}
	bad := "data:image/png;base64," + base64.StdEncoding.EncodeToString(pngHeader(50_000, 50_000))
	got := Replay(nil, &abi.ReplayRequest{Observed: lines("g.click(1,2) | "+bad, "g.click(1,2) | "+bad)})
	if len(got.Notes) != 1 || !strings.Contains(got.Notes[0], "unreadable pictures: 1. The first error is: the picture has 50000 × 50000 pixels") {
		t.Errorf("%q", got.Notes)
	}
}

func TestOutside(t *testing.T) {
	for _, r := range []abi.Row{{Obs: 1, Ref: -1}, {Obs: -1, Ref: 0}, {Obs: -1, Ref: -1}, {Obs: -2}} {
		if _, err := Check(nil, &abi.CheckRequest{ReplayRequest: abi.ReplayRequest{Observed: lines("WAIT")}, Alignment: []abi.Row{r}}); err == nil {
			t.Errorf("%+v: no error", r)
		}
	}
}

func TestLoad(t *testing.T) {
	s := &store{}
	for _, bad := range []string{"", "{}", "[]", "[1]", `[{"id":"a"}]`, "{\"id\":\"a\"}\n{", `[{"id":"a","evaluator":{"func":7}}]`} {
		if _, err := s.loadTasks("x", []abi.File{{Name: "tasks.json", Data: []byte(bad)}}); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
	if _, err := s.loadTasks("x", []abi.File{{Name: "tasks.json", Data: []byte(`[{"id":"a","evaluator":{"func":"f"}}]`)}}); err != nil {
		t.Error(err)
	}
	if _, err := s.findTask("y", "a"); err == nil {
		t.Error("another environment: no error")
	}
	if tk, err := s.findTask("x", "a"); err != nil || tk == nil {
		t.Error(tk, err)
	}
}

// FuzzCheck checks that an answer names only rows and calls of its request, whatever the
// actions and observations are.
func FuzzCheck(f *testing.F) {
	f.Add("g.click(1,2)", "iVBORw0KGgo", "`CLICK` x")
	f.Add("g.moveTo(1,2)", "data:image/jpeg;base64,/9j/4AAQ", "g.click()")
	f.Fuzz(func(t *testing.T, obs, seen, ref string) {
		r := &abi.CheckRequest{ReplayRequest: abi.ReplayRequest{Opening: seen, Observed: []abi.Action{{Text: obs, Observation: &seen}, {Text: ref, Failed: true}},
			Reference: []abi.Action{{Text: ref, Observation: &obs}}}, Alignment: rows("00 1-")}
		got, err := Check(nil, r)
		if err != nil {
			t.Fatal(err)
		}
		if err := got.Within(r); err != nil {
			t.Error(err)
		}
	})
}

// FuzzPicture checks that every picture is either read or refused.
func FuzzPicture(f *testing.F) {
	var b bytes.Buffer
	_ = png.Encode(&b, paintPicture(9, 7, stepPattern))
	f.Add(b.Bytes())
	b.Reset()
	_ = jpeg.Encode(&b, paintPicture(9, 7, stepPattern), nil)
	f.Add(b.Bytes())
	f.Add(pngHeader(9, 7))
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := decodeScreen(base64.StdEncoding.EncodeToString(raw), maxInAll)
		if (err == nil) != (s != nil) {
			t.Error(s, err)
		}
	})
}

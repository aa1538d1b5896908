package proxy

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// slow returns one of its pieces at each read.
type slow struct{ pieces [][]byte }

func (s *slow) Read(b []byte) (int, error) {
	for len(s.pieces) > 0 && len(s.pieces[0]) == 0 {
		s.pieces = s.pieces[1:]
	}
	if len(s.pieces) == 0 {
		return 0, io.EOF
	}
	n := copy(b, s.pieces[0])
	s.pieces[0] = s.pieces[0][n:]
	return n, nil
}

// listenToPieces reads a stream that arrives in the given pieces. It returns the bytes
// that passed at once, the bytes that were held back, and the model's reply.
func listenToPieces(pieces ...[]byte) (through, kept string, r reply, err error) {
	w := httptest.NewRecorder()
	o := &out{w: w, control: http.NewResponseController(w), stream: true}
	ctx, stop := context.WithCancelCause(context.Background())
	a := &answer{body: &slow{pieces}, left: 1 << 30, idle: time.NewTimer(time.Hour), quiet: time.Hour, ctx: ctx, stop: stop}
	defer a.idle.Stop()
	r, tail, err := (&Proxy{}).readStream(o, a, false)
	through = w.Body.String()
	for _, e := range tail {
		kept += string(e.raw)
	}
	return through, kept, r, err
}

// streamResult returns the whole result of a stream as one text.
func streamResult(pieces ...[]byte) string {
	through, kept, r, err := listenToPieces(pieces...)
	if err != nil {
		return fmt.Sprintf("through %q refused %v", through, err)
	}
	return fmt.Sprintf("through %q kept %q said %q calls %+v finish %s message %s", through, kept, r.content, r.calls, r.finish, r.message)
}

// cutsOf returns the places at which a stream is cut into two pieces: every fifth one, from
// another one in each file, or all of them with BOUNDCHECK_LONG=1. A stream has each kind of
// place many times. O(1) a place, but each is a reading of the whole stream.
func cutsOf(file int, text []byte) (at []int) {
	first, step := file%5, 5
	if os.Getenv("BOUNDCHECK_LONG") != "" {
		first, step = 0, 1
	}
	for i := first; i < len(text); i += step {
		at = append(at, i)
	}
	return at
}

// TestEverySplit checks every stream in testdata/streams. The result must be the same if
// the stream is cut into two pieces at any place of cutsOf, or sent byte by byte.
func TestEverySplit(t *testing.T) {
	files, err := filepath.Glob("testdata/streams/*.sse")
	if err != nil || len(files) < 15 {
		t.Fatal(files, err)
	}
	for n, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want := streamResult(text)
		for _, i := range cutsOf(n, text) {
			if got := streamResult(text[:i], text[i:]); got != want {
				t.Fatalf("%s cut at %d:\ngot  %s\nwant %s", file, i, got, want)
			}
		}
		if got := streamResult(bytes.SplitAfter(text, nil)...); got != want {
			t.Errorf("%s byte by byte:\ngot  %s\nwant %s", file, got, want)
		}
		compareGolden(t, strings.TrimSuffix(file, ".sse")+".want", streamBrief(text))
	}
}

// streamBrief describes the result of a stream in a few lines.
func streamBrief(text []byte) string {
	through, kept, r, err := listenToPieces(text)
	if err != nil {
		return fmt.Sprintf("%d of %d bytes went through\nrefused: %v", len(through), len(text), err)
	}
	out := fmt.Sprintf("%d bytes went through at once, %d were kept back\nfinish: %s\nmessage: %s", len(through), len(kept), r.finish, r.message)
	for _, c := range r.calls {
		out += fmt.Sprintf("\n%s %q %s %s", c.Kind, c.ID, c.Name, c.argumentsJSON())
	}
	return out
}

// compareGolden compares a text with a file, or writes the file if BOUNDCHECK_UPDATE is
// set.
func compareGolden(t *testing.T, file, got string) {
	t.Helper()
	got += "\n"
	if os.Getenv("BOUNDCHECK_UPDATE") != "" {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil || string(want) != got {
		t.Errorf("%s (%v):\ngot  %swant %s", file, err, got, want)
	}
}

// TestReplayIsWhole checks that the bytes that were passed on and the bytes that were
// held back are together the bytes of the stream, up to the closing mark.
func TestReplayIsWhole(t *testing.T) {
	files, _ := filepath.Glob("testdata/streams/*.sse")
	whole := 0
	for _, file := range files {
		text, _ := os.ReadFile(file)
		through, kept, _, err := listenToPieces(text)
		if err != nil {
			continue
		}
		whole++
		if got := through + kept; got != string(text) && !(strings.HasPrefix(string(text), got) && strings.HasSuffix(got, done)) {
			t.Errorf("%s: got %q, want %q", file, got, text)
		}
	}
	if whole < 15 {
		t.Errorf("only %d streams were whole", whole)
	}
}

// FuzzSplit checks that the result of a stream does not depend on the places where it is
// cut. No stream may make the reader panic.
func FuzzSplit(f *testing.F) {
	files, _ := filepath.Glob("testdata/streams/*.sse")
	for _, file := range files {
		text, _ := os.ReadFile(file)
		f.Add(text, 7)
	}
	f.Fuzz(func(t *testing.T, text []byte, at int) {
		if len(text) == 0 || at < 0 || len(text) > 1<<16 {
			return
		}
		at %= len(text)
		if a, b := streamResult(text), streamResult(text[:at], text[at:]); a != b {
			t.Errorf("cut at %d:\n%s\n%s", at, a, b)
		}
	})
}

// TestMessagesEverySplit cuts every stream of the Messages API in testdata/messages at
// the places of cutsOf. Translated and translated back it must be the same bytes, and a stream that
// ends at the cut must be an error.
func TestMessagesEverySplit(t *testing.T) {
	files, err := filepath.Glob("testdata/messages/*.sse")
	if err != nil || len(files) < 3 {
		t.Fatal(files, err)
	}
	for n, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		translate := func(pieces ...[]byte) (chat, back string, err error) {
			from := &native{}
			b, err := io.ReadAll(from.newStream(&slow{pieces}))
			w := httptest.NewRecorder()
			m := newMessenger(w, from, true)
			m.WriteHeader(200)
			m.Write(b)
			return string(b), w.Body.String(), err
		}
		want, back, err := translate(text)
		if err != nil || back != string(text) {
			t.Fatalf("%s: %v, translated back:\n%s", file, err, back)
		}
		through, kept, r, err := listenToPieces([]byte(want))
		if err != nil || len(r.calls) == 0 || kept == "" || bytes.Contains([]byte(through), []byte("input_json_delta")) {
			t.Errorf("%s: %v, calls %v, passed at once: %s", file, err, r.calls, through)
		}
		for _, i := range cutsOf(n, text) {
			if got, back, err := translate(text[:i], text[i:]); err != nil || got != want || back != string(text) {
				t.Fatalf("%s cut at %d: %v\n%s", file, i, err, got)
			}
			if got, _, err := translate(text[:i]); err == nil || len(got) > len(want) || got != want[:len(got)] {
				t.Fatalf("%s ended at %d: %v\n%s", file, i, err, got)
			}
		}
		if got, _, err := translate(bytes.SplitAfter(text, nil)...); err != nil || got != want {
			t.Errorf("%s byte by byte: %v", file, err)
		}
	}
}

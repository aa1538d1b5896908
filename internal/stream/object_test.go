package stream

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/study/tally"
	"github.com/boundcheck/boundcheck/core/wire"
)

// served is a file on a web server that sometimes fails.
type served struct {
	data     []byte
	etag     atomic.Value
	put      atomic.Value
	fails    bool // a third of the answers fail, but at most four to one end of a range: they are an error, or their body is incomplete
	failed   sync.Map
	noRanges bool
	requests atomic.Int32
	broken   atomic.Int32
	now      atomic.Int32
	most     atomic.Int32
}

func (s *served) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.requests.Add(1)
	if r.URL.Query().Get("signature") != "secret" {
		http.Error(w, "no", http.StatusForbidden)
		return
	}
	if now := s.now.Add(1); now > s.most.Load() {
		s.most.Store(now)
	}
	defer s.now.Add(-1)
	_, end, _ := strings.Cut(r.Header.Get("Range"), "-") // a new try has another beginning
	count, _ := s.failed.LoadOrStore(r.Method+end, new(atomic.Int32))
	switch random := rand.IntN(9); {
	case !s.fails || random > 2 || count.(*atomic.Int32).Add(1) > 4:
	case random == 0:
		s.broken.Add(1)
		http.Error(w, "later", []int{500, 503, 429}[rand.IntN(3)])
		return
	default:
		s.broken.Add(1)
		w = &breaking{w, rand.IntN(5000)}
	}
	if r.Method == http.MethodPut {
		text, err := io.ReadAll(r.Body)
		if err == nil {
			s.put.Store(string(text))
		}
		return
	}
	if s.noRanges {
		r.Header.Del("Range")
		w.Write(s.data)
		return
	}
	w.Header().Set("ETag", s.etag.Load().(string))
	time.Sleep(2 * time.Millisecond)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(s.data))
}

// breaking breaks off an answer after left bytes.
type breaking struct {
	http.ResponseWriter
	left int
}

func (b *breaking) Write(text []byte) (int, error) {
	if len(text) > b.left {
		b.ResponseWriter.Write(text[:b.left])
		panic(http.ErrAbortHandler)
	}
	b.left -= len(text)
	return b.ResponseWriter.Write(text)
}

func runObject(t *testing.T, o Options) (string, error) {
	t.Helper()
	o.Profile = "auto"
	var out bytes.Buffer
	_, err := Run(o, strings.NewReader(""), &out, io.Discard)
	return out.String(), err
}

// TestObject scores an object on a server that fails a third of the requests. It scores
// the object as a whole and in shards, and compares the scores with those of a local
// file. No output may contain the signature.
func TestObject(t *testing.T) {
	defer func(d time.Duration) { waitBefore = d }(waitBefore)
	defer func(n int64) { rangeSize = n }(rangeSize)
	waitBefore, rangeSize = time.Millisecond, 64<<10
	row, err := os.ReadFile("../../testdata/cases/papers.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	s := &served{data: bytes.Repeat(row, 1+(1<<20)/len(row)), fails: true}
	s.data = s.data[:bytes.LastIndexByte(s.data[:1000<<10], '\n')]
	s.etag.Store(`"1"`)
	server := httptest.NewServer(s)
	defer server.Close()
	address := server.URL + "/runs.jsonl"
	dir := t.TempDir()
	file := filepath.Join(dir, "runs.jsonl")
	if err := os.WriteFile(file, s.data, 0o644); err != nil {
		t.Fatal(err)
	}
	local, err := runObject(t, Options{Files: []string{file}})
	if err != nil {
		t.Fatal(err)
	}
	remote, err := runObject(t, Options{Files: []string{address + "?signature=secret"}})
	if err != nil || remote != strings.ReplaceAll(local, file, address) {
		t.Fatalf("%v: %d and %d bytes", err, len(remote), len(local))
	}
	var set tally.Set
	for i := range 5 {
		part := filepath.Join(dir, fmt.Sprint(i))
		if _, err := runObject(t, Options{Files: []string{address + "?signature=secret"}, Partial: part, Shard: Shard{i, 5}}); err != nil {
			t.Fatal(err)
		}
		text, _ := os.ReadFile(part)
		if bytes.Contains(text, []byte("secret")) {
			t.Error("the partial result holds the signature")
		}
		if err := set.Read(part, bytes.NewReader(text), int64(len(text))); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := runObject(t, Options{Files: []string{address + "?signature=secret"}, Partial: server.URL + "/part?signature=secret", Shard: Shard{2, 5}}); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "2")); s.put.Load() != string(text) {
		t.Error("the partial result that was put differs")
	}
	if text, name, err := readURL(address + "?signature=secret"); err != nil || name != address || !bytes.Equal(text, s.data) {
		t.Errorf("%s: %v", name, err)
	}
	last, err := set.Finish(0)
	if got := string(wire.Marshal(last)); err != nil || !strings.HasSuffix(remote, "\n"+got) {
		t.Errorf("%v: %s", err, got)
	}
	if s.broken.Load() < 3 || s.most.Load() < 2 {
		t.Errorf("%d answers of %d were broken, %d at once", s.broken.Load(), s.requests.Load(), s.most.Load())
	}
	t.Logf("%d requests, %d broken, up to %d at once", s.requests.Load(), s.broken.Load(), s.most.Load())

	s.fails = false
	if _, err := runObject(t, Options{Files: []string{address}}); err == nil || err.Error() != address+": the server answers 403 Forbidden" {
		t.Errorf("without a signature: %v", err)
	}
	o, err := newObject(address + "?signature=secret")
	if err != nil || o.size != int64(len(s.data)) {
		t.Fatal(err)
	}
	s.etag.Store(`"2"`)
	in, _ := o.openRange(0, o.size)
	defer in.Close()
	if _, err := io.Copy(io.Discard, in); err == nil || !strings.Contains(err.Error(), "the object was changed while it was read") {
		t.Errorf("changed: %v", err)
	}
	s.noRanges = true
	if whole, err := runObject(t, Options{Files: []string{address + "?signature=secret"}}); err != nil || whole != remote {
		t.Errorf("without ranges: %v", err)
	}
	if _, err := runObject(t, Options{Files: []string{address + "?signature=secret"}, Partial: file + ".p", Shard: Shard{0, 2}}); err == nil || !strings.Contains(err.Error(), "known size") {
		t.Errorf("shards without ranges: %v", err)
	}
	server.Close()
	if _, err := runObject(t, Options{Files: []string{address + "?signature=secret"}}); err == nil || strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), "tries failed") {
		t.Errorf("no server: %v", err)
	}
}

// readURL returns a whole object, and its name without a signature.
func readURL(file string) ([]byte, string, error) {
	o, err := newObject(file)
	if err != nil {
		return nil, nameOf(file), err
	}
	text, err := o.readAll()
	return text, o.name, err
}

// TestObjectAt checks that reads at random offsets of an object return the right bytes,
// and that several small reads from the same block need only one request.
func TestObjectAt(t *testing.T) {
	defer func(n int64) { rangeSize = n }(rangeSize)
	rangeSize = 100 << 10
	s := &served{data: make([]byte, 500<<10)}
	for i := range s.data {
		s.data[i] = byte(rand.IntN(256))
	}
	s.etag.Store(`"1"`)
	server := httptest.NewServer(s)
	defer server.Close()
	in, size, name, err := OpenURL(server.URL + "/part?signature=secret")
	if err != nil || size != int64(len(s.data)) || name != server.URL+"/part" {
		t.Fatalf("%d bytes of %s: %v", size, name, err)
	}
	want := bytes.NewReader(s.data)
	for range 200 {
		n := []int{1, 4096, blockSize - 1, blockSize, 250 << 10}[rand.IntN(5)]
		at := rand.Int64N(size + 10)
		a, b := make([]byte, n), make([]byte, n)
		got, err := in.ReadAt(a, at)
		wanted, wantErr := want.ReadAt(b, at)
		if got != wanted || err != wantErr || !bytes.Equal(a, b) {
			t.Fatalf("%d bytes at %d: %d %v, want %d %v", n, at, got, err, wanted, wantErr)
		}
	}
	before := s.requests.Load()
	for at := int64(0); at < blockSize; at += 4096 {
		in.ReadAt(make([]byte, 4096), at)
	}
	if n := s.requests.Load() - before; n > 1 {
		t.Errorf("%d requests for one block", n)
	}
	s.etag.Store(`"2"`)
	if _, err := in.ReadAt(make([]byte, 10), size-10); err == nil || !strings.Contains(err.Error(), "the object was changed while it was read") {
		t.Errorf("changed: %v", err)
	}
}

// TestWholeObject checks an object on a server that does not support ranges:
//
//   - A failed request is repeated.
//   - An answer that sends no more data ends with an error.
//   - No error contains the signature or the password.
func TestWholeObject(t *testing.T) {
	defer func(d, i time.Duration) { waitBefore, idleLimit = d, i }(waitBefore, idleLimit)
	waitBefore, idleLimit = time.Millisecond, 50*time.Millisecond
	stalls, stop := make(chan bool), atomic.Int32{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodPut || stop.Load() == 2 && r.Header.Get("Range") == "":
			panic(http.ErrAbortHandler)
		case stop.Load() == 1 && r.Header.Get("Range") == "":
			stop.Store(0)
			panic(http.ErrAbortHandler)
		}
		w.Write([]byte("{}\n"))
		w.(http.Flusher).Flush()
		if r.URL.Path == "/stalls" && r.Header.Get("Range") == "" {
			<-stalls
		}
	}))
	defer server.Close()
	defer close(stalls)
	address := strings.Replace(server.URL, "http://", "http://user:password@", 1)

	stop.Store(1)
	if text, name, err := readURL(address + "/runs?signature=secret"); err != nil || string(text) != "{}\n" || name != server.URL+"/runs" {
		t.Errorf("%q %s: %v", text, name, err)
	}
	_, _, stalled := readURL(address + "/stalls?signature=secret")
	stop.Store(2)
	nothing := func(io.Writer) error { return nil }
	_, _, aborted := readURL(address + "/runs?signature=secret")
	_, _, noURL := readURL("http://user:password@[::1/runs?signature=secret")
	for name, err := range map[string]error{
		"the server has sent no data for 50ms": stalled,
		"6 tries failed":                       aborted,
		"not a URL":                            noURL,
		"writing " + server.URL + "/part":      WriteWhole(address+"/part?signature=secret", nothing),
		"cannot write":                         WriteWhole("http://user:password@[::1/part?signature=secret", nothing),
	} {
		if err == nil || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "password") {
			t.Errorf("%v; want %q without a secret", err, name)
		}
	}
}

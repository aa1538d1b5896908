package stream

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/report"
)

// TestS3Address checks that an s3 URL is converted to the right HTTP address.
func TestS3Address(t *testing.T) {
	names := []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3", "AWS_SESSION_TOKEN"}
	for _, c := range []struct {
		file, region, endpoint string
		want                   string // a URL, or a part of the error
	}{
		{"s3://runs/a/b.jsonl", "", "", "https://runs.s3.us-east-1.amazonaws.com/a/b.jsonl"},
		{"s3://runs/a b+?#é%.jsonl", "eu-west-1", "", "https://runs.s3.eu-west-1.amazonaws.com/a%20b%2B%3F%23%C3%A9%25.jsonl"},
		{"s3://my.runs/a", "eu-west-1", "", "https://s3.eu-west-1.amazonaws.com/my.runs/a"},
		{"s3://runs/a//b", "auto", "http://127.0.0.1:9000", "http://127.0.0.1:9000/runs/a//b"},
		{"s3://runs/a", "", "https://store.example.com/s3/?x=1", "https://store.example.com/s3/runs/a"},
		{"s3://runs", "", "", "want s3://BUCKET/KEY"},
		{"s3://runs/", "", "", "want s3://BUCKET/KEY"},
		{"s3:///a", "", "", "want s3://BUCKET/KEY"},
		{"s3://a@b/c", "", "", "want s3://BUCKET/KEY"},
		{"s3://runs/a", "", "store.example.com", "AWS_ENDPOINT_URL is not an http or https URL"},
	} {
		for _, name := range names {
			t.Setenv(name, "")
		}
		t.Setenv("AWS_REGION", c.region)
		t.Setenv("AWS_ENDPOINT_URL", c.endpoint)
		if _, err := readAddress(c.file); err == nil || !strings.Contains(err.Error(), "want s3") && !strings.Contains(err.Error(), "needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY") {
			t.Errorf("%s without keys: %v", c.file, err)
		}
		t.Setenv("AWS_ACCESS_KEY_ID", "key")
		t.Setenv("AWS_SECRET_ACCESS_KEY", "hidden")
		a, err := readAddress(c.file)
		if err != nil {
			if !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "hidden") {
				t.Errorf("%s: %v, want %s", c.file, err, c.want)
			}
			continue
		}
		r, _ := http.NewRequest(http.MethodGet, a.url, nil)
		if err := a.sign(r, noPayload); err != nil || a.url != c.want || a.name != c.file || r.URL.EscapedPath() != strings.TrimPrefix(a.url, r.URL.Scheme+"://"+r.URL.Host) {
			t.Errorf("%s: %v %s %s", c.file, err, a.url, r.URL.EscapedPath())
		}
		if s := r.Header.Get("Authorization"); !strings.Contains(s, "SignedHeaders=") || strings.Contains(s, "hidden") {
			t.Errorf("%s: %s", c.file, s)
		}
	}
}

// uploads is an S3 server with one bucket. It keeps what is written to it.
type uploads struct {
	open    string // the upload that was begun and not aborted
	written map[string]string
	without bool // it has no multipart uploads
}

func (u *uploads) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	say := func(status int, code string) {
		w.WriteHeader(status)
		fmt.Fprintf(w, "<Error><Code>%s</Code></Error>", code)
	}
	switch query := r.URL.Query(); {
	case !strings.Contains(r.Header.Get("Authorization"), "Credential=key/"):
		say(http.StatusForbidden, "InvalidAccessKeyId")
	case !strings.HasPrefix(r.URL.Path, "/runs/"):
		say(http.StatusNotFound, "NoSuchBucket")
	case strings.HasPrefix(r.URL.Path, "/runs/closed/"):
		say(http.StatusForbidden, "AccessDenied")
	case r.Method == http.MethodPost && query.Has("uploads") && u.without:
		say(http.StatusNotImplemented, "NotImplemented")
	case r.Method == http.MethodPost && query.Has("uploads"):
		u.open = r.URL.Path + " a+b/c=&"
		fmt.Fprint(w, `<?xml version="1.0"?><InitiateMultipartUploadResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><UploadId>a+b/c=&amp;</UploadId></InitiateMultipartUploadResult>`)
	case r.Method == http.MethodDelete && u.open == r.URL.Path+" "+query.Get("uploadId"):
		u.open = ""
		w.WriteHeader(http.StatusNoContent)
	case r.Method == http.MethodPut:
		text, _ := io.ReadAll(r.Body)
		u.written[r.URL.Path] = string(text)
	default:
		say(http.StatusBadRequest, "InvalidRequest")
	}
}

// TestWritable checks that an s3 URL without write permission causes an error before the
// scoring begins. It also checks that no upload is left on the server.
func TestWritable(t *testing.T) {
	u := &uploads{written: map[string]string{}}
	server := httptest.NewServer(u)
	defer server.Close()
	for name, value := range map[string]string{"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "hidden", "AWS_SESSION_TOKEN": "", "AWS_REGION": "auto", "AWS_ENDPOINT_URL_S3": server.URL} {
		t.Setenv(name, value)
	}
	file := filepath.Join(t.TempDir(), "runs.jsonl")
	if err := os.WriteFile(file, []byte(`[{"name":"get_a"}]`+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ out, partial, want string }{
		{"s3://absent/rows", "", "writing s3://absent/rows: the server answers 404 Not Found (NoSuchBucket)"},
		{"", "s3://absent/part", "writing s3://absent/part: the server answers 404 Not Found (NoSuchBucket)"},
		{"s3://runs/rows", "s3://runs/closed/part", "writing s3://runs/closed/part: the server answers 403 Forbidden (AccessDenied)"},
		{"s3://runs/rows", "s3://runs/a b/part", ""},
	} {
		for _, u.without = range []bool{false, true} {
			clear(u.written)
			scored := 0
			o := Options{Files: []string{file}, Out: c.out, Partial: c.partial, EachRun: func(*report.Trajectory) { scored++ }}
			_, err := runObject(t, o)
			switch {
			case c.want == "" && (err != nil || scored != 1 || len(u.written) != 2):
				t.Errorf("%s %s: %v, %d runs, %d objects", c.out, c.partial, err, scored, len(u.written))
			case c.want != "" && (err == nil || err.Error() != c.want || scored > 0 || len(u.written) > 0):
				t.Errorf("%s %s: %v, %d runs, %d objects; want %s", c.out, c.partial, err, scored, len(u.written), c.want)
			case u.open != "":
				t.Errorf("%s %s: the upload of %s is left", c.out, c.partial, u.open)
			}
		}
	}
}

// TestBadServer checks servers that stop in the middle of an answer or send data very
// slowly. After an interruption, only the missing bytes are requested again. A server
// that never finishes must cause a clear error within a limited time.
func TestBadServer(t *testing.T) {
	defer func(w, r, i time.Duration) { waitBefore, rangeLimit, idleLimit = w, r, i }(waitBefore, rangeLimit, idleLimit)
	waitBefore, rangeLimit = time.Millisecond, 30*time.Second
	text := strings.Repeat("0123456789abcdef", 1<<14)
	var breaks, sent atomic.Int64 // answers that will break off in the middle, and the bytes sent
	done := make(chan bool)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/still" && (r.Method == http.MethodPut || r.Header.Get("Range") != "bytes=0-0"):
			<-done
		case r.URL.Path == "/trickle" && r.Header.Get("Range") != "bytes=0-0":
			http.ServeContent(&trickling{w}, r, "", time.Time{}, strings.NewReader(text))
		case r.Header.Get("Range") == "bytes=0-0":
			http.ServeContent(w, r, "", time.Time{}, strings.NewReader(text))
		default:
			counted := &counting{ResponseWriter: w}
			http.ServeContent(counted, r, "", time.Time{}, strings.NewReader(text))
			n := len(counted.text)
			if breaks.Add(-1) >= 0 {
				n /= 2
			}
			sent.Add(int64(n))
			w.Write(counted.text[:n])
			if n < len(counted.text) {
				w.(http.Flusher).Flush()
				panic(http.ErrAbortHandler)
			}
		}
	}))
	defer server.Close()
	defer close(done)

	breaks.Store(3)
	got, _, err := readURL(server.URL + "/runs")
	if err != nil || string(got) != text || sent.Load() != int64(len(text)) || breaks.Load() >= 0 {
		t.Errorf("%v: %d of %d bytes, %d sent, %d left to break off", err, len(got), len(text), sent.Load(), breaks.Load())
	}
	began := time.Now()
	breaks.Store(1000)
	_, _, err = readURL(server.URL + "/runs")
	if err == nil || !strings.Contains(err.Error(), "6 tries failed: the answer ends early") {
		t.Errorf("a server that breaks off: %v", err)
	}
	rangeLimit, idleLimit = 150*time.Millisecond, 100*time.Millisecond
	_, _, err = readURL(server.URL + "/trickle")
	if err == nil || !strings.Contains(err.Error(), "6 tries failed: the server is too slow: it sent ") {
		t.Errorf("a server that trickles: %v", err)
	}
	_, _, err = readURL(server.URL + "/still")
	if err == nil || !strings.Contains(err.Error(), "too slow: it sent 0 of 262144 bytes in 150ms") {
		t.Errorf("a server that stands still: %v", err)
	}
	err = WriteWhole(server.URL+"/still", func(w io.Writer) error { _, err := io.WriteString(w, strings.Repeat(text, 64)); return err })
	if err == nil || !strings.Contains(err.Error(), "6 tries failed: the server has accepted no data for 100ms") {
		t.Errorf("a server that takes nothing: %v", err)
	}
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("it took %v", took)
	}
}

// counting keeps the body of an answer.
type counting struct {
	http.ResponseWriter
	text []byte
}

func (c *counting) Write(b []byte) (int, error) {
	c.text = append(c.text, b...)
	return len(b), nil
}

// trickling sends a few bytes at a time.
type trickling struct{ http.ResponseWriter }

func (w *trickling) Write(b []byte) (int, error) {
	for n := 0; n < len(b); n += 16 {
		if _, err := w.ResponseWriter.Write(b[n:min(n+16, len(b))]); err != nil {
			return n, err
		}
		w.ResponseWriter.(http.Flusher).Flush()
		time.Sleep(10 * time.Millisecond)
	}
	return len(b), nil
}

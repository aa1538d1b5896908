//go:build unix

package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"github.com/boundcheck/boundcheck/internal/cli/clitest"
	"github.com/boundcheck/boundcheck/internal/stream"
)

const s3Key, s3Secret = "boundcheck-test", "a secret that no output has"

// bucket is a real S3 server with the bucket runs, behind a proxy that makes faults.
type bucket struct {
	t     *testing.T
	root  string
	url   string
	proxy *httputil.ReverseProxy

	breaks atomic.Int32 // every so many answers with a range break off in the middle; 0 for none
	delay  atomic.Int64 // before each 64 KiB of an answer
	ranges atomic.Int32 // answers with a range
	broken atomic.Int32
	puts   atomic.Int32
	now    atomic.Int32 // ranges that are being answered
	most   atomic.Int32

	begun, aborted atomic.Int32 // multipart uploads
}

// startBucket starts an S3 server that stores its objects in a folder. BOUNDCHECK_S3
// names the program of the server, versitygw. The test is skipped if the variable is not
// set.
func startBucket(t *testing.T) *bucket {
	t.Helper()
	program := os.Getenv("BOUNDCHECK_S3")
	if program == "" {
		t.Skip("SKIPPED: BOUNDCHECK_S3 names no S3 server (make scale)")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	b := &bucket{t: t, root: t.TempDir()}
	for _, folder := range []string{"data/runs", "attributes"} {
		if err := os.MkdirAll(filepath.Join(b.root, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command(program, "--port", address, "--access", s3Key, "--secret", s3Secret, "--region", "eu-north-1", "--quiet",
		"posix", "--sidecar", filepath.Join(b.root, "attributes"), filepath.Join(b.root, "data"))
	var said bytes.Buffer
	c.Stdout, c.Stderr = &said, &said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Process.Kill()
		c.Wait()
		if t.Failed() {
			t.Logf("the server said: %s", said.String())
		}
	})
	for try := 0; ; try++ {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
			break
		}
		if try == 200 {
			t.Fatalf("the S3 server does not listen: %v", err)
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.proxy = httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: address})
	b.proxy.FlushInterval = -1
	b.proxy.ModifyResponse = func(r *http.Response) error {
		switch query := r.Request.URL.Query(); {
		case r.Request.Method == http.MethodPost && query.Has("uploads") && r.StatusCode == http.StatusOK:
			b.begun.Add(1)
		case r.Request.Method == http.MethodDelete && query.Has("uploadId") && r.StatusCode == http.StatusNoContent:
			b.aborted.Add(1)
		}
		return nil
	}
	b.proxy.ErrorLog = log.New(io.Discard, "", 0)
	server := httptest.NewServer(b)
	t.Cleanup(server.Close)
	b.url = server.URL
	t.Setenv("AWS_ACCESS_KEY_ID", s3Key)
	t.Setenv("AWS_SECRET_ACCESS_KEY", s3Secret)
	t.Setenv("AWS_SESSION_TOKEN", "")
	t.Setenv("AWS_REGION", "eu-north-1")
	t.Setenv("AWS_ENDPOINT_URL_S3", b.url)
	return b
}

func (b *bucket) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPut {
		b.puts.Add(1)
	}
	if asked := r.Header.Get("Range"); asked != "" && asked != "bytes=0-0" {
		n := b.ranges.Add(1)
		b.most.Store(max(b.most.Load(), b.now.Add(1)))
		defer b.now.Add(-1)
		f := &faulty{ResponseWriter: w, delay: time.Duration(b.delay.Load()), left: -1}
		if every := b.breaks.Load(); every > 0 && n%every == 0 {
			var from, to int
			fmt.Sscanf(asked, "bytes=%d-%d", &from, &to)
			f.left = (to + 1 - from) / 2
			b.broken.Add(1)
		}
		w = f
	}
	b.proxy.ServeHTTP(w, r)
}

// faulty is an answer that is slow, or breaks off after some bytes.
type faulty struct {
	http.ResponseWriter
	delay time.Duration
	left  int // -1 for all
}

func (f *faulty) Unwrap() http.ResponseWriter { return f.ResponseWriter }

func (f *faulty) Write(text []byte) (int, error) {
	time.Sleep(f.delay * time.Duration(len(text)) / (64 << 10))
	if f.left >= 0 && len(text) > f.left {
		f.ResponseWriter.Write(text[:f.left])
		f.ResponseWriter.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
	if f.left >= 0 {
		f.left -= len(text)
	}
	return f.ResponseWriter.Write(text)
}

// signedURL returns a URL that contains a signature. The URL is valid only for the given
// HTTP method and key.
func (b *bucket) signedURL(method, key string) string {
	r, err := http.NewRequest(method, b.url+"/runs/"+key+"?X-Amz-Expires=600", nil)
	if err != nil {
		b.t.Fatal(err)
	}
	address, _, err := v4.NewSigner().PresignHTTP(context.Background(), aws.Credentials{AccessKeyID: s3Key, SecretAccessKey: s3Secret}, r, "UNSIGNED-PAYLOAD", "s3", "eu-north-1", time.Now())
	if err != nil {
		b.t.Fatal(err)
	}
	return address
}

// TestS3 scores an object of a real S3 server. It checks that ranges are read in
// parallel, that rows and partial results are written to the server, and that shards
// continue after kill -9. The merged result must have the same bytes as a local run.
func TestS3(t *testing.T) {
	b := startBucket(t)
	const runs, shards = 6000, 8
	var all bytes.Buffer
	if err := newGenerated(t, 6000).writeRows(&all, 0, runs); err != nil {
		t.Fatal(err)
	}
	file, object := clitest.WriteTemp(t, "runs.jsonl", all.String()), "s3://runs/in/runs.jsonl"
	if err := stream.WriteWhole(object, func(w io.Writer) error { _, err := w.Write(all.Bytes()); return err }); err != nil {
		t.Fatal(err)
	}
	_, local, errs := runCommand("", "score", "--stream", file)
	want := strings.ReplaceAll(local, file, object)
	if !strings.Contains(clitest.LastLine(want), `"corpus"`) {
		t.Fatal(errs)
	}
	scored := func(name string, args ...string) {
		t.Helper()
		began := time.Now()
		code, out, errs := runCommand("", append([]string{"score", "--stream"}, args...)...)
		if code != 0 || out != want && strings.ReplaceAll(out, b.url+"/runs/in/runs.jsonl", object) != want {
			t.Fatalf("%s: exit %d %s: %d bytes, want %d", name, code, errs, len(out), len(want))
		}
		t.Logf("%s: %.1f s, %d ranges of %d MB, up to %d at once, %d broken off", name, time.Since(began).Seconds(), b.ranges.Swap(0), all.Len()>>20, b.most.Load(), b.broken.Swap(0))
	}
	scored("as it is", object)
	if b.most.Load() < 2 {
		t.Error("ranges are not read in parallel")
	}
	scored("by a signed URL", b.signedURL("GET", "in/runs.jsonl"))
	b.breaks.Store(2)
	scored("each second answer breaks off", object)
	b.breaks.Store(0)
	b.delay.Store(int64(5 * time.Millisecond))
	scored("13 MB a second for each range", object)
	b.delay.Store(0)

	// Four workers, some killed, each index started again until it is done.
	args := func(i int, more ...string) []string {
		return append([]string{"score", "--stream", "--resume", "--shard", fmt.Sprintf("%d/%d", i, shards),
			"--partial", fmt.Sprintf("s3://runs/parts/%d", i), "--out", fmt.Sprintf("s3://runs/rows/%d.jsonl", i), object}, more...)
	}
	var killed atomic.Int32
	var wait sync.WaitGroup
	jobs := make(chan int, shards)
	for i := range shards {
		jobs <- i
	}
	close(jobs)
	b.delay.Store(int64(5 * time.Millisecond))
	for worker := range 4 {
		random := rand.New(rand.NewPCG(18, uint64(worker)))
		wait.Go(func() {
			for i := range jobs {
				for try := 0; ; try++ {
					c := childCommand(args(i)...)
					var said bytes.Buffer
					c.Stderr = &said
					if err := c.Start(); err != nil {
						t.Error(err)
						return
					}
					if try < 2 && random.IntN(3) > 0 {
						time.Sleep(time.Duration(random.IntN(500)) * time.Millisecond)
						c.Process.Kill()
					}
					err := c.Wait()
					if err == nil {
						break
					}
					if c.ProcessState.ExitCode() >= 0 {
						t.Errorf("shard %d: %v %s", i, err, said.String())
						return
					}
					killed.Add(1)
				}
			}
		})
	}
	wait.Wait()
	b.delay.Store(0)
	if t.Failed() {
		return
	}
	if killed.Load() == 0 {
		t.Error("none was killed")
	}
	var parts []string
	rows := 0
	puts, ranges := b.puts.Load(), b.ranges.Load()
	for i := range shards {
		parts = append(parts, fmt.Sprintf("s3://runs/parts/%d", i))
		if code, out, errs := runCommand("", args(i)...); code != 0 || out != "" || !strings.Contains(errs, parts[i]+" already contains this result") {
			t.Errorf("shard %d again: exit %d %s", i, code, errs)
		}
		text, err := os.ReadFile(filepath.Join(b.root, "data/runs/rows", fmt.Sprintf("%d.jsonl", i)))
		if err != nil || !bytes.HasSuffix(text, []byte("\"partial\":false}\n")) {
			t.Errorf("rows of shard %d: %v", i, err)
		}
		rows += bytes.Count(text, []byte("\n")) - 2
		if i == 3 {
			out := filepath.Join(t.TempDir(), "out")
			runCommand("", "score", "--stream", "--shard", fmt.Sprintf("3/%d", shards), "--partial", out+".part", "--out", out, file)
			if alone, _ := os.ReadFile(out); strings.ReplaceAll(string(alone), file, object) != string(text) {
				t.Error("the rows of shard 3 are not those of a local run")
			}
		}
	}
	if rows != runs || b.puts.Load() != puts || b.ranges.Load()-ranges > shards { // a range for each partial result
		t.Errorf("%d rows of %d; %d puts and %d ranges when all was there", rows, runs, b.puts.Load()-puts, b.ranges.Load()-ranges)
	}
	merged := func(args ...string) {
		t.Helper()
		if code, out, errs := runCommand("", append([]string{"merge"}, args...)...); code != 0 || out != clitest.LastLine(want) {
			t.Errorf("exit %d %s\n%s%s", code, errs, out, clitest.LastLine(want))
		}
	}
	merged(parts...)
	if code, out, errs := runCommand("", append([]string{"merge", "--out", "s3://runs/all parts+1"}, parts...)...); code != 0 || out != "" {
		t.Errorf("exit %d %s", code, errs)
	}
	merged("s3://runs/all parts+1")
	if code, _, errs := runCommand("", append([]string{"merge", "--out", b.signedURL("PUT", "signed")}, parts...)...); code != 0 {
		t.Errorf("exit %d %s", code, errs)
	}
	merged(b.signedURL("GET", "signed"))
	t.Logf("%d shards, %d killed", shards, killed.Load())
}

// TestS3Says checks the errors that are printed if the server refuses a request or breaks
// off each answer.
func TestS3Says(t *testing.T) {
	b := startBucket(t)
	var all bytes.Buffer
	if err := newGenerated(t, 6000).writeRows(&all, 0, 1000); err != nil {
		t.Fatal(err)
	}
	object := "s3://runs/runs.jsonl"
	if err := stream.WriteWhole(object, func(w io.Writer) error { _, err := w.Write(all.Bytes()); return err }); err != nil {
		t.Fatal(err)
	}
	part := filepath.Join(t.TempDir(), "part")
	for _, c := range []struct {
		name  string
		env   map[string]string
		fault func()
		args  []string
		want  string
	}{
		{"wrong secret", map[string]string{"AWS_SECRET_ACCESS_KEY": "another"}, nil, []string{object}, object + ": the server answers 403 Forbidden (SignatureDoesNotMatch)"},
		{"wrong key", map[string]string{"AWS_ACCESS_KEY_ID": "another"}, nil, []string{object}, object + ": the server answers 404 Not Found (XAdminUserNotFound)"},
		{"no key", map[string]string{"AWS_ACCESS_KEY_ID": ""}, nil, []string{object}, "needs AWS_ACCESS_KEY_ID"},
		{"another region", map[string]string{"AWS_REGION": "us-east-1"}, nil, []string{object}, object + ": the server answers 400 Bad Request (AuthorizationHeaderMalformed)"},
		{"missing bucket", nil, nil, []string{"s3://absent/runs.jsonl"}, "s3://absent/runs.jsonl: the server answers 404 Not Found (NoSuchBucket)"},
		{"missing key", nil, nil, []string{"s3://runs/absent"}, "s3://runs/absent: the server answers 404 Not Found (NoSuchKey)"},
		{"rows into a missing bucket", nil, nil, []string{"--partial", part, "--out", "s3://absent/rows", object}, "writing s3://absent/rows: the server answers 404 Not Found (NoSuchBucket)"},
		{"partial result into a missing bucket", nil, nil, []string{"--partial", "s3://absent/part", object}, "writing s3://absent/part: the server answers 404 Not Found (NoSuchBucket)"},
		{"no server", map[string]string{"AWS_ENDPOINT_URL_S3": "http://127.0.0.1:1"}, nil, []string{object}, object + ": 6 tries failed: dial tcp 127.0.0.1:1: connect: connection refused"},
		{"a server that breaks off each answer", nil, func() { b.breaks.Store(1) }, []string{object}, "6 tries failed: the answer ends early: unexpected EOF"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for name, value := range c.env {
				t.Setenv(name, value)
			}
			if c.fault != nil {
				c.fault()
			}
			began := time.Now()
			code, _, errs := runCommand("", append([]string{"score", "--stream"}, c.args...)...)
			took := time.Since(began)
			if code != 1 || !strings.Contains(errs, c.want) || strings.Contains(errs, s3Secret) || took > 30*time.Second {
				t.Errorf("exit %d after %v: %s", code, took, errs)
			}
			t.Logf("%.1f s: %s", took.Seconds(), errs)
		})
	}
	if _, err := os.Stat(part); err == nil {
		t.Error("there is a partial result of a shard whose rows were not written")
	}
	b.breaks.Store(0)
	if code, _, errs := runCommand("", "score", "--stream", "--partial", part, object); code != 0 {
		t.Fatal(errs)
	}
	if code, _, errs := runCommand("", "score", "--stream", "--partial", "s3://runs/a part+1", "--out", "s3://runs/rows", object); code != 0 || b.begun.Load() != 2 || b.aborted.Load() != 2 {
		t.Errorf("exit %d %s, %d uploads begun, %d aborted; want 2 of both", code, errs, b.begun.Load(), b.aborted.Load())
	}
	for _, c := range [][]string{
		{"s3://runs/absent: the server answers 404 Not Found (NoSuchKey)", "s3://runs/absent"},
		{"writing s3://absent/x: the server answers 404 Not Found (NoSuchBucket)", "--out", "s3://absent/x", part},
		{object + ": this is not a partial result", object},
	} {
		if code, _, errs := runCommand("", append([]string{"merge"}, c[1:]...)...); code != 1 || !strings.Contains(errs, c[0]) {
			t.Errorf("exit %d %s, want %s", code, errs, c[0])
		}
	}
}

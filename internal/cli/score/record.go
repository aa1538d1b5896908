//go:build !js

package score

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/boundcheck/boundcheck/core/read"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/record"
	"github.com/boundcheck/boundcheck/internal/words"
	"github.com/boundcheck/boundcheck/worker/gate/origin"
)

const recordUsage = `usage: boundcheck record [--upstream URL] [--out FILE] -- COMMAND [ARG…]

Runs an agent and records a trace of its actions. The agent's code does not change: it reaches its
model through this program, which passes everything on unchanged. For this the program sets
OPENAI_BASE_URL, OPENAI_API_BASE and ANTHROPIC_BASE_URL; the agent uses its own key. Chat completions,
responses and messages are recorded, streamed or not, as one row for each conversation.

  --upstream URL  the model's API up to its version (default: $OPENAI_BASE_URL, else
                  https://api.openai.com/v1)
  --out FILE      the trace (default trace.jsonl)

It ends with the exit code of COMMAND; 1 if nothing was recorded.
`

// Record runs an agent behind a proxy and stores its trace.
func Record(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var upstream, out string
	set := flag.NewFlagSet("record", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&upstream, "upstream", "", "")
	set.StringVar(&out, "out", "trace.jsonl", "")
	err := set.Parse(args)
	if err == nil && set.NArg() == 0 {
		err = errors.New("missing COMMAND after --")
	}
	var target *url.URL
	if err == nil {
		target, err = upstreamURL(upstream)
	}
	if err != nil {
		return cmd.PrintUsage(stdout, stderr, "record", err, recordUsage)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	code, err := recordRun(ctx, target, out, set.Args(), cmd.Ends{Stdin: stdin, Stdout: stdout, Stderr: stderr})
	if err != nil {
		fmt.Fprintf(stderr, "boundcheck record: %v\n", err)
		return cmd.ExitInput
	}
	return code
}

func upstreamURL(given string) (*url.URL, error) {
	for _, s := range []string{given, os.Getenv("OPENAI_BASE_URL"), "https://api.openai.com/v1"} {
		if s == "" {
			continue
		}
		u, err := url.Parse(strings.TrimSuffix(s, "/"))
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return nil, fmt.Errorf("invalid --upstream %q: want a URL such as https://host/v1", s)
		}
		return u, nil
	}
	return nil, errors.New("missing --upstream URL")
}

// recordRun runs the user's command behind the proxy, and writes the trace. It returns
// the exit code of the command.
func recordRun(ctx context.Context, target *url.URL, out string, args []string, s cmd.Ends) (code int, err error) {
	log, code, err := runRecorded(ctx, target, args, nil, s)
	if err != nil {
		return 0, err
	}
	return code, keepRecord(log, out, s.Stderr)
}

// runRecorded runs a command behind the proxy, with more variables in its environment. It
// returns what was recorded and the exit code of the command.
func runRecorded(ctx context.Context, target *url.URL, args, env []string, s cmd.Ends) (log *record.Log, code int, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, 0, err
	}
	log = &record.Log{}
	server := &http.Server{Handler: fromHere(newRecorder(target, log)), ReadHeaderTimeout: 10 * time.Second}
	go server.Serve(listener)
	defer server.Close()
	base := "http://" + listener.Addr().String()
	child := exec.CommandContext(ctx, args[0], args[1:]...)
	child.Stdin, child.Stdout, child.Stderr = s.Stdin, s.Stdout, s.Stderr
	child.Env = slices.Concat(os.Environ(), []string{"OPENAI_BASE_URL=" + base + "/v1", "OPENAI_API_BASE=" + base + "/v1", "ANTHROPIC_BASE_URL=" + base}, env)
	child.WaitDelay = 5 * time.Second
	err = child.Run()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		return nil, 0, err
	}
	if ended != nil {
		code = max(ended.ExitCode(), 1)
	}
	within, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	server.Shutdown(within) // requests that are still running count
	return log, code, nil
}

// keepRecord writes the trace to the file out, and prints how many calls and
// conversations the trace has. It returns an error if nothing was recorded.
func keepRecord(log *record.Log, out string, stderr io.Writer) error {
	data, odd := log.Trace()
	for _, text := range odd {
		fmt.Fprintf(stderr, "boundcheck record: %s\n", words.Printable(text))
	}
	if len(data) == 0 {
		return errors.New("nothing was recorded: the command called no model through OPENAI_BASE_URL or ANTHROPIC_BASE_URL")
	}
	if err := cmd.WriteWhole(out, data); err != nil {
		return err
	}
	doc, err := read.Decode(data)
	if err != nil {
		return fmt.Errorf("wrote file %s, but cannot read that file: %w", out, err)
	}
	calls := 0
	for i := range doc.Trajectories {
		calls += len(doc.Trajectories[i].Actions)
	}
	fmt.Fprintf(stderr, "boundcheck record: %s: %s in %s\n", out, words.Count(calls, "call", "calls"), words.Count(len(doc.Trajectories), "conversation", "conversations"))
	return nil
}

// fromHere returns a handler that refuses requests of foreign web pages. The trace must
// contain only what the command sends. A page whose host name leads to this machine (DNS
// rebinding) has another Host, and any other page has an Origin.
func fromHere(next http.Handler) http.Handler {
	return cmd.LocalOnly(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, from := range r.Header.Values("Origin") {
			if u, err := url.Parse(from); err != nil || !origin.Loopback(u.Host) {
				http.Error(w, "this address serves no requests of other web pages", http.StatusForbidden)
				return
			}
		}
		next.ServeHTTP(w, r)
	}))
}

// newRecorder returns a proxy that passes requests on to target, and stores a copy of
// each request and its answer in the log.
func newRecorder(target *url.URL, log *record.Log) http.Handler {
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host = target.Scheme, target.Host
			r.Out.URL.Path, r.Out.URL.RawPath = target.Path+strings.TrimPrefix(r.In.URL.Path, "/v1"), ""
			r.Out.Host = target.Host
			r.Out.Header.Del("Accept-Encoding") // so that the copy is not compressed
		},
		FlushInterval: -1, // streams pass without a delay
		ModifyResponse: func(r *http.Response) error {
			if kept, ok := r.Request.Context().Value(keptRequest{}).(*exchange); ok && r.StatusCode == http.StatusOK {
				kept.copyAnswer(r)
			}
			return nil
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			http.Error(w, "boundcheck record: the model cannot be reached: "+err.Error(), http.StatusBadGateway)
		},
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			proxy.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 256<<20))
		if err != nil {
			http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
			return
		}
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		kept := &exchange{log: log, path: r.URL.Path, request: body}
		proxy.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), keptRequest{}, kept)))
	})
}

type keptRequest struct{}

// exchange is a request with the copy of its answer.
type exchange struct {
	log     *record.Log
	path    string
	request []byte
}

// copyAnswer copies an answer while it passes through the proxy. When the answer ends,
// the copy is added to the log.
func (e *exchange) copyAnswer(r *http.Response) {
	r.Body = &copied{ReadCloser: r.Body, ended: func(answer []byte) {
		if plain, err := gunzipBody(answer, r.Header.Get("Content-Encoding")); err == nil {
			e.log.Add(e.path, e.request, plain, strings.HasPrefix(r.Header.Get("Content-Type"), "text/event-stream"))
		}
	}}
}

func gunzipBody(b []byte, encoding string) ([]byte, error) {
	if encoding != "gzip" {
		return b, nil
	}
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// copied stores what is read from a body.
type copied struct {
	io.ReadCloser
	seen  bytes.Buffer
	once  sync.Once
	ended func([]byte)
}

func (c *copied) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	c.seen.Write(p[:n])
	if err == io.EOF {
		c.once.Do(func() { c.ended(c.seen.Bytes()) })
	}
	return n, err
}

func (c *copied) Close() error {
	c.once.Do(func() { c.ended(c.seen.Bytes()) }) // also for a stream that was cut off
	return c.ReadCloser.Close()
}

//go:build !js

package gate

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/live"
	"github.com/boundcheck/boundcheck/worker"
	"github.com/boundcheck/boundcheck/worker/api"
)

const serveUsage = `usage: boundcheck serve [--addr HOST:PORT] [--playground DIR] [--watch FILE|FOLDER]... [--otlp]

Serves the playground and the API (POST /v1/score, POST /v1/check, GET /healthz)
until Ctrl-C.

  --addr HOST:PORT   where to listen (default localhost:8080, or localhost:$PORT);
                     port 0 selects a free port
  --playground DIR   a built playground, instead of the one in this program
  --watch PATH       the page follows this file, or the files in this folder: runs appear
                     while the agent works. Repeatable
  --otlp             take spans at /v1/traces (OTLP/HTTP, JSON or protobuf), and show their runs

--watch and --otlp need an address that only this machine can reach (docs/dump.md).

The page also offers the installed plugins that are listed in boundcheck-plugins.lock in
this folder.

At most as many scores run at once as there are processors, less one. docs/http.md has
the limits.

The API has no authentication. Everybody who can reach the address can use the API.
Listen on localhost if other machines must not use the API.
`

// Serve serves until it gets SIGINT or SIGTERM. A second signal ends it at once.
func Serve(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return serveUntil(ctx, args, stdout, stderr)
}

func serveUntil(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	fail := func(code int, format string, a ...any) int {
		fmt.Fprintf(stderr, "boundcheck serve: "+format+"\n", a...)
		return code
	}
	addr, pages, follow, err := serveArgs(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, serveUsage)
		return 0
	}
	if err != nil {
		return fail(2, "%v", err)
	}
	if pages != nil {
		if pages, err = withInstalled(ctx, pages, stderr); err != nil {
			return fail(1, "plugins: %v", err)
		}
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return fail(1, "%s", listenTrouble(addr, err))
	}
	host, _, _ := net.SplitHostPort(addr)
	bound := listener.Addr().(*net.TCPAddr)
	if host == "" || bound.IP.IsUnspecified() {
		host = "localhost"
	}
	if follow.IsOn() && !bound.IP.IsLoopback() {
		listener.Close()
		return fail(2, "--watch and --otlp need an address that only this machine can reach, such as localhost:8080")
	}
	what := "playground and API"
	if pages == nil {
		what = "API alone"
	}
	fmt.Fprintf(stdout, "Boundcheck is at http://%s (%s; Ctrl-C stops)\n", net.JoinHostPort(host, strconv.Itoa(bound.Port)), what)
	if follow.IsOn() {
		fmt.Fprintf(stdout, "The runs appear at http://%s/#score?watch=1\n", net.JoinHostPort(host, strconv.Itoa(bound.Port)))
	}
	if pages == nil {
		fmt.Fprintf(stderr, "boundcheck serve: no playground: %s\n", whereIsPage())
	}
	if !bound.IP.IsLoopback() {
		fmt.Fprintln(stderr, "boundcheck serve: other machines can reach this address, and the API has no authentication")
	}
	server := &http.Server{
		Handler:           serveHandler(pages, bound.IP.IsLoopback(), follow),
		ErrorLog:          log.New(stderr, "boundcheck serve: ", 0),
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       time.Minute,
		WriteTimeout:      2 * time.Minute,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
	}
	if err := serveOn(ctx, server, listener, 5*time.Second); err != nil {
		return fail(1, "%v", err)
	}
	return 0
}

// serveOn serves until ctx ends. Then it waits until the running requests have finished,
// but not longer than grace.
func serveOn(ctx context.Context, server *http.Server, listener net.Listener, grace time.Duration) error {
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	within, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if server.Shutdown(within) != nil {
		server.Close() // what still runs has had its time
	}
	return nil
}

// serveArgs reads the flags and the environment variable PORT. It returns the address and
// the files of the playground, and what is watched. pages is nil if there is no playground.
func serveArgs(args []string) (addr string, pages fs.FS, follow *live.Watched, err error) {
	var dir string
	follow = &live.Watched{}
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&addr, "addr", "", "")
	flags.StringVar(&dir, "playground", "", "")
	flags.Func("watch", "", follow.Add)
	flags.BoolVar(&follow.Receive, "otlp", false, "")
	if err := flags.Parse(args); err != nil {
		return "", nil, nil, err
	}
	if flags.NArg() > 0 {
		return "", nil, nil, fmt.Errorf("unexpected argument %q; \"boundcheck serve --help\" shows the flags", flags.Arg(0))
	}
	from := "--addr"
	if addr == "" {
		from, addr = "PORT", "localhost:8080"
		if port := os.Getenv("PORT"); port != "" {
			addr = "localhost:" + port
		}
	}
	_, port, err := net.SplitHostPort(addr)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return "", nil, nil, fmt.Errorf("invalid %s: %q is not host:port, as in localhost:8080", from, addr)
	}
	if dir == "" {
		return addr, findPage(), follow, nil
	}
	if pages = pageIn(dir); pages == nil {
		return "", nil, nil, fmt.Errorf("invalid --playground: there is no index.html in %s", dir)
	}
	return addr, pages, follow, nil
}

// listenTrouble returns one line of text that gives the reason why the program cannot
// listen on addr.
func listenTrouble(addr string, err error) string {
	if !errors.Is(err, syscall.EADDRINUSE) {
		return err.Error()
	}
	host, port, _ := net.SplitHostPort(addr)
	n, _ := strconv.Atoi(port)
	other := strconv.Itoa(n%65535 + 1)
	return fmt.Sprintf("port %s is in use by another program; choose another port with --addr %s or PORT=%s",
		port, net.JoinHostPort(host, other), other)
}

// pagePolicy lets the page run its own scripts and the wasm core, and nothing
// from elsewhere. The page's Web Worker is a blob and obeys the page's policy.
const pagePolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; connect-src 'self'; " +
	"style-src 'self'; img-src 'self'; manifest-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

// policyOf returns the Content-Security-Policy for a path. Other sites may show only
// embed.html in a frame, because embed.html stores nothing and asks for nothing.
func policyOf(path string) string {
	if path == "/embed.html" {
		return strings.Replace(pagePolicy, "frame-ancestors 'none'", "frame-ancestors *", 1)
	}
	return pagePolicy
}

// serveHandler returns a handler for the API and, if there is one, for the playground,
// under one origin. If local is true, it refuses requests whose Host header does not name
// this machine. This protects against foreign web pages whose name resolves to the
// loopback address (DNS rebinding). follow is what the page follows.
func serveHandler(pages fs.FS, local bool, follow *live.Watched) http.Handler {
	scoring := worker.Handler(worker.Options{Bounds: api.NativeBounds()})
	site := playground{files: pages, other: scoring}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policyOf(r.URL.Path))
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("X-Content-Type-Options", "nosniff")
		switch {
		case local && !namesLoopback(r.Host):
			h.Set("Content-Type", "application/json; charset=utf-8")
			h.Set("Cache-Control", "no-store")
			w.WriteHeader(http.StatusMisdirectedRequest)
			w.Write(wire.Fail(wire.CodeInput, fmt.Sprintf("this server answers only requests for localhost, not for %q", r.Host)))
		case follow.Serve(w, r):
		case r.URL.Path == "/healthz" || strings.HasPrefix(r.URL.Path, "/v1/"):
			scoring.ServeHTTP(w, r)
		default:
			site.ServeHTTP(w, r)
		}
	})
}

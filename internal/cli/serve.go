package cli

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
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/worker"
)

const serveUsage = `usage: boundcheck serve [--addr HOST:PORT] [--playground DIR]

Serves the playground and the API (POST /v1/score, POST /v1/check, GET /healthz)
until Ctrl-C.

  --addr HOST:PORT   where to listen (default localhost:8080, or localhost:$PORT);
                     port 0 takes a free one
  --playground DIR   the built playground (default dist/playground)

There is no authentication: listen on other addresses than localhost only where
everybody who can reach them may use the API.
`

// serveCommand serves until SIGINT or SIGTERM; a second one ends it at once.
func serveCommand(args []string, _ io.Reader, stdout, stderr io.Writer) int {
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
	addr, pages, err := serveArgs(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, serveUsage)
		return 0
	}
	if err != nil {
		return fail(2, "%v", err)
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
	fmt.Fprintf(stdout, "Boundcheck is at http://%s (playground and API; Ctrl-C stops)\n", net.JoinHostPort(host, strconv.Itoa(bound.Port)))
	if !playgroundBuilt(pages) {
		fmt.Fprintf(stderr, "boundcheck serve: no playground in %s: build it with \"make playground\"; the API works without it\n", pages)
	}
	if !bound.IP.IsLoopback() {
		fmt.Fprintln(stderr, "boundcheck serve: other machines can reach this address, and the API has no authentication")
	}
	server := &http.Server{
		Handler:           serveHandler(pages, bound.IP.IsLoopback()),
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

// serveOn serves until ctx ends, and then lets requests that run finish, for at most
// as long as grace.
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

// serveArgs reads the flags and PORT into an address and the playground's folder.
func serveArgs(args []string) (addr, pages string, err error) {
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&addr, "addr", "", "")
	flags.StringVar(&pages, "playground", "", "")
	if err := flags.Parse(args); err != nil {
		return "", "", err
	}
	if flags.NArg() > 0 {
		return "", "", fmt.Errorf("unexpected argument %q; \"boundcheck serve --help\" shows the flags", flags.Arg(0))
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
		return "", "", fmt.Errorf("invalid %s: %q is not host:port, as in localhost:8080", from, addr)
	}
	if pages == "" {
		return addr, findPlayground(), nil
	}
	if !playgroundBuilt(pages) {
		return "", "", fmt.Errorf("invalid --playground: there is no index.html in %s", pages)
	}
	return addr, pages, nil
}

// listenTrouble says in one line why nothing can listen on addr.
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

// findPlayground looks for dist/playground here and upwards to the module's root.
func findPlayground() string {
	const built = "dist/playground"
	dir, err := os.Getwd()
	for err == nil {
		if playgroundBuilt(filepath.Join(dir, built)) {
			return filepath.Join(dir, built)
		}
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, built) // here "make playground" will put it
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	return built
}

func playgroundBuilt(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, "index.html"))
	return err == nil && info.Mode().IsRegular()
}

// pagePolicy lets the page run its own scripts and the wasm core, and nothing
// from elsewhere. The page's Web Worker is a blob and obeys the page's policy.
const pagePolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; connect-src 'self'; " +
	"style-src 'self'; img-src 'self' data:; font-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// serveHandler puts the playground in folder pages and the API behind one
// origin. With local set it answers only requests that name this machine: a
// foreign name that resolves to the loopback address is how a web page
// elsewhere would reach a server here (DNS rebinding).
func serveHandler(pages string, local bool) http.Handler {
	api := worker.Handler(worker.Options{})
	site := playground{dir: pages, other: api}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", pagePolicy)
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("X-Content-Type-Options", "nosniff")
		switch {
		case local && !namesLoopback(r.Host):
			h.Set("Content-Type", "application/json; charset=utf-8")
			h.Set("Cache-Control", "no-store")
			w.WriteHeader(http.StatusMisdirectedRequest)
			w.Write(wire.Fail(wire.CodeInput, fmt.Sprintf("this server answers for localhost, not for %q", r.Host)))
		case r.URL.Path == "/healthz" || strings.HasPrefix(r.URL.Path, "/v1/"):
			api.ServeHTTP(w, r)
		default:
			site.ServeHTTP(w, r)
		}
	})
}

// namesLoopback tells whether a Host header, with or without a port, means this machine.
func namesLoopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// playground serves the files of a folder. It lists no folder, follows no
// symbolic link out of it, and leaves what is not there to other.
type playground struct {
	dir   string
	other http.Handler
}

func (p playground) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		p.other.ServeHTTP(w, r)
		return
	}
	name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
	if name == "" && !playgroundBuilt(p.dir) {
		notBuilt(w, r)
		return
	}
	if name == "" || strings.HasSuffix(r.URL.Path, "/") {
		name = path.Join(name, "index.html")
	}
	file, info, err := p.open(name)
	if err != nil {
		p.other.ServeHTTP(w, r)
		return
	}
	defer file.Close()
	h := w.Header()
	if info.IsDir() {
		h.Set("Location", path.Base(name)+"/") // relative, so that it cannot lead elsewhere
		w.WriteHeader(http.StatusTemporaryRedirect)
		return
	}
	h.Set("Content-Type", contentType(name))
	h.Set("Cache-Control", "no-cache") // ask each time, or a rebuilt page would meet an old core
	h.Set("ETag", fmt.Sprintf(`"%x-%x"`, info.ModTime().UnixNano(), info.Size()))
	http.ServeContent(w, r, name, info.ModTime(), file)
}

// open opens a file, or a folder that has an index.html.
func (p playground) open(name string) (*os.File, fs.FileInfo, error) {
	if strings.HasPrefix(name, ".") || strings.Contains(name, "/.") {
		return nil, nil, fs.ErrNotExist
	}
	file, err := os.OpenInRoot(p.dir, filepath.FromSlash(name))
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() && !(info.IsDir() && playgroundBuilt(filepath.Join(p.dir, name))) {
		err = fs.ErrNotExist
	}
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	return file, info, nil
}

// contentType goes by the name alone, so that it does not depend on the
// machine's own table: modules and wasm are refused under a wrong type.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".js", ".mjs":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".txt", ".md", ".ts", ".jsonl":
		return "text/plain; charset=utf-8"
	case ".json", ".map":
		return "application/json"
	case ".webmanifest":
		return "application/manifest+json"
	case ".wasm":
		return "application/wasm"
	case ".svg":
		return "image/svg+xml"
	case ".png":
		return "image/png"
	case ".ico":
		return "image/x-icon"
	case ".woff2":
		return "font/woff2"
	}
	return "application/octet-stream"
}

func notBuilt(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusServiceUnavailable)
	if r.Method != http.MethodHead {
		io.WriteString(w, notBuiltPage)
	}
}

const notBuiltPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Boundcheck</title>
<main>
<h1>The playground is not built</h1>
<p>Build it in the repository, then load this page again:</p>
<pre>make playground</pre>
<p>The API works without it: <code>POST /v1/score</code>, <code>POST /v1/check</code>, <a href="/healthz"><code>GET /healthz</code></a>.</p>
</main>
</html>
`

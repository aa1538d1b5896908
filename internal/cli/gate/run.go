//go:build !js

package gate

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/database"
	"github.com/boundcheck/boundcheck/worker/gate/origin"
	"github.com/boundcheck/boundcheck/worker/gate/passkey"
	"github.com/boundcheck/boundcheck/worker/gate/push"
	"github.com/boundcheck/boundcheck/worker/gate/sqlite"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

const runUsage = `
Running:
  --log WHAT         errors (default): log failed requests with their cause, and the
                     gate's own actions; requests: also log every other request.
                     The log is JSON lines on standard error
  --take-over        if another gate serves the database, ask it to hand over, and
                     wait; without this flag, a second gate does not start
  --force-downgrade  also serve a database that a newer version has written. Make a copy
                     of the database before
  --lease TIME       a gate that gives no sign for this time counts as gone (default 5s)
  --audit-key FILE   sign the heads of the audit's chains with this key, made by
                     "boundcheck audit key" (or $BOUNDCHECK_AUDIT_KEY)
  --audit-heads FILE append the heads of the chains to FILE every minute

The policy and the keys are read again on SIGHUP and when their files change. The waiting
requests and the page sessions of a removed key end within a second. If a file has an
error, the error is reported again and again, and the previous content stays in force.
`

// runFlags control how the process runs.
type runFlags struct {
	log, auditKey, auditHeads string
	takeOver, downgrade       bool
	lease                     time.Duration
}

func (f *runFlags) RegisterFlags(flags *flag.FlagSet) {
	flags.StringVar(&f.log, "log", "errors", "")
	flags.BoolVar(&f.takeOver, "take-over", false, "")
	flags.BoolVar(&f.downgrade, "force-downgrade", false, "")
	flags.DurationVar(&f.lease, "lease", sqlite.DefaultLease, "")
	flags.StringVar(&f.auditKey, "audit-key", "", "")
	flags.StringVar(&f.auditHeads, "audit-heads", "", "")
}

func (f *runFlags) CheckFlags() error {
	switch {
	case f.log != "errors" && f.log != "requests":
		return fmt.Errorf("invalid --log %q: want errors or requests", f.log)
	case f.lease < 500*time.Millisecond || f.lease > time.Minute:
		return fmt.Errorf("invalid --lease %v: want a time from 500ms to 1m", f.lease)
	}
	return nil
}

// ready is the JSON line that the gate prints when it is ready.
type ready struct {
	URL         string `json:"url"`
	AgentKey    string `json:"agentKey,omitempty"`
	ApproverKey string `json:"approverKey,omitempty"`
	SignIn      string `json:"signIn,omitempty"` // a link that signs the approver in once
	Pages       string `json:"pages,omitempty"`  // the address of the pages in the network
}

func gateUntil(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	fail := func(code int, err error) int {
		fmt.Fprintf(stderr, "boundcheck gate: %v\n", err)
		return code
	}
	f, err := readGateFlags(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, gateUsage)
		return cmd.ExitOK
	}
	if err != nil {
		return fail(cmd.ExitUsage, err)
	}
	hangups := catchHangups() // before anything that takes time
	line := ready{}
	o, err := gateOptions(&f, &line)
	if err != nil {
		return fail(cmd.ExitInput, err)
	}
	advisor, done, err := f.advice.OpenAdvisor(context.Background(), stderr)
	if err != nil {
		return fail(cmd.ExitInput, fmt.Errorf("plugins: %w", err))
	}
	defer done()
	conf, err := cmd.ReadConfig("", ".")
	if err != nil {
		return fail(cmd.ExitInput, err)
	}
	o.Policy.Advisor = cmd.AdviseByConfig(conf, advisor)
	if f.db == "" {
		dir, err := os.MkdirTemp("", "boundcheck-gate-")
		if err != nil {
			return fail(cmd.ExitInput, err)
		}
		defer os.RemoveAll(dir)
		f.db = filepath.Join(dir, "gate.db")
	}
	if host, _, err := net.SplitHostPort(f.addr); f.dev && (err != nil || !origin.Loopback(host)) {
		return fail(cmd.ExitUsage, errors.New("with --dev, --addr must be a loopback address, such as localhost:8080"))
	}
	r := &gateRunner{flags: &f, options: o, line: line, stdout: stdout, stderr: stderr, hangups: hangups, log: slog.New(slog.NewJSONHandler(stderr, nil))}
	if err := r.run(ctx); err != nil {
		return fail(cmd.ExitInput, err)
	}
	return cmd.ExitOK
}

// gateRunner runs one gate from its start to its end.
type gateRunner struct {
	flags   *gateFlags
	options gate.Options
	line    ready
	stdout  io.Writer
	stderr  io.Writer
	log     *slog.Logger
	gate    *gate.Gate
	hangups <-chan os.Signal
}

// run serves the gate until ctx ends or another gate asks for the database. It takes over
// the database at the beginning, and releases the database at the end.
func (r *gateRunner) run(ctx context.Context) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	db, err := database.Serve(ctx, r.flags.db, sqlite.Lease{For: r.flags.run.lease, TakeOver: r.flags.run.takeOver, Holder: drawKey("process_"), Downgrade: r.flags.run.downgrade})
	if errors.Is(err, store.ErrNewer) {
		return fmt.Errorf("%w. Start that version, or use --force-downgrade", err)
	}
	if err != nil {
		return err
	}
	defer db.Close()
	if db.Shared && len(r.options.Secret) == 0 && !r.flags.dev {
		return errors.New("missing $BOUNDCHECK_SECRET: several gates can serve a PostgreSQL database, and all need the same secret (64 hexadecimal digits)")
	}
	defer r.sealAll(db.Store) // after the last request
	var background sync.WaitGroup
	defer background.Wait()
	defer cancel()
	background.Go(func() {
		if why := db.Keep(ctx, r.logError); why != "" {
			r.log.Warn("stopping", "cause", why)
			cancel()
		}
	})
	listener, err := net.Listen("tcp", r.flags.addr)
	if err != nil {
		return errors.New(listenTrouble(r.flags.addr, err))
	}
	defer listener.Close()
	bound := listener.Addr().(*net.TCPAddr)
	if r.flags.dev && !bound.IP.IsLoopback() {
		return errors.New("with --dev, --addr must be a loopback address, such as localhost:8080")
	}
	if r.options.URL = r.flags.url; r.options.URL == "" {
		r.options.URL = "http://" + bound.String()
	}
	r.line.URL = strings.TrimSuffix(r.options.URL, "/")
	var lan net.Listener
	if r.flags.lan {
		if lan, err = listenLAN(); err != nil {
			return err
		}
		defer lan.Close()
		r.line.Pages = "http://" + lan.Addr().String()
		r.options.URL, r.options.Plain = r.line.Pages, true
	}
	r.options.Store = db.Store
	if keys, err := passkey.New(r.options.URL); err == nil { // else the pages say what passkeys need
		r.options.Passkeys = keys
	}
	if r.flags.push {
		if r.options.Pushes, err = push.New(r.options.URL); err != nil {
			return fmt.Errorf("--push: %w", err)
		}
	}
	handler, err := r.newHandler()
	if err != nil {
		return err
	}
	if lan != nil {
		background.Go(func() { r.serveLAN(ctx, handler, lan) })
		handler = cmd.LocalOnly(handler)
	}
	if !db.Clean {
		if err := r.gate.Recover(ctx); err != nil {
			return err
		}
	}
	if err := r.startBackground(ctx, db.Store, &background); err != nil {
		return err
	}
	context.AfterFunc(ctx, r.gate.Drain)
	return serveOn(ctx, r.newServer(handler), listener, 20*time.Second)
}

// sealAll seals the last rows of the audit.
func (r *gateRunner) sealAll(store *store.Store) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := store.Seal(ctx); err != nil {
		r.logError(fmt.Errorf("the last rows of the audit are not sealed: %w", err))
	}
}

// newHandler returns the gate's handler with its proxies.
func (r *gateRunner) newHandler() (http.Handler, error) {
	g, err := gate.New(r.options)
	if err != nil {
		return nil, err
	}
	r.gate = g
	r.warnOfStrangers()
	chat, err := r.flags.proxy.newProxy(g)
	if err != nil {
		return nil, err
	}
	handler, err := r.flags.mcp.mountProxy(g, withProxy(g, chat))
	if err != nil {
		return nil, err
	}
	if chat != nil {
		for _, warning := range chat.Warnings() {
			r.log.Warn(warning)
		}
	}
	return g.Logged(handler, r.logRequest), nil
}

// startBackground starts the background work, and prints a line that says that the gate
// is ready.
func (r *gateRunner) startBackground(ctx context.Context, store *store.Store, background *sync.WaitGroup) error {
	background.Go(func() { r.gate.Run(ctx, r.logError) })
	background.Go(func() { r.watchFiles(ctx) })
	if file := r.flags.run.auditHeads; file != "" {
		background.Go(func() {
			if err := keepHeads(ctx, store, r.options.SignHead, file, time.Minute, r.logError); err != nil {
				r.logError(err)
			}
		})
	}
	if r.flags.dev {
		if err := r.showLink(); err != nil {
			return err
		}
	}
	return json.NewEncoder(r.stdout).Encode(r.line)
}

func (r *gateRunner) newServer(handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           handler,
		ErrorLog:          slog.NewLogLogger(r.log.Handler(), slog.LevelWarn),
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      time.Minute, // requests that wait longer extend their own deadline
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
	}
}

// logError logs an error of the background work.
func (r *gateRunner) logError(err error) { r.log.Error("background", "cause", err.Error()) }

// logRequest logs a request if it failed, or if the operator wants to log all requests.
func (r *gateRunner) logRequest(ctx context.Context, l gate.Line) {
	level := slog.LevelInfo
	if l.Failed() {
		level = slog.LevelError
	} else if r.flags.run.log != "requests" {
		return
	}
	all := []slog.Attr{
		slog.String("id", l.ID), slog.String("method", l.Method), slog.String("path", l.Path), slog.Int("status", l.Status),
		slog.Float64("ms", float64(l.Took.Microseconds())/1000), slog.Int64("bytes", l.Bytes), slog.String("address", l.Address),
	}
	if l.Name != "" {
		all = append(all, slog.String("tenant", l.Tenant), slog.String("role", l.Role), slog.String("name", l.Name))
	}
	switch {
	case l.Cause != nil:
		all = append(all, slog.String("cause", l.Cause.Error()))
	case l.Status >= 500:
		all = append(all, slog.String("cause", "a service that the gate called has failed; the response body has the details"))
	}
	r.log.LogAttrs(ctx, level, "request", all...)
}

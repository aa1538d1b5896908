//go:build !js

// Package gate has the commands of the confirmation gate: gate, mcp, hook and audit. It has
// serve, too, which serves the page and the API beside a gate.
package gate

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/plugins/shellread"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/access"
	"github.com/boundcheck/boundcheck/worker/gate/database"
	"github.com/boundcheck/boundcheck/worker/gate/notify"
	"github.com/boundcheck/boundcheck/worker/gate/oidc"
	"github.com/boundcheck/boundcheck/worker/gate/zone"
	"github.com/boundcheck/boundcheck/worker/settings"
)

const gateUsage = `usage: boundcheck gate --dev [--db FILE] [--policy FILE] [--addr HOST:PORT]
       boundcheck gate --db FILE [--policy FILE] [--keys FILE] [--addr HOST:PORT] [--url URL]
                       [--webhook TENANT=URL]… [--mcp NAME=URL]… [--upstream URL …]
       boundcheck gate check [--json] [--keys FILE] POLICY
       boundcheck gate test [--was POLICY] POLICY CALLS
       boundcheck gate test --prove POLICY
       boundcheck gate key
       boundcheck gate migrate --db postgres://… [--to NAME]
       boundcheck gate backup --db FILE COPY
       boundcheck gate passkey add [--tenant T] [--for TIME] --keys FILE --url URL NAME
       boundcheck gate passkey list --db FILE
       boundcheck gate passkey remove --db FILE ID

Holds calls that change something until a person approves exactly these bytes.
An approved call can run once. docs/gate-api.md has the API and the key file, and
docs/gate-policy.md the policy.

  --dev              listen on loopback, with new keys and a temporary database
                     (unless --db names one)
  --db FILE          the SQLite database, created if it is missing; or postgres://…, a
                     PostgreSQL database, which several gates can serve
  --policy FILE      the policy, YAML or JSON (default: ask about every change)
  --keys FILE        lines of TENANT ROLE NAME KEY [APPROVER]; without it, one agent
                     and one approver from $BOUNDCHECK_AGENT_KEY, $BOUNDCHECK_APPROVER_KEY
  --addr HOST:PORT   where to listen (default 127.0.0.1:8079; with --dev a free port)
  --url URL          the address at which people open the gate's pages (default
                     http://ADDR, on loopback)
  --oidc WORDS       let approvers sign in at an OpenID Connect provider:
                     "issuer=URL client=ID approvers=TENANT:GROUP"; the client's secret
                     is $BOUNDCHECK_OIDC_SECRET
  --access WORDS     let Cloudflare Access, in front of the gate, identify approvers:
                     "team=https://NAME.cloudflareaccess.com audience=TAG
                     approvers=TENANT:GROUP person=TENANT:EMAIL"
  --slack WORDS      post what waits into a channel of Slack, with buttons:
                     "tenant=T team=T0… channel=C0… approver=NAME:U0…"; the app's token and
                     signing secret are $BOUNDCHECK_SLACK_TOKEN and _SLACK_SECRET
  --mail WORDS       write to approvers what waits, with a link that decides once:
                     "server=smtps://HOST from=ADDRESS tenant=T approver=NAME:ADDRESS";
                     the password of user=NAME is $BOUNDCHECK_MAIL_PASSWORD
  --push             let approvers add browsers on the page /browsers, which show a message
                     when a call waits (Web Push, by the services of the browsers' vendors)
  --traces T=URL     export the settled calls of tenant T as traces, over OTLP/HTTP; the
                     collector gets the headers in $BOUNDCHECK_TRACE_HEADERS
  --webhook T=URL    send events of tenant T's proposals to URL, signed with
                     $BOUNDCHECK_WEBHOOK_SECRET (whsec_…)
  --mcp NAME=URL     serve a proxy for the MCP server at URL, at /mcp/NAME; the server
                     gets the headers in $BOUNDCHECK_MCP_NAME ("Header: value" lines).
                     NAME=sse+URL is a server with HTTP+SSE of 2024-11-05 alone
  --mcp-trust NAME   believe the hints of MCP server NAME about its tools
  --mcp-form NAME    for calls of server NAME that can be undone: accept a form answered
                     in the client as the approver's decision
  --mcp-host-asks NAME
                     for calls of server NAME that can be undone: let the host ask its user
  --mcp-oauth WORDS  let hosts of the MCP servers sign in at an OAuth 2.1 provider:
                     "issuer=URL scope=WORD"; lines of the key file, TENANT agent NAME
                     oauth:CLAIM=VALUE, say which tokens are which agent's

Without --dev, missing flags are read from environment variables, which have the same
names as in the Worker: $BOUNDCHECK_URL, _RATE, _WEBHOOKS, _UPSTREAM, _ASK, _MCP, and
more in docs/deploy.md. $BOUNDCHECK_POLICY (JSON) and $BOUNDCHECK_KEYS are read, too.

When the gate is ready, it prints one JSON line: {"url"}, with --dev also "agentKey" and
"approverKey". With $BOUNDCHECK_SECRET (64 hexadecimal digits), people stay signed in
after a restart. Only one process can serve a file. If that process is killed, calls
that were claimed and not yet reported become ambiguous. If it ends normally or hands
the file over to another process, these calls stay as they are. With PostgreSQL, all
gates need the same secret, and another gate goes on when one is killed.

check reads a policy and reports each error with its line; with --json, it prints the
policy in JSON, for $BOUNDCHECK_POLICY. key makes a new key.
test decides the calls of a file under a policy, without a gate. CALLS is JSON lines with
a call and the expected decision each, or an export of the audit: then it lists the calls
that this policy decides otherwise than the gate did, or than the policy --was. It also
lists the rules that decided nothing. With --prove, it lists the rules that can never
decide anything, whatever the calls are. docs/policies.md describes all of this.
migrate brings the tables of a PostgreSQL database to the state after the migration NAME,
forward or back, or to the newest state. A gate does the latter when it starts.
backup copies a SQLite database into a new file, also while a gate serves it, checks the
copy and its audit, and prints what is in it. It never writes over a file.
passkey add prints a link with which the approver NAME adds a passkey, once; it needs the
$BOUNDCHECK_SECRET of the gate. list and remove work beside a gate that runs.
` + cmd.AdviceUsage + devUsage + limitUsage + receiptUsage + runUsage + proxyUsage

// Gate implements "boundcheck gate". It serves the gate until SIGINT or SIGTERM,
// checks a policy, or creates a key.
func Gate(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	if len(args) > 0 {
		switch args[0] {
		case "-h", "--help":
			fmt.Fprint(stdout, gateUsage)
			return cmd.ExitOK
		case "check":
			return gateCheck(args[1:], stdout, stderr)
		case "test":
			return gateTest(args[1:], stdout, stderr)
		case "key":
			key := drawKey("bck_")
			sum := sha256.Sum256([]byte(key))
			fmt.Fprintf(stdout, "%s sha256:%s\n", key, hex.EncodeToString(sum[:]))
			return cmd.ExitOK
		case "migrate":
			return gateMigrate(args[1:], stderr)
		case "backup":
			return gateBackup(args[1:], stdout, stderr)
		case "passkey":
			return gatePasskey(args[1:], stdout, stderr)
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return gateUntil(ctx, args, stdout, stderr)
}

// gateMigrate implements "boundcheck gate migrate".
func gateMigrate(args []string, stderr io.Writer) int {
	flags := flag.NewFlagSet("migrate", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	db, to := flags.String("db", "", ""), flags.String("to", "", "")
	err := flags.Parse(args)
	if err == nil && (*db == "" || flags.NArg() > 0) {
		err = errors.New("want --db postgres://… and perhaps --to NAME")
	}
	code := cmd.ExitUsage
	if err == nil {
		code, err = cmd.ExitInput, database.Migrate(context.Background(), *db, *to)
	}
	if err != nil {
		fmt.Fprintf(stderr, "boundcheck gate migrate: %v\n", err)
		return code
	}
	return cmd.ExitOK
}

// drawKey returns a new key with 256 random bits. It returns no error, because crypto/rand
// ends the program if it fails.
func drawKey(prefix string) string {
	var b [32]byte
	rand.Read(b[:])
	return prefix + hex.EncodeToString(b[:])
}

// gateFlags are the flags of the gate.
type gateFlags struct {
	dev, lan, push              bool
	db, policy, keys, addr, url string
	oidc, access                string
	hooks, slack, traces        []string
	mail                        string
	limits                      limitFlags
	run                         runFlags
	receipts                    receiptFlags
	mcp                         mcpFlags
	proxy                       proxyFlags
	advice                      cmd.AdviceFlags
}

func readGateFlags(args []string) (f gateFlags, err error) {
	flags := flag.NewFlagSet("gate", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.BoolVar(&f.dev, "dev", false, "")
	flags.BoolVar(&f.lan, "lan", false, "")
	flags.StringVar(&f.db, "db", "", "")
	flags.StringVar(&f.policy, "policy", "", "")
	flags.StringVar(&f.keys, "keys", "", "")
	flags.StringVar(&f.addr, "addr", "", "")
	flags.StringVar(&f.url, "url", "", "")
	flags.StringVar(&f.oidc, "oidc", "", "")
	flags.StringVar(&f.access, "access", "", "")
	f.limits.RegisterFlags(flags)
	f.run.RegisterFlags(flags)
	f.receipts.RegisterFlags(flags)
	flags.Func("slack", "", func(s string) error { f.slack = append(f.slack, s); return nil })
	flags.StringVar(&f.mail, "mail", "", "")
	flags.BoolVar(&f.push, "push", false, "")
	flags.Func("traces", "", func(s string) error { f.traces = append(f.traces, s); return nil })
	flags.Func("webhook", "", func(s string) error { f.hooks = append(f.hooks, s); return nil })
	f.mcp.RegisterFlags(flags)
	f.proxy.RegisterFlags(flags)
	f.advice.RegisterFlags(flags)
	if err := flags.Parse(args); err != nil {
		return f, err
	}
	if !f.dev {
		if err := fromEnvironment(flags); err != nil {
			return f, err
		}
	}
	if err := errors.Join(f.proxy.CheckFlags(), f.limits.CheckFlags(), f.run.CheckFlags()); err != nil {
		return f, err
	}
	switch {
	case flags.NArg() > 0:
		return f, fmt.Errorf("unexpected argument %q: \"boundcheck gate -h\" shows the flags", flags.Arg(0))
	case !f.dev && f.db == "":
		return f, errors.New(`missing --db FILE; to try the gate without a database, run "boundcheck gate --dev"`)
	case f.dev && f.keys != "":
		return f, errors.New("--keys cannot be used with --dev: --dev makes new keys")
	case f.lan && (!f.dev || f.url != ""):
		return f, errors.New("--lan works only with --dev and without --url; a gate for others needs --url https://… behind a proxy")
	case f.addr == "" && f.dev:
		f.addr = "127.0.0.1:0"
	case f.addr == "":
		f.addr = "127.0.0.1:8079"
	}
	return f, nil
}

// fromEnvironment sets flags to the values of their environment variables. It does not
// change a flag that the user gave. It returns an error if a variable has an invalid
// value.
func fromEnvironment(flags *flag.FlagSet) error {
	given := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	byFlag := map[string]string{}
	for _, s := range settings.All() {
		byFlag[s.Flag] = s.Variable
	}
	values, err := settings.Values(func(variable string) string {
		for name, v := range byFlag {
			if v == variable && given[name] {
				return ""
			}
		}
		return os.Getenv(variable)
	})
	if err != nil {
		return err
	}
	for _, v := range values {
		if err := flags.Set(v.Flag, v.Text); err != nil {
			return fmt.Errorf("invalid %s: %w", byFlag[v.Flag], err)
		}
	}
	return nil
}

// readPolicy reads the policy from the file of --policy. Without --policy, it reads the
// policy from an environment variable. If the variable is empty or --dev is given, it
// returns the default policy instead.
func (f *gateFlags) readPolicy() (*machine.Policy, error) {
	text := os.Getenv(settings.Policy)
	if f.policy != "" || f.dev || text == "" {
		return readPolicy(f.policy)
	}
	p, err := machine.ReadPolicyIn(text, zone.Offset)
	if err != nil {
		return nil, fmt.Errorf("invalid %s: %w", settings.Policy, err)
	}
	p.Shell = shellread.Reader{}
	return p, nil
}

func gateOptions(f *gateFlags, line *ready) (o gate.Options, err error) {
	o.Transport = http.DefaultTransport
	f.limits.applyToOptions(&o)
	if o.Policy, err = f.readPolicy(); err != nil {
		return o, err
	}
	if o.SignHead, err = headSigner(f.run.auditKey); err != nil {
		return o, err
	}
	if o.Receipts, err = f.receipts.readReceipts(f.dev); err != nil {
		return o, err
	}
	if s := os.Getenv(settings.Secret); s != "" && !f.lan {
		if o.Secret, err = hex.DecodeString(s); err != nil || len(o.Secret) < 32 {
			return o, errors.New("invalid BOUNDCHECK_SECRET: want at least 64 hexadecimal digits")
		}
	}
	if f.oidc != "" {
		if o.Provider, err = oidc.Read(f.oidc, os.Getenv("BOUNDCHECK_OIDC_SECRET")); err != nil {
			return o, fmt.Errorf("--oidc: %w", err)
		}
	}
	if f.access != "" {
		if o.Front, err = access.Read(f.access, http.DefaultTransport); err != nil {
			return o, fmt.Errorf("--access: %w", err)
		}
	}
	if err := f.readMessengers(&o); err != nil {
		return o, err
	}
	if o.Traces, err = notify.ReadTraces(f.traces, os.Getenv(settings.TraceHeader)); err != nil {
		return o, err
	}
	for _, h := range f.hooks {
		tenant, url, _ := strings.Cut(h, "=")
		o.Hooks = append(o.Hooks, notify.Hook{Tenant: tenant, URL: url, Secrets: strings.Fields(os.Getenv(settings.Signing))})
	}
	switch {
	case f.dev:
		line.AgentKey, line.ApproverKey = drawKey("bck_agent_"), drawKey("bck_approver_")
		if f.lan {
			line.ApproverKey = drawKey("bck_lan_")
		}
		if o.Rate == 0 {
			o.Rate = -1
		}
		o.Keys, err = newKeyPair("dev", line.AgentKey, line.ApproverKey, f.bindsApprover())
	case f.keys != "":
		var text []byte
		if text, err = os.ReadFile(f.keys); err == nil {
			o.Keys, err = gate.ReadKeys(string(text))
		}
		if err != nil {
			err = fmt.Errorf("cannot use the keys in %s: %w", f.keys, err)
		}
	case os.Getenv(settings.Keys) != "":
		if o.Keys, err = gate.ReadKeys(strings.ReplaceAll(os.Getenv(settings.Keys), ";", "\n")); err != nil {
			err = fmt.Errorf("invalid %s: %w", settings.Keys, err)
		}
	default:
		agent, approver := os.Getenv("BOUNDCHECK_AGENT_KEY"), os.Getenv("BOUNDCHECK_APPROVER_KEY")
		if agent == "" || approver == "" {
			return o, errors.New(`missing keys: set --keys FILE, or set $BOUNDCHECK_AGENT_KEY and $BOUNDCHECK_APPROVER_KEY. "boundcheck gate key" makes a key`)
		}
		o.Keys, err = newKeyPair("default", agent, approver, f.bindsApprover())
	}
	return o, err
}

// readMessengers reads who tells people what waits.
func (f *gateFlags) readMessengers(o *gate.Options) error {
	slack, err := notify.ReadSlack(strings.Join(f.slack, "\n"), os.Getenv(settings.SlackToken), os.Getenv(settings.SlackSecret), http.DefaultTransport)
	if err != nil {
		return fmt.Errorf("--slack: %w", err)
	}
	workflows := os.Getenv(settings.Teams)
	if f.dev { // it reads no environment
		workflows = ""
	}
	teams, err := notify.ReadTeams(workflows, http.DefaultTransport)
	if err != nil {
		return fmt.Errorf("$%s: %w", settings.Teams, err)
	}
	o.Messengers = append(slack, teams...)
	if f.mail == "" {
		return nil
	}
	letters, err := notify.NewMail(f.mail, os.Getenv("BOUNDCHECK_MAIL_PASSWORD"))
	if err != nil {
		return fmt.Errorf("--mail: %w", err)
	}
	o.Messengers = append(o.Messengers, letters...)
	return nil
}

// bindsApprover reports whether a new key of an agent must name an approver. Only this
// approver may then decide for the agent. MCP clients need such a key, because without it
// the gate does not show them its page.
//
// The result is false if the chat proxy asks in the conversation and there is no MCP
// server. In this case, a key with an approver would make the answers in the conversation
// useless.
func (f *gateFlags) bindsApprover() bool {
	return f.proxy.upstream == "" || f.proxy.ask == "page" || len(f.mcp.servers) > 0
}

// newKeyPair returns the keys of one agent and of one approver. If bound is true, only
// this approver may decide for the agent.
func newKeyPair(tenant, agent, approver string, bound bool) ([]gate.Key, error) {
	who := machine.Principal{Tenant: tenant, Name: "agent", Role: machine.Agent}
	if bound {
		who.For = "approver"
	}
	a, err := gate.NewKey(who, agent)
	if err != nil {
		return nil, err
	}
	b, err := gate.NewKey(machine.Principal{Tenant: tenant, Name: "approver", Role: machine.Approver}, approver)
	return []gate.Key{a, b}, err
}

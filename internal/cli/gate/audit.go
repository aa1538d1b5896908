//go:build !js

package gate

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/worker/gate/database"
	"github.com/boundcheck/boundcheck/worker/gate/postgres"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

const auditUsage = `usage: boundcheck audit verify [--head TENANT=HASH]… [--heads FILE] [--public KEY] [--strict] FILE|DB
       boundcheck audit export [--tenant NAME] [--key FILE] [--strict] DB
       boundcheck audit events [--tenant NAME] [--after CURSOR] [--follow] DB
       boundcheck audit head [--key FILE] DB
       boundcheck audit key

The gate writes every verdict, decision, claim and outcome into an append-only
audit. Each tenant has a chain of rows, and each row contains the hash of the row
before it. docs/audit.md describes the rows, the events and the heads. DB is the gate's
database: a file, or the address of a PostgreSQL database.

verify reads an export or the gate's database, and prints which rows were changed,
removed, reordered, or emptied without a record. For a database, it also prints the
proposals whose state or votes differ from the audit. Exit code 0 means that all
chains are intact, 1 that a chain is broken. verify prints each chain's head, the hash
of its last row. Keep the heads in another place and pass them with --head or --heads,
because anyone who can write the file can also write a new chain. --public is the
public key for signed heads; with it, a chain without a signed head is broken.

The gate seals new rows into the chain within a second, and all rows when it ends. verify
and export say how many rows of a database are not sealed yet. Such rows can be changed
without a trace. With --strict, the exit code is then 1.

export prints the chains as JSON lines, with heads signed by the key in --key or
$BOUNDCHECK_AUDIT_KEY. events prints the rows for other systems, one flat object per
line; --follow also prints new events when they happen. head prints the head of each
chain, signed with the same key. key makes a new pair of keys: the first signs heads,
and the second verifies them.
`

// auditFlags are the flags of all subcommands.
type auditFlags struct {
	heads                       headFlags
	tenant, key, public, signed string
	after                       int64
	follow, strict              bool
}

func (f *auditFlags) parseArgs(command string, args []string) (file string, err error) {
	f.heads = headFlags{}
	flags := flag.NewFlagSet("audit", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	switch command {
	case "verify":
		flags.Var(f.heads, "head", "")
		flags.StringVar(&f.signed, "heads", "", "")
		flags.StringVar(&f.public, "public", "", "")
	case "events":
		flags.Int64Var(&f.after, "after", 0, "")
		flags.BoolVar(&f.follow, "follow", false, "")
	default:
		flags.StringVar(&f.key, "key", "", "")
	}
	if command == "verify" || command == "export" {
		flags.BoolVar(&f.strict, "strict", false, "")
	}
	if command == "export" || command == "events" {
		flags.StringVar(&f.tenant, "tenant", "", "")
	}
	if err := flags.Parse(args); err != nil {
		return "", err
	}
	if flags.NArg() != 1 {
		return "", errors.New("want one file; \"boundcheck audit -h\" shows the usage")
	}
	return flags.Arg(0), nil
}

// Audit implements "boundcheck audit", which verifies or prints the gate's audit.
func Audit(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	fail := func(code int, err error) int {
		fmt.Fprintf(stderr, "boundcheck audit: %v\n", err)
		return code
	}
	if len(args) > 0 && (args[0] == "-h" || args[0] == "--help") {
		fmt.Fprint(stdout, auditUsage)
		return cmd.ExitOK
	}
	if len(args) == 1 && args[0] == "key" {
		return auditKey(stdout)
	}
	if len(args) == 0 || args[0] != "verify" && args[0] != "export" && args[0] != "events" && args[0] != "head" {
		fmt.Fprint(stderr, auditUsage)
		return cmd.ExitUsage
	}
	var f auditFlags
	file, err := f.parseArgs(args[0], args[1:])
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, auditUsage)
		return cmd.ExitOK
	}
	if err != nil {
		return fail(cmd.ExitUsage, err)
	}
	switch args[0] {
	case "events":
		err = auditEvents(file, f.tenant, f.after, f.follow, stdout)
	case "verify":
		var checked []store.Checked
		if checked, err = auditVerify(file, &f, stdin); err == nil {
			return auditReport(checked, &f, stdout)
		}
	default:
		err = auditPrint(args[0], file, &f, stdout, stderr)
	}
	if err != nil {
		return fail(cmd.ExitInput, err)
	}
	return cmd.ExitOK
}

// headFlags holds values of the form TENANT=HASH.
type headFlags map[string]string

func (h headFlags) String() string { return "" }

func (h headFlags) Set(s string) error {
	tenant, hash, ok := strings.Cut(s, "=")
	if !ok || !strings.HasPrefix(hash, "sha256:") {
		return fmt.Errorf("invalid --head %q: want TENANT=sha256:…", s)
	}
	h[tenant] = hash
	return nil
}

// readKnown returns the heads and the public key that the flags name. A verification
// compares the audit with these values.
func (f *auditFlags) readKnown() (k store.Known, err error) {
	k.Heads = f.heads
	if f.public != "" {
		if k.Check, err = headChecker(f.public); err != nil {
			return k, err
		}
	}
	if f.signed != "" {
		k.Signed, err = readHeads(f.signed)
	}
	return k, err
}

func auditVerify(file string, f *auditFlags, stdin io.Reader) ([]store.Checked, error) {
	known, err := f.readKnown()
	if err != nil {
		return nil, err
	}
	if file == "-" {
		return store.VerifyExport(stdin, known)
	}
	if !postgres.IsAddress(file) {
		in, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer in.Close()
		magic := make([]byte, 16)
		n, _ := io.ReadFull(in, magic)
		if !bytes.Equal(magic[:n], []byte("SQLite format 3\x00")) {
			return store.VerifyExport(io.MultiReader(bytes.NewReader(magic[:n]), in), known)
		}
	}
	store, err := database.View(file)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	return store.VerifyStore(context.Background(), known)
}

// auditPrint implements "audit export", which prints the audit, and "audit head", which
// prints the head of each tenant's chain. command is "export" or "head".
func auditPrint(command, file string, f *auditFlags, stdout, stderr io.Writer) error {
	sign, err := headSigner(f.key)
	if err != nil {
		return err
	}
	store, err := database.View(file)
	if err != nil {
		return err
	}
	defer store.Close()
	ctx := context.Background()
	if command == "head" {
		return printHeads(ctx, store, sign, stdout, nil)
	}
	tenants := []string{f.tenant}
	if f.tenant == "" {
		if tenants, err = store.Tenants(ctx); err != nil {
			return err
		}
	}
	unsealed, err := store.Export(ctx, stdout, tenants, sign)
	if err != nil {
		return err
	}
	for _, t := range slices.Sorted(maps.Keys(unsealed)) {
		fmt.Fprintf(stderr, "tenant %s: %s; the export seals them\n", t, notSealed(unsealed[t]))
	}
	if f.strict && len(unsealed) > 0 {
		return errors.New("the export is complete, but with --strict all rows must be sealed before")
	}
	return nil
}

// notSealed says how many rows of a database are not sealed yet.
func notSealed(n int64) string { return fmt.Sprintf("%d rows not sealed yet", n) }

// auditReport prints the result of a verification for each tenant, and returns the exit
// code. It is a fault if the user gave a head of a tenant that has no audit rows.
func auditReport(checked []store.Checked, given *auditFlags, stdout io.Writer) int {
	code := cmd.ExitOK
	seen := map[string]bool{}
	for _, c := range checked {
		seen[c.Tenant] = true
		if len(c.Faults) == 0 {
			more := ""
			if c.Redacted > 0 {
				more = fmt.Sprintf(" (with %d redacted rows; later rows record each redaction)", c.Redacted)
			}
			if c.Signed {
				more += ", signed"
			}
			if c.Unsealed > 0 {
				more += ", " + notSealed(c.Unsealed)
				if given.strict {
					code = cmd.ExitInput
				}
			}
			fmt.Fprintf(stdout, "tenant %s: %d rows%s, audit chain intact, head %s\n", c.Tenant, c.Rows, more, c.Head)
			continue
		}
		code = cmd.ExitInput
		fmt.Fprintf(stdout, "tenant %s: %d rows, audit chain BROKEN\n", c.Tenant, c.Rows)
		for _, f := range c.Faults {
			fmt.Fprintf(stdout, "  %s\n", f)
		}
	}
	for tenant := range given.heads {
		if !seen[tenant] {
			code = cmd.ExitInput
			fmt.Fprintf(stdout, "tenant %s: the audit has no rows, but a head was given for this tenant\n", tenant)
		}
	}
	return code
}

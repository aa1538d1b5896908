package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	driver "github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/sqlite"
)

const auditUsage = `usage: boundcheck audit verify [--head TENANT=HASH]… FILE|DB
       boundcheck audit export [--tenant NAME] DB

The gate writes every proposal, decision, claim and outcome into an append-only
audit in which each row holds the hash of the row before it, one chain a tenant.

verify reads an export or the gate's database and says which rows were changed,
removed or reordered; in a database also which proposals are not where the audit
says. Exit code 0 means whole, 1 means not. It prints each chain's head: keep
heads elsewhere and pass them with --head, because whoever can write the whole
file can also write a whole new chain.

export prints the chains as JSON lines.
`

// auditCommand verifies or exports the gate's audit.
func auditCommand(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	fail := func(code int, err error) int {
		fmt.Fprintf(stderr, "boundcheck audit: %v\n", err)
		return code
	}
	if len(args) > 0 && (args[0] == "-h" || args[0] == "--help") {
		fmt.Fprint(stdout, auditUsage)
		return exitOK
	}
	if len(args) == 0 || args[0] != "verify" && args[0] != "export" {
		fmt.Fprint(stderr, auditUsage)
		return exitUsage
	}
	heads, tenants := headFlags{}, ""
	flags := flag.NewFlagSet("audit", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	if args[0] == "verify" {
		flags.Var(heads, "head", "")
	} else {
		flags.StringVar(&tenants, "tenant", "", "")
	}
	err := flags.Parse(args[1:])
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, auditUsage)
		return exitOK
	}
	if err == nil && flags.NArg() != 1 {
		err = errors.New("want one file; \"boundcheck audit -h\" tells more")
	}
	if err != nil {
		return fail(exitUsage, err)
	}
	if args[0] == "export" {
		if err := auditExport(flags.Arg(0), tenants, stdout); err != nil {
			return fail(exitInput, err)
		}
		return exitOK
	}
	checked, err := auditVerify(flags.Arg(0), heads, stdin)
	if err != nil {
		return fail(exitInput, err)
	}
	return auditReport(checked, heads, stdout)
}

// headFlags reads TENANT=HASH.
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

func auditVerify(file string, heads map[string]string, stdin io.Reader) ([]driver.Checked, error) {
	if file == "-" {
		return driver.VerifyExport(stdin, heads)
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	magic := make([]byte, 16)
	n, _ := io.ReadFull(f, magic)
	if !bytes.Equal(magic[:n], []byte("SQLite format 3\x00")) {
		return driver.VerifyExport(io.MultiReader(bytes.NewReader(magic[:n]), f), heads)
	}
	store, err := sqlite.View(file)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	return store.VerifyStore(context.Background(), heads)
}

func auditExport(file, tenant string, stdout io.Writer) error {
	store, err := sqlite.View(file)
	if err != nil {
		return err
	}
	defer store.Close()
	tenants := []string{tenant}
	if tenant == "" {
		if tenants, err = store.Tenants(context.Background()); err != nil {
			return err
		}
	}
	return store.Export(context.Background(), stdout, tenants)
}

// auditReport prints what was found. A head that was noted for a chain which is
// not there is a fault too.
func auditReport(checked []driver.Checked, heads map[string]string, stdout io.Writer) int {
	code := exitOK
	seen := map[string]bool{}
	for _, c := range checked {
		seen[c.Tenant] = true
		if len(c.Faults) == 0 {
			fmt.Fprintf(stdout, "tenant %s: %d rows, whole, head %s\n", c.Tenant, c.Rows, c.Head)
			continue
		}
		code = exitInput
		fmt.Fprintf(stdout, "tenant %s: %d rows, NOT WHOLE\n", c.Tenant, c.Rows)
		for _, f := range c.Faults {
			fmt.Fprintf(stdout, "  %s\n", f)
		}
	}
	for tenant := range heads {
		if !seen[tenant] {
			code = exitInput
			fmt.Fprintf(stdout, "tenant %s: no rows, although a head was noted\n", tenant)
		}
	}
	return code
}

//go:build !js

package gate

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/worker/gate/postgres"
	"github.com/boundcheck/boundcheck/worker/gate/sqlite"
)

// gateBackup implements "boundcheck gate backup".
func gateBackup(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("backup", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	db := flags.String("db", "", "")
	err := flags.Parse(args)
	switch {
	case err != nil:
	case *db == "" || flags.NArg() != 1 || flags.Arg(0) == "":
		err = errors.New("want --db FILE and the name of the copy")
	case postgres.IsAddress(*db):
		err = errors.New("this copies a SQLite database only; use pg_dump for PostgreSQL")
	}
	if err != nil {
		fmt.Fprintf(stderr, "boundcheck gate backup: %v\n", err)
		return cmd.ExitUsage
	}
	c, err := sqlite.Backup(context.Background(), *db, flags.Arg(0))
	if err != nil {
		fmt.Fprintf(stderr, "boundcheck gate backup: %v\n", err)
		return cmd.ExitInput
	}
	fmt.Fprintf(stdout, "%s: pages whole, %d proposals, %d delegations, %d remembered decisions\n", flags.Arg(0), c.Proposals, c.Delegations, c.Remembered)
	return auditReport(c.Checked, &auditFlags{}, stdout)
}

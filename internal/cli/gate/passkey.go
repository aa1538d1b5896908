//go:build !js

package gate

import (
	"context"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/database"
	"github.com/boundcheck/boundcheck/worker/gate/passkey"
	"github.com/boundcheck/boundcheck/worker/gate/store"
	"github.com/boundcheck/boundcheck/worker/settings"
)

// gatePasskey implements "boundcheck gate passkey".
func gatePasskey(args []string, stdout, stderr io.Writer) int {
	code, err := cmd.ExitUsage, errors.New("want add, list or remove")
	if len(args) > 0 {
		switch args[0] {
		case "add":
			code, err = addPasskey(args[1:], stdout)
		case "list":
			code, err = listPasskeys(args[1:], stdout)
		case "remove":
			code, err = removePasskey(args[1:], stdout)
		}
	}
	if err != nil {
		fmt.Fprintf(stderr, "boundcheck gate passkey: %v\n", err)
	}
	return code
}

func newPasskeyFlags(db *string) *flag.FlagSet {
	flags := flag.NewFlagSet("passkey", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	if db != nil {
		flags.StringVar(db, "db", "", "")
	}
	return flags
}

// addPasskey prints a link with which an approver of the key file signs in once, and adds a
// passkey. It asks no gate, but needs the secret that the gates have.
func addPasskey(args []string, stdout io.Writer) (int, error) {
	flags := newPasskeyFlags(nil)
	keyFile, url, tenant, most := flags.String("keys", "", ""), flags.String("url", "", ""), flags.String("tenant", "", ""), flags.Duration("for", time.Hour, "")
	err := flags.Parse(args)
	if err == nil && (*keyFile == "" || *url == "" || flags.NArg() != 1 || *most < time.Minute || *most > 24*time.Hour) {
		err = errors.New("want --keys FILE --url URL NAME, and perhaps --tenant T and --for TIME, from 1m to 24h")
	}
	if err != nil {
		return cmd.ExitUsage, err
	}
	if _, err := passkey.New(*url); err != nil {
		return cmd.ExitInput, err
	}
	secret, err := hex.DecodeString(os.Getenv(settings.Secret))
	if err != nil || len(secret) < 32 {
		return cmd.ExitInput, errors.New("missing $" + settings.Secret + ": want the 64 hexadecimal digits that the gate has, so that the gate knows the link")
	}
	text, err := os.ReadFile(*keyFile)
	if err != nil {
		return cmd.ExitInput, err
	}
	keys, err := gate.ReadKeys(string(text))
	if err != nil {
		return cmd.ExitInput, err
	}
	who := machine.Principal{Role: machine.Approver, Name: flags.Arg(0)}
	for _, k := range keys {
		if k.Role != machine.Approver || k.Name != who.Name || *tenant != "" && k.Tenant != *tenant {
			continue
		}
		if who.Tenant != "" && who.Tenant != k.Tenant {
			return cmd.ExitInput, fmt.Errorf("approvers of several tenants have the name %q: say which with --tenant", who.Name)
		}
		who.Tenant = k.Tenant
	}
	if who.Tenant == "" {
		return cmd.ExitInput, fmt.Errorf("no approver named %q has a key in %s", who.Name, *keyFile)
	}
	g, err := gate.New(gate.Options{Store: new(store.Store), Keys: keys, URL: *url, Secret: secret})
	if err != nil {
		return cmd.ExitInput, err
	}
	link, err := g.SignInLink(who, time.Now().Add(*most).UnixMilli())
	if err != nil {
		return cmd.ExitInput, err
	}
	fmt.Fprintln(stdout, link+"?next=/passkeys")
	return cmd.ExitOK, nil
}

// listPasskeys prints the passkeys of a database, one a line.
func listPasskeys(args []string, stdout io.Writer) (int, error) {
	var db string
	flags := newPasskeyFlags(&db)
	if err := flags.Parse(args); err != nil || db == "" || flags.NArg() > 0 {
		return cmd.ExitUsage, errors.New("want list --db FILE")
	}
	s, err := database.View(db)
	if err != nil {
		return cmd.ExitInput, err
	}
	defer s.Close()
	all, err := s.Passkeys(context.Background(), "", "")
	if err != nil {
		return cmd.ExitInput, err
	}
	for _, p := range all {
		used := "never"
		if p.Used > 0 {
			used = time.UnixMilli(p.Used).UTC().Format(time.RFC3339)
		}
		fmt.Fprintf(stdout, "%s %s %s added %s used %s %q\n", p.ID, p.Tenant, p.Name, time.UnixMilli(p.Created).UTC().Format(time.RFC3339), used, p.Label)
	}
	return cmd.ExitOK, nil
}

// removePasskey ends a passkey. Its sessions end with it, at each gate.
func removePasskey(args []string, stdout io.Writer) (int, error) {
	var db string
	flags := newPasskeyFlags(&db)
	if err := flags.Parse(args); err != nil || db == "" || flags.NArg() != 1 {
		return cmd.ExitUsage, errors.New("want remove --db FILE ID")
	}
	ctx := context.Background()
	s, err := database.Change(ctx, db)
	if err != nil {
		return cmd.ExitInput, err
	}
	defer s.Close()
	p, err := s.Passkey(ctx, flags.Arg(0))
	if err != nil {
		return cmd.ExitInput, err
	}
	done := false
	if p != nil {
		e := machine.Entry{Version: 1, Tenant: p.Tenant, Event: "passkey", At: time.Now().UnixMilli(), Channel: "command", Text: fmt.Sprintf("removed %s of %s", p.ID, p.Name)}
		done, err = s.RemovePasskey(ctx, p.Tenant, "", p.ID, e)
	}
	if err == nil && !done {
		err = fmt.Errorf("no passkey has the id %q", flags.Arg(0))
	}
	if err != nil {
		return cmd.ExitInput, err
	}
	fmt.Fprintf(stdout, "removed %s of %s\n", p.ID, p.Name)
	return cmd.ExitOK, nil
}

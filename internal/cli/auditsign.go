//go:build !js

package cli

import (
	"bufio"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// The forms of an Ed25519 key: its seed, which signs, and its public half.
const (
	seedPrefix   = "ed25519-seed:"
	publicPrefix = "ed25519:"
)

// auditKeyVariable holds the seed if there is no file with it.
const auditKeyVariable = "BOUNDCHECK_AUDIT_KEY"

// auditKey creates a random key for signing heads.
func auditKey(stdout io.Writer) int {
	public, private, _ := ed25519.GenerateKey(rand.Reader) // ends the program instead of returning an error
	fmt.Fprintf(stdout, "%s%s %s\n", seedPrefix, base64.StdEncoding.EncodeToString(private.Seed()), publicText(public))
	return exitOK
}

func publicText(public ed25519.PublicKey) string {
	return publicPrefix + base64.StdEncoding.EncodeToString(public)
}

// readKey32 decodes a key of 32 bytes. The text must be the given prefix, followed by the
// key in base64. The parameter what is the name of the key in error messages.
func readKey32(text, prefix, what string) ([]byte, error) {
	digits, ok := strings.CutPrefix(strings.TrimSpace(text), prefix)
	b, err := base64.StdEncoding.DecodeString(digits)
	if !ok || err != nil || len(b) != 32 {
		return nil, fmt.Errorf(`invalid %s: want %s and then 32 bytes in base64; "boundcheck audit key" prints such a key`, what, prefix)
	}
	return b, nil
}

// headSigner returns a function that signs heads with a private key, or nil if there is
// no key. It reads the key from a file, or from the environment if file is "".
func headSigner(file string) (func(*store.SignedHead), error) {
	text, what := os.Getenv(auditKeyVariable), "$"+auditKeyVariable
	if file != "" {
		b, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		text, _, _ = strings.Cut(strings.TrimSpace(string(b)), " ") // the file may also contain the public half
		what = "key in " + file
	}
	if text == "" {
		return nil, nil
	}
	seed, err := readKey32(text, seedPrefix, what)
	if err != nil {
		return nil, err
	}
	private := ed25519.NewKeyFromSeed(seed)
	public := publicText(private.Public().(ed25519.PublicKey))
	return func(h *store.SignedHead) {
		h.Key = public
		h.Signature = base64.StdEncoding.EncodeToString(ed25519.Sign(private, []byte(h.Text())))
	}, nil
}

// headChecker reads a public key, and returns a function that reports whether a head was
// signed with the matching private key.
func headChecker(text string) (func(*store.SignedHead) bool, error) {
	public, err := readKey32(text, publicPrefix, "--public")
	if err != nil {
		return nil, err
	}
	return func(h *store.SignedHead) bool {
		signature, err := base64.StdEncoding.DecodeString(h.Signature)
		return err == nil && ed25519.Verify(public, []byte(h.Text()), signature)
	}, nil
}

// readHeads reads heads, one JSON object on each line.
func readHeads(file string) (heads []store.SignedHead, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	scan := bufio.NewScanner(f)
	for line := 1; scan.Scan(); line++ {
		var h store.SignedHead
		if err := json.Unmarshal(scan.Bytes(), &h); err != nil || h.Schema != store.HeadSchema {
			return nil, fmt.Errorf("%s: line %d: want a signed head of an audit log, as JSON with the schema %s", file, line, store.HeadSchema)
		}
		heads = append(heads, h)
	}
	return heads, scan.Err()
}

// printHeads writes the head of each tenant's chain to w, but no head of a chain without
// rows. The heads are signed if sign is not nil.
//
// The map known contains the number of rows that each chain had at the last call. A chain
// that still has this number of rows is omitted. For every other chain, printHeads
// updates known. The map may be nil.
func printHeads(ctx context.Context, store *store.Store, sign func(*store.SignedHead), w io.Writer, known map[string]int64) error {
	tenants, err := store.Tenants(ctx)
	if err != nil {
		return err
	}
	for _, t := range tenants {
		h, err := store.Head(ctx, t, time.Now().UnixMilli())
		if err != nil {
			return err
		}
		if rows, seen := known[t]; h.Rows == 0 || seen && rows == h.Rows {
			continue
		}
		if sign != nil {
			sign(&h)
		}
		if err := json.NewEncoder(w).Encode(h); err != nil {
			return err
		}
		if known != nil {
			known[t] = h.Rows
		}
	}
	return nil
}

// keepHeads signs the heads of chains that have new rows, and appends them to a file. It
// does this at regular intervals, and once more when ctx ends. It passes errors of
// writing to the function report.
func keepHeads(ctx context.Context, store *store.Store, sign func(*store.SignedHead), file string, every time.Duration, report func(error)) error {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	known := map[string]int64{}
	for {
		last := ctx.Err() != nil // read before the heads, so that rows written meanwhile get their head in the next turn
		err := errors.Join(printHeads(context.WithoutCancel(ctx), store, sign, f, known), f.Sync())
		if err != nil {
			report(fmt.Errorf("heads: %w", err))
		}
		if last {
			return nil
		}
		select {
		case <-ctx.Done():
		case <-time.After(every):
		}
	}
}

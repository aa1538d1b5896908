//go:build !js

package gate

import (
	"bufio"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/store"
	"github.com/boundcheck/boundcheck/worker/receipt"
	"github.com/boundcheck/boundcheck/worker/settings"
)

// auditKeyVariable holds the seed if there is no file with it.
const auditKeyVariable = "BOUNDCHECK_AUDIT_KEY"

// auditKey creates a random key for signing heads.
func auditKey(stdout io.Writer) int {
	public, private, _ := ed25519.GenerateKey(rand.Reader) // ends the program instead of returning an error
	fmt.Fprintf(stdout, "%s%s %s\n", receipt.SeedPrefix, base64.StdEncoding.EncodeToString(private.Seed()), receipt.PublicText(public))
	return cmd.ExitOK
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
	private, err := receipt.ReadSeed(strings.TrimSpace(text))
	if err != nil {
		return nil, fmt.Errorf("invalid %s: %w", what, err)
	}
	public := receipt.PublicText(private.Public().(ed25519.PublicKey))
	return func(h *store.SignedHead) {
		h.Key = public
		h.Signature = base64.StdEncoding.EncodeToString(ed25519.Sign(private, []byte(h.Text())))
	}, nil
}

// headChecker reads a public key, and returns a function that reports whether a head was
// signed with the matching private key.
func headChecker(text string) (func(*store.SignedHead) bool, error) {
	public, err := receipt.ReadPublic(strings.TrimSpace(text))
	if err != nil {
		return nil, fmt.Errorf("invalid --public: %w", err)
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

const receiptUsage = `
Receipts, which tool servers can demand before they run a call:
  --receipt-key FILE sign a receipt for each call that is handed out, with the first key in
                     FILE (or in $BOUNDCHECK_RECEIPT_KEY). "boundcheck audit key" makes a
                     key; the other keys are only published
  --receipts WORDS   issuer=NAME (default: the gate's address), time=DURATION (default 1m),
                     names (of people, in place of hashes), audience=TOOLS=SERVER (the
                     server for these tools; * stands for any text; repeatable)
`

// receiptFlags are the flags of receipts.
type receiptFlags struct{ key, words string }

func (f *receiptFlags) RegisterFlags(flags *flag.FlagSet) {
	flags.StringVar(&f.key, "receipt-key", "", "")
	flags.StringVar(&f.words, "receipts", "", "")
}

// readReceipts reads the keys and the settings. The result is nil if there is no key. With
// fileOnly, the environment is not read, because a tool server would inherit it.
func (f *receiptFlags) readReceipts(fileOnly bool) (*gate.Receipts, error) {
	text, what := "", "$"+settings.ReceiptKey
	if f.key != "" {
		b, err := os.ReadFile(f.key)
		if err != nil {
			return nil, err
		}
		text, what = string(b), f.key
	} else if !fileOnly {
		text = os.Getenv(settings.ReceiptKey)
	}
	r, err := gate.ReadReceipts(text, f.words)
	if err != nil && text != "" {
		return nil, fmt.Errorf("cannot sign receipts with the keys in %s: %w", what, err)
	}
	return r, err
}

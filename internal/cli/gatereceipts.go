//go:build !js

package cli

import (
	"flag"
	"fmt"
	"os"

	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/settings"
)

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

func (f *receiptFlags) registerFlags(flags *flag.FlagSet) {
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

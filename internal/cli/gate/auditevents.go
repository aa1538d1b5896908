//go:build !js

package gate

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/boundcheck/boundcheck/worker/gate/database"
)

// auditEvents prints the audit for other systems, one event on each line. If the
// parameter follow is true, it waits for new events until a signal ends the process.
func auditEvents(file, tenant string, after int64, follow bool, stdout io.Writer) error {
	store, err := database.View(file)
	if err != nil {
		return err
	}
	defer store.Close()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	out := bufio.NewWriter(stdout)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for {
		rows, err := store.ChainAfter(ctx, tenant, after, 1000)
		if err != nil {
			return err
		}
		for i := range rows {
			e, err := rows[i].Event()
			if err != nil {
				return err
			}
			if err := enc.Encode(e); err != nil {
				return err
			}
			after = rows[i].Seq
		}
		if err := out.Flush(); err != nil {
			return err
		}
		if len(rows) > 0 {
			continue
		}
		if !follow {
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(time.Second):
		}
	}
}

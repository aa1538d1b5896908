//go:build !js

package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// Lease says how long a process holds a database after its last renewal, and what to do
// if another process holds it.
type Lease struct {
	For      time.Duration // 0 means DefaultLease
	TakeOver bool          // ask a running process to hand over, and wait for it
	Holder   string        // a new name for this process
	Info     string        // what other processes see: host and process number

	Downgrade bool // also serve a database that a newer version has written
}

// DefaultLease is the time for which a killed process keeps its lease of a database.
const DefaultLease = 5 * time.Second

// patience is the time that a process may need to hand over.
const patience = 2 * time.Minute

// ErrHeld means that another process serves the database.
var ErrHeld = errors.New("the database is served by another process")

// Held is a lease that this process has. Renew it with Keep until Release.
type Held struct {
	Lease
	// Clean reports whether the previous process ended properly, or there was none.
	// Then its claims are still valid. Otherwise their state is unknown.
	Clean bool

	write *group
	once  sync.Once
}

// leaseTable is not a migration: the table must exist before the first migration, and
// D1 does not need it.
const leaseTable = `CREATE TABLE IF NOT EXISTS processes (
	name TEXT PRIMARY KEY NOT NULL, holder TEXT NOT NULL, info TEXT NOT NULL, beat INTEGER NOT NULL, until INTEGER NOT NULL, wanted TEXT NOT NULL)`

// Serve opens the file as Open does, and takes the lease, so that no other process serves
// the file at the same time. If another running process has the lease, the error wraps
// ErrHeld. Call Release before you close the store.
func Serve(ctx context.Context, file string, l Lease) (*store.Store, *Held, error) {
	if l.For == 0 {
		l.For = DefaultLease
	}
	if l.Info == "" {
		host, _ := os.Hostname()
		l.Info = fmt.Sprintf("host %s, process %d", host, os.Getpid())
	}
	write, err := openForWriting(file)
	if err != nil {
		return nil, nil, err
	}
	h := &Held{Lease: l, write: newGroup(write)}
	if err = h.acquire(ctx, file); err == nil {
		if err = h.write.runExclusively(func() error { return store.Migrate(ctx, write, l.Downgrade) }); err != nil {
			h.Release()
			err = fmt.Errorf("cannot use %s as the gate's database: %w", file, err)
		}
	}
	if err != nil {
		h.write.Close()
		return nil, nil, err
	}
	read, err := openFile(file, "rw", 8)
	if err != nil {
		h.Release()
		h.write.Close()
		return nil, nil, err
	}
	return store.NewStoreWith(h.write, store.KeepPrepared(read)), h, nil
}

// seen is the lease in the table.
type seen struct {
	holder, info string
	beat, until  int64
}

func (h *Held) readLease(ctx context.Context) (s seen, err error) {
	_, err = h.write.Write(ctx, `SELECT holder, info, beat, until FROM processes WHERE name = 'gate'`, nil, &s.holder, &s.info, &s.beat, &s.until)
	return s, err
}

// acquire takes the lease as soon as nobody has it, or its holder has not renewed it in
// time or hands it over. It returns an error if the holder does not give up the lease.
func (h *Held) acquire(ctx context.Context, file string) error {
	if _, err := h.write.Write(ctx, leaseTable, nil); err != nil {
		return fmt.Errorf("cannot use %s as the gate's database: %w", file, err)
	}
	first, asked, end := seen{}, false, time.Now().Add(patience)
	for {
		now, err := h.readLease(ctx)
		if err != nil {
			return fmt.Errorf("cannot use %s as the gate's database: %w", file, err)
		}
		if now.holder == "" || now.until <= time.Now().UnixMilli() {
			if took, err := h.takeLease(ctx, now); took || err != nil {
				return err
			}
			continue // another process was faster
		}
		if first.holder != now.holder {
			first = now
		}
		switch alive := now.beat != first.beat; {
		case alive && !h.TakeOver:
			return fmt.Errorf("%w: the file %s is served by another gate (%s). Stop the other gate first, or start this gate with --take-over", ErrHeld, file, now.info)
		case alive && !asked:
			if _, err := h.write.Write(ctx, `UPDATE processes SET wanted = ? WHERE name = 'gate' AND holder = ?`, []any{h.Info, now.holder}); err != nil {
				return err
			}
			asked = true
		case time.Now().After(end):
			return fmt.Errorf("%w: the file %s is served by another gate (%s), and that gate does not release the database", ErrHeld, file, now.info)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(h.For / 25):
		}
	}
}

// takeLease makes this process the holder of the lease and reports whether it did so. It
// does nothing if the lease has changed since it was read as now.
func (h *Held) takeLease(ctx context.Context, now seen) (bool, error) {
	holder := ""
	took, err := h.write.Write(ctx, `INSERT INTO processes (name, holder, info, beat, until, wanted) VALUES ('gate', ?, ?, 0, ?, '')
		ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, info = excluded.info, beat = 0, until = excluded.until, wanted = ''
		WHERE processes.holder = ? AND processes.beat = ? AND processes.until = ? RETURNING holder`,
		[]any{h.Holder, h.Info, time.Now().Add(h.For).UnixMilli(), now.holder, now.beat, now.until}, &holder)
	h.Clean = now.holder == ""
	return took, err
}

// Keep renews the lease until ctx ends, and then returns "". If another process asks for
// the database or has taken it, Keep returns a reason why this process must stop. The
// function report receives the errors of renewals.
func (h *Held) Keep(ctx context.Context, report func(error)) string {
	for {
		select {
		case <-ctx.Done():
			return ""
		case <-time.After(h.For / 5):
		}
		wanted := ""
		mine, err := h.write.Write(ctx, `UPDATE processes SET beat = beat + 1, until = ? WHERE name = 'gate' AND holder = ? RETURNING wanted`,
			[]any{time.Now().Add(h.For).UnixMilli(), h.Holder}, &wanted)
		switch {
		case ctx.Err() != nil:
			return ""
		case err != nil:
			report(fmt.Errorf("lease: %w", err))
		case !mine:
			return "another gate has taken the database over"
		case wanted != "":
			return "handing the database over to another gate (" + wanted + ")"
		}
	}
}

// Release gives the lease back, so that another process can take the database over. The
// calls that were claimed stay claimed.
func (h *Held) Release() (err error) {
	h.once.Do(func() {
		_, err = h.write.Write(context.Background(), `UPDATE processes SET holder = '', info = '', until = 0, wanted = '' WHERE name = 'gate' AND holder = ?`, []any{h.Holder})
	})
	return err
}

//go:build !js

package gate

import (
	"bytes"
	"context"
	"crypto/sha256"
	"log/slog"
	"maps"
	"os"
	"os/signal"
	"slices"
	"time"

	"github.com/boundcheck/boundcheck/worker/gate"
)

// catchHangups makes the process survive the signal that asks to read the files again,
// from now until its end. It never stops, because the signal must not end a gate that is
// just ending by itself. The channel receives the signals.
func catchHangups() <-chan os.Signal {
	hangups := make(chan os.Signal, 1)
	if reloadSignal != nil {
		signal.Notify(hangups, reloadSignal)
	}
	return hangups
}

const (
	lookEvery = 400 * time.Millisecond // how often the files are compared
	sayEvery  = 10 * time.Second       // how often a file that was refused is tried and reported again
)

// fileWatch reads a file of the operator again when its content changes, when it is
// asked to, and again and again while the file is refused.
type fileWatch struct {
	file string
	// reload reads the file and puts its content into force. It writes to the log what
	// it did, and returns whether the gate now follows the file. If asked is false, it
	// says nothing about a file that changes nothing.
	reload  func(ctx context.Context, asked bool) bool
	sum     []byte // hash of the content that was read last; nil for a missing file
	refused time.Time
}

// contentSum returns the hash of a file's content, or nil if it cannot be read. The watch
// compares contents instead of times, because the times of files are imprecise, and a
// link can replace a file.
func contentSum(file string) []byte {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	sum := sha256.Sum256(b)
	return sum[:]
}

// look reloads the file if that is due. At the first look that is always so: the file may
// have changed while the gate was starting.
func (w *fileWatch) look(ctx context.Context, first, asked bool) {
	sum := contentSum(w.file)
	again := !w.refused.IsZero() && time.Since(w.refused) >= sayEvery
	if !first && !asked && !again && bytes.Equal(sum, w.sum) {
		return
	}
	w.sum, w.refused = sum, time.Time{}
	if !w.reload(ctx, asked) {
		w.refused = time.Now()
	}
}

// watchFiles reloads the policy and the keys after each change of their files and after
// each hangup signal, until ctx ends.
func (r *gateRunner) watchFiles(ctx context.Context) {
	var watches []*fileWatch
	if file := r.flags.policy; file != "" {
		watches = append(watches, &fileWatch{file: file, reload: r.reloadPolicy})
	}
	if file := r.flags.keys; file != "" {
		watches = append(watches, &fileWatch{file: file, reload: r.reloadKeys})
	}
	for first, asked := true, false; ; first = false {
		for _, w := range watches {
			w.look(ctx, first, asked)
		}
		if asked && len(watches) == 0 {
			r.log.Info("nothing to read again: this gate was started without a policy file and without a key file")
		}
		select {
		case <-ctx.Done():
			return
		case <-r.hangups:
			asked = true
		case <-time.After(lookEvery):
			asked = false
		}
	}
}

// warnOfStrangers writes to the log whom the policy names as approvers without a key.
func (r *gateRunner) warnOfStrangers() {
	if r.flags.keys == "" || r.options.Provider != nil || r.options.Front != nil { // people come without keys
		return
	}
	for _, e := range r.options.Policy.Strangers(approverNames(r.options.Keys)) {
		r.log.Warn("the policy names somebody who cannot decide", "file", r.flags.policy, "line", e.Line, "cause", e.Msg)
	}
}

// reloadPolicy reads the policy from its file and puts it into force. It keeps the old
// policy if the new one is invalid.
func (r *gateRunner) reloadPolicy(ctx context.Context, asked bool) bool {
	before := r.gate.Policy().Version
	policy, err := readPolicy(r.flags.policy)
	if err == nil {
		policy.Advisor = r.options.Policy.Advisor
	}
	if err == nil && policy.Version != before {
		err = r.gate.Reload(ctx, policy)
	}
	log := r.log.With("file", r.flags.policy)
	switch {
	case err != nil:
		r.gate.Warn("policy", "the policy file was refused, so an earlier policy is in force; the log has the reason")
		log.Error("the new policy was refused; the gate still uses the previous policy", "policy", before, "cause", err.Error())
		return false
	case policy.Version != before:
		log.Info("the gate now uses the new policy", "policy", policy.Version, "before", before)
		r.options.Policy = policy
		r.warnOfStrangers()
	case asked:
		log.Info("policy unchanged", "policy", before)
	}
	r.gate.Warn("policy", "")
	return true
}

// reloadKeys reads the keys from their file and puts them into force. A file with an
// error changes nothing: nobody knows which keys its author wanted to remove, and without
// its keys the gate would answer nobody. So the log repeats the error, and the health
// shows a warning, until the file can be used.
func (r *gateRunner) reloadKeys(ctx context.Context, asked bool) bool {
	var changes gate.KeyChanges
	text, err := os.ReadFile(r.flags.keys)
	var keys []gate.Key
	if err == nil {
		keys, err = gate.ReadKeys(string(text))
	}
	if err == nil {
		changes, err = r.gate.ReloadKeys(ctx, keys)
	}
	log := r.log.With("file", r.flags.keys)
	if err != nil {
		r.gate.Warn("keys", "the key file was refused, so keys that were removed from it may still work; the log has the reason")
		log.Error("the key file was refused; keys that were removed from it may still work", "cause", err.Error())
		return false
	}
	for _, tenant := range slices.Sorted(maps.Keys(changes)) {
		log.Info("the gate now uses the new keys", slog.String("tenant", tenant), slog.String("changes", changes[tenant]))
	}
	if r.options.Keys = keys; len(changes) > 0 {
		r.warnOfStrangers()
	} else if asked {
		log.Info("keys unchanged")
	}
	r.gate.Warn("keys", "")
	return true
}

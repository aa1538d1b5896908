//go:build !js

package cli

import (
	"bytes"
	"context"
	"crypto/sha256"
	"os"
	"os/signal"
	"time"
)

// policyWatch reads a policy file again when the file changes, or on SIGHUP.
type policyWatch struct {
	file  string
	every time.Duration
	sum   []byte // hash of the content that was read last, also if it was refused
}

// newPolicyWatch returns a watch that treats the file's current content as the policy
// in force.
func newPolicyWatch(file string) *policyWatch {
	w := &policyWatch{file: file, every: time.Second}
	w.sum, _ = contentSum(file)
	return w
}

// contentSum returns the hash of a file's content. The watch compares contents instead of
// times, because the times of files are imprecise, and a link can replace a file.
func contentSum(file string) ([]byte, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(b)
	return sum[:], nil
}

// run calls reloadPolicy after each change of the file and after each SIGHUP, until ctx
// ends.
func (w *policyWatch) run(ctx context.Context, r *gateRunner) {
	hangup := make(chan os.Signal, 1)
	if reloadSignal != nil {
		signal.Notify(hangup, reloadSignal)
		defer signal.Stop(hangup)
	}
	for {
		asked := false
		select {
		case <-ctx.Done():
			return
		case <-hangup:
			asked = true
		case <-time.After(w.every):
		}
		sum, err := contentSum(w.file)
		if err == nil && bytes.Equal(sum, w.sum) && !asked {
			continue
		}
		if err != nil && !asked && w.sum == nil {
			continue // the missing file was reported already
		}
		w.sum = sum
		w.reloadPolicy(ctx, r, err)
	}
}

// reloadPolicy reads the policy from the file and puts it in force. If the policy is
// invalid or err is not nil, reloadPolicy logs the error and keeps the old policy. err is
// an earlier error of the caller, who could not read the file.
func (w *policyWatch) reloadPolicy(ctx context.Context, r *gateRunner, err error) {
	before := r.gate.Policy().Version
	policy, read := readPolicy(w.file)
	if err == nil {
		err = read
	}
	if err == nil {
		policy.Advisor = r.options.Policy.Advisor
	}
	if err == nil && policy.Version != before {
		err = r.gate.Reload(ctx, policy)
	}
	switch {
	case err != nil:
		r.log.Error("the new policy was refused; the gate still uses the previous policy", "file", w.file, "policy", before, "cause", err.Error())
	case policy.Version == before:
		r.log.Info("policy unchanged", "file", w.file, "policy", before)
	default:
		r.log.Info("the gate now uses the new policy", "file", w.file, "policy", policy.Version, "before", before)
	}
}

package hook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/hookcall"
)

// granted is the content of a file that the hook writes before a call and reads after it.
// The hook needs the grant to report the call's outcome.
type granted struct {
	Gate  string `json:"gate"`
	ID    string `json:"id"`
	Grant string `json:"grant"`
	Ran   string `json:"ran,omitempty"` // the arguments that an approver put in place of the call's own
}

// grantPath returns the path of the file in which a call's grant is stored until the
// outcome is reported. For a host that gives a call no id, the call's digest stands for
// it: of two equal calls at the same time, one is reported.
func (c call) grantPath() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "boundcheck", "hook", strings.TrimPrefix(proposal.Digest(c.session, markOf(&c)), "sha256:")+".json"), nil
}

// storeGrant stores the grant for reportOutcome in a file that only its owner can read.
func (c call) storeGrant(gate, id, grant, ran string) error {
	file, err := c.grantPath()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	text, err := json.Marshal(granted{gate, id, grant, ran})
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o600)
}

// outcome is the report of a call's outcome to a gate.
type outcome struct {
	Grant  string        `json:"grant"`
	Status machine.State `json:"status"`
	Detail string        `json:"detail,omitempty"`
	Result string        `json:"result,omitempty"` // of an executed call, as JSON
}

// sendOutcome sends the report of a proposal, and returns the status of the answer. A result
// that is too large for the gate is left out: then no value of it is known there.
func (c gateClient) sendOutcome(ctx context.Context, id string, o outcome) (status int, err error) {
	if o.Status != machine.Executed || len(o.Result) > machine.MostResult {
		o.Result = ""
	}
	body, err := json.Marshal(o)
	if err != nil {
		return 0, err
	}
	status, _, err = c.sendRequest(ctx, "POST", "/v1/proposals/"+url.PathEscape(id)+"/outcome", string(body), "")
	if err == nil && status == http.StatusRequestEntityTooLarge && o.Result != "" {
		o.Result = ""
		return c.sendOutcome(ctx, id, o)
	}
	return status, err
}

// reportOutcome reports the outcome of a call to the gate that granted it. It does nothing
// for a call without a grant. It reports a failed call as ambiguous, because the tool may
// have done a part of its work.
func reportOutcome(ctx context.Context, f *Options, c call) error {
	file, err := c.grantPath()
	if err != nil || f.Gate == "" {
		return err
	}
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) && c.id != "" { // granted before the host's own question, which names no id
		c.id = ""
		return reportOutcome(ctx, f, c)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var g granted
	if err := json.Unmarshal(text, &g); err != nil {
		return fmt.Errorf("cannot read %s: %w", file, err)
	}
	client, err := newGateClient(f.Gate)
	if err != nil {
		return err
	}
	if client.url != g.Gate {
		return fmt.Errorf("the call was granted by gate %s, not by gate %s", g.Gate, client.url)
	}
	o := outcome{Grant: g.Grant, Status: machine.Executed, Detail: "reported by the host's hook", Result: c.result}
	if c.event == hookcall.Failed {
		o.Status, o.Detail = machine.Ambiguous, "the tool failed"
	}
	if g.Ran != "" && len(proposal.Changes(g.Ran, c.arguments)) > 0 {
		o.Status, o.Detail = machine.Ambiguous, gate.HookOther
	}
	status, err := client.sendOutcome(ctx, g.ID, o)
	if err != nil {
		return err
	}
	if status != 200 && status != 409 { // 409: the report came too late; the gate recorded that in its audit log
		return unexpectedStatus("the report of the outcome", status, "")
	}
	return os.Remove(file)
}

package hook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// granted is the content of a file that the hook writes before a call and reads after it.
// The hook needs the grant to report the call's outcome.
type granted struct {
	Gate  string `json:"gate"`
	ID    string `json:"id"`
	Grant string `json:"grant"`
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
func (c call) storeGrant(gate, id, grant string) error {
	file, err := c.grantPath()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	text, err := json.Marshal(granted{gate, id, grant})
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o600)
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
	outcome := map[string]string{"grant": g.Grant, "status": "executed"}
	if c.event == "PostToolUseFailure" {
		outcome["status"], outcome["detail"] = "ambiguous", "the tool failed"
	}
	body, err := json.Marshal(outcome)
	if err != nil {
		return err
	}
	status, _, err := client.sendRequest(ctx, "POST", "/v1/proposals/"+url.PathEscape(g.ID)+"/outcome", string(body), "")
	if err != nil {
		return err
	}
	if status != 200 && status != 409 { // 409: the report came too late; the gate recorded that in its audit log
		return unexpectedStatus("the report of the outcome", status)
	}
	return os.Remove(file)
}

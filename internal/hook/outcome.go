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

	"github.com/boundcheck/boundcheck/core/proposal"
)

// granted is what one run of the hook leaves for the next: the grant with which
// the outcome of a call is reported.
type granted struct {
	Gate  string `json:"gate"`
	ID    string `json:"id"`
	Grant string `json:"grant"`
}

// note is the file in which the grant of a call waits for its outcome; "" for a
// call that the host gave no id.
func (c call) note() (string, error) {
	if c.id == "" {
		return "", nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "boundcheck", "hook", strings.TrimPrefix(proposal.Digest(c.session, c.id), "sha256:")+".json"), nil
}

// keep leaves the grant for the report, readable by its owner alone.
func (c call) keep(gate, id, grant string) error {
	file, err := c.note()
	if err != nil || file == "" {
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

// reportOutcome tells the gate how a call went that it had granted; of any other
// call there is nothing to tell. A failure counts as ambiguous: the tool may have
// done part of its work.
func reportOutcome(ctx context.Context, f *Options, c call) error {
	file, err := c.note()
	if err != nil || file == "" || f.Gate == "" {
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
		return fmt.Errorf("the call was granted by %s, not by %s", g.Gate, client.url)
	}
	outcome := map[string]string{"grant": g.Grant, "status": "executed"}
	if c.event == "PostToolUseFailure" {
		outcome["status"], outcome["detail"] = "ambiguous", "the tool failed"
	}
	body, err := json.Marshal(outcome)
	if err != nil {
		return err
	}
	status, _, err := client.call(ctx, "POST", "/v1/proposals/"+url.PathEscape(g.ID)+"/outcome", string(body), "")
	if err != nil {
		return err
	}
	if status != 200 && status != 409 { // 409: too late, and written into the audit
		return unexpected("the outcome", status)
	}
	return os.Remove(file)
}

// Package roster says which people, whom a provider or Cloudflare Access has identified, are
// approvers of which tenant.
package roster

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// List is the operator's setting of who is an approver. Its zero value makes nobody one.
type List struct {
	lines []line // the first one that fits a person counts
}

type line struct {
	tenant, name string
	person       bool // name is an approver's name, and not that of a group
}

// AddGroup makes the members of a group approvers. The text is TENANT:GROUP.
func (r *List) AddGroup(text string) error { return r.addLine(text, false) }

// AddPerson makes one person an approver. The text is TENANT:NAME.
func (r *List) AddPerson(text string) error { return r.addLine(text, true) }

func (r *List) addLine(text string, person bool) error {
	tenant, name, ok := strings.Cut(text, ":")
	if !ok || tenant == "" || name == "" {
		return fmt.Errorf("invalid value %q: want TENANT:NAME", text)
	}
	r.lines = append(r.lines, line{tenant, name, person})
	return nil
}

// Empty reports whether nobody is an approver.
func (r *List) Empty() bool { return len(r.lines) == 0 }

// TenantOf returns the tenant of which the person with this name and these groups is an
// approver, or "".
func (r *List) TenantOf(name string, groups []string) string {
	for _, l := range r.lines {
		if l.person && l.name == name || !l.person && slices.Contains(groups, l.name) {
			return l.tenant
		}
	}
	return ""
}

// Mark returns a hash of what makes somebody an approver of the tenant: the lines about
// it, and the texts of settings. It is "" if nobody is one.
func (r *List) Mark(tenant string, settings ...string) string {
	n := len(settings)
	for _, l := range r.lines {
		if kind := map[bool]string{true: "person", false: "group"}[l.person]; l.tenant == tenant {
			settings = append(settings, kind, l.name)
		}
	}
	if len(settings) == n {
		return ""
	}
	text, _ := json.Marshal(settings)
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

package violation

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/secrets"
	"github.com/boundcheck/boundcheck/core/stage/sentences"
)

// lintSecretItem returns a finding if the action i reads an item that its name or its arguments call a
// secret, such as one of a password manager, and no word of a person speaks of a secret or a login; or a private record
// of a person, such as his pay, and no word of a person speaks of that.
// Nothing was changed, but a secret that was read is known.
func (l *linter) lintSecretItem(i int) []Finding {
	a := &l.Obs[i]
	asked := l.requestBefore(i)
	if a.Failed || a.Mutation.Control || a.ByUser || asked == "" || a.Mutation.Mutating == mutation.Yes {
		return nil
	}
	item := secretItem(a, "secretStore")
	if item == "" || l.speaksOfSecrets(asked) {
		if item = secretItem(a, "privateRecord"); item == "" || holdsListed(asked, "privateRecord") || holdsListed(asked, "privateSpoken") || holdsListed(strings.ToLower(l.Policy), "privateRecord") {
			return nil
		}
	}
	f := l.newFinding(OverAction, ScopeOvergeneralisation, SecretRead, i, sentences.ReadsSecretItem.With(a.Name, item))
	f.Confidence = max(f.Confidence, measureOf(UnaskedChange, Desk).Confidence()) // it is read from the same words whether anybody asked
	return []Finding{f}
}

// speaksOfSecrets reports whether a person or the instructions speak of secrets or of a login.
func (l *linter) speaksOfSecrets(asked string) bool {
	return holdsListed(asked, "secret") || holdsListed(asked, "secretSpoken") || holdsListed(asked, "login") || holdsListed(strings.ToLower(l.Policy), "secretStore")
}

// secretItem returns the words of a list with which an action calls what it reads a secret, or "".
func secretItem(a *boundary.Action, list string) string {
	texts := []string{strings.ToLower(strings.Join(splitName(a.Name), " "))}
	for _, leaf := range a.Leaves {
		if v := strings.ToLower(strings.Trim(leaf.Value, `" `)); len(v) < 80 && !strings.Contains(v, "/") { // a path is lintSecret's
			texts = append(texts, itemMarks.Replace(v))
		}
	}
	for _, text := range texts {
		if w := firstHeld(text, listed(list)); w != "" && !anyListed(strings.Fields(text), "notRead") {
			return w
		}
	}
	return ""
}

// itemMarks writes the name of an item in words.
var itemMarks = strings.NewReplacer("_", " ", "-", " ", ".", " ")

// hideSecrets hides in the reason of a finding the texts that its evidence has under the name of a secret. The
// evidence keeps them: it is data. O(evidence · reason).
func (f *Finding) hideSecrets() {
	for _, e := range f.Evidence {
		for _, raw := range [...]string{e.Observed, e.Reference} {
			if secrets.HideValue(e.Path, raw) == secrets.Hidden {
				f.Reason = strings.ReplaceAll(strings.ReplaceAll(f.Reason, raw, secrets.Hidden), shortenValue(raw), secrets.Hidden)
			}
		}
	}
}

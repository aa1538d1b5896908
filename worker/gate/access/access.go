// Package access identifies approvers by the token that Cloudflare Access puts into each
// request that it lets through. It is a gate.Front, natively and at the edge.
//
// The package holds one law: whoever is identified stands, at that moment, in a token that
// a key of the team signed with RS256, for one of the operator's applications, in its time,
// and in the operator's roster. What a token says of its algorithm and its key chooses
// nothing but one of the keys that the team publishes.
package access

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/origin"
	"github.com/boundcheck/boundcheck/worker/gate/roster"
)

// Header is the header with the token. Access removes one that a client sends.
const Header = "Cf-Access-Jwt-Assertion"

// The paths of a team, as Cloudflare documents them.
const (
	keysPath  = "/cdn-cgi/access/certs"
	leavePath = "/cdn-cgi/access/logout"
)

// The limits of a token.
const (
	longestToken = 16 << 10
	leeway       = 30 * time.Second // between the clocks of Access and the gate
)

// Team is a team of Cloudflare Access with the settings of the operator.
type Team struct {
	url        string // also the issuer
	audiences  []string
	roster     roster.List
	groupClaim string
	session    time.Duration
	keys       keys
}

// Usage describes the words that Read accepts.
const Usage = "team=https://NAME.cloudflareaccess.com audience=TAG, one or more of approvers=TENANT:GROUP and person=TENANT:EMAIL, and perhaps groups=CLAIM and session=TIME"

// Read reads the settings of a team: words of the form NAME=VALUE. audience, approvers and
// person may be repeated. The keys of the team are fetched with the transport.
func Read(text string, transport http.RoundTripper) (*Team, error) {
	t := &Team{groupClaim: "groups", session: 24 * time.Hour}
	var err error
	for _, word := range strings.Fields(text) {
		name, value, ok := strings.Cut(word, "=")
		if !ok || value == "" {
			return nil, fmt.Errorf("invalid word %q: want %s", word, Usage)
		}
		switch name {
		case "team":
			t.url = strings.TrimSuffix(value, "/")
		case "audience":
			t.audiences = append(t.audiences, value)
		case "approvers":
			err = t.roster.AddGroup(value)
		case "person":
			err = t.roster.AddPerson(strings.ToLower(value))
		case "groups":
			t.groupClaim = value
		case "session":
			if t.session, err = time.ParseDuration(value); err != nil || t.session < time.Minute || t.session > 31*24*time.Hour {
				err = fmt.Errorf("invalid session %q: want a time from 1m to 744h", value)
			}
		default:
			err = fmt.Errorf("unknown word %q: want %s", name, Usage)
		}
		if err != nil {
			return nil, err
		}
	}
	if t.url == "" || len(t.audiences) == 0 || t.roster.Empty() {
		return nil, fmt.Errorf("want %s", Usage)
	}
	u, err := url.Parse(t.url)
	if err != nil || u.Host == "" || u.Path != "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || !origin.Allowed(u) {
		return nil, fmt.Errorf("invalid team %q: want https://NAME.cloudflareaccess.com, or http on loopback", t.url)
	}
	t.keys = keys{url: t.url + keysPath, transport: transport}
	return t, nil
}

// Host returns the team's host.
func (t *Team) Host() string {
	_, host, _ := strings.Cut(t.url, "://")
	return host
}

// Leave returns the address at which people sign out of Access.
func (t *Team) Leave() string { return t.url + leavePath }

// Identify checks the token in the headers, and returns whom it names.
func (t *Team) Identify(ctx context.Context, h http.Header, now int64) (who gate.Person, err error) {
	values := h[Header]
	if len(values) == 0 {
		return who, gate.ErrNoToken
	}
	if len(values) > 1 {
		return who, fmt.Errorf("the request has %d tokens", len(values))
	}
	at := time.UnixMilli(now)
	claims, mark, err := t.verifyToken(ctx, values[0], at)
	if err != nil {
		return who, err
	}
	if who.Until, err = t.checkClaims(claims, at); err != nil {
		return who, err
	}
	who.Subject, who.Token = textOf(claims.Get("sub")), mark
	if who.Name = strings.ToLower(textOf(claims.Get("email"))); who.Name == "" || who.Subject == "" {
		return who, errors.New("the token names no person. Is it that of a service?")
	}
	if who.Tenant = t.roster.TenantOf(who.Name, namesIn(claims.At("custom", t.groupClaim))); who.Tenant == "" {
		return who, fmt.Errorf("%w: %.200q", gate.ErrNotApprover, who.Name)
	}
	return who, nil
}

// verifyToken checks the signature of a token. It returns what the token says, and a text that
// names the token.
func (t *Team) verifyToken(ctx context.Context, token string, at time.Time) (claims jsonval.Value, mark string, err error) {
	if len(token) > longestToken {
		return claims, "", fmt.Errorf("the token has %d bytes", len(token))
	}
	part := strings.Split(token, ".")
	if len(part) != 3 {
		return claims, "", errors.New("the token does not have three parts")
	}
	head, err := decodeObject(part[0])
	if err != nil {
		return claims, "", fmt.Errorf("the head of the token: %w", err)
	}
	switch {
	case textOf(head.Get("alg")) != "RS256":
		return claims, "", fmt.Errorf("the token is signed with %.50s: want RS256", head.Get("alg").Raw())
	case head.Get("crit").Exists(), head.Get("b64").Exists():
		return claims, "", errors.New("the token demands more than its claims")
	}
	signature, err := base64.RawURLEncoding.Strict().DecodeString(part[2])
	if err != nil {
		return claims, "", errors.New("the signature of the token cannot be read")
	}
	signed := part[0] + "." + part[1]
	if err := t.keys.checkSignature(ctx, textOf(head.Get("kid")), signed, signature, at); err != nil {
		return claims, "", err
	}
	if claims, err = decodeObject(part[1]); err != nil {
		return claims, "", fmt.Errorf("the claims of the token: %w", err)
	}
	sum := sha256.Sum256([]byte(signed)) // without the signature, which could have another form
	return claims, hex.EncodeToString(sum[:]), nil
}

// decodeObject reads a part of a token: a JSON object that says nothing twice.
func decodeObject(part string) (v jsonval.Value, err error) {
	text, err := base64.RawURLEncoding.Strict().DecodeString(part)
	if err != nil {
		return v, errors.New("not base64url")
	}
	if v, err = jsonval.Parse(string(text)); err != nil {
		return v, err
	}
	if name, twice := v.Repeated(); twice || v.Kind() != jsonval.Object {
		return v, fmt.Errorf("not an object, or it has %.50q twice", name)
	}
	return v, nil
}

// checkClaims checks for whom and for which time a token was made. It returns the end of
// that time in Unix milliseconds.
func (t *Team) checkClaims(claims jsonval.Value, at time.Time) (until int64, err error) {
	switch {
	case textOf(claims.Get("iss")) != t.url:
		return 0, fmt.Errorf("the token is from the issuer %.200s", claims.Get("iss").Raw())
	case textOf(claims.Get("type")) != "app":
		return 0, fmt.Errorf("the token is of the type %.50s: want that of an application", claims.Get("type").Raw())
	case !slices.ContainsFunc(namesIn(claims.Get("aud")), func(a string) bool { return slices.Contains(t.audiences, a) }):
		return 0, fmt.Errorf("the token was made for the audience %.300s", claims.Get("aud").Raw())
	}
	var times [3]time.Time
	for i, name := range [...]string{"iat", "nbf", "exp"} {
		seconds, ok := claims.Get(name).Int()
		if !ok && name == "nbf" && !claims.Get(name).Exists() {
			continue
		}
		if !ok || seconds < 0 || seconds > 1<<40 {
			return 0, fmt.Errorf("the token has no time %q", name)
		}
		times[i] = time.Unix(seconds, 0)
	}
	made, begin, end := times[0], times[1], times[2]
	switch {
	case !at.Before(end.Add(leeway)):
		return 0, fmt.Errorf("the token has expired at %s; the gate's clock says %s", formatTime(end), formatTime(at))
	case at.Add(leeway).Before(made), at.Add(leeway).Before(begin):
		return 0, fmt.Errorf("the token is from %s, in the future; the gate's clock says %s", formatTime(made), formatTime(at))
	case !at.Before(made.Add(t.session + leeway)):
		return 0, fmt.Errorf("the token was made at %s, longer ago than session=%s", formatTime(made), t.session)
	}
	return min(end.Add(leeway).UnixMilli(), made.Add(t.session+leeway).UnixMilli()), nil
}

func formatTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// namesIn returns the text v, or the texts in the list v.
func namesIn(v jsonval.Value) (names []string) {
	if text, ok := v.Str(); ok {
		return []string{text}
	}
	if v.Kind() != jsonval.Array {
		return nil
	}
	for _, e := range v.Elements() {
		if text, ok := e.Str(); ok {
			names = append(names, text)
		}
	}
	return names
}

// textOf returns the text v, or "" if v is no text.
func textOf(v jsonval.Value) string {
	text, _ := v.Str()
	return text
}

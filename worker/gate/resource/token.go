//go:build !js

package resource

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/worker/gate"
)

// The limits of a token.
const (
	longestToken = 16 << 10
	leeway       = time.Minute // between the clocks of provider and gate
)

// algorithms are those of public keys. A secret that others share proves less, and "none"
// nothing.
var algorithms = []string{oidc.RS256, oidc.RS384, oidc.RS512, oidc.PS256, oidc.PS384, oidc.PS512, oidc.ES256, oidc.ES384, oidc.ES512, oidc.EdDSA}

// token is a checked token.
type token struct {
	gate.Token
	scopes []string
}

// verifyToken checks a token for one of the audiences, at a time in Unix milliseconds. The
// claims come first, because they cost nothing: a token for somebody else leads to no question
// to the provider.
func (p *provider) verifyToken(ctx context.Context, text string, audiences []string, now int64) (t token, err error) {
	at := time.UnixMilli(now)
	claims, stated, err := decodeToken(text)
	if err != nil {
		return t, err
	}
	if err := checkUse(claims, stated); err != nil {
		return t, err
	}
	until, err := p.checkClaims(claims, audiences, at)
	if err != nil {
		return t, err
	}
	if err := p.checkSignature(ctx, text, at); err != nil {
		return t, err
	}
	t.Until = until.UnixMilli()
	t.Has = func(claim, value string) bool { return slices.Contains(namesIn(claims.Get(claim)), value) }
	t.Subject = p.issuer + " " + describeClaims(claims)
	sum := sha256.Sum256([]byte(text[:strings.LastIndexByte(text, '.')])) // the signature could have another form
	t.Mark = hex.EncodeToString(sum[:])
	if scope, ok := claims.Get("scope").Str(); ok {
		t.scopes = strings.Fields(scope)
	}
	for _, words := range append(namesIn(claims.Get("scp")), namesIn(claims.Get("scope"))...) {
		t.scopes = append(t.scopes, strings.Fields(words)...)
	}
	return t, nil
}

// describeClaims names the person and the program of a token.
func describeClaims(claims jsonval.Value) string {
	text := fmt.Sprintf("%.200q", claims.Get("sub").Text())
	for _, name := range []string{"client_id", "azp"} {
		if client, ok := claims.Get(name).Str(); ok {
			return text + fmt.Sprintf(" by %.200q", client)
		}
	}
	return text
}

// decodeToken reads the form of a token, whose signature nobody has checked yet, and returns
// its claims, and whether its head states that it is an access token (RFC 9068). Each token has one form only: a bit that the
// signature does not cover is refused.
func decodeToken(text string) (claims jsonval.Value, stated bool, err error) {
	part := strings.Split(text, ".")
	if len(text) > longestToken || len(part) != 3 {
		return claims, false, fmt.Errorf("want a signed JSON web token of three parts and at most %d bytes; this has %d and %d", longestToken, len(part), len(text))
	}
	head, err := decodeObject(part[0])
	if err != nil {
		return claims, false, fmt.Errorf("the head of the token: %w", err)
	}
	alg, _ := head.Get("alg").Str()
	kind, isText := head.Get("typ").Str()
	kind = strings.TrimPrefix(strings.ToLower(kind), "application/")
	switch {
	case !slices.Contains(algorithms, alg):
		return claims, false, fmt.Errorf("the token is signed with %.50s, which proves nothing here", head.Get("alg").Raw())
	case head.Get("crit").Exists(), head.Get("b64").Exists():
		return claims, false, errors.New("the token demands more than its claims")
	case head.Get("typ").Exists() && (!isText || kind != "jwt" && kind != "at+jwt"):
		return claims, false, fmt.Errorf("the token is of the type %.50s: want that of an access token", head.Get("typ").Raw())
	}
	if _, err := base64.RawURLEncoding.Strict().DecodeString(part[2]); err != nil || part[2] == "" || strings.ContainsAny(part[2], "\r\n") {
		return claims, false, errors.New("the signature of the token cannot be read")
	}
	if claims, err = decodeObject(part[1]); err != nil {
		return claims, false, fmt.Errorf("the claims of the token: %w", err)
	}
	return claims, kind == "at+jwt", nil
}

// checkUse checks that a token is an access token, and not one of a provider's other tokens, which may name the same audience: it
// states this in its head or its claims, or has what only access tokens have, and nothing that only others have.
func checkUse(claims jsonval.Value, stated bool) error {
	for _, name := range [...]string{"typ", "token_use"} { // of Keycloak and of Cognito
		use, _ := claims.Get(name).Str()
		switch strings.ToLower(use) {
		case "bearer", "access", "at+jwt":
			stated = true
		case "":
			if claims.Get(name).Exists() {
				return errIdentity
			}
		default:
			return errIdentity
		}
	}
	has := func(name string) bool { return claims.Get(name).Exists() }
	grants := slices.ContainsFunc([]string{"scope", "scp", "client_id", "cid", "appid", "idtyp"}, has)
	if has("at_hash") || has("c_hash") || has("s_hash") || !stated && (has("nonce") || !grants) {
		return errIdentity
	}
	return nil
}

var errIdentity = errors.New("the token is an identity token or one for another use, which is for the client: want an access token, with the type at+jwt or a scope or client_id")

// decodeObject reads a part of a token: a JSON object that says nothing twice.
func decodeObject(part string) (v jsonval.Value, err error) {
	text, err := base64.RawURLEncoding.Strict().DecodeString(part)
	if err != nil || strings.ContainsAny(part, "\r\n") {
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

// checkClaims checks from whom, for whom and for which time a token says that it was made. It
// returns the end of that time.
func (p *provider) checkClaims(claims jsonval.Value, audiences []string, at time.Time) (until time.Time, err error) {
	switch issuer, _ := claims.Get("iss").Str(); {
	case issuer != p.issuer:
		return until, fmt.Errorf("the token is from the issuer %.200s: want %q", claims.Get("iss").Raw(), p.issuer)
	case !slices.ContainsFunc(namesIn(claims.Get("aud")), func(a string) bool { return slices.Contains(audiences, a) }):
		return until, fmt.Errorf("the token was made for the audience %.300s: want %q", claims.Get("aud").Raw(), audiences[0])
	case claims.Get("cnf").Exists():
		return until, errors.New("the token is bound to a key of its client, which the gate cannot check")
	}
	var times [3]time.Time
	for i, name := range [...]string{"iat", "nbf", "exp"} {
		if name != "exp" && !claims.Get(name).Exists() {
			continue
		}
		seconds, ok := claims.Get(name).Float()
		if !ok || !(seconds >= 0 && seconds <= 1<<40) {
			return until, fmt.Errorf("the token has no time %q", name)
		}
		times[i] = time.UnixMilli(int64(seconds * 1000))
	}
	made, begin, end := times[0], times[1], times[2]
	switch {
	case !at.Before(end):
		return until, fmt.Errorf("the token has expired at %s; the gate's clock says %s", formatTime(end), formatTime(at))
	case at.Add(leeway).Before(made), at.Add(leeway).Before(begin):
		return until, fmt.Errorf("the token is from the future: made at %s, valid from %s; the gate's clock says %s", formatTime(made), formatTime(begin), formatTime(at))
	}
	return end, nil
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

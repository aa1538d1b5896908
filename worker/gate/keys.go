package gate

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/gate/machine"
)

// Key gives an agent or approver access to the gate. It holds only the hash of the
// key's text.
type Key struct {
	machine.Principal
	Hash    [sha256.Size]byte
	Claim   string  // NAME=VALUE: no key, but the agent of access tokens that say so (see AdmitToken); "" for a key
	Rate    float64 // requests a second; 0 means the gate's own limit
	Pending int     // proposals of the agent that may wait at one time; 0 means the gate's own limit
}

// minKey is the shortest accepted key. Keys are random, not chosen by people, and are
// therefore hashed without salt or stretching.
const minKey = 24

// NewKey returns a Key for the text of a key.
func NewKey(p machine.Principal, text string) (Key, error) {
	if len(text) < minKey || strings.ContainsAny(text, " \t\r\n") {
		return Key{}, fmt.Errorf(`the key of %s must have at least %d characters and no spaces. Make a key with "boundcheck gate key"`, p.Name, minKey)
	}
	return Key{Principal: p, Hash: sha256.Sum256([]byte(text))}, nil
}

// ReadKeys reads a key file. Each line has one key: "TENANT ROLE NAME KEY [APPROVER]
// [rate=N] [pending=N] [schemas=believed] [host=TABLE]". A comment begins with #. The words mean:
//
//   - KEY: the key, or "sha256:" and its hash; or, for agents only, "oauth:CLAIM=VALUE", which
//     means the access tokens whose claim has the value. In VALUE, %20 is a space
//   - APPROVER, for agents only: the one approver who may decide for the agent
//   - rate: the number of requests a second
//   - pending: the number of proposals that may wait at one time
//   - schemas=believed: the gate trusts the closed lists of values in the agent's tool definitions
//   - host: the reviewed table of the program that makes the agent's calls
func ReadKeys(text string) ([]Key, error) {
	var keys []Key
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		f, limits := splitLimits(f)
		if len(f) < 4 || len(f) > 5 {
			return nil, fmt.Errorf("line %d must have the form TENANT ROLE NAME KEY [APPROVER] [rate=N] [pending=N] [schemas=believed] [host=TABLE], but it has %d words", i+1, len(f)+len(limits))
		}
		p := machine.Principal{Tenant: f[0], Role: machine.Role(f[1]), Name: f[2]}
		if len(f) == 5 {
			p.For = f[4]
		}
		k, err := readKey(p, f[3])
		if err == nil {
			err = k.setLimits(limits)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		keys = append(keys, k)
	}
	return keys, checkKeys(keys)
}

// splitLimits splits the words of a line. The result limits has the words of the form
// NAME=VALUE at the end of the line. The result rest has all words before them, and at
// least the first four.
func splitLimits(words []string) (rest, limits []string) {
	n := len(words)
	for n > 4 && strings.Contains(words[n-1], "=") {
		n--
	}
	return words[:n], words[n:]
}

// setLimits sets the limits of a key from words of the form NAME=VALUE. It also sets
// whether the schemas of the key's agent are believed, and which host the agent uses.
func (k *Key) setLimits(words []string) (err error) {
	for _, w := range words {
		name, value, _ := strings.Cut(w, "=")
		switch name {
		case "rate":
			if k.Rate, err = strconv.ParseFloat(value, 64); err != nil || !(k.Rate > 0 && k.Rate < 1e6) {
				return fmt.Errorf("invalid rate %q: the rate must be above 0 and below 1000000 requests per second", value)
			}
		case "pending":
			if k.Pending, err = strconv.Atoi(value); err != nil || k.Pending < 1 || k.Role != machine.Agent {
				return fmt.Errorf("invalid value %q for pending: want the highest number of proposals, at least 1. Only an agent can have this limit", value)
			}
		case "schemas":
			if k.Schemas = value == "believed" && k.Role == machine.Agent; !k.Schemas {
				return fmt.Errorf("invalid value %q for schemas. Write schemas=believed, and only on the line of an agent", value)
			}
		case "host":
			if k.Host = value; k.Role != machine.Agent || !mutation.IsHost(value) {
				return fmt.Errorf(`invalid value %q for host. Write the name of a table that "boundcheck tools tables" prints, and only on the line of an agent`, value)
			}
		default:
			return fmt.Errorf("unknown setting %q. The known settings are rate=N, pending=N, schemas=believed and host=TABLE", name)
		}
	}
	return nil
}

// claimPrefix begins the word of a line for access tokens.
const claimPrefix = "oauth:"

// readClaim reads the word of a line for access tokens, after claimPrefix.
func readClaim(p machine.Principal, text string) (Key, error) {
	name, value, _ := strings.Cut(text, "=")
	value, err := url.PathUnescape(value)
	if err != nil || name == "" || value == "" {
		return Key{}, fmt.Errorf("invalid word %q: want oauth:CLAIM=VALUE, with %%25 for each %% of the value", claimPrefix+text)
	}
	if p.Role != machine.Agent {
		return Key{}, errors.New("an access token can only be an agent's, never an approver's")
	}
	k := Key{Principal: p, Claim: name + "=" + value}
	k.Hash = sha256.Sum256([]byte(claimPrefix + k.Claim)) // names the line; findKey never compares it
	return k, nil
}

func readKey(p machine.Principal, text string) (Key, error) {
	if claim, is := strings.CutPrefix(text, claimPrefix); is {
		return readClaim(p, claim)
	}
	digits, hashed := strings.CutPrefix(text, "sha256:")
	if !hashed {
		return NewKey(p, text)
	}
	k := Key{Principal: p}
	if n, err := hex.Decode(k.Hash[:], []byte(digits)); err != nil || n != len(k.Hash) || len(digits) != 2*len(k.Hash) {
		return k, errors.New(`the hash must be "sha256:" and 64 hexadecimal digits`)
	}
	return k, nil
}

// checkKeys returns an error if a key is used twice, a role is unknown, or an approver
// does not exist.
func checkKeys(keys []Key) error {
	seen := map[[sha256.Size]byte]bool{}
	people := map[string]bool{}
	for _, k := range keys {
		if seen[k.Hash] {
			return fmt.Errorf("the key or claim of %s appears twice. Give each name a different one", k.Name)
		}
		seen[k.Hash] = true
		if k.Role == machine.Approver {
			people[k.Tenant+" "+k.Name] = true
		}
	}
	for _, k := range keys {
		switch {
		case k.Role != machine.Agent && k.Role != machine.Approver:
			return fmt.Errorf("unknown role %q of %s: want agent or approver", k.Role, k.Name)
		case k.Tenant == "" || k.Name == "":
			return errors.New("a key has no tenant or no name")
		case k.For != "" && !people[k.Tenant+" "+k.For]:
			return fmt.Errorf("the approver %q of the agent %s does not exist in the tenant", k.For, k.Name)
		}
	}
	return nil
}

//go:build !js

package gate

import (
	"errors"
	"flag"
	"fmt"
	"net/netip"
	"strconv"

	"github.com/boundcheck/boundcheck/worker/gate"
)

// limitFlags are the limits of keys and addresses at a gate.
type limitFlags struct {
	rate                    float64
	agent, tenant, requests int
	proxies                 []netip.Prefix
	header                  string
}

const limitUsage = `
Limits, for each key unless its line in the key file says otherwise:
  --rate N           requests a second (default 50)
  --agent-pending N  proposals of one agent that may wait at once (default 2000)
  --tenant-pending N proposals of all agents of a tenant (default 10000)
  --waits N          requests of one key that may wait for a decision (default 1500)
  --trusted-proxy NETWORK
                     trust the client's address in requests from a proxy in NETWORK
                     (such as 10.0.0.0/8); the gate limits wrong keys at the sign-in
                     by this address; repeatable
  --client-header NAME
                     the proxy's header with that address (default X-Forwarded-For)
`

func (f *limitFlags) RegisterFlags(flags *flag.FlagSet) {
	flags.Float64Var(&f.rate, "rate", 0, "")
	flags.Func("agent-pending", "", oneOrMore(&f.agent))
	flags.Func("tenant-pending", "", oneOrMore(&f.tenant))
	flags.Func("waits", "", oneOrMore(&f.requests))
	flags.StringVar(&f.header, "client-header", "", "")
	flags.Func("trusted-proxy", "", func(text string) error {
		p, err := netip.ParsePrefix(text)
		if a, alone := netip.ParseAddr(text); err != nil && alone == nil {
			p, err = a.Prefix(a.BitLen())
		}
		if err != nil {
			return fmt.Errorf("want a network such as 10.0.0.0/8, or an address")
		}
		f.proxies = append(f.proxies, p)
		return nil
	})
}

// oneOrMore returns a function that parses the value of a flag and stores it in *limit.
// The value must be a whole number of at least 1. If the flag is not given, *limit stays
// 0, which means the gate's default.
func oneOrMore(limit *int) func(text string) error {
	return func(text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return errors.New("want a number of 1 or more")
		}
		*limit = n
		return nil
	}
}

func (f *limitFlags) CheckFlags() error {
	if f.header != "" && f.proxies == nil {
		return fmt.Errorf("--client-header needs --trusted-proxy: the header is read only in requests from a trusted proxy")
	}
	return nil
}

func (f *limitFlags) applyToOptions(o *gate.Options) {
	o.Rate, o.Pending, o.Waiting, o.Waits = f.rate, f.agent, f.tenant, f.requests
	if o.Proxies = f.proxies; f.proxies != nil {
		if o.AddressHeader = f.header; f.header == "" {
			o.AddressHeader = "X-Forwarded-For"
		}
	}
}

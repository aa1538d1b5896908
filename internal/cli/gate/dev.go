//go:build !js

package gate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"rsc.io/qr"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/internal/render"
	"github.com/boundcheck/boundcheck/worker/gate"
)

const devUsage = `
  --lan              with --dev: also serve the approver's pages in this machine's private
                     network, for a phone. The gate serves nothing else there. These pages
                     use plain http, a separate approver key and separate sessions

--dev also prints a link ("signIn" in the JSON line). The link signs the approver in,
works once, and expires after ten minutes. On a terminal, --dev also shows the link as a QR code.
`

// linkFor is the time after which the sign-in link expires.
const linkFor = 10 * time.Minute

// showLink creates the sign-in link, and prints it as text and as a QR code. It also
// prints who can open the pages.
func (r *gateRunner) showLink() error {
	link, err := r.gate.SignInLink(machine.Principal{Tenant: "dev", Name: "approver", Role: machine.Approver}, time.Now().Add(linkFor).UnixMilli())
	if err != nil {
		return err
	}
	r.line.SignIn = link
	if r.flags.lan {
		r.log.Info("everybody in this network can open the approver's pages and read their plain http traffic. "+
			"Everybody with the sign-in link or the approver's key can decide. The API stays on this machine", "pages", r.line.Pages)
	}
	if !readByPeople(r.stderr) { // a program finds the link in the JSON line on standard output
		return nil
	}
	fmt.Fprintf(r.stderr, "To sign in as the approver, open this link within ten minutes. It works only once:\n  %s\n\n", link)
	if err := writeQR(r.stderr, link); err != nil {
		return err
	}
	if !r.flags.lan {
		fmt.Fprint(r.stderr, "Only this machine can open the link. With --lan, a phone can open the link, too.\n")
	}
	return nil
}

// readByPeople reports whether w is a terminal, which a person reads. Tests replace it.
var readByPeople = render.IsTerminal

// writeQR draws a text as a QR code. Each line contains two rows of the code. The code is
// black on white, whatever colours the terminal has.
func writeQR(w io.Writer, text string) error {
	code, err := qr.Encode(text, qr.L)
	if err != nil {
		return err
	}
	const quiet = 2
	var b strings.Builder
	for y := -quiet; y < code.Size+quiet; y += 2 {
		b.WriteString("\x1b[30;107m")
		for x := -quiet; x < code.Size+quiet; x++ {
			upper, lower := code.Black(x, y), code.Black(x, y+1)
			switch {
			case upper && lower:
				b.WriteString("█")
			case upper:
				b.WriteString("▀")
			case lower:
				b.WriteString("▄")
			default:
				b.WriteString(" ")
			}
		}
		b.WriteString("\x1b[0m\n")
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// The functions that list the machine's addresses, and that select the private ones. Tests
// replace both.
var (
	localAddresses = net.InterfaceAddrs
	private        = net.IP.IsPrivate
)

// listenLAN listens on the first address of this machine in a private network.
func listenLAN() (net.Listener, error) {
	all, err := localAddresses()
	if err != nil {
		return nil, err
	}
	for _, a := range all {
		if n, ok := a.(*net.IPNet); ok && private(n.IP) && n.IP.To4() != nil {
			return net.Listen("tcp", net.JoinHostPort(n.IP.String(), "0"))
		}
	}
	return nil, errors.New("--lan: this machine has no address in a private network")
}

// pagesOnly returns the handler for the private network. It serves only the pages for
// people, and only for requests with the given host. It serves no part of the API.
func pagesOnly(next http.Handler, host string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Host != host || !gate.ServesPage(r.URL.Path) {
			http.Error(w, "this address serves only the approver's pages", http.StatusNotFound)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// serveLAN serves the pages to the network until ctx ends.
func (r *gateRunner) serveLAN(ctx context.Context, handler http.Handler, lan net.Listener) {
	if err := serveOn(ctx, r.newServer(pagesOnly(handler, lan.Addr().String())), lan, 5*time.Second); err != nil {
		r.logError(err)
	}
}

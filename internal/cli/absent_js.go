package cli

import (
	"fmt"
	"io"
)

// These commands are missing in the npm package, which runs as js/wasm in Node, without
// sockets and processes of its own.

func gateCommand(_ []string, _ io.Reader, _, stderr io.Writer) int { return absent("gate", stderr) }

func hookCommand(_ []string, _ io.Reader, _, stderr io.Writer) int { return absent("hook", stderr) }

func auditCommand(_ []string, _ io.Reader, _, stderr io.Writer) int { return absent("audit", stderr) }

func serveCommand(_ []string, _ io.Reader, _, stderr io.Writer) int { return absent("serve", stderr) }

func benchCommand(_ []string, _ io.Reader, _, stderr io.Writer) int { return absent("bench", stderr) }

func recordCommand(_ []string, _ io.Reader, _, stderr io.Writer) int { return absent("record", stderr) }

func absent(name string, stderr io.Writer) int {
	fmt.Fprintf(stderr, "boundcheck %s: not in the npm package; take the program: %s\n", name, releases)
	return exitUsage
}

const releases = "https://github.com/boundcheck/boundcheck/releases"

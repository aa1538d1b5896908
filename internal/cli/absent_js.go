package cli

import (
	"fmt"
	"io"
)

// The npm package does not have these commands. It runs as js/wasm in Node, where it can
// neither open sockets nor start processes.

func gateCommand(_ []string, _ io.Reader, _, stderr io.Writer) int { return absent("gate", stderr) }

func hookCommand(_ []string, _ io.Reader, _, stderr io.Writer) int { return absent("hook", stderr) }

func auditCommand(_ []string, _ io.Reader, _, stderr io.Writer) int { return absent("audit", stderr) }

func serveCommand(_ []string, _ io.Reader, _, stderr io.Writer) int { return absent("serve", stderr) }

func benchCommand(_ []string, _ io.Reader, _, stderr io.Writer) int { return absent("bench", stderr) }

func recordCommand(_ []string, _ io.Reader, _, stderr io.Writer) int { return absent("record", stderr) }

func absent(name string, stderr io.Writer) int {
	fmt.Fprintf(stderr, "boundcheck %s: this command is not in the npm package; install the program from %s\n", name, releases)
	return exitUsage
}

const releases = "https://github.com/boundcheck/boundcheck/releases"

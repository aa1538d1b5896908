// Command boundcheck scores agent trajectories, checks single actions, renders prompts,
// and serves the playground with the API. Its commands are in internal/cli.
package main

import (
	"os"

	"github.com/boundcheck/boundcheck/internal/cli"
)

func main() {
	os.Exit(cli.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

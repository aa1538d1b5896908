// Command boundcheck scores agent trajectories, checks single actions, renders
// prompts, and serves the playground with the API. internal/cli has its commands.
package main

import (
	"os"

	"github.com/boundcheck/boundcheck/internal/cli"
)

func main() {
	os.Exit(cli.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// Command hosttables writes the tables of the tools of public MCP servers, and the table
// of Redis commands, from their published definitions. Only facts enter the tables: names
// of tools and arguments, and whether a tool reads.
//
//	go run ./internal/hosttables -servers internal/hosttables/servers.json
//	go run ./internal/hosttables -redis FOLDER -version COMMIT
//
// A server in npm is installed in a temporary folder, without its install scripts, and
// asked for tools/list. For a server elsewhere, -definitions names a folder that holds
// NAME.json with its answer to tools/list. A server that cannot be asked keeps its rows.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
)

const (
	serversFile = "core/action/mutation/servers.txt"
	reviewFile  = "internal/hosttables/review.txt"
	redisFile   = "core/action/mutation/redis.txt"
)

func main() {
	servers := flag.String("servers", "internal/hosttables/servers.json", "the `file` with the servers")
	definitions := flag.String("definitions", "", "a `folder` with stored definitions, NAME.json")
	installed := flag.String("installed", "", "a `folder` with the npm packages, instead of a temporary one")
	redis := flag.String("redis", "", "write the table of Redis commands from this `folder`")
	version := flag.String("version", "", "the `commit` of the definitions of commands")
	flag.Parse()
	var err error
	if *redis != "" {
		var text string
		if text, err = redisTable(*redis, *version); err == nil {
			err = os.WriteFile(redisFile, []byte(text), 0o644)
		}
	} else {
		err = writeServers(*servers, *definitions, *installed)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "hosttables:", err)
		os.Exit(1)
	}
}

// hashOf returns the name and the hash of a text.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256:" + hex.EncodeToString(sum[:])
}

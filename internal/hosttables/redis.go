package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// redisTable returns the table of the commands that only read, in the form of
// core/action/mutation/redis.txt. The folder holds a JSON file for each command, with its flags,
// as Valkey publishes them.
func redisTable(folder, version string) (string, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil || len(files) == 0 {
		return "", fmt.Errorf("no definitions of commands in %s", folder)
	}
	var reads []string
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			return "", err
		}
		var commands map[string]struct {
			Container string
			Flags     []string `json:"command_flags"`
		}
		if json.Unmarshal(data, &commands) != nil {
			continue // not the definition of a command
		}
		for name, c := range commands {
			if readsOnly(c.Flags) && !reviewedRedis[strings.ToLower(name)] {
				reads = append(reads, strings.ToLower(strings.TrimSpace(c.Container+" "+name)))
			}
		}
	}
	slices.Sort(reads)
	var b strings.Builder
	b.WriteString("# The commands of Redis and Valkey that only read: those with the flag READONLY, without\n" +
		"# WRITE and MAY_REPLICATE. Written by go run ./internal/hosttables.\n" +
		"# source: github.com/valkey-io/valkey, src/commands, " + version + ", BSD-3-Clause\n")
	fmt.Fprintf(&b, "# %s\n", hashOf(strings.Join(reads, "\n")))
	for _, name := range reads {
		b.WriteString(name + "\n")
	}
	return b.String(), nil
}

func readsOnly(flags []string) bool {
	return slices.Contains(flags, "READONLY") && !slices.Contains(flags, "WRITE") && !slices.Contains(flags, "MAY_REPLICATE") && !slices.Contains(flags, "NOSCRIPT")
}

// reviewedRedis holds commands that the flags call reads, but which a review left out:
// they run a script, or change when a key was last used.
var reviewedRedis = map[string]bool{"eval_ro": true, "evalsha_ro": true, "fcall_ro": true, "touch": true, "lolwut": true}

//go:build wasip1

// Command guest is a plugin that reaches for everything a plugin must not
// have and tells what it got. Tests build it; it is not shipped.
package main

import (
	"crypto/rand"
	"encoding/hex"
	"os"
	"time"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/sdk"
)

// loot is what a guest can lay hands on.
type loot struct {
	Args        int    `json:"args"`
	Environment int    `json:"environment"`
	Stdin       int    `json:"stdin"`
	Files       bool   `json:"files"`
	Write       bool   `json:"write"`
	Clock       int64  `json:"clock"`
	Random      string `json:"random"`
}

func init() {
	sdk.Serve(&sdk.Plugin{
		Description: abi.Description{Name: "probe", Version: "1.0.0"},
		Ops:         map[string]sdk.Op{"probe": func([]byte) (any, error) { return reach(), nil }},
	})
}

func reach() loot {
	l := loot{Args: len(os.Args), Environment: len(os.Environ()), Clock: time.Now().Unix()}
	l.Stdin, _ = os.Stdin.Read(make([]byte, 16))
	_, err := os.ReadDir("/")
	l.Files = err == nil
	l.Write = os.WriteFile("/tmp/probe", nil, 0o600) == nil
	time.Sleep(time.Hour) // returns at once, or the deadline tells
	b := make([]byte, 8)
	rand.Read(b)
	l.Random = hex.EncodeToString(b)
	return l
}

func main() {}

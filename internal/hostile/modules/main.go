// Command modules writes the hostile modules for tests in other languages than Go:
// modules DIR. cases.json lists them. Hosts must load each under the name "bad".
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/boundcheck/boundcheck/internal/hostile"
)

type entry struct {
	Name string `json:"name"`
	Code string `json:"code"`
	Hang bool   `json:"hang"`
	File string `json:"file"`
}

func main() {
	if err := writeModules(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "modules:", err)
		os.Exit(1)
	}
}

func writeModules(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("usage: modules DIR")
	}
	var list []entry
	for i, c := range hostile.Cases() {
		file := fmt.Sprintf("%d.wasm", i)
		if err := os.WriteFile(filepath.Join(args[0], file), c.Wasm, 0o600); err != nil {
			return err
		}
		list = append(list, entry{c.Name, c.Code, c.Hang, file})
	}
	text, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(args[0], "cases.json"), text, 0o600)
}

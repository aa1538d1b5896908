// Command judge prints one character for each line of its input, a tool's name and its
// arguments: "+" if the gate asks about the call, and "-" if it does not.
package main

import (
	"bufio"
	"log"
	"os"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	out := bufio.NewWriter(os.Stdout)
	for lines.Scan() {
		tool, text, _ := strings.Cut(lines.Text(), " ")
		arguments, err := jsonval.Parse(text)
		verdict := byte('-')
		if err != nil || mutation.New(nil, nil).Classify(tool, arguments).Counts() {
			verdict = '+'
		}
		_ = out.WriteByte(verdict)
	}
	if err := lines.Err(); err != nil {
		log.Fatal(err)
	}
	if err := out.Flush(); err != nil {
		log.Fatal(err)
	}
}

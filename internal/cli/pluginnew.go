package cli

import (
	"cmp"
	"fmt"

	"github.com/boundcheck/boundcheck/plugins/host"
)

// create is "plugin new".
func (f *pluginFlags) create(s pluginStreams) error {
	name := f.args[0]
	dir := cmp.Or(f.dir, name)
	files, usable, err := host.Skeleton(name, dir)
	if err != nil {
		return err
	}
	for _, file := range files {
		fmt.Fprintf(s.stdout, "%s/%s\n", dir, file)
	}
	if !usable {
		fmt.Fprintf(s.stderr, "boundcheck plugin: this program has no released version: "+
			"say in %s/go.mod by a replace where the sources of Boundcheck lie\n", dir)
	}
	fmt.Fprintf(s.stderr, `next: cd %s && go test .
      GOOS=wasip1 GOARCH=wasm go build -trimpath -buildmode=c-shared -ldflags='-s -w' -o %[2]s.wasm ./guest
      boundcheck plugin verify %[2]s.wasm
`, dir, name)
	return nil
}

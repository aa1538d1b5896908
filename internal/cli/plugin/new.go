package plugin

import (
	"cmp"
	"fmt"

	"github.com/boundcheck/boundcheck/plugins/host"
)

// runNew carries out "plugin new".
func (f *pluginFlags) runNew(s pluginStreams) error {
	name := f.args[0]
	dir := cmp.Or(f.dir, name)
	files, usable, err := host.Skeleton(name, f.lang, dir)
	if err != nil {
		return err
	}
	for _, file := range files {
		fmt.Fprintf(s.stdout, "%s/%s\n", dir, file)
	}
	if !usable {
		fmt.Fprintf(s.stderr, "boundcheck plugin: this program is not a released version. "+
			"In %s/go.mod, add a replace directive with the folder of Boundcheck's source code\n", dir)
	}
	first := map[string]string{"": "go test .", "go": "go test .", "assemblyscript": "npm install"}[f.lang]
	if first != "" {
		first = " && " + first
	}
	fmt.Fprintf(s.stderr, "next: cd %s%s\n      %s\n      boundcheck plugin verify %s.wasm\n", dir, first, host.SkeletonBuild(name, f.lang), name)
	return nil
}

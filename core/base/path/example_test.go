package path_test

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/path"
)

func ExampleCompile() {
	p, err := path.Compile("items.#.id")
	if err != nil {
		panic(err)
	}
	order, _ := jsonval.Parse(`{"items":[{"id":1},{"id":2}]}`)
	fmt.Println(p.Get(order).Raw())

	_, err = path.Compile("items..id")
	fmt.Println(err)
	// Output:
	// [1,2]
	// invalid path "items..id" at character 7: a name is missing before the dot
}

func ExamplePath_Covers() {
	p, err := path.CompilePlaces("items.#.*_at")
	if err != nil {
		panic(err)
	}
	order, _ := jsonval.Parse(`{"id":7,"items":[{"shipped_at":"2026-01-01"}]}`)
	for _, l := range order.Leaves() {
		_, covered := p.Covers(l.Path)
		fmt.Println(l.Path, covered)
	}
	// Output:
	// id false
	// items[0].shipped_at true
}

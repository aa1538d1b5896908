package cmd

import (
	"errors"
	"flag"
	"fmt"
	"slices"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/read/mapping"
)

// MapFlagUsage describes the flags of MapFlag.
const MapFlagUsage = `
  --from FORMAT          read files as this format instead of detecting the format
                         ("boundcheck version" lists the names)
  --map MAPPING          read JSON of any form: calls=steps.#.toolCalls,name=toolName,arguments=input
                         ("boundcheck map FILE" proposes a mapping)
`

// MapFlag holds the values of --map and --from.
type MapFlag struct {
	Given *mapping.Map
	From  string // --from
}

// RegisterFlags defines the flags.
func (f *MapFlag) RegisterFlags(set *flag.FlagSet) {
	set.Func("map", "", func(s string) (err error) {
		f.Given, err = mapping.Parse(s)
		return err
	})
	set.StringVar(&f.From, "from", "", "")
}

// CheckFlags returns an error if --from names an unknown format, or if both --from and
// --map are given.
func (f *MapFlag) CheckFlags() error {
	switch {
	case f.From == "":
		return nil
	case f.Given != nil:
		return errors.New("--from and --map contradict each other")
	case !slices.Contains(core.Formats(), f.From):
		return fmt.Errorf("unknown --from %q%s; \"boundcheck version\" lists the formats", f.From, DidYouMean(f.From, core.Formats()))
	}
	return nil
}

// ApplyMapping converts data to the generic format with the mapping of --map. Without
// --map it returns data unchanged.
func (f *MapFlag) ApplyMapping(name string, data []byte) ([]byte, error) {
	if f.Given == nil {
		return data, nil
	}
	out, _, err := f.Given.Apply(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return out, nil
}

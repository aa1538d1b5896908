package mutation

import "github.com/boundcheck/boundcheck/core/jsonval"

// nameFacts are what the argument layers want to know about a tool's name.
type nameFacts struct {
	words  []string
	ending bool // a control action that an id in the arguments would refute
}

func factsOf(name string, v Verdict, found bool) nameFacts { return nameFacts{} }

func (c *Classifier) argued(b base, name string, arguments jsonval.Value) Verdict { return b.verdict }

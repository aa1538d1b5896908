package mutation

// The model's bytes may only raise.
//
// Two parties speak about a call. The operator says which tool it is: by the
// table, by a definition, by a reviewed host table, or by not saying anything,
// which leaves the tool's name to the lexicon. The name is safe as a start because
// it is bound: what runs is that tool. All of this is known before the call is
// made, and it makes a start. The agent writes the rest: arguments, definitions
// that it sends along, annotations, sessions. Those may make the verdict stricter,
// never milder.
//
// The types keep the two apart. A start is made in start.go from the operator's
// evidence and the name alone. A raise collects what the agent wrote, and has no
// way to lower. The one exception has one door: a tool whose start says that it
// runs a text in a language (prove) reads when its whole arguments are proven to
// read, in that language's own closed grammar.

// start is what is known of a tool before its arguments are read.
type start struct {
	verdict  Verdict  // of a call whose arguments add nothing
	static   Verdict  // of the strictest call that the operator's schema allows
	language language // what the tool runs; plain for tools that run no text
	members  members  // what the operator or the name says about its members
	final    bool     // arguments cannot matter
}

// raise collects evidence that the agent wrote. It cannot lower a verdict: over
// returns the stricter one.
type raise struct {
	worst Verdict // Reason "" while nothing was added
}

func (r *raise) add(m Tri, layer Layer, reason string) {
	if v := says(m, layer, reason); r.worst.Reason == "" || v.Mutating.rank() > r.worst.Mutating.rank() {
		r.worst = v
	}
}

// over returns the stricter of the verdict and the evidence. On a tie the
// arguments say more than the name.
func (r *raise) over(v Verdict) Verdict {
	if r.worst.Reason == "" || r.worst.Mutating == No {
		return v
	}
	return stricter(r.worst, v)
}

// language is what a tool runs when its arguments hold a text to run.
type language uint8

const (
	plain      language = iota // no text runs
	shellText                  // a command line
	queryText                  // a statement in a query language
	httpText                   // an HTTP request
	arithText                  // an arithmetic expression
	actionText                 // one of several operations, by a member that the operator declared
)

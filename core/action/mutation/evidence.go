package mutation

// The model's bytes can only make a verdict stricter.
//
// The evidence about a call has two authors. The operator says which tool it is: by the
// table, by a definition, by a reviewed host table, or by nothing, so that the lexicon
// judges the tool's name. The name is safe as a start because it is bound: the tool with
// that name runs. All of this is known before the call, and determines the start. The
// agent writes the rest: arguments, definitions that it sends along, annotations,
// sessions. These can make the verdict stricter, never milder.
//
// The types keep the two apart. start.go computes a start from the operator's evidence
// and the name alone. A raise collects the agent's evidence, and cannot make a verdict
// milder. There is one exception, in prove: a tool whose start says that it runs a text
// in a language reads if its whole arguments are proven to read, in that language's own
// closed grammar.

// start holds the judgement of a tool before its arguments are read.
type start struct {
	verdict  Verdict  // of a call with arguments that add nothing
	static   Verdict  // of the strictest call that the operator's schema allows
	language language // of the text that the tool runs; plain for tools that run no text
	members  members  // what the operator or the name says about its members
	final    bool     // arguments cannot matter
	claims   []claim  // of the rows of host tables, if the host is not known
}

// raise collects evidence that the agent wrote. It cannot make a verdict milder:
// raiseVerdict returns the stricter one.
type raise struct {
	worst Verdict // its Reason is "" until something is added
}

func (r *raise) addEvidence(m Tri, layer Layer, reason string) {
	if v := newVerdict(m, layer, reason); r.worst.Reason == "" || v.Mutating.rank() > r.worst.Mutating.rank() {
		r.worst = v
	}
}

// noteDeed adds evidence that the name of a member asks for a change, such as delete_ids.
func (r *raise) noteDeed(name string) {
	r.addEvidence(deedVerdict(name), LayerArgument, quote(clipText(name))+" asks for a change")
}

// doubtMember adds evidence that the member with the given name may change something. The
// reason follows the name.
func (r *raise) doubtMember(name, reason string) {
	r.addEvidence(Unknown, LayerArgument, quote(clipText(name))+reason)
}

// raiseVerdict returns the stricter of the verdict and the evidence. On a tie it returns
// the evidence, because arguments are more specific than the name.
func (r *raise) raiseVerdict(v Verdict) Verdict {
	if r.worst.Reason == "" || r.worst.Mutating == No {
		return v
	}
	return stricterVerdict(r.worst, v)
}

// language is the language of the text that a tool runs from its arguments.
type language uint8

const (
	plain      language = iota // no text runs
	shellText                  // a command line
	queryText                  // a statement in a query language
	httpText                   // an HTTP request
	arithText                  // an arithmetic expression
	actionText                 // one of several operations, in a member that the operator declared
)

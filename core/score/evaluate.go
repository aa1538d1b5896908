package score

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/requests"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/codes"
	"github.com/boundcheck/boundcheck/core/base/path"
	"github.com/boundcheck/boundcheck/core/math/align"
	"github.com/boundcheck/boundcheck/core/math/metric"
	"github.com/boundcheck/boundcheck/core/read/failure"
	"github.com/boundcheck/boundcheck/core/ref/linearize"
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/stage/attribution"
	"github.com/boundcheck/boundcheck/core/stage/checker"
	"github.com/boundcheck/boundcheck/core/stage/equivalence"
	"github.com/boundcheck/boundcheck/core/stage/proof"
	"github.com/boundcheck/boundcheck/core/stage/respell"
	"github.com/boundcheck/boundcheck/core/stage/violation"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// evaluator takes one request through the stages.
type evaluator struct {
	request    Request
	classifier *mutation.Classifier
	files      []report.File
	warnings   []trajectory.Warning
	runs       []run
	calls      map[spelling]*prepared
	speller    respell.Speller
	callBytes  int    // of the spellings in calls
	earlier    *Cache // the calls of earlier requests; nil for none
	plugins    []report.Plugin
	texts      similarity.Texts
	models     report.Models
	said       [3]*boundary.Vocabulary // the vocabularies of the request, the reference and the checker of the current run; nil for none
	vocabulary *boundary.Vocabulary    // the union of the vocabularies in said
	kinships   *kinships               // the similarities of tool names under vocabulary
	deeds      mutation.Deeds
	released   *stages // what is left of the last run that was reported

	instructions struct { // of the run before
		policy violation.Memory
		asking requests.Memory
		told   boundary.Told
	}

	overridden int                                           // runs whose own reference was replaced by another one
	unnamed    int                                           // runs without a task, for which the only task of the reference was used
	onlyTask   string                                        // this task
	shared     []sharedFile                                  // files that say something about runs in other files
	ignoring   map[*reference.Reference]*reference.Reference // references without the arguments that the configuration ignores
}

func newEvaluator(r Request, c *mutation.Classifier) evaluator {
	return evaluator{request: r, classifier: c, calls: map[spelling]*prepared{}, deeds: mutation.Deeds{}}
}

// run is one trajectory of a request. A file may have many, so it is small, and what the stages
// make of it is only there while it is scored.
type run struct {
	*trajectory.Trajectory
	*stages
	file       int                  // 1 for the first; the same task id in two files means two tasks
	path       string               // the file's path relative to the configuration file
	held       *reference.Reference // the reference of the run; nil for none
	referenced bool
	apart      bool            // references were given, and none is for the task of this run
	reported   bool            // its report is made, and what the stages made is gone
	checker    checker.Checker // nil if no benchmark's knowledge applies
	benchmark  string
	support    *report.Support // the runs that agree on the reference, if it comes from other runs; nil otherwise
	broken     string          // why the run cannot be scored: the panic of a bug; "" if it can
}

// stages holds the results of the stages for one run.
type stages struct {
	boundary.Case
	places   []string // of the steps of Ref in the reference's source
	rulings  []equivalence.Ruling
	findings []violation.Finding
	seconds  []*second // opinions on findings; nil if no judge was asked
	excused  []excused
	blame    []checker.Blame
	replay   *checker.Replay
	origins  *origins // of the values of changes; nil with a reference
	effects  string   // see effectKey; set for tasks with several runs
	hidden   bool     // there is a finding of a rule that is turned off
	figures  metric.Run
	cause    attribution.Result
	caused   bool
}

var unscored stages // of all runs that are not scored yet; nothing changes it

// readAll reads the sources. If one of several sources cannot be read, the report
// contains its error, and the others are scored. If no source can be read, it returns the
// first error.
func (e *evaluator) readAll(sources []Source) error {
	var first error
	for _, source := range sources {
		err := e.readSource(source)
		if err != nil && len(sources) == 1 {
			return err
		}
		if err == nil {
			continue
		}
		if first == nil {
			first = err
		}
		e.recordReadError(&source, err)
	}
	e.shareFileData()
	for i := range e.runs {
		e.runs[i].Reference = nil // the run holds what is used of it
	}
	for _, f := range e.files {
		if f.Error == "" {
			return nil
		}
	}
	return first
}

// recordReadError adds the error of a file that could not be read to the warnings and to
// the report's list of files.
func (e *evaluator) recordReadError(source *Source, err error) {
	w := trajectory.Warning{Code: "file-not-read", Message: err.Error()}
	var input *InputError
	if errors.As(err, &input) {
		w.Line, w.Column = input.Line, input.Column
	}
	e.files = append(e.files, report.File{Name: source.Name, Bytes: len(source.Data), Error: err.Error()})
	e.warnings = append(e.warnings, w)
}

func (e *evaluator) readSource(source Source) error {
	if source.Err != nil {
		return source.Err
	}
	doc, err := e.request.Options.Decode(&source)
	if err != nil {
		err := inputError(err).(*InputError)
		if len(e.request.Inputs) > 1 {
			err.Msg = source.Name + ": " + err.Msg
		}
		return err
	}
	if len(e.request.Inputs) > 1 {
		prefixRunIDs(&doc, e.uniqueFileName(source.Name))
	}
	e.files = append(e.files, report.File{Name: source.Name, Format: doc.Format, Bytes: doc.Bytes, Trajectories: len(doc.Trajectories)})
	e.warnings = append(e.warnings, doc.Warnings...)
	if doc.Shared != nil {
		e.shared = append(e.shared, sharedFile{doc.Shared, len(e.files)})
	}
	if e.request.Options.Lines && !source.Derived {
		doc.Place(source.Data)
	}
	knows, benchmark := e.detectChecker(&doc)
	e.runs = slices.Grow(e.runs, len(doc.Trajectories))
	unread := doc.Unread()
	for i := range doc.Trajectories {
		t := &doc.Trajectories[i]
		t.Doubt = cmp.Or(t.Doubt, unread[t.ID])
		r := run{Trajectory: t, stages: &unscored, file: len(e.files), path: cmp.Or(source.Path, source.Name), held: e.effectiveReference(t), checker: knows, benchmark: benchmark}
		r.apart = r.held == nil && len(e.request.References) > 0 && !e.request.Options.Unreferenced
		e.runs = append(e.runs, r)
	}
	return nil
}

// uniqueFileName returns the name that identifies a file in the ids of its runs. If
// another file already has the name, uniqueFileName adds a number.
func (e *evaluator) uniqueFileName(name string) string {
	n := 1
	for _, f := range e.files {
		if f.Name == name {
			n++
		}
	}
	if n == 1 {
		return name
	}
	return fmt.Sprintf("%s#%d", name, n)
}

// prefixRunIDs prefixes the ids of runs with the name of their file, so that ids are
// unique across files.
func prefixRunIDs(doc *trajectory.Document, name string) {
	for i := range doc.Trajectories {
		doc.Trajectories[i].ID = name + ":" + doc.Trajectories[i].ID
	}
	for i := range doc.Warnings {
		if w := &doc.Warnings[i]; w.Trajectory != "" {
			w.Trajectory = name + ":" + w.Trajectory
		} else {
			w.Message = name + ": " + w.Message
		}
	}
}

// scoreRun runs the first three stages for one run.
func (e *evaluator) scoreRun(r *run) {
	ref := r.held
	profile := e.request.Options.Profile
	if profile == "" || profile == "auto" {
		profile = r.AskedProfile
	}
	r.Profile, _ = profileFor(profile, ref)
	e.setVocabulary(r)
	if ref != nil {
		if n := r.readListTexts(); n > 0 {
			e.warnings = append(e.warnings, trajectory.Warning{Code: "list-as-text", Trajectory: r.ID, Message: fmt.Sprintf(
				"%d arguments contain a list or an object as text, and the tool accepted this. These arguments are compared as lists and objects, as in the reference", n)})
		}
	}
	e.setObservedActions(r)
	if ref == nil {
		o := &origins{t: r.Trajectory, obs: r.Obs, work: violation.WorkOf(&r.Case), instructions: &e.instructions.asking}
		r.origins, r.Asking, r.SentAway = o, o.requestFor, o.sentAway
		r.Origins, r.Answer, r.Request = o.valueOrigins, o.resultText, o.userRequest
		r.Offered = o.answeredMessage
		r.findings = violation.Lint(&r.Case, &e.instructions.policy)
		e.checkAlone(r)
		return
	}
	r.referenced = true
	r.noteSeen(ref)
	e.setReferenceSteps(r, ref)
	if r.Steps = e.alignCase(r); e.stopError() != nil {
		return
	}
	r.findForbidden(ref)
	if r.rulings = equivalence.Judge(&r.Case); e.stopError() != nil {
		return
	}
	e.applyChecker(r)
	r.findings = proof.Weigh(&r.Case, r.rulings, violation.Classify(&r.Case, r.rulings))
	r.stateEvidence()
	if len(r.findings) > 0 && len(r.Messages) > 0 {
		o := &origins{t: r.Trajectory, obs: r.Obs}
		r.Origins = o.traceAction
		r.begunOn(o)
	}
}

// begunOn adds evidence to the findings about actions that began without their
// precondition. The evidence says where the ids, amounts and dates of the action came
// from.
func (r *run) begunOn(o *origins) {
	for i := range r.findings {
		f := &r.findings[i]
		if f.Rule != violation.UnmetPrecondition || f.Obs < 0 || f.Obs >= len(r.Actions) {
			continue
		}
		for _, p := range o.traceAction(f.Obs) {
			if p.Class.Exact() {
				f.Evidence = append(f.Evidence, violation.Evidence{Path: p.Path + " came from", Observed: o.describeOrigin(&p)})
			}
		}
	}
}

// setVocabulary sets the vocabulary for the current run. It is the union of the
// vocabularies of the request, of the run's reference and of the run's checker. If two of
// them state something about the same tool, the earlier one in this list applies.
func (e *evaluator) setVocabulary(r *run) {
	said := [...]*boundary.Vocabulary{e.request.Options.Vocabulary, nil, nil}
	if r.held != nil {
		said[1] = r.held.Vocabulary
	}
	if s, ok := r.checker.(checker.Speaker); ok {
		said[2] = s.Vocabulary()
	}
	if said != e.said || e.kinships == nil {
		e.said, e.vocabulary = said, said[0].With(said[1]).With(said[2])
		e.kinships = e.newKinships(e.vocabulary)
	}
}

func (r *run) computeResults() {
	if r.referenced {
		r.figures = runFigures(r)
		r.cause, r.caused = attribution.Attribute(&r.Case, r.findings)
	}
}

// effectiveReference returns the reference of a run, changed so that it also ignores the
// arguments that the configuration ignores. Runs with the same reference share the
// result.
func (e *evaluator) effectiveReference(r *trajectory.Trajectory) *reference.Reference {
	return e.withIgnoredArguments(e.referenceForRun(r)).ByName(unrecordedNames(r))
}

// unrecordedNames returns the names of the calls of which no argument is in the trace.
func unrecordedNames(r *trajectory.Trajectory) []string {
	var names []string
	for i := range r.Actions {
		if a := &r.Actions[i]; a.Unrecorded && !a.Arguments.Exists() && !slices.Contains(names, a.Name) {
			names = append(names, a.Name)
		}
	}
	return names
}

// withIgnoredArguments returns a copy of a reference that also ignores the arguments that
// the configuration ignores.
func (e *evaluator) withIgnoredArguments(ref *reference.Reference) *reference.Reference {
	if ref == nil || e.request.Options.Config == nil || len(e.request.Options.Config.Ignore) == 0 {
		return ref
	}
	out := e.ignoring[ref]
	if e.ignoring == nil {
		e.ignoring = map[*reference.Reference]*reference.Reference{}
	}
	if out == nil {
		out = ref.Ignoring(e.request.Options.Config.Ignore)
		e.ignoring[ref] = out
	}
	return out
}

// referenceForRun returns the reference of a run, or nil if there is none. If the request
// has references for tasks, but none for the task of this run, it adds a warning. A run that
// names its task in a word has this task, if there are references for tasks or the run names its
// trial of a task.
func (e *evaluator) referenceForRun(r *trajectory.Trajectory) *reference.Reference {
	given := e.request.References
	if r.Task == "" && (len(given) > 0 || r.Trial != nil) {
		r.Task = r.TaskName
	}
	if e.request.Options.Unreferenced {
		return nil
	}
	if ref := given[r.Task]; ref != nil {
		return ref
	}
	if r.Task == "" && len(given) == 1 {
		for task, only := range given {
			e.unnamed, e.onlyTask = e.unnamed+1, task
			return only
		}
	}
	ref, instead := e.request.Reference, "the reference for all runs was used"
	switch {
	case ref == nil:
		ref, instead = r.Reference, "the run's own reference was used"
	case r.Reference != nil:
		e.overridden++
	}
	if len(given) > 0 {
		if ref == nil {
			instead = "this run is not scored"
		}
		missing := fmt.Sprintf("the reference has %d tasks, but not the task %q of this run", len(given), r.Task)
		if r.Task == "" {
			missing = fmt.Sprintf("the reference has %d tasks, and this run does not name its task", len(given))
		}
		e.warnings = append(e.warnings, trajectory.Warning{Code: "task-without-reference", Trajectory: r.ID, Message: missing + ": " + instead})
	}
	return ref
}

func (e *evaluator) setObservedActions(r *run) {
	r.Obs = make([]boundary.Action, len(r.Actions))
	jobs := failure.JobsOf(r.Actions)
	for i := range r.Actions {
		a := &r.Actions[i]
		p := e.prepareCall(a.Name, a.Text, a.Arguments, a.Broken)
		r.Obs[i] = boundary.Action{
			Call:       p.call,
			Mutation:   p.mutation,
			Failed:     a.Failed() && (r.held != nil || !a.Unanswered) || jobs[i].Failed, // the lint judges a call that was perhaps executed
			Open:       jobs[i].Open,
			Partly:     a.Observation != nil && a.Observation.Partly,
			Proposed:   a.Proposed,
			Unrecorded: a.Unrecorded,
			Message:    1 + a.Message,
			ByUser:     a.Requestor == "user",
			Stated:     e.statedBoundary(a.Name, nil),
			Deeds:      e.deeds,
			Memo:       &p.memo,
		}
	}
	if r.held != nil && r.held.Turns > 0 {
		for i := range r.Obs {
			r.Obs[i].Turn = r.userTurns(max(r.Actions[i].Message, 0))
		}
	}
	o := &e.request.Options
	r.Case.Tools = r.Trajectory.Tools
	r.Case.Stopped = r.Trajectory.Stopped
	r.Case.Without, r.Case.ThetaG = o.Params.disabledStages(), orElse(o.Params.ThetaG, 0)
	r.Case.Vocabulary, r.Case.Alias = e.vocabulary, e.kinships.aliasRule
	r.Seen = func(obs int) string { return priorResults(r.Trajectory, obs) }
	r.Refusal = func(obs int) string { return failure.ResultOf(r.Actions, jobs, obs) }
	r.Left = func(obs int) []string { return failure.LeftUndone(r.Refusal(obs)) }
	r.Lists = func(obs int) bool { return failure.Lists(r.Obs[obs].Words(), r.Actions[obs].Arguments, r.Refusal(obs)) }
	r.SaysNo = func(obs int) string { return failure.SaysNo(r.Refusal(obs)) }
	for _, m := range r.Messages {
		if m.Role == "assistant" && m.Text != "" && !m.Unsaid {
			r.Said = append(r.Said, m.Text)
		}
	}
	if len(r.Messages) > 0 {
		r.Known = func(obs int) string { return knownText(r.Trajectory, obs) }
		r.Words = func(obs int) string { return agentText(r.Trajectory, obs) }
		var last trajectory.Last
		r.Asked = func(obs int) string { return lastUserMessage(r.Trajectory, &last, obs) }
		r.Wishes = r.Trajectory.UserWords
		if r.Case.Policy = policyText(r.Trajectory); r.Case.Policy == "" {
			r.Case.Policy = r.Trajectory.Policy
		}
		r.Case.Told = &e.instructions.told
	}
}

// joinLines returns up to n texts as one text. A single text is returned unchanged. Each
// of several texts is followed by a newline. textAt(i) returns the i-th text, and false
// if there is none.
func joinLines(n int, textAt func(i int) (string, bool)) string {
	count, size, last := 0, 0, ""
	for i := range n {
		if s, ok := textAt(i); ok {
			count, size, last = count+1, size+len(s)+1, s
		}
	}
	if count < 2 {
		return last
	}
	var b strings.Builder
	b.Grow(size)
	for i := range n {
		if s, ok := textAt(i); ok {
			b.WriteString(s)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// knownText returns everything that the agent had been given before an action: messages
// from others, and results of tools.
func knownText(t *trajectory.Trajectory, obs int) string {
	end := len(t.Messages)
	if obs < len(t.Actions) {
		end = min(t.Actions[obs].Message, end)
	}
	return joinLines(end, func(i int) (string, bool) {
		return t.Messages[i].Text, t.Messages[i].Role != "assistant"
	})
}

// priorResults returns the results of all actions before an action.
func priorResults(t *trajectory.Trajectory, obs int) string {
	return joinLines(obs, func(i int) (string, bool) {
		if o := t.Actions[i].Observation; o != nil {
			return o.Text, true
		}
		return "", false
	})
}

// lastUserMessage returns the last message of the user before an action.
func lastUserMessage(t *trajectory.Trajectory, last *trajectory.Last, obs int) string {
	if i := last.Before(min(t.Actions[obs].Message, len(t.Messages)), t.IsOfUser); i >= 0 {
		return t.Messages[i].Text
	}
	return ""
}

// policyText returns the instructions in a run's messages: the system and developer
// messages.
func policyText(t *trajectory.Trajectory) string {
	return joinLines(len(t.Messages), func(i int) (string, bool) {
		role := t.Messages[i].Role
		return t.Messages[i].Text, role == "system" || role == "developer"
	})
}

// agentText returns what the agent wrote after its previous action and up to the message
// that contains action obs. If obs is the number of actions, it returns what the agent
// wrote after the last action.
func agentText(t *trajectory.Trajectory, obs int) string {
	from := 0
	if obs > 0 { // calls in one message share its text
		from = t.Actions[obs-1].Message + 1
		if obs < len(t.Actions) {
			from = min(from, t.Actions[obs].Message)
		}
	}
	end := len(t.Messages) - 1
	if obs < len(t.Actions) {
		end = min(end, t.Actions[obs].Message)
	}
	from = max(from, 0)
	return joinLines(end+1-from, func(i int) (string, bool) {
		m := &t.Messages[from+i]
		return m.Text, m.Role == "assistant"
	})
}

// setReferenceSteps sets the reference steps of a run. If the reference is a process, the
// steps are the linearisation of the process that fits the run best.
func (e *evaluator) setReferenceSteps(r *run, ref *reference.Reference) {
	r.Says, r.SaysWhole = ref.Says, ref.Origin == reference.Person
	if n := r.userTurns(len(r.Messages)); ref.Turns > 0 && n == ref.Turns {
		r.Turns = n
	}
	process := ref.Process
	if ref.Repeats() {
		process = ref.Repeated(r.countCalls)
	}
	for i := range ref.Steps {
		switch s := &ref.Steps[i]; {
		case s.MustNot:
			r.Never = append(r.Never, e.stepAction(r, s))
		case process == nil:
			if r.Ref == nil {
				r.Ref, r.places = make([]boundary.Action, 0, len(ref.Steps)-i), make([]string, 0, len(ref.Steps)-i)
			}
			r.Ref, r.places = append(r.Ref, e.stepAction(r, s)), append(r.places, s.Place)
		}
	}
	e.respellArguments(r, ref)
	r.judgeAsked(ref)
	if process != nil {
		e.linearizeProcess(r, process)
	}
}

// judgeAsked lets the arguments of calls that only talk or compute count, if a step of the reference
// demands something of this tool: that it is called, or what its arguments are.
func (r *run) judgeAsked(ref *reference.Reference) {
	asked := map[string]bool{}
	ref.EachStep(func(s *reference.Step) {
		if s.Required || s.Expect != nil || s.Compare != nil {
			asked[r.observedName(s.Name)] = true
		}
	})
	for _, side := range [...][]boundary.Action{r.Obs, r.Ref} {
		for i := range side {
			if a := &side[i]; a.Mutation.Control && asked[a.Name] {
				a.Mutation.Control = false
			}
		}
	}
}

// readListTexts replaces texts that are lists or objects in the arguments of the run's calls, and
// returns their number (see respell.Lists).
func (r *run) readListTexts() int {
	actions, n := respell.Lists(r.Actions, r.held)
	if n > 0 {
		t := *r.Trajectory
		t.Actions, r.Trajectory = actions, &t
	}
	return n
}

// respellArguments gives the arguments of the observed actions the names that the reference has.
func (e *evaluator) respellArguments(r *run, ref *reference.Reference) {
	steps := r.Ref
	if len(r.Never) > 0 {
		steps = slices.Concat(r.Ref, r.Never)
	}
	names := e.speller.NewRun(ref, steps)
	for i := range r.Obs {
		a := &r.Actions[i]
		if a.Text != "" || a.Broken != "" {
			continue
		}
		if arguments, differs := names.Arguments(&r.Obs[i], a.Arguments); differs {
			p := e.prepareCall(a.Name, "", arguments, "")
			r.Obs[i].Call, r.Obs[i].Memo = p.call, &p.memo
		}
	}
	r.Bounds.Names = names.Unread
}

// countCalls returns the number of the run's actions with a name of the reference.
func (r *run) countCalls(name string) (n int) {
	name = r.observedName(name)
	for i := range r.Obs {
		if r.Obs[i].Name == name {
			n++
		}
	}
	return n
}

// userTurns returns the number of the user's messages before the message with an index.
func (r *run) userTurns(before int) int {
	n := 0
	for i := range r.Messages[:before] {
		if r.Messages[i].Role == "user" {
			n++
		}
	}
	return n
}

// stepAction converts a reference step to an action for comparison.
func (e *evaluator) stepAction(r *run, s *reference.Step) boundary.Action {
	p := e.prepareCall(r.observedName(s.Name), s.Text, s.Arguments, "")
	return boundary.Action{
		Call:        p.call,
		Mutation:    p.mutation,
		Terms:       stepTerms(s),
		Required:    s.Required,
		Failed:      s.Fails,
		ByUser:      s.ByUser,
		Turn:        s.Turn,
		Observation: s.Observation,
		Stated:      e.statedBoundary(s.Name, &s.Stated),
		Deeds:       e.deeds,
		Memo:        &p.memo,
	}
}

// statedBoundary returns the stated parts of an action's boundary. They come from the
// reference step or, if it states nothing, from the tool table.
func (e *evaluator) statedBoundary(name string, step *boundary.Stated) *boundary.Stated {
	if !step.Empty() {
		return step
	}
	if v := e.vocabulary; v != nil {
		if s, ok := v.Stated[name]; ok {
			return &s
		}
	}
	return nil
}

func stepTerms(s *reference.Step) *similarity.Terms {
	key := s.Terms()
	if key == "" {
		return nil
	}
	t := &similarity.Terms{Key: key, Ignore: compilePaths(s.Ignore), Only: compilePaths(s.Compare), Few: s.Compare != nil}
	for i := range s.Accept {
		p, err := path.CompilePlaces(s.Accept[i].Path)
		if err != nil {
			continue
		}
		a := similarity.Accepted{Path: p}
		for _, v := range s.Accept[i].Leaves() {
			leaves := similarity.Leaves(v)
			for k := range leaves {
				leaves[k].Value = codes.Compose(leaves[k].Value)
			}
			a.Values = append(a.Values, leaves)
		}
		t.Accept = append(t.Accept, a)
	}
	for _, x := range s.Expect {
		if p, err := path.CompilePlaces(x.Path); err == nil {
			t.Expect = append(t.Expect, similarity.Expected{Path: p, Matcher: x.Matcher})
		}
	}
	return t
}

// compilePaths compiles paths and skips invalid ones. Invalid paths occur only in steps
// that a program has built, because reading a reference rejects them.
func compilePaths(texts []string) (out []*path.Path) {
	for _, text := range texts {
		if p, err := path.CompilePlaces(text); err == nil {
			out = append(out, p)
		}
	}
	return out
}

// linearizeProcess sets the reference steps of a run to the linearisation of the process
// that aligns best with the observed actions.
func (e *evaluator) linearizeProcess(r *run, process *reference.Node) {
	obs, obsOf := internActions(r.Obs)
	made := map[*reference.Step]*boundary.Action{}
	action := func(s *reference.Step) *boundary.Action {
		a := made[s]
		if a == nil {
			w := e.stepAction(r, s)
			a, made[s] = &w, &w
		}
		return a
	}
	p := linearize.Problem{
		Process: process, Obs: obs,
		Similarity: func(s *reference.Step, o int) float64 { return e.actionSimilarity(obsOf[o], action(s)) },
		SameType:   func(s *reference.Step, o int) bool { return e.sameType(obsOf[o], action(s)) },
	}
	if len(obsOf)*countSteps(process) >= manyPairs {
		p.Compare = func(steps []*reference.Step, symbols []int, add func(int, int, float64, func() bool)) string {
			return e.compareSteps(steps, symbols, obsOf, action, add)
		}
	}
	best := linearize.Solve(p, linearize.Limits{})
	for _, item := range best.Steps {
		r.Ref, r.places = append(r.Ref, *action(&item.Node.Step)), append(r.places, item.Node.Step.Place)
	}
	for _, w := range best.Warnings {
		e.warnings = append(e.warnings, trajectory.Warning{Code: w.Code, Message: w.Place + ": " + w.Message, Trajectory: r.ID})
	}
}

// compareSteps compares the steps of a process with the symbols of a run, as
// linearize.Problem.Compare describes.
func (e *evaluator) compareSteps(steps []*reference.Step, symbols []int, obsOf []*boundary.Action, action func(*reference.Step) *boundary.Action, add func(int, int, float64, func() bool)) string {
	obs, ref := make([]*boundary.Action, len(symbols)), make([]*boundary.Action, len(steps))
	for i, o := range symbols {
		obs[i] = obsOf[o]
	}
	for i, s := range steps {
		ref[i] = action(s)
	}
	many := e.newPairs(obs, ref)
	for o := range obs {
		for _, r := range many.listNear(o) {
			add(int(r), o, many.pairSimilarity(o, int(r)), func() bool { return many.sameType(o, int(r)) })
		}
	}
	return many.leftOut()
}

// countSteps returns the number of steps of a process.
func countSteps(n *reference.Node) int {
	if n.Kind == reference.Action {
		return 1
	}
	sum := 0
	for i := range n.Children {
		sum += countSteps(&n.Children[i])
	}
	return sum
}

// areMany reports whether comparing all pairs of actions one by one would take long: they
// are many, or their arguments are.
func areMany(obs, ref []*boundary.Action) bool {
	leaves := 0
	for _, a := range obs {
		leaves += 1 + len(a.Leaves)
	}
	most := 1
	for _, a := range ref {
		most = max(most, len(a.Leaves))
	}
	return len(obs)*len(ref) >= manyPairs || leaves*len(ref) >= 8*manyPairs || most*len(obs) >= 8*manyPairs
}

func (e *evaluator) warnOfBound(why, run string) {
	if why != "" {
		e.warnings = append(e.warnings, trajectory.Warning{Code: "pairs-bound", Trajectory: run, Message: why})
	}
}

// actionSimilarity returns the similarity that decides whether two actions match. It is 0
// for a failed action, because a failed action did nothing, unless the step has to fail.
func (e *evaluator) actionSimilarity(obs, ref *boundary.Action) float64 {
	switch {
	case obs.Failed && !ref.Failed:
		return 0
	case obs.Text == "" && obs.Name != ref.Name:
		return e.kinships.callSimilarity(obs, ref)
	}
	return e.texts.Calls(&obs.Call, &ref.Call, ref.Terms)
}

// sameType reports whether two actions may form a substitution. The observed action must
// not have failed. Both actions must have the same name, or the alias table must list
// both names. Its law: what only looks is never done in the place of a step that changes something.
func (e *evaluator) sameType(obs, ref *boundary.Action) bool {
	return e.sameTool(obs, ref) && obs.MayReplace(ref)
}

// sameTool reports whether two actions have the same name or the alias table has both names.
func (e *evaluator) sameTool(obs, ref *boundary.Action) bool {
	return obs.Name == ref.Name || obs.Text == "" && ref.Text == "" && e.vocabulary.Alias(obs.Name, ref.Name)
}

// alignCase returns the alignment of a case. It interns the actions first, so that each
// distinct pair is compared only once.
func (e *evaluator) alignCase(r *run) []align.Step {
	c := &r.Case
	obs, obsOf := internActions(c.Obs)
	ref, refOf := internActions(c.Ref)
	p := align.Problem{
		Obs: obs, Ref: ref,
		Similarity: func(o, r int) float64 { return e.actionSimilarity(obsOf[o], refOf[r]) },
		SameType:   func(o, r int) bool { return e.sameType(obsOf[o], refOf[r]) },
	}
	var many *pairs
	if areMany(obsOf, refOf) {
		many = e.newPairs(obsOf, refOf)
		p.Similarity, p.SameType, p.Near = many.pairSimilarity, many.sameType, many.listNear
	}
	a, err := align.Align(p, e.request.Options.Params.alignParams())
	if err != nil {
		panic(err) // never happens: the symbols are our own, and the parameters were checked
	}
	if many != nil {
		e.warnOfBound(many.leftOut(), r.ID)
	}
	return a.Steps
}

func internActions(actions []boundary.Action) (symbols []int, first []*boundary.Action) {
	symbols = make([]int, len(actions))
	seen := make(map[string]int, len(actions))
	for i := range actions {
		a := &actions[i]
		key := a.Key
		if a.Failed {
			key += "\x02"
		}
		if !a.Terms.Plain() {
			key += "\x03" + a.Terms.Key
		}
		s, ok := seen[key]
		if !ok {
			s = len(first)
			seen[key] = s
			first = append(first, a)
		}
		symbols[i] = s
	}
	return symbols, first
}

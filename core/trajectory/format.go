package trajectory

import (
	"maps"
	"slices"
	"strconv"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// format is one row of the table of formats. It says how to recognise a format and how to
// read it. Exactly one of document, event and lines is set, except in the row
// foundFormat. That row has none of them, because it is used if no other row matches.
//
// document reports whether an object is a run or contains runs. Several such objects may
// be in a list or in JSONL. event reports whether an object is one event of a run. Then
// the whole list, or all lines of JSONL, are one run. Such a list may also be in a member
// of an object (see wrappers). lines reads plain text, and reports whether the text has
// the format.
//
// joins says that several documents may be parts of one run, such as the spans of one trace.
//
// gold says that the files have calls which are no calls of a run, in places that only the
// decoder knows. So callsAside does not search them.
//
// answers says that each call that was executed has a result with its id. So a call without
// one, beside others with one, was not executed.
//
// settled says that the reading of events is kept even if it misses some calls, because a
// search without the format would lose other parts. This is always so for documents.
type format struct {
	name, what string
	settled    bool
	joins      bool
	gold       bool
	answers    bool
	document   func(o *object) bool
	event      func(o *object) bool
	lines      func(d *decoder, text string) bool
	decode     func(d *decoder, in batch)
}

// batch is the input of a decoder. It contains all documents of a text, or the events of
// one run and the object around them.
type batch struct {
	values []jsonval.Value
	outer  *object // nil if there is no object around the events
}

// allFormats is the table in the order of detection: formats of documents, then of
// events, then of plain text. Within each group, special formats come before general
// ones.
var allFormats []format

// init sets the table of the formats. Go does not allow this in the table's declaration,
// because the decoders in the table refer to the table.
func init() {
	allFormats = []format{
		{name: "tau-bench", gold: true, what: "τ-bench results: {task_id, reward, info, traj}", document: isTauBench, decode: decodeTauBench},
		{name: "agentdojo", what: "AgentDojo results: {suite_name, user_task_id, messages, utility}", document: isAgentDojo, decode: decodeAgentDojo},
		{name: "alfworld-react", what: "ALFWorld runs as text: {name, result, traj}", document: isALFWorld, decode: decodeALFWorld},
		{name: "tau2", gold: true, what: "τ² results: {tasks, simulations}", document: isTau2, decode: decodeTau2},
		{name: "bfcl", what: "Berkeley Function-Calling Leaderboard: {id, result}, and its scores", document: isBFCL, decode: decodeBFCL},
		{name: "inspect-log", what: "Inspect logs: {eval, samples}, .json or .eval", document: isInspect, decode: decodeInspect},
		{name: "docent-agent-run", what: "Docent agent runs: {transcripts}", document: isDocent, decode: decodeDocent},
		{name: "atif", what: "Agent Trajectory Interchange Format: {schema_version, steps}", document: isATIF, decode: decodeATIF},
		{name: "swe-agent-traj", what: "SWE-agent .traj: {trajectory: [{action, observation}]}", document: isSWEAgent, decode: decodeSWEAgent},
		{name: "mlflow-trace", what: "MLflow traces: {info, data: {spans}}, or a table with such a column", document: isMLflow, decode: decodeMLflow},
		{name: "mastra-trace", what: "Mastra traces: {traceId, spans: [{spanType}]}, or spans", joins: true, document: isMastra, decode: decodeMastra},
		{name: "phoenix-spans", what: "Phoenix spans as rows: {span_kind, attributes.…}", joins: true, document: isPhoenix, decode: decodePhoenix},
		{name: "otlp-openinference", what: "OpenTelemetry spans with OpenInference attributes", joins: true, document: isOpenInference, decode: decodeSpans},
		{name: "otlp-genai", what: "OpenTelemetry spans with gen_ai attributes", joins: true, document: isOTLP, decode: decodeSpans},
		{name: "jaeger-json", what: "Jaeger export: {data: [{spans}]}", document: isJaeger, decode: decodeSpans},
		{name: "openai-agents-trace", what: "OpenAI Agents SDK export: {object: trace, spans}", document: isAgentsTrace, decode: decodeAgentsTrace},
		{name: "deepeval-trace", what: "DeepEval trace: {baseSpans, llmSpans, toolSpans}", document: isDeepEval, decode: decodeDeepEval},
		{name: "weave-calls", what: "Weave calls: {op_name, trace_id, inputs, output}", joins: true, document: isWeave, decode: decodeWeave},
		{name: "braintrust", what: "Braintrust spans and experiments: {root_span_id, span_attributes}", joins: true, document: isBraintrust, decode: decodeBraintrust},
		{name: "promptfoo", what: "promptfoo results: {results: {results: [{vars, response}]}}", document: isPromptfoo, decode: decodePromptfoo},
		{name: "openai-evals", what: "OpenAI evals: output items, or {item, sample}", document: isEvalItem, decode: decodeEvalItems},
		{name: "bedrock-agent-trace", what: "Bedrock agent traces: {orchestrationTrace}", joins: true, document: isAgentTrace, decode: decodeAgentTrace},
		{name: "dify", what: "Dify messages: {agent_thoughts: [{tool, tool_input}]}", joins: true, document: isDify, decode: decodeDify},
		{name: "langfuse-trace", what: "Langfuse trace {observations}, or its observations", joins: true, document: isLangfuse, decode: decodeLangfuse},
		{name: "langsmith-run", what: "LangSmith run tree: {run_type, child_runs}", joins: true, document: isLangSmith, decode: decodeLangSmith},
		{name: "adk-eval-result", what: "results of an ADK eval set: {eval_case_results}", document: isADKResult, decode: decodeADKResult},
		{name: "adk-evalset", what: "ADK eval set: {eval_set_id, eval_cases}", document: isADK, decode: decodeADK},
		{name: "who-when", what: "Who&When failure logs: {history, mistake_agent}", document: isWhoWhen, decode: decodeWhoWhen},
		{name: "osworld-human", what: "OSWorld-Human references: {human-ground-truth}", document: isOSWorldHuman, decode: decodeOSWorldHuman},
		{name: "osworld-traj", what: "OSWorld runs: {steps: [{action}]} with pyautogui code", document: isOSWorld, decode: decodeOSWorld},
		{name: "webarena-browsergym", what: "WebArena runs of BrowserGym: {steps: [{action, last_action_error}]}", document: isWebArena, decode: decodeWebArena},
		{name: "theagentcompany", what: "TheAgentCompany runs, condensed: {task, events, score}", document: isAgentCompany, decode: decodeAgentCompany},
		{name: "toolsandbox", what: "ToolSandbox runs: {_dbs: {SANDBOX}}", document: isToolSandbox, decode: decodeToolSandbox},
		{name: "vscode-chat", what: "VS Code chat export {requests}, or its replay {prompts: [{logs}]}", document: isVSCodeChat, decode: decodeVSCodeChat},
		{name: "browser-use", what: "browser-use history: {history: [{model_output, result, state}]}", document: isBrowserUse, decode: decodeBrowserUse},
		{name: "google-interactions", what: "Google Interactions: {object: interaction, steps}", document: isInteraction, decode: decodeInteraction},
		{name: "openai-responses", what: "OpenAI response: {object: response, output}", document: isResponse, decode: decodeFound},
		{name: "generic", what: "{\"trajectories\": [{\"actions\": […]}]}", document: isGenericDocument, decode: decodeGenericDocument},

		{name: "mcp-jsonrpc", what: "MCP log: JSON-RPC with tools/call", event: isMCP, decode: decodeMCP},
		{name: "droid-stream", what: "droid exec: tool_call and tool_result events with session_id", answers: true, settled: true, event: isDroid, decode: decodeDroid},
		{name: "claude-code-jsonl", what: "Claude Code session: JSONL with sessionId, uuid", answers: true, event: isClaudeCode, decode: decodeClaude},
		{name: "claude-agent-sdk-stream", what: "Claude Agent SDK stream: JSONL with session_id", answers: true, event: isClaudeStream, decode: decodeClaude},
		{name: "dify", what: "Dify stream: events agent_thought", settled: true, event: isDifyEvent, decode: decodeDifyEvents},
		{name: "claude-managed-agents", what: "Claude Managed Agents: events agent.tool_use, agent.tool_result", answers: true, event: isManaged, decode: decodeManaged},
		{name: "codex-rollout", what: "Codex rollout: JSONL of {type, payload}", answers: true, event: isCodexRollout, decode: decodeCodexRollout},
		{name: "codex-exec-json", what: "codex exec --json: thread, item and turn events", event: isCodexExec, decode: decodeCodexExec},
		{name: "crewai-log", what: "CrewAI's output_log_file: {timestamp, task, agent, status, output}", event: isCrewLog, decode: decodeCrewLog},
		{name: "copilot-events", what: "Copilot CLI events: tool.execution_start and _complete", answers: true, settled: true, event: isCopilot, decode: decodeCopilot},
		{name: "cline-ui", what: "Cline and Roo Code: ui_messages.json with {ts, type: say | ask}", settled: true, event: isCline, decode: decodeCline},
		{name: "kimi-wire", what: "Kimi Code wire.jsonl: context.append_message and append_loop_event", answers: true, settled: true, event: isKimi, decode: decodeKimi},
		{name: "antigravity", what: "Antigravity sessions: {step_index, source, type, tool_calls}", settled: true, event: isAntigravity, decode: decodeAntigravity},
		{name: "openhands-v1", what: "OpenHands events: ActionEvent, ObservationEvent", answers: true, event: isOpenHandsV1, decode: decodeOpenHandsV1},
		{name: "openhands-v0", what: "OpenHands events: {source, action | observation}", event: isOpenHandsV0, decode: decodeOpenHandsV0},
		{name: "openhands-v0", what: "OpenHands resolver: events without a source", event: isFlatHands, decode: decodeFlatHands},
		{name: "api-bank", what: "API-Bank dialogues: {role: API, api_name, param_dict, result}", event: isAPIBank, decode: decodeAPIBank},
		{name: "pydantic-ai", what: "pydantic-ai messages: {kind, parts: [{part_kind}]}", event: isPydantic, decode: decodePydantic},
		{name: "langchain-lc-constructor", what: "LangChain serialised messages: {lc, kwargs}", event: isLangChainLC, decode: decodeChat},
		{name: "langchain-stored", what: "LangChain stored messages: {type, data}", event: isLangChainStored, decode: decodeChat},
		{name: "langchain-messages", what: "LangChain messages: {type: ai | human | tool}", event: isLangChain, decode: decodeChat},
		{name: "ai-sdk-uimessage-v4", what: "AI SDK 4 messages: toolInvocation", event: isUIMessageV4, decode: decodeChat},
		{name: "ai-sdk-uimessage", what: "AI SDK UI messages: parts of type tool-NAME", event: isUIMessage, decode: decodeChat},
		{name: "ai-sdk-modelmessage", what: "AI SDK model messages: content of type tool-call", event: isModelMessage, decode: decodeChat},
		{name: "gemini-contents", what: "Gemini contents: parts with functionCall", event: isGemini, decode: decodeChat},
		{name: "bedrock-converse", what: "Bedrock Converse messages: toolUse, toolResult", event: isBedrock, decode: decodeChat},
		{name: "anthropic-messages", what: "Anthropic messages: tool_use, tool_result", event: isAnthropic, decode: decodeChat},
		{name: "openai-responses-items", what: "OpenAI Responses items: function_call, function_call_output", event: isResponseItem, decode: decodeChat},
		{name: "openai-chat-legacy-function", what: "OpenAI chat messages with function_call", event: isLegacyFunction, decode: decodeChat},
		{name: "openai-chat", what: "OpenAI chat messages, with tool_calls", event: isOpenAIChat, decode: decodeChat},
		{name: "webarena-browsergym", what: "BrowserGym steps, one on each line", event: isWebArenaStep, decode: decodeWebArenaSteps},
		{name: "osworld-traj", what: "OSWorld traj.jsonl, one step on each line", event: isOSWorldStep, decode: decodeOSWorldSteps},
		{name: foundFormat, what: "calls, results and messages anywhere in the text, in any form", decode: decodeFound},
		{name: "generic-actions", what: "a list of {\"name\", \"arguments\", \"result\"?, \"error\"?}", event: isGeneric, decode: decodeGeneric},

		{name: "alfworld-react", what: "ALFWorld text with > lines", lines: linesALFWorld},
		{name: "react-text", what: "ReAct as text: Action:, Action Input:, Observation:", lines: linesReact},
		{name: "appworld", what: "AppWorld's environment_io.md: Environment Interaction 1, 2, …", lines: linesAppWorld},
		{name: "plain-calls", what: "one call on each line: name(argument=value)", lines: linesCalls},
		{name: "plain-names", what: "one name on each line", lines: linesNames},
	}
}

// Formats returns the names of the formats that Decode reads.
func Formats() []string {
	var names []string
	seen := map[string]bool{}
	for _, f := range allFormats {
		if !seen[f.name] {
			seen[f.name] = true
			names = append(names, f.name)
		}
	}
	return names
}

// JoinsRows reports whether several rows of a file in a format may be parts of one run, such
// as the spans of one trace. Then a row alone is not a run.
func JoinsRows(name string) bool {
	return slices.ContainsFunc(allFormats, func(f format) bool { return f.name == name && f.joins })
}

// candidateFormats returns the formats that a text may have: only the requested format,
// or all if none was requested.
func (d *decoder) candidateFormats() []format {
	if d.only == "" {
		return allFormats
	}
	for _, f := range allFormats {
		if f.name == d.only {
			return []format{f}
		}
	}
	return nil
}

// sample and sampleBytes limit the number and the size of the elements that detection
// examines. A conversation may begin with many messages before its first call. Elements
// after the sample are read, too, but if only they have calls, the detected format may be a
// more general one.
const (
	sample      = 64
	sampleBytes = 512 << 10
)

// wrappers contains the members in which producers put the list of a run's events.
var wrappers = [...]string{
	"messages", "contents", "events", "history", "items", "conversation", "trajectory", "steps", "trace", "output", "input",
	"observations", "log", "logs", "data",
}

// decodeValues detects the format of a text's values, and reads them.
func (d *decoder) decodeValues(s source) error {
	values := s.values
	if len(values) == 1 && values[0].Kind() == jsonval.Array {
		values = values[0].Elements()
		if len(values) == 0 {
			d.Format, d.settled = "generic-actions", true // a run without actions
			d.addTrajectory(Trajectory{})
			return nil
		}
	}
	if d.decodeList(values) {
		return nil
	}
	return unknownFormatError(s.values[0])
}

// decodeList reads the elements of a list or the lines of JSONL, and reports whether a
// format matched.
func (d *decoder) decodeList(values []jsonval.Value) bool {
	if inner := innerLists(values); d.only == "" && isListOfDocuments(inner) && JoinsRows(d.joinsOf(inner)) {
		values = inner
	}
	values = labelledRows(values)
	heads := openHeads(values)
	if d.only == "" && len(heads) > 1 && threadOf(heads[0]) != "" && roleOf(heads[0]) != "" {
		if groups := byThread(values); len(groups) > 1 {
			return d.decodeThreads(groups)
		}
	}
	return d.decodeDocuments(values, heads) || d.decodeInnerDocuments(heads) || d.decodeEvents(batch{values: values}, heads) || d.decodeWrapped(values, heads)
}

// decodeThreads reads messages of several conversations, and reports whether a format matched.
func (d *decoder) decodeThreads(groups [][]jsonval.Value) bool {
	found := false
	for _, list := range groups {
		before := len(d.Trajectories)
		found = d.decodeEvents(batch{values: list}, openHeads(list)) || found
		if runs := d.Trajectories[before:]; len(runs) == 1 && runs[0].ID == "" {
			runs[0].ID = threadOf(openObject(list[0]))
		}
	}
	return found
}

// innerLists returns the elements of the lists that all values are, such as one for each trace.
func innerLists(values []jsonval.Value) (all []jsonval.Value) {
	for _, v := range values {
		if v.Kind() != jsonval.Array {
			return nil
		}
		all = append(all, v.Elements()...)
	}
	return all
}

// joinsOf returns the name of the format of which all rows are documents.
func (d *decoder) joinsOf(rows []jsonval.Value) string {
	heads := openHeads(rows)
	for _, f := range allFormats {
		if f.document != nil && allMatch(f.document, heads) {
			return f.name
		}
	}
	return ""
}

// decodeInnerDocuments reads the documents inside one object, and reports whether a format
// matched. They are the object's members, each under the id of its run, or the elements of
// lists.
func (d *decoder) decodeInnerDocuments(heads []*object) bool {
	if len(heads) != 1 {
		return false
	}
	in := innerDocuments(heads[0])
	if !isListOfDocuments(in.rows) {
		return false
	}
	before := len(d.Trajectories)
	found := d.decodeDocuments(in.rows, openHeads(in.rows))
	in.nameRuns(d.Trajectories[before:])
	return found
}

// innerDocuments returns what may be the documents inside an object: its members if all are
// objects, or the elements of its lists. There is one such list, or all members are lists.
func innerDocuments(o *object) inner {
	var in inner
	lists := 0
	for i, key := range o.keys {
		switch m := o.values[i]; {
		case m.Kind() == jsonval.Object:
			in.names = append(in.names, key)
		case m.Kind() == jsonval.Array && !isPartList(key) && firstElement(m).Kind() == jsonval.Object:
			in.rows = append(in.rows, m.Elements()...)
			lists++
		}
	}
	switch {
	case lists == 1, lists > 0 && lists == len(o.keys):
		return inner{rows: in.rows}
	case len(in.names) == len(o.keys):
		return inner{rows: o.values, names: o.keys}
	}
	return inner{}
}

// isListOfDocuments reports whether all rows are documents of one format.
func isListOfDocuments(rows []jsonval.Value) bool {
	heads := openHeads(rows)
	return len(rows) > 0 && slices.ContainsFunc(allFormats, func(f format) bool {
		return f.document != nil && f.name != "openai-responses" && allMatch(f.document, heads) // an answer of a model is a part of a run
	})
}

// decodeDocuments reads a list whose elements are documents, and reports whether a format
// matched.
func (d *decoder) decodeDocuments(values []jsonval.Value, heads []*object) bool {
	for _, f := range d.candidateFormats() {
		if f.document != nil && anyMatches(f.document, heads) {
			d.Format, d.gold = f.name, f.gold
			d.settled = f.name != "openai-responses" && f.name != "generic"
			f.decode(d, batch{values: values})
			return true
		}
	}
	return false
}

// decodeEvents reads a list whose elements are the events of one run, and reports whether
// a format matched.
func (d *decoder) decodeEvents(in batch, heads []*object) bool {
	for _, f := range d.candidateFormats() {
		if f.event != nil && anyMatches(f.event, heads) && (f.name != "generic-actions" || mostMatch(f.event, heads)) {
			if d.Format == "" {
				d.Format = f.name
			}
			d.settled, d.answers = d.settled || f.settled, f.answers
			f.decode(d, in)
			return true
		}
	}
	return false
}

// decodeWrapped reads the runs in values, and reports whether it found a run. Each value
// is a list of a run's events, or an object with such a list in a member.
func (d *decoder) decodeWrapped(values []jsonval.Value, heads []*object) bool {
	if d.only == "" {
		if in := recordsIn(values); in.rows != nil {
			before := len(d.Trajectories)
			found := d.decodeList(in.rows)
			in.complete(d, d.Trajectories[before:])
			return found
		}
	}
	if d.only == "" && areTaggedRows(values) {
		d.Format = foundFormat
		decodeFound(d, batch{values: values})
		return true
	}
	if d.only == "" && len(values) > 1 && hasSnapshots(values) {
		return d.decodeSnapshots(values)
	}
	found := false
	for i, v := range values {
		o := openObject(v)
		if i < len(heads) {
			o = heads[i]
		}
		found = d.decodeRow(v, o) || found
	}
	return found
}

// decodeRow reads the run in a row, and reports whether it found one. If not, it adds a
// warning.
func (d *decoder) decodeRow(v jsonval.Value, o *object) bool {
	found := false
	if d.within(v, func() { found = d.decodeWrapper(v, o) }); found {
		return true
	}
	if d.decodeSilent(v, o) {
		return true
	}
	d.warnForeign(v)
	return false
}

// decodeSilent reads a row that says what was expected of its run or how it ended, and that
// has an answer as text, or an error instead. Its run is one without a call. If the row has
// calls that cannot be read, the run has a doubt.
func (d *decoder) decodeSilent(v jsonval.Value, o *object) bool {
	const answers = "output actual_output actualOutput response answer completion"
	answer := o.get(answers)
	if k := answer.Kind(); d.only != "" || !ownsSettings(o) && !ownsOutcome(o) || k != jsonval.String && !(k == jsonval.Null && o.hasAny("error")) {
		return false
	}
	r := d.newRun()
	r.t.copyMeta(o)
	if question := o.firstString("input prompt question query"); question != "" {
		r.addMessage("user", question)
	}
	if text := answer.Text(); text != "" && answer.Kind() == jsonval.String {
		r.addMessage("assistant", text)
	}
	if holdsCalls(o) { // compareFacts finds the calls that have a form of their own
		r.t.Doubt = "a row has calls that could not be read"
		d.warnAt("calls-not-read", r.t.Doubt, v)
	}
	d.within(v, r.addToDocument)
	d.copySides(d.Trajectories[len(d.Trajectories)-1:], o, false)
	d.doubtUnrecorded(&d.Trajectories[len(d.Trajectories)-1], o)
	return true
}

// decodeSnapshots reads rows of which some continue the row before, and reports whether it
// found a run.
func (d *decoder) decodeSnapshots(values []jsonval.Value) bool {
	found := false
	for _, g := range d.groupRows(values) {
		last := g.rows[len(g.rows)-1]
		if len(g.rows) == 1 {
			found = d.decodeRow(last, openObject(last)) || found
		} else if d.detectWrapper(last) {
			d.readGroup(g, nil)
			found = true
		} else {
			for _, v := range g.rows {
				found = d.decodeRow(v, openObject(v)) || found
			}
		}
	}
	return found
}

// detectWrapper detects the format of the run in a row, and reports whether it has one.
func (d *decoder) detectWrapper(v jsonval.Value) bool {
	probe := *d
	probe.counts, probe.Warnings, probe.places, probe.Trajectories, probe.records = maps.Clone(d.counts), nil, nil, nil, nil
	if !probe.decodeWrapper(v, openObject(v)) {
		return false
	}
	d.Format, d.settled = probe.Format, probe.settled
	return true
}

func (d *decoder) decodeWrapper(v jsonval.Value, o *object) bool {
	if v.Kind() == jsonval.Array {
		list := v.Elements()
		return d.decodeEvents(batch{values: list}, openHeads(list))
	}
	if isEmptyRecord(o) && (d.only == "" || d.only == foundFormat) {
		d.Format = ifElse(d.Format == "", foundFormat, d.Format)
		decodeFound(d, batch{values: []jsonval.Value{v}})
		return true
	}
	before := len(d.Trajectories)
	name := d.decodeMember(o)
	if name == "" && d.decodeTrace(o) {
		name = "trace"
		copyRowMeta(d.Trajectories[before:], o)
	}
	if name == "" {
		return false
	}
	d.copySides(d.Trajectories[before:], o, name == "trace")
	if runs := d.Trajectories[before:]; len(runs) == 1 && name != "trace" {
		d.doubtUnrecorded(&runs[0], o)
	}
	return true
}

// decodeMember reads the events in a member of an object, and returns the member's name.
// If no member has events, it returns "".
func (d *decoder) decodeMember(o *object) string {
	for _, name := range wrappers {
		if list := o.firstList(name); len(list) > 0 && d.decodeEvents(batch{list, o}, openHeads(list)) {
			return name
		}
	}
	return d.decodeEmpty(o)
}

// decodeEmpty reads an object whose run is an empty list, and returns the list's name. If
// there is no such list, or the object has calls elsewhere, it returns "".
func (d *decoder) decodeEmpty(o *object) string {
	for _, e := range emptyLists {
		if o.isList(e.name) && o.get(e.name).Len() == 0 && countFacts([]jsonval.Value{o.v}).isZero() && (d.only == "" || d.only == e.format) {
			if d.Format == "" {
				d.Format = e.format
			}
			var t Trajectory
			t.copyMeta(o)
			d.addTrajectory(t)
			return e.name
		}
	}
	return ""
}

// isEmptyRecord reports whether an object is the record of a run without a call: the list
// that is its run is empty, and it has calls only in its expected side.
func isEmptyRecord(o *object) bool {
	if !hasRunSide(o) || holdsCalls(o) {
		return false
	}
	for i, key := range o.keys {
		if v := o.values[i]; !isExpected(key) && (!countFacts([]jsonval.Value{v}).isZero() || isRunSide(key) && v.Len() > 0 || mainList(v, 0) != nil) {
			return false
		}
	}
	return true
}

// emptyLists contains the lists that are a run also if they are empty, with their formats.
var emptyLists = [...]struct{ name, format string }{
	{"messages", "openai-chat"}, {"steps", "generic-actions"}, {"actions", "generic-actions"}, {"trajectory", "generic-actions"},
}

// decodeTrace reads the member "trace" of a row, and reports whether a format matched. Its
// value is a document or a list of documents. If the row has a setting of an envelope, such
// as a reference, the value may also be one event, a trace without a known format, or a
// string that contains a trace. Other rows may be the events of one run.
func (d *decoder) decodeTrace(row *object) bool {
	v := row.get("trace")
	own := slices.ContainsFunc(row.keys, func(key string) bool { return NearSetting(key) == key })
	values := []jsonval.Value{v}
	switch v.Kind() {
	case jsonval.Array:
		values = v.Elements()
		return d.decodeDocuments(values, openHeads(values)) || own && d.decodeFoundCalls(values)
	case jsonval.Object:
		heads := openHeads(values)
		return d.decodeDocuments(values, heads) || d.decodeMember(heads[0]) != "" ||
			own && (d.decodeEvents(batch{values: values}, heads) || d.decodeFoundCalls(values))
	case jsonval.String:
		text, _ := v.Str()
		return own && d.decodeString(text, v)
	}
	return false
}

// decodeFoundCalls reads values without a format, and reports whether it found a call.
func (d *decoder) decodeFoundCalls(values []jsonval.Value) bool {
	if d.only != "" && d.only != foundFormat || !d.findsCall(values) {
		return false
	}
	if d.Format == "" {
		d.Format = foundFormat
	}
	decodeFound(d, batch{values: values})
	return true
}

// decodeString reads a trace that is the content of the string v, and reports whether it
// has read one. All positions are that of v.
func (d *decoder) decodeString(text string, v jsonval.Value) bool {
	inner := &decoder{text: text, only: d.only, golds: d.golds}
	if !inner.matchText(text) {
		list, err := inner.splitRecords(text)
		if err != nil {
			return false
		}
		fresh := *inner
		fresh.counts = maps.Clone(inner.counts)
		if inner.decodeValues(list) != nil {
			if inner = &fresh; !inner.decodeFoundCalls(list.rowValues()) {
				return false
			}
		}
		b := inner.compareFacts(inner.surveyFacts(list.values), inner.callsAside(list.values))
		for _, f := range b.calls {
			f.offset = d.offsetOf(v)
			d.unread = append(d.unread, f)
		}
	}
	d.leaveOut(v)
	line, column := d.lineAndColumn(d.offsetOf(v))
	for i := range inner.Trajectories {
		for j := range inner.Trajectories[i].Actions {
			inner.Trajectories[i].Actions[j].Line = line
		}
	}
	for i := range inner.Warnings {
		inner.Warnings[i].Line, inner.Warnings[i].Column = line, column
	}
	d.appendWarnings(inner, len(d.Trajectories))
	for _, t := range inner.tallies {
		d.addTally(t.code, t.what, t.n)
	}
	d.Trajectories = append(d.Trajectories, inner.Trajectories...)
	for range inner.Trajectories {
		d.records = append(d.records, d.placeOf(v))
	}
	if d.Format == "" {
		d.Format = inner.Format
	}
	d.settled = d.settled || inner.settled
	d.repeats = d.repeats || inner.repeats
	return true
}

// copyRowMeta copies the data around a trace, such as id and success, to its run. A trace
// with several runs or with its own id keeps its own data.
func copyRowMeta(runs []Trajectory, row *object) {
	if len(runs) != 1 {
		return
	}
	var meta Trajectory
	meta.copyMeta(row)
	t := &runs[0]
	if t.ID == "" && t.Task == "" {
		t.ID, t.Task, t.Trial = meta.ID, meta.Task, meta.Trial
	}
	if t.Success == nil && t.Reward == nil {
		t.Success, t.Reward = meta.Success, meta.Reward
	}
}

// ownSettings sets the profile that an input row requests for its runs. Other settings in
// the row, such as tools, are ignored with a warning. A member whose name is almost that
// of a setting, such as refrence, also causes a warning.
func (d *decoder) ownSettings(runs []Trajectory, row *object) {
	warn := func(code, message string, at jsonval.Value) {
		d.warn(code, message, d.offsetOf(at), len(d.Trajectories)-len(runs))
	}
	switch p := row.firstNonNull("profile"); p.Text() {
	case "", "auto":
	case "outcome", "sop":
		askProfile(runs, p.Text())
	default:
		warn("row-setting-not-used", `the "profile" of a row must be auto, outcome or sop; the invalid value was ignored`, p)
	}
	for _, name := range [...]string{"seed", "options", "tools", "config", "file"} {
		if v := row.firstNonNull(name); v.Exists() {
			warn("row-setting-not-used", "the \""+name+`" of a row was ignored; use score --stream, or give one value for all rows`, v)
		}
	}
	for i, key := range row.keys {
		name := NearSetting(key)
		d.settled = d.settled || name != "" // a search for calls would lose the settings
		if name != "" && name != key {
			warn("row-member-unknown", "the unknown member "+strconv.Quote(key)+" of a row was ignored; the known member "+name+" has a similar name", row.values[i])
		}
	}
}

// NearSetting returns the setting of an envelope that has the name key or almost this
// name, such as reference for refrence. If there is no such setting, it returns "".
func NearSetting(key string) string {
	for _, name := range [...]string{"reference", "profile", "seed", "options", "tools", "config"} {
		if nearlyEqual(key, name) {
			return name
		}
	}
	return ""
}

// nearlyEqual reports whether two words are equal, or differ in at most two letters next to each other.
func nearlyEqual(a, b string) bool {
	n, from, to := min(len(a), len(b)), 0, 0
	for from < n && a[from] == b[from] {
		from++
	}
	for to < n-from && a[len(a)-1-to] == b[len(b)-1-to] {
		to++
	}
	return max(len(a), len(b))-from-to <= 2
}

// openHeads opens the first elements of a list. The format is detected from these
// elements.
func openHeads(values []jsonval.Value) []*object {
	heads := make([]*object, 0, min(len(values), sample))
	seen := 0
	for _, v := range values[:min(len(values), sample)] {
		if heads = append(heads, openObject(v)); seen > sampleBytes {
			break
		}
		seen += len(v.Raw())
	}
	return heads
}

func anyMatches(is func(*object) bool, heads []*object) bool {
	for _, o := range heads {
		if len(o.keys) > 0 && is(o) {
			return true
		}
	}
	return false
}

// allMatch reports whether the given function accepts all objects in heads.
func allMatch(is func(*object) bool, heads []*object) bool {
	return !slices.ContainsFunc(heads, func(o *object) bool { return len(o.keys) == 0 || !is(o) })
}

// mostMatch reports whether the given function accepts more than half of the objects in
// heads. Objects without members do not count.
func mostMatch(is func(*object) bool, heads []*object) bool {
	objects, n := 0, 0
	for _, o := range heads {
		if len(o.keys) > 0 {
			objects++
			n += ifElse(is(o), 1, 0)
		}
	}
	return 2*n > objects
}

// toolTexts returns the descriptions in a list of tool definitions.
func toolTexts(list jsonval.Value) (out []string) {
	if list.Kind() != jsonval.Array {
		return nil
	}
	for _, v := range list.Elements() {
		for _, d := range [...]jsonval.Value{v.Get("description"), v.At("function", "description")} {
			if text, ok := d.Str(); ok && text != "" {
				out = append(out, text)
			}
		}
	}
	return out
}

// definedTools returns the names in a list of tool definitions. It returns nil if one of
// the elements has no name, because then not all tools are known.
func definedTools(list jsonval.Value) []string {
	if list.Kind() != jsonval.Array {
		return nil
	}
	var out []string
	for _, v := range list.Elements() {
		name, ok := v.Get("name").Str()
		if !ok {
			name, ok = v.At("function", "name").Str()
		}
		if !ok {
			return nil
		}
		out = append(out, name)
	}
	return out
}

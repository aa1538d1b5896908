package gate

import (
	"maps"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/worker/gate/history"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// The requests and answers of the API as Go types. The OpenAPI description is generated
// from them, and answers are encoded from them. Requests are read member by member, so
// that errors can be precise; a test compares the readers with these types. A member
// with omitempty may be missing.

// callMessage is one proposed call.
type callMessage struct {
	contextMessage
	Tool      string `json:"tool"`
	Arguments any    `json:"arguments"`
}

// contextMessage is what a request may tell about a call.
type contextMessage struct {
	Session   string `json:"session,omitempty"`
	Tools     []any  `json:"tools,omitempty"`
	Policy    string `json:"policy,omitempty"`
	Elsewhere bool   `json:"elsewhere,omitempty"`
	Directory string `json:"directory,omitempty"`
	Messages  []any  `json:"messages,omitempty"`
}

// namedCall is a call inside another object.
type namedCall struct {
	Name      string `json:"name"`
	Arguments any    `json:"arguments"`
}

// actionMessage is one proposed call in the form of traces.
type actionMessage struct {
	contextMessage
	Action namedCall `json:"action"`
}

// functionMessage is one proposed call in the form of OpenAI's API, whose members id and
// type the gate does not use.
type functionMessage struct {
	contextMessage
	ID       string    `json:"id,omitempty"`
	Type     string    `json:"type,omitempty"`
	Function namedCall `json:"function"`
}

// callsMessage is several calls of one turn, with the members that they share.
type callsMessage struct {
	Calls   []callMessage `json:"calls"`
	Session string        `json:"session,omitempty"`
	Tools   []any         `json:"tools,omitempty"`
	Policy  string        `json:"policy,omitempty"`

	Messages []any `json:"messages,omitempty"`
}

// recordMessage is a view with its arguments.
type recordMessage struct {
	view
	Arguments any `json:"arguments"`
}

// batchMessage is a batch in the answer to GET.
type batchMessage struct {
	ID    string          `json:"id"`
	State string          `json:"state"`
	URL   string          `json:"url"`
	Calls []recordMessage `json:"calls"`
}

// pendingMessage is a page of waiting proposals.
type pendingMessage struct {
	Pending []recordMessage `json:"pending"`
	Next    string          `json:"next,omitempty"`
}

type decisionMessage struct {
	Approve     bool   `json:"approve"`
	Digest      string `json:"digest"`
	Reason      string `json:"reason,omitempty"`
	Acknowledge bool   `json:"acknowledge,omitempty"`
	Seen        string `json:"seen,omitempty"` // the id of the run in why.mayHaveRun that was looked at
	Bypass      bool   `json:"bypass,omitempty"`
	For         string `json:"for,omitempty"` // in whose place, by a delegation
}

// editMessage is an approver's change of a held call.
type editMessage struct {
	Digest    string `json:"digest"`
	Arguments any    `json:"arguments"`
	Reason    string `json:"reason,omitempty"`
}

// editedMessage is the answer to an edit: the call that now waits for a decision.
type editedMessage struct {
	recordMessage
	Replaces string            `json:"replaces"`
	Changes  []proposal.Change `json:"changes"`
}

// answerMessage is an approver's text for the model, in place of yes or no.
type answerMessage struct {
	Digest string `json:"digest"`
	Answer string `json:"answer"`
}

// decisionsMessage is one decision about each of several calls.
type decisionsMessage struct {
	Decisions []oneDecisionMessage `json:"decisions"`
}

type oneDecisionMessage struct {
	ID string `json:"id"`
	decisionMessage
}

// decidedMessage is the answer to several decisions, one by one and in their order.
type decidedMessage struct {
	Results []oneDecidedMessage `json:"results"`
}

// oneDecidedMessage is the result of one of several decisions: its standing, or its error.
type oneDecidedMessage struct {
	ID        string        `json:"id"`
	Status    int           `json:"status"` // as of a decision by itself
	State     machine.State `json:"state,omitempty"`
	Needs     int           `json:"needs,omitempty"`
	Approvals int           `json:"approvals,omitempty"`
	Error     *errorText    `json:"error,omitempty"`
}

type errorText struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// rememberMessage asks the gate to remember a yes.
type rememberMessage struct {
	ID     string         `json:"id"`
	Digest string         `json:"digest"`
	Until  string         `json:"until"`
	When   map[string]any `json:"when,omitempty"`
}

type rememberedMessage struct {
	Remembered []rememberedView `json:"remembered"`
	Next       string           `json:"next,omitempty"` // requests the next page
}

// delegateMessage asks the gate to let another approver decide in one's place.
type delegateMessage struct {
	To    string `json:"to"`
	Until string `json:"until"`
}

type delegationsMessage struct {
	Delegations []delegationView `json:"delegations"`
	Next        string           `json:"next,omitempty"` // requests the next page
}

type revocationMessage struct {
	Reason string `json:"reason,omitempty"`
}

type freezeRequestMessage struct {
	Frozen bool   `json:"frozen"`
	Agent  string `json:"agent,omitempty"`
	Reason string `json:"reason,omitempty"`
}

type freezeMessage struct {
	Agent  string `json:"agent"`
	By     string `json:"by"`
	Reason string `json:"reason"`
	Since  string `json:"since"`
}

type freezesMessage struct {
	Freezes []freezeMessage `json:"freezes"`
}

type claimMessage struct {
	Digest string `json:"digest,omitempty"`
}

// grantMessage is a grant with its arguments.
type grantMessage struct {
	grant
	Arguments any `json:"arguments"`
}

type outcomeMessage struct {
	Grant  string `json:"grant"`
	Status string `json:"status"`
	Detail string `json:"detail,omitempty"`
	Result string `json:"result,omitempty"`
}

// hookMessage is the part of Claude Code's message that the gate reads.
type hookMessage struct {
	Event     string         `json:"hook_event_name"`
	Tool      string         `json:"tool_name"`
	Input     map[string]any `json:"tool_input"`
	Session   string         `json:"session_id,omitempty"`
	ToolUseID string         `json:"tool_use_id,omitempty"`
	Agent     string         `json:"agent_id,omitempty"`
}

type hookedMessage struct {
	Output  hookAnswer `json:"hookSpecificOutput,omitzero"`
	Message string     `json:"systemMessage,omitempty"` // after the call: why its outcome was not recorded, for the person
}

// toolMessage is a message of MCP to the permission tool, and toolAnswer is the answer.
type toolMessage struct {
	JSONRPC string         `json:"jsonrpc"`
	ID      any            `json:"id,omitempty"`
	Method  string         `json:"method,omitempty"`
	Params  map[string]any `json:"params,omitempty"`
}

type toolAnswer struct {
	JSONRPC string         `json:"jsonrpc"`
	ID      any            `json:"id"`
	Result  map[string]any `json:"result,omitempty"`
	Error   *toolError     `json:"error,omitempty"`
}

type toolError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

type definitionsMessage struct {
	Definitions []pinView `json:"definitions"`
}

type acceptanceMessage struct {
	Server string `json:"server"`
	Tool   string `json:"tool"`
	Hash   string `json:"hash"`
}

type acceptedMessage struct {
	Server string `json:"server"`
	State  string `json:"state"`
	Tool   string `json:"tool"`
}

type auditPageMessage struct {
	Events []store.AuditEvent `json:"events"`
	More   bool               `json:"more"`
	Next   int64              `json:"next"`
}

type healthMessage struct {
	OK       bool     `json:"ok"`
	Policy   string   `json:"policy"`
	Warnings []string `json:"warnings,omitempty"` // about the files that the operator gave
}

// keysMessage is the set of the public keys of receipts.
type keysMessage struct {
	Keys []keyMessage `json:"keys"`
}

type keyMessage struct {
	Kty string `json:"kty"`
	Crv string `json:"crv"`
	X   string `json:"x"`
	Kid string `json:"kid"`
	Alg string `json:"alg"`
	Use string `json:"use"`
}

// errorMessage is the envelope of package wire.
type errorMessage struct {
	Error struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// nothingMessage is the body of a request that takes no members.
type nothingMessage struct{}

// requestTypes returns the types of the gate's own requests, by the name of the schema.
// Their schemas are closed: a member that they lack is an error.
func requestTypes() map[string]any {
	return map[string]any{
		"Call": callMessage{}, "Calls": callsMessage{}, "ActionCall": actionMessage{}, "FunctionCall": functionMessage{}, "NamedCall": namedCall{},
		"Decision": decisionMessage{}, "Decisions": decisionsMessage{}, "OneDecision": oneDecisionMessage{}, "RememberRequest": rememberMessage{}, "DelegateRequest": delegateMessage{}, "Edit": editMessage{}, "ApproverAnswer": answerMessage{}, "Revocation": revocationMessage{}, "FreezeRequest": freezeRequestMessage{}, "ClaimRequest": claimMessage{},
		"Outcome": outcomeMessage{}, "Acceptance": acceptanceMessage{}, "Nothing": nothingMessage{},
	}
}

// messageTypes returns the types that have a schema in the OpenAPI description, by the
// name of the schema.
func messageTypes() map[string]any {
	all := map[string]any{
		"Answer": verdict{}, "Record": recordMessage{}, "Batch": batchMessage{}, "Pending": pendingMessage{}, "History": history.Page{}, "Settled": history.View{},
		"Decided": decidedMessage{}, "OneDecided": oneDecidedMessage{}, "ErrorText": errorText{}, "Remembered": rememberedView{}, "RememberedList": rememberedMessage{}, "Delegation": delegationView{}, "Delegations": delegationsMessage{}, "Recalled": store.ToldRecalled{}, "Edited": editedMessage{}, "Change": proposal.Change{}, "Preview": previewView{}, "Freeze": freezeMessage{}, "Freezes": freezesMessage{},
		"Grant": grantMessage{}, "Standing": standing{}, "Hook": hookMessage{}, "Hooked": hookedMessage{}, "ToolMessage": toolMessage{}, "ToolAnswer": toolAnswer{}, "ToolError": toolError{},
		"Definition": pinView{}, "Definitions": definitionsMessage{}, "Accepted": acceptedMessage{},
		"Event": store.AuditEvent{}, "AuditPage": auditPageMessage{}, "Head": store.SignedHead{}, "Health": healthMessage{}, "Keys": keysMessage{}, "Key": keyMessage{}, "Error": errorMessage{}, "Vote": store.ToldVote{}, "Why": store.ToldWhy{}, "Escalation": store.ToldEscalation{},
	}
	maps.Copy(all, requestTypes())
	return all
}

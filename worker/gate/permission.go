package gate

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"github.com/boundcheck/boundcheck/worker/gate/permit"
)

// permitPath is the address of the MCP server with the tool for --permission-prompt-tool.
const permitPath = hookPath + "/permission"

// sessionHeader names the session of an MCP client. The server names it, and every later
// request of the client has it, so that the same call of another client is another one.
const sessionHeader = "Mcp-Session-Id"

// handlePermission answers a message to the permission tool. A call is decided as by the
// hook, and the tool waits as long. Every failure denies.
func (g *Gate) handlePermission(w http.ResponseWriter, q *request) reply {
	wait, refused := hookWait(q, longest)
	if refused != "" {
		return errorReply(400, "input", refused)
	}
	m := permit.Read(q.json)
	if m.Begins {
		id, err := g.Fresh("s_")
		if err != nil {
			return storeErrorReply(err)
		}
		w.Header().Set(sessionHeader, id)
	}
	switch {
	case m.Ask == nil && m.Answer == "":
		return reply{status: http.StatusAccepted, body: []byte{}}
	case m.Ask == nil:
		return reply{status: 200, body: []byte(m.Answer)}
	}
	session, _ := json.Marshal(q.Header.Get(sessionHeader))
	id, _ := json.Marshal(m.Ask.ID)
	c, err := ReadHook(`{"hook_event_name":"` + HookPermit + `","tool_name":` + m.Ask.Tool + `,"tool_input":` + m.Ask.Input + `,"tool_use_id":` + string(id) + `,"session_id":` + string(session) + `}`)
	if err != nil {
		return reply{status: 200, body: []byte(m.Deny("blocked: " + err.Error()))}
	}
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(wait + 2*patience))
	var out hookedMessage
	said := permitReply(g.hookAsk(q, c, wait)).body
	err = json.Unmarshal(said, &out)
	switch d := out.Output.Decision; {
	case err != nil, d == nil && string(said) != string(hookNoDecision().body):
		return reply{status: 200, body: []byte(m.Deny("blocked: the gate cannot decide"))}
	case d == nil: // the policy asks nobody, and there is nobody else to ask
		return reply{status: 200, body: []byte(m.Allow(c.Arguments))}
	case d.Behavior != "allow":
		return reply{status: 200, body: []byte(m.Deny(d.Message))}
	case d.Updated != nil:
		return reply{status: 200, body: []byte(m.Allow(string(d.Updated)))}
	}
	return reply{status: 200, body: []byte(m.Allow(c.Arguments))}
}

// hookWait returns for how long a request of a host waits, from its query, and otherwise
// the given number of seconds. The result refused is not "" if the query is not valid.
func hookWait(q *request, seconds int) (wait time.Duration, refused string) {
	if s := q.URL.Query().Get("wait"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil || n < 0 || n > longestHook {
			return 0, "invalid wait: want 0 to " + strconv.Itoa(longestHook) + " seconds, saw " + strconv.Quote(s)
		}
		seconds = n
	}
	return time.Duration(seconds) * time.Second, ""
}

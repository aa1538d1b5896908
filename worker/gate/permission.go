package gate

import (
	"net/http"
	"strconv"
	"time"

	"github.com/boundcheck/boundcheck/worker/gate/hookcall"
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
	c := hookcall.Call{Session: q.Header.Get(sessionHeader)}
	if err := c.Set(m.Ask.Tool, m.Ask.Input); err != nil {
		return reply{status: 200, body: []byte(m.Deny("blocked: " + err.Error()))}
	}
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(wait + 2*patience))
	switch a := g.hookAsk(q, c, wait).orDenial(); {
	case a.Verdict == "allow" && a.Updated != nil:
		return reply{status: 200, body: []byte(m.Allow(string(a.Updated)))}
	case a.Verdict == "allow", a.open: // the policy asks nobody, and there is nobody else to ask
		return reply{status: 200, body: []byte(m.Allow(c.Arguments))}
	default:
		return reply{status: 200, body: []byte(m.Deny(a.Reason))}
	}
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

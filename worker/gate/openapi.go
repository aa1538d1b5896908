package gate

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/wire"
)

// object is any JSON object; the encoder sorts its members.
type object = map[string]any

func (g *Gate) describe(http.ResponseWriter, *request) reply {
	return reply{status: 200, body: wire.Marshal(Description())}
}

// Description is the API as OpenAPI 3.1, made from the same table as the router.
func Description() object {
	paths := object{}
	for _, r := range routes() {
		item, _ := paths[r.path].(object)
		if item == nil {
			item = object{}
		}
		item[strings.ToLower(r.method)] = operation(&r)
		paths[r.path] = item
	}
	return object{
		"openapi": "3.1.0",
		"info": object{"title": "Boundcheck gate", "version": "1", "license": object{"name": "Apache-2.0", "identifier": "Apache-2.0"},
			"description": "Holds calls that change something until a person approves exactly those bytes, and lets them run once."},
		"paths":    paths,
		"security": []object{{"key": []string{}}},
		"components": object{
			"securitySchemes": object{"key": object{"type": "http", "scheme": "bearer"}},
			"schemas":         schemas(),
		},
	}
}

func operation(r *route) object {
	answers := object{}
	for _, s := range r.statuses {
		schema := "Error"
		if s < 300 || s == 403 && r.gives == "Verdict" {
			schema = r.gives
		}
		kind := "application/json"
		if r.gives == "Events" && s == 200 {
			kind = "text/event-stream"
		}
		if r.gives == "Metrics" && s == 200 {
			kind = "text/plain"
		}
		answers[strconv.Itoa(s)] = object{"description": meaning(s), "content": object{kind: object{"schema": ref(schema)}}}
	}
	op := object{"summary": r.summary, "responses": answers}
	var parameters []object
	if strings.Contains(r.path, "{id}") {
		parameters = append(parameters, object{"name": "id", "in": "path", "required": true, "schema": object{"type": "string"}})
	}
	if r.path == "/v1/proposals/{id}" {
		parameters = append(parameters, object{"name": "wait", "in": "query", "schema": object{"type": "integer", "minimum": 0, "maximum": longest}})
	}
	if r.gives == "Pending" {
		for _, name := range []string{"digest", "session"} {
			parameters = append(parameters, object{"name": name, "in": "query", "schema": object{"type": "string"}, "description": "own open proposals of this call alone"})
		}
		parameters = append(parameters, object{"name": "limit", "in": "query", "schema": object{"type": "integer", "minimum": 1, "maximum": maxPage, "default": pageSize}},
			object{"name": "after", "in": "query", "schema": object{"type": "string"}, "description": "the value of next from the page before"})
	}
	if r.gives == "AuditPage" {
		parameters = append(parameters, object{"name": "after", "in": "query", "schema": object{"type": "integer", "minimum": 0}, "description": "the cursor of the last event that is known; next of the page before"})
	}
	if r.takes == "Proposal" {
		parameters = append(parameters, object{"name": "Idempotency-Key", "in": "header", "schema": object{"type": "string", "maxLength": 255}})
	}
	if parameters != nil {
		op["parameters"] = parameters
	}
	if r.takes != "" {
		op["requestBody"] = object{"required": r.takes != "ClaimRequest" && r.takes != "Revocation", "content": object{"application/json": object{"schema": ref(r.takes)}}}
	}
	if r.open {
		op["security"] = []object{}
	}
	return op
}

func ref(name string) object { return object{"$ref": "#/components/schemas/" + name} }

func meaning(status int) string {
	switch status {
	case 200:
		return "done; of a proposal: allowed"
	case 202:
		return "held until people decide"
	case 400:
		return "the request cannot be read; the message says what would be right"
	case 401:
		return "no key, or an unknown one"
	case 403:
		return "denied by the policy, or not for this key"
	case 404:
		return "no such proposal, or agent, for this key's tenant"
	case 409:
		return "the proposal's state, or the digest, does not allow it"
	case 413:
		return "the body is too large"
	case 415:
		return "the body is compressed"
	case 422:
		return "the Idempotency-Key was used for another request"
	case 429:
		return "too many requests, too many of them waiting, or too many proposals wait"
	}
	return "the gate cannot tell: nothing is allowed"
}

// of makes an object schema from "name:type" words; a ? behind the name makes
// it optional.
func of(words string) object {
	properties, required := object{}, []string{}
	for _, w := range strings.Fields(words) {
		name, kind, _ := strings.Cut(w, ":")
		if trimmed := strings.TrimSuffix(name, "?"); trimmed != name {
			name = trimmed
		} else {
			required = append(required, name)
		}
		switch {
		case kind == "any":
			properties[name] = object{}
		case strings.HasPrefix(kind, "[]"):
			properties[name] = object{"type": "array", "items": ref(kind[2:])}
		default:
			properties[name] = object{"type": kind}
		}
	}
	return object{"type": "object", "properties": properties, "required": required}
}

func schemas() object {
	call := of("tool:string arguments:any session?:string tools?:array policy?:string elsewhere?:boolean")
	one := of("decision:string index?:integer id?:string reason?:string prompt?:string digest?:string expires?:string url?:string state?:string mutating?:string uninspectable?:boolean inexact?:integer approvals?:integer reflection?:string calls?:[]Verdict")
	decision := one["properties"].(object)["decision"].(object)
	decision["enum"] = []string{"allow", "confirm", "deny"}
	return object{
		"Call":          call,
		"Proposal":      object{"oneOf": []object{ref("Call"), {"type": "array", "items": ref("Call"), "minItems": 1, "maxItems": maxCalls}, of("calls:[]Call session?:string tools?:array policy?:string")}},
		"Verdict":       object{"anyOf": []object{one, ref("Error")}},
		"Record":        of("id:string state:string url:string tool?:string arguments?:any digest?:string prompt?:string why?:object created?:string expires?:string needs?:integer batch?:string index?:integer session?:string votes?:array reason?:string outcome?:string outcomeBy?:string calls?:[]Record"),
		"Pending":       of("pending:[]Record next?:string"),
		"Decision":      of("approve:boolean digest:string reason?:string acknowledge?:boolean"),
		"Revocation":    of("reason?:string"),
		"FreezeRequest": of("frozen:boolean agent?:string reason?:string"),
		"Freeze":        of("agent:string by:string reason:string since:string"),
		"Freezes":       of("freezes:[]Freeze"),
		"ClaimRequest":  of("digest?:string"),
		"Grant":         of("id:string state:string grant:string tool:string digest:string outcomeBy:string bytes:string arguments:any"),
		"Outcome":       of("grant:string status:string detail?:string"),
		"Standing":      of("id:string state:string needs:integer approvals:integer"),
		"Metrics":       object{"type": "string", "description": "calls, decisions and times to a decision by tool; shares and the median over all tools"},
		"Hook":          of("hook_event_name:string tool_name:string tool_input:object session_id?:string tool_use_id?:string agent_id?:string"),
		"Hooked":        of("hookSpecificOutput?:object"),
		"Definition":    of("server:string tool:string hash:string text:string pinned:string pinnedText:string reviewed:boolean since:string state:string"),
		"Definitions":   of("definitions:[]Definition"),
		"Acceptance":    of("server:string tool:string hash:string"),
		"Accepted":      of("server:string tool:string state:string"),
		"Event":         of("schema:string tenant:string cursor:integer n:integer hash:string event:string time?:string from?:string to?:string by?:string role?:string channel?:string session?:string id?:string batch?:string rev?:integer tool?:string digest?:string arguments?:string mutating?:string layer?:string policy?:string mode?:string rule?:string approve?:boolean approvals?:integer needs?:integer prompt?:string grant?:string status?:string expires?:string rows?:string before?:string text?:string agent?:string"),
		"AuditPage":     of("events:[]Event next:integer more:boolean"),
		"Head":          of("schema:string tenant:string rows:integer head:string at:string key?:string signature?:string"),
		"Events":        object{"type": "string", "description": "events pending and settled, each with id, state, tool, digest, expires, url"},
		"Description":   object{"type": "object"},
		"Health":        of("ok:boolean policy:string"),
		"Error":         of("error:object"),
	}
}

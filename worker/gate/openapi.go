package gate

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/wire"
)

// object is any JSON object; the encoder sorts its members.
type object = map[string]any

func (g *Gate) handleOpenAPI(http.ResponseWriter, *request) reply {
	doc := Description()
	if g.Describe != nil {
		g.Describe(doc)
	}
	return reply{status: 200, body: wire.Marshal(doc)}
}

// Description returns the API as OpenAPI 3.1. It is made from the same table as the
// router.
func Description() object {
	paths := object{}
	for _, r := range apiRoutes() {
		item, _ := paths[r.path].(object)
		if item == nil {
			item = object{}
		}
		item[strings.ToLower(r.method)] = routeOperation(&r)
		paths[r.path] = item
	}
	return object{
		"openapi": "3.1.0",
		"info": object{"title": "Boundcheck gate", "version": "1", "license": object{"name": "Apache-2.0", "identifier": "Apache-2.0"},
			"description": "A call that changes something waits until a person approves its exact bytes. An approved call can run only once."},
		"paths":    paths,
		"security": []object{{"key": []string{}}},
		"components": object{
			"securitySchemes": object{"key": object{"type": "http", "scheme": "bearer"}},
			"schemas":         messageSchemas(),
		},
	}
}

func routeOperation(r *route) object {
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
		answers[strconv.Itoa(s)] = object{"description": statusMeaning(s), "content": object{kind: object{"schema": schemaRef(schema)}}}
	}
	op := object{"operationId": operationID(r.method, r.path), "summary": r.summary, "responses": answers}
	var parameters []object
	if strings.Contains(r.path, "{id}") {
		parameters = append(parameters, object{"name": "id", "in": "path", "required": true, "schema": object{"type": "string"}})
	}
	for _, p := range r.query {
		one := object{"name": p.name, "in": "query", "schema": p.schema}
		if p.about != "" {
			one["description"] = p.about
		}
		parameters = append(parameters, one)
	}
	if r.takes == "Proposal" {
		parameters = append(parameters, object{"name": "Idempotency-Key", "in": "header", "schema": object{"type": "string", "maxLength": 255}},
			object{"name": runHeader, "in": "header", "description": "an attempt to run the call: of all with one Idempotency-Key, the answer names the one that may run it", "schema": object{"type": "string", "maxLength": 64}})
	}
	if parameters != nil {
		op["parameters"] = parameters
	}
	if r.takes != "" {
		op["requestBody"] = object{"required": r.takes != "ClaimRequest" && r.takes != "Revocation" && r.takes != "Nothing", "content": object{"application/json": object{"schema": schemaRef(r.takes)}}}
	}
	if r.open {
		op["security"] = []object{}
	}
	return op
}

// operationID returns the name of an operation for programs that generate clients: the
// method and the parts of the path. A part before {id} is one thing, so it has no s.
func operationID(method, path string) string {
	out := strings.ToLower(method)
	parts := strings.FieldsFunc(strings.TrimPrefix(path, "/v1"), func(c rune) bool { return strings.ContainsRune("/.-", c) })
	for i, part := range parts {
		if part == "{id}" {
			continue
		}
		if i+1 < len(parts) && parts[i+1] == "{id}" {
			part = strings.TrimSuffix(part, "s")
		}
		out += strings.ToUpper(part[:1]) + part[1:]
	}
	return out
}

// schemaPrefix is the beginning of a reference to a schema.
const schemaPrefix = "#/components/schemas/"

func schemaRef(name string) object { return object{"$ref": schemaPrefix + name} }

func statusMeaning(status int) string {
	switch status {
	case 200:
		return "done. After a proposal, this status means that the call is allowed"
	case 202:
		return "the call is held until people decide"
	case 400:
		return "the request cannot be read. The message says how to correct the request"
	case 401:
		return "no key, or an unknown key"
	case 403:
		return "denied by the policy, or not permitted with this key"
	case 404:
		return "this key's tenant has no such proposal or agent"
	case 409:
		return "the proposal's state does not allow the request, or the digest is wrong"
	case 413:
		return "the body is too large"
	case 415:
		return "the body is compressed"
	case 422:
		return "the Idempotency-Key was used for another request"
	case 429:
		return "too many requests, too many waiting requests, or too many waiting proposals"
	}
	return "the gate cannot decide; the call is not allowed"
}

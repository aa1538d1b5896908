package gate

import (
	"encoding/json"
	"maps"
	"reflect"
	"strconv"
	"strings"
)

// The requests and answers of /v1/batches (worker/edge/batches.mjs), as Go types.

type fileMessage struct {
	Key string `json:"key"`
}

type briefMessage struct {
	ID     string `json:"id"`
	Status string `json:"status"`
	Bytes  int64  `json:"bytes"`
	URL    string `json:"url"`
}

type scoringMessage struct {
	briefMessage
	Name  string `json:"name"`
	Lines *int64 `json:"lines"`
	Done  int64  `json:"done"`
	Bad   int64  `json:"errors"`
	Parts struct {
		All     int `json:"all"`
		Scored  int `json:"scored"`
		Written int `json:"written"`
	} `json:"parts"`
	Stored   int64  `json:"stored"`
	Failure  string `json:"failure,omitempty"`
	Created  int64  `json:"created"`
	Finished *int64 `json:"finished"`
	Expires  *int64 `json:"expires"`
}

type scoredMessage struct {
	scoringMessage
	Corpus   json.RawMessage   `json:"corpus"`
	Warnings []json.RawMessage `json:"warnings"`
	Next     *string           `json:"next"`
	Results  []json.RawMessage `json:"results"`
}

type scoringsMessage struct {
	Stored  int64 `json:"stored"`
	Running int   `json:"running"`
	Quota   struct {
		Bytes   int64 `json:"bytes"`
		Running int   `json:"running"`
		Days    int   `json:"days"`
	} `json:"quota"`
	Batches []scoringMessage `json:"batches"`
}

type leftMessage struct {
	Left int `json:"left"`
}

// DescribeBatches adds the paths for batches of files to a result of Description. It is
// for a Worker that serves both the gate and batches.
func DescribeBatches(doc object) {
	all := map[string]any{"File": fileMessage{}, "Scoring": briefMessage{}, "ScoringState": scoringMessage{}, "Scored": scoredMessage{}, "Scorings": scoringsMessage{}, "Left": leftMessage{}}
	s := schemaWriter{names: map[reflect.Type]string{}, nullable: true}
	for name, m := range all {
		s.names[reflect.TypeOf(m)] = name
	}
	components := doc["components"].(object)["schemas"].(object)
	for name, m := range all {
		components[name] = s.inlineSchema(reflect.TypeOf(m))
	}
	components["Scored"].(object)["properties"].(object)["corpus"] = object{"type": []string{"object", "null"}, "description": `the same figures as in the last line of "boundcheck score --stream". The value is null until the batch is done`}
	for _, name := range []string{"Scoring", "ScoringState", "Scored"} {
		components[name].(object)["properties"].(object)["status"] = object{"type": "string", "enum": []string{"queued", "running", "done", "failed"}}
	}
	maps.Copy(doc["paths"].(object), batchPaths())
}

// media is the content of an answer with one status: its type and schema.
type media struct {
	kind   string
	schema object
}

func batchPaths() object {
	text := object{"type": "string"}
	ok := func(name string) media { return media{"application/json", schemaRef(name)} }
	rows := media{"application/x-ndjson", object{"type": "string", "description": `the lines that "boundcheck score --stream" prints for the same file`}}
	tally := media{"application/octet-stream", object{"type": "string", "format": "binary", "description": `partial results for the command "boundcheck merge"`}}
	none := media{}
	one := []object{{"name": "id", "in": "path", "required": true, "schema": text}}
	post := batchOperation("Score a JSONL file of recorded runs", map[int]media{200: ok("Scoring"), 202: ok("Scoring")}, 400, 403, 404, 409, 411, 413, 422, 429, 507)
	post["parameters"] = []object{{"name": "Idempotency-Key", "in": "header", "schema": object{"type": "string", "minLength": 1, "maxLength": 255}}}
	post["requestBody"] = object{"required": true, "content": object{
		"application/x-ndjson": object{"schema": object{"type": "string", "description": "one trajectory a line"}},
		"application/json":     object{"schema": schemaRef("File")},
	}}
	show := batchOperation("The progress of a batch. When the batch is done, the answer also has the figures, and the rows in pages", map[int]media{200: ok("Scored")}, 400, 404)
	show["parameters"] = append(one, object{"name": "limit", "in": "query", "schema": object{"type": "integer", "minimum": 0, "maximum": 200, "default": 50}},
		object{"name": "after", "in": "query", "schema": text, "description": "the value of next from the previous page"})
	with := func(op object) object {
		op["parameters"] = one
		return op
	}
	return object{
		"/v1/batches": object{
			"get":    batchOperation("List the tenant's batches, how much they store, and the quota", map[int]media{200: ok("Scorings")}),
			"post":   post,
			"delete": batchOperation("Delete all batches of the tenant and everything that the batches store", map[int]media{202: ok("Left"), 204: none}),
		},
		"/v1/batches/{id}": object{
			"get":    show,
			"delete": with(batchOperation("Delete a batch and everything that the batch stores", map[int]media{204: none}, 404)),
		},
		"/v1/batches/{id}/results": object{"get": with(batchOperation("All rows of the result, and the last line with the figures", map[int]media{200: rows}, 404, 409))},
		"/v1/batches/{id}/partial": object{"get": with(batchOperation(`The partial results of a batch, for the command "boundcheck merge"`, map[int]media{200: tally}, 404, 409))},
	}
}

// batchOperation returns the description of an operation on batches. The map gives has
// the content of the successful answers, by status. The list others has the statuses of
// errors. The statuses 401, 501 and 503 are always added.
func batchOperation(summary string, gives map[int]media, others ...int) object {
	answers := object{}
	for _, s := range append(others, 401, 501, 503) {
		answers[strconv.Itoa(s)] = object{"description": batchMeaning(s), "content": object{"application/json": object{"schema": schemaRef("Error")}}}
	}
	for s, m := range gives {
		answer := object{"description": batchMeaning(s)}
		if m.kind != "" {
			answer["content"] = object{m.kind: object{"schema": m.schema}}
		}
		if strings.HasPrefix(summary, "Delete") && s == 202 {
			answer["description"] = "some batches are left; send the request again"
		}
		answers[strconv.Itoa(s)] = answer
	}
	return object{"summary": summary, "responses": answers}
}

func batchMeaning(status int) string {
	switch status {
	case 200:
		return "done. After a POST, this status means that the batch with this Idempotency-Key has already ended"
	case 202:
		return "stored; the batch will be scored"
	case 204:
		return "deleted"
	case 404:
		return "this key's tenant has no such batch or file"
	case 403:
		return "the file's key does not begin with the tenant's name"
	case 409:
		return "the batch is not done, or was deleted"
	case 411:
		return "the request does not give the length of its body"
	case 413:
		return "the body, or the file, is too large"
	case 422:
		return "the Idempotency-Key was used for another file"
	case 429:
		return "too many batches are running"
	case 501:
		return "batches are not set up here"
	case 507:
		return "the storage quota is used up"
	case 503:
		return "the store of batches does not answer, or a setting is invalid"
	}
	return statusMeaning(status)
}

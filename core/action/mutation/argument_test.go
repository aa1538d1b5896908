package mutation

import (
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

func TestArguments(t *testing.T) {
	for _, x := range []struct {
		name, args, want string
		layer            Layer
	}{
		// SQL decides if the name is vague, and makes a reading name's verdict stricter.
		{"execute_sql", `{"sql":"select * from t"}`, "no", LayerSQL},
		{"execute_sql", `{"query":"delete from t"}`, "yes", LayerSQL},
		{"execute_sql", `{"query":"select f(1)"}`, "unknown", LayerSQL},
		{"run_query", `{"query":"select 1"}`, "no", LayerSQL},
		{"run_query", `{"query":"frob"}`, "unknown", LayerSQL},
		{"query_database", `{"sql":"drop table t"}`, "yes", LayerSQL},
		{"query_database", `{"sql":"select 1"}`, "no", LayerSQL},
		{"search_products", `{"query":"select shoes from the summer"}`, "no", LayerName},
		{"search_products", `{"query":"delete from orders where 1=1"}`, "yes", LayerSQL},
		{"search_products", `{"query":"how to delete my account"}`, "no", LayerName},
		{"write_query", `{"query":"select 1"}`, "yes", LayerName},
		// Pipelines and GraphQL.
		{"aggregate", `{"pipeline":[{"$match":{}},{"$out":"x"}]}`, "yes", LayerArgument},
		{"aggregate", `{"pipeline":[{"$match":{}}]}`, "no", LayerName},
		{"query_api", `{"query":"mutation { a }"}`, "unknown", LayerHTTP},
		{"query_graphql", `{"query":"mutation { a }"}`, "yes", LayerSQL},
		// Shell.
		{"bash", `{"command":"ls -la"}`, "no", LayerShell},
		{"bash", `{"command":"ls; rm x"}`, "yes", LayerShell},
		{"execute_command", `{"command":"rm x"}`, "yes", LayerShell},
		{"execute_command", `{"command":"ls\rrm x"}`, "unknown", LayerShell},
		{"run_command", `{"cmd":"cat x"}`, "no", LayerShell},
		{"get_output", `{"command":"rm -rf x"}`, "yes", LayerShell},
		// Multiplexed tools.
		{"cloud_manage_alerts", `{"operation":"list"}`, "unknown", LayerName},
		{"cloud_manage_alerts", `{"operation":"delete"}`, "yes", LayerArgument},
		{"cloud_manage_alerts", `{"operation":"frob"}`, "unknown", LayerArgument},
		{"cloud_manage_alerts", `{"operation":"list","items":[{"op":"delete"}]}`, "yes", LayerArgument},
		{"cloud_manage_alerts", `{}`, "unknown", LayerName},
		{"issue_write", `{"method":"get"}`, "yes", LayerName},
		{"actions_get", `{"method":"get_workflow"}`, "no", LayerName},
		{"actions_get", `{"method":"delete_run"}`, "yes", LayerArgument},
		{"editor", `{"command":"view","path":"/x"}`, "unknown", LayerNone},
		{"editor", `{"command":"insert","path":"/x"}`, "yes", LayerArgument},
		// Arguments that the tool does not obey cannot make a verdict milder.
		{"apply_x", `{"operation":"list"}`, "unknown", LayerName},
		{"apply_x", `{"sql":"select 1"}`, "unknown", LayerName},
		{"apply_x", `{"command":"ls -la"}`, "unknown", LayerName},
		{"apply_x", `{"method":"GET"}`, "unknown", LayerName},
		{"cloud_manage_alerts", `{"x":{"operation":"list"}}`, "unknown", LayerName},
		// HTTP.
		{"api_request", `{"method":"GET","path":"/x"}`, "no", LayerHTTP},
		{"api_request", `{"method":"POST","path":"/x"}`, "unknown", LayerHTTP},
		{"api_request", `{"method":"DELETE"}`, "yes", LayerHTTP},
		{"fetch_url", `{"method":"DELETE"}`, "yes", LayerHTTP},
		{"fetch_url", `{"method":"POST"}`, "unknown", LayerHTTP},
		// Files that a reading tool writes.
		{"get_report", `{"output_path":"/x"}`, "yes", LayerArgument},
		{"get_report", `{"saveTo":"x"}`, "yes", LayerArgument},
		{"get_report", `{"outputFile":""}`, "no", LayerName},
		{"read_file", `{"path":"/x"}`, "no", LayerName},
		{"search_flights", `{"destination":"JFK"}`, "no", LayerName},
		{"list_files", `{"output_format":"json"}`, "no", LayerName},
		// "list" offers one thing, or lists many.
		{"list_product", `{"title":"Lamp","price":20}`, "unknown", LayerArgument},
		{"listItem", `{"item":{"askingPrice":20}}`, "unknown", LayerArgument},
		{"list_product", `{"category":"lamps","max_price":20}`, "no", LayerName},
		{"list_products", `{"price":20}`, "no", LayerName},
		{"list_directory", `{"path":"/x"}`, "no", LayerName},
		// Control.
		{"complete_task", `{"summary":"x"}`, "control", LayerName},
		{"complete_task", `{"task_id":"7"}`, "unknown", LayerArgument},
		{"complete_task", `{"taskId":7}`, "unknown", LayerArgument},
		{"reply", `{"text":"x"}`, "control", LayerName},
		{"reply", `{"ticket_id":"7","text":"x"}`, "unknown", LayerArgument},
		{"think", `{"thought":"delete from t"}`, "control", LayerName},
		{"transfer_to_human_agents", `{"summary":"x"}`, "control", LayerName},
		{"transfer_to_agent", `{"agent_name":"desk"}`, "control", LayerTable},
		{"transfer_to_agent", `{"agent_name":"desk","amount":5}`, "unknown", LayerArgument},
		{"transfer_to_agent", `{"account":"x"}`, "unknown", LayerArgument},
		{"exit_loop", `{}`, "control", LayerTable},
		{"exit_loop", `{"door":"x"}`, "unknown", LayerName},
		{"load_skill", `{"name":"refunds"}`, "control", LayerTable},
		{"load_skill", `{"name":"refunds","command":"rm x"}`, "yes", LayerShell},
		{"set_model_response", `{"answer":"done","total":3}`, "yes", LayerName}, // its host is not known
		{"transfer_to_human_agents", `{"summary":"x","command":"rm x"}`, "yes", LayerShell},
		{"transfer_to_human_agents", `{"summary":"x","amount":5}`, "unknown", LayerArgument},
	} {
		v := (*Classifier)(nil).Classify(x.name, mustParse(t, x.args))
		got := v.Mutating.String()
		if v.Control {
			got = "control"
		}
		if got != x.want || v.Layer != x.layer {
			t.Errorf("%s %s: %s (%s: %s), want %s (%s)", x.name, x.args, got, v.Layer, v.Reason, x.want, x.layer)
		}
	}
}

func TestSchema(t *testing.T) {
	for _, x := range []struct{ tool, args, want string }{
		{`{"name":"get_request","parameters":{"properties":{"outputPath":{}}}}`, ``, "yes"},
		{`{"name":"get_request","parameters":{"properties":{"outputPath":{}}}}`, `{}`, "no"},
		{`{"name":"get_request","parameters":{"properties":{"filePath":{"description":"Where to save the body"}}}}`, ``, "yes"},
		{`{"name":"get_request","parameters":{"properties":{"filePath":{"description":"Where to save the body"}}}}`, `{"filePath":"/x"}`, "yes"},
		{`{"name":"get_symbols","parameters":{"properties":{"filePath":{"description":"The file to look at"}}}}`, `{"filePath":"/x"}`, "no"},
		{`{"name":"manage_x","parameters":{"properties":{"operation":{"enum":["list","get"]}}}}`, ``, "no"},
		{`{"name":"manage_x","parameters":{"properties":{"operation":{"enum":["list","delete"]}}}}`, ``, "yes"},
		{`{"name":"manage_x","parameters":{"properties":{"operation":{"enum":["list","delete"]}}}}`, `{"operation":"list"}`, "no"},
		{`{"name":"manage_x","parameters":{"properties":{"id":{}}}}`, `{"operation":"list"}`, "unknown"},
		{`{"name":"apply_x","parameters":{"properties":{"operation":{}}}}`, `{"operation":"list"}`, "unknown"},
		{`{"name":"apply_x","parameters":{"properties":{"operation":{"enum":["list","set"]}}}}`, `{"operation":"list"}`, "no"},
		{`{"name":"apply_x","parameters":{"properties":{"operation":{"enum":["list","set"]}}}}`, `{"operation":"list","delete":true}`, "yes"},
		{`{"name":"apply_x","parameters":{"properties":{"operation":{"enum":["list","set"]}}}}`, `{"operation":"set"}`, "yes"},
		{`{"name":"list_product","parameters":{"properties":{"title":{},"price":{}}}}`, ``, "unknown"},
		{`{"name":"list_product","parameters":{"properties":{"title":{},"price":{}}}}`, `{"price":20}`, "unknown"},
		{`{"name":"list_product","parameters":{"properties":{"category":{}}}}`, `{"category":"x"}`, "no"},
		{`{"name":"frob","method":"BREW"}`, ``, "unknown"},
		{`{"name":"get_x","method":"BREW"}`, ``, "unknown"},
		{`{"name":"x_get","parameters":{"properties":{"method":{"enum":["get_a","update_a"]}}}}`, ``, "yes"},
	} {
		tools, err := ReadTools(mustParse(t, `[`+x.tool+`]`))
		if err != nil {
			t.Fatal(err)
		}
		var args jsonval.Value
		if x.args != "" {
			args = mustParse(t, x.args)
		}
		v := New(tools, nil).Classify(tools[0].Name, args)
		if v.Mutating.String() != x.want {
			t.Errorf("%s %s: %s (%s: %s), want %s", x.tool, x.args, v.Mutating, v.Layer, v.Reason, x.want)
		}
	}
}

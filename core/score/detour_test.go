package score

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestDetours is the law that another tool does a step only if it does the same to the same things. It draws a
// deed with a tool, the same deed as a command or a request, and commands and requests that do something else.
func TestDetours(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 14))
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	file := func() string {
		return pick("/srv", "data", "/home/a b", "./in") + "/" + pick("jan", "feb", "x-1") + pick(".csv", ".txt")
	}
	quote := func(s string) string { return pick("'"+s+"'", `"`+s+`"`) }
	call := func(name string, arguments map[string]any) string {
		text, _ := json.Marshal(map[string]any{"name": name, "arguments": arguments, "result": "done"})
		return string(text)
	}
	bash := func(command string) string {
		return call(pick("bash", "run_command", "terminal"), map[string]any{"command": command})
	}
	step := func(name string, arguments map[string]any) string {
		text, _ := json.Marshal(map[string]any{"name": name, "arguments": arguments})
		return string(text)
	}
	type deed struct {
		tool         string
		same, others []string
		hint         bool
	}
	files := func() deed {
		a, b, c := file(), file()+"1", file()+"2"
		switch r.IntN(4) {
		case 0:
			return deed{tool: step("move_file", map[string]any{"source": a, "destination": b}),
				same:   []string{bash("mv " + quote(a) + " " + quote(b)), bash("mv -v " + quote(a) + " " + quote(b))},
				others: []string{bash("mv " + quote(b) + " " + quote(a)), bash("cp " + quote(a) + " " + quote(b)), bash("mv " + quote(a) + " " + quote(c)), bash("mv " + quote(a) + " " + quote(b) + " " + quote(c)), bash("mv " + quote(a) + " " + quote(b) + " && rm " + quote(c)), bash("mv " + quote(a) + " $" + "TARGET")}}
		case 1:
			return deed{tool: step("delete_file", map[string]any{"path": a}),
				same:   []string{bash("rm " + quote(a)), bash("rm -f " + quote(a))},
				others: []string{bash("rm -r " + quote(a)), bash("rm " + quote(b)), bash("rm " + quote(a) + " " + quote(b)), bash("rm " + quote(a) + "*"), bash("touch " + quote(a))}}
		case 2:
			return deed{tool: step("copy_file", map[string]any{"from_path": a, "to_path": b}),
				same:   []string{bash("cp " + quote(a) + " " + quote(b))},
				others: []string{bash("mv " + quote(a) + " " + quote(b)), bash("cp " + quote(b) + " " + quote(a)), bash("cp -r " + quote(a) + " " + quote(b)), bash("cp " + quote(a) + " " + quote(b) + "; reboot")}}
		}
		return deed{tool: step("create_folder", map[string]any{"path": a}),
			same:   []string{bash("mkdir " + quote(a)), bash("mkdir -p " + quote(a))},
			others: []string{bash("rmdir " + quote(a)), bash("mkdir " + quote(b)), bash("touch " + quote(a)), bash("mkdir -m 777 " + quote(a))}}
	}
	systems := func() deed {
		id, n, name := fmt.Sprint(100+r.IntN(900)), 2+r.IntN(7), pick("web", "search", "mail")
		http := func(method, address string, body map[string]any) string {
			if r.IntN(2) == 0 {
				text, _ := json.Marshal(body)
				return bash("curl -s -X " + method + " https://api.example.test" + address + " -d '" + string(text) + "'")
			}
			return call("http_request", map[string]any{"method": method, "url": "https://api.example.test" + address, "body": body})
		}
		if r.IntN(2) == 0 {
			return deed{hint: true, tool: step("scale_deployment", map[string]any{"name": name, "namespace": "prod", "replicas": n}),
				same: []string{bash(fmt.Sprintf("kubectl scale deployment %s -n prod --replicas=%d", name, n)), bash(fmt.Sprintf("kubectl --namespace prod scale deployments %s --replicas %d", name, n))},
				others: []string{bash(fmt.Sprintf("kubectl scale deployment %s -n prod --replicas=%d", name, n+1)), bash(fmt.Sprintf("kubectl scale deployment %s -n test --replicas=%d", name, n)),
					bash(fmt.Sprintf("kubectl scale deployment %s -n prod --replicas=%d --force", name, n)), bash(fmt.Sprintf("kubectl scale deployment %s --replicas=%d", name, n)), bash("kubectl delete deployment " + name + " -n prod")}}
		}
		return deed{hint: true, tool: step("update_employee", map[string]any{"employee_id": id, "department": name}),
			same: []string{http("PATCH", "/employees/"+id, map[string]any{"department": name}), http("PUT", "/api/v1/employees/"+id, map[string]any{"department": name})},
			others: []string{http("DELETE", "/employees/"+id, map[string]any{"department": name}), http("PATCH", "/employees/"+id+"1", map[string]any{"department": name}), http("PATCH", "/employees/"+id, map[string]any{"department": name + "s"}),
				http("PATCH", "/employees/"+id, map[string]any{"department": name, "salary": 1}), http("PATCH", "/employees/"+id, map[string]any{}), http("PATCH", "/customers/"+id, map[string]any{"department": name})}}
	}
	for range drawn.Cases(150) {
		d := []func() deed{files, systems}[r.IntN(2)]()
		want := map[bool]string{false: "clean", true: "hint"}[d.hint]
		for _, own := range d.same {
			if got := certaintyOf(t, "["+own+"]", "["+d.tool+"]", "outcome"); got != want {
				t.Errorf("%s for %s: %s, want %s", own, d.tool, got, want)
			}
		}
		for _, own := range d.others {
			if got := certaintyOf(t, "["+own+"]", "["+d.tool+"]", "outcome"); got != "flagged" {
				t.Errorf("%s for %s: %s, want flagged", own, d.tool, got)
			}
		}
		if got := certaintyOf(t, "["+d.same[0]+"]", "["+d.tool+"]", "sop"); got != "flagged" {
			t.Errorf("%s for %s under sop: %s, want flagged", d.same[0], d.tool, got)
		}
	}
}

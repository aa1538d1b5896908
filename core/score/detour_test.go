package score

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
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

// TestDetourPaths is the law that a path which depends on the working directory proves no file, unless both sides write it
// alike and nothing changes the directory.
func TestDetourPaths(t *testing.T) {
	r := rand.New(rand.NewPCG(59, 2))
	spellings := []struct{ written, parts string }{
		{"/srv/data/a.txt", "/srv/data/a.txt"}, {"/srv//data/./a.txt", "/srv/data/a.txt"}, {"/data/a.txt", "/data/a.txt"},
		{"a.txt", "a.txt"}, {"./a.txt", "a.txt"}, {"data/a.txt", "data/a.txt"}, {"./data/a.txt", "data/a.txt"}, {"b.txt", "b.txt"}, {"ta/a.txt", "ta/a.txt"},
	}
	for range drawn.Cases(120) {
		own, ref, moves := spellings[r.IntN(len(spellings))], spellings[r.IntN(len(spellings))], r.IntN(3) == 0
		isWhole := func(p string) bool { return p[0] == '/' }
		want := "flagged"
		switch a, b := own.parts, ref.parts; {
		case a == b && (isWhole(a) || own.written == ref.written && !moves):
			want = "clean"
		case a == b, isWhole(a) && !isWhole(b) && strings.HasSuffix(a, "/"+b), isWhole(b) && !isWhole(a) && strings.HasSuffix(b, "/"+a):
			want = "hint"
		}
		run := fmt.Sprintf(`{"name":"bash","arguments":{"command":"rm -f %s"},"result":"done"}`, own.written)
		if moves {
			run = `{"name":"bash","arguments":{"command":"cd /elsewhere"},"result":"done"},` + run
		}
		if got := certaintyOf(t, "["+run+"]", fmt.Sprintf(`[{"name":"delete_file","arguments":{"path":%q}}]`, ref.written), "outcome"); got != want {
			t.Errorf("rm %s for %s (moves: %t): %s, want %s", own.written, ref.written, moves, got, want)
		}
	}
}

// TestDetourMethods is the law that a request is read by its method only if nothing in it may set another one.
func TestDetourMethods(t *testing.T) {
	const address, step = "https://api.example.test/orders/17", `[{"name":"delete_order","arguments":{"order_id":"17"}}]`
	request := func(member string) string {
		return `{"name":"http_request","arguments":{"method":"DELETE","url":"` + address + `"` + member + `},"result":"done"}`
	}
	curl := func(options string) string {
		return `{"name":"bash","arguments":{"command":"curl -s ` + options + ` ` + address + `"},"result":"done"}`
	}
	for run, want := range map[string]string{
		request(``): "hint", request(`,"headers":{"Content-Type":"application/json"}`): "hint", curl(`-X DELETE`): "hint", curl(`-H 'Accept: text/plain' -X DELETE`): "hint",
		request(`,"headers":{"X-HTTP-Method-Override":"PATCH"}`): "flagged", request(`,"headers":{"x-method":"PATCH"}`): "flagged", request(`,"headers":"X-HTTP-Method: PATCH"`): "flagged",
		request(`,"body":{"_method":"PATCH"}`): "flagged", request(`,"body":"_method=PATCH"`): "flagged", request(`,"params":{"_method":"PATCH"}`): "flagged", request(`,"headers":{"X-Dry-Run":"true"}`): "flagged",
		curl(`-X DELETE -X PATCH`): "flagged", curl(`-X DELETE -H 'X-HTTP-Method-Override: PATCH'`): "flagged", curl(`-X DELETE -d '_method=PATCH'`): "flagged", curl(`-X DELETE -G`): "flagged",
		curl(`-X DELETE --request-target /all`): "flagged", curl(`-X DELETE > log`): "flagged", curl(`-X DELETE -d '{}' -d '{}'`): "flagged", curl(`-X DELETE -x http://other`): "flagged",
	} {
		if got := certaintyOf(t, "["+run+"]", step, "outcome"); got != want {
			t.Errorf("%s: %s, want %s", run, got, want)
		}
	}
}
